//! Whose turn it is among accounts: of each kind an account has one turn after the other, however many jobs it submits.
//!
//! The first job of an account that waits for nothing is due at once, the next one [`STEP`] later, and so on: whoever comes
//! meanwhile stands before what has its turn later. Nothing waits for its turn while workers are free; it is an order and no
//! pause. It is given when the job is written, by what the account has waiting then: no claim asks for more than before, and
//! queues keep one order, by level and time.

use std::collections::HashMap;

use entities::ids::AccountId;
use sea_orm::{ConnectionTrait, Value};

use super::statement_about_due;
use super::{JobKind, NewJob};
use crate::clock::{Millis, SECOND};
use crate::error::Result;
use crate::handle::Domain;

/// Between two turns of an account. Longer than a worker takes for a job, so that turns are not overtaken by time; short
/// enough that the ten-thousandth comes before those of the next day.
pub(super) const STEP: Millis = 10 * SECOND;
/// Accounts of one statement.
const ACCOUNTS: usize = 50;

/// The turns that accounts have had given so far.
#[derive(Debug, Default)]
pub(super) struct Turns(HashMap<(JobKind, AccountId), Option<Millis>>);

impl Turns {
    /// Learns what the owners of these jobs have waiting. Nothing is asked where nobody owns one.
    pub(super) async fn load<'a>(
        connection: &impl ConnectionTrait,
        domain: &Domain,
        jobs: impl Iterator<Item = &'a NewJob>,
    ) -> Result<Self> {
        let mut turns = Self::default();
        for job in jobs {
            if let Some(owner) = job.owner_in_turn() {
                turns.0.insert((job.kind, owner), None);
            }
        }
        let owners: Vec<(JobKind, AccountId)> = turns.0.keys().copied().collect();
        for chunk in owners.chunks(ACCOUNTS) {
            let mut values: Vec<Value> = Vec::with_capacity(2 * chunk.len());
            let mut selects = Vec::with_capacity(chunk.len());
            for (place, (kind, owner)) in chunk.iter().enumerate() {
                selects.push(format!(
                    "SELECT {place} AS place, (SELECT job.run_at FROM job WHERE job.kind = ${} AND job.owner_id = ${} \
                     AND job.finished_at IS NULL AND job.state = 'ready' AND (job.in_turn OR job.run_at <= {{due}}) \
                     ORDER BY job.run_at DESC LIMIT 1) AS last",
                    values.len() + 1,
                    values.len() + 2
                ));
                values.extend([kind.as_str().into(), (*owner).into()]);
            }
            let query = statement_about_due(connection, domain, &selects.join(" UNION ALL "), values);
            for row in connection.query_all_raw(query).await? {
                let place: i32 = row.try_get("", "place")?;
                let owner = usize::try_from(place).ok().and_then(|place| chunk.get(place));
                if let Some(owner) = owner {
                    turns.0.insert(*owner, row.try_get("", "last")?);
                }
            }
        }
        Ok(turns)
    }

    /// The turn of the account's next job, if it is not now.
    pub(super) fn next(&mut self, job: &NewJob, now: Millis) -> Option<Millis> {
        let last = self.0.get_mut(&(job.kind, job.owner_in_turn()?))?;
        let turn = last.map_or(now, |last| last.max(now - STEP) + STEP);
        *last = Some(turn);
        (turn > now).then_some(turn)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_job_of_an_account_has_its_turn_after_the_last_that_waits() {
        let (owner, now) = (AccountId::from_u128(1), 1_000_000);
        let job = NewJob::new(JobKind::LibraryText, "a").owner(owner);
        let mut turns = Turns::default();
        assert_eq!(turns.next(&job, now), None, "of whom nothing is known");
        turns.0.insert((JobKind::LibraryText, owner), None);
        let next: Vec<_> = (0..3).map(|_| turns.next(&job, now)).collect();
        assert_eq!(next, [None, Some(now + STEP), Some(now + 2 * STEP)]);
        turns.0.insert((JobKind::LibraryText, owner), Some(now - 100 * STEP));
        assert_eq!(turns.next(&job, now), None, "it has waited for long");
        assert_eq!(turns.next(&job.clone().run_at(now + 5), now), None, "a job with a time of its own");
        assert_eq!(turns.next(&NewJob::new(JobKind::LibraryText, "b"), now), None, "nobody's");
    }
}
