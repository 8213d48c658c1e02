//! Interface of the library for feeds: saves entries, and returns the texts of the saved items.

use std::collections::HashMap;
use std::sync::Arc;

use entities::ids::{AccountId, EntryId, ItemId};
use extract::Document;
use feeds::{RequestedSave, RuleSaveResults, SavedEntries};
use futures_util::future::BoxFuture;
use kernel::{Domain, Result};

use super::{rule_saves, text};

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

    fn save_by_rule<'a>(
        &'a self,
        domain: &'a Domain,
        account_id: AccountId,
        id: EntryId,
        requested: RequestedSave,
    ) -> BoxFuture<'a, Result<RuleSaveResults>> {
        Box::pin(rule_saves::save_by_rule(domain, account_id, id, requested))
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
