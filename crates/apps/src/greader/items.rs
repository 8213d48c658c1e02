//! Entries with their texts, selected by stream or by id.

use std::collections::HashMap;
use std::sync::Arc;

use extract::feed::Enclosure;
use feeds::{AppEntry, StreamQuery};
use kernel::{AccountId, EntryId, Error, FeedId};
use percent_encoding::percent_decode_str;
use poem::Response;
use serde_json::{Map, Value, json};

use super::call::GReaderCall;
use super::item_id;
use super::stream_id::{READ, READING_LIST, STARRED, USER, of_feed, of_label};
use super::streams::MAX_ITEMS;
use crate::answers::json_answer;
use crate::fault::malformed;
use crate::item_list::{ItemSource, STEP, item_list_answer, processed_ids};
use http_kit::app::App;

impl GReaderCall<'_> {
    /// `stream/contents/STREAM`: entries of a stream. The stream may also be named by the parameter `s`.
    pub(super) async fn stream_contents(&self, in_path: Option<&str>) -> Result<Response, Error> {
        let decoded = in_path.map(|name| percent_decode_str(name).decode_utf8_lossy().into_owned());
        let name = decoded.as_deref().or_else(|| self.parameters.get("s")).unwrap_or(READING_LIST);
        let Some(query) = self.query(name).await? else {
            return json_answer(&self.page_json(name, Vec::new()));
        };
        let (entries, continuation) = self.entries(&query).await?;
        let mut answer = self.page_json(name, self.items_json(entries).await?);
        if let Some(continuation) = continuation {
            answer["continuation"] = continuation.into();
        }
        json_answer(&answer)
    }

    /// Returns one page of entries with their texts, and the continuation of the next page. The continuation
    /// is `None` if there is no next page.
    pub(super) async fn entries(
        &self,
        query: &StreamQuery,
    ) -> Result<(Vec<AppEntry>, Option<String>), Error> {
        let page = self.page(query, MAX_ITEMS).await?;
        let ids: Vec<EntryId> = page.entries.iter().map(|entry| entry.id).collect();
        let entries = feeds::app_entries(&self.app.domain, self.caller.account_id, &ids).await?;
        // The next page begins with the entries that did not fit into this page.
        let cut = entries.last().map(|last| last.entry.id).filter(|last| Some(last) != ids.last());
        let continuation = match cut.or(page.next_after) {
            Some(after) => Some(self.continuation(query, after).await?),
            None => None,
        };
        Ok((entries, continuation))
    }

    /// `stream/items/contents`: entries by id. Unknown ids are ignored. The other entries are complete, because an app
    /// cannot distinguish an omitted entry from a deleted one.
    pub(super) async fn item_contents(&self) -> Result<Response, Error> {
        let ids = self.ids();
        if ids.is_empty() && !self.parameters.has("i") {
            return Err(malformed("The parameter i is missing."));
        }
        let (app, account_id) = (Arc::clone(self.app), self.caller.account_id);
        let labels = feeds::labels(&app.domain, account_id).await?;
        item_list_answer(self.list(READING_LIST), EntriesById { app, account_id, ids, labels }).await
    }

    /// Returns the ids in the parameters `i`, without duplicates. Their number is bounded by the number of
    /// parameters.
    pub(super) fn ids(&self) -> Vec<EntryId> {
        let mut ids: Vec<EntryId> = Vec::new();
        let mut known = std::collections::HashSet::new();
        for id in self.parameters.all("i").filter_map(item_id::parse) {
            if known.insert(id) {
                ids.push(id);
            }
        }
        ids
    }

    /// Returns a list with these items.
    fn page_json(&self, name: &str, items: Vec<Value>) -> Value {
        let mut list = self.list(name);
        list.insert("items".into(), items.into());
        list.into()
    }

    /// Returns the members of a list except its items.
    fn list(&self, name: &str) -> Map<String, Value> {
        let members: [(&str, Value); 4] = [
            ("direction", "ltr".into()),
            ("id", name.into()),
            ("title", "Carrel".into()),
            ("updated", (self.app.domain.now() / 1000).into()),
        ];
        members.into_iter().map(|(member, value)| (member.to_owned(), value)).collect()
    }

    async fn items_json(&self, entries: Vec<AppEntry>) -> Result<Vec<Value>, Error> {
        let labels = feeds::labels(&self.app.domain, self.caller.account_id).await?;
        Ok(entries.into_iter().map(|entry| item(entry, &labels)).collect())
    }
}

/// Entries that an app names by id, with their texts.
struct EntriesById {
    app: Arc<App>,
    account_id: AccountId,
    /// Entries that were not loaded yet.
    ids: Vec<EntryId>,
    labels: HashMap<FeedId, String>,
}

impl ItemSource for EntriesById {
    fn is_complete(&self) -> bool {
        self.ids.is_empty()
    }

    async fn next_items(&mut self) -> Result<Vec<Value>, Error> {
        let _permit = self.app.limit_long_answers(self.account_id).await;
        let step = &self.ids[..self.ids.len().min(STEP)];
        let entries = feeds::app_entries(&self.app.domain, self.account_id, step).await?;
        let processed = processed_ids(step, &entries);
        self.ids.drain(..processed);
        Ok(entries.into_iter().map(|entry| item(entry, &self.labels)).collect())
    }
}

fn item(app_entry: AppEntry, labels: &HashMap<FeedId, String>) -> Value {
    let AppEntry { entry, discovered_us, html } = app_entry;
    let mut categories = vec![READING_LIST.to_owned()];
    if !entry.unread {
        categories.push(READ.to_owned());
    }
    if entry.starred {
        categories.push(STARRED.to_owned());
    }
    categories.extend(labels.get(&entry.feed_id).map(|name| of_label(name)));
    // As in FreshRSS, a category of the feed is the plain name. Names with the prefix of states and labels are omitted, so
    // that a feed cannot mark its entries as read or starred.
    categories.extend(entry.categories.names.into_iter().filter(|name| !name.starts_with(USER)));
    let enclosures: Vec<Value> = entry.enclosures.iter().map(enclosure_json).collect();
    let published = entry.published_at.unwrap_or(entry.discovered_at) / 1000;
    json!({
        "id": item_id::long(entry.id),
        "crawlTimeMsec": (discovered_us / 1000).to_string(),
        "timestampUsec": discovered_us.to_string(),
        "published": published,
        "updated": published,
        "title": entry.title,
        "author": entry.author.unwrap_or_default(),
        "canonical": [{ "href": entry.url }],
        "alternate": [{ "href": entry.url, "type": "text/html" }],
        "enclosure": enclosures,
        "summary": { "direction": "ltr", "content": html },
        "categories": categories,
        "origin": {
            "streamId": of_feed(entry.feed_id),
            "title": entry.feed_title,
            "htmlUrl": entry.feed_site_url.unwrap_or_default(),
        },
    })
}

fn enclosure_json(enclosure: &Enclosure) -> Value {
    let mut file = json!({ "href": enclosure.url, "type": enclosure.media_type });
    if let Some(size_bytes) = enclosure.size_bytes {
        file["length"] = size_bytes.into();
    }
    file
}
