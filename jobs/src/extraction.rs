//! Extraction: the text of a URL, asked for here and made by a worker.

use domain::Code;
use domain::JobId;
use domain::articles::extraction::{self, Reach};
use domain::articles::{self, Address, Answer, Freshness, Stored};
use domain::jobs::{JobKind, State};
use domain::{Error, Millis, Result};
use tokio::time::Instant;

use crate::engine::Engine;
use crate::handler::Handler;

/// What an extraction is doing for its caller's patience to end.
const RETRY_SECONDS: u32 = 5;

/// A text of `address` that satisfies `freshness`: the stored one, or the one that an extraction makes
/// until `deadline`. All callers, in all processes, who want the same URL wait for one extraction.
///
/// # Errors
/// The source's failure; `Unavailable` with `capacity_exhausted` when too many extractions wait, with
/// `read_timeout` when the deadline comes first (the extraction goes on), or with `service_unavailable`.
pub async fn obtain(
    engine: &Engine,
    address: &Address,
    freshness: Freshness,
    deadline: Instant,
) -> Result<Answer> {
    let asked_at = engine.domain().now();
    match articles::look_up(engine.domain(), address, freshness).await? {
        Stored::Fresh(article) => {
            metrics::counter!("carrel_cache_total", "outcome" => "hit").increment(1);
            return Ok(Answer { article, cache_hit: true });
        }
        Stored::Failed(failure) => {
            metrics::counter!("carrel_cache_total", "outcome" => "failure").increment(1);
            return Err(failure.into());
        }
        Stored::Stale(_) => metrics::counter!("carrel_cache_total", "outcome" => "miss").increment(1),
    }
    let Some(submitted) = articles::submit_if_needed(engine.domain(), address, freshness).await? else {
        return articles::answer_of(engine.domain(), &address.key, asked_at).await;
    };
    engine.push(&submitted).await?;
    await_end(engine, submitted.id, address, asked_at, deadline).await
}

/// Waits for the extraction `id` of `address` until `deadline`, and tells what it came to.
pub(crate) async fn await_end(
    engine: &Engine,
    id: JobId,
    address: &Address,
    asked_at: Millis,
    deadline: Instant,
) -> Result<Answer> {
    let patience = deadline.saturating_duration_since(Instant::now());
    let ended = engine.wait(id, patience).await?.ok_or_else(late)?;
    match ended.state {
        State::Complete => articles::answer_of(engine.domain(), &address.key, asked_at).await,
        State::Ready | State::Running => Err(late()),
        State::Failed | State::Dead => {
            Err(Error::new(Code::ServiceUnavailable, "The page could not be read for a reason of our own.")
                .retry_after(RETRY_SECONDS))
        }
    }
}

/// Fetches and reads one URL in a worker.
pub(crate) fn handler(reach: Reach) -> Handler {
    Handler::new(JobKind::Extraction, move |context, claimed| {
        let reach = reach.clone();
        async move { Ok(extraction::run(context.domain(), &reach, &claimed).await?) }
    })
}

fn late() -> Error {
    Error::new(
        Code::ReadTimeout,
        "The page was not ready in time. Its extraction goes on; ask again in a moment.",
    )
    .retry_after(RETRY_SECONDS)
}
