//! Rules that apps for bookmarks share: archived means the status `archive`, and starred or marked means the
//! tag `favorite`.

use kernel::tag::Tag;
use library::{FAVORITE, Item, ItemStatus};

/// True if the item has the tag of favorites.
pub(super) fn is_favorite(item: &Item) -> bool {
    item.tags.iter().any(|tag| is_same_tag(tag, FAVORITE))
}

/// True if both names are the same tag.
pub(super) fn is_same_tag(one: &str, other: &str) -> bool {
    Tag::of(one).map(|tag| tag.key) == Tag::of(other).map(|tag| tag.key)
}

/// New status of an item that is archived or taken out of the archive. `None` leaves it unchanged.
pub(super) fn status_after(item: &Item, archived: Option<bool>) -> Option<ItemStatus> {
    if archived? {
        return Some(ItemStatus::Archive);
    }
    (item.status == ItemStatus::Archive).then_some(ItemStatus::Inbox)
}
