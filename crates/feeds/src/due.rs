//! What is due: feeds are claimed in batches, each batch one job. The claim moves a feed's next time
//! ahead by a lease, so that a job that is lost delays its feeds and loses none.

use serde::{Deserialize, Serialize};

use super::full_text;
use entities::ids::FeedId;
use jobs::due::{self, DueTable, RoundLimits};
use jobs::{JobKind, NewJob, Submitted};
use kernel::clock::{MINUTE, Millis};
use kernel::error::Result;
use kernel::handle::Domain;

/// Feeds that are due; those that are written and not polled never are.
pub(super) const FEEDS: DueTable =
    DueTable { name: "feed", url: "url", column: "next_poll_at", batch: 50, lease: 15 * MINUTE };
/// Each batch is one job.
const ROUND: RoundLimits =
    RoundLimits { kind: JobKind::FeedPoll, waiting_jobs: 80, jobs_a_batch: 1, batches: 40 };

/// What a poll job is about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Batch {
    /// The time until which these feeds are claimed: it says which claim this is.
    pub(super) until: Millis,
    /// Feeds.
    pub(super) feeds: Vec<FeedId>,
}

/// What one claim took.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// The job of the feeds that are to be polled now; none when there are no such feeds.
    pub job: Option<Submitted>,
    /// As many were due as one batch holds: there may be more.
    pub is_full: bool,
}

/// Claims what is due, batch after batch, and writes a job for each. At most one feed of a server is in
/// a batch; the others of that server wait their turn. Articles that followers want are asked for beside.
pub async fn claim_due(domain: &Domain) -> Result<Vec<Submitted>> {
    let mut submitted = claim_polls(domain).await?;
    submitted.extend(full_text::claim_texts(domain).await?);
    Ok(submitted)
}

/// Claims feeds that are due, batch after batch, and writes a job for each.
pub async fn claim_polls(domain: &Domain) -> Result<Vec<Submitted>> {
    due::claim_batches(domain, ROUND, async |domain| {
        let claim = claim_batch(domain).await?;
        Ok((claim.job.into_iter().collect(), claim.is_full))
    })
    .await
}

/// Claims one batch of at most fifty feeds, in one transaction.
pub async fn claim_batch(domain: &Domain) -> Result<Claim> {
    let transaction = domain.db().begin().await?;
    let claimed = due::claim(&transaction, &FEEDS, due::present(&transaction, domain).await?).await?;
    let (until, is_full) = (claimed.until, claimed.is_full);
    let feeds: Vec<FeedId> = claimed.rows.into_iter().map(|feed| feed.id).collect();
    let job = match feeds.first() {
        None => None,
        Some(first) => {
            let job = NewJob::new(JobKind::FeedPoll, format!("{first}-{until}"));
            let job = job.payload(&Batch { until, feeds })?;
            Some(jobs::submit(&transaction, domain, job).await?)
        }
    };
    transaction.commit().await?;
    Ok(Claim { job, is_full })
}

/// Makes a batch that did not end at its first start into a job for each of its feeds; `None` when it holds
/// one feed only.
///
/// # Errors
/// `Unavailable` and `Internal` when the jobs could not be written.
pub async fn split_batch(domain: &Domain, claimed: &jobs::Claimed) -> Result<Option<Vec<Submitted>>> {
    let batch: Batch = claimed.arguments()?;
    if batch.feeds.len() < 2 {
        return Ok(None);
    }
    let transaction = domain.db().begin().await?;
    // First, for the first feed's job has the batch's key.
    jobs::complete_in(&transaction, domain, claimed).await?;
    let mut single = Vec::with_capacity(batch.feeds.len());
    for feed in batch.feeds {
        let job = NewJob::new(JobKind::FeedPoll, format!("{feed}-{}", batch.until));
        let job = job.payload(&Batch { until: batch.until, feeds: vec![feed] })?;
        single.push(jobs::submit(&transaction, domain, job).await?);
    }
    transaction.commit().await?;
    Ok(Some(single))
}

#[cfg(test)]
mod tests;
