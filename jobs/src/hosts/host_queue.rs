//! Host queues. One due row of a host is fetched now, and every other due row gets its own time in the host's
//! queue, after all rows that are already queued. A row is never queued twice: when its time comes it is
//! admitted, even if more rows were queued after it. Therefore, many due rows of one host delay only that
//! host.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use sea_orm::{ConnectionTrait, Value};

use kernel::clock::{DAY, SECOND};
use kernel::statement::{execute, placeholders, rows_of, statement};
use kernel::{Millis, Result};

/// Time between two claims of one host: about the duration of one response plus the quarter of a second that
/// `fetch` waits after it. With a shorter gap, claimed rows would wait in `fetch`. With a longer gap, the
/// feeds of a large host could not be polled at their intervals.
pub(super) const HOST_GAP: Millis = SECOND / 2;
/// Maximum delay of a queued row. After a longer delay, the row is queued again. If no claim ran for a while,
/// all rows queued for that period would otherwise be fetched at the same time.
const MAX_DELAY: Millis = 5 * SECOND;

/// Maximum length of a queue. A longer queue was saved while the clock was wrong, and is replaced.
pub(super) const MAX_QUEUE: Millis = DAY;

/// Reason why a row is due.
#[derive(Clone, Copy, Debug)]
pub enum DueReason {
    /// The row's own schedule.
    Due,
    /// The row's time in the queue of its host.
    FromQueue(Millis),
    /// The host is paused until this time.
    Paused(Millis),
}

/// Decision about a due row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QueueDecision {
    /// Claimed now.
    Now,
    /// Left for the next claim, because this claim is full.
    NextClaim,
    /// Queued for this time.
    Queued(Millis),
    /// Due again at this time, after the pause of its host.
    AfterPause(Millis),
}

/// State of the host queues during one claim.
#[derive(Debug)]
pub struct HostQueue {
    now: Millis,
    /// Number of rows that this claim can still admit.
    capacity: usize,
    /// Next free time of each host. Hosts without an entry are free now.
    next_free: HashMap<String, Millis>,
    /// Hosts whose queue grew during this claim.
    grown: BTreeSet<String>,
    /// Number of rows rescheduled after each pause, by the end of the pause.
    paused: BTreeMap<Millis, Millis>,
}

impl HostQueue {
    /// Creates the queues for a claim of at most `capacity` rows.
    pub fn new(now: Millis, capacity: usize) -> Self {
        Self { now, capacity, next_free: HashMap::new(), grown: BTreeSet::new(), paused: BTreeMap::new() }
    }

    /// Loads the queues of these hosts.
    pub async fn load(
        &mut self,
        connection: &impl ConnectionTrait,
        hosts: impl IntoIterator<Item = &str>,
    ) -> Result<()> {
        let new_hosts = hosts.into_iter().filter(|host| !self.next_free.contains_key(*host));
        let new_hosts: BTreeSet<&str> = new_hosts.collect();
        if new_hosts.is_empty() {
            return Ok(());
        }
        let sql = format!(
            "SELECT host, next_at FROM host_turn WHERE next_at > $1 AND next_at <= $2 AND host IN ({})",
            placeholders(3, new_hosts.len())
        );
        let bounds = [self.now, self.now + MAX_QUEUE].map(Value::from);
        let values = bounds.into_iter().chain(new_hosts.into_iter().map(Value::from));
        for row in connection.query_all_raw(statement(connection, &sql, values)).await? {
            self.next_free.insert(row.try_get_by_index(0)?, row.try_get_by_index(1)?);
        }
        Ok(())
    }

    /// Decides when the next due row of `host` is fetched.
    pub fn decide(&mut self, host: &str, reason: DueReason) -> QueueDecision {
        match reason {
            DueReason::Paused(until) => {
                let before = self.paused.entry(until).or_insert(0);
                *before += 1;
                QueueDecision::AfterPause(until + (*before - 1) * HOST_GAP)
            }
            // The row already has its time in the queue.
            DueReason::FromQueue(at) if self.now - at <= MAX_DELAY => self.admit(),
            DueReason::Due | DueReason::FromQueue(_) => match self.next_free.get_mut(host) {
                Some(next_free) if *next_free > self.now => {
                    let queue_time = *next_free;
                    *next_free += HOST_GAP;
                    self.grown.insert(host.to_owned());
                    QueueDecision::Queued(queue_time)
                }
                _ => {
                    let decision = self.admit();
                    if decision == QueueDecision::Now {
                        self.next_free.insert(host.to_owned(), self.now + HOST_GAP);
                    }
                    decision
                }
            },
        }
    }

    /// True if this claim can admit no more rows.
    pub fn is_full(&self) -> bool {
        self.capacity == 0
    }

    fn admit(&mut self) -> QueueDecision {
        if self.is_full() {
            return QueueDecision::NextClaim;
        }
        self.capacity -= 1;
        QueueDecision::Now
    }

    /// Saves the queues that grew. A host whose queue is empty has no row.
    pub async fn save(&self, connection: &impl ConnectionTrait) -> Result<()> {
        if self.grown.is_empty() {
            return Ok(());
        }
        let sql = format!(
            "INSERT INTO host_turn (host, next_at) VALUES {} ON CONFLICT (host) DO UPDATE SET next_at = \
             CASE WHEN excluded.next_at > host_turn.next_at OR host_turn.next_at > $1 \
             THEN excluded.next_at ELSE host_turn.next_at END",
            rows_of(2, self.grown.len(), 2)
        );
        // Saved in host order, so that two concurrent claims do not deadlock.
        let next_times =
            self.grown.iter().map(|host| (host, self.next_free.get(host).copied().unwrap_or(self.now)));
        let mut values: Vec<Value> = vec![(self.now + MAX_QUEUE).into()];
        values.extend(
            next_times
                .flat_map(|(host, next_free)| -> [Value; 2] { [host.as_str().into(), next_free.into()] }),
        );
        execute(connection, &sql, values).await?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Millis = 1_795_176_000_000;

    #[test]
    fn one_row_of_a_host_is_claimed_and_the_others_are_queued() {
        let mut queue = HostQueue::new(NOW, 50);
        assert_eq!(queue.decide("a", DueReason::Due), QueueDecision::Now);
        assert_eq!(queue.decide("a", DueReason::Due), QueueDecision::Queued(NOW + HOST_GAP));
        assert_eq!(queue.decide("b", DueReason::Due), QueueDecision::Now);
        assert_eq!(queue.decide("a", DueReason::Due), QueueDecision::Queued(NOW + 2 * HOST_GAP));
        for at in 0..2 {
            let until = NOW + 60 * SECOND;
            assert_eq!(
                queue.decide("c", DueReason::Paused(until)),
                QueueDecision::AfterPause(until + at * HOST_GAP)
            );
        }
        assert_eq!(queue.grown.iter().collect::<Vec<_>>(), ["a"], "other hosts have no queue");
    }

    #[test]
    fn queued_row_is_admitted_at_its_time_and_requeued_after_a_long_delay() {
        let mut queue = HostQueue::new(NOW, 50);
        queue.next_free.insert("a".to_owned(), NOW + 600 * SECOND);
        assert_eq!(queue.decide("a", DueReason::FromQueue(NOW)), QueueDecision::Now);
        assert_eq!(queue.decide("a", DueReason::FromQueue(NOW - HOST_GAP)), QueueDecision::Now);
        assert_eq!(
            queue.decide("a", DueReason::FromQueue(NOW - MAX_DELAY - 1)),
            QueueDecision::Queued(NOW + 600 * SECOND)
        );
        assert_eq!(queue.decide("a", DueReason::Due), QueueDecision::Queued(NOW + 600 * SECOND + HOST_GAP));
    }

    #[test]
    fn full_claim_defers_rows_of_idle_hosts_and_queues_rows_of_busy_hosts() {
        let mut queue = HostQueue::new(NOW, 1);
        assert_eq!(queue.decide("a", DueReason::Due), QueueDecision::Now);
        assert!(queue.is_full());
        assert_eq!(queue.decide("b", DueReason::Due), QueueDecision::NextClaim);
        assert_eq!(queue.decide("a", DueReason::Due), QueueDecision::Queued(NOW + HOST_GAP));
        assert_eq!(queue.decide("b", DueReason::Due), QueueDecision::NextClaim);
    }
}
