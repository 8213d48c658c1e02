//! Operations on subscriptions, and feed discovery.

use std::sync::Arc;

use articles::{Address, Payer, typed_address};
use feeds::{Discovered, Follow, Login, SiteFollowed, SubscriptionUpdate};
use identity::caller::Caller;
use kernel::CollectionId;
use kernel::bounds::{FEED_MINUTES, FEED_TITLE_CHARS};
use kernel::cursor_scope::CursorScope;
use poem::web::Data;
use poem_openapi::param::{Path, Query};
use poem_openapi::payload::Json;
use poem_openapi::{ApiResponse, OpenApi};
use tokio::time::Instant;

use super::schema::{
    RssCandidate, RssDiscovery, RssFollowed, RssSubscription, RssSubscriptionList, RssSubscriptionOne,
};
use crate::answers::{Errors, NoContent, Single};
use crate::authorize::{Authorized, Fresh, Read, Write};
use crate::body::{Body, address};
use crate::cursor::{Cursor, open_cursor, seal_cursor};
use crate::error::ApiError;
use crate::tag::ApiTag;
use http_kit::app::{ANSWER_TIMEOUT, App};
use http_kit::http::params::{Flag, Integer, NumericId, Text, Url};
use http_kit::http::request::request;
use http_kit::http::value::Nullable;

/// Title that the account sets.
type Title = Text<0, FEED_TITLE_CHARS>;
/// Minutes between two polls.
type PollIntervalMinutes = Integer<1, { FEED_MINUTES as i64 }>;

pub(crate) struct SubscriptionsApi;

#[derive(ApiResponse)]
pub enum FollowResponse {
    /// The feed was followed before; nothing was changed.
    #[oai(status = 200)]
    Existing(Json<RssFollowed>),
    /// The new subscription.
    #[oai(status = 201)]
    Created(Json<RssFollowed>),
}

request! {
    /// Feed to follow.
    pub(super) struct RssFollowRequest in camelCase {
        /// http(s) URL of a feed, or of a page that links to a feed.
        url: Url = "https://example.com/",
        /// Title for this account. Default: the title in the feed.
        title: Option<Title> = "Example",
        /// Id of the collection. Default: the unsorted collection.
        collection_id: Option<NumericId>,
        /// Fixed poll interval in minutes, within the plan's minimum. Default: adaptive.
        interval_minutes: Option<PollIntervalMinutes> = 60,
        /// True to use the text of the article instead of the feed's summary. Default: false.
        full_text: Flag => false,
    }
}

request! {
    /// Site whose feeds are discovered.
    pub(super) struct RssDiscoverRequest in camelCase {
        /// http(s) URL of a feed or a page.
        url: Url = "https://example.com/",
    }
}

request! {
    /// Changes to a subscription; omitted fields stay unchanged.
    pub(super) struct RssSubscriptionUpdate in camelCase {
        /// Title for this account; null or empty for the title in the feed.
        title: Option<Nullable<Title>> = "Example",
        /// Id of the collection to which the subscription is moved.
        collection_id: Option<NumericId>,
        /// Fixed poll interval in minutes, within the plan's minimum; null for adaptive.
        interval_minutes: Option<Nullable<PollIntervalMinutes>> = serde_json::Value::Null,
        /// True to use the text of the article instead of the feed's summary.
        full_text: Option<Flag> = true,
        /// Undoes a move of the feed: the previous URL, which is `movedFrom.feedUrl` of the subscription. The feed
        /// then stays at this URL, even if its server redirects again.
        feed_url: Option<Url>,
    }
}

impl From<RssSubscriptionUpdate> for SubscriptionUpdate {
    fn from(update: RssSubscriptionUpdate) -> Self {
        Self {
            title: update.title.map(|title| title.0.map(|title| title.0)),
            collection_id: update.collection_id.map(|id| id.0.into()),
            interval_minutes: update.interval_minutes.map(|minutes| minutes.0.map(Integer::get)),
            full_text: update.full_text.map(|flag| flag.0),
            feed_url: update.feed_url.map(|url| url.0),
            ..Self::default()
        }
    }
}

#[derive(ApiResponse)]
pub enum RefreshResponse {
    /// The feed will be polled shortly.
    #[oai(status = 202)]
    Scheduled,
}

#[OpenApi(tag = "ApiTag::Rss")]
impl SubscriptionsApi {
    /// List followed feeds
    ///
    /// Returns the subscriptions in the order they were followed, with unread counts.
    #[oai(path = "/v1/rss/subscriptions", method = "get", operation_id = "listRssSubscriptions")]
    async fn list(
        &self,
        caller: Authorized<Read>,
        app: Data<&Arc<App>>,
        /// `nextCursor` of the previous page.
        cursor: Cursor,
        /// Maximum number of subscriptions per page. Default: 100.
        limit: Query<Option<Integer<1, 200>>>,
        /// Only subscriptions in this collection.
        #[oai(name = "collectionId")]
        collection_id: Query<Option<NumericId>>,
    ) -> Result<Json<RssSubscriptionList>, Errors<422>> {
        let account_id = caller.0.account_id;
        let collection_id = collection_id.0.map(|id| CollectionId::new(id.0));
        let filters = format!("{collection_id:?}");
        let cursor_scope = CursorScope { account_id, operation: "listRssSubscriptions", filters };
        let after = open_cursor(&cursor_scope, &app.domain, cursor.0.as_ref()).await?;
        let limit = limit.0.map_or(100, Integer::get);
        let page = feeds::list_subscriptions(&app.domain, account_id, collection_id, after, limit).await?;
        let next_cursor = seal_cursor(&cursor_scope, &app.domain, page.next_after).await?;
        let subscriptions = page.subscriptions.into_iter().map(RssSubscription::from).collect();
        Ok(Json(RssSubscriptionList { subscriptions, next_cursor }))
    }

    /// Follow a feed
    ///
    /// Accepts the URL of a feed or a page. The best feed of a page is followed; the others are returned as
    /// candidates. Following a feed twice returns the existing subscription. Discovery of an unknown URL costs one
    /// fresh extraction. A URL with `user:password@` must be the URL of the feed itself: the login is stored
    /// encrypted, sent to this host only, and not shared with other accounts.
    #[oai(path = "/v1/rss/subscriptions", method = "post", operation_id = "createRssSubscription")]
    async fn create(
        &self,
        caller: Authorized<Write, Fresh>,
        app: Data<&Arc<App>>,
        body: Body<RssFollowRequest>,
    ) -> Result<FollowResponse, Errors<404, 422, 502>> {
        let request = body.0;
        let (url, login) = Login::split(&typed_address(&request.url.0));
        let address = feed_address(&app, &Url(url))?;
        let new = Follow {
            login: feeds::seal_login(&app.domain, caller.0.account_id, &address, login).await?,
            title: request.title.map(|title| title.0),
            collection_id: request.collection_id.map(|id| id.0.into()),
            interval_minutes: request.interval_minutes.map(Integer::get),
            full_text: request.full_text.0,
            ..Follow::default()
        };
        let pending = feeds::request_follow(&app.domain, payer(&caller.0), &address, new).await?;
        let deadline = Instant::now() + ANSWER_TIMEOUT;
        let SiteFollowed { followed, others } = app.engine.await_result(pending, deadline).await?;
        let others: Vec<_> = others.into_iter().map(RssCandidate::from).collect();
        let answer = RssFollowed {
            subscription: followed.subscription.into(),
            already_subscribed: followed.already_followed,
            candidates: (!others.is_empty()).then_some(others),
        };
        Ok(if followed.already_followed {
            FollowResponse::Existing(Json(answer))
        } else {
            FollowResponse::Created(Json(answer))
        })
    }

    /// Get a followed feed
    ///
    /// Returns the subscription with its unread count and its last error.
    #[oai(path = "/v1/rss/subscriptions/:id", method = "get", operation_id = "getRssSubscription")]
    async fn get(
        &self,
        caller: Authorized<Read>,
        app: Data<&Arc<App>>,
        /// Id of the subscription.
        id: Path<NumericId>,
    ) -> Result<Single<RssSubscriptionOne>, Errors<404>> {
        let subscription = feeds::get_subscription(&app.domain, caller.0.account_id, id.0.0.into()).await?;
        Ok(Single::of(RssSubscriptionOne { subscription: subscription.into() }))
    }

    /// Update a followed feed
    ///
    /// Changes the title, collection, interval, or `fullText`, or undoes a move of the feed to another URL.
    #[oai(path = "/v1/rss/subscriptions/:id", method = "patch", operation_id = "updateRssSubscription")]
    async fn update(
        &self,
        caller: Authorized<Write>,
        app: Data<&Arc<App>>,
        /// Id of the subscription.
        id: Path<NumericId>,
        body: Body<RssSubscriptionUpdate>,
    ) -> Result<Json<RssSubscriptionOne>, Errors<404, 422>> {
        let account_id = caller.0.account_id;
        let updated =
            feeds::update_subscription(&app.domain, account_id, id.0.0.into(), body.0.into()).await?;
        Ok(Json(RssSubscriptionOne { subscription: updated.into() }))
    }

    /// Stop following a feed
    ///
    /// Removes its entries from the account's lists; entries saved to the library are retained.
    #[oai(path = "/v1/rss/subscriptions/:id", method = "delete", operation_id = "deleteRssSubscription")]
    async fn delete(
        &self,
        caller: Authorized<Write>,
        app: Data<&Arc<App>>,
        /// Id of the subscription.
        id: Path<NumericId>,
    ) -> Result<NoContent, Errors<404>> {
        feeds::unfollow(&app.domain, caller.0.account_id, id.0.0.into()).await?;
        Ok(NoContent::Done)
    }

    /// Poll a feed now
    ///
    /// Polls the feed for all its followers, at most once in five minutes.
    #[oai(
        path = "/v1/rss/subscriptions/:id/refresh",
        method = "post",
        operation_id = "refreshRssSubscription"
    )]
    async fn refresh(
        &self,
        caller: Authorized<Write>,
        app: Data<&Arc<App>>,
        /// Id of the subscription.
        id: Path<NumericId>,
    ) -> Result<RefreshResponse, Errors<404>> {
        feeds::refresh(&app.domain, caller.0.account_id, id.0.0.into()).await?;
        Ok(RefreshResponse::Scheduled)
    }

    /// Discover the feeds of a site
    ///
    /// Uses a built-in rule if there is one for the site, then the links of the page and the usual paths. If the
    /// page has no feed, `pageList` describes a list on the page whose new items a monitor can report. Costs one
    /// fresh extraction, unless the site was checked recently.
    #[oai(path = "/v1/rss/discover", method = "post", operation_id = "discoverRssFeeds")]
    async fn discover(
        &self,
        caller: Authorized<Read, Fresh>,
        app: Data<&Arc<App>>,
        body: Body<RssDiscoverRequest>,
    ) -> Result<Json<RssDiscovery>, Errors<422, 502>> {
        let address = feed_address(&app, &body.0.url)?;
        Ok(Json(find_feeds(&app, payer(&caller.0), &address).await?.into()))
    }
}

/// Parses the address of a feed or a site, which people may type without a scheme.
fn feed_address(app: &App, url: &Url) -> Result<Address, ApiError> {
    address(app, "url", &Url(typed_address(&url.0)))
}

/// Finds the feeds of the site at `address`. Waits for the discovery if it is not cached.
async fn find_feeds(app: &App, payer: Payer, address: &Address) -> Result<Discovered, ApiError> {
    let pending = feeds::request_discovery(&app.domain, payer, address).await?;
    Ok(app.engine.await_result(pending, Instant::now() + ANSWER_TIMEOUT).await?)
}

/// Returns the account that is charged for a discovery.
fn payer(caller: &Caller) -> Payer {
    Payer { account_id: caller.account_id, tier: caller.tier }
}
