//! One read from question to answer: the text is found or fetched, the wished part cut out, and dressed.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use data_encoding::BASE64URL_NOPAD;
use domain::articles::{Address, Answer, Article, Freshness};
use domain::reader::{self, Bookmark, Selection};
use poem::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use poem::{Body, IntoResponse, Response};
use sha2::{Digest, Sha256};
use tokio::time::{Instant, timeout_at};

use super::asked::{Asked, DEFAULT_MAX_AGE};
use super::kept::Key;
use super::negotiate::Format;
use super::render::Reading;
use crate::app::App;
use crate::http::conditional::matches;
use crate::problem::Problem;

/// Texts from this size on are dressed away from the async threads, in tokens.
const HEAVY_TOKENS: u32 = 10_000;

/// The content of a successful read.
#[derive(Debug, Clone)]
pub(super) struct Page {
    /// The form it is in.
    pub format: Format,
    /// The body.
    pub body: Bytes,
    /// Content headers, `ETag` and `Link` among them.
    pub headers: HeaderMap,
}

/// Who is asking, where that matters for the words on the page.
#[derive(Debug, Clone)]
pub(super) struct Asking {
    /// What is asked.
    pub asked: Asked,
    /// The form of the answer.
    pub format: Format,
}

/// Reads. The whole takes no longer than `patience`.
///
/// # Errors
/// Every problem of the catalogue that a single read can have.
pub(super) async fn read(app: &Arc<App>, asking: Asking, patience: Duration) -> Result<Page, Problem> {
    let deadline = Instant::now() + patience;
    let address = Address::parse(&asking.asked.url, &app.guard)?;
    let wish = asking.asked.wish();
    wish.check(asking.asked.cursor.is_some())?;
    let bookmark = match &asking.asked.cursor {
        Some(cursor) => Some(Bookmark::open(app.domain.cursor_key().await?, &address, cursor)?),
        None => None,
    };
    let answer = match (bookmark, asking.asked.job_id) {
        (Some(mark), _) => pinned(app, mark.snapshot_id).await?,
        (None, Some(id)) => of_job(app, id, &address).await?,
        (None, None) => obtain(app, &address, &asking.asked, deadline).await?,
    };
    let key = Key::of(&asking, &answer);
    if let Some(page) = key.as_ref().and_then(|key| app.kept.page(key, app.domain.now())) {
        return Ok(page);
    }
    let cursor_key = app.domain.cursor_key().await?.clone();
    let wish = reader::Wish { bookmark, ..wish };
    let heavy = wish.query.is_some()
        || asking.format == Format::Html
        || answer.article.document.total_tokens > HEAVY_TOKENS;
    let turns = Arc::clone(&app.heavy_turns);
    let app = Arc::clone(app);
    let dress = move || -> Result<Page, Problem> {
        let selection = reader::select(&answer.article, &wish)?;
        let next_cursor = selection.next.map(|mark| mark.seal(&cursor_key, &address));
        let place = Place { path: "/api/v1/read", responded_at: app.domain.now() };
        let page = dress_at(&app, &asking, &answer, &selection, next_cursor, &place);
        if let Some(key) = key {
            app.kept.keep(key, &page, place.responded_at);
        }
        Ok(page)
    };
    if !heavy {
        return dress();
    }
    let turn = timeout_at(deadline, turns.acquire_owned()).await;
    let Ok(Ok(turn)) = turn else {
        return Err(Problem::new("capacity_exhausted", "Too many large texts are asked for at once."));
    };
    let dressing = tokio::task::spawn_blocking(move || {
        // Held to the end, also when the caller has hung up meanwhile.
        let _turn = turn;
        dress()
    });
    dressing.await.map_err(|error| Problem::from(domain::Error::internal(error)))?
}

async fn obtain(app: &App, address: &Address, asked: &Asked, deadline: Instant) -> Result<Answer, Problem> {
    let freshness = Freshness::seconds(asked.max_age.unwrap_or(DEFAULT_MAX_AGE));
    let obtained = jobs::extraction::obtain(&app.engine, address, freshness, deadline).await?;
    Ok(obtained)
}

async fn pinned(app: &App, snapshot_id: uuid::Uuid) -> Result<Answer, Problem> {
    let article = domain::articles::pinned(&app.domain, snapshot_id).await?;
    article.map(|article| Answer { article, cache_hit: true }).ok_or_else(gone)
}

async fn of_job(app: &App, id: uuid::Uuid, address: &Address) -> Result<Answer, Problem> {
    let job = reader::jobs::get(&app.domain, id).await?;
    if Address::parse(&job.url, &app.guard)?.key != address.key {
        return Err(Problem::parameter("job_id", "the job read another URL"));
    }
    match (job.state, job.snapshot_id, job.error) {
        (reader::jobs::State::Complete, Some(snapshot_id), _) => pinned(app, snapshot_id).await,
        (reader::jobs::State::Complete, None, _) => Err(gone()),
        (reader::jobs::State::Failed, _, Some((code, message))) => Err(Problem::new(&code, message)),
        (reader::jobs::State::Failed, _, None) => Err(Problem::new("service_unavailable", "The job failed.")),
        (reader::jobs::State::Queued | reader::jobs::State::Running, ..) => {
            Err(Problem::new("job_not_found", "The job has no result yet: poll it until it is complete."))
        }
    }
}

fn gone() -> Problem {
    Problem::new("content_changed", "The text that this cursor or job belongs to is no longer kept.")
}

/// Where and when an answer is given.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    /// The path of the operation, for links to itself.
    pub path: &'static str,
    /// The present, in milliseconds.
    pub responded_at: i64,
}

/// Dresses a selection as a page of the operation at `place`, with its headers.
pub(super) fn dress_at(
    app: &App,
    asking: &Asking,
    answer: &Answer,
    selection: &Selection,
    next_cursor: Option<String>,
    place: &Place,
) -> Page {
    let Asking { asked, format } = asking;
    let here = |cursor: Option<&str>| {
        asked.api_url(&format!("{}{}", app.settings.origins.reader, place.path), *format, cursor)
    };
    let reader_url = app.settings.origins.reader.as_str();
    let reading = Reading {
        url: &asked.url,
        reader_url,
        article: &answer.article,
        selection,
        query: asked.query.as_deref(),
        next_cursor,
        cache_hit: answer.cache_hit,
        responded_at: place.responded_at,
    };
    let body = match format {
        Format::Json => reading.json().to_string(),
        Format::Text => reading.text(),
        Format::Markdown => reading.markdown(),
        Format::Html => crate::web::reading_page(&reading, asked),
    };
    let mut headers = HeaderMap::new();
    put(&mut headers, header::CONTENT_TYPE, format.content_type());
    put(&mut headers, header::ETAG, &etag(&answer.article, asked, selection, *format));
    put(&mut headers, header::CONTENT_LOCATION, &here(asked.cursor.as_deref()));
    append(
        &mut headers,
        header::LINK,
        &format!("<{}>; rel=\"canonical\"", link_target(&answer.article.final_url)),
    );
    if let Some(cursor) = &reading.next_cursor {
        let next = here(Some(cursor));
        append(&mut headers, header::LINK, &format!("<{next}>; rel=\"next\""));
    }
    let tokens = answer.article.document.total_tokens.to_string();
    put(&mut headers, HeaderName::from_static("x-svc-total-tokens"), &tokens);
    Page { format: *format, body: body.into(), headers }
}

impl Page {
    /// The page as an answer: 304 when the caller has it already.
    pub(super) fn respond(self, if_none_match: Option<&str>) -> Response {
        let etag = self.headers.get(header::ETAG).and_then(|value| value.to_str().ok()).unwrap_or_default();
        let unchanged = if_none_match.is_some_and(|sent| matches(sent, etag));
        let mut response = if unchanged {
            StatusCode::NOT_MODIFIED.into_response()
        } else {
            Response::builder().body(Body::from(self.body))
        };
        for (name, value) in &self.headers {
            if !(unchanged && *name == header::CONTENT_TYPE) {
                response.headers_mut().append(name, value.clone());
            }
        }
        response
    }
}

/// Snapshot, selection and form: a change of any of them is another representation.
fn etag(article: &Article, asked: &Asked, selection: &Selection, format: Format) -> String {
    let mut hasher = Sha256::new();
    hasher.update(article.snapshot_id.as_bytes());
    hasher.update(asked.url.as_bytes());
    hasher.update(asked.query.as_deref().unwrap_or("\0").as_bytes());
    hasher.update(format.as_str().as_bytes());
    for pick in &selection.picks {
        hasher.update((pick.index as u64).to_be_bytes());
    }
    format!("\"{}\"", BASE64URL_NOPAD.encode(&hasher.finalize()[..18]))
}

/// A URL between angle brackets: what could end the brackets is percent-encoded.
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
