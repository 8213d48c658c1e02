//! Entries, fifty per response, and lists of entry ids.

use extract::feed::Enclosure;
use extract::render::escape;
use feeds::{AppEntry, Order, StreamQuery, StreamScope};
use kernel::{EntryId, Error};
use serde_json::{Map, Value, json};

use super::call::FeverCall;
use crate::item_list::processed_ids;

/// Number of entries per response.
const PAGE: u32 = 50;
/// Maximum number of ids per list. Longer lists contain only the newest entries.
const MAX_IDS: u32 = 50_000;

impl FeverCall<'_> {
    /// Adds `items` to the response: entries after `since_id`, entries before `max_id`, or the entries in
    /// `with_ids`.
    pub(super) async fn add_items(&self, answer: &mut Map<String, Value>) -> Result<(), Error> {
        let (domain, account_id) = (&self.app.domain, self.caller.account_id);
        let mut ids = match self.parameters.get("with_ids") {
            Some(ids) => distinct_ids(ids),
            None => self.page().await?,
        };
        let mut items = Vec::with_capacity(ids.len());
        while !ids.is_empty() {
            let entries = feeds::app_entries(domain, account_id, &ids).await?;
            let processed = processed_ids(&ids, &entries);
            ids.drain(..processed);
            items.extend(entries.into_iter().map(item_json));
        }
        answer.insert("items".into(), items.into());
        let total = feeds::count_entries(domain, account_id, MAX_IDS).await?;
        answer.insert("total_items".into(), total.into());
        Ok(())
    }

    async fn page(&self) -> Result<Vec<EntryId>, Error> {
        let of = |name: &str| self.parameters.get(name).and_then(parse_entry_id);
        let before = of("max_id").filter(|id| id.as_i64() > 0);
        let (since, through, order) = match (of("since_id"), before) {
            (Some(since), _) => (Some(since), None, Order::Oldest),
            (None, Some(before)) => (None, Some(EntryId::new(before.as_i64() - 1)), Order::Newest),
            (None, None) => (None, None, Order::Newest),
        };
        let query =
            StreamQuery { scope: StreamScope::All, unread: None, starred: None, since, through, order };
        self.ids(&query, PAGE).await
    }

    /// Returns `unread_item_ids`.
    pub(super) async fn unread_ids(&self) -> Result<String, Error> {
        self.list(StreamScope::All, Some(true)).await
    }

    /// Returns `saved_item_ids`.
    pub(super) async fn saved_ids(&self) -> Result<String, Error> {
        self.list(StreamScope::Starred, None).await
    }

    async fn list(&self, scope: StreamScope, unread: Option<bool>) -> Result<String, Error> {
        let query =
            StreamQuery { scope, unread, starred: None, since: None, through: None, order: Order::Newest };
        let ids = self.ids(&query, MAX_IDS).await?;
        Ok(ids.iter().rev().map(ToString::to_string).collect::<Vec<_>>().join(","))
    }

    async fn ids(&self, query: &StreamQuery, most: u32) -> Result<Vec<EntryId>, Error> {
        let page = feeds::stream(&self.app.domain, self.caller.account_id, query, None, most).await?;
        Ok(page.entries.iter().map(|entry| entry.id).collect())
    }
}

/// Returns the first [`PAGE`] ids of a list, without duplicates.
fn distinct_ids(list: &str) -> Vec<EntryId> {
    let mut ids = Vec::new();
    for id in list.split(',').filter_map(parse_entry_id).take(PAGE as usize) {
        if !ids.contains(&id) {
            ids.push(id);
        }
    }
    ids
}

/// Parses an entry id. `None` if the text is not a valid id.
pub(super) fn parse_entry_id(text: &str) -> Option<EntryId> {
    text.trim().parse().ok().map(EntryId::new)
}

fn item_json(app_entry: AppEntry) -> Value {
    let AppEntry { entry, mut html, .. } = app_entry;
    html.extend(entry.enclosures.iter().filter(|enclosure| !enclosure.is_image()).map(player));
    json!({
        "id": entry.id.as_i64(),
        "feed_id": entry.feed_id.as_i64(),
        "title": entry.title,
        "author": entry.author.unwrap_or_default(),
        "html": html,
        "url": entry.url,
        "is_saved": u8::from(entry.starred),
        "is_read": u8::from(!entry.unread),
        "created_on_time": entry.published_at.unwrap_or(entry.discovered_at) / 1000,
    })
}

/// Renders an attached file as an HTML player or link, because the protocol has no field for attachments.
fn player(enclosure: &Enclosure) -> String {
    let url = escape(&enclosure.url);
    let link = format!("<a href=\"{url}\">{url}</a>");
    if enclosure.is_video() {
        format!("<p><video controls preload=\"none\" src=\"{url}\"></video> {link}</p>")
    } else if enclosure.is_played() {
        format!("<p><audio controls preload=\"none\" src=\"{url}\"></audio> {link}</p>")
    } else {
        format!("<p>{link}</p>")
    }
}
