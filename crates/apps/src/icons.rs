//! Icons of followed feeds, as feed apps list them.

use std::collections::HashMap;

use articles::pictures::{self, ChosenPicture, PictureKey, Viewer};
use feeds::Subscription;
use kernel::{Domain, Error, FeedId};

use http_kit::app::App;

/// Returns the chosen icon of each feed. Feeds whose icons are unknown or have failed are omitted.
pub(super) async fn icons(
    domain: &Domain,
    subscriptions: &[Subscription],
) -> Result<HashMap<FeedId, ChosenPicture>, Error> {
    let lists: Vec<Vec<String>> = subscriptions.iter().map(Subscription::picture_urls).collect();
    let chosen = pictures::choose(domain, &lists).await?;
    let of_feed = subscriptions.iter().map(|subscription| subscription.feed_id).zip(chosen);
    Ok(of_feed.filter_map(|(feed_id, icon)| Some((feed_id, icon?))).collect())
}

/// Addresses of icons at this service. Apps load them without a session.
pub(super) struct IconUrls {
    icons: HashMap<FeedId, ChosenPicture>,
    key: PictureKey,
    base: String,
}

impl IconUrls {
    /// Loads the icons of subscriptions.
    pub(super) async fn load(app: &App, subscriptions: &[Subscription]) -> Result<Self, Error> {
        let icons = icons(&app.domain, subscriptions).await?;
        let key = PictureKey::load(&app.domain).await?;
        Ok(Self { icons, key, base: app.settings.origins.base.to_string() })
    }

    /// Returns the address of a feed's icon. `None` if the icon is unknown or has failed.
    pub(super) fn of(&self, subscription: &Subscription) -> Option<String> {
        let path = self.key.icon_path(Viewer::Anyone, &self.icons.get(&subscription.feed_id)?.url)?;
        Some(format!("{}{path}", self.base))
    }
}
