//! Pictures of feeds in lists: the icon of the site, or the picture that the feed declares.

use std::collections::HashMap;

use articles::pictures::{self, PictureKey, Viewer};
use feeds::Subscription;
use kernel::{AccountId, FeedId};
use maud::{Markup, html};

use crate::page::request::PageRequest;
use crate::pictures::are_pictures_off;

/// Paths of the feeds' pictures.
pub(super) struct FeedPictures(HashMap<FeedId, String>);

impl FeedPictures {
    /// Loads the pictures of these feeds for a signed-in person, who may have switched pictures off.
    pub(super) async fn of(
        request: &PageRequest,
        account_id: AccountId,
        feeds: &[&Subscription],
    ) -> kernel::Result<Self> {
        if are_pictures_off(request.appearance) {
            return Ok(Self(HashMap::new()));
        }
        let domain = &request.app.domain;
        let lists: Vec<Vec<String>> = feeds.iter().map(|feed| feed.picture_urls()).collect();
        let (chosen, key) = (pictures::choose(domain, &lists).await?, PictureKey::load(domain).await?);
        let paths = feeds.iter().zip(chosen).filter_map(|(feed, picture)| {
            Some((feed.feed_id, key.icon_path(Viewer::Account(account_id), &picture?.url)?))
        });
        Ok(Self(paths.collect()))
    }

    /// Renders the picture of a feed. Empty if it has none. The `alt` text is empty, because the title is
    /// next to the picture.
    pub(super) fn show(&self, feed_id: FeedId) -> Markup {
        html! {
            @if let Some(path) = self.0.get(&feed_id) {
                img.favicon src=(path) alt="" width="16" height="16" loading="lazy" decoding="async"; " "
            }
        }
    }
}
