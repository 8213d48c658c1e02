//! Icons of feeds. The protocol transfers the bytes of icons, so a response lists only cached icons. The
//! other icons are fetched for subsequent requests.

use std::collections::HashMap;

use articles::pictures::{self, ChosenPicture, Requester};
use data_encoding::BASE64;
use kernel::{Error, FeedId};
use serde_json::{Value, json};

use super::call::FeverCall;
use crate::icons::icons;
use crate::subscriptions::all_subscriptions;

/// Maximum size of a listed icon, in bytes.
const MAX_ICON_BYTES: u64 = 64 * 1024;
/// Maximum size of all icons in a response, in bytes.
const MAX_BYTES: u64 = 8 * 1024 * 1024;
/// Maximum number of icons that one request causes to be fetched.
const MAX_FETCHES: usize = 100;

impl FeverCall<'_> {
    /// Returns `favicons`. The id of an icon is the id of its feed.
    pub(super) async fn favicons(&self) -> Result<Vec<Value>, Error> {
        let domain = &self.app.domain;
        let subscriptions = all_subscriptions(domain, self.caller.account_id).await?;
        let mut icons = icons(domain, &subscriptions).await?;
        let (mut listed, mut missing, mut left) = (Vec::new(), Vec::new(), MAX_BYTES);
        for subscription in &subscriptions {
            let Some(icon) = icons.remove(&subscription.feed_id) else { continue };
            let Some(picture) = &icon.cached else {
                missing.push(icon.url);
                continue;
            };
            let Some(bytes) = pictures::read_small(domain, picture, MAX_ICON_BYTES.min(left)).await else {
                tracing::debug!(feed = %subscription.feed_id, "icon not listed");
                continue;
            };
            left = left.saturating_sub(picture.size);
            let data = format!("{};base64,{}", picture.media_type, BASE64.encode(&bytes));
            listed.push(json!({ "id": subscription.feed_id.as_i64(), "data": data }));
        }
        self.fetch(&missing).await;
        Ok(listed)
    }

    /// Submits the fetches of icons without waiting for them.
    async fn fetch(&self, urls: &[String]) {
        let requester = Requester::Account(self.caller.account_id);
        for url in urls.iter().take(MAX_FETCHES) {
            if let Err(error) = pictures::request(&self.app.domain, &requester, url, None).await {
                tracing::debug!(%error, "icons not fetched");
                return;
            }
        }
    }
}

/// Returns the icon id of a feed. 0 if no icon is listed for the feed.
pub(super) fn favicon_id(icons: &HashMap<FeedId, ChosenPicture>, feed_id: FeedId) -> i64 {
    let picture = icons.get(&feed_id).and_then(|icon| icon.cached.as_ref());
    picture.filter(|picture| picture.size <= MAX_ICON_BYTES).map_or(0, |_| feed_id.as_i64())
}
