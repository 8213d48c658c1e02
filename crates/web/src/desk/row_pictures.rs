//! Pictures in rows of lists: icons of sites, and pictures of entries and items. Lists load them
//! only if the person has chosen a density with pictures.

use std::collections::HashMap;

use articles::pictures::{self, ChosenPicture, PictureKey, PictureWidth, Viewer, site_icon_url};
use feeds::{Entry, SourceKind};
use kernel::{AccountId, ItemId};
use library::{Item, ItemPreview};
use maud::{Markup, html};

use crate::appearance::Density;
use crate::page::request::PageRequest;
use crate::pictures::are_pictures_off;

/// Paths of pictures on this host, by their original addresses.
#[derive(Default)]
pub(super) struct RowPictures(HashMap<String, String>);

impl RowPictures {
    /// Loads the pictures of entries.
    pub(super) async fn of_entries(
        request: &PageRequest,
        account_id: AccountId,
        entries: &[&Entry],
    ) -> kernel::Result<Self> {
        Self::load(request, account_id, Self::urls_of_entries(request, entries)).await
    }

    /// Returns the addresses of the pictures of entries that a list displays.
    pub(super) fn urls_of_entries(request: &PageRequest, entries: &[&Entry]) -> Vec<String> {
        let mut urls: Vec<String> = entries.iter().filter_map(|entry| site_icon_of(entry)).collect();
        if request.appearance.density() == Density::Magazine {
            urls.extend(entries.iter().filter_map(|entry| entry.image_url.clone()));
        }
        displayed(request, urls)
    }

    /// Loads the icons of the sites of items, and the pictures of their previews.
    pub(super) async fn of_items(
        request: &PageRequest,
        account_id: AccountId,
        items: &[Item],
        previews: &HashMap<ItemId, ItemPreview>,
    ) -> kernel::Result<Self> {
        let mut urls: Vec<String> = items.iter().filter_map(icon_of_item).collect();
        if request.appearance.density() == Density::Magazine {
            urls.extend(previews.values().filter_map(|preview| preview.picture_url.clone()));
        }
        Self::load(request, account_id, urls).await
    }

    async fn load(request: &PageRequest, account_id: AccountId, urls: Vec<String>) -> kernel::Result<Self> {
        let urls = displayed(request, urls);
        if urls.is_empty() {
            return Ok(Self::default());
        }
        let domain = &request.app.domain;
        let lists: Vec<Vec<String>> = urls.into_iter().map(|url| vec![url]).collect();
        let (chosen, key) = (pictures::choose(domain, &lists).await?, PictureKey::load(domain).await?);
        Ok(Self::of_chosen(&key, account_id, chosen.into_iter().flatten()))
    }

    /// Signs the addresses of pictures for an account.
    pub(super) fn of_chosen(
        key: &PictureKey,
        account_id: AccountId,
        chosen: impl Iterator<Item = ChosenPicture>,
    ) -> Self {
        let path = |url: String| Some((url.clone(), key.icon_path(Viewer::Account(account_id), &url)?));
        Self(chosen.filter_map(|picture| path(picture.url)).collect())
    }

    /// Renders the icon of an entry's site. Empty if it has none.
    pub(super) fn icon_of_entry(&self, entry: &Entry) -> Markup {
        self.icon(site_icon_of(entry))
    }

    /// Renders the icon of an item's site. Empty if it has none.
    pub(super) fn icon_of_item(&self, item: &Item) -> Markup {
        self.icon(icon_of_item(item))
    }

    /// Renders an icon. Its `alt` text is empty, because the name of the site is next to it.
    fn icon(&self, url: Option<String>) -> Markup {
        let path = url.and_then(|url| self.0.get(&url));
        html! { @if let Some(path) = path { img.favicon src=(path) alt="" width="16" height="16" loading="lazy" decoding="async"; " " } }
    }

    /// Renders the smallest version of the picture at an address. Its `alt` text is empty, because the title is next to it.
    pub(super) fn picture(&self, url: Option<&str>) -> Markup {
        let path = url.and_then(|url| self.0.get(url));
        let query = PictureWidth::SMALL.query();
        html! { @if let Some(path) = path { img.thumb src={ (path) "&" (query) } alt="" loading="lazy" decoding="async"; } }
    }
}

/// Returns each address once. Empty if the person's lists have no pictures.
fn displayed(request: &PageRequest, mut urls: Vec<String>) -> Vec<String> {
    if request.appearance.density() == Density::Compact || are_pictures_off(request.appearance) {
        return Vec::new();
    }
    urls.sort_unstable();
    urls.dedup();
    urls
}

fn site_icon_of(entry: &Entry) -> Option<String> {
    let page = entry.feed_site_url.as_deref().filter(|_| entry.source_kind == SourceKind::Feed)?;
    site_icon_url(page)
}

fn icon_of_item(item: &Item) -> Option<String> {
    item.url.starts_with("http").then(|| site_icon_url(&item.url)).flatten()
}
