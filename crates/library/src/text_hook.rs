//! Hook for capabilities that use new texts of items. It runs in the transaction that stores a text.

use std::sync::Arc;

use entities::ids::{AccountId, ItemId};
use futures_util::future::BoxFuture;
use kernel::{Domain, Millis, Result};
use sea_orm::DatabaseTransaction;

/// Item whose text was stored.
#[derive(Clone, Copy, Debug)]
pub struct TextedItem<'a> {
    pub account_id: AccountId,
    pub item_id: ItemId,
    pub saved_at: Millis,
    /// True if an import created the item, even if a person has opened it since.
    pub is_imported: bool,
    /// Tags in the account's spelling.
    pub tags: &'a [String],
}

/// Receives texts of items.
pub trait StoredTextHook: Send + Sync {
    /// Handles a stored text. The account is locked.
    fn text_stored<'a>(
        &'a self,
        transaction: &'a DatabaseTransaction,
        domain: &'a Domain,
        item: TextedItem<'a>,
    ) -> BoxFuture<'a, Result<()>>;
}

/// Hook that is installed in the [`Domain`] handle.
#[derive(Clone)]
pub struct InstalledTextHook(pub Arc<dyn StoredTextHook>);
