//! Chooses one of several addresses of a picture, such as the icon of a site.

use std::collections::HashMap;

use async_recursion::async_recursion as boxed;
use entities::picture::{Column, Entity};
use futures_util::StreamExt;
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter};
use url::Url;

use super::request::{CachedPicture, PictureResult, cached, hash_of, read};
use kernel::{Domain, Result};

/// Maximum number of addresses per query.
const STEP: usize = 500;

/// Chosen address of a picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChosenPicture {
    pub url: String,
    /// Cached picture. `None` if the picture has not been fetched yet.
    pub cached: Option<CachedPicture>,
}

/// Returns, for each list (best address first), the first address that has not failed. `None` for a list whose
/// addresses have all failed, and for every list if pictures are disabled. Fetches nothing.
#[boxed]
pub async fn choose(domain: &Domain, lists: &[Vec<String>]) -> Result<Vec<Option<ChosenPicture>>> {
    if domain.policy().max_picture_bytes == 0 {
        return Ok(lists.iter().map(|_| None).collect());
    }
    let now = domain.now();
    let hashes: Vec<String> = lists.iter().flatten().map(|url| hash_of(url)).collect();
    let mut states: HashMap<String, PictureResult> = HashMap::new();
    for chunk in hashes.chunks(STEP) {
        let rows = Entity::find().filter(Column::Hash.is_in(chunk.iter().cloned()));
        for row in rows.all(domain.db().read()).await? {
            if let Some(state) = cached(&row, now) {
                states.insert(row.url, state);
            }
        }
    }
    let choose = |url: &String| match states.get(url) {
        Some(Ok(picture)) => Some(ChosenPicture { url: url.clone(), cached: Some(picture.clone()) }),
        Some(Err(_)) => None,
        None => Some(ChosenPicture { url: url.clone(), cached: None }),
    };
    Ok(lists.iter().map(|urls| urls.iter().find_map(choose)).collect())
}

/// Returns the bytes of a picture. `None` if the picture is larger than `max_bytes` or cannot be read.
#[boxed]
pub async fn read_small(domain: &Domain, picture: &CachedPicture, max_bytes: u64) -> Option<Vec<u8>> {
    if picture.size > max_bytes {
        return None;
    }
    let mut stream = read(domain, picture).await.ok()?;
    let mut bytes = Vec::new();
    while let Some(part) = stream.next().await {
        bytes.extend_from_slice(&part.ok()?);
    }
    Some(bytes)
}

/// Returns the URL at which the site of a page usually has its icon.
pub fn site_icon_url(page: &str) -> Option<String> {
    let mut url = Url::parse(page).ok()?.join("/favicon.ico").ok()?;
    url.set_username("").ok()?;
    url.set_password(None).ok()?;
    Some(url.into())
}

#[cfg(test)]
mod tests {
    use super::site_icon_url;

    #[test]
    fn site_icon_url_is_at_the_site_root_without_credentials() {
        for (page, icon) in [
            ("https://example.org/blog/?page=2#top", Some("https://example.org/favicon.ico")),
            ("http://ada:pass@example.org:8080/", Some("http://example.org:8080/favicon.ico")),
            ("mailto:ada@example.org", None),
            ("blog", None),
        ] {
            assert_eq!(site_icon_url(page).as_deref(), icon, "{page}");
        }
    }
}
