//! Lists of items: all, of a feed, of a folder, or starred, and the items that changed since a time.

use feeds::{Order, StreamQuery, StreamScope};
use kernel::{EntryId, Error, FeedId};
use poem::Response;

use super::call::NewsCall;
use super::feed_list::all_entries;
use super::item_list::{ItemCondition, ItemListSource, NextcloudItemList};
use crate::fault::malformed;

/// Values of the parameter `type`.
const FEED: i64 = 0;
const FOLDER: i64 = 1;
const STARRED: i64 = 2;
const ALL: i64 = 3;
const UNREAD: i64 = 6;

impl NewsCall<'_> {
    /// `GET items`: a page of items, or all of them if `batchSize` is missing or not positive. `offset` is the
    /// id of the last item of the previous page.
    pub(super) async fn list_items(&self) -> Result<Response, Error> {
        let (domain, account_id) = (&self.app.domain, self.caller.account_id);
        let scope = self.scope().await?;
        let wants_read = self.flag("getRead")?.unwrap_or(true);
        let is_unread_only = self.number("type")? == Some(UNREAD) || !wants_read;
        // As in Nextcloud News, starred items are listed regardless of `getRead`.
        let unread = (is_unread_only && scope != StreamScope::Starred).then_some(true);
        let offset = self.number("offset")?.filter(|offset| *offset > 0);
        let is_oldest_first = self.flag("oldestFirst")?.unwrap_or_default();
        let query = if is_oldest_first {
            StreamQuery { order: Order::Oldest, since: offset.map(EntryId::new), ..all_entries() }
        } else {
            StreamQuery { through: offset.map(|id| EntryId::new(id - 1)), ..all_entries() }
        };
        let query = StreamQuery { scope, unread, ..query };
        let size =
            self.number("batchSize")?.and_then(|size| u64::try_from(size).ok()).filter(|size| *size > 0);
        let permit = self.app.limit_long_answers(account_id).await;
        let second = feeds::settled_second(domain, account_id).await?;
        drop(permit);
        let source = ItemListSource::Stream { query, after: None, left: size.unwrap_or(u64::MAX) };
        self.list(source, ItemCondition::None, second).answer().await
    }

    /// `GET items/updated`: items that were added or changed at or after the second `lastModified`.
    pub(super) async fn list_updated_items(&self) -> Result<Response, Error> {
        let (domain, account_id) = (&self.app.domain, self.caller.account_id);
        let since = seconds(self.number("lastModified")?.unwrap_or(0));
        let scope = self.scope().await?;
        let filter = match scope {
            StreamScope::All => ItemCondition::None,
            StreamScope::Feed(id) => ItemCondition::Feed(id),
            StreamScope::Collection(id) => ItemCondition::Feeds(
                feeds::get_collection(domain, account_id, id).await?.feed_ids.into_iter().collect(),
            ),
            StreamScope::Starred => ItemCondition::Starred,
        };
        let permit = self.app.limit_long_answers(account_id).await;
        let changed = feeds::changed_entries(domain, account_id, since).await?;
        drop(permit);
        let (source, filter) = if let Some(entries) = changed.entries {
            (ItemListSource::Changes(entries.into()), filter)
        } else {
            let query = StreamQuery { scope, ..all_entries() };
            (ItemListSource::Stream { query, after: None, left: u64::MAX }, ItemCondition::None)
        };
        self.list(source, filter, changed.last_second).answer().await
    }

    fn list(&self, source: ItemListSource, filter: ItemCondition, second: i64) -> NextcloudItemList {
        NextcloudItemList::new(self.app, self.caller.account_id, source, filter).with_second(second)
    }

    /// Returns the entries that the parameters `type` and `id` select.
    async fn scope(&self) -> Result<StreamScope, Error> {
        let id = self.number("id")?.unwrap_or(0);
        match self.number("type")?.unwrap_or(ALL) {
            FEED if id < 1 => Err(malformed("The parameter id must be the id of a feed.")),
            FEED => Ok(StreamScope::Feed(FeedId::new(id))),
            FOLDER => Ok(StreamScope::Collection(self.collection(id).await?.id)),
            STARRED => Ok(StreamScope::Starred),
            ALL | UNREAD => Ok(StreamScope::All),
            _ => Err(malformed("The parameter type must be 0, 1, 2, 3, or 6.")),
        }
    }
}

/// Returns a time in seconds. As in Nextcloud News, a time of more than ten digits is in microseconds.
fn seconds(time: i64) -> i64 {
    const MICROS: i64 = 10_000_000_000;
    if time >= MICROS { time / 1_000_000 } else { time }
}
