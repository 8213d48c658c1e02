//! Pictures of feeds in lists: the icon of the site, or the picture that the feed declares.

use std::collections::HashMap;

use articles::pictures::{self, PictureKey, Viewer};
use feeds::{Entry, Subscription};
use kernel::{AccountId, FeedId};
use maud::{Markup, html};

use super::super::row_pictures::RowPictures;
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
        Ok(Self::with_rows(request, account_id, feeds, &[]).await?.0)
    }

    /// Loads the pictures of these feeds and those in the rows of entries, with one query.
    pub(super) async fn with_rows(
        request: &PageRequest,
        account_id: AccountId,
        feeds: &[&Subscription],
        entries: &[&Entry],
    ) -> kernel::Result<(Self, RowPictures)> {
        if are_pictures_off(request.appearance) {
            return Ok((Self(HashMap::new()), RowPictures::default()));
        }
        let domain = &request.app.domain;
        let mut lists: Vec<Vec<String>> = feeds.iter().map(|feed| feed.picture_urls()).collect();
        lists.extend(RowPictures::urls_of_entries(request, entries).into_iter().map(|url| vec![url]));
        let (chosen, key) = (pictures::choose(domain, &lists).await?, PictureKey::load(domain).await?);
        let mut chosen = chosen.into_iter();
        let of_feeds = feeds.iter().zip(chosen.by_ref()).filter_map(|(feed, picture)| {
            Some((feed.feed_id, key.icon_path(Viewer::Account(account_id), &picture?.url)?))
        });
        let of_feeds = Self(of_feeds.collect());
        Ok((of_feeds, RowPictures::of_chosen(&key, account_id, chosen.flatten())))
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
