//! Event log of feeds: new and changed entries, and sources that fail, recover, or move.
//!
//! One row serves all followers of a feed; the followers who see an event are determined when the log is
//! read. Event numbers are assigned in commit order, under the lock of [`order`](super::order), so no event
//! appears before a number that was already read.

use async_recursion::async_recursion as boxed;
use entities::feed_event;
use entities::ids::{EntryId, FeedId};
use sea_orm::{ActiveValue::Set, ConnectionTrait, DatabaseTransaction, EntityTrait, Value};

use super::order::lock_order;
use kernel::clock::DAY;
use kernel::retention::repeat_in_steps;
use kernel::statement::{execute, placeholders, scalar};
use kernel::{Domain, Millis, Result, sequence};

/// Retention of events in milliseconds.
const RETENTION_MS: Millis = 30 * DAY;
/// Number of events deleted per statement.
const STEP: u32 = 500;

/// Inserts events for the entries `e` that match a condition, in id order. `$1` is the number of the first
/// event, and `$2` the kind of the events.
const ENTRIES: &str = "INSERT INTO feed_event (sequence, kind, feed_id, entry_id) \
    SELECT CAST($1 AS bigint) - 1 + ROW_NUMBER() OVER (ORDER BY e.id), CAST($2 AS text), e.feed_id, e.id \
    FROM feed_entry e WHERE ";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventKind {
    EntryDiscovered,
    /// Title, address, or text of an entry changed.
    EntryUpdated,
    /// A source has been failing for a while.
    SourceFailed,
    /// The server of a failing source responds again.
    SourceRecovered,
    /// A feed moved, and its followers were moved to its successor.
    SourceMoved,
}

impl EventKind {
    pub const ALL: &'static [Self] = &[
        Self::EntryDiscovered,
        Self::EntryUpdated,
        Self::SourceFailed,
        Self::SourceRecovered,
        Self::SourceMoved,
    ];

    /// Value in the API and the database.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::EntryDiscovered => "entry.discovered",
            Self::EntryUpdated => "entry.updated",
            Self::SourceFailed => "source.failed",
            Self::SourceRecovered => "source.recovered",
            Self::SourceMoved => "source.moved",
        }
    }

    /// Parses a value from the database. `None` if the value is unknown to this version.
    pub(super) fn parse(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|kind| kind.as_str() == word)
    }
}

/// Returns the number of the last event.
pub(super) async fn last(connection: &impl ConnectionTrait) -> Result<i64> {
    scalar(connection, "SELECT MAX(sequence) FROM feed_event", []).await
}

/// Returns the number of the oldest stored event. Earlier events are no longer available.
pub(super) async fn oldest(connection: &impl ConnectionTrait) -> Result<i64> {
    scalar(connection, "SELECT MIN(sequence) FROM feed_event", []).await
}

/// Records the new entries of a feed after the entry `after`.
pub(super) async fn record_arrivals(
    transaction: &DatabaseTransaction,
    now: Millis,
    feed_id: FeedId,
    after: EntryId,
) -> Result<()> {
    let first = next_sequence(transaction, now).await?;
    record_arrivals_from(transaction, first, &[feed_id], after).await
}

/// Records the new entries of feeds after the entry `after`. Event numbers start at `first`. The caller must
/// have taken the order lock.
pub(super) async fn record_arrivals_from(
    transaction: &DatabaseTransaction,
    first: i64,
    feed_ids: &[FeedId],
    after: EntryId,
) -> Result<()> {
    let sql = format!("{ENTRIES} e.id > $3 AND e.feed_id IN ({})", placeholders(4, feed_ids.len()));
    let kind = EventKind::EntryDiscovered.as_str();
    let mut values: Vec<Value> = vec![first.into(), kind.into(), after.into()];
    values.extend(feed_ids.iter().map(|id| Value::from(*id)));
    execute(transaction, &sql, values).await?;
    Ok(())
}

/// Records that entries have changed.
pub(super) async fn record_changes(
    transaction: &DatabaseTransaction,
    now: Millis,
    ids: &[EntryId],
) -> Result<()> {
    for chunk in ids.chunks(500) {
        let sql = format!("{ENTRIES} e.id IN ({})", placeholders(3, chunk.len()));
        let kind = EventKind::EntryUpdated.as_str();
        let mut values: Vec<Value> = vec![next_sequence(transaction, now).await?.into(), kind.into()];
        values.extend(chunk.iter().map(|id| Value::from(*id)));
        execute(transaction, &sql, values).await?;
    }
    Ok(())
}

/// Records an event about a feed.
pub(super) async fn record_source(
    transaction: &DatabaseTransaction,
    now: Millis,
    feed_id: FeedId,
    kind: EventKind,
) -> Result<()> {
    record(transaction, now, feed_id, kind, None).await
}

/// Records that the followers of `from` were moved to `into`.
pub(super) async fn record_move(
    transaction: &DatabaseTransaction,
    now: Millis,
    from: FeedId,
    into: FeedId,
) -> Result<()> {
    record(transaction, now, into, EventKind::SourceMoved, Some(from)).await
}

async fn record(
    transaction: &DatabaseTransaction,
    now: Millis,
    feed_id: FeedId,
    kind: EventKind,
    from_feed_id: Option<FeedId>,
) -> Result<()> {
    let event = feed_event::ActiveModel {
        sequence: Set(next_sequence(transaction, now).await?),
        kind: Set(kind.as_str().to_owned()),
        feed_id: Set(feed_id),
        entry_id: Set(None),
        from_feed_id: Set(from_feed_id),
    };
    feed_event::Entity::insert(event).exec_without_returning(transaction).await?;
    Ok(())
}

/// Takes the order lock and returns the number of the next event.
async fn next_sequence(transaction: &DatabaseTransaction, now: Millis) -> Result<i64> {
    lock_order(transaction).await?;
    Ok(sequence::next(last(transaction).await?, now))
}

/// Deletes events older than 30 days, except the newest one, which marks the position from which the log is
/// complete. Returns the number of deleted events.
#[boxed]
pub async fn delete_old_events(domain: &Domain) -> Result<u64> {
    // Delete the oldest events first, so that at any time the log is complete from its first event on.
    let sql = format!(
        "DELETE FROM feed_event WHERE sequence IN (SELECT v.sequence FROM feed_event v WHERE v.sequence < \
         (SELECT MAX(m.sequence) FROM feed_event m WHERE m.sequence < $1) ORDER BY v.sequence LIMIT {STEP})"
    );
    let before = (domain.now() - RETENTION_MS).saturating_mul(1000);
    repeat_in_steps(domain.db().write(), &sql, &[before.into()], STEP).await
}
