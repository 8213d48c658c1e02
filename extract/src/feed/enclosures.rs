//! Files attached to an entry: audio, video and other files, with their media types.

use super::builder::RawLink;
use super::{Enclosure, text, urls};

/// Maximum number of enclosures of an entry. Audio and video come first.
const MAX_ENCLOSURES: usize = 10;
/// Maximum number of enclosures that are compared with each other.
const MAX_READ: usize = 100;
/// Maximum length of an accepted media type, in bytes.
const MAX_MEDIA_TYPE: usize = 100;
/// Maximum declared size that is accepted, in bytes.
const MAX_SIZE: u64 = 1 << 44;
/// Media type of a file whose type is unknown.
const UNKNOWN: &str = "application/octet-stream";

/// Enclosures among the links, without duplicates.
pub(super) fn enclosures(links: &[RawLink]) -> Vec<Enclosure> {
    let mut enclosures: Vec<Enclosure> = Vec::new();
    for link in links.iter().filter(|link| is_enclosure(link)).take(MAX_READ) {
        let Some(url) = urls::readable(&link.href) else { continue };
        let media_type = media_type(link.media_type.as_deref(), &url);
        if enclosures.iter().all(|enclosure| enclosure.url != url) {
            // Feeds that do not know the size declare 0.
            let size_bytes = link.size_bytes.filter(|size| (1..=MAX_SIZE).contains(size));
            enclosures.push(Enclosure { url, media_type, size_bytes });
        }
    }
    enclosures.sort_by_key(|enclosure| !enclosure.is_played());
    enclosures.truncate(MAX_ENCLOSURES);
    enclosures
}

/// URL of the first enclosure, used as the link of an episode that has no other link.
pub(super) fn first_url(links: &[RawLink]) -> Option<String> {
    enclosures(links).into_iter().next().map(|enclosure| enclosure.url)
}

fn is_enclosure(link: &RawLink) -> bool {
    link.rel.as_deref().is_some_and(|rel| rel.eq_ignore_ascii_case("enclosure"))
}

/// Declared media type, or else the type for the URL's extension, or else the usual type of the declared
/// medium.
pub(super) fn media_type(declared: Option<&str>, url: &str) -> String {
    let declared = text::clean(declared.unwrap_or_default()).trim().to_ascii_lowercase();
    let is_specific = declared.contains('/') && !matches!(declared.as_str(), UNKNOWN | "binary/octet-stream");
    if is_specific && declared.len() <= MAX_MEDIA_TYPE {
        return declared;
    }
    let by_medium = match declared.as_str() {
        "audio" => "audio/mpeg",
        "video" => "video/mp4",
        "image" => "image/jpeg",
        _ => UNKNOWN,
    };
    by_extension(url).unwrap_or(by_medium).to_owned()
}

fn by_extension(url: &str) -> Option<&'static str> {
    let path = url.split(['?', '#']).next()?;
    let (_, extension) = path.rsplit('/').next()?.rsplit_once('.')?;
    Some(match extension.to_ascii_lowercase().as_str() {
        "mp3" => "audio/mpeg",
        "m4a" | "m4b" => "audio/mp4",
        "aac" => "audio/aac",
        "ogg" | "oga" => "audio/ogg",
        "opus" => "audio/opus",
        "flac" => "audio/flac",
        "wav" => "audio/wav",
        "mp4" | "m4v" => "video/mp4",
        "mov" => "video/quicktime",
        "webm" => "video/webm",
        "ogv" => "video/ogg",
        "mkv" => "video/x-matroska",
        "jpg" | "jpeg" => "image/jpeg",
        "png" => "image/png",
        "gif" => "image/gif",
        "webp" => "image/webp",
        "avif" => "image/avif",
        "pdf" => "application/pdf",
        "epub" => "application/epub+zip",
        "zip" => "application/zip",
        "torrent" => "application/x-bittorrent",
        _ => return None,
    })
}
