//! Items of the library in a message.

use entities::ids::ItemId;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::plain_text::one_line;
use kernel::{Millis, rfc3339};

/// Maximum number of items that a message lists. Further items are only counted.
pub const MAX_LISTED_ITEMS: usize = 20;

/// Item that a message lists. Its title comes from a page or a user.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ListedItem {
    pub id: ItemId,
    /// URL of the page. `None` for a file or a text.
    pub url: Option<String>,
    pub title: String,
    pub tags: Vec<String>,
    pub saved_at: Millis,
}

/// Items that were saved.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct SavedList {
    /// Items that were saved first, oldest first.
    pub(super) items: Vec<ListedItem>,
    /// Number of further items.
    pub(super) more: u64,
}

impl SavedList {
    pub(super) fn of(item: ListedItem) -> Self {
        Self { items: vec![item], more: 0 }
    }

    /// Adds an item to the list, or to the number of further items.
    pub(super) fn add(&mut self, item: ListedItem) {
        if self.items.len() < MAX_LISTED_ITEMS {
            self.items.push(item);
        } else {
            self.more += 1;
        }
    }

    /// Returns the only item of the list.
    pub(super) fn single(&self) -> Option<&ListedItem> {
        match self.items.as_slice() {
            [item] if self.more == 0 => Some(item),
            _ => None,
        }
    }

    /// Returns the number of all items.
    pub(super) fn count(&self) -> u64 {
        self.items.len() as u64 + self.more
    }
}

impl ListedItem {
    /// Removes control characters from the title and the tags, and limits their length.
    pub(super) fn cleaned(self) -> Self {
        let tags = self.tags.iter().map(|tag| one_line(tag)).collect();
        Self { title: one_line(&self.title), tags, ..self }
    }

    /// Link to the item, under the origin of this service.
    pub(super) fn link(&self, origin: &str) -> String {
        format!("{origin}/library/{}", self.id)
    }

    pub(super) fn json(&self) -> Value {
        json!({
            "id": self.id,
            "url": self.url,
            "title": self.title,
            "tags": self.tags,
            "savedAt": rfc3339(self.saved_at),
        })
    }
}
