//! Article operations: extract a public source, read its text in windows, and search it for passages.

mod schema;

use std::sync::Arc;

use articles::{FetchPurpose, Freshness, ObtainedArticle, Payer, QueueOutage, ReadOptions, search, window};
use identity::caller::Caller;
use poem::web::Data;
use poem_openapi::payload::Json;
use poem_openapi::{ApiResponse, OpenApi};
use tokio::time::Instant;

use self::schema::{
    ArticleExtractResponse, ArticleReadResponse, ArticleResponse, ArticleSearchResponse, EXAMPLE,
};
use super::answers::Errors;
use super::authorize::{Authorized, Fresh, RateLimitState, Read};
use super::body::{Body, address};
use super::error::ApiError;
use super::render_choice::RenderChoice;
use super::tag::ApiTag;
use http_kit::app::App;
use http_kit::http::params::{Integer, Text, Url};
use http_kit::http::request::request;

/// Maximum length of the extracted text, in characters.
const MAX_CHARACTERS: usize = 2_000_000;

/// Token budget.
pub(super) type TokenBudget = Integer<{ window::MIN_TOKENS as i64 }, { window::MAX_TOKENS as i64 }>;

pub(super) struct ArticlesApi;

/// Response derived from a source.
#[derive(ApiResponse)]
pub enum SourceAnswer<T: poem_openapi::types::ToJSON> {
    /// The requested text.
    #[oai(status = 200)]
    Ok(
        Json<T>,
        /// Seconds since the text was last confirmed. Present if a stale text is served because the account's
        /// fresh extractions are used up.
        #[oai(header = "Age")]
        Option<u32>,
    ),
}

type ArticleResult<T> = Result<SourceAnswer<T>, Errors<400, 422, 502>>;

request! {
    /// Source to extract.
    pub(super) struct ArticleExtractRequest in camelCase {
        /// Public http(s) URL of the source.
        url: Url = EXAMPLE,
        /// Rendering of the page in a browser, which costs 4 more fresh extractions. Default: `auto`.
        render: Option<RenderChoice>,
    }
}

request! {
    /// Source to read and the window to return.
    pub(super) struct ArticleReadRequest in camelCase {
        /// Public http(s) URL of the source.
        url: Url = EXAMPLE,
        /// Maximum `o200k_base` tokens in the window. Default: 4000.
        max_tokens: TokenBudget = 4000 => window::DEFAULT_TOKENS,
        /// `nextCursor` of the previous window.
        cursor: Option<Integer<1, { i64::MAX }>>,
        /// Rendering of the page in a browser, which costs 4 more fresh extractions. Default: `auto`.
        render: Option<RenderChoice>,
    }
}

request! {
    /// Source to search and the query.
    pub(super) struct ArticleSearchRequest in camelCase {
        /// Public http(s) URL of the source.
        url: Url = EXAMPLE,
        /// Search query. Words in double quotes match as a phrase.
        query: Text<1, { search::MAX_QUERY }> = "quiet desks",
        /// Maximum `o200k_base` tokens in all passages. Default: 4000.
        max_tokens: TokenBudget => window::DEFAULT_TOKENS,
        /// Maximum number of passages. Default: 8.
        max_passages: Integer<1, { search::MAX_PASSAGES as i64 }> = 3 => search::DEFAULT_PASSAGES,
        /// Ranked passages to skip: `nextCursor` of the previous response. Default: 0.
        cursor: Integer<0, { i64::MAX }> => 0_u32,
        /// Rendering of the page in a browser, which costs 4 more fresh extractions. Default: `auto`.
        render: Option<RenderChoice>,
    }
}

#[OpenApi(tag = "ApiTag::Articles")]
impl ArticlesApi {
    /// Extract a public source
    ///
    /// Returns the complete clean text, which can be large. Agents should read or search within a token
    /// budget.
    #[oai(path = "/v1/articles/extract", method = "post", operation_id = "extractArticle")]
    async fn extract(
        &self,
        caller: Authorized<Read, Fresh>,
        app: Data<&Arc<App>>,
        limits: Data<&RateLimitState>,
        body: Body<ArticleExtractRequest>,
    ) -> ArticleResult<ArticleExtractResponse> {
        let ArticleExtractRequest { url, render } = body.0;
        let source = obtain(&app, &limits, &caller.0, (&url, render)).await?;
        let text = app.reading.clean_text(&source.answer.article, MAX_CHARACTERS).await?;
        let article = ArticleResponse::of(&app, &source, text);
        Ok(SourceAnswer::Ok(Json(ArticleExtractResponse { article }), source.age_s))
    }

    /// Read a window of a public source
    ///
    /// Returns whole blocks within a token budget, each with its anchor, and the cursor of the next window.
    #[oai(path = "/v1/articles/read", method = "post", operation_id = "readArticle")]
    async fn read(
        &self,
        caller: Authorized<Read, Fresh>,
        app: Data<&Arc<App>>,
        limits: Data<&RateLimitState>,
        body: Body<ArticleReadRequest>,
    ) -> ArticleResult<ArticleReadResponse> {
        let ArticleReadRequest { url, max_tokens, cursor, render } = body.0;
        let request = window::WindowRequest {
            max_tokens: max_tokens.get(),
            cursor: cursor.map(|cursor| cursor.0.unsigned_abs()),
        };
        let source = obtain(&app, &limits, &caller.0, (&url, render)).await?;
        let (window, total) = app.reading.window(&source.answer.article, request).await?;
        Ok(SourceAnswer::Ok(Json(ArticleReadResponse::of(&app, &source, window, total)), source.age_s))
    }

    /// Search a public source for passages
    ///
    /// Returns the blocks that match the query, best match first, within a token budget.
    #[oai(path = "/v1/articles/search", method = "post", operation_id = "searchArticle")]
    async fn search(
        &self,
        caller: Authorized<Read, Fresh>,
        app: Data<&Arc<App>>,
        limits: Data<&RateLimitState>,
        body: Body<ArticleSearchRequest>,
    ) -> ArticleResult<ArticleSearchResponse> {
        let ArticleSearchRequest { url, query, max_tokens, max_passages, cursor, render } = body.0;
        let request = search::SearchRequest {
            query: query.0.clone(),
            max_tokens: max_tokens.get(),
            max_passages: max_passages.get(),
            cursor: cursor.0.unsigned_abs(),
        };
        let source = obtain(&app, &limits, &caller.0, (&url, render)).await?;
        let (passages, total) = app.reading.passages(&source.answer.article, request).await?;
        let answer = ArticleSearchResponse::of(&app, &source, passages, total, query.0);
        Ok(SourceAnswer::Ok(Json(answer), source.age_s))
    }
}

/// Returns the text of `url` from the cache, a fetch, or a rendering. A fetch is charged to the caller's account.
async fn obtain(
    app: &App,
    limits: &RateLimitState,
    caller: &Caller,
    (url, render): (&Url, Option<RenderChoice>),
) -> Result<ObtainedArticle, ApiError> {
    let address = address(app, "url", url)?;
    let payer = Payer { account_id: caller.account_id, tier: caller.tier };
    let deadline = Instant::now() + app.settings.deadlines.read;
    let options = ReadOptions {
        purpose: FetchPurpose::Read,
        payer: Some(payer),
        freshness: Freshness::HOUR,
        render: render.map(Into::into).unwrap_or_default(),
        permission: None,
        outage: QueueOutage::Returned,
        deadline,
    };
    let obtained = articles::read(&app.engine, &address, options).await?;
    if let Some(states) = &obtained.fresh {
        limits.record(states);
    }
    Ok(obtained)
}
