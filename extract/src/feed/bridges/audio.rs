//! Music and podcast services.

use serde::Deserialize;
use url::Url;

use super::page_address::{PageAddress, is_number};
use super::service::{
    Bridge, Service, ServiceHosts, converted, converted_of, feed_of, named_by, named_in, rss,
};

/// First path segments that are not names of users.
const SOUNDCLOUD_PAGES: &[&str] =
    &["charts", "discover", "jobs", "pages", "search", "settings", "stream", "tags", "upload", "you"];
/// Prefix of the app address of a user, in a `meta` element of the user's page.
const SOUNDCLOUD_USER: &str = "soundcloud://users:";
/// Hosts below bandcamp.com that are not the site of an artist or label.
const BANDCAMP_HOSTS: &[&str] = &["bandcamp.com", "daily.bandcamp.com"];
/// Maximum number of podcasts that are read from the response of a lookup.
const MAX_PODCASTS: usize = 20;

pub(super) const SOUNDCLOUD: Service = Service {
    name: "SoundCloud",
    hosts: ServiceHosts::Named(&["soundcloud.com"]),
    rule: soundcloud,
    forms: &[
        named_in("user", "https://soundcloud.com/harbour", "https://soundcloud.com/harbour"),
        named_in("track", "https://m.soundcloud.com/harbour/low-tide", "https://soundcloud.com/harbour"),
    ],
};

fn soundcloud(page: &PageAddress) -> Vec<Bridge> {
    match page.path().as_slice() {
        [user, ..] if !SOUNDCLOUD_PAGES.contains(user) => {
            vec![named_by(format!("https://soundcloud.com/{user}"))]
        }
        _ => Vec::new(),
    }
}

/// Feed of the user with this app address. `address` is the URL of the user's page.
pub(super) fn soundcloud_user(app_address: &str, address: &str) -> Option<Bridge> {
    let host = Url::parse(address).ok()?.host_str()?.to_owned();
    let id = app_address.strip_prefix(SOUNDCLOUD_USER).filter(|id| is_number(id))?;
    let is_soundcloud = host == "soundcloud.com" || host.ends_with(".soundcloud.com");
    is_soundcloud.then(|| rss(format!("https://feeds.soundcloud.com/users/soundcloud:users:{id}/sounds.rss")))
}

pub(super) const BANDCAMP: Service = Service {
    name: "Bandcamp",
    hosts: ServiceHosts::Below(&["bandcamp.com"]),
    rule: bandcamp,
    forms: &[
        converted_of(
            "artist or label",
            "https://harbour.bandcamp.com/album/low-tide",
            "https://harbour.bandcamp.com/music",
        ),
        feed_of(
            "Bandcamp Daily",
            "https://daily.bandcamp.com/lists/boats",
            "https://daily.bandcamp.com/feed",
        ),
    ],
};

fn bandcamp(page: &PageAddress) -> Vec<Bridge> {
    match page.host() {
        "daily.bandcamp.com" => vec![rss("https://daily.bandcamp.com/feed")],
        host if !BANDCAMP_HOSTS.contains(&host) => vec![converted(format!("https://{host}/music"))],
        _ => Vec::new(),
    }
}

pub(super) const APPLE_PODCASTS: Service = Service {
    name: "Apple Podcasts",
    hosts: ServiceHosts::Named(&["podcasts.apple.com", "itunes.apple.com"]),
    rule: apple_podcasts,
    forms: &[named_in(
        "podcast",
        "https://podcasts.apple.com/gb/podcast/harbour-talk/id1234567890?i=1000",
        "https://itunes.apple.com/lookup?id=1234567890&entity=podcast",
    )],
};

fn apple_podcasts(page: &PageAddress) -> Vec<Bridge> {
    let path = page.path();
    let id = path.iter().rev().find_map(|part| part.strip_prefix("id").filter(|id| is_number(id)));
    let lookup = |id: &str| named_by(format!("https://itunes.apple.com/lookup?id={id}&entity=podcast"));
    id.map(lookup).into_iter().collect()
}

/// Response of a podcast lookup.
#[derive(Deserialize)]
struct PodcastLookup {
    results: Vec<Podcast>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Podcast {
    feed_url: Option<String>,
    collection_name: Option<String>,
}

/// Titles and URLs of the feeds in the response of a podcast lookup at `address`.
pub(super) fn podcasts_of_lookup(body: &str, address: &str) -> Vec<(Option<String>, String)> {
    let is_lookup = Url::parse(address)
        .is_ok_and(|url| url.host_str() == Some("itunes.apple.com") && url.path() == "/lookup");
    let lookup: Option<PodcastLookup> = is_lookup.then(|| serde_json::from_str(body.trim()).ok()).flatten();
    let podcasts = lookup.map(|lookup| lookup.results).unwrap_or_default().into_iter();
    podcasts.filter_map(|one| Some((one.collection_name, one.feed_url?))).take(MAX_PODCASTS).collect()
}
