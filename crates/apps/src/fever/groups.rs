//! Groups and feeds. The groups are the collections that the account created. A feed in the built-in
//! collection belongs to no group.

use feeds::{Collection, CollectionKind, Subscription};
use kernel::Error;
use serde_json::{Map, Value, json};

use super::call::FeverCall;
use super::favicons::favicon_id;
use crate::icons::icons;
use crate::subscriptions::{all_subscriptions, public_url};

impl FeverCall<'_> {
    /// Adds `groups` and `feeds` to the response if they are requested. Always adds `feeds_groups`.
    pub(super) async fn add_feeds(&self, answer: &mut Map<String, Value>) -> Result<(), Error> {
        let (domain, account_id) = (&self.app.domain, self.caller.account_id);
        let collections = feeds::list_collections(domain, account_id).await?;
        let own = || collections.iter().filter(|collection| collection.kind == CollectionKind::Custom);
        if self.parameters.has("groups") {
            let group_json = |group: &Collection| json!({ "id": group.id.as_i64(), "title": group.name });
            answer.insert("groups".into(), own().map(group_json).collect());
        }
        let subscriptions = all_subscriptions(domain, account_id).await?;
        if self.parameters.has("feeds") {
            let icons = icons(domain, &subscriptions).await?;
            let feed_json = |feed: &Subscription| feed_json(feed, favicon_id(&icons, feed.feed_id));
            answer.insert("feeds".into(), subscriptions.iter().map(feed_json).collect());
        }
        let in_group = |group: &Collection| {
            let feeds: Vec<String> = group.feed_ids.iter().map(ToString::to_string).collect();
            json!({ "group_id": group.id.as_i64(), "feed_ids": feeds.join(",") })
        };
        answer.insert("feeds_groups".into(), own().map(in_group).collect());
        Ok(())
    }
}

fn feed_json(subscription: &Subscription, favicon_id: i64) -> Value {
    json!({
        "id": subscription.feed_id.as_i64(),
        "favicon_id": favicon_id,
        "title": subscription.title,
        "url": public_url(subscription),
        "site_url": subscription.site_url.as_deref().unwrap_or_default(),
        "is_spark": 0,
        "last_updated_on_time": subscription.last_fetched_at.unwrap_or(0) / 1000,
    })
}
