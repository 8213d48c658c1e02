//! Whose turn it is. Of what is due at one server one thing is asked for now; the others stand in the server's line, each
//! at a time of its own behind those that stood there before. A thing moves into the line once: when its time comes it
//! is its turn, however many came after it. So the many of one server cost that server alone.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use sea_orm::{ConnectionTrait, Value};

use kernel::clock::{Millis, SECOND};
use kernel::error::Result;
use kernel::statement::{execute, placeholders, statement};

/// Between two claims of one server: about the time of one answer and the quarter of a second that `fetch`
/// leaves behind it. Less would claim what only waits in line, more would keep a server's feeds from their
/// intervals.
pub(super) const HOST_GAP: Millis = SECOND / 2;
/// Whose turn was longer ago than this has lost it: nobody claimed for a while, and all whose turn came in that time
/// would ask at once.
const LATE: Millis = 5 * SECOND;

/// How something came to be due.
#[derive(Clone, Copy, Debug)]
pub enum Came {
    /// By its own time.
    Due,
    /// By its turn in the line of its server, which was at this time.
    InTurn(Millis),
    /// Its server wants to be left alone until then.
    Paused(Millis),
}

/// When something that is due is dealt with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Now.
    Now,
    /// By the next claim: this one is full.
    NextClaim,
    /// Its turn is at this time.
    InLine(Millis),
    /// It is due again at this time, when the pause of its server is over.
    AfterPause(Millis),
}

/// The lines of servers while one claim is made.
#[derive(Debug)]
pub struct Turns {
    now: Millis,
    /// How much this claim may still take.
    room: usize,
    /// When each server has its next free turn; of those that are not named it is now.
    next: HashMap<String, Millis>,
    /// The servers in whose lines somebody was placed.
    lines: BTreeSet<String>,
    /// How many were placed behind each pause.
    paused: BTreeMap<Millis, Millis>,
}

impl Turns {
    /// Turns of a claim that takes up to `room`.
    pub fn new(now: Millis, room: usize) -> Self {
        Self { now, room, next: HashMap::new(), lines: BTreeSet::new(), paused: BTreeMap::new() }
    }

    /// Learns how long the lines of these servers are.
    pub async fn load(
        &mut self,
        connection: &impl ConnectionTrait,
        hosts: impl IntoIterator<Item = &str>,
    ) -> Result<()> {
        let unknown = hosts.into_iter().filter(|host| !self.next.contains_key(*host));
        let unknown: BTreeSet<&str> = unknown.collect();
        if unknown.is_empty() {
            return Ok(());
        }
        let sql = format!(
            "SELECT host, next_at FROM host_turn WHERE next_at > $1 AND host IN ({})",
            placeholders(2, unknown.len())
        );
        let values = std::iter::once(Value::from(self.now)).chain(unknown.into_iter().map(Value::from));
        for row in connection.query_all_raw(statement(connection, &sql, values)).await? {
            self.next.insert(row.try_get_by_index(0)?, row.try_get_by_index(1)?);
        }
        Ok(())
    }

    /// The place of the next thing that is due at `host`.
    pub fn place(&mut self, host: &str, came: Came) -> Place {
        match came {
            Came::Paused(until) => {
                let before = self.paused.entry(until).or_insert(0);
                *before += 1;
                Place::AfterPause(until + (*before - 1) * HOST_GAP)
            }
            // Its turn is booked already.
            Came::InTurn(at) if self.now - at <= LATE => self.take(),
            Came::Due | Came::InTurn(_) => match self.next.get_mut(host) {
                Some(next) if *next > self.now => {
                    let turn = *next;
                    *next += HOST_GAP;
                    self.lines.insert(host.to_owned());
                    Place::InLine(turn)
                }
                _ => {
                    let place = self.take();
                    if place == Place::Now {
                        self.next.insert(host.to_owned(), self.now + HOST_GAP);
                    }
                    place
                }
            },
        }
    }

    /// Whether this claim takes nothing more.
    pub fn are_taken(&self) -> bool {
        self.room == 0
    }

    fn take(&mut self) -> Place {
        if self.are_taken() {
            return Place::NextClaim;
        }
        self.room -= 1;
        Place::Now
    }

    /// Writes down how long the lines are now. A server that nobody waits for has none.
    pub async fn save(&self, connection: &impl ConnectionTrait) -> Result<()> {
        if self.lines.is_empty() {
            return Ok(());
        }
        let rows: Vec<String> =
            (0..self.lines.len()).map(|at| format!("(${}, ${})", 2 * at + 1, 2 * at + 2)).collect();
        let sql = format!(
            "INSERT INTO host_turn (host, next_at) VALUES {} ON CONFLICT (host) DO UPDATE SET next_at = \
             CASE WHEN excluded.next_at > host_turn.next_at THEN excluded.next_at ELSE host_turn.next_at END",
            rows.join(", ")
        );
        // In the order of their names: two claims at once do not wait for each other's rows.
        let ends = self.lines.iter().map(|host| (host, self.next.get(host).copied().unwrap_or(self.now)));
        let values: Vec<Value> = ends.flat_map(|(host, next)| [host.as_str().into(), next.into()]).collect();
        execute(connection, &sql, values).await?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Millis = 1_795_176_000_000;

    #[test]
    fn one_thing_of_a_server_has_its_turn_and_the_others_stand_in_its_line() {
        let mut turns = Turns::new(NOW, 50);
        assert_eq!(turns.place("a", Came::Due), Place::Now);
        assert_eq!(turns.place("a", Came::Due), Place::InLine(NOW + HOST_GAP));
        assert_eq!(turns.place("b", Came::Due), Place::Now);
        assert_eq!(turns.place("a", Came::Due), Place::InLine(NOW + 2 * HOST_GAP));
        for at in 0..2 {
            let until = NOW + 60 * SECOND;
            assert_eq!(turns.place("c", Came::Paused(until)), Place::AfterPause(until + at * HOST_GAP));
        }
        assert_eq!(turns.lines.iter().collect::<Vec<_>>(), ["a"], "the others have no line");
    }

    #[test]
    fn a_turn_is_kept_behind_a_long_line_and_lost_when_it_was_missed() {
        let mut turns = Turns::new(NOW, 50);
        turns.next.insert("a".to_owned(), NOW + 600 * SECOND);
        assert_eq!(turns.place("a", Came::InTurn(NOW)), Place::Now);
        assert_eq!(turns.place("a", Came::InTurn(NOW - HOST_GAP)), Place::Now);
        assert_eq!(turns.place("a", Came::InTurn(NOW - LATE - 1)), Place::InLine(NOW + 600 * SECOND));
        assert_eq!(turns.place("a", Came::Due), Place::InLine(NOW + 600 * SECOND + HOST_GAP));
    }

    #[test]
    fn a_full_claim_leaves_the_next_servers_to_the_next_and_still_puts_into_lines() {
        let mut turns = Turns::new(NOW, 1);
        assert_eq!(turns.place("a", Came::Due), Place::Now);
        assert!(turns.are_taken());
        assert_eq!(turns.place("b", Came::Due), Place::NextClaim);
        assert_eq!(turns.place("a", Came::Due), Place::InLine(NOW + HOST_GAP));
        assert_eq!(turns.place("b", Came::Due), Place::NextClaim);
    }
}
