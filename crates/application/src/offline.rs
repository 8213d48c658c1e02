//! Texts that a browser stores for reading without a connection: items on the reading list, partly read items,
//! and unread entries.

use async_recursion::async_recursion as boxed;
use entities::ids::AccountId;

use feeds::{Entry, EntryFilter};
use kernel::{Domain, Result};
use library::{Item, ItemFilter, ItemStatus};

/// Texts to store, newest first within each list.
#[derive(Clone, Debug, Default)]
pub struct OfflineTexts {
    /// Partly read items, and then items on the reading list.
    pub items: Vec<Item>,
    /// Unread entries of all feeds.
    pub entries: Vec<Entry>,
}

/// Selects at most `most` texts of an account: half of them items and half of them entries. If there are
/// fewer items than half, more entries are selected, and vice versa.
#[boxed]
pub async fn select(domain: &Domain, account_id: AccountId, most: u32) -> Result<OfflineTexts> {
    let marked = ItemFilter { status: Some(ItemStatus::Later), ..ItemFilter::default() };
    let unread = EntryFilter { unread: Some(true), ..EntryFilter::default() };
    let (marked, rediscovery, unread, deleted) = tokio::try_join!(
        library::list(domain, account_id, &marked, None, most),
        library::rediscover(domain, account_id),
        feeds::list_entries(domain, account_id, &unread, None, most),
        library::pending_deletions(domain, account_id),
    )?;
    let (mut items, mut entries) = (rediscovery.started, unread.entries);
    for item in marked.items {
        if !items.iter().any(|known| known.id == item.id) {
            items.push(item);
        }
    }
    items.retain(|item| !deleted.contains_key(&item.id));
    let (item_count, entry_count) = share(most, items.len(), entries.len());
    items.truncate(item_count);
    entries.truncate(entry_count);
    Ok(OfflineTexts { items, entries })
}

/// Returns the number of items and the number of entries to store, given the numbers that exist.
fn share(most: u32, items: usize, entries: usize) -> (usize, usize) {
    let most = usize::try_from(most).unwrap_or(usize::MAX);
    let items = items.min(most.saturating_sub(entries).max(most / 2));
    (items, entries.min(most - items))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn maximum_number_of_texts_is_shared_by_items_and_entries() {
        assert_eq!(share(50, 0, 0), (0, 0));
        assert_eq!(share(50, 54, 50), (25, 25));
        assert_eq!(share(50, 3, 50), (3, 47));
        assert_eq!(share(50, 50, 3), (47, 3));
        assert_eq!(share(50, 54, 0), (50, 0));
    }
}
