//! Rows of services whose only complete export is their API, with the meaning of their members.

use chrono::DateTime;
use serde_json::{Map, Value};

use super::list_names::ListNames;
use super::mapping::checked;
use super::row::{ImportRow, ImportStatus, ImportedHighlight, InvalidRow, RowContent, RowResult};
use super::services::{self, Members};
use super::values;

/// Bytes below which the content of a feed entry counts as a summary. Its text is fetched from its URL
/// instead.
const SUMMARY_BYTES: usize = 2000;
/// Part of the Google Reader categories that are labels.
const LABEL: &str = "/label/";
/// Category of an entry that was read.
const READ: &str = "/state/com.google/read";

/// linkding: `id, url, title, description, notes, website_title, is_archived, unread, shared, tag_names,
/// date_added`.
pub(super) fn linkding(value: Value) -> RowResult {
    let mut members = Members::of(value)?;
    let (is_archived, is_unread) = (members.flag("is_archived"), members.flag("unread"));
    let description = members.text("description");
    let notes = [description, members.text("notes")].into_iter().flatten().collect::<Vec<_>>().join("\n\n");
    let row = ImportRow {
        source_id: members.text("id"),
        url: members.text("url"),
        title: members.text("title").or_else(|| members.text("website_title")),
        saved_at: members.time("date_added"),
        status: Some(match (is_archived, is_unread) {
            (true, _) => ImportStatus::Archive,
            (false, true) => ImportStatus::Later,
            (false, false) => ImportStatus::Inbox,
        }),
        tags: members.names("tag_names"),
        note: values::text(&notes),
        extra: members.rest(),
        ..ImportRow::default()
    };
    checked(row)
}

/// Readeck: `id, url, title, authors, published, created, is_marked, is_archived, is_deleted, labels,
/// read_progress`.
pub(super) fn readeck(value: Value) -> RowResult {
    let mut members = Members::of(value)?;
    if members.flag("is_deleted") {
        return Err(InvalidRow::Deleted);
    }
    let is_archived = members.flag("is_archived");
    let progress = members.0.remove("read_progress").and_then(|percent| percent.as_f64());
    let authors = members.names("authors").join(", ");
    let row = ImportRow {
        source_id: members.text("id"),
        url: members.text("url"),
        title: members.text("title"),
        author: values::text(&authors),
        published_at: members.text("published"),
        saved_at: members.time("created"),
        status: Some(if is_archived { ImportStatus::Archive } else { ImportStatus::Inbox }),
        // A percentage: 1 is 1 %.
        progress: progress.and_then(|percent| values::progress(percent / 100.0)),
        tags: members.names("labels"),
        is_starred: members.flag("is_marked"),
        extra: members.rest(),
        ..ImportRow::default()
    };
    checked(row)
}

/// Highlight of Readeck: `id, text, note, color, created, bookmark_id, bookmark_url, bookmark_title`.
pub(super) fn readeck_highlight(value: Value) -> RowResult {
    let mut members = Members::of(value)?;
    let row = ImportRow {
        source_id: members.text("bookmark_id"),
        url: members.text("bookmark_url"),
        title: members.text("bookmark_title"),
        ..ImportRow::default()
    };
    with_highlight(row, members)
}

/// Highlight of Karakeep: `id, bookmarkId, text, note, color, createdAt`.
pub(super) fn karakeep_highlight(value: Value) -> RowResult {
    let mut members = Members::of(value)?;
    let row = ImportRow { source_id: members.text("bookmarkId"), ..ImportRow::default() };
    with_highlight(row, members)
}

/// Row with the highlight that `members` describe, which may have no words but a note.
fn with_highlight(row: ImportRow, members: Members) -> RowResult {
    let marked = Value::Array(vec![Value::Object(members.0)]);
    let highlights = services::highlights(Some(marked), "text", "note");
    checked(ImportRow { highlights, ..row })
}

/// Miniflux: `id, title, url, author, published_at, created_at, status, starred, content, tags`. The feed of
/// an entry is left out, because it may contain a password.
pub(super) fn miniflux(value: Value) -> RowResult {
    let mut members = Members::of(value)?;
    let is_read = members.text("status").as_deref() == Some("read");
    let mut extra = Map::new();
    for name in ["comments_url", "reading_time"] {
        extra.extend(members.0.remove(name).and_then(values::extra).map(|value| (name.to_owned(), value)));
    }
    let feed = members.0.remove("feed").unwrap_or_default();
    extra.extend(values::json_text(feed.get("title")).map(|title| ("feed".to_owned(), title.into())));
    let row = ImportRow {
        source_id: members.text("id"),
        url: members.text("url"),
        title: members.text("title"),
        author: members.text("author"),
        published_at: members.text("published_at"),
        saved_at: members.time("created_at"),
        status: Some(if is_read { ImportStatus::Archive } else { ImportStatus::Inbox }),
        tags: members.names("tags"),
        is_starred: members.flag("starred"),
        content: entry_content(members.text("content")),
        extra,
        ..ImportRow::default()
    };
    checked(row)
}

/// Google Reader API: `id, title, author, published, crawlTimeMsec, canonical or alternate: [{href}],
/// categories, origin: {title}, summary or content: {content}`.
pub(super) fn google_reader(value: Value) -> RowResult {
    let mut members = Members::of(value)?;
    let categories = members.names("categories");
    let label = |category: &String| Some(category.split_once(LABEL)?.1.to_owned());
    let text = ["content", "summary"]
        .into_iter()
        .find_map(|name| values::json_text(members.0.remove(name)?.get("content")));
    let url = ["canonical", "alternate"]
        .into_iter()
        .find_map(|name| values::json_text(members.0.remove(name)?.get(0)?.get("href")));
    let origin = members.0.remove("origin").unwrap_or_default();
    let feed = values::json_text(origin.get("title"));
    let is_read = categories.iter().any(|category| category.ends_with(READ));
    let published = members.time("published");
    let row = ImportRow {
        source_id: members.text("id"),
        url,
        title: members.text("title"),
        author: members.text("author"),
        published_at: published.and_then(DateTime::from_timestamp_millis).map(|time| time.to_rfc3339()),
        saved_at: members.time("crawlTimeMsec").or(published),
        status: Some(if is_read { ImportStatus::Archive } else { ImportStatus::Inbox }),
        tags: categories.iter().filter_map(label).collect(),
        is_starred: categories.iter().any(|category| category.ends_with("/state/com.google/starred")),
        content: entry_content(text),
        extra: feed.map(|title| ("feed".to_owned(), title.into())).into_iter().collect(),
        ..ImportRow::default()
    };
    checked(row)
}

/// Content of a feed entry, unless it is a summary.
fn entry_content(text: Option<String>) -> Option<RowContent> {
    services::content(text.filter(|text| text.len() >= SUMMARY_BYTES), "text/html")
}

/// Raindrop: `_id, link, title, excerpt, note, tags, important, created, collection: {$id}, highlights`.
pub(super) fn raindrop(value: Value, lists: &ListNames) -> RowResult {
    let mut members = Members::of(value)?;
    let collection =
        members.0.get("collection").and_then(|collection| values::json_text(collection.get("$id")));
    let folder = collection.and_then(|id| lists.path(&id));
    if folder.is_some() {
        members.0.remove("collection");
    }
    let row = ImportRow {
        source_id: members.text("_id"),
        url: members.text("link"),
        title: members.text("title"),
        saved_at: members.time("created"),
        status: Some(ImportStatus::Inbox),
        tags: members.names("tags"),
        is_starred: members.flag("important"),
        folders: folder.into_iter().collect(),
        note: members.text("note"),
        highlights: raindrop_highlights(&mut members),
        extra: members.rest(),
        ..ImportRow::default()
    };
    checked(row)
}

fn raindrop_highlights(members: &mut Members) -> Vec<ImportedHighlight> {
    services::highlights(members.0.remove("highlights"), "text", "note")
}
