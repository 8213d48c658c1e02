//! A poll whose workers were lost one after the other. It counts as a failure of its feed: the feed backs off, instead
//! of taking further workers down each time its claim runs out.

use super::due::Batch;
use super::outcome::{Outcome, PollFailure};
use super::poll::{self, PollContext};
use super::store;
use jobs::DeadJob;
use kernel::code::Code;
use kernel::error::Result;
use kernel::handle::Domain;

/// Writes down that the poll of `job` came to nothing.
///
/// # Errors
/// `Unavailable` and `Internal` when that cannot be written; the feed is due again then.
pub async fn give_up_poll(domain: &Domain, job: &DeadJob) -> Result<()> {
    let batch: Batch = job.arguments()?;
    if batch.feeds.len() > 1 {
        // Never split: what its workers were lost over is not known, and any of its feeds may be innocent.
        return Ok(());
    }
    let feeds = poll::still_claimed(domain, &batch).await?;
    let context = PollContext::of(domain, &feeds).await?;
    let failed = |feed| {
        metrics::counter!("carrel_feed_polls_total", "outcome" => "failed").increment(1);
        context.result(feed, Outcome::Failed(PollFailure::other(Code::UnsupportedContent)))
    };
    let results = feeds.into_iter().map(failed).collect();
    let transaction = domain.db().begin().await?;
    store::write(&transaction, domain, results).await?;
    transaction.commit().await?;
    Ok(())
}
