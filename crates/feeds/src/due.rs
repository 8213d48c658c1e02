//! Claims due feeds in batches. Each batch is one job. A claim postpones the next poll of a feed by a lease,
//! so a lost job delays its feeds but never loses them.

use async_recursion::async_recursion as boxed;
use serde::{Deserialize, Serialize};

use super::full_text;
use entities::ids::FeedId;
use jobs::due::{self, DueTable, RoundLimits};
use jobs::{JobKind, NewJob, Submitted};
use kernel::clock::MINUTE;
use kernel::{Domain, Millis, Result};

/// Table of due feeds. Internal feeds are never due.
pub(super) const FEEDS: DueTable =
    DueTable { name: "feed", url: "url", column: "next_poll_at", batch: 50, lease: 15 * MINUTE };
/// Limits of one scheduler round. Each batch is one job.
const ROUND: RoundLimits =
    RoundLimits { kind: JobKind::FeedPoll, max_waiting_jobs: 80, jobs_per_batch: 1, batches: 40 };

/// Arguments of a poll job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct PollBatch {
    /// Time until which the feeds are claimed. Also identifies the claim.
    pub(super) until: Millis,
    pub(super) feeds: Vec<FeedId>,
}

/// Result of one claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PollClaim {
    /// Job for the claimed feeds. `None` if no feed was claimed.
    pub job: Option<Submitted>,
    /// True if the claim reached its row limit, so that more feeds may be due.
    pub is_full: bool,
}

/// Claims due feeds batch by batch and submits one job per batch. A batch has at most one feed per host;
/// other feeds of the same host wait in the queue of that host. Also submits the articles that followers
/// requested.
#[boxed]
pub async fn claim_due(domain: &Domain) -> Result<Vec<Submitted>> {
    let mut submitted = claim_polls(domain).await?;
    submitted.extend(full_text::claim_texts(domain).await?);
    Ok(submitted)
}

/// Claims due feeds batch by batch and submits one job per batch.
#[boxed]
pub async fn claim_polls(domain: &Domain) -> Result<Vec<Submitted>> {
    due::claim_batches(domain, ROUND, async |domain| {
        let claim = claim_batch(domain).await?;
        Ok((claim.job.into_iter().collect(), claim.is_full))
    })
    .await
}

/// Claims one batch of at most 50 feeds in one transaction.
#[boxed]
pub async fn claim_batch(domain: &Domain) -> Result<PollClaim> {
    let transaction = domain.db().begin().await?;
    let claimed = due::claim(&transaction, &FEEDS, due::current_time(&transaction, domain).await?).await?;
    let (until, is_full) = (claimed.until, claimed.is_full);
    let feeds: Vec<FeedId> = claimed.rows.into_iter().map(|feed| feed.id).collect();
    let job = match feeds.first() {
        None => None,
        Some(first) => {
            let job = NewJob::new(JobKind::FeedPoll, format!("{first}-{until}"));
            let job = job.payload(&PollBatch { until, feeds })?;
            Some(jobs::submit(&transaction, domain, job).await?)
        }
    };
    transaction.commit().await?;
    Ok(PollClaim { job, is_full })
}

/// Splits a batch whose first attempt did not complete into one job per feed. Returns `None` if the batch has
/// only one feed.
///
/// # Errors
/// `Unavailable` or `Internal` if the jobs cannot be written.
#[boxed]
pub async fn split_batch(domain: &Domain, claimed: &jobs::Claimed) -> Result<Option<Vec<Submitted>>> {
    let batch: PollBatch = claimed.arguments()?;
    if batch.feeds.len() < 2 {
        return Ok(None);
    }
    let transaction = domain.db().begin().await?;
    // Complete the batch first, because the job of its first feed has the same key.
    jobs::complete_in(&transaction, domain, claimed).await?;
    let mut single = Vec::with_capacity(batch.feeds.len());
    for feed in batch.feeds {
        let job = NewJob::new(JobKind::FeedPoll, format!("{feed}-{}", batch.until));
        let job = job.payload(&PollBatch { until: batch.until, feeds: vec![feed] })?;
        single.push(jobs::submit(&transaction, domain, job).await?);
    }
    transaction.commit().await?;
    Ok(Some(single))
}

#[cfg(test)]
mod tests;
