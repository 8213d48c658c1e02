//! Whose turn it is among accounts: of each kind and level an account has one turn after the other, however many jobs it
//! submits. What it asks for itself does not stand behind what the background does for it.
//!
//! The first job of an account that waits for nothing is due at once, the next one [`STEP`] later, and so on: whoever comes
//! meanwhile stands before what has its turn later. Nothing waits for its turn while workers are free; it is an order and no
//! pause. It is given when the job is written, by what the account has waiting then: no claim asks for more than before, and
//! queues keep one order, by level and time.

use std::collections::HashMap;

use entities::ids::AccountId;
use sea_orm::{ConnectionTrait, Value};

use super::statement_about_due;
use super::{JobKind, Priority};
use kernel::clock::{Millis, SECOND};
use kernel::error::Result;
use kernel::handle::Domain;

/// Between two turns of an account. Longer than a worker takes for a job, so that turns are not overtaken by time; short
/// enough that the ten-thousandth comes before those of the next day.
pub(super) const STEP: Millis = 10 * SECOND;
/// Accounts of one statement.
const ACCOUNTS: usize = 50;

/// In whose turns a job stands: those of an account, within a level of a kind.
pub(super) type Line = (JobKind, Priority, AccountId);

/// The turns that accounts have had given so far.
#[derive(Debug, Default)]
pub(super) struct Turns(HashMap<Line, Option<Millis>>);

impl Turns {
    /// Learns what waits in these lines. Nothing is asked where there are none.
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

    /// The turn of the next job in a line, if it is not now.
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
    fn the_next_job_of_an_account_has_its_turn_after_the_last_that_waits() {
        let (line, now) = ((JobKind::LibraryText, Priority::Normal, AccountId::from_u128(1)), 1_000_000);
        let mut turns = Turns::default();
        assert_eq!(turns.next(line, now), None, "of whom nothing is known");
        turns.0.insert(line, None);
        let next: Vec<_> = (0..3).map(|_| turns.next(line, now)).collect();
        assert_eq!(next, [None, Some(now + STEP), Some(now + 2 * STEP)]);
        turns.0.insert(line, Some(now - 100 * STEP));
        assert_eq!(turns.next(line, now), None, "it has waited for long");
    }
}
