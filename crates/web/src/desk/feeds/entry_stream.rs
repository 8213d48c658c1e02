//! Stream of the number of new entries of an open list (server-sent events). It waits for the event log of
//! the process to grow, and then counts the entries of its list. A waiting stream holds no database
//! connection. It closes after ten minutes, so that the session is checked again when the browser reopens the
//! stream. If the stream is refused, or replaced by newer streams of the account, the script polls.

#![expect(clippy::unused_async, reason = "handlers are asynchronous, even if they await nothing")]

use std::io;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use feeds::EntryFilter;
use futures_util::stream;
use http_kit::app::App;
use http_kit::event_streams::EventStreamPermit;
use kernel::{AccountId, Code, EntryId, Error};
use poem::http::header;
use poem::{Body, Response, handler};
use serde_json::json;
use tokio::sync::watch;
use tokio::time::{Instant, sleep_until};

use super::new_entries::{MOST, selection};
use crate::page::request::{PageRequest, PageResult, User};

/// Minimum time between two counts of a stream. Meanwhile, events of other accounts may be added to the log.
const COUNT_INTERVAL: Duration = Duration::from_secs(15);
/// Number of counts that need no pause between them: at the start, after the first response about the log,
/// and after an arrival.
const FREE_COUNTS: u8 = 3;
/// Interval between the comments that keep the stream open; short enough for the idle timeouts of proxies.
const COMMENT_INTERVAL: Duration = Duration::from_secs(20);
/// Lifetime of a stream.
const LIFETIME: Duration = Duration::from_mins(10);
/// First event: the time after which browsers reopen the stream.
const FIRST: &[u8] = b"retry: 10000\n\n";
/// Last event of a stream that a newer stream of the account has replaced. The page then polls.
const REPLACED: &[u8] = b"event: replaced\ndata:\n\n";
/// Seconds after which a refused stream may be opened.
const RETRY_SECONDS: u32 = 60;

/// Opens a stream about the entries of a list that are newer than the entry `through`.
#[handler]
pub(in crate::desk) async fn open(request: PageRequest, user: User) -> PageResult {
    let (filter, through) = selection(&request)?;
    let account_id = user.account.id;
    let Some(permit) = request.app.event_streams.try_acquire(account_id) else {
        let message = "Too many lists wait for new entries. They are checked less often.";
        return Err(Error::new(Code::RateLimited, message).retry_after(RETRY_SECONDS).into());
    };
    let now = Instant::now();
    let entries = EntryStream {
        log: feeds::watch_log(&request.app.domain),
        app: request.app,
        account_id,
        filter,
        through,
        sent_count: 0,
        free_counts: FREE_COUNTS,
        is_begun: false,
        is_due: true,
        next_count: now,
        next_comment: now + COMMENT_INTERVAL,
        closes_at: now + LIFETIME,
        permit,
    };
    let events = stream::unfold(Some(entries), |entries| async move { entries?.next().await });
    Ok(Response::builder()
        .content_type("text/event-stream")
        .header(header::CACHE_CONTROL, "private, no-store, no-transform")
        .header("x-accel-buffering", "no")
        .body(Body::from_bytes_stream(events)))
}

struct EntryStream {
    log: watch::Receiver<i64>,
    app: Arc<App>,
    account_id: AccountId,
    filter: EntryFilter,
    through: EntryId,
    /// Number of the last event.
    sent_count: usize,
    /// Remaining number of counts without a pause after them.
    free_counts: u8,
    /// True if the first event was sent.
    is_begun: bool,
    /// True if the log has grown since the last count.
    is_due: bool,
    next_count: Instant,
    next_comment: Instant,
    closes_at: Instant,
    permit: EventStreamPermit,
}

/// Next event of a stream, and the stream to continue with.
type NextEntryEvent = Option<(io::Result<Bytes>, Option<EntryStream>)>;

impl EntryStream {
    /// Waits for the next event. `None` closes the stream.
    async fn next(mut self) -> NextEntryEvent {
        if !self.is_begun {
            self.is_begun = true;
            return Some((Ok(Bytes::from_static(FIRST)), Some(self)));
        }
        loop {
            let now = Instant::now();
            if now >= self.closes_at {
                return None;
            }
            if self.is_due && now >= self.next_count {
                match self.count().await {
                    Ok(Some(event)) => return Some((Ok(event), Some(self))),
                    Ok(None) => {}
                    Err(error) => {
                        tracing::debug!(error = error.report(), "stream of new entries closed");
                        return None;
                    }
                }
            }
            tokio::select! {
                changed = self.log.changed(), if !self.is_due => {
                    changed.ok()?;
                    self.is_due = true;
                }
                () = sleep_until(self.next_count), if self.is_due => {}
                () = sleep_until(self.next_comment) => {
                    self.next_comment = Instant::now() + COMMENT_INTERVAL;
                    return Some((Ok(Bytes::from_static(b": \n\n")), Some(self)));
                }
                () = self.permit.replaced() => return Some((Ok(Bytes::from_static(REPLACED)), None)),
                () = self.app.shutdown_begun() => return None,
            }
        }
    }

    /// Counts the new entries. `None` if their number has not grown.
    async fn count(&mut self) -> Result<Option<Bytes>, Error> {
        self.is_due = false;
        match self.free_counts.checked_sub(1) {
            Some(rest) => self.free_counts = rest,
            None => self.next_count = Instant::now() + COUNT_INTERVAL,
        }
        let domain = &self.app.domain;
        let count = feeds::count_newer(domain, self.account_id, &self.filter, self.through, MOST).await?;
        let has_grown = count > self.sent_count;
        self.sent_count = count;
        let event = || format!("data: {}\n\n", json!({ "count": count, "most": MOST })).into();
        Ok(has_grown.then(event))
    }
}
