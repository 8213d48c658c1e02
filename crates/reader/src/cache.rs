//! Cache of rendered responses: the complete text of a snapshot in one format, requested under one URL.
//!
//! Snapshots are immutable, so responses to equal requests differ only in their time, which is at a known
//! position and has a fixed length. If the cache is lost, responses are only slower.

use articles::ServedArticle;
use kernel::{SnapshotId, rfc3339};
use moka::sync::Cache;

use super::negotiate::ResponseFormat;
use super::page::{ReadQuery, RenderedPage};

/// Memory limit of the cache per process, in bytes.
const CACHE_BYTES: u64 = 16 << 20;
/// Maximum size of a cached response, in bytes. Rendering is only a small part of the cost of a larger response.
const MAX_BODY_BYTES: usize = 256 << 10;
/// Text before the time in the JSON format. It cannot occur inside a JSON string, because quotes are escaped
/// there.
const BEFORE_TIME: &str = "\"responded_at\":\"";

pub(super) struct ResponseCache {
    pages: Cache<ResponseKey, CachedPage>,
}

/// Everything that a response depends on, except its time.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct ResponseKey {
    snapshot_id: SnapshotId,
    fetched_at: i64,
    url: String,
    format: ResponseFormat,
    cache_hit: bool,
}

#[derive(Clone)]
struct CachedPage {
    page: RenderedPage,
    /// Offset of the time in the body; `None` if the format contains no time.
    time_at: Option<usize>,
}

impl Default for ResponseCache {
    fn default() -> Self {
        let weigh = |key: &ResponseKey, cached: &CachedPage| {
            u32::try_from(cached.page.body.len() + key.url.len() + 2048).unwrap_or(u32::MAX)
        };
        Self { pages: Cache::builder().weigher(weigh).max_capacity(CACHE_BYTES).build() }
    }
}

impl ResponseKey {
    /// Returns the key of a response with the complete text. `None` for parts of a text and for the reading
    /// page.
    pub(super) fn of(query: &ReadQuery, answer: &ServedArticle) -> Option<Self> {
        let ReadQuery { request, format } = query;
        let whole = request.query.is_none()
            && request.lines.is_none()
            && request.limit.is_none()
            && request.cursor.is_none()
            && request.max_tokens.is_none()
            && request.passages.is_none()
            && request.job_id.is_none();
        (whole && *format != ResponseFormat::Html).then(|| Self {
            snapshot_id: answer.article.snapshot_id,
            fetched_at: answer.article.fetched_at,
            url: request.url.clone(),
            format: *format,
            cache_hit: answer.cache_hit,
        })
    }
}

impl ResponseCache {
    /// Returns the cached response, with its time set to `now` (in milliseconds).
    pub(super) fn page(&self, key: &ResponseKey, now: i64) -> Option<RenderedPage> {
        let CachedPage { mut page, time_at } = self.pages.get(key)?;
        if let Some(at) = time_at {
            let time = rfc3339(now);
            let mut body = page.body.to_vec();
            let time_bytes = body.get_mut(at..at + time.len())?;
            time_bytes.copy_from_slice(time.as_bytes());
            page.body = body.into();
        }
        Some(page)
    }

    /// Caches a response that was rendered at `now`, if its time can be replaced later.
    pub(super) fn put(&self, key: ResponseKey, page: &RenderedPage, now: i64) {
        if page.body.len() > MAX_BODY_BYTES {
            return;
        }
        let time_at = match key.format {
            ResponseFormat::Json => {
                let Some(at) = time_in(&page.body, now) else { return };
                Some(at)
            }
            ResponseFormat::Text | ResponseFormat::Markdown | ResponseFormat::Html => None,
        };
        self.pages.insert(key, CachedPage { page: page.clone(), time_at });
    }
}

/// Returns the offset of the time `now` in a JSON response. `None` if it cannot be replaced.
fn time_in(body: &[u8], now: i64) -> Option<usize> {
    let body = std::str::from_utf8(body).ok()?;
    let at = body.find(BEFORE_TIME)? + BEFORE_TIME.len();
    let time = rfc3339(now);
    // From the year 10000 on, times are longer; such responses are not cached.
    (time.len() == 24 && body[at..].starts_with(&time)).then_some(at)
}

#[cfg(test)]
mod tests;
