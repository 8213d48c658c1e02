//! Entries of a list of items, which may be of any length.

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::Arc;

use feeds::{AppEntry, StreamQuery};
use kernel::{AccountId, EntryId, Error, FeedId};
use poem::Response;
use serde_json::{Map, Value};

use super::item::item_json;
use crate::item_list::{ItemSource, STEP, item_list_answer, processed_ids};
use http_kit::app::App;

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
}

impl NextcloudItemList {
    pub(super) fn new(
        app: &Arc<App>,
        account_id: AccountId,
        source: ItemListSource,
        filter: ItemCondition,
    ) -> Self {
        let app = Arc::clone(app);
        Self { app, account_id, source, filter, second: 0, is_complete: false }
    }

    /// Sets the second that is reported for items whose last change is unknown.
    pub(super) fn with_second(self, second: i64) -> Self {
        Self { second, ..self }
    }

    /// Returns the response.
    pub(super) async fn answer(self) -> Result<Response, Error> {
        item_list_answer(Map::new(), self).await
    }
}

impl ItemSource for NextcloudItemList {
    fn is_complete(&self) -> bool {
        self.is_complete
    }

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
                changes.drain(..processed_ids(&ids, &entries));
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
