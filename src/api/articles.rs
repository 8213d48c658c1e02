//! The article operations: a public source as a whole, in windows, and by passages.

use std::sync::Arc;

use domain::Code;
use domain::articles::{self, Address, Freshness, Obtained, Payer, search, window};
use domain::caller::Caller;
use domain::{keys, rfc3339, source_time};
use extract::{BlockKind, Document};
use poem::web::Data;
use poem_openapi::payload::Json;
use poem_openapi::{ApiResponse, OpenApi};
use tokio::time::Instant;

use super::Tag;
use super::body::Input;
use super::error::ApiError;
use super::guard::{Allowed, ReadSource, Standing};
use super::schema::{
    Article, ArticleExtractRequest, ArticleExtractResponse, ArticlePassage, ArticleReadRequest,
    ArticleReadResponse, ArticleSearchRequest, ArticleSearchResponse, OutlineEntry,
};
use crate::app::App;
use crate::http::fields::{Fault, Fields};

/// The longest URL, in characters.
const MOST_URL: usize = 4096;
/// The most characters of an extraction's text.
const MOST_CHARACTERS: usize = 2_000_000;

/// Public sources.
pub struct ArticlesApi;

/// An answer made from a source.
#[derive(ApiResponse)]
pub enum Answer<T: poem_openapi::types::ToJSON> {
    /// The text, as asked for.
    #[oai(status = 200)]
    Ok(
        Json<T>,
        /// Seconds since the text was confirmed, when an older text is served because the account's fresh
        /// extractions are used up.
        #[oai(header = "Age")]
        Option<u32>,
    ),
}

type Answered<T> = Result<Answer<T>, ApiError>;

#[OpenApi(tag = "Tag::Articles")]
impl ArticlesApi {
    /// Extract a public source
    ///
    /// The complete clean text, which can be large; for programs that process text. Agents read and search
    /// within a budget instead.
    #[oai(path = "/v1/articles/extract", method = "post", operation_id = "extractArticle")]
    async fn extract(
        &self,
        caller: Allowed<ReadSource>,
        app: Data<&Arc<App>>,
        standing: Data<&Standing>,
        body: Input<ArticleExtractRequest>,
    ) -> Answered<ArticleExtractResponse> {
        let mut fields = Fields::of(&body.0, "")?;
        let url = url_of(&mut fields)?;
        fields.finish()?;
        let source = obtain(&app, &standing, &caller.0, url).await?;
        let text = app.reading.clean_text(&source.answer.article, MOST_CHARACTERS).await?;
        let article = article_of(&app, &source, text);
        Ok(Answer::Ok(Json(ArticleExtractResponse { article }), source.age_s))
    }

    /// Read a window of a public source
    ///
    /// Whole blocks within a token budget, each with its anchor, and a cursor to go on from.
    #[oai(path = "/v1/articles/read", method = "post", operation_id = "readArticle")]
    async fn read(
        &self,
        caller: Allowed<ReadSource>,
        app: Data<&Arc<App>>,
        standing: Data<&Standing>,
        body: Input<ArticleReadRequest>,
    ) -> Answered<ArticleReadResponse> {
        let mut fields = Fields::of(&body.0, "")?;
        let url = url_of(&mut fields)?;
        let request = window::Request {
            max_tokens: tokens_of(&mut fields)?,
            cursor: integer(&mut fields, "cursor", 1, i64::MAX)?.map(i64::unsigned_abs),
        };
        fields.finish()?;
        let source = obtain(&app, &standing, &caller.0, url).await?;
        let (window, total) = app.reading.window(&source.answer.article, request).await?;
        Ok(Answer::Ok(Json(read_of(&app, &source, window, total)), source.age_s))
    }

    /// Find passages in a public source
    ///
    /// The blocks that answer the query, best first, within a token budget.
    #[oai(path = "/v1/articles/search", method = "post", operation_id = "searchArticle")]
    async fn search(
        &self,
        caller: Allowed<ReadSource>,
        app: Data<&Arc<App>>,
        standing: Data<&Standing>,
        body: Input<ArticleSearchRequest>,
    ) -> Answered<ArticleSearchResponse> {
        let mut fields = Fields::of(&body.0, "")?;
        let url = url_of(&mut fields)?;
        let query = required(&mut fields, "query", 1, search::MOST_QUERY)?.to_owned();
        let max_tokens = tokens_of(&mut fields)?;
        let most = i64::from(search::MOST_PASSAGES);
        let passages = integer(&mut fields, "maxPassages", 1, most)?;
        let cursor = integer(&mut fields, "cursor", 0, i64::MAX)?.unwrap_or(0);
        fields.finish()?;
        let request = search::Request {
            query: query.clone(),
            max_tokens,
            max_passages: passages
                .and_then(|most| u32::try_from(most).ok())
                .unwrap_or(search::DEFAULT_PASSAGES),
            cursor: cursor.unsigned_abs(),
        };
        let source = obtain(&app, &standing, &caller.0, url).await?;
        let (found, total) = app.reading.passages(&source.answer.article, request).await?;
        Ok(Answer::Ok(Json(search_of(&app, &source, found, total, query)), source.age_s))
    }
}

/// The text of `url`, on the caller's account.
async fn obtain(app: &App, standing: &Standing, caller: &Caller, url: &str) -> Result<Obtained, ApiError> {
    if keys::looks_like_a_key(url) {
        let message = "The URL holds an API key. Revoke that key: it may have been seen by others.";
        return Err(ApiError::malformed(Code::InvalidUrl, message, "/url: holds a credential"));
    }
    let address = Address::parse(url, &app.guard).map_err(at_url)?;
    let payer = Payer { limits: &app.limits, account_id: caller.account_id, tier: caller.tier };
    let deadline = Instant::now() + app.settings.deadlines.read;
    let progress = articles::request(&app.domain, Some(payer), &address, Freshness::HOUR).await?;
    let obtained = app.engine.await_result(progress, deadline).await?;
    if let Some(states) = &obtained.fresh {
        standing.note(states);
    }
    Ok(obtained)
}

/// A fault of the URL says where it stands.
fn at_url(error: domain::Error) -> ApiError {
    let error = ApiError::from(error);
    let details = error.details.clone().or_else(|| Some(format!("/url: {}", error.message)));
    ApiError { details, ..error }
}

fn url_of<'a>(fields: &mut Fields<'a>) -> Result<&'a str, ApiError> {
    let url = required(fields, "url", 1, usize::MAX)?;
    if url.chars().count() > MOST_URL {
        let fault = fields.fault("url", format!("longer than {MOST_URL}"));
        return Err(ApiError::malformed(Code::InvalidUrl, "The URL is too long.", fault.to_string()));
    }
    Ok(url)
}

fn tokens_of(fields: &mut Fields<'_>) -> Result<u32, Fault> {
    let (least, most) = (i64::from(window::LEAST_TOKENS), i64::from(window::MOST_TOKENS));
    let tokens = integer(fields, "maxTokens", least, most)?;
    Ok(tokens.and_then(|tokens| u32::try_from(tokens).ok()).unwrap_or(window::DEFAULT_TOKENS))
}

/// A text that must be there.
pub(super) fn required<'a>(
    fields: &mut Fields<'a>,
    name: &'static str,
    least: usize,
    most: usize,
) -> Result<&'a str, Fault> {
    fields.text(name, least, most)?.ok_or_else(|| fields.fault(name, "is missing"))
}

/// An integer that may be left out, but is not null.
pub(super) fn integer(
    fields: &mut Fields<'_>,
    name: &'static str,
    least: i64,
    most: i64,
) -> Result<Option<i64>, Fault> {
    if fields.is_null(name) {
        return Err(fields.fault(name, "must be an integer"));
    }
    fields.integer(name, least, most)
}

/// The public reader's address of a source, in its prefix form.
fn reader_url(app: &App, source_url: &str) -> String {
    format!("{}/{source_url}", app.settings.origins.reader)
}

fn article_of(app: &App, source: &Obtained, text: window::CleanText) -> Article {
    let article = &source.answer.article;
    let document = &article.document;
    Article {
        source_url: article.final_url.clone(),
        reader_url: reader_url(app, &article.final_url),
        title: document.title.clone(),
        author: document.author.clone(),
        site_name: document.publisher.clone(),
        published_at: document.published_at.as_deref().map(source_time),
        language: document.language.clone(),
        content: text.text,
        content_characters: text.total as u64,
        returned_characters: text.returned as u64,
        truncated: text.returned < text.total,
        source: document.source.as_str().to_owned(),
        cache_hit: source.answer.cache_hit,
        quality_status: document.quality.map(|quality| quality.as_str().to_owned()),
        source_category: document.category.map(|category| category.as_str().to_owned()),
        responded_at: rfc3339(app.domain.now()),
        headings: headings(document),
    }
}

fn headings(document: &Document) -> Option<Vec<String>> {
    let texts: Vec<String> = outline(document).into_iter().map(|entry| entry.text).collect();
    (!texts.is_empty()).then_some(texts)
}

fn outline(document: &Document) -> Vec<OutlineEntry> {
    let headings = document.blocks.iter().filter(|block| block.kind == BlockKind::Heading);
    headings.map(|block| OutlineEntry { anchor: block.anchor, text: block.text.clone() }).collect()
}

fn warnings(document: &Document) -> Vec<String> {
    document.warnings.iter().map(|warning| warning.as_str().to_owned()).collect()
}

fn read_of(app: &App, source: &Obtained, window: window::Window, total: u32) -> ArticleReadResponse {
    let article = &source.answer.article;
    let document = &article.document;
    ArticleReadResponse {
        source_url: article.final_url.clone(),
        reader_url: reader_url(app, &article.final_url),
        title: document.title.clone(),
        author: document.author.clone(),
        publisher: document.publisher.clone(),
        published_at: document.published_at.as_deref().map(source_time),
        language: document.language.clone(),
        extraction_source: document.source.as_str().to_owned(),
        content_quality: document.quality.map(|quality| quality.as_str().to_owned()),
        cache_hit: source.answer.cache_hit,
        responded_at: rfc3339(app.domain.now()),
        total_blocks: document.blocks.len() as u64,
        total_tokens: total.into(),
        content_hash: document.content_hash.clone(),
        warnings: warnings(document),
        text: window.text,
        from_anchor: window.from_anchor,
        to_anchor: window.to_anchor,
        tokens_returned: window.tokens,
        next_cursor: window.next_cursor,
        outline: outline(document),
    }
}

fn search_of(
    app: &App,
    source: &Obtained,
    found: search::Passages,
    total: u32,
    query: String,
) -> ArticleSearchResponse {
    let article = &source.answer.article;
    let document = &article.document;
    let passage = |passage: search::Passage| ArticlePassage {
        anchor: passage.anchor,
        section: passage.section,
        rank: passage.rank,
        score: passage.score,
        tokens: passage.tokens,
        text: passage.text,
    };
    ArticleSearchResponse {
        source_url: article.final_url.clone(),
        reader_url: reader_url(app, &article.final_url),
        title: document.title.clone(),
        author: document.author.clone(),
        publisher: document.publisher.clone(),
        published_at: document.published_at.as_deref().map(source_time),
        language: document.language.clone(),
        extraction_source: document.source.as_str().to_owned(),
        content_quality: document.quality.map(|quality| quality.as_str().to_owned()),
        cache_hit: source.answer.cache_hit,
        responded_at: rfc3339(app.domain.now()),
        total_blocks: document.blocks.len() as u64,
        total_tokens: total.into(),
        content_hash: document.content_hash.clone(),
        warnings: warnings(document),
        query,
        matched_blocks: found.matched_blocks as u64,
        tokens_returned: found.tokens,
        next_cursor: found.next_cursor,
        passages: found.passages.into_iter().map(passage).collect(),
    }
}
