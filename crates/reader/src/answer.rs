//! A single read, from its query to its response: gets or fetches the text, selects the requested part, and
//! renders it.

use std::sync::Arc;
use std::time::Duration;

use articles::reader::{Bookmark, TextSelection, TextSelector};
use articles::{Address, Article, FetchPurpose, Freshness, QueueOutage, ReadOptions, ServedArticle};
use data_encoding::BASE64URL_NOPAD;
use kernel::Code;
use poem::http::{HeaderMap, HeaderName, HeaderValue, header};
use poem_openapi::types::ToJSON;
use sha2::{Digest, Sha256};
use tokio::time::{Instant, timeout_at};

use super::cache::ResponseKey;
use super::limits::RateLimiter;
use super::negotiate::ResponseFormat;
use super::page::{ReadQuery, RenderedPage};
use super::params::{DEFAULT_MAX_AGE, ReadParams};
use super::render::ReadView;
use super::service::ReaderService;
use http_kit::app::App;
use http_kit::page_language;
use http_kit::problem::Problem;

/// Minimum number of tokens of a text that is rendered on a blocking thread.
const HEAVY_TOKENS: u32 = 10_000;

/// Answers a single read within `timeout`.
///
/// # Errors
/// If the URL cannot be read, or a parameter is invalid.
pub(super) async fn read(
    reader: &Arc<ReaderService>,
    query: ReadQuery,
    timeout: Duration,
) -> Result<RenderedPage, Problem> {
    let app = &reader.app;
    let deadline = Instant::now() + timeout;
    let address = Address::parse(&app.domain, &query.request.url)?;
    let selector = query.request.selector();
    selector.check(query.request.cursor.is_some())?;
    let bookmark = match &query.request.cursor {
        Some(cursor) => Some(Bookmark::open(app.domain.cursor_key().await?, &address, cursor)?),
        None => None,
    };
    let answer = match (bookmark, query.request.job_id) {
        (Some(mark), _) => pinned(app, mark.snapshot_id).await?,
        (None, Some(id)) => of_job(app, id, &address).await?,
        (None, None) => obtain(app, &address, &query.request, deadline).await?,
    };
    let key = ResponseKey::of(&query, &answer);
    if let Some(page) = key.as_ref().and_then(|key| reader.cache.page(key, app.domain.now())) {
        return Ok(page);
    }
    let cursor_key = app.domain.cursor_key().await?.clone();
    let selector = TextSelector { bookmark, ..selector };
    let heavy = selector.query.is_some()
        || query.format == ResponseFormat::Html
        || answer.article.document.total_tokens > HEAVY_TOKENS;
    let permits = Arc::clone(&reader.render_permits);
    let reader = Arc::clone(reader);
    let build = move || -> Result<RenderedPage, Problem> {
        let selection = articles::reader::select(&answer.article, &selector)?;
        let next_cursor = selection.next.map(|mark| mark.seal(&cursor_key, &address));
        let context = ResponseContext { path: "/api/v1/read", responded_at: reader.app.domain.now() };
        let page = build_page(&reader, &query, &answer, &selection, next_cursor, &context);
        if let Some(key) = key {
            reader.cache.put(key, &page, context.responded_at);
        }
        Ok(page)
    };
    if !heavy {
        return build();
    }
    let permit = timeout_at(deadline, permits.acquire_owned()).await;
    let Ok(Ok(permit)) = permit else {
        return Err(Problem::new(
            Code::CapacityExhausted,
            "Too many large texts are being rendered. Retry shortly.",
        ));
    };
    let languages = page_language::current();
    let building = tokio::task::spawn_blocking(move || {
        // The permit is released when the task completes, even if the caller disconnects earlier.
        let _permit = permit;
        page_language::with_sync(languages, build)
    });
    building.await.map_err(|error| Problem::from(kernel::Error::internal(error)))?
}

/// Returns the text of an address with the requested freshness.
///
/// # Errors
/// If the fetch or the extraction fails.
pub(super) async fn obtain(
    app: &App,
    address: &Address,
    request: &ReadParams,
    deadline: Instant,
) -> Result<ServedArticle, Problem> {
    let freshness = Freshness::seconds(request.max_age.unwrap_or(DEFAULT_MAX_AGE));
    let options = ReadOptions {
        purpose: FetchPurpose::Read,
        payer: None,
        freshness,
        render: request.render,
        outage: QueueOutage::Returned,
        permission: Some(Box::pin(RateLimiter::charge_rendering())),
        deadline,
    };
    Ok(articles::read(&app.engine, address, options).await?.answer)
}

async fn pinned(app: &App, snapshot_id: kernel::SnapshotId) -> Result<ServedArticle, Problem> {
    let article = articles::pinned(&app.domain, snapshot_id).await?;
    article.map(|article| ServedArticle { article, cache_hit: true }).ok_or_else(gone)
}

async fn of_job(app: &App, id: kernel::ReadJobId, address: &Address) -> Result<ServedArticle, Problem> {
    let job = articles::reader::read_jobs::get(&app.domain, id).await?;
    if Address::parse(&app.domain, &job.url)?.key != address.key {
        return Err(Problem::parameter("job_id", "the job read another URL"));
    }
    match (job.state, job.snapshot_id, job.error) {
        (articles::reader::read_jobs::ReadJobState::Complete, Some(snapshot_id), _) => {
            pinned(app, snapshot_id).await
        }
        (articles::reader::read_jobs::ReadJobState::Complete, None, _) => Err(gone()),
        (articles::reader::read_jobs::ReadJobState::Failed, _, Some(failure)) => {
            Err(Problem::new(failure.code, failure.message))
        }
        (articles::reader::read_jobs::ReadJobState::Failed, _, None) => {
            Err(Problem::new(Code::ServiceUnavailable, "The job failed."))
        }
        (
            articles::reader::read_jobs::ReadJobState::Queued
            | articles::reader::read_jobs::ReadJobState::Running,
            ..,
        ) => Err(Problem::new(Code::JobNotFound, "The job has no result yet. Poll it until it is complete.")),
    }
}

fn gone() -> Problem {
    Problem::new(Code::ContentChanged, "The text of this cursor or job is no longer stored.")
}

/// Operation and time of a response.
#[derive(Debug, Clone, Copy)]
pub(super) struct ResponseContext {
    /// Path of the operation, for links to the same operation.
    pub path: &'static str,
    /// Current time, in milliseconds.
    pub responded_at: i64,
}

/// Renders a selection as a page of the operation in `context`, with its headers.
pub(super) fn build_page(
    reader: &ReaderService,
    query: &ReadQuery,
    answer: &ServedArticle,
    selection: &TextSelection,
    next_cursor: Option<String>,
    context: &ResponseContext,
) -> RenderedPage {
    let ReadQuery { request, format } = query;
    let self_url =
        |cursor: Option<&str>| request.api_url(&format!("{}{}", reader.url(), context.path), *format, cursor);
    let reading = ReadView {
        url: &request.url,
        reader_url: reader.url(),
        article: &answer.article,
        selection,
        query: request.query.as_deref(),
        next_cursor,
        cache_hit: answer.cache_hit,
        responded_at: context.responded_at,
    };
    let mut headers = HeaderMap::new();
    let body = match format {
        ResponseFormat::Json => reading.result().to_json_string(),
        ResponseFormat::Text => reading.text(),
        ResponseFormat::Markdown => reading.markdown(),
        ResponseFormat::Html => {
            let page = (reader.pages.reading)(&reader.app, &reading, request);
            // A 304 also includes this header. Otherwise, browsers would apply the policy of other formats to
            // their cached page.
            put(&mut headers, header::CONTENT_SECURITY_POLICY, &page.policy);
            page.html
        }
    };
    put(&mut headers, header::CONTENT_TYPE, format.content_type());
    put(&mut headers, header::ETAG, &etag(&answer.article, request, selection, *format));
    put(&mut headers, header::CONTENT_LOCATION, &self_url(request.cursor.as_deref()));
    append(
        &mut headers,
        header::LINK,
        &format!("<{}>; rel=\"canonical\"", link_target(&answer.article.final_url)),
    );
    if let Some(cursor) = &reading.next_cursor {
        let next = self_url(Some(cursor));
        append(&mut headers, header::LINK, &format!("<{next}>; rel=\"next\""));
    }
    let tokens = answer.article.document.total_tokens.to_string();
    put(&mut headers, HeaderName::from_static("x-svc-total-tokens"), &tokens);
    RenderedPage { format: *format, body: body.into(), headers }
}

/// Computes the `ETag` from the snapshot, the selection, and the format, which together determine the
/// representation.
fn etag(
    article: &Article,
    request: &ReadParams,
    selection: &TextSelection,
    format: ResponseFormat,
) -> String {
    let mut hasher = Sha256::new();
    hasher.update(article.snapshot_id.as_bytes());
    hasher.update(request.url.as_bytes());
    hasher.update(request.query.as_deref().unwrap_or("\0").as_bytes());
    hasher.update(format.as_str().as_bytes());
    for pick in &selection.picks {
        hasher.update((pick.index as u64).to_be_bytes());
    }
    format!("\"{}\"", BASE64URL_NOPAD.encode(&hasher.finalize()[..18]))
}

/// Escapes a URL for use between angle brackets in `Link`.
fn link_target(url: &str) -> String {
    url.replace('<', "%3C").replace('>', "%3E").replace(' ', "%20")
}

fn put(headers: &mut HeaderMap, name: HeaderName, value: &str) {
    if let Ok(value) = HeaderValue::from_str(value) {
        headers.insert(name, value);
    }
}

fn append(headers: &mut HeaderMap, name: HeaderName, value: &str) {
    if let Ok(value) = HeaderValue::from_str(value) {
        headers.append(name, value);
    }
}
