//! Operations on subscriptions, and discovery.

use std::sync::Arc;

use domain::Code;
use domain::CollectionId;
use domain::articles::Address;
use domain::feeds::{self, Change, Follow, FoundFeed};
use domain::keys;
use poem::web::Data;
use poem_openapi::param::{Path, Query};
use poem_openapi::payload::Json;
use poem_openapi::{ApiResponse, OpenApi};
use serde_json::Value;
use tokio::time::Instant;

use super::schema::{
    RssCandidate, RssDiscoverRequest, RssDiscovery, RssFollowRequest, RssFollowed, RssSubscription,
    RssSubscriptionList, RssSubscriptionOne, RssSubscriptionUpdate,
};
use super::values::{Id, flag, id};
use crate::api::Tag;
use crate::api::account::Gone;
use crate::api::body::Input;
use crate::api::cursor::Bound;
use crate::api::error::ApiError;
use crate::api::guard::{Allowed, Read, Write};
use crate::app::{ANSWER_TIMEOUT, App};
use crate::http::fields::{Fault, Fields};
use crate::http::params::{Integer, Text};

/// What an account follows.
pub struct SubscriptionsApi;

/// A feed is followed.
#[derive(ApiResponse)]
pub enum FollowAnswer {
    /// It was followed before; nothing was changed.
    #[oai(status = 200)]
    Existing(Json<RssFollowed>),
    /// It is followed now.
    #[oai(status = 201)]
    Created(Json<RssFollowed>),
}

/// It will be done.
#[derive(ApiResponse)]
pub enum Accepted {
    /// The feed is polled in a moment.
    #[oai(status = 202)]
    Accepted,
}

#[OpenApi(tag = "Tag::Rss")]
impl SubscriptionsApi {
    /// List followed feeds
    ///
    /// In the order in which they were followed, with unread counts.
    #[oai(path = "/v1/rss/subscriptions", method = "get", operation_id = "listRssSubscriptions")]
    async fn list(
        &self,
        caller: Allowed<Read>,
        app: Data<&Arc<App>>,
        /// `nextCursor` of the page before.
        cursor: Query<Option<Text<0, 500>>>,
        /// The most subscriptions on a page. Default 100.
        limit: Query<Option<Integer<1, 200>>>,
        /// Only those of this collection.
        #[oai(name = "collectionId")]
        collection_id: Query<Option<Id>>,
    ) -> Result<Json<RssSubscriptionList>, ApiError> {
        let account_id = caller.0.account_id;
        let collection_id = collection_id.0.map(|id| CollectionId::new(id.0));
        let filters = format!("{collection_id:?}");
        let bound = Bound { account_id, operation: "listRssSubscriptions", filters };
        let after = bound.open(&app.domain, cursor.0.as_ref().map(|text| text.0.as_str())).await?;
        let limit = limit.0.map_or(100, |limit| u32::try_from(limit.0).unwrap_or(100));
        let page = feeds::list_subscriptions(&app.domain, account_id, collection_id, after, limit).await?;
        let next_cursor = bound.seal(&app.domain, page.next_after).await?;
        let subscriptions = page.subscriptions.into_iter().map(RssSubscription::from).collect();
        Ok(Json(RssSubscriptionList { subscriptions, next_cursor }))
    }

    /// Follow a feed
    ///
    /// The URL may be a feed or a page: the page's feed is found and the others are named as candidates.
    /// Following a feed twice is following it once.
    #[oai(path = "/v1/rss/subscriptions", method = "post", operation_id = "createRssSubscription")]
    async fn create(
        &self,
        caller: Allowed<Write>,
        app: Data<&Arc<App>>,
        body: Input<RssFollowRequest>,
    ) -> Result<FollowAnswer, ApiError> {
        let (url, mut new) = follow_of(&body.0)?;
        let address = address(&app, &url)?;
        let mut others = Vec::new();
        if feeds::is_known(&app.domain, &address).await? {
            new.feed_url = address.url.as_str().to_owned();
        } else {
            let found = find_feeds(&app, &address).await?;
            let (best, rest): (Vec<_>, Vec<_>) = found.into_iter().partition(|feed| feed.checked);
            let mut best = best.into_iter();
            let feed = best.next().ok_or_else(no_feed)?;
            (new.feed_url, new.feed_title) = (feed.feed_url, feed.title);
            others.extend(best.chain(rest).map(RssCandidate::from));
        }
        let followed = feeds::follow(&app.domain, &app.limits, caller.0.account_id, new).await?;
        let answer = RssFollowed {
            subscription: followed.subscription.into(),
            already_subscribed: followed.already,
            candidates: (!others.is_empty()).then_some(others),
        };
        Ok(if followed.already {
            FollowAnswer::Existing(Json(answer))
        } else {
            FollowAnswer::Created(Json(answer))
        })
    }

    /// Show a followed feed
    ///
    /// With its unread count, and what is wrong with it if anything is.
    #[oai(path = "/v1/rss/subscriptions/:id", method = "get", operation_id = "getRssSubscription")]
    async fn get(
        &self,
        caller: Allowed<Read>,
        app: Data<&Arc<App>>,
        /// The subscription.
        id: Path<Id>,
    ) -> Result<Json<RssSubscriptionOne>, ApiError> {
        let found = feeds::get_subscription(&app.domain, caller.0.account_id, id.0.0.into()).await?;
        Ok(Json(RssSubscriptionOne { subscription: found.into() }))
    }

    /// Change a followed feed
    ///
    /// Its title, its collection, its interval, whether entries give the article's text.
    #[oai(path = "/v1/rss/subscriptions/:id", method = "patch", operation_id = "updateRssSubscription")]
    async fn update(
        &self,
        caller: Allowed<Write>,
        app: Data<&Arc<App>>,
        /// The subscription.
        id: Path<Id>,
        body: Input<RssSubscriptionUpdate>,
    ) -> Result<Json<RssSubscriptionOne>, ApiError> {
        let wanted = change_of(&body.0)?;
        let account_id = caller.0.account_id;
        let updated =
            feeds::update_subscription(&app.domain, &app.limits, account_id, id.0.0.into(), wanted).await?;
        Ok(Json(RssSubscriptionOne { subscription: updated.into() }))
    }

    /// Stop following a feed
    ///
    /// Its entries leave the account's lists; what the account saved of it stays.
    #[oai(path = "/v1/rss/subscriptions/:id", method = "delete", operation_id = "deleteRssSubscription")]
    async fn delete(
        &self,
        caller: Allowed<Write>,
        app: Data<&Arc<App>>,
        /// The subscription.
        id: Path<Id>,
    ) -> Result<Gone, ApiError> {
        feeds::unfollow(&app.domain, caller.0.account_id, id.0.0.into()).await?;
        Ok(Gone::NoContent)
    }

    /// Poll a feed now
    ///
    /// At most once in five minutes for everybody who follows it.
    #[oai(
        path = "/v1/rss/subscriptions/:id/refresh",
        method = "post",
        operation_id = "refreshRssSubscription"
    )]
    async fn refresh(
        &self,
        caller: Allowed<Write>,
        app: Data<&Arc<App>>,
        /// The subscription.
        id: Path<Id>,
    ) -> Result<Accepted, ApiError> {
        feeds::refresh(&app.domain, caller.0.account_id, id.0.0.into()).await?;
        Ok(Accepted::Accepted)
    }

    /// Find the feeds of a site
    ///
    /// By the site's own rule where one is known, by what the page names, and by the usual paths.
    #[oai(path = "/v1/rss/discover", method = "post", operation_id = "discoverRssFeeds")]
    async fn discover(
        &self,
        _caller: Allowed<Read>,
        app: Data<&Arc<App>>,
        body: Input<RssDiscoverRequest>,
    ) -> Result<Json<RssDiscovery>, ApiError> {
        let mut fields = Fields::of(&body.0, "")?;
        let url = url_of(&mut fields)?;
        fields.finish()?;
        let address = address(&app, &url)?;
        let found = find_feeds(&app, &address).await?;
        Ok(Json(RssDiscovery { feeds: found.into_iter().map(RssCandidate::from).collect() }))
    }
}

/// The feeds of the site at `address`.
async fn find_feeds(app: &App, address: &Address) -> Result<Vec<FoundFeed>, ApiError> {
    let progress = feeds::request_discovery(&app.domain, address).await?;
    Ok(app.engine.await_result(progress, Instant::now() + ANSWER_TIMEOUT).await?)
}

fn no_feed() -> ApiError {
    ApiError::new(Code::NoFeedFound, "There is no feed at this address, and the page names none.")
}

fn address(app: &App, url: &str) -> Result<Address, ApiError> {
    if keys::looks_like_a_key(url) {
        let message = "The URL holds an API key. Revoke that key: it may have been seen by others.";
        return Err(ApiError::malformed(Code::InvalidUrl, message, "/url: holds a credential"));
    }
    Address::parse(url, &app.guard).map_err(|error| {
        let reason = error.message.clone();
        error.at("url", reason).into()
    })
}

fn url_of(fields: &mut Fields<'_>) -> Result<String, Fault> {
    let url = fields.text("url", 1, 4096)?.ok_or_else(|| fields.fault("url", "is required"))?;
    Ok(url.to_owned())
}

fn follow_of(body: &Value) -> Result<(String, Follow), Fault> {
    let mut fields = Fields::of(body, "")?;
    let url = url_of(&mut fields)?;
    let new = Follow {
        title: fields.text("title", 0, 500)?.map(str::to_owned),
        collection_id: id(&mut fields, "collectionId")?,
        interval_minutes: minutes(&mut fields)?,
        full_text: flag(&mut fields, "fullText")?.unwrap_or(false),
        ..Follow::default()
    };
    fields.finish()?;
    Ok((url, new))
}

fn minutes(fields: &mut Fields<'_>) -> Result<Option<u32>, Fault> {
    let minutes = fields.integer("intervalMinutes", 1, 1440)?;
    Ok(minutes.and_then(|minutes| u32::try_from(minutes).ok()))
}

fn change_of(body: &Value) -> Result<Change, Fault> {
    let mut fields = Fields::of(body, "")?;
    let title = fields.text("title", 0, 500)?.map(|title| Some(title.to_owned()));
    let interval = minutes(&mut fields)?.map(Some);
    let wanted = Change {
        title: title.or_else(|| fields.is_null("title").then_some(None)),
        collection_id: id(&mut fields, "collectionId")?,
        interval_minutes: interval.or_else(|| fields.is_null("intervalMinutes").then_some(None)),
        full_text: flag(&mut fields, "fullText")?,
    };
    fields.finish()?;
    Ok(wanted)
}
