//! Entries that are known but not stored: entries beyond the limit of a first poll, and entries deleted by
//! retention. They are remembered until they have been missing from the feed for a month, so that they are
//! never treated as new.

mod sql;

use std::collections::HashSet;

use entities::feed;
use entities::feed_dropped_entry::{ActiveModel, Column, Entity};
use entities::ids::FeedId;
use extract::feed::{EntryState, KnownEntry, Marks};
use sea_orm::sea_query::OnConflict;
use sea_orm::{
    ActiveValue::Set, ColumnTrait, ConnectionTrait, DatabaseTransaction, EntityTrait, QueryFilter,
    QueryOrder, QuerySelect,
};

use kernel::clock::DAY;
use kernel::{Millis, Result};

pub(super) use sql::remember_stored;

/// Maximum number of known but not stored entries with which a document is compared.
const MAX_KNOWN: u64 = 20_000;
/// Time, in milliseconds, that an entry is remembered after it left the feed.
const REMEMBERED_MS: Millis = 30 * DAY;
/// Number of rows per statement.
const STEP: usize = 200;

/// Returns the known entries of a feed that are not stored. Entries that are still in the feed come first.
/// Their ids are negated, so that they cannot collide with ids of stored entries.
pub(super) async fn known(connection: &impl ConnectionTrait, feed_id: FeedId) -> Result<Vec<KnownEntry>> {
    let rows = Entity::find()
        .filter(Column::FeedId.eq(feed_id))
        .order_by_asc(Column::LeftAt.is_not_null())
        .order_by_desc(Column::Id)
        .limit(MAX_KNOWN)
        .all(connection)
        .await?;
    let known = rows.into_iter().map(|row| KnownEntry {
        id: -row.id,
        marks: Marks {
            guid: row.mark_guid,
            url: row.mark_url,
            title: row.mark_title,
            published: row.mark_published,
            text: row.mark_text,
            fingerprint: row.fingerprint,
        },
    });
    Ok(known.collect())
}

/// Returns the row id of an entry that is known but not stored. `None` for other entries.
pub(super) fn dropped_id(state: EntryState) -> Option<i64> {
    match state {
        EntryState::Same { id } | EntryState::Remarked { id } | EntryState::Changed { id } if id < 0 => {
            Some(-id)
        }
        EntryState::Same { .. }
        | EntryState::Remarked { .. }
        | EntryState::Changed { .. }
        | EntryState::New => None,
    }
}

/// Remembers entries of a body that will not be stored.
pub(super) async fn remember(
    transaction: &DatabaseTransaction,
    feed_id: FeedId,
    entries: impl Iterator<Item = (i64, Marks)>,
) -> Result<()> {
    // PostgreSQL cannot update the same row twice in one statement.
    let mut keys = HashSet::new();
    let rows: Vec<ActiveModel> = entries
        .filter(|(key, _)| keys.insert(*key))
        .map(|(key, marks)| ActiveModel {
            feed_id: Set(feed_id),
            entry_key: Set(key),
            mark_guid: Set(marks.guid),
            mark_url: Set(marks.url),
            mark_title: Set(marks.title),
            mark_published: Set(marks.published),
            mark_text: Set(marks.text),
            fingerprint: Set(marks.fingerprint),
            left_at: Set(None),
            ..Default::default()
        })
        .collect();
    for chunk in rows.chunks(STEP) {
        let on_conflict =
            OnConflict::columns([Column::FeedId, Column::EntryKey]).update_column(Column::LeftAt).to_owned();
        Entity::insert_many(chunk.to_vec())
            .on_conflict(on_conflict)
            .exec_without_returning(transaction)
            .await?;
    }
    Ok(())
}

/// Records which dropped entries the current body contains, by row id. Entries that the body no longer
/// contains are recorded as having left the feed after the previous fetch. Entries that left the feed long
/// ago are forgotten.
pub(super) async fn record_presence(
    transaction: &DatabaseTransaction,
    feed: &feed::Model,
    now: Millis,
    present: &[i64],
) -> Result<()> {
    let in_feed = Entity::find()
        .select_only()
        .column(Column::Id)
        .filter(Column::FeedId.eq(feed.id))
        .filter(Column::LeftAt.is_null());
    let in_feed: HashSet<i64> = in_feed.into_tuple::<i64>().all(transaction).await?.into_iter().collect();
    let present: HashSet<i64> = present.iter().copied().collect();
    let left_at = Some(feed.last_fetched_at.unwrap_or(now));
    set_left_at(transaction, in_feed.difference(&present), left_at).await?;
    set_left_at(transaction, present.difference(&in_feed), None).await?;
    Entity::delete_many()
        .filter(Column::FeedId.eq(feed.id))
        .filter(Column::LeftAt.lt(now - REMEMBERED_MS))
        .exec(transaction)
        .await?;
    Ok(())
}

async fn set_left_at(
    transaction: &DatabaseTransaction,
    ids: impl Iterator<Item = &i64>,
    left_at: Option<Millis>,
) -> Result<()> {
    let ids: Vec<i64> = ids.copied().collect();
    for chunk in ids.chunks(STEP) {
        Entity::update_many()
            .set(ActiveModel { left_at: Set(left_at), ..Default::default() })
            .filter(Column::Id.is_in(chunk.iter().copied()))
            .exec(transaction)
            .await?;
    }
    Ok(())
}
