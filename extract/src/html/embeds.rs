//! Elements and hosts of embedded videos, audio recordings and pages.

use crate::page::{Id, Page};

/// Maximum number of nodes in an element that a script of another site replaces.
const MAX_WIDGET_NODES: usize = 100;
/// Hosts of players and other embedded content. Their embeds are included even without a title.
const EMBED_HOSTS: [&str; 35] = [
    "youtube.com", "youtube-nocookie.com", "vimeo.com", "dailymotion.com", "twitch.tv", "ted.com",
    "bilibili.com", "wistia.com", "wistia.net", "loom.com", "streamable.com", "rumble.com", "odysee.com",
    "archive.org", "soundcloud.com", "spotify.com", "bandcamp.com", "mixcloud.com", "podcasts.apple.com",
    "music.apple.com", "libsyn.com", "codepen.io", "codesandbox.io", "stackblitz.com", "jsfiddle.net",
    "datawrapper.de", "dwcdn.net", "infogram.com", "flourish.studio", "observablehq.com", "maps.google.com",
    "openstreetmap.org", "slideshare.net", "speakerdeck.com", "instagram.com",
];
/// Attributes with the URL of a player that a script loads.
const PLAYER_ATTRIBUTES: [&str; 7] = [
    "data-embed", "data-embed-src", "data-embed-url", "data-iframe-src", "data-src", "data-video-src",
    "data-video-url",
];

/// Words in the names of advertising and tracking hosts.
const AD_WORDS: [&str; 14] = [
    "ad", "ads", "adform", "adnxs", "adserver", "adservice", "adsystem", "advertising", "criteo",
    "doubleclick", "googlesyndication", "googletagmanager", "outbrain", "taboola",
];

/// True for elements that embed a video, an audio recording, a page or a file.
pub(super) fn is_embedded(tag: &str) -> bool {
    is_recording(tag) || matches!(tag, "iframe" | "embed" | "amp-iframe" | "object")
}

/// True for elements that a script of another site replaces with its content: Gists, terminal recordings, and
/// posts of Facebook and Twitter without their text. Also true for empty elements in which a script plays a film.
pub(super) fn is_widget(page: &Page, id: Id) -> bool {
    match page.tag(id) {
        "script" => page.value(id, "src").is_some_and(|src| {
            let (_, address) = src.split_once("//").unwrap_or_default();
            ["gist.github.com/", "asciinema.org/a/"].iter().any(|start| address.starts_with(start))
        }),
        "div" => {
            page.value(id, "data-href").is_some()
                && page.class_names(id).any(|class| matches!(class, "fb-post" | "fb-video"))
                && is_without_text(page, id)
                || player_address(page, id).is_some()
        }
        "blockquote" => {
            page.class_names(id).any(|class| matches!(class, "twitter-tweet" | "twitter-video"))
                && is_without_text(page, id)
        }
        _ => false,
    }
}

fn is_without_text(page: &Page, id: Id) -> bool {
    page.descendants(id).len() <= MAX_WIDGET_NODES
        && !page.descendants(id).any(|inner| page.is_nonblank_text(inner))
}

/// Address of the content of a widget.
pub(super) fn widget_address(page: &Page, id: Id) -> Option<&str> {
    match page.tag(id) {
        "script" => {
            let src = page.value(id, "src")?;
            let address = src.split(['?', '#']).next().unwrap_or(src);
            Some(address.strip_suffix(".js").unwrap_or(address))
        }
        "blockquote" => page.descendants(id).find_map(|inner| page.value(inner, "href")),
        _ => page.value(id, "data-href"),
    }
}

/// URL of the film that a script plays in an empty `div`: by its number at YouTube or Vimeo, or by the URL of
/// the player.
pub(super) fn player_address(page: &Page, id: Id) -> Option<String> {
    if !page.is(id, "div") {
        return None;
    }
    let has_address = page.attributes(id).any(|(name, value)| {
        names_video(name) && (is_youtube_number(&value) || is_vimeo_number(&value))
            || PLAYER_ATTRIBUTES.contains(&name) && is_player_url(&value)
    });
    if !has_address || !is_without_text(page, id) {
        return None;
    }
    let names_site = |site: &str| {
        page.attributes(id).any(|(name, value)| match name {
            "class" | "id" | "data-provider" | "data-plyr-provider" => value.to_lowercase().contains(site),
            _ => name.starts_with("data-") && name.contains(site),
        })
    };
    let numbers = || page.attributes(id).filter(|(name, _)| names_video(name)).map(|(_, value)| value);
    if let Some(number) = numbers().find(is_youtube_number).filter(|_| names_site("youtube")) {
        return Some(youtube_address(number));
    }
    if let Some(number) = numbers().find(is_vimeo_number).filter(|_| names_site("vimeo")) {
        return Some(format!("https://vimeo.com/{number}"));
    }
    PLAYER_ATTRIBUTES.iter().filter_map(|name| page.value(id, name)).find(is_player_url).map(str::to_owned)
}

/// True for attributes with the number of a film, such as `data-video-id` or `data-embed`.
fn names_video(attribute: &str) -> bool {
    attribute
        .strip_prefix("data-")
        .is_some_and(|name| name.ends_with("id") || ["embed", "video", "youtube", "vimeo"].contains(&name))
}

fn is_youtube_number(number: &&str) -> bool {
    number.len() == 11
        && number.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
}

fn is_vimeo_number(number: &&str) -> bool {
    (6..=12).contains(&number.len()) && number.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_player_url(url: &&str) -> bool {
    (url.starts_with("http") || url.starts_with("//")) && is_embed_host(url)
}

pub(super) fn youtube_address(number: &str) -> String {
    format!("https://www.youtube.com/watch?v={number}")
}

/// True for elements that play a video or an audio recording.
pub(super) fn is_recording(tag: &str) -> bool {
    matches!(tag, "video" | "audio" | "amp-video" | "amp-audio" | "amp-youtube" | "lite-youtube")
}

/// True if the URL is on a host for embedded content.
pub(super) fn is_embed_host(src: &str) -> bool {
    let host = src.split('/').nth(2).unwrap_or_default();
    let is_known = |known: &str| host == known || host.ends_with(&format!(".{known}"));
    EMBED_HOSTS.iter().any(|known| is_known(known)) || src.contains("google.com/maps/embed")
}

/// True if the URL is on an advertising or tracking host.
pub(super) fn is_ad_host(src: &str) -> bool {
    let host = src.split('/').nth(2).unwrap_or_default();
    host.split(['.', '-']).any(|word| AD_WORDS.iter().any(|known| word.eq_ignore_ascii_case(known)))
}
