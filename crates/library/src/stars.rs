//! Items that were created by starring an entry. If such an item is unchanged, it is deleted when its last star is
//! removed.

use async_recursion::async_recursion as boxed;
use entities::ids::{AccountId, ItemId};
use entities::rss_star::{ActiveModel, Column, Entity};
use entities::{library_highlight, library_item, library_note};
use sea_orm::{ActiveValue::Set, ColumnTrait, EntityTrait, PaginatorTrait, QueryFilter};

use super::annotations::Annotations;
use super::transaction::LibraryTransaction;
use super::transfer::fingerprint;
use super::{item, keys, remove, tags};
use kernel::Result;

/// Makes an item independent of its stars, because it was also saved directly. The item is retained when its
/// stars are removed.
#[boxed]
pub async fn retain_item(transaction: &LibraryTransaction, id: ItemId) -> Result<()> {
    set_created_by_star(transaction, id, false).await
}

/// Handles the removal of a star that created its item. If the item has other stars, they now count as its
/// creators. If it has no other star and was not changed, it is deleted.
#[boxed]
pub async fn release_item(transaction: &mut LibraryTransaction, id: ItemId) -> Result<()> {
    if stars_of(transaction.account_id, id).count(transaction.db()).await? > 0 {
        return set_created_by_star(transaction, id, true).await;
    }
    let Some(row) = item::row(transaction.db(), transaction.account_id, id).await? else { return Ok(()) };
    if !is_untouched(transaction, &row).await? {
        return Ok(());
    }
    remove::delete_in(transaction, &[row], Annotations::Keep).await?;
    // The user did not delete the item, so it may be saved and imported again as new.
    keys::delete_all(transaction, &[id]).await
}

fn stars_of(account_id: AccountId, id: ItemId) -> sea_orm::Select<Entity> {
    Entity::owned_by(account_id).filter(Column::ItemId.eq(id))
}

async fn set_created_by_star(transaction: &LibraryTransaction, id: ItemId, created: bool) -> Result<()> {
    Entity::update_many()
        .set(ActiveModel { made_item: Set(created), ..Default::default() })
        .filter(Column::AccountId.eq(transaction.account_id))
        .filter(Column::ItemId.eq(id))
        .exec(transaction.db())
        .await?;
    Ok(())
}

/// Returns true if the item was not changed since it was saved: it is in the inbox, unread, and without tags,
/// notes, highlights, or values that a person has set.
async fn is_untouched(transaction: &LibraryTransaction, row: &library_item::Model) -> Result<bool> {
    let (db, account_id) = (transaction.db(), transaction.account_id);
    let tags = tags::current(db, account_id, item::object(row.id)).await?;
    let fresh = item::blank(row.id, account_id, transaction.now);
    if fingerprint::of_item(row, &tags) != fingerprint::of_item(&fresh, &[]) {
        return Ok(false);
    }
    let notes = library_note::Entity::owned_by(account_id).filter(library_note::Column::ItemId.eq(row.id));
    let highlights =
        library_highlight::Entity::owned_by(account_id).filter(library_highlight::Column::ItemId.eq(row.id));
    Ok(notes.count(db).await? == 0 && highlights.count(db).await? == 0)
}
