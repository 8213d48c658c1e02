//! A list of items of any length. It is sent in parts, because apps request all items with their texts in one
//! response.

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::Arc;

use feeds::{AppEntry, StreamQuery};
use futures_util::{StreamExt, stream};
use kernel::{AccountId, EntryId, Error, FeedId};
use poem::http::{HeaderValue, header};
use poem::{Body, IntoResponse, Response};
use serde_json::Value;

use super::item::item_json;
use http_kit::app::App;

/// Number of entries that are loaded at a time.
const STEP: usize = 50;
/// Maximum size in bytes of a list that is sent as a whole. Only such a response can be compressed.
const WHOLE_BYTES: usize = 1024 * 1024;

/// Entries of a list.
pub(super) enum ItemListSource {
    Stream {
        query: StreamQuery,
        /// Last entry that was loaded.
        after: Option<EntryId>,
        /// Number of entries that may still be loaded.
        left: u64,
    },
    /// Changed entries, with the second of the change.
    Changes(VecDeque<(EntryId, i64)>),
}

/// Condition on listed entries.
pub(super) enum ItemCondition {
    None,
    Feed(FeedId),
    Feeds(HashSet<FeedId>),
    Starred,
}

impl ItemCondition {
    fn accepts(&self, app_entry: &AppEntry) -> bool {
        match self {
            Self::None => true,
            Self::Feed(id) => app_entry.entry.feed_id == *id,
            Self::Feeds(ids) => ids.contains(&app_entry.entry.feed_id),
            Self::Starred => app_entry.entry.starred,
        }
    }
}

pub(super) struct NextcloudItemList {
    app: Arc<App>,
    account_id: AccountId,
    source: ItemListSource,
    filter: ItemCondition,
    /// Second that is reported as the last change of items whose last change is unknown.
    second: i64,
    is_complete: bool,
    /// True if a part with items was already returned.
    has_items: bool,
}

impl NextcloudItemList {
    pub(super) fn new(
        app: &Arc<App>,
        account_id: AccountId,
        source: ItemListSource,
        filter: ItemCondition,
    ) -> Self {
        let app = Arc::clone(app);
        Self { app, account_id, source, filter, second: 0, is_complete: false, has_items: false }
    }

    /// Sets the second that is reported for items whose last change is unknown.
    pub(super) fn with_second(self, second: i64) -> Self {
        Self { second, ..self }
    }

    /// Returns the response.
    pub(super) async fn answer(mut self) -> Result<Response, Error> {
        // The first parts are loaded before the response begins, so that an error can be reported with its own
        // status.
        let mut first = "{\"items\":[".to_owned();
        while first.len() < WHOLE_BYTES
            && let Some(part) = self.next_part().await?
        {
            first.push_str(&part);
        }
        if self.is_complete {
            first.push_str("]}");
            return Ok(first.with_content_type("application/json; charset=utf-8").into_response());
        }
        let rest = stream::unfold(Some(self), |list| async move {
            let mut list = list?;
            match list.next_part().await {
                Ok(Some(part)) => Some((Ok(part), Some(list))),
                Ok(None) => Some((Ok("]}".to_owned()), None)),
                Err(error) => {
                    tracing::warn!(error = error.report(), "failed to send a list of items");
                    Some((Err(std::io::Error::other("the list is incomplete")), None))
                }
            }
        });
        let parts = stream::once(async move { Ok::<_, std::io::Error>(first) }).chain(rest);
        let mut response = Response::from(Body::from_bytes_stream(parts));
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json; charset=utf-8"));
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-store, no-transform"));
        Ok(response)
    }

    /// Returns the next items, separated by commas. `None` at the end of the list.
    async fn next_part(&mut self) -> Result<Option<String>, Error> {
        while !self.is_complete {
            let items = self.next_items().await?;
            if items.is_empty() {
                continue;
            }
            let items: Vec<String> = items.iter().map(Value::to_string).collect();
            let separator = if self.has_items { "," } else { "" };
            self.has_items = true;
            return Ok(Some(format!("{separator}{}", items.join(","))));
        }
        Ok(None)
    }

    /// Loads the next entries. If they do not all fit into one step, the next step continues with the remaining
    /// entries. A permit is occupied only while entries are loaded, because an app may request two lists before it
    /// reads the first, and a client that reads slowly must not block the other apps of its account.
    async fn next_items(&mut self) -> Result<Vec<Value>, Error> {
        let _permit = self.app.limit_long_answers(self.account_id).await;
        let domain = &self.app.domain;
        let (entries, seconds) = match &mut self.source {
            ItemListSource::Stream { query, after, left } => {
                let limit = u32::try_from((*left).min(STEP as u64)).unwrap_or_default();
                let page = feeds::stream(domain, self.account_id, query, *after, limit).await?;
                let ids: Vec<EntryId> = page.entries.iter().map(|entry| entry.id).collect();
                let entries = feeds::app_entries(domain, self.account_id, &ids).await?;
                *left = left.saturating_sub(entries.len() as u64);
                let cut = entries.last().map(|last| last.entry.id).filter(|last| Some(last) != ids.last());
                *after = cut.or(page.next_after);
                self.is_complete = after.is_none() || *left == 0;
                (entries, HashMap::new())
            }
            ItemListSource::Changes(changes) => {
                let step: Vec<(EntryId, i64)> = changes.iter().take(STEP).copied().collect();
                let ids: Vec<EntryId> = step.iter().map(|(id, _)| *id).collect();
                let entries = feeds::app_entries(domain, self.account_id, &ids).await?;
                let last = entries.last().and_then(|last| ids.iter().position(|id| *id == last.entry.id));
                changes.drain(..last.map_or(step.len(), |last| last + 1));
                self.is_complete = changes.is_empty();
                (entries, step.into_iter().collect())
            }
        };
        let accepted = entries.into_iter().filter(|entry| self.filter.accepts(entry));
        let item = |entry: AppEntry| {
            let second = seconds.get(&entry.entry.id).copied().unwrap_or(self.second);
            item_json(entry, second)
        };
        Ok(accepted.map(item).collect())
    }
}
