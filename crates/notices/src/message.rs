//! Content of a message, before it is rendered for a channel.

use entities::ids::{MonitorId, SubscriptionId};
use entities::notice::{self, NoticeKind};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::entry_list::{EntryList, ListedEntry};
use super::plain_text::{MAX_CHANGE_CHARS, one_line, sanitized, sanitized_to};
use super::saved_list::{ListedItem, SavedList};
use super::today::{TodayDigest, TodayList};
use kernel::{Language, Millis, rfc3339};

/// Texts of a change, for templates. They come from a page.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChangedTexts {
    /// Texts before the change, one per line.
    pub before: String,
    /// Texts after the change, one per line.
    pub after: String,
    /// New text of the first value that changed, on one line.
    pub value: String,
    /// Removed lines after `- `, and added lines after `+ `.
    pub lines: String,
}

/// Texts of a message and its link.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct MessageContent {
    /// Title on a single line.
    pub(super) title: String,
    /// Text of a few lines.
    pub(super) text: String,
    /// Link to more information, under the origin of this service.
    pub(super) link: String,
    /// Time of the event.
    pub(super) at: Millis,
    /// Name of the monitor.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) monitor: Option<String>,
    /// URL that the monitor watches.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) source: Option<String>,
    /// Texts of a change that templates can read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) changed: Option<ChangedTexts>,
    /// New entries of a feed. They are stored in a column of their own; earlier versions of the program stored them in
    /// this object.
    #[serde(default, skip_serializing)]
    pub(super) new_entries: Option<EntryList>,
    /// Items that were saved to the library.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) saved_items: Option<SavedList>,
    /// Link to snooze or mute the monitor. It is created when the message is rendered.
    #[serde(skip)]
    pub(super) snooze_link: Option<String>,
}

impl MessageContent {
    /// Creates the content from texts of this service or of a page. Control characters are removed, and the
    /// length is limited.
    pub(super) fn new(title: &str, text: &str, link: String, at: Millis) -> Self {
        let (title, text) = (one_line(title), sanitized(text));
        Self { title, text, link, at, ..Self::default() }
    }

    /// Adds the monitor to which the content refers.
    pub(super) fn with_monitor(mut self, name: &str, source: &str) -> Self {
        self.monitor = Some(one_line(name));
        self.source = Some(source.to_owned());
        self
    }

    /// Adds the texts of a change.
    pub(super) fn with_change(mut self, changed: &ChangedTexts) -> Self {
        self.changed = Some(ChangedTexts {
            before: sanitized(&changed.before),
            after: sanitized(&changed.after),
            value: one_line(&changed.value),
            lines: sanitized_to(&changed.lines, MAX_CHANGE_CHARS),
        });
        self
    }

    /// Adds the new entries that the message lists.
    pub(super) fn with_entries(mut self, entries: EntryList) -> Self {
        self.new_entries = Some(entries);
        self
    }

    /// Name of the monitor or title of the feed.
    pub(super) fn source_name(&self) -> Option<&str> {
        let feed = self.new_entries.as_ref().map(|list| list.feed_title.as_str());
        self.monitor.as_deref().or(feed)
    }

    /// URL of the watched page, of the entry, of the feed, or of the saved item.
    pub(super) fn source_url(&self) -> Option<&str> {
        let item = self.saved_items.as_ref().and_then(SavedList::single).and_then(|item| item.url.as_deref());
        let feed = self.new_entries.as_ref().map(|list| {
            let url = list.single().map(|entry| &entry.url).or(list.site_url.as_ref());
            url.unwrap_or(&list.feed_url).as_str()
        });
        self.source.as_deref().or(feed).or(item)
    }

    /// Adds the saved items that the message lists.
    pub(super) fn with_saved_items(mut self, items: SavedList) -> Self {
        self.saved_items = Some(items);
        self
    }

    /// Contents of the new entries or saved items, as a message lists them, and the number of further ones.
    pub(super) fn listed_messages(&self, origin: &str) -> (Vec<(NoticeKind, Self)>, u64) {
        if let Some(list) = &self.saved_items {
            let content = |item: &ListedItem| Self {
                source: item.url.clone(),
                ..Self::new(&item.title, &item.tags.join(", "), item.link(origin), item.saved_at)
            };
            return (list.items.iter().map(|item| (NoticeKind::Saved, content(item))).collect(), list.more);
        }
        let Some(list) = &self.new_entries else { return (Vec::new(), 0) };
        let content = |entry: &ListedEntry| Self {
            source: Some(entry.url.clone()),
            ..Self::new(&entry.title, &entry.text, entry.link(origin), entry.published_at.unwrap_or(self.at))
        };
        (list.entries.iter().map(|entry| (NoticeKind::Entries, content(entry))).collect(), list.more)
    }

    /// True if the message is about a single entry or item, and so has its title and link.
    fn is_single(&self) -> bool {
        let is_entry = self.new_entries.as_ref().is_some_and(|list| list.single().is_some());
        is_entry || self.saved_items.as_ref().is_some_and(|list| list.single().is_some())
    }

    /// Parses the content of a row that another message collects. The texts of entries are omitted, because the other
    /// message may list many entries.
    pub(super) fn of_collected(row: &notice::Model) -> Self {
        let content = Self::of(row);
        let new_entries = content.new_entries.as_ref().map(|list| list.with_texts(false));
        Self { new_entries, ..content }
    }

    /// Parses the content of a row. Empty if it cannot be parsed.
    pub(super) fn of(row: &notice::Model) -> Self {
        let mut content: Self = serde_json::from_str(&row.content).unwrap_or_default();
        if let Some(entries) = &row.entries {
            content.new_entries = serde_json::from_str(entries).ok();
        }
        if let Some(entry) = content.new_entries.as_ref().and_then(EntryList::single) {
            content.text.clone_from(&entry.text);
        }
        content
    }
}

/// Object that a message is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NoticeSubject {
    /// The account or its channels.
    Account,
    Monitor(MonitorId),
    Subscription(SubscriptionId),
}

impl NoticeSubject {
    pub(super) fn of(row: &notice::Model) -> Self {
        match (row.monitor_id, row.subscription_id) {
            (Some(id), _) => Self::Monitor(id),
            (None, Some(id)) => Self::Subscription(id),
            (None, None) => Self::Account,
        }
    }

    pub(super) fn monitor_id(self) -> Option<MonitorId> {
        match self {
            Self::Monitor(id) => Some(id),
            Self::Account | Self::Subscription(_) => None,
        }
    }

    pub(super) fn subscription_id(self) -> Option<SubscriptionId> {
        match self {
            Self::Subscription(id) => Some(id),
            Self::Account | Self::Monitor(_) => None,
        }
    }
}

#[derive(Clone, Debug)]
pub(super) struct Message {
    pub(super) kind: NoticeKind,
    pub(super) content: MessageContent,
    pub(super) subject: NoticeSubject,
    /// Newest collected messages, new entries of a feed, or saved items, oldest first.
    pub(super) collected: Vec<(NoticeKind, MessageContent)>,
    /// Number of further collected messages, new entries, or saved items.
    pub(super) more: u64,
    /// Content of Today, or due highlights, that a digest contains.
    pub(super) today: Option<TodayDigest>,
    /// Language of the texts that this service adds.
    pub(super) language: Language,
}

impl Message {
    /// JSON body of a webhook.
    pub(super) fn json(&self) -> Value {
        let mut data = content_json(&self.content);
        if let Some(id) = self.subject.monitor_id() {
            data["monitor"]["id"] = json!(id);
        }
        if collects_others(self.kind) {
            let collected = self.collected.iter().map(|(kind, content)| {
                let mut one = content_json(content);
                one["type"] = json!(event_type(*kind));
                one["timestamp"] = json!(rfc3339(content.at));
                one
            });
            data["messages"] = collected.collect();
            data["more"] = json!(self.more);
        }
        if let Some(today) = self.today.as_ref().filter(|today| today.due_highlights > 0) {
            data["dueHighlights"] = json!(today.due_highlights);
            data["highlights"] = today.lists.iter().flat_map(TodayList::highlights_json).collect();
        }
        json!({ "type": event_type(self.kind), "timestamp": rfc3339(self.content.at), "data": data })
    }

    /// Messages, entries, or items that the default text lists. Empty for a single entry or item, which is the message
    /// itself.
    pub(super) fn listed(&self) -> &[(NoticeKind, MessageContent)] {
        if self.content.is_single() { &[] } else { self.collected.as_slice() }
    }
}

fn content_json(content: &MessageContent) -> Value {
    let mut data = json!({ "title": content.title, "text": content.text, "link": content.link });
    if let Some(name) = &content.monitor {
        data["monitor"] = json!({ "name": name, "targetUrl": content.source });
    }
    if let Some(list) = &content.new_entries {
        data["feed"] = list.feed_json();
        data["entries"] = list.entries_json();
        data["more"] = json!(list.more);
    }
    if let Some(list) = &content.saved_items {
        data["items"] = list.items.iter().map(ListedItem::json).collect();
        data["more"] = json!(list.more);
    }
    data
}

/// True if messages of this kind collect other messages.
pub(super) const fn collects_others(kind: NoticeKind) -> bool {
    match kind {
        NoticeKind::Digest | NoticeKind::Several | NoticeKind::Summary => true,
        NoticeKind::Change
        | NoticeKind::Failed
        | NoticeKind::Entries
        | NoticeKind::Saved
        | NoticeKind::Credits
        | NoticeKind::SignIn
        | NoticeKind::Key
        | NoticeKind::Grant
        | NoticeKind::ChannelOff
        | NoticeKind::Test => false,
    }
}

/// True if messages of this kind are about monitors, feeds, or saved items, so that they may wait for a digest.
pub(super) const fn may_wait_for_digest(kind: NoticeKind) -> bool {
    collects_others(kind)
        || matches!(kind, NoticeKind::Change | NoticeKind::Failed | NoticeKind::Entries | NoticeKind::Saved)
}

/// Type of a message in webhooks.
pub(super) const fn event_type(kind: NoticeKind) -> &'static str {
    match kind {
        NoticeKind::Change => "monitor.changed",
        NoticeKind::Failed => "monitor.failed",
        NoticeKind::Entries => "feed.entries",
        NoticeKind::Saved => "library.item_saved",
        NoticeKind::Credits => "credits.used",
        NoticeKind::SignIn => "account.signed_in",
        NoticeKind::Key => "account.key_created",
        NoticeKind::Grant => "account.app_connected",
        NoticeKind::ChannelOff => "channel.switched_off",
        NoticeKind::Digest => "digest",
        NoticeKind::Several => "monitor.changes",
        NoticeKind::Summary => "summary",
        NoticeKind::Test => "test",
    }
}
