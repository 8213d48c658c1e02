//! Reverses a change of the tags, status, and read state of items. Items whose changed values have been changed again
//! are skipped.

use async_recursion::async_recursion as boxed;
use entities::ids::{AccountId, ItemId};
use entities::library_item;
use entities::library_words::ItemStatus;
use serde::{Deserialize, Serialize};

use super::change::change_items;
use super::item::{self, Item};
use super::tags::{MAX_TAGS, Tag};
use super::transaction::LibraryTransaction;
use kernel::{Domain, Millis, Result};

/// Values of an item that a change replaced. `None` and empty lists mean that the change did not affect the
/// value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ItemReversion {
    id: ItemId,
    /// Tags that the change added.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    added_tags: Vec<String>,
    /// Tags that the change removed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    removed_tags: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    status: Option<Replaced<ItemStatus>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    read: Option<Replaced<ItemReadState>>,
}

/// Value before and after a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Replaced<T> {
    before: T,
    after: T,
}

/// Read state of an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct ItemReadState {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    last_read_at: Option<Millis>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    finished_at: Option<Millis>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    progress: Option<i16>,
}

/// Compares earlier states of items with their current values. Items that are unchanged or no longer exist are omitted.
#[boxed]
pub async fn item_reversions(
    domain: &Domain,
    account_id: AccountId,
    before: &[Item],
) -> Result<Vec<ItemReversion>> {
    let ids: Vec<ItemId> = before.iter().map(|item| item.id).collect();
    let current = item::find_all(domain.db().read(), account_id, &ids).await?;
    let reversion = |before: &Item| {
        let after = current.iter().find(|item| item.id == before.id)?;
        ItemReversion::between(before, after)
    };
    Ok(before.iter().filter_map(reversion).collect())
}

/// Reverses the changes of items in one transaction, and returns the number of restored items. Items that no
/// longer exist, or whose changed values were changed again, are skipped.
#[boxed]
pub async fn revert_items(
    domain: &Domain,
    account_id: AccountId,
    reversions: &[ItemReversion],
) -> Result<usize> {
    let mut transaction = LibraryTransaction::begin(domain, account_id).await?;
    let ids: Vec<ItemId> = reversions.iter().map(|reversion| reversion.id).collect();
    let of = |item: &Item| reversions.iter().find(|reversion| reversion.id == item.id);
    let mut items = item::find_all(transaction.db(), account_id, &ids).await?;
    items.retain(|item| of(item).is_some_and(|reversion| reversion.matches(item)));
    change_items(&mut transaction, &items, |item, tags| {
        let mut row = item.row.clone();
        let Some(reversion) = of(item) else { return Ok((row, tags.to_vec())) };
        reversion.restore(&mut row);
        Ok((row, reversion.tags_before(tags)))
    })
    .await?;
    transaction.commit().await?;
    Ok(items.len())
}

impl ItemReversion {
    /// Compares two states of an item. `None` if they are equal.
    fn between(before: &Item, after: &Item) -> Option<Self> {
        let (read_before, read_after) = (ItemReadState::of(&before.row), ItemReadState::of(&after.row));
        let status = Replaced { before: before.status, after: after.status };
        let read = Replaced { before: read_before, after: read_after };
        let reversion = Self {
            id: before.id,
            added_tags: without(&after.tags, &before.tags),
            removed_tags: without(&before.tags, &after.tags),
            status: Some(status).filter(|status| status.before != status.after),
            read: Some(read).filter(|read| read.before != read.after),
        };
        let is_change = !reversion.added_tags.is_empty()
            || !reversion.removed_tags.is_empty()
            || reversion.status.is_some()
            || reversion.read.is_some();
        is_change.then_some(reversion)
    }

    /// Returns true if no value of the item was modified after the change, and the previous tags are still valid.
    fn matches(&self, item: &Item) -> bool {
        let has = |name: &String| has_tag(&item.tags, name);
        if item.tags.len() + self.removed_tags.len() > MAX_TAGS + self.added_tags.len() {
            return false;
        }
        self.added_tags.iter().all(has)
            && !self.removed_tags.iter().any(has)
            && self.status.is_none_or(|status| status.after == item.status)
            && self.read.is_none_or(|read| read.after == ItemReadState::of(&item.row))
    }

    fn restore(&self, row: &mut library_item::Model) {
        if let Some(status) = self.status {
            row.status = status.before;
        }
        if let Some(Replaced { before, after: _ }) = self.read {
            (row.last_read_at, row.finished_at, row.read_progress) =
                (before.last_read_at, before.finished_at, before.progress);
        }
    }

    /// Returns the tags without those that the change added, and with those that it removed.
    fn tags_before(&self, tags: &[Tag]) -> Vec<Tag> {
        let is_added = |tag: &&Tag| {
            self.added_tags.iter().filter_map(|name| Tag::of(name)).any(|one| one.key == tag.key)
        };
        let retained = tags.iter().filter(|tag| !is_added(tag)).cloned();
        retained.chain(self.removed_tags.iter().filter_map(|name| Tag::of(name))).collect()
    }
}

impl ItemReadState {
    fn of(row: &library_item::Model) -> Self {
        Self { last_read_at: row.last_read_at, finished_at: row.finished_at, progress: row.read_progress }
    }
}

/// Returns the names in `all` that are not tags in `others`.
fn without(all: &[String], others: &[String]) -> Vec<String> {
    all.iter().filter(|name| !has_tag(others, name)).cloned().collect()
}

fn has_tag(tags: &[String], name: &str) -> bool {
    let key = Tag::of(name).map(|tag| tag.key);
    key.is_some_and(|key| tags.iter().filter_map(|tag| Tag::of(tag)).any(|tag| tag.key == key))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item(tags: &[&str], status: ItemStatus) -> Item {
        let row = item::blank(ItemId::from_u128(1), AccountId::from_u128(2), 5);
        Item {
            row: library_item::Model { status, ..row },
            tags: tags.iter().map(|tag| (*tag).to_owned()).collect(),
        }
    }

    fn names(tags: &[Tag]) -> Vec<&str> {
        tags.iter().map(|tag| tag.name.as_str()).collect()
    }

    #[test]
    fn reversion_restores_only_changed_values() {
        let before = item(&["a", "b"], ItemStatus::Inbox);
        assert_eq!(ItemReversion::between(&before, &before), None);
        let mut after = item(&["B", "c"], ItemStatus::Archive);
        after.row.finished_at = Some(7);
        let reversion = ItemReversion::between(&before, &after).unwrap();
        assert!(reversion.matches(&after) && !reversion.matches(&before));
        let tags: Vec<Tag> = ["B", "c", "d"].iter().filter_map(|name| Tag::of(name)).collect();
        assert_eq!(names(&reversion.tags_before(&tags)), ["B", "d", "a"]);
        let mut row = after.row.clone();
        reversion.restore(&mut row);
        assert_eq!((row.status, row.finished_at), (ItemStatus::Inbox, None));
        let text = serde_json::to_string(&reversion).unwrap();
        assert_eq!(serde_json::from_str::<ItemReversion>(&text).unwrap(), reversion);
    }

    #[test]
    fn values_changed_since_are_not_overwritten() {
        let (before, after) = (item(&[], ItemStatus::Inbox), item(&["c"], ItemStatus::Archive));
        let reversion = ItemReversion::between(&before, &after).unwrap();
        assert!(reversion.matches(&item(&["c", "own"], ItemStatus::Archive)), "other tags do not matter");
        assert!(!reversion.matches(&item(&[], ItemStatus::Archive)));
        assert!(!reversion.matches(&item(&["c"], ItemStatus::Later)));
    }
}
