//! Followed feeds: lists and changes.

use feeds::{
    CollectionKind, Follow, MarkRead, Order, ReadBound, ReadScope, StreamQuery, StreamScope, Subscription,
    SubscriptionUpdate,
};
use kernel::{Code, CollectionId, EntryId, Error, FeedId, SubscriptionId};
use poem::Response;
use serde_json::{Map, Value, json};
use tokio::time::Instant;

use super::call::{NewsCall, empty_response};
use crate::answers::json_answer;
use crate::icons::IconUrls;
use crate::subscriptions::{all_subscriptions, follow_address, public_url};
use http_kit::app::ANSWER_TIMEOUT;

/// Upper bound of the number of starred items that a list of feeds reports.
const MAX_COUNTED: u32 = 100_000;

impl NewsCall<'_> {
    /// `GET feeds`: all followed feeds, the number of starred items, and the id of the newest item.
    pub(super) async fn list_feeds(&self) -> Result<Value, Error> {
        let (domain, account_id) = (&self.app.domain, self.caller.account_id);
        let _permit = self.app.limit_long_answers(account_id).await;
        let all = all_subscriptions(domain, account_id).await?;
        let mut answer = self.feeds_json(&all).await?;
        let starred = StreamQuery { scope: StreamScope::Starred, ..all_entries() };
        let count = feeds::count_stream(domain, account_id, &starred, MAX_COUNTED).await?;
        answer.insert("starredCount".into(), count.into());
        Ok(answer.into())
    }

    /// `POST feeds`: follows the feed at a URL.
    ///
    /// # Errors
    /// `name_taken` if the feed is already followed; `not_found` if the folder does not exist.
    pub(super) async fn create_feed(&self) -> Result<Response, Error> {
        let url = self.required_text("url")?;
        let collection_id = match self.number("folderId")? {
            None | Some(0) => None,
            Some(id) => Some(self.collection(id).await?.id),
        };
        let deadline = Instant::now() + ANSWER_TIMEOUT;
        let new = Follow { collection_id, ..Follow::default() };
        let followed = follow_address(self.app, &self.caller, url, new, deadline).await?;
        if followed.already_followed {
            return Err(Error::new(Code::NameTaken, "You already follow this feed."));
        }
        json_answer(&self.feeds_json(&[followed.subscription]).await?.into())
    }

    /// `DELETE feeds/ID`: unfollows a feed.
    pub(super) async fn delete_feed(&self, id: i64) -> Result<Response, Error> {
        let id = self.subscription(id).await?;
        feeds::unfollow(&self.app.domain, self.caller.account_id, id).await?;
        empty_response()
    }

    /// `feeds/ID/move`: moves a feed to a folder.
    pub(super) async fn move_feed(&self, id: i64) -> Result<(), Error> {
        let id = self.subscription(id).await?;
        let collection_id = self.collection(self.number("folderId")?.unwrap_or(0)).await?.id;
        let update =
            SubscriptionUpdate { collection_id: Some(collection_id), ..SubscriptionUpdate::default() };
        self.update(id, update).await
    }

    /// `feeds/ID/rename`: renames a feed.
    pub(super) async fn rename_feed(&self, id: i64) -> Result<(), Error> {
        let id = self.subscription(id).await?;
        let title = Some(Some(self.required_text("feedTitle")?.to_owned()));
        self.update(id, SubscriptionUpdate { title, ..SubscriptionUpdate::default() }).await
    }

    /// `feeds/ID/read`: marks the items of a feed as read.
    pub(super) async fn mark_feed(&self, id: i64) -> Result<(), Error> {
        self.subscription(id).await?;
        self.mark_through(ReadScope::Feed(FeedId::new(id))).await
    }

    /// `folders/ID/read`: marks the items of a folder as read.
    pub(super) async fn mark_folder(&self, id: i64) -> Result<(), Error> {
        let collection_id = self.collection(id).await?.id;
        self.mark_through(ReadScope::Collection(collection_id)).await
    }

    /// `items/read`: marks all items as read.
    pub(super) async fn mark_all(&self) -> Result<(), Error> {
        self.mark_through(ReadScope::All).await
    }

    /// Marks items up to the id `newestItemId` as read, so that items that the app has not received remain
    /// unread.
    async fn mark_through(&self, scope: ReadScope) -> Result<(), Error> {
        let newest = EntryId::new(self.required_number("newestItemId")?);
        let request = MarkRead { scope, bound: ReadBound::Through(newest) };
        feeds::mark_read(&self.app.domain, self.caller.account_id, request).await.map(drop)
    }

    async fn update(&self, id: SubscriptionId, update: SubscriptionUpdate) -> Result<(), Error> {
        feeds::update_subscription(&self.app.domain, self.caller.account_id, id, update).await.map(drop)
    }

    async fn subscription(&self, feed_id: i64) -> Result<SubscriptionId, Error> {
        let (domain, account_id) = (&self.app.domain, self.caller.account_id);
        let known = feeds::find_subscription(domain, account_id, FeedId::new(feed_id)).await?;
        known.ok_or_else(|| Error::new(Code::NotFound, "You do not follow this feed."))
    }

    /// Returns `feeds`, and `newestItemId` if there are items.
    async fn feeds_json(&self, subscriptions: &[Subscription]) -> Result<Map<String, Value>, Error> {
        let (domain, account_id) = (&self.app.domain, self.caller.account_id);
        let icons = IconUrls::load(self.app, subscriptions).await?;
        let unsorted = feeds::list_collections(domain, account_id).await?;
        let unsorted = unsorted.iter().find(|collection| collection.kind == CollectionKind::Unsorted);
        let unsorted = unsorted.map(|collection| collection.id);
        let feed_json = |feed: &Subscription| feed_json(feed, icons.of(feed).as_deref(), unsorted);
        let mut answer = Map::new();
        answer.insert("feeds".into(), subscriptions.iter().map(feed_json).collect());
        let newest = feeds::stream(domain, account_id, &all_entries(), None, 1).await?;
        if let Some(newest) = newest.entries.first() {
            answer.insert("newestItemId".into(), newest.id.as_i64().into());
        }
        Ok(answer)
    }
}

/// Returns the query for all entries of followed feeds, newest first.
pub(super) fn all_entries() -> StreamQuery {
    StreamQuery {
        scope: StreamScope::All,
        unread: None,
        starred: None,
        since: None,
        through: None,
        order: Order::Newest,
    }
}

fn feed_json(feed: &Subscription, icon: Option<&str>, unsorted: Option<CollectionId>) -> Value {
    let folder_id = Some(feed.collection_id).filter(|id| Some(*id) != unsorted).map(CollectionId::as_i64);
    json!({
        "id": feed.feed_id.as_i64(),
        "url": public_url(feed),
        "title": feed.title,
        "faviconLink": icon,
        "added": feed.created_at / 1000,
        "nextUpdateTime": null,
        "folderId": folder_id,
        "unreadCount": feed.unread_count,
        "ordering": 0,
        "link": feed.site_url.as_deref().unwrap_or_default(),
        "pinned": false,
        "updateErrorCount": u8::from(feed.last_error.is_some()),
        "lastUpdateError": feed.last_error,
    })
}
