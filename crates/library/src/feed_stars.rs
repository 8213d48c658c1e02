//! Stars: an account's marks on feed entries. A star saves the entry to the library. Removing the star deletes the item
//! that it created, unless the item has changed since. Starred entries are retained after their retention period and
//! after the end of their subscription.

use async_recursion::async_recursion as boxed;
use std::collections::{HashMap, HashSet};

use entities::ids::{AccountId, EntryId, FeedId, ItemId};
use entities::rss_star::{Column, Entity, Model};
use sea_orm::{ColumnTrait, EntityTrait, IntoActiveModel, QueryFilter};

use crate::draft::{Save, SaveDraft};
use crate::keys::Holder;
use crate::text_request::TextOutcome;
use crate::{LibraryTransaction, save_item, stars, store};
use feeds::{Entry, SaveResult, SourceKind, entries_of_ids};
use kernel::error::not_found;
use kernel::statement::{placeholders, statement};
use kernel::{Code, Domain, Result};

/// Maximum number of entries per transaction.
const STEP: usize = 50;

/// Draft that saves an entry, with the outcome of the extraction of its text.
type PreparedDraft = (SaveDraft, Option<TextOutcome>);

/// Stars the entries among `ids` that are visible to the account. Returns the number of entries that were not
/// starred before.
///
/// # Errors
/// `storage_limit_reached`. Entries of transactions that were committed before the error remain starred.
#[boxed]
pub async fn star(domain: &Domain, account_id: AccountId, ids: &[EntryId]) -> Result<u64> {
    let mut given = 0;
    for chunk in distinct(ids).chunks(STEP) {
        let mut drafts = monitor_drafts(domain, account_id, chunk).await?;
        let mut transaction = LibraryTransaction::begin(domain, account_id).await?;
        let has: HashSet<EntryId> =
            starred(&transaction, chunk).await?.into_iter().map(|star| star.entry_id).collect();
        let entries = entries_of_ids(transaction.db(), account_id, chunk).await?;
        let feeds = feeds_of(&transaction, chunk).await?;
        for entry in entries.into_iter().filter(|entry| !has.contains(&entry.id)) {
            let Some((_, feed_id)) = feeds.iter().find(|(id, _)| *id == entry.id) else { continue };
            let draft = drafts.remove(&entry.id);
            star_entry(domain, &mut transaction, (entry, *feed_id), draft).await?;
            given += 1;
        }
        transaction.commit().await?;
    }
    Ok(given)
}

/// Stars an entry for a rule: an existing item is not changed, and an item that the account deleted is not created
/// again.
///
/// # Errors
/// `not_found`; `storage_limit_reached`.
pub(crate) async fn star_by_rule(domain: &Domain, account_id: AccountId, id: EntryId) -> Result<SaveResult> {
    let draft = monitor_drafts(domain, account_id, &[id]).await?.remove(&id);
    let mut transaction = LibraryTransaction::begin(domain, account_id).await?;
    if !starred(&transaction, &[id]).await?.is_empty() {
        return Ok(SaveResult::Existing);
    }
    let entry = entries_of_ids(transaction.db(), account_id, &[id]).await?.pop();
    let feed = feeds_of(&transaction, &[id]).await?.pop();
    let (Some(entry), Some((_, feed_id))) = (entry, feed) else { return Err(not_found("entry")) };
    match item_holder(domain, &transaction, &entry, draft.as_ref()).await? {
        Some(Holder::Deleted(_)) => return Ok(SaveResult::Deleted),
        Some(Holder::Item(item_id)) => insert_star(&transaction, id, feed_id, (Some(item_id), false)).await?,
        None => star_entry(domain, &mut transaction, (entry, feed_id), draft).await?,
    }
    transaction.commit().await?;
    Ok(SaveResult::Saved)
}

/// Returns the drafts of the monitor entries among `ids`, by entry. They are prepared before the transaction, because
/// they contain the texts of the entries.
async fn monitor_drafts(
    domain: &Domain,
    account_id: AccountId,
    ids: &[EntryId],
) -> Result<HashMap<EntryId, PreparedDraft>> {
    let entries = entries_of_ids(domain.db().read(), account_id, ids).await?;
    let mut drafts = HashMap::new();
    for entry in entries.iter().filter(|entry| entry.source_kind == SourceKind::Monitor) {
        let draft = save_item::entry_draft(domain, account_id, entry.id, Vec::new()).await?;
        drafts.insert(entry.id, draft);
    }
    Ok(drafts)
}

/// Returns the item, or the deleted item, of an entry: by its draft if it is prepared, or else by the page to which it
/// links. `None` if the entry cannot be saved.
async fn item_holder(
    domain: &Domain,
    transaction: &LibraryTransaction,
    entry: &Entry,
    prepared: Option<&PreparedDraft>,
) -> Result<Option<Holder>> {
    if let Some((draft, _)) = prepared {
        return store::holder(transaction, draft).await;
    }
    if entry.source_kind == SourceKind::Newsletter {
        return Ok(None);
    }
    match SaveDraft::of(domain, Save::of_entry(entry.clone())).await {
        Ok(draft) => store::holder(transaction, &draft).await,
        Err(error) if matches!(error.code, Code::UrlNotAllowed | Code::InvalidUrl) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Removes the stars of these entries. Returns the number of entries that had a star.
#[boxed]
pub async fn unstar(domain: &Domain, account_id: AccountId, ids: &[EntryId]) -> Result<u64> {
    let mut taken = 0;
    for chunk in distinct(ids).chunks(STEP) {
        let mut transaction = LibraryTransaction::begin(domain, account_id).await?;
        let stars = starred(&transaction, chunk).await?;
        Entity::delete_many()
            .filter(Column::AccountId.eq(account_id))
            .filter(Column::EntryId.is_in(chunk.to_vec()))
            .exec(transaction.db())
            .await?;
        for id in stars.iter().filter(|star| star.made_item).filter_map(|star| star.item_id) {
            stars::release_item(&mut transaction, id).await?;
        }
        taken += stars.len() as u64;
        transaction.commit().await?;
    }
    Ok(taken)
}

fn distinct(ids: &[EntryId]) -> Vec<EntryId> {
    let mut distinct = ids.to_vec();
    distinct.sort_unstable();
    distinct.dedup();
    distinct
}

async fn starred(transaction: &LibraryTransaction, ids: &[EntryId]) -> Result<Vec<Model>> {
    let stars = Entity::owned_by(transaction.account_id).filter(Column::EntryId.is_in(ids.to_vec()));
    Ok(stars.all(transaction.db()).await?)
}

/// Returns each of these entries with the feed that stores it, which may differ from the feed that lists it.
async fn feeds_of(transaction: &LibraryTransaction, ids: &[EntryId]) -> Result<Vec<(EntryId, FeedId)>> {
    use sea_orm::ConnectionTrait;
    let sql = format!("SELECT id, feed_id FROM feed_entry WHERE id IN ({})", placeholders(1, ids.len()));
    let values = ids.iter().map(|id| sea_orm::Value::from(*id));
    let rows = transaction.db().query_all_raw(statement(transaction.db(), &sql, values)).await?;
    rows.iter().map(|row| Ok((row.try_get_by_index(0)?, row.try_get_by_index(1)?))).collect()
}

/// Stars one entry of a feed and saves it to the library, with its draft if it is prepared. Another entry that links to
/// no public page, such as a newsletter entry, is starred without an item.
async fn star_entry(
    domain: &Domain,
    transaction: &mut LibraryTransaction,
    (entry, feed_id): (Entry, FeedId),
    prepared: Option<PreparedDraft>,
) -> Result<()> {
    let entry_id = entry.id;
    let item = match prepared {
        Some(prepared) => write_starred(domain, transaction, prepared).await?,
        None if entry.source_kind == SourceKind::Newsletter => (None, false),
        None => save_starred(domain, transaction, entry).await?,
    };
    insert_star(transaction, entry_id, feed_id, item).await
}

/// Inserts a star with its item, and records whether the star created the item.
async fn insert_star(
    transaction: &LibraryTransaction,
    entry_id: EntryId,
    feed_id: FeedId,
    (item_id, made_item): (Option<ItemId>, bool),
) -> Result<()> {
    let row = Model {
        account_id: transaction.account_id,
        entry_id,
        feed_id,
        item_id,
        made_item,
        starred_at: transaction.now,
    };
    Entity::insert(row.into_active_model()).exec_without_returning(transaction.db()).await?;
    Ok(())
}

/// Saves a starred entry. Returns its item, and whether the star created it. `None` if the entry links to no
/// public page.
async fn save_starred(
    domain: &Domain,
    transaction: &mut LibraryTransaction,
    entry: Entry,
) -> Result<(Option<ItemId>, bool)> {
    match SaveDraft::of(domain, Save::of_entry(entry)).await {
        Ok(draft) => write_starred(domain, transaction, (draft, None)).await,
        Err(error) if matches!(error.code, Code::UrlNotAllowed | Code::InvalidUrl) => Ok((None, false)),
        Err(error) => Err(error),
    }
}

/// Writes the item of a starred entry. Returns the item, and whether the star created it.
async fn write_starred(
    domain: &Domain,
    transaction: &mut LibraryTransaction,
    (draft, read): PreparedDraft,
) -> Result<(Option<ItemId>, bool)> {
    let written = store::write_draft(domain, transaction, &draft, read).await?;
    Ok((Some(written.id), !written.already_saved))
}
