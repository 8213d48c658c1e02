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
/// posts of Facebook and Twitter without their text.
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
