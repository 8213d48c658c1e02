//! New entries of a feed in a message, and their texts in a message to a webhook.

use entities::ids::{EntryId, FeedId, SubscriptionId};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::plain_text::{one_line, sanitized, without_controls};
use kernel::{Error, Millis, Result, rfc3339};

/// Maximum size of the text of an entry in a message, in bytes.
pub const MAX_ENTRY_TEXT_BYTES: usize = 20 * 1024;
/// Maximum total size of the texts of entries in a message, in bytes.
pub const MAX_MESSAGE_TEXT_BYTES: usize = 200 * 1024;

/// Text of an entry for a message.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ListedText {
    pub text: String,
    /// True if the text was shortened.
    pub is_cut: bool,
}

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
    /// Whole text. `None` if the entry has no text or the message has no texts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content: Option<ListedText>,
}

/// New entries of a subscription.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct EntryList {
    pub(super) subscription_id: SubscriptionId,
    pub(super) feed_id: FeedId,
    /// Title of the feed, as displayed to its follower.
    pub(super) feed_title: String,
    pub(super) feed_url: String,
    pub(super) site_url: Option<String>,
    /// Newest entries, oldest first.
    pub(super) entries: Vec<ListedEntry>,
    /// Number of further entries.
    pub(super) more: u64,
    /// True if the message contains the texts of the entries.
    #[serde(default)]
    pub(super) has_texts: bool,
}

impl EntryList {
    /// Returns the only entry of the list.
    pub(super) fn single(&self) -> Option<&ListedEntry> {
        match self.entries.as_slice() {
            [entry] if self.more == 0 => Some(entry),
            _ => None,
        }
    }

    /// Returns the list with or without the texts of its entries.
    pub(super) fn with_texts(&self, has_texts: bool) -> Self {
        let mut list = Self { has_texts, ..self.clone() };
        if !has_texts {
            for entry in &mut list.entries {
                entry.content = None;
            }
        }
        list
    }

    /// Serializes the list for the row of a message.
    pub(super) fn to_column(&self) -> Result<String> {
        serde_json::to_string(self).map_err(Error::internal)
    }

    /// Returns the entries for a webhook.
    pub(super) fn entries_json(&self) -> Value {
        let json = |entry: &ListedEntry| if self.has_texts { entry.json_with_text() } else { entry.json() };
        self.entries.iter().map(json).collect()
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
    /// Removes control characters from the texts, and limits the length of title and summary.
    pub(super) fn cleaned(self) -> Self {
        let clean = |content: ListedText| ListedText { text: without_controls(&content.text), ..content };
        let content = self.content.map(clean);
        Self { title: one_line(&self.title), text: sanitized(&self.text), content, ..self }
    }

    /// Link to the entry, under the origin of this service.
    pub(super) fn link(&self, origin: &str) -> String {
        format!("{origin}/entries/{}", self.id)
    }

    fn json(&self) -> Value {
        json!({
            "id": self.id,
            "url": self.url,
            "title": self.title,
            "text": self.text,
            "publishedAt": self.published_at.map(rfc3339),
        })
    }

    /// Like [`Self::json`], but with the whole text.
    fn json_with_text(&self) -> Value {
        let mut value = self.json();
        value["content"] = json!(self.content.as_ref().map(|content| &content.text));
        value["contentCut"] = json!(self.content.as_ref().is_some_and(|content| content.is_cut));
        value
    }
}

/// Shortens the texts of entries to [`MAX_ENTRY_TEXT_BYTES`] each and [`MAX_MESSAGE_TEXT_BYTES`] in total. The last
/// entries, which are the newest, take precedence.
pub(super) fn limit_texts(entries: &mut [ListedEntry]) {
    let mut left = MAX_MESSAGE_TEXT_BYTES;
    for content in entries.iter_mut().rev().filter_map(|entry| entry.content.as_mut()) {
        let most = left.min(MAX_ENTRY_TEXT_BYTES);
        if content.text.len() > most {
            content.text.truncate(content.text.floor_char_boundary(most));
            content.is_cut = true;
        }
        left -= content.text.len();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(id: i64, text: &str) -> ListedEntry {
        let content = Some(ListedText { text: text.to_owned(), is_cut: false });
        let (url, title) = (String::new(), String::new());
        ListedEntry { id: EntryId::new(id), url, title, text: String::new(), published_at: None, content }
    }

    #[test]
    fn texts_over_the_limits_are_cut_and_the_newest_take_precedence() {
        let long = "é".repeat(MAX_ENTRY_TEXT_BYTES);
        let mut entries: Vec<ListedEntry> = (1..=12).map(|id| entry(id, &long)).collect();
        entries.push(entry(13, "short"));
        limit_texts(&mut entries);
        let contents: Vec<&ListedText> = entries.iter().filter_map(|entry| entry.content.as_ref()).collect();
        assert_eq!((contents[12].text.as_str(), contents[12].is_cut), ("short", false));
        assert_eq!((contents[11].text.len(), contents[11].is_cut), (MAX_ENTRY_TEXT_BYTES, true));
        assert_eq!((contents[0].text.len(), contents[0].is_cut), (0, true));
        let sum: usize = contents.iter().map(|content| content.text.len()).sum();
        assert!(sum <= MAX_MESSAGE_TEXT_BYTES && sum > MAX_MESSAGE_TEXT_BYTES - 10, "{sum}");
        assert_eq!(entries[0].json_with_text()["contentCut"], true);
    }
}
