//! Answers that were dressed before: the whole text of a snapshot in one form, asked for under one URL.
//!
//! A snapshot never changes, so such an answer differs from the one before it by its time alone, which stands at a
//! known place and is always as long. Losing what is kept costs time only.

use domain::articles::Answer;
use domain::rfc3339;
use moka::sync::Cache;
use uuid::Uuid;

use super::answer::{Asking, Page};
use super::negotiate::Format;

/// Memory for kept answers in one process, in bytes.
const KEPT_BYTES: u64 = 32 << 20;
/// Longer answers are not kept: dressing them is not what makes them dear.
const LONGEST: usize = 1 << 20;
/// What stands before the time in the JSON form. Within a JSON string its quotes would be escaped.
const BEFORE_TIME: &str = "\"responded_at\":\"";

/// Answers by what they depend on.
pub struct Kept {
    pages: Cache<Key, KeptPage>,
}

/// What an answer depends on beside its time.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Key {
    snapshot_id: Uuid,
    url: String,
    format: Format,
    cache_hit: bool,
}

#[derive(Clone)]
struct KeptPage {
    page: Page,
    /// Where the time stands in the body, when it stands there at all.
    time_at: Option<usize>,
}

impl Default for Kept {
    fn default() -> Self {
        let weigh = |key: &Key, kept: &KeptPage| {
            u32::try_from(kept.page.body.len() + key.url.len() + 2048).unwrap_or(u32::MAX)
        };
        Self { pages: Cache::builder().weigher(weigh).max_capacity(KEPT_BYTES).build() }
    }
}

impl Key {
    /// The key of an answer with the whole text; nothing for parts of a text, and for the reading page.
    pub(super) fn of(asking: &Asking, answer: &Answer) -> Option<Self> {
        let Asking { asked, format } = asking;
        let whole = asked.query.is_none()
            && asked.lines.is_none()
            && asked.limit.is_none()
            && asked.cursor.is_none()
            && asked.max_tokens.is_none()
            && asked.passages.is_none()
            && asked.job_id.is_none();
        (whole && *format != Format::Html).then(|| Self {
            snapshot_id: answer.article.snapshot_id,
            url: asked.url.clone(),
            format: *format,
            cache_hit: answer.cache_hit,
        })
    }
}

impl Kept {
    /// The answer as it would be dressed at `now`, in milliseconds.
    pub(super) fn page(&self, key: &Key, now: i64) -> Option<Page> {
        let KeptPage { mut page, time_at } = self.pages.get(key)?;
        if let Some(at) = time_at {
            let time = rfc3339(now);
            let mut body = page.body.to_vec();
            let place = body.get_mut(at..at + time.len())?;
            place.copy_from_slice(time.as_bytes());
            page.body = body.into();
        }
        Some(page)
    }

    /// Keeps an answer that was dressed at `now`, if it can be told again.
    pub(super) fn keep(&self, key: Key, page: &Page, now: i64) {
        if page.body.len() > LONGEST {
            return;
        }
        let time_at = match key.format {
            Format::Json => {
                let Some(at) = time_in(&page.body, now) else { return };
                Some(at)
            }
            Format::Text | Format::Markdown | Format::Html => None,
        };
        self.pages.insert(key, KeptPage { page: page.clone(), time_at });
    }
}

/// Where the time `now` stands in a JSON answer.
fn time_in(body: &[u8], now: i64) -> Option<usize> {
    let body = std::str::from_utf8(body).ok()?;
    let at = body.find(BEFORE_TIME)? + BEFORE_TIME.len();
    let time = rfc3339(now);
    // Far in the future a time is longer: then nothing is kept.
    (time.len() == 24 && body[at..].starts_with(&time)).then_some(at)
}

#[cfg(test)]
mod tests;
