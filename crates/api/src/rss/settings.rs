//! Settings with which a followed feed is fetched for its account.

use std::sync::Arc;

use extract::watch::MAX_TEXT_CHARS;
use feeds::{Collection, CollectionSettings, RequestHeader, RequestUpdate, Subscription, SubscriptionUpdate};
use kernel::bounds::{
    FEED_READ_AFTER_DAYS, FEED_REWRITES, FEED_TEXT_REMOVALS, MONITOR_HEADER_NAME_CHARS,
    MONITOR_HEADER_VALUE_CHARS, MONITOR_HEADERS, MONITOR_USER_AGENT_CHARS,
};
use kernel::{ChannelId, Error, rfc3339};
use poem::web::Data;
use poem_openapi::param::Path;
use poem_openapi::payload::Json;
use poem_openapi::types::Example;
use poem_openapi::{Object, OpenApi};

use super::rewrites::{RssRewrite, RssRewriteRequest, rules_of};
use crate::answers::{Errors, Single};
use crate::authorize::{Authorized, Read, Write};
use crate::body::Body;
use crate::monitors::{Channels, channels};
use crate::tag::ApiTag;
use http_kit::app::App;
use http_kit::http::params::{Flag, Integer, NumericId, Text};
use http_kit::http::request::request;
use http_kit::http::value::{List, Nullable};

pub(crate) struct SettingsApi;

request! {
    /// Header to send to a feed.
    pub(super) struct RssHeaderRequest in camelCase {
        /// Name of the header.
        name: Text<1, MONITOR_HEADER_NAME_CHARS> = "X-Feed-Key",
        /// Value, in ASCII. It is stored encrypted and never returned.
        value: Text<0, MONITOR_HEADER_VALUE_CHARS> = "1234",
    }
}

request! {
    /// Changes to the settings of a feed; omitted fields stay unchanged.
    pub(super) struct RssFeedSettingsUpdate in camelCase {
        /// Days after which unread entries count as read, 0 for never; null inherits the collection's
        /// setting.
        read_after_days: Option<Nullable<Integer<0, { FEED_READ_AFTER_DAYS as i64 }>>> = 30,
        /// CSS selector of the text of articles, for a feed with `fullText`; null or empty for the main part
        /// of the page.
        text_selector: Option<Nullable<Text<0, MAX_TEXT_CHARS>>> = "article .story",
        /// True if clicking an entry in a list opens the publisher's page.
        show_original: Option<Flag> = true,
        /// Ids of the channels to notify of new entries, after rules are applied. They replace all previous ones; an
        /// empty list stops the messages, and null inherits the collection's channels.
        notify: Option<Nullable<Channels>>,
        /// CSS selectors of parts to remove from the text of articles. They replace all previous ones.
        text_removals: Option<List<Text<1, MAX_TEXT_CHARS>, 0, FEED_TEXT_REMOVALS>>,
        /// True to render the pages of articles in a browser before their text is read, for a feed with `fullText`.
        /// Each page then costs four more fresh extractions.
        render_articles: Option<Flag> = false,
        /// Rules that rewrite new and changed entries before they are stored, in order. They replace all previous
        /// ones; an empty list removes them.
        rewrites: Option<List<RssRewriteRequest, 0, FEED_REWRITES>>,
        /// `User-Agent` of the requests; null for the service's own.
        user_agent: Option<Nullable<Text<1, MONITOR_USER_AGENT_CHARS>>>,
        /// Headers for the feed's origin. They replace all previous ones.
        headers: Option<List<RssHeaderRequest, 0, MONITOR_HEADERS>>,
    }
}

impl TryFrom<RssFeedSettingsUpdate> for SubscriptionUpdate {
    type Error = Error;

    fn try_from(update: RssFeedSettingsUpdate) -> Result<Self, Error> {
        let header = |header: RssHeaderRequest| RequestHeader { name: header.name.0, value: header.value.0 };
        let request = RequestUpdate {
            user_agent: update.user_agent.map(|agent| agent.0.map(|text| text.0)),
            headers: update.headers.map(|list| list.0.into_iter().map(header).collect()),
        };
        let text_selector = update.text_selector.map(|selector| selector.0.map(|text| text.0));
        let of_list = |list: List<Text<1, MAX_TEXT_CHARS>, 0, FEED_TEXT_REMOVALS>| {
            list.0.into_iter().map(|text| text.0).collect()
        };
        let text_removals = update.text_removals.map(of_list);
        let read_after_days = update.read_after_days.map(|days| days.0.map(Integer::get));
        let own = |list: &Nullable<Channels>| list.0.as_ref().map(|list| channels(Some(list))).transpose();
        let notify = update.notify.as_ref().map(own).transpose()?;
        Ok(Self {
            text_selector,
            text_removals,
            read_after_days,
            show_original: update.show_original.map(|flag| flag.0),
            notify,
            render_articles: update.render_articles.map(|flag| flag.0),
            rewrites: update.rewrites.map(rules_of),
            request,
            ..Self::default()
        })
    }
}

request! {
    /// Changes to the settings of a collection; omitted fields stay unchanged.
    pub(super) struct RssCollectionSettingsUpdate in camelCase {
        /// Days after which unread entries of its feeds count as read; null for never.
        read_after_days: Option<Nullable<Integer<1, { FEED_READ_AFTER_DAYS as i64 }>>> = 30,
        /// Ids of the channels to notify of new entries of its feeds. They replace all previous ones. Feeds with
        /// their own channels keep them.
        notify: Option<Channels>,
    }
}

impl TryFrom<RssCollectionSettingsUpdate> for CollectionSettings {
    type Error = Error;

    fn try_from(update: RssCollectionSettingsUpdate) -> Result<Self, Error> {
        Ok(Self {
            read_after_days: update.read_after_days.map(|days| days.0.map(Integer::get)),
            notify: update.notify.as_ref().map(|list| channels(Some(list))).transpose()?,
        })
    }
}

/// Settings of a collection.
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase", example)]
pub(super) struct RssCollectionSettings {
    /// Days after which unread entries of its feeds count as read; null for never.
    pub read_after_days: Option<u32>,
    /// Ids of the channels that are notified of new entries of its feeds, except of feeds with their own channels.
    pub notify: Vec<String>,
}

fn texts(ids: &[ChannelId]) -> Vec<String> {
    ids.iter().map(ToString::to_string).collect()
}

impl From<Collection> for RssCollectionSettings {
    fn from(collection: Collection) -> Self {
        Self { read_after_days: collection.read_after_days, notify: texts(&collection.notify) }
    }
}

impl Example for RssCollectionSettings {
    fn example() -> Self {
        Self { read_after_days: Some(30), notify: Vec::new() }
    }
}

/// Settings with which a feed is fetched for the account.
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase", example)]
pub(super) struct RssFeedSettings {
    /// Days after which unread entries count as read, 0 for never; null inherits the collection's setting.
    pub read_after_days: Option<u32>,
    /// CSS selector of the text of articles; null for the main part of the page.
    pub text_selector: Option<String>,
    /// True if clicking an entry in a list opens the publisher's page.
    pub show_original: bool,
    /// Ids of the feed's own channels, which are notified of new entries; null if it inherits those of its collection.
    pub notify: Option<Vec<String>>,
    /// Ids of the channels that are notified: the feed's own ones, or those of its collection.
    pub effective_notify: Vec<String>,
    /// CSS selectors of parts that are removed from the text of articles.
    pub text_removals: Vec<String>,
    /// True if the pages of articles are rendered in a browser before their text is read.
    pub render_articles: bool,
    /// Rules that rewrite new and changed entries, in order.
    pub rewrites: Vec<RssRewrite>,
    /// Time at which the rules exceeded their time limit, RFC 3339 UTC; null if they did not. They are not applied
    /// until they are saved again.
    pub rewrites_stopped_at: Option<String>,
    /// Number of entries, since the rules were saved, that retained a text of the feed because a rule could not be
    /// applied.
    pub rewrites_skipped: u32,
    /// `User-Agent` of the requests; null for the service's own.
    pub user_agent: Option<String>,
    /// Names of the headers that are sent to the feed.
    pub header_names: Vec<String>,
}

impl From<Subscription> for RssFeedSettings {
    fn from(subscription: Subscription) -> Self {
        Self {
            read_after_days: subscription.read_after_days,
            text_selector: subscription.text_selector,
            show_original: subscription.show_original,
            notify: subscription.own_notify.then(|| texts(&subscription.notify)),
            effective_notify: texts(&subscription.notify),
            text_removals: subscription.text_removals,
            render_articles: subscription.render_articles,
            rewrites: subscription.rewrites.into_iter().map(RssRewrite::from).collect(),
            rewrites_stopped_at: subscription.rewrites_stopped_at.map(rfc3339),
            rewrites_skipped: subscription.rewrites_skipped,
            user_agent: subscription.user_agent,
            header_names: subscription.header_names,
        }
    }
}

impl Example for RssFeedSettings {
    fn example() -> Self {
        Self {
            read_after_days: Some(30),
            text_selector: Some("article .story".into()),
            show_original: false,
            notify: None,
            effective_notify: Vec::new(),
            text_removals: vec![".newsletter-form".into()],
            render_articles: false,
            rewrites: vec![RssRewrite::example()],
            rewrites_stopped_at: None,
            rewrites_skipped: 0,
            user_agent: None,
            header_names: vec!["X-Feed-Key".into()],
        }
    }
}

#[OpenApi(tag = "ApiTag::Rss")]
impl SettingsApi {
    /// Get the settings of a feed
    ///
    /// Returns how the feed is fetched for the account. Values of headers are not returned.
    #[oai(path = "/v1/rss/subscriptions/:id/settings", method = "get", operation_id = "getRssFeedSettings")]
    async fn get(
        &self,
        caller: Authorized<Read>,
        app: Data<&Arc<App>>,
        /// Id of the subscription.
        id: Path<NumericId>,
    ) -> Result<Single<RssFeedSettings>, Errors<404>> {
        let subscription = feeds::get_subscription(&app.domain, caller.0.account_id, id.0.0.into()).await?;
        Ok(Single::of(subscription.into()))
    }

    /// Update the settings of a feed
    ///
    /// If a user agent, headers, or rewrite rules are set, the feed is fetched for this account alone: its entries
    /// are not shared, and the subscription's `feedId` changes. Entries and read state are retained. Channels in
    /// `notify` receive one message for each fetch that finds new entries.
    #[oai(
        path = "/v1/rss/subscriptions/:id/settings",
        method = "patch",
        operation_id = "updateRssFeedSettings"
    )]
    async fn update(
        &self,
        caller: Authorized<Write>,
        app: Data<&Arc<App>>,
        /// Id of the subscription.
        id: Path<NumericId>,
        body: Body<RssFeedSettingsUpdate>,
    ) -> Result<Json<RssFeedSettings>, Errors<404, 422>> {
        let account_id = caller.0.account_id;
        let update = SubscriptionUpdate::try_from(body.0)?;
        let updated = feeds::update_subscription(&app.domain, account_id, id.0.0.into(), update).await?;
        Ok(Json(updated.into()))
    }

    /// Get the settings of a collection
    ///
    /// Returns the number of days after which unread entries of its feeds count as read, and the channels that are
    /// notified of their new entries.
    #[oai(
        path = "/v1/rss/collections/:id/settings",
        method = "get",
        operation_id = "getRssCollectionSettings"
    )]
    async fn get_of_collection(
        &self,
        caller: Authorized<Read>,
        app: Data<&Arc<App>>,
        /// Id of the collection.
        id: Path<NumericId>,
    ) -> Result<Single<RssCollectionSettings>, Errors<404>> {
        let collection = feeds::get_collection(&app.domain, caller.0.account_id, id.0.0.into()).await?;
        Ok(Single::of(collection.into()))
    }

    /// Update the settings of a collection
    ///
    /// Sets the number of days after which unread entries of its feeds count as read, and the channels that are
    /// notified of new entries. Settings of a feed override them.
    #[oai(
        path = "/v1/rss/collections/:id/settings",
        method = "patch",
        operation_id = "updateRssCollectionSettings"
    )]
    async fn update_of_collection(
        &self,
        caller: Authorized<Write>,
        app: Data<&Arc<App>>,
        /// Id of the collection.
        id: Path<NumericId>,
        body: Body<RssCollectionSettingsUpdate>,
    ) -> Result<Json<RssCollectionSettings>, Errors<404, 422>> {
        let (account_id, settings) = (caller.0.account_id, CollectionSettings::try_from(body.0)?);
        let collection =
            feeds::update_collection_settings(&app.domain, account_id, id.0.0.into(), settings).await?;
        Ok(Json(collection.into()))
    }
}
