//! Conversion of library items to entries of wallabag's API.

use chrono::{DateTime, Utc};
use kernel::Millis;
use kernel::tag::Tag;
use library::{ArticleStatus, Highlight, Item, ItemStatus, StoredText};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::book::authors_of;
use crate::bookmark_rules::is_favorite;

/// Number of the user. Each account has only one user.
pub(super) const USER_NUMBER: u32 = 1;

/// Rendered text of an entry.
#[derive(Clone, Debug, Default)]
pub(super) struct RenderedEntryText {
    pub(super) html: String,
    pub(super) language: Option<String>,
    pub(super) reading_minutes: u32,
}

impl RenderedEntryText {
    pub(super) fn of(text: &StoredText) -> Self {
        Self {
            html: extract::render::html(&text.document.blocks),
            language: text.document.language.clone(),
            reading_minutes: text.document.reading_minutes(),
        }
    }
}

/// Annotations of an entry in one response.
#[derive(Clone, Debug, Default)]
pub(super) struct EntryAnnotations {
    pub(super) rows: Vec<Value>,
    /// True if the response omits further annotations.
    pub(super) is_truncated: bool,
}

/// Parts of an entry that are not stored in its item.
#[derive(Clone, Debug, Default)]
pub(super) struct EntryParts {
    pub(super) number: i64,
    /// E-mail address of the account.
    pub(super) email: String,
    /// `None` if the app did not request the text, or if the item has no text.
    pub(super) text: Option<RenderedEntryText>,
    pub(super) annotations: EntryAnnotations,
}

/// Converts an item to an entry.
pub(super) fn entry(item: &Item, parts: EntryParts) -> Value {
    let EntryParts { number, email, text, annotations } = parts;
    let is_archived = item.status == ItemStatus::Archive;
    let is_favorite = is_favorite(item);
    let is_web = item.url.starts_with("http");
    let text = text.unwrap_or_default();
    let updated_at = time(item.updated_at);
    let media_type = item.mime_type.as_deref().filter(|_| is_web).unwrap_or("text/html");
    let mut entry = json!({
        "id": number,
        "uid": null,
        "title": item.title,
        "url": item.url,
        "given_url": item.original_url.as_deref().unwrap_or(&item.url),
        "hashed_url": null,
        "hashed_given_url": null,
        "origin_url": null,
        "is_archived": u8::from(is_archived),
        "archived_at": is_archived.then_some(&updated_at),
        "is_starred": u8::from(is_favorite),
        "starred_at": is_favorite.then_some(&updated_at),
        "is_public": false,
        "is_not_parsed": item.article_status == ArticleStatus::Failed,
        "content": text.html,
        "created_at": time(item.saved_at),
        "updated_at": updated_at,
        "published_at": item.published_at.as_deref().and_then(published_at),
        "published_by": item.author.as_deref().map(authors_of),
    });
    let more = json!({
        "annotations": annotations.rows,
        "annotations_truncated": annotations.is_truncated,
        "tags": item.tags.iter().map(|tag| tag_json(tag)).collect::<Vec<Value>>(),
        "mimetype": media_type,
        "language": text.language,
        "reading_time": text.reading_minutes,
        "domain_name": item.domain,
        "preview_picture": null,
        "http_status": (item.article_status == ArticleStatus::Ready).then_some("200"),
        "headers": null,
        "user_id": USER_NUMBER,
        "user_name": email,
        "user_email": email,
        "_links": { "self": { "href": format!("/api/entries/{number}") } },
    });
    if let (Value::Object(entry), Value::Object(more)) = (&mut entry, more) {
        entry.extend(more);
    }
    entry
}

/// Returns a tag with the number by which apps identify it.
pub(super) fn tag_json(name: &str) -> Value {
    json!({ "id": tag_number(name), "label": name, "slug": slug(name) })
}

/// Returns the number of a tag. It is derived from the name, because apps only compare numbers and send them
/// back.
pub(super) fn tag_number(name: &str) -> u32 {
    let key = Tag::of(name).map(|tag| tag.key).unwrap_or_default();
    number_of(key.as_bytes())
}

/// Derives a positive 31-bit number from `bytes`. Apps store numbers as signed 32-bit integers.
fn number_of(bytes: &[u8]) -> u32 {
    let hash = Sha256::digest(bytes);
    let number = hash.iter().take(4).fold(0, |number: u32, byte| number << 8 | u32::from(*byte));
    (number & 0x7fff_ffff).max(1)
}

fn slug(name: &str) -> String {
    let letter = |character: char| if character.is_alphanumeric() { character } else { '-' };
    name.to_lowercase().chars().map(letter).collect()
}

/// Converts a highlight to an annotation. Its position is given only by its quotation, because wallabag's
/// ranges are paths in wallabag's own markup.
pub(super) fn annotation(highlight: &Highlight) -> Value {
    let row = &highlight.row;
    json!({
        "id": number_of(row.id.as_bytes()),
        "annotator_schema_version": "v1.0",
        "text": row.note.as_deref().unwrap_or_default(),
        "quote": row.quote,
        "ranges": [],
        "created_at": time(row.created_at),
        "updated_at": time(row.updated_at),
    })
}

/// Formats a time as wallabag does: `2026-12-01T14:05:00+0000`.
pub(super) fn time(at: Millis) -> String {
    let time = DateTime::<Utc>::from_timestamp_millis(at).unwrap_or(DateTime::UNIX_EPOCH);
    time.format("%Y-%m-%dT%H:%M:%S+0000").to_string()
}

/// Returns the publication time of an item. The stored value may be a date without a time.
fn published_at(stored: &str) -> Option<String> {
    let midnight = format!("{stored}T00:00:00Z");
    let parsed = DateTime::parse_from_rfc3339(stored).or_else(|_| DateTime::parse_from_rfc3339(&midnight));
    parsed.ok().map(|published| time(published.timestamp_millis()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_formatted_as_in_wallabag() {
        assert_eq!(time(1_795_176_000_123), "2026-11-20T12:00:00+0000");
        assert_eq!(published_at("2026-01-31").as_deref(), Some("2026-01-31T00:00:00+0000"));
        assert_eq!(published_at("2026-01-31T10:00:00+02:00").as_deref(), Some("2026-01-31T08:00:00+0000"));
        assert_eq!(published_at("soon"), None);
    }

    #[test]
    fn tag_number_ignores_letter_case_and_fits_into_31_bits() {
        assert_eq!(tag_number("To Read"), tag_number("to  read"));
        assert_ne!(tag_number("to read"), tag_number("to reed"));
        assert!((0..1000).all(|n| (1..=0x7fff_ffff).contains(&tag_number(&format!("tag {n}")))));
        assert_eq!(slug("To read & more"), "to-read---more");
    }
}
