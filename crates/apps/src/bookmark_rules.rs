//! Rules that all bookmark apps share: an archived item has the status `archive`, and a starred or marked
//! item has the tag `favorite`.

use kernel::tag::Tag;
use library::{FAVORITE, Item, ItemStatus};

/// Returns true if the item has the tag `favorite`.
pub(super) fn is_favorite(item: &Item) -> bool {
    item.tags.iter().any(|tag| is_same_tag(tag, FAVORITE))
}

/// Returns true if both names identify the same tag.
pub(super) fn is_same_tag(one: &str, other: &str) -> bool {
    Tag::of(one).map(|tag| tag.key) == Tag::of(other).map(|tag| tag.key)
}

/// Returns the new status of an item that is moved into or out of the archive. `None` if the status does not
/// change.
pub(super) fn status_after(item: &Item, archived: Option<bool>) -> Option<ItemStatus> {
    if archived? {
        return Some(ItemStatus::Archive);
    }
    (item.status == ItemStatus::Archive).then_some(ItemStatus::Inbox)
}
