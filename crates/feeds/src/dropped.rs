//! Entries that are known and not stored: those of a body that a new feed does not begin with, and those that
//! retention took away. They are remembered until they have been out of the body for a month, and never arrive as
//! new.

mod sql;

use entities::feed;
use entities::feed_dropped_entry::{ActiveModel, Column, Entity};
use entities::ids::FeedId;
use extract::feed::{EntryState, KnownEntry, Marks};
use sea_orm::sea_query::OnConflict;
use sea_orm::{
    ActiveValue::Set, ColumnTrait, ConnectionTrait, DatabaseTransaction, EntityTrait, QueryFilter,
    QueryOrder, QuerySelect,
};

use kernel::clock::{DAY, Millis};
use kernel::error::Result;

pub(super) use sql::remember_stored;

/// Entries that a document is compared with, beside the stored ones.
const KNOWN: u64 = 2_000;
/// Out of the body for so long, they are forgotten.
const REMEMBERED_MS: Millis = 30 * DAY;
/// Rows of one statement.
const STEP: usize = 200;

/// What is known of a feed's entries that are not stored, those in the body first. Their ids are negative: no
/// stored entry has such a one.
pub(super) async fn known(connection: &impl ConnectionTrait, feed_id: FeedId) -> Result<Vec<KnownEntry>> {
    let rows = Entity::find()
        .filter(Column::FeedId.eq(feed_id))
        .order_by_asc(Column::LeftAt.is_not_null())
        .order_by_desc(Column::Id)
        .limit(KNOWN)
        .all(connection)
        .await?;
    let known = rows.into_iter().map(|row| KnownEntry {
        id: -row.id,
        marks: Marks {
            guid: row.mark_guid,
            url: row.mark_url,
            title: row.mark_title,
            published: row.mark_published,
            fingerprint: row.fingerprint,
        },
    });
    Ok(known.collect())
}

/// The entry's own number, when it is one that is known and not stored.
pub(super) fn number_of(state: EntryState) -> Option<i64> {
    match state {
        EntryState::Same { id } | EntryState::Changed { id } if id < 0 => Some(-id),
        EntryState::Same { .. } | EntryState::Changed { .. } | EntryState::New => None,
    }
}

/// Remembers entries that a body has and that are not taken.
pub(super) async fn remember(
    transaction: &DatabaseTransaction,
    feed_id: FeedId,
    entries: impl Iterator<Item = (i64, Marks)>,
) -> Result<()> {
    let rows: Vec<ActiveModel> = entries
        .map(|(key, marks)| ActiveModel {
            feed_id: Set(feed_id),
            entry_key: Set(key),
            mark_guid: Set(marks.guid),
            mark_url: Set(marks.url),
            mark_title: Set(marks.title),
            mark_published: Set(marks.published),
            fingerprint: Set(marks.fingerprint),
            left_at: Set(None),
            ..Default::default()
        })
        .collect();
    for chunk in rows.chunks(STEP) {
        let again =
            OnConflict::columns([Column::FeedId, Column::EntryKey]).update_column(Column::LeftAt).to_owned();
        Entity::insert_many(chunk.to_vec()).on_conflict(again).exec_without_returning(transaction).await?;
    }
    Ok(())
}

/// Takes note of which of them a body has, by their numbers: what is not among them has left since the answer
/// before, and what left long ago is forgotten.
pub(super) async fn note_body(
    transaction: &DatabaseTransaction,
    feed: &feed::Model,
    now: Millis,
    present: &[i64],
) -> Result<()> {
    let left = ActiveModel { left_at: Set(Some(feed.last_fetched_at.unwrap_or(now))), ..Default::default() };
    let back = ActiveModel { left_at: Set(None), ..Default::default() };
    let own = || Entity::update_many().filter(Column::FeedId.eq(feed.id));
    own()
        .set(left)
        .filter(Column::LeftAt.is_null())
        .filter(Column::Id.is_not_in(present.iter().copied()))
        .exec(transaction)
        .await?;
    if !present.is_empty() {
        own()
            .set(back)
            .filter(Column::LeftAt.is_not_null())
            .filter(Column::Id.is_in(present.iter().copied()))
            .exec(transaction)
            .await?;
    }
    Entity::delete_many()
        .filter(Column::FeedId.eq(feed.id))
        .filter(Column::LeftAt.lt(now - REMEMBERED_MS))
        .exec(transaction)
        .await?;
    Ok(())
}
