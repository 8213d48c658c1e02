//! Removes the file of an item. The text that was extracted from the file is retained.

use async_recursion::async_recursion as boxed;
use entities::ids::{AccountId, ItemId, ObjectId};
use entities::library_item;
use entities::library_words::{ArticleStatus, Lane, ObjectKind, TextOrigin};
use sea_orm::{ActiveModelTrait, ActiveValue::Set};

use super::blob::{self, ReleasedFile};
use super::upload::find;
use crate::LibraryTransaction;
use crate::rule_queue;
use kernel::error::not_found;
use kernel::{Domain, Result};

/// Removes the file of an item.
///
/// # Errors
/// `not_found` if the item does not exist or has no file.
#[boxed]
pub async fn remove_file(domain: &Domain, account_id: AccountId, item_id: ItemId) -> Result<()> {
    let mut transaction = LibraryTransaction::begin(domain, account_id).await?;
    let item = find(transaction.db(), account_id, item_id).await?;
    let Some(file) = ReleasedFile::of(&item) else { return Err(not_found("file")) };
    blob::release(&mut transaction, &[file]).await?;
    let stamp = transaction.stamp(ObjectKind::Item, ObjectId::from(item.id.as_uuid()));
    let stored_bytes = item.stored_bytes - item.asset_size.unwrap_or(0);
    transaction.count(item.stored_bytes, stored_bytes);
    let mut row = library_item::ActiveModel {
        id: Set(item.id),
        sequence: Set(stamp.sequence),
        updated_at: Set(stamp.updated_at),
        asset_blob: Set(None),
        asset_name: Set(None),
        asset_mime: Set(None),
        asset_size: Set(None),
        asset_checksum: Set(None),
        asset_at: Set(None),
        stored_bytes: Set(stored_bytes),
        ..Default::default()
    };
    let waits_for_it = item.ask_from == Some(TextOrigin::File);
    if item.content_hash.is_some() {
        if waits_for_it {
            row.article_status = Set(ArticleStatus::Ready);
            (row.ask, row.ask_from, row.next_try_at) = (Set(item.ask + 1), Set(None), Set(None));
        }
    } else if item.url.starts_with("urn:") {
        row.article_status = Set(ArticleStatus::NotApplicable);
        row.article_error = Set(None);
        (row.ask, row.ask_from, row.next_try_at) = (Set(item.ask + 1), Set(None), Set(None));
    } else if waits_for_it {
        row.article_status = Set(ArticleStatus::Queued);
        row.article_error = Set(None);
        (row.ask, row.ask_from) = (Set(item.ask + 1), Set(Some(TextOrigin::Fetched)));
        (row.next_try_at, row.lane, row.tries) = (Set(Some(transaction.now)), Set(Lane::Person), Set(0));
    }
    row.update(transaction.db()).await?;
    rule_queue::release(&transaction, item.id).await?;
    transaction.commit().await
}
