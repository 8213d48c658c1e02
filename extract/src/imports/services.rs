//! Services that export JSON, with the meaning of their members.

use serde_json::{Map, Value};

use super::row::{ImportRow, ImportStatus, ImportedHighlight, InvalidRow, RowContent, RowResult};
use super::{columns, values};

/// Members of a row. Members that are not taken are stored as extra values.
struct Members(Map<String, Value>);

impl Members {
    fn of(value: Value) -> Result<Self, InvalidRow> {
        match value {
            Value::Object(members) => Ok(Self(members)),
            _ => Err(InvalidRow::Malformed),
        }
    }

    fn text(&mut self, name: &str) -> Option<String> {
        values::json_text(self.0.remove(name).as_ref())
    }

    fn time(&mut self, name: &str) -> Option<i64> {
        values::json_time(self.0.remove(name).as_ref())
    }

    fn flag(&mut self, name: &str) -> bool {
        values::json_flag(self.0.remove(name).as_ref())
    }

    fn names(&mut self, name: &str) -> Vec<String> {
        values::json_names(self.0.remove(name).as_ref())
    }

    fn rest(self) -> Map<String, Value> {
        self.0.into_iter().filter_map(|(name, value)| Some((name, values::extra(value)?))).collect()
    }
}

fn checked(row: ImportRow) -> RowResult {
    let is_empty =
        row.url.is_none() && row.content.is_none() && row.highlights.is_empty() && row.note.is_none();
    if is_empty { Err(InvalidRow::Empty) } else { Ok(row) }
}

fn content(text: Option<String>, media_type: &str) -> Option<RowContent> {
    text.map(|text| RowContent { text, media_type: media_type.to_owned() })
}

/// Omnivore: `id, slug, title, description, author, url, state, readingProgress, labels, savedAt,
/// publishedAt`.
pub(super) fn omnivore(value: Value) -> RowResult {
    let mut members = Members::of(value)?;
    let progress = members.0.remove("readingProgress").and_then(|value| value.as_f64());
    // Unlike other services, Omnivore writes a percentage: 1 is 1 %.
    let progress = progress.and_then(|percent| values::progress(percent / 100.0));
    let row = ImportRow {
        source_id: members.text("id").or_else(|| members.text("slug")),
        url: members.text("url").or_else(|| members.text("originalArticleUrl")),
        title: members.text("title"),
        author: members.text("author"),
        published_at: members.text("publishedAt"),
        saved_at: members.time("savedAt"),
        status: columns::parse_status(members.text("state")),
        progress,
        tags: members.names("labels"),
        content: content(members.text("content"), "text/html"),
        highlights: highlights(members.0.remove("highlights"), "quote", "annotation"),
        extra: members.rest(),
        ..ImportRow::default()
    };
    checked(row)
}

/// wallabag: `id, title, url, is_archived, is_starred, tags, content, created_at, published_at, published_by,
/// annotations`.
pub(super) fn wallabag(value: Value) -> RowResult {
    let mut members = Members::of(value)?;
    let authors = members.names("published_by").join(", ");
    let is_archived = members.flag("is_archived");
    let row = ImportRow {
        source_id: members.text("id"),
        url: members.text("url").or_else(|| members.text("given_url")),
        title: members.text("title"),
        author: values::text(&authors),
        published_at: members.text("published_at"),
        saved_at: members.time("created_at"),
        status: Some(if is_archived { ImportStatus::Archive } else { ImportStatus::Inbox }),
        tags: members.names("tags"),
        is_starred: members.flag("is_starred"),
        content: content(members.text("content"), "text/html"),
        highlights: highlights(members.0.remove("annotations"), "quote", "text"),
        extra: members.rest(),
        ..ImportRow::default()
    };
    checked(row)
}

/// Karakeep: `createdAt, title, tags, content: {type, url or text}, note, archived`.
pub(super) fn karakeep(value: Value) -> RowResult {
    let mut members = Members::of(value)?;
    let mut inner =
        Members::of(members.0.remove("content").unwrap_or_default()).unwrap_or(Members(Map::new()));
    let is_archived = members.flag("archived");
    let text = inner.text("text");
    let row = ImportRow {
        source_id: members.text("id"),
        url: inner.text("url").or_else(|| members.text("url")),
        title: members.text("title"),
        saved_at: members.time("createdAt"),
        status: Some(if is_archived { ImportStatus::Archive } else { ImportStatus::Inbox }),
        tags: members.names("tags"),
        is_starred: members.flag("favourited"),
        content: content(inner.text("htmlContent"), "text/html").or_else(|| content(text, "text/plain")),
        note: members.text("note"),
        extra: members.rest(),
        ..ImportRow::default()
    };
    checked(row)
}

/// Highlights of an item. `quote` and `note` are the names that a service gives to words and note.
fn highlights(value: Option<Value>, quote: &str, note: &str) -> Vec<ImportedHighlight> {
    let Some(Value::Array(marked)) = value else { return Vec::new() };
    marked
        .into_iter()
        .filter_map(|marked| {
            let mut marked = Members::of(marked).ok()?;
            Some(ImportedHighlight {
                quote: marked.text(quote)?,
                note: marked.text(note),
                color: marked.text("color"),
                source_id: marked.text("id"),
                tags: marked.names("labels"),
                created_at: marked.time("createdAt").or_else(|| marked.time("created_at")),
            })
        })
        .collect()
}
