//! Ids of other services. They are unique only within one server, so two files may use the same id for different pages.

use std::collections::{HashMap, HashSet};

use entities::ids::ItemId;
use entities::library_item;
use sea_orm::{ColumnTrait, QueryFilter, QuerySelect};

use super::import_record::ImportRecord;
use crate::LibraryTransaction;
use crate::keys::{Holder, ItemKey};
use kernel::Result;

const ROWS_PER_QUERY: usize = 100;

/// Returns the items with a URL to which the ids of rows belong. Considers only rows whose URL belongs to no item.
pub(super) async fn pages_with_ids(
    transaction: &LibraryTransaction,
    batch: &[ImportRecord],
    holders: &HashMap<Vec<u8>, Holder>,
) -> Result<HashSet<ItemId>> {
    let ids: HashSet<ItemId> = batch
        .iter()
        .filter(|row| row.url_key.as_ref().is_some_and(|url| !holders.contains_key(&url.hash())))
        .flat_map(|row| row.keys.iter().filter_map(|key| holders.get(&key.hash())?.item()))
        .collect();
    let ids: Vec<ItemId> = ids.into_iter().collect();
    let mut pages = HashSet::new();
    for ids in ids.chunks(ROWS_PER_QUERY) {
        let with_url: Vec<ItemId> = library_item::Entity::owned_by(transaction.account_id)
            .select_only()
            .column(library_item::Column::Id)
            .filter(library_item::Column::Id.is_in(ids.to_vec()))
            .filter(library_item::Column::Url.starts_with("http"))
            .into_tuple()
            .all(transaction.db())
            .await?;
        pages.extend(with_url);
    }
    Ok(pages)
}

/// Removes the id of a row if it belongs to an item with another URL. `is_page` is true for items with a URL.
pub(super) fn separate_page(
    row: &mut ImportRecord,
    holders: &HashMap<Vec<u8>, Holder>,
    is_page: impl Fn(ItemId) -> bool,
) {
    let Some(url) = row.url_key.clone() else { return };
    let holder_of = |key: &ItemKey| holders.get(&key.hash()).copied();
    let Some(named) = row.keys.iter().filter(|key| **key != url).find_map(holder_of) else { return };
    let is_same = match (named, holder_of(&url)) {
        // The id of a deleted item is free.
        (Holder::Deleted(_), Some(Holder::Item(_))) => true,
        (named, Some(of_url)) => named.id() == of_url.id(),
        (Holder::Item(id), None) => !is_page(id),
        (Holder::Deleted(_), None) => false,
    };
    if is_same {
        return;
    }
    row.keys.retain(|key| *key == url);
    if let Some(new) = &mut row.item {
        new.row.external_id = None;
    }
    let suffix = data_encoding::HEXLOWER.encode(&url.hash());
    for annotation in &mut row.annotations {
        annotation.external_id = None;
        annotation.source_key.name = format!("{}@{suffix}", annotation.source_key.name);
    }
}
