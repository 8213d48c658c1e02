//! `/reader/atom/STREAM`: a stream as an Atom document with Google Reader's extensions, for readers that
//! subscribe to the stream as a single feed. The state of an entry is expressed as categories, from which
//! such readers learn whether the entry is read.

use std::collections::HashMap;

use extract::feed::Enclosure;
use feeds::AppEntry;
use kernel::{Error, FeedId, Millis, rfc3339};
use percent_encoding::percent_decode_str;
use poem::{IntoResponse, Response};

use super::call::GReaderCall;
use super::item_id;
use super::stream_id::{READ, READING_LIST, STARRED, StreamId, of_feed, of_label};
use crate::xml::xml_text;

/// Category scheme of states and labels.
const SCHEME: &str = "http://www.google.com/reader/";
/// Category of an unread entry.
const FRESH: &str = "user/-/state/com.google/fresh";

impl GReaderCall<'_> {
    /// Returns the Atom document of the stream that the path names.
    pub(super) async fn stream_atom(&self, in_path: &str) -> Result<Response, Error> {
        let decoded = percent_decode_str(in_path).decode_utf8_lossy();
        let name = if decoded.is_empty() { READING_LIST } else { &*decoded };
        let (entries, continuation) = match self.query(name).await? {
            Some(query) => self.entries(&query).await?,
            None => (Vec::new(), None),
        };
        let labels = feeds::labels(&self.app.domain, self.caller.account_id).await?;
        let id = format!("tag:google.com,2005:reader/{name}");
        let title = title(&StreamId::parse(name), &entries);
        let continuation = element("gr:continuation", continuation.as_deref());
        let body = format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>
<feed xmlns=\"http://www.w3.org/2005/Atom\" xmlns:gr=\"http://www.google.com/schemas/reader/atom/\">
<generator>Carrel</generator>
<id>{}</id>
<title>{}</title>
<updated>{}</updated>
<author><name>Carrel</name></author>
{continuation}{}</feed>
",
            xml_text(&id),
            xml_text(&title),
            rfc3339(self.app.domain.now()),
            entries.iter().map(|entry| entry_of(entry, &labels)).collect::<String>(),
        );
        Ok(body.with_content_type("application/atom+xml; charset=utf-8").into_response())
    }
}

fn title(stream: &StreamId, entries: &[AppEntry]) -> String {
    match stream {
        StreamId::Label(name) => name.clone(),
        StreamId::Starred => "Starred".to_owned(),
        StreamId::Read => "Read".to_owned(),
        StreamId::Unread => "Unread".to_owned(),
        StreamId::Feed(_) | StreamId::Address(_) => {
            entries.first().map_or_else(|| "Carrel".to_owned(), |first| first.entry.feed_title.clone())
        }
        StreamId::ReadingList | StreamId::Unknown => "All entries".to_owned(),
    }
}

fn entry_of(app_entry: &AppEntry, labels: &HashMap<FeedId, String>) -> String {
    let AppEntry { entry, discovered_us, html } = app_entry;
    let mut categories = category(READING_LIST, "reading-list");
    categories += &if entry.unread { category(FRESH, "fresh") } else { category(READ, "read") };
    if entry.starred {
        categories += &category(STARRED, "starred");
    }
    if let Some(name) = labels.get(&entry.feed_id) {
        categories += &category(&of_label(name), name);
    }
    for name in &entry.categories.names {
        categories += &format!("<category term=\"{}\"/>", xml_text(name));
    }
    let author = element("name", entry.author.as_deref());
    let author = if author.is_empty() { author } else { format!("<author>{author}</author>") };
    let published: Millis = entry.published_at.unwrap_or(entry.discovered_at);
    let stream = xml_text(&of_feed(entry.feed_id));
    let site = entry.feed_site_url.as_deref().map(link).unwrap_or_default();
    let files: String = entry.enclosures.iter().map(enclosure_link).collect();
    format!(
        "<entry gr:crawl-timestamp-msec=\"{}\">
<id>{}</id>
<title type=\"text\">{}</title>
<published>{at}</published>
<updated>{at}</updated>
{}{files}{categories}{author}
<content type=\"html\">{}</content>
<source gr:stream-id=\"{stream}\"><id>tag:google.com,2005:reader/{stream}</id><title type=\"text\">{}</title>{site}</source>
</entry>
",
        discovered_us / 1000,
        item_id::long(entry.id),
        xml_text(&entry.title),
        link(&entry.url),
        xml_text(html),
        xml_text(&entry.feed_title),
        at = rfc3339(published),
    )
}

/// Returns an XML element. Empty if the value is missing or blank.
fn element(name: &str, value: Option<&str>) -> String {
    let value = value.map(str::trim).filter(|value| !value.is_empty());
    value.map(|value| format!("<{name}>{}</{name}>", xml_text(value))).unwrap_or_default()
}

fn category(term: &str, label: &str) -> String {
    format!("<category term=\"{}\" scheme=\"{SCHEME}\" label=\"{}\"/>", xml_text(term), xml_text(label))
}

fn enclosure_link(file: &Enclosure) -> String {
    let length = file.size_bytes.map(|size| format!(" length=\"{size}\"")).unwrap_or_default();
    format!(
        "<link rel=\"enclosure\" href=\"{}\" type=\"{}\"{length}/>",
        xml_text(&file.url),
        xml_text(&file.media_type)
    )
}

fn link(href: &str) -> String {
    format!("<link rel=\"alternate\" href=\"{}\" type=\"text/html\"/>", xml_text(href))
}
