//! New entries of a feed in a message.

use entities::ids::{EntryId, FeedId, SubscriptionId};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::plain_text::{one_line, sanitized};
use kernel::{Millis, rfc3339};

/// New entry that a message lists. Title and text come from a feed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ListedEntry {
    pub id: EntryId,
    /// Page of the publisher.
    pub url: String,
    /// Title on a single line.
    pub title: String,
    /// Summary on a single line. Empty if there is none.
    pub text: String,
    pub published_at: Option<Millis>,
}

/// New entries of a subscription.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct EntryList {
    pub(super) subscription_id: SubscriptionId,
    pub(super) feed_id: FeedId,
    /// Title of the feed that is displayed to its follower.
    pub(super) feed_title: String,
    pub(super) feed_url: String,
    pub(super) site_url: Option<String>,
    /// Newest entries, oldest first.
    pub(super) entries: Vec<ListedEntry>,
    /// Number of further entries.
    pub(super) more: u64,
}

impl EntryList {
    /// Returns the only entry of the list.
    pub(super) fn single(&self) -> Option<&ListedEntry> {
        match self.entries.as_slice() {
            [entry] if self.more == 0 => Some(entry),
            _ => None,
        }
    }

    pub(super) fn feed_json(&self) -> Value {
        json!({
            "subscriptionId": self.subscription_id,
            "feedId": self.feed_id,
            "title": self.feed_title,
            "url": self.feed_url,
            "siteUrl": self.site_url,
        })
    }
}

impl ListedEntry {
    /// Removes control characters from the texts, and limits their length.
    pub(super) fn cleaned(self) -> Self {
        Self { title: one_line(&self.title), text: sanitized(&self.text), ..self }
    }

    /// Link to the entry, under the origin of this service.
    pub(super) fn link(&self, origin: &str) -> String {
        format!("{origin}/entries/{}", self.id)
    }

    pub(super) fn json(&self) -> Value {
        json!({
            "id": self.id,
            "url": self.url,
            "title": self.title,
            "text": self.text,
            "publishedAt": self.published_at.map(rfc3339),
        })
    }
}
