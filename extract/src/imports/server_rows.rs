//! Rows of services whose only complete export is their API, with the meaning of their members.

use std::collections::BTreeMap;

use chrono::DateTime;
use serde_json::{Map, Value};

use super::list_names::ListNames;
use super::mapping::checked;
use super::markup::plain_text;
use super::row::{ImportRow, ImportStatus, ImportedHighlight, InvalidRow, RowContent, RowResult};
use super::services::{self, Members};
use super::values;

/// Size in bytes below which the content of a feed entry is treated as a summary and stored as a value. The
/// text of the entry is fetched from its URL.
const SUMMARY_BYTES: usize = 2000;
/// Part of the id by which Google Reader categories are recognised as labels.
const LABEL: &str = "/label/";
/// Category of an entry that was read.
const READ: &str = "/state/com.google/read";
/// Tag of an entry that was saved in Feedly.
const FEEDLY_SAVED: &str = "/tag/global.saved";

/// Bookmark of linkding: `id, url, title, description, notes, website_title, is_archived, unread, shared,
/// tag_names, date_added`.
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

/// Bookmark of Readeck: `id, url, title, authors, published, created, is_marked, is_archived, is_deleted,
/// labels, read_progress`.
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
        // The value is a percentage: 1 means 1 %.
        progress: progress.and_then(|percent| values::progress(percent / 100.0)),
        tags: members.names("labels"),
        is_starred: members.flag("is_marked"),
        extra: members.rest(),
        ..ImportRow::default()
    };
    checked(row)
}

/// Bookmark of Shiori: `id, url, title, excerpt, author, public, createdAt, modifiedAt, html, imageURL,
/// tags`. Earlier versions have only one time, `modified`.
pub(super) fn shiori(value: Value) -> RowResult {
    let mut members = Members::of(value)?;
    let url = members.text("url");
    let row = ImportRow {
        source_id: members.text("id"),
        // A bookmark without a title has its URL as the title.
        title: members.text("title").filter(|title| Some(title) != url.as_ref()),
        url,
        author: members.text("author"),
        saved_at: members.time("createdAt").or_else(|| members.time("modified")),
        tags: members.names("tags"),
        content: services::content(members.text("html"), "text/html"),
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

/// Row with the highlight that `members` describe. The highlight may consist of a note only.
fn with_highlight(row: ImportRow, members: Members) -> RowResult {
    let marked = Value::Array(vec![Value::Object(members.0)]);
    let highlights = services::highlights(Some(marked), "text", "note");
    checked(ImportRow { highlights, ..row })
}

/// Entry of Miniflux: `id, title, url, author, published_at, created_at, status, starred, content, tags`. The
/// feed of an entry is left out, because its address may contain a password.
pub(super) fn miniflux(value: Value) -> RowResult {
    let mut members = Members::of(value)?;
    let is_read = members.text("status").as_deref() == Some("read");
    let mut extra = Map::new();
    for name in ["comments_url", "reading_time"] {
        extra.extend(members.0.remove(name).and_then(values::extra).map(|value| (name.to_owned(), value)));
    }
    let feed = members.0.remove("feed").unwrap_or_default();
    extra.extend(values::json_text(feed.get("title")).map(|title| ("feed".to_owned(), title.into())));
    let (content, summary) = entry_content(members.text("content"));
    extra.extend(summary.map(|text| ("summary".to_owned(), text.into())));
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
        content,
        extra,
        ..ImportRow::default()
    };
    checked(row)
}

/// Entry of the Google Reader API: `id, title, author, published, crawlTimeMsec, canonical or alternate:
/// [{href}], categories, origin: {title}, summary or content: {content}`. Feedly writes its categories and
/// tags as objects, and the time of saving as `actionTimestamp`.
pub(super) fn google_reader(value: Value) -> RowResult {
    let mut members = Members::of(value)?;
    let (categories, own_tags) = (members.0.remove("categories"), members.0.remove("tags"));
    let lists = [categories.as_ref(), own_tags.as_ref()];
    let is_in = |ending: &str| lists.iter().any(|list| has_category(*list, ending));
    let text = ["content", "summary"]
        .into_iter()
        .find_map(|name| values::json_text(members.0.remove(name)?.get("content")));
    let url = ["canonical", "alternate"]
        .into_iter()
        .find_map(|name| values::json_text(members.0.remove(name)?.get(0)?.get("href")));
    let origin = members.0.remove("origin").unwrap_or_default();
    let feed = values::json_text(origin.get("title"));
    let published = members.time("published");
    let saved_at = ["actionTimestamp", "crawlTimeMsec", "crawled"].iter().find_map(|name| members.time(name));
    let (content, summary) = entry_content(text);
    let extra = [("feed", feed), ("summary", summary)];
    let extra = extra.into_iter().filter_map(|(name, text)| Some((name.to_owned(), Value::from(text?))));
    let row = ImportRow {
        source_id: members.text("id"),
        url: url.or_else(|| members.text("canonicalUrl")),
        title: members.text("title"),
        author: members.text("author"),
        published_at: published.and_then(DateTime::from_timestamp_millis).map(|time| time.to_rfc3339()),
        saved_at: saved_at.or(published),
        status: Some(match (is_in(FEEDLY_SAVED), is_in(READ)) {
            (true, _) => ImportStatus::Later,
            (false, true) => ImportStatus::Archive,
            (false, false) => ImportStatus::Inbox,
        }),
        tags: lists.into_iter().flat_map(labels).collect(),
        is_starred: is_in("/state/com.google/starred"),
        content,
        extra: extra.collect(),
        ..ImportRow::default()
    };
    checked(row)
}

/// Ids of the elements of a list of categories, each with its name if the element is an object.
fn categories_of(list: Option<&Value>) -> impl Iterator<Item = (String, Option<String>)> {
    let elements = list.and_then(Value::as_array).into_iter().flatten();
    elements.filter_map(|element| match element {
        Value::String(id) => Some((id.clone(), None)),
        Value::Object(named) => {
            Some((values::json_text(named.get("id"))?, values::json_text(named.get("label"))))
        }
        _ => None,
    })
}

fn has_category(list: Option<&Value>, ending: &str) -> bool {
    categories_of(list).any(|(id, _)| id.ends_with(ending))
}

/// Names of the categories and tags that a person created.
fn labels(list: Option<&Value>) -> Vec<String> {
    let label = |(id, name): (String, Option<String>)| match name {
        // Every account of Feedly has these categories and tags.
        Some(_) if id.contains("/global.") => None,
        Some(name) => Some(name),
        None => Some(id.split_once(LABEL)?.1.to_owned()),
    };
    categories_of(list).filter_map(label).collect()
}

/// Content of a feed entry, or its summary as plain text.
fn entry_content(text: Option<String>) -> (Option<RowContent>, Option<String>) {
    match text {
        Some(text) if text.len() < SUMMARY_BYTES => (None, values::text(&plain_text(&text))),
        text => (services::content(text, "text/html"), None),
    }
}

/// File of Instapaper: `bookmarks: [{bookmark_id, url, title, description, time, starred, progress, tags}]`
/// and `highlights: [{highlight_id, bookmark_id, text, note, time}]`, or one list with both kinds of objects.
pub(super) fn instapaper(tree: &Value, visit: &mut dyn FnMut(RowResult)) {
    let objects = |name: &str| {
        let list = if tree.is_array() { Some(tree) } else { tree.get(name) };
        list.and_then(Value::as_array).into_iter().flatten()
    };
    let mut marked: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    for highlight in objects("highlights").filter(|object| object.get("highlight_id").is_some()) {
        match (values::json_text(highlight.get("bookmark_id")), highlight.clone()) {
            (Some(id), Value::Object(mut members)) => {
                let own = members.remove("highlight_id").unwrap_or_default();
                members.insert("id".to_owned(), own);
                members.retain(|name, _| !matches!(name.as_str(), "bookmark_id" | "type"));
                marked.entry(id).or_default().push(Value::Object(members));
            }
            _ => visit(Err(InvalidRow::Malformed)),
        }
    }
    for bookmark in objects("bookmarks").filter(|object| object.get("url").is_some()) {
        let id = values::json_text(bookmark.get("bookmark_id"));
        let highlights = id.and_then(|id| marked.remove(&id)).unwrap_or_default();
        visit(instapaper_bookmark(bookmark.clone(), highlights));
    }
    // The remaining highlights belong to bookmarks that the file does not list.
    for (id, highlights) in marked {
        let highlights = services::highlights(Some(highlights.into()), "text", "note");
        visit(checked(ImportRow { source_id: Some(id), highlights, ..ImportRow::default() }));
    }
}

fn instapaper_bookmark(bookmark: Value, highlights: Vec<Value>) -> RowResult {
    let mut members = Members::of(bookmark)?;
    for name in ["type", "hash"] {
        members.0.remove(name);
    }
    let progress = members.0.remove("progress").and_then(|fraction| fraction.as_f64());
    let row = ImportRow {
        source_id: members.text("bookmark_id"),
        url: members.text("url"),
        title: members.text("title"),
        saved_at: members.time("time"),
        progress: progress.and_then(values::progress).filter(|percent| *percent > 0),
        tags: members.names("tags"),
        is_starred: members.flag("starred"),
        note: members.text("description"),
        highlights: services::highlights(Some(highlights.into()), "text", "note"),
        extra: members.rest(),
        ..ImportRow::default()
    };
    checked(row)
}

/// Bookmark of Raindrop: `_id, link, title, excerpt, note, tags, important, created, collection: {$id},
/// highlights`.
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
