//! Interface of the library for feeds: saves entries, and returns the texts of the saved items.

use std::collections::HashMap;
use std::sync::Arc;

use entities::ids::{AccountId, EntryId, ItemId};
use extract::Document;
use feeds::SavedEntries;
use futures_util::future::BoxFuture;
use kernel::{Domain, Result};

use super::text;

/// Saves feed entries to the library.
#[derive(Clone, Copy, Debug)]
pub struct LibraryEntries;

impl SavedEntries for LibraryEntries {
    fn save_entry<'a>(
        &'a self,
        domain: &'a Domain,
        account_id: AccountId,
        id: EntryId,
    ) -> BoxFuture<'a, Result<()>> {
        Box::pin(crate::save_entry_deferred(domain, account_id, id))
    }

    fn texts<'a>(
        &'a self,
        domain: &'a Domain,
        account_id: AccountId,
        items: &'a [ItemId],
    ) -> BoxFuture<'a, Result<HashMap<ItemId, Arc<Document>>>> {
        Box::pin(async move {
            let texts = text::load_all(domain.db().read(), account_id, items).await?;
            Ok(texts.into_iter().map(|text| (text.item_id, text.document)).collect())
        })
    }
}
