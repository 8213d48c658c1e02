//! Fair share of workers among accounts: per kind and priority level, the jobs of an account are spread over time,
//! regardless of how many it submits. Interactive jobs of an account are not queued behind its background jobs.
//!
//! If an account has no waiting jobs, its first job is due now, the next one [`STEP`] later, and so on, so that jobs
//! that other accounts submit in the meantime go first. The delay only orders jobs: a delayed job starts early if
//! workers are free. It is computed at submission from the account's waiting jobs, so claims need no extra query and
//! queues stay ordered by level and time.

use std::collections::HashMap;

use entities::ids::AccountId;
use sea_orm::{ConnectionTrait, Value};

use super::kind::{JobKind, Priority};
use super::statement::statement_about_due;
use kernel::clock::SECOND;
use kernel::{Domain, Millis, Result};

/// Delay between two jobs of an account. It is longer than a worker needs for a job, so that the previous job
/// has started when the delay has passed, and short enough that the ten-thousandth job is delayed by only
/// about a day.
pub(super) const STEP: Millis = 10 * SECOND;
/// Maximum number of accounts per statement.
const ACCOUNTS: usize = 50;

/// Key of a fair share: kind, priority level, and account.
pub(super) type ShareKey = (JobKind, Priority, AccountId);

/// Due time of the last waiting job per account.
#[derive(Debug, Default)]
pub(super) struct FairShare(HashMap<ShareKey, Option<Millis>>);

impl FairShare {
    /// Loads the last due time of each key. Runs no query if there are no keys.
    pub(super) async fn load(
        connection: &impl ConnectionTrait,
        domain: &Domain,
        keys: impl Iterator<Item = ShareKey>,
    ) -> Result<Self> {
        let mut fair_share = Self(keys.map(|key| (key, None)).collect());
        let keys: Vec<ShareKey> = fair_share.0.keys().copied().collect();
        for chunk in keys.chunks(ACCOUNTS) {
            let mut values: Vec<Value> = Vec::with_capacity(3 * chunk.len());
            let mut selects = Vec::with_capacity(chunk.len());
            for (index, (kind, priority, owner)) in chunk.iter().enumerate() {
                selects.push(format!(
                    "SELECT {index} AS place, (SELECT job.run_at FROM job WHERE job.kind = ${} AND job.owner_id = ${} \
                     AND job.priority = ${} AND job.finished_at IS NULL AND job.state = 'ready' \
                     AND (job.in_turn OR job.run_at <= {{due}}) ORDER BY job.run_at DESC LIMIT 1) AS last",
                    values.len() + 1,
                    values.len() + 2,
                    values.len() + 3
                ));
                values.extend([kind.as_str().into(), (*owner).into(), priority.as_i16().into()]);
            }
            let query = statement_about_due(connection, domain, &selects.join(" UNION ALL "), values);
            for row in connection.query_all_raw(query).await? {
                let index: i32 = row.try_get("", "place")?;
                let key = usize::try_from(index).ok().and_then(|index| chunk.get(index));
                if let Some(key) = key {
                    fair_share.0.insert(*key, row.try_get("", "last")?);
                }
            }
        }
        Ok(fair_share)
    }

    /// Returns the due time of the key's next job, or `None` if the job is due now.
    pub(super) fn next(&mut self, key: ShareKey, now: Millis) -> Option<Millis> {
        let last = self.0.get_mut(&key)?;
        let due_at = next_due(*last, now);
        *last = Some(due_at);
        (due_at > now).then_some(due_at)
    }
}

/// Returns the due time of the job that follows the job due at `last`.
pub(super) fn next_due(last: Option<Millis>, now: Millis) -> Millis {
    last.map_or(now, |last| last.max(now - STEP) + STEP)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn next_job_is_delayed_after_the_last_waiting_job_of_its_account() {
        let (key, now) = ((JobKind::LibraryText, Priority::Normal, AccountId::from_u128(1)), 1_000_000);
        let mut fair_share = FairShare::default();
        assert_eq!(fair_share.next(key, now), None, "the account has no waiting jobs");
        fair_share.0.insert(key, None);
        let next: Vec<_> = (0..3).map(|_| fair_share.next(key, now)).collect();
        assert_eq!(next, [None, Some(now + STEP), Some(now + 2 * STEP)]);
        fair_share.0.insert(key, Some(now - 100 * STEP));
        assert_eq!(fair_share.next(key, now), None, "the last waiting job is long overdue");
    }
}
