//! The log of what happens in feeds: entries that arrive and change, feeds that fail, recover and move. One row tells
//! everybody who follows a feed; who that is, is found when the log is read. Numbers are given under the lock of
//! [`order`](super::order), with the commits, so that nothing appears behind a number that was seen.

use entities::feed_event;
use entities::ids::{EntryId, FeedId};
use sea_orm::{ActiveValue::Set, ConnectionTrait, DatabaseTransaction, EntityTrait, Value};

use super::order::lock_order;
use kernel::clock::{DAY, Millis};
use kernel::error::Result;
use kernel::handle::Domain;
use kernel::numbering;
use kernel::retention::repeat_in_steps;
use kernel::statement::{execute, placeholders, scalar};

/// For so long events are kept.
const KEPT_MS: Millis = 30 * DAY;
/// Events that one statement deletes.
const STEP: u32 = 500;

/// The events of entries `e` for which a condition holds, in the order of their ids: `$1` is the first number, `$2` the
/// kind.
const ENTRIES: &str = "INSERT INTO feed_event (sequence, kind, feed_id, entry_id) \
    SELECT CAST($1 AS bigint) - 1 + ROW_NUMBER() OVER (ORDER BY e.id), CAST($2 AS text), e.feed_id, e.id \
    FROM feed_entry e WHERE ";

/// What happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventKind {
    /// A new entry.
    EntryDiscovered,
    /// Title, address or text of an entry is another.
    EntryUpdated,
    /// A source has not answered for a while.
    SourceFailed,
    /// A source that failed answers again.
    SourceRecovered,
    /// A feed moved: its followers follow this one now.
    SourceMoved,
}

impl EventKind {
    /// All of them.
    pub const ALL: &'static [Self] = &[
        Self::EntryDiscovered,
        Self::EntryUpdated,
        Self::SourceFailed,
        Self::SourceRecovered,
        Self::SourceMoved,
    ];

    /// The word on the wire and in the table.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::EntryDiscovered => "entry.discovered",
            Self::EntryUpdated => "entry.updated",
            Self::SourceFailed => "source.failed",
            Self::SourceRecovered => "source.recovered",
            Self::SourceMoved => "source.moved",
        }
    }

    /// The kind of a word of the table.
    pub(super) fn parse(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|kind| kind.as_str() == word)
    }
}

/// The last number that was given.
pub(super) async fn last(connection: &impl ConnectionTrait) -> Result<i64> {
    scalar(connection, "SELECT MAX(sequence) FROM feed_event", []).await
}

/// The number of the oldest event that is kept. Nobody can say what happened before it.
pub(super) async fn oldest(connection: &impl ConnectionTrait) -> Result<i64> {
    scalar(connection, "SELECT MIN(sequence) FROM feed_event", []).await
}

/// Notes that entries of a feed have arrived after the entry `after`.
pub(super) async fn note_arrivals(
    transaction: &DatabaseTransaction,
    now: Millis,
    feed_id: FeedId,
    after: EntryId,
) -> Result<()> {
    let first = next(transaction, now).await?;
    number_arrivals(transaction, first, &[feed_id], after).await
}

/// Notes that entries of feeds have arrived after the entry `after`, by numbers from `first` on: the caller has the turn.
pub(super) async fn number_arrivals(
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

/// Notes that entries have changed.
pub(super) async fn note_changes(
    transaction: &DatabaseTransaction,
    now: Millis,
    ids: &[EntryId],
) -> Result<()> {
    for chunk in ids.chunks(500) {
        let sql = format!("{ENTRIES} e.id IN ({})", placeholders(3, chunk.len()));
        let kind = EventKind::EntryUpdated.as_str();
        let mut values: Vec<Value> = vec![next(transaction, now).await?.into(), kind.into()];
        values.extend(chunk.iter().map(|id| Value::from(*id)));
        execute(transaction, &sql, values).await?;
    }
    Ok(())
}

/// Notes what happened to a feed as a whole.
pub(super) async fn note_source(
    transaction: &DatabaseTransaction,
    now: Millis,
    feed_id: FeedId,
    kind: EventKind,
) -> Result<()> {
    note(transaction, now, feed_id, kind, None).await
}

/// Notes that the followers of `from` follow `into` now.
pub(super) async fn note_move(
    transaction: &DatabaseTransaction,
    now: Millis,
    from: FeedId,
    into: FeedId,
) -> Result<()> {
    note(transaction, now, into, EventKind::SourceMoved, Some(from)).await
}

async fn note(
    transaction: &DatabaseTransaction,
    now: Millis,
    feed_id: FeedId,
    kind: EventKind,
    from_feed_id: Option<FeedId>,
) -> Result<()> {
    let event = feed_event::ActiveModel {
        sequence: Set(next(transaction, now).await?),
        kind: Set(kind.as_str().to_owned()),
        feed_id: Set(feed_id),
        entry_id: Set(None),
        from_feed_id: Set(from_feed_id),
    };
    feed_event::Entity::insert(event).exec_without_returning(transaction).await?;
    Ok(())
}

/// The number of the next event, in its turn.
async fn next(transaction: &DatabaseTransaction, now: Millis) -> Result<i64> {
    lock_order(transaction).await?;
    Ok(numbering::next(last(transaction).await?, now))
}

/// Deletes events that are older than a month, but for the newest of those: it says from where on the log is whole.
///
/// # Errors
/// What the database said.
pub async fn delete_old_events(domain: &Domain) -> Result<u64> {
    // The oldest first: between two steps, too, the log is whole from its first event on.
    let sql = format!(
        "DELETE FROM feed_event WHERE sequence IN (SELECT v.sequence FROM feed_event v WHERE v.sequence < \
         (SELECT MAX(m.sequence) FROM feed_event m WHERE m.sequence < $1) ORDER BY v.sequence LIMIT {STEP})"
    );
    let before = (domain.now() - KEPT_MS).saturating_mul(1000);
    repeat_in_steps(domain.db().write(), &sql, &[before.into()], STEP).await
}
