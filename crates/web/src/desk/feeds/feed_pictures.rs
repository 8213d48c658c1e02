//! Pictures of feeds in lists: the icon of the site, or the picture that the feed names.

use std::collections::HashMap;

use articles::pictures::{self, PictureKey, Viewer};
use feeds::Subscription;
use kernel::{AccountId, FeedId};
use maud::{Markup, html};

use crate::page::request::PageRequest;
use crate::pictures::are_pictures_off;

/// Paths of the pictures of feeds.
pub(super) struct FeedPictures(HashMap<FeedId, String>);

impl FeedPictures {
    /// Pictures of these feeds for a signed-in person, who may have switched pictures off.
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

    /// The picture of a feed, if it may have one. It repeats the title and has no description.
    pub(super) fn show(&self, feed_id: FeedId) -> Markup {
        html! {
            @if let Some(path) = self.0.get(&feed_id) {
                img.favicon src=(path) alt="" width="16" height="16" loading="lazy" decoding="async"; " "
            }
        }
    }
}
