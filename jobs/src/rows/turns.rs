//! Fair share of workers among accounts: per kind and priority level, the jobs of an account are spread over
//! time, however many it submits. Interactive jobs of an account are not queued behind its background jobs.
//!
//! The first job of an account with nothing waiting is due at once, the next one [`STEP`] later, and so on,
//! so that jobs of other accounts submitted meanwhile go first. The delay only orders jobs: a delayed job
//! starts early if workers are free. It is computed at submission from the account's waiting jobs, so claims
//! need no extra query and queues stay ordered by level and time.

use std::collections::HashMap;

use entities::ids::AccountId;
use sea_orm::{ConnectionTrait, Value};

use super::statement_about_due;
use super::{JobKind, Priority};
use kernel::clock::{Millis, SECOND};
use kernel::error::Result;
use kernel::handle::Domain;

/// Delay between two jobs of an account. Longer than a worker takes for a job, so that delays do not expire
/// before their jobs start; short enough that the ten-thousandth job is due before the next day's.
pub(super) const STEP: Millis = 10 * SECOND;
/// Maximum accounts per statement.
const ACCOUNTS: usize = 50;

/// Key of a fair share: kind, priority level, and account.
pub(super) type Line = (JobKind, Priority, AccountId);

/// Due time of the last waiting job per account.
#[derive(Debug, Default)]
pub(super) struct Turns(HashMap<Line, Option<Millis>>);

impl Turns {
    /// Loads the last due time of each key. Runs no query if there are no keys.
    pub(super) async fn load(
        connection: &impl ConnectionTrait,
        domain: &Domain,
        lines: impl Iterator<Item = Line>,
    ) -> Result<Self> {
        let mut turns = Self(lines.map(|line| (line, None)).collect());
        let lines: Vec<Line> = turns.0.keys().copied().collect();
        for chunk in lines.chunks(ACCOUNTS) {
            let mut values: Vec<Value> = Vec::with_capacity(3 * chunk.len());
            let mut selects = Vec::with_capacity(chunk.len());
            for (place, (kind, priority, owner)) in chunk.iter().enumerate() {
                selects.push(format!(
                    "SELECT {place} AS place, (SELECT job.run_at FROM job WHERE job.kind = ${} AND job.owner_id = ${} \
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
                let place: i32 = row.try_get("", "place")?;
                let line = usize::try_from(place).ok().and_then(|place| chunk.get(place));
                if let Some(line) = line {
                    turns.0.insert(*line, row.try_get("", "last")?);
                }
            }
        }
        Ok(turns)
    }

    /// Due time of the next job of a key, or `None` if it is due now.
    pub(super) fn next(&mut self, line: Line, now: Millis) -> Option<Millis> {
        let last = self.0.get_mut(&line)?;
        let turn = last.map_or(now, |last| last.max(now - STEP) + STEP);
        *last = Some(turn);
        (turn > now).then_some(turn)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn next_job_is_delayed_after_the_last_waiting_job_of_its_account() {
        let (line, now) = ((JobKind::LibraryText, Priority::Normal, AccountId::from_u128(1)), 1_000_000);
        let mut turns = Turns::default();
        assert_eq!(turns.next(line, now), None, "the account has no waiting jobs");
        turns.0.insert(line, None);
        let next: Vec<_> = (0..3).map(|_| turns.next(line, now)).collect();
        assert_eq!(next, [None, Some(now + STEP), Some(now + 2 * STEP)]);
        turns.0.insert(line, Some(now - 100 * STEP));
        assert_eq!(turns.next(line, now), None, "the last job has waited for long");
    }
}
