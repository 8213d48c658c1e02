//! Public page of a Telegram channel.

use dom_query::{Document, Selection};

use super::super::bridges::page_address::PageAddress;
use super::super::builder::{AttachedPicture, RawEntry, RawFeed, RawLink};
use super::super::text::escape;
use super::parts;
use crate::{limits, page::parse};

/// Maximum number of messages that are read. A page has about twenty messages.
const MAX_MESSAGES: usize = 200;
/// Maximum number of pictures and videos of a message.
const MAX_FILES: usize = 20;
/// Maximum number of links of a page that are repaired.
const MAX_LINKS: usize = 5_000;
/// Elements with a picture as their background: photos, and the first frames of videos.
const PICTURES: &str = ".tgme_widget_message_photo_wrap[style], .tgme_widget_message_video_thumb[style], \
    .tgme_widget_message_roundvideo_thumb[style]";
/// Selectors of texts in a message besides its main text.
const FURTHER_TEXTS: &str = ".tgme_widget_message_poll_question, .tgme_widget_message_document_title";

/// Converts the messages of a channel.
pub(super) fn channel(source: &str, page: &PageAddress) -> Option<RawFeed> {
    limits::check(source).ok()?;
    let document = parse::parse(source).ok()?;
    let messages = document.select(".tgme_widget_message[data-post]");
    if messages.is_empty() {
        return None;
    }
    mend_links(&document);
    let title = property(&document, "og:title");
    let mut feed = parts::feed(title.as_deref().unwrap_or_default(), page.as_str());
    feed.description = property(&document, "og:description").and_then(|text| parts::plain(&text));
    feed.image = property(&document, "og:image");
    // The newest message is the last.
    feed.entries = messages.iter().rev().take(MAX_MESSAGES).filter_map(|message| entry(&message)).collect();
    Some(feed)
}

/// Repairs links to other sites: Telegram escapes each `&` in their addresses twice. Such links request a
/// confirmation in an `onclick` attribute, which distinguishes them from other links.
fn mend_links(document: &Document) {
    for link in document.select(".js-message_text a[onclick][href]").iter().take(MAX_LINKS) {
        let href = link.attr_or("href", "");
        if href.contains("&amp;") {
            link.set_attr("href", &href.replace("&amp;", "&"));
        }
    }
}

/// Value of a `meta` element.
fn property(document: &Document, name: &str) -> Option<String> {
    let content = document.select(&format!("meta[property='{name}']")).attr("content")?;
    Some(content.trim().to_owned()).filter(|content| !content.is_empty())
}

fn entry(message: &Selection<'_>) -> Option<RawEntry> {
    let post = message.attr("data-post").filter(|post| is_post(post))?;
    let page = format!("https://t.me/{post}");
    let time = message.select(".tgme_widget_message_date time[datetime]").attr("datetime");
    let author = message.select(".tgme_widget_message_from_author").text();
    let mut markup = message.select(".js-message_text").inner_html().to_string();
    for further in message.select(FURTHER_TEXTS).iter().take(MAX_FILES) {
        markup += &format!("<p>{}</p>", escape(further.text().trim()));
    }
    let mut entry = RawEntry {
        authors: parts::author(Some(author.trim().to_owned()).filter(|name| !name.is_empty())),
        published: time.and_then(|time| parts::time(&time)),
        content: parts::markup(markup, &page),
        pictures: pictures(message),
        ..parts::entry(post.to_string(), "", &page)
    };
    for (recordings, media_type) in [("video[src]", "video/mp4"), ("audio[src]", "audio/ogg")] {
        for recording in message.select(recordings).iter().take(MAX_FILES) {
            let href = recording.attr_or("src", "").to_string();
            let media_type = Some(media_type.to_owned());
            entry.links.push(RawLink {
                href,
                rel: Some("enclosure".to_owned()),
                media_type,
                size_bytes: None,
            });
        }
    }
    Some(entry)
}

/// True for text of the form `channel/number`.
fn is_post(post: &str) -> bool {
    post.split_once('/').is_some_and(|(channel, number)| {
        !channel.is_empty()
            && channel.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
            && !number.is_empty()
            && number.bytes().all(|byte| byte.is_ascii_digit())
    })
}

/// Pictures of a message, which are background images.
fn pictures(message: &Selection<'_>) -> Vec<AttachedPicture> {
    let photos = message.select(PICTURES);
    let url = |photo: Selection<'_>| {
        let style = photo.attr("style")?;
        let (_, value) = style.split_once("background-image:url(")?;
        let (url, _) = value.split_once(')')?;
        Some(AttachedPicture { url: url.trim_matches(['\'', '"']).to_owned(), description: None })
    };
    photos.iter().take(MAX_FILES).filter_map(url).collect()
}
