//! Dead letters of polls: poll jobs that repeatedly crashed their worker. Such a poll counts as a failure of
//! its feed, so that the feed backs off instead of crashing another worker whenever its claim expires.

use super::due::PollBatch;
use super::outcome::{PollFailure, PollOutcome};
use super::poll::{self, PollContext};
use super::store;
use async_recursion::async_recursion as boxed;
use jobs::DeadJob;
use kernel::{Code, Domain, Result};

/// Records the dead poll job `job` as a failure of its feed.
///
/// # Errors
/// `Unavailable` or `Internal` if the failure cannot be written. The feed is then due again.
#[boxed]
pub async fn give_up_poll(domain: &Domain, job: &DeadJob) -> Result<()> {
    let batch: PollBatch = job.arguments()?;
    if batch.feeds.len() > 1 {
        // The batch was never split, so the feed that crashed the workers is unknown.
        return Ok(());
    }
    let feeds = poll::still_claimed(domain, &batch).await?;
    let context = PollContext::of(domain, &feeds).await?;
    let failed = |feed| {
        metrics::counter!("carrel_feed_polls_total", "outcome" => "failed").increment(1);
        context.result(feed, PollOutcome::Failed(PollFailure::other(Code::UnsupportedContent)))
    };
    let results = feeds.into_iter().map(failed).collect();
    let transaction = domain.db().begin().await?;
    store::write(&transaction, domain, results).await?;
    transaction.commit().await?;
    Ok(())
}
