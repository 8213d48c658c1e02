//! Deduplicates the entries of two feeds when followers of one feed are moved to the other, so that no
//! duplicate is displayed.

use std::collections::{HashMap, HashSet};

use entities::ids::{EntryId, FeedId};
use entities::{feed_entry, feed_entry_twin};
use sea_orm::sea_query::OnConflict;
use sea_orm::{
    ActiveValue::Set, ColumnTrait, DatabaseTransaction, EntityTrait, QueryFilter, QueryOrder, QuerySelect,
};

use kernel::Result;

/// Number of rows per statement.
const STEP: usize = 300;

/// Compared fields of an entry: id, key, and the marks of guid, URL, title, and time.
type ComparedEntry = (EntryId, i64, i64, i64, i64, i64);

/// Records which entries of `from` are duplicates of entries of `into` with ids greater than `after`.
///
/// Entries match if their keys are equal. If the two feeds identify entries differently, entries match if
/// guid, URL, title, and time are equal. Duplicates that were recorded earlier are retained.
pub(super) async fn record_duplicates(
    transaction: &DatabaseTransaction,
    from: FeedId,
    into: FeedId,
    after: EntryId,
) -> Result<()> {
    let theirs = load_compared(transaction, into, after).await?;
    let ours = load_compared(transaction, from, EntryId::new(0)).await?;
    let by_key: HashMap<i64, EntryId> = theirs.iter().map(|entry| (entry.1, entry.0)).collect();
    let own: HashSet<i64> = ours.iter().map(|entry| entry.1).collect();
    // Entries whose key occurs in both feeds are matched only by key.
    let mut by_marks: HashMap<[i64; 4], EntryId> =
        theirs.iter().filter(|entry| !own.contains(&entry.1)).map(|entry| (marks(entry), entry.0)).collect();
    let duplicates: Vec<feed_entry_twin::ActiveModel> = ours
        .iter()
        .filter_map(|entry| {
            let duplicate_id = by_key.get(&entry.1).copied().or_else(|| by_marks.remove(&marks(entry)))?;
            Some(feed_entry_twin::ActiveModel {
                into_feed_id: Set(into),
                entry_id: Set(entry.0),
                twin_id: Set(duplicate_id),
            })
        })
        .collect();
    for chunk in duplicates.chunks(STEP) {
        feed_entry_twin::Entity::insert_many(chunk.to_vec())
            .on_conflict(OnConflict::new().do_nothing().to_owned())
            .exec_without_returning(transaction)
            .await?;
    }
    Ok(())
}

async fn load_compared(
    transaction: &DatabaseTransaction,
    feed_id: FeedId,
    after: EntryId,
) -> Result<Vec<ComparedEntry>> {
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

fn marks(entry: &ComparedEntry) -> [i64; 4] {
    [entry.2, entry.3, entry.4, entry.5]
}
