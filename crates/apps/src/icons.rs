//! Icons of followed feeds, as both feed app protocols list them.

use std::collections::HashMap;

use articles::pictures::{self, ChosenPicture};
use feeds::Subscription;
use kernel::{Domain, Error, FeedId};

/// Icon of each of these feeds that may have one.
pub(super) async fn icons(
    domain: &Domain,
    subscriptions: &[Subscription],
) -> Result<HashMap<FeedId, ChosenPicture>, Error> {
    let lists: Vec<Vec<String>> = subscriptions.iter().map(Subscription::picture_urls).collect();
    let chosen = pictures::choose(domain, &lists).await?;
    let of_feed = subscriptions.iter().map(|subscription| subscription.feed_id).zip(chosen);
    Ok(of_feed.filter_map(|(feed_id, icon)| Some((feed_id, icon?))).collect())
}
