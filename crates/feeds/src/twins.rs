//! Entries that two feeds both have, where followers of one are moved to the other: the same one is shown once.

use std::collections::{HashMap, HashSet};

use entities::ids::{EntryId, FeedId};
use entities::{feed_entry, feed_entry_twin};
use sea_orm::sea_query::OnConflict;
use sea_orm::{
    ActiveValue::Set, ColumnTrait, DatabaseTransaction, EntityTrait, QueryFilter, QueryOrder, QuerySelect,
};

use kernel::error::Result;

/// Pairs of one statement.
const STEP: usize = 300;

/// What is compared of an entry: its id, its key, and its guid, address, title and time.
type Compared = (EntryId, i64, i64, i64, i64, i64);

/// Notes which entries of `from` are entries of `into` as well, of those that come there after `after`: those with
/// one key, and where the two feeds told entries apart in different ways, those of which everything else is equal.
/// What is noted already stays.
pub(super) async fn pair(
    transaction: &DatabaseTransaction,
    from: FeedId,
    into: FeedId,
    after: EntryId,
) -> Result<()> {
    let theirs = compared(transaction, into, after).await?;
    let ours = compared(transaction, from, EntryId::new(0)).await?;
    let by_key: HashMap<i64, EntryId> = theirs.iter().map(|entry| (entry.1, entry.0)).collect();
    let own: HashSet<i64> = ours.iter().map(|entry| entry.1).collect();
    // An entry whose key both feeds have has its twin by that.
    let mut by_marks: HashMap<[i64; 4], EntryId> =
        theirs.iter().filter(|entry| !own.contains(&entry.1)).map(|entry| (marks(entry), entry.0)).collect();
    let twins: Vec<feed_entry_twin::ActiveModel> = ours
        .iter()
        .filter_map(|entry| {
            let twin = by_key.get(&entry.1).copied().or_else(|| by_marks.remove(&marks(entry)))?;
            Some(feed_entry_twin::ActiveModel {
                into_feed_id: Set(into),
                entry_id: Set(entry.0),
                twin_id: Set(twin),
            })
        })
        .collect();
    for chunk in twins.chunks(STEP) {
        feed_entry_twin::Entity::insert_many(chunk.to_vec())
            .on_conflict(OnConflict::new().do_nothing().to_owned())
            .exec_without_returning(transaction)
            .await?;
    }
    Ok(())
}

async fn compared(
    transaction: &DatabaseTransaction,
    feed_id: FeedId,
    after: EntryId,
) -> Result<Vec<Compared>> {
    use feed_entry::Column;
    let query = feed_entry::Entity::find()
        .select_only()
        .columns([
            Column::Id,
            Column::EntryKey,
            Column::MarkGuid,
            Column::MarkUrl,
            Column::MarkTitle,
            Column::MarkPublished,
        ])
        .filter(Column::FeedId.eq(feed_id))
        .filter(Column::Id.gt(after))
        .order_by_asc(Column::Id);
    Ok(query.into_tuple().all(transaction).await?)
}

fn marks(entry: &Compared) -> [i64; 4] {
    [entry.2, entry.3, entry.4, entry.5]
}
