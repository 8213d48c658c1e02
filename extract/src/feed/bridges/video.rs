//! Video services.

use url::Url;

use super::page_address::{PageAddress, decoded, is_number, is_plain_id, with_parameters};
use super::service::{Bridge, Service, ServiceHosts, atom, feed_of, named_by, named_in, rss};

const YOUTUBE_FEEDS: &str = "https://www.youtube.com/feeds/videos.xml";
/// First path segments that are not names of users.
const VIMEO_PAGES: &[&str] = &[
    "album", "blog", "categories", "create", "features", "help", "join", "log_in", "manage", "ondemand",
    "search", "showcase", "stock", "upgrade", "watch",
];
const DAILYMOTION_PAGES: &[&str] = &["browse", "embed", "live", "partner", "search", "signin", "video"];

pub(super) const YOUTUBE: Service = Service {
    name: "YouTube",
    hosts: ServiceHosts::Named(&["youtube.com", "youtu.be", "music.youtube.com"]),
    rule: youtube,
    forms: &[
        feed_of(
            "channel",
            "https://www.youtube.com/channel/UCabc-_1",
            "https://www.youtube.com/feeds/videos.xml?channel_id=UCabc-_1",
        ),
        feed_of(
            "playlist",
            "https://www.youtube.com/playlist?list=PLabc",
            "https://www.youtube.com/feeds/videos.xml?playlist_id=PLabc",
        ),
        named_in("handle", "https://m.youtube.com/@harbour/videos", "https://www.youtube.com/@harbour"),
        named_in("video", "https://youtu.be/dQw4w9WgXcQ?t=42", "https://www.youtube.com/watch?v=dQw4w9WgXcQ"),
    ],
};

fn youtube(page: &PageAddress) -> Vec<Bridge> {
    if let Some(list) = page.parameter("list").filter(|list| is_plain_id(list)) {
        return vec![atom(format!("{YOUTUBE_FEEDS}?playlist_id={list}"))];
    }
    let video = |id: &str| named_by(format!("https://www.youtube.com/watch?v={id}"));
    match page.path().as_slice() {
        ["channel", id, ..] if is_plain_id(id) => vec![atom(format!("{YOUTUBE_FEEDS}?channel_id={id}"))],
        ["user", name, ..] if is_plain_id(name) => vec![atom(format!("{YOUTUBE_FEEDS}?user={name}"))],
        ["c", name, ..] => vec![named_by(format!("https://www.youtube.com/c/{name}"))],
        [handle, ..] if handle.starts_with('@') => {
            vec![named_by(format!("https://www.youtube.com/{handle}"))]
        }
        ["watch"] => {
            page.parameter("v").filter(|id| is_plain_id(id)).map(|id| video(&id)).into_iter().collect()
        }
        ["shorts" | "live", id] if is_plain_id(id) => vec![video(id)],
        [id] if page.host() == "youtu.be" && is_plain_id(id) => vec![video(id)],
        _ => Vec::new(),
    }
}

/// Feed of the channel with this id. The page at `address` names the id in a `meta` element.
pub(super) fn youtube_channel(id: &str, address: &str) -> Option<Bridge> {
    let host = Url::parse(address).ok()?.host_str()?.to_owned();
    let is_youtube = host == "youtube.com" || host.ends_with(".youtube.com");
    (is_youtube && id.starts_with("UC") && is_plain_id(id))
        .then(|| atom(format!("{YOUTUBE_FEEDS}?channel_id={id}")))
}

pub(super) const VIMEO: Service = Service {
    name: "Vimeo",
    hosts: ServiceHosts::Named(&["vimeo.com"]),
    rule: vimeo,
    forms: &[
        feed_of("user", "https://vimeo.com/harbour", "https://vimeo.com/harbour/videos/rss"),
        feed_of(
            "channel",
            "https://vimeo.com/channels/staffpicks/1084537",
            "https://vimeo.com/channels/staffpicks/videos/rss",
        ),
        feed_of(
            "group",
            "https://vimeo.com/groups/shortfilms",
            "https://vimeo.com/groups/shortfilms/videos/rss",
        ),
    ],
};

fn vimeo(page: &PageAddress) -> Vec<Bridge> {
    match page.path().as_slice() {
        [kind @ ("channels" | "groups"), name, ..] => {
            vec![rss(format!("https://vimeo.com/{kind}/{name}/videos/rss"))]
        }
        [user, ..] if !is_number(user) && !VIMEO_PAGES.contains(user) => {
            vec![rss(format!("https://vimeo.com/{user}/videos/rss"))]
        }
        _ => Vec::new(),
    }
}

pub(super) const DAILYMOTION: Service = Service {
    name: "Dailymotion",
    hosts: ServiceHosts::Named(&["dailymotion.com"]),
    rule: dailymotion,
    forms: &[
        feed_of(
            "user",
            "https://www.dailymotion.com/harbour",
            "https://www.dailymotion.com/rss/user/harbour",
        ),
        feed_of(
            "playlist",
            "https://www.dailymotion.com/playlist/x6lgtp",
            "https://www.dailymotion.com/rss/playlist/x6lgtp",
        ),
    ],
};

fn dailymotion(page: &PageAddress) -> Vec<Bridge> {
    match page.path().as_slice() {
        ["playlist", id, ..] => vec![rss(format!("https://www.dailymotion.com/rss/playlist/{id}"))],
        ["user", user, ..] => vec![rss(format!("https://www.dailymotion.com/rss/user/{user}"))],
        [user] if !DAILYMOTION_PAGES.contains(user) => {
            vec![rss(format!("https://www.dailymotion.com/rss/user/{user}"))]
        }
        _ => Vec::new(),
    }
}

pub(super) const ODYSEE: Service = Service {
    name: "Odysee",
    hosts: ServiceHosts::Named(&["odysee.com"]),
    rule: odysee,
    forms: &[feed_of("channel", "https://odysee.com/@harbour:f", "https://odysee.com/$/rss/@harbour:f")],
};

fn odysee(page: &PageAddress) -> Vec<Bridge> {
    match page.path().as_slice() {
        [channel, ..] if channel.starts_with('@') => vec![rss(format!("https://odysee.com/$/rss/{channel}"))],
        _ => Vec::new(),
    }
}

pub(super) const PEERTUBE: Service = Service {
    name: "PeerTube",
    hosts: ServiceHosts::Any,
    rule: peertube,
    forms: &[
        feed_of(
            "channel",
            "https://tube.example/c/harbour/videos",
            "https://tube.example/feeds/videos.xml?videoChannelName=harbour",
        ),
        feed_of(
            "account",
            "https://tube.example/a/ann/video-channels",
            "https://tube.example/feeds/videos.xml?accountName=ann",
        ),
    ],
};

fn peertube(page: &PageAddress) -> Vec<Bridge> {
    let feeds = format!("{}/feeds/videos.xml", page.origin());
    match page.path().as_slice() {
        ["c", channel] | ["c", channel, "videos" | "video-playlists" | "about", ..] => {
            vec![rss(with_parameters(&feeds, &[("videoChannelName", decoded(channel))]))]
        }
        ["a", account, "videos" | "video-channels" | "about", ..] => {
            vec![rss(with_parameters(&feeds, &[("accountName", decoded(account))]))]
        }
        _ => Vec::new(),
    }
}
