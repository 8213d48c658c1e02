//! Icons of followed feeds, as the Google Reader API and Fever list them.

use std::collections::HashMap;

use articles::pictures::{self, ChosenPicture};
use feeds::Subscription;
use kernel::{Domain, Error, FeedId};

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
