//! Dead letters of polls: jobs that repeatedly killed their worker. The poll counts as a failure of its feed,
//! so that the feed backs off instead of taking down further workers each time its claim expires.

use super::due::PollBatch;
use super::outcome::{PollFailure, PollOutcome};
use super::poll::{self, PollContext};
use super::store;
use async_recursion::async_recursion as boxed;
use jobs::DeadJob;
use kernel::{Code, Domain, Result};

/// Records the dead poll `job` as a failure of its feed.
///
/// # Errors
/// `Unavailable` and `Internal` if the failure cannot be written. The feed is then due again.
#[boxed]
pub async fn give_up_poll(domain: &Domain, job: &DeadJob) -> Result<()> {
    let batch: PollBatch = job.arguments()?;
    if batch.feeds.len() > 1 {
        // The batch was never split, so it is unknown which of its feeds took the workers down.
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
