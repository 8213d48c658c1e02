//! Services that export JSON, with the meaning of their members.

use serde_json::{Map, Value};

use super::list_names::ListNames;
use super::mapping::{self, checked};
use super::row::{ImportRow, ImportStatus, ImportedHighlight, InvalidRow, RowContent, RowResult};
use super::values;

/// Placeholder of wallabag for an article that it could not read.
const WALLABAG_PLACEHOLDER: &str = "wallabag can't retrieve contents for this article";

/// Maximum number of lists of a row whose names are stored.
const MAX_LISTS: usize = 100;

/// Members of a row. Members that are not taken are stored as extra values.
pub(super) struct Members(pub(super) Map<String, Value>);

impl Members {
    pub(super) fn of(value: Value) -> Result<Self, InvalidRow> {
        match value {
            Value::Object(members) => Ok(Self(members)),
            _ => Err(InvalidRow::Malformed),
        }
    }

    pub(super) fn text(&mut self, name: &str) -> Option<String> {
        values::json_text(self.0.remove(name).as_ref())
    }

    /// Removes and returns a time. A value that is not a time becomes an extra value.
    pub(super) fn time(&mut self, name: &str) -> Option<i64> {
        let time = values::json_time(self.0.get(name))?;
        self.0.remove(name);
        Some(time)
    }

    pub(super) fn flag(&mut self, name: &str) -> bool {
        values::json_flag(self.0.remove(name).as_ref())
    }

    pub(super) fn names(&mut self, name: &str) -> Vec<String> {
        values::json_names(self.0.remove(name).as_ref())
    }

    pub(super) fn rest(self) -> Map<String, Value> {
        self.0.into_iter().filter_map(|(name, value)| Some((name, values::extra(value)?))).collect()
    }
}

pub(super) fn content(text: Option<String>, media_type: &str) -> Option<RowContent> {
    text.map(|text| RowContent { text, media_type: media_type.to_owned() })
}

/// Item of Omnivore: `id, slug, title, description, author, url, state, readingProgress, labels, savedAt,
/// publishedAt`.
pub(super) fn omnivore(value: Value) -> RowResult {
    let mut members = Members::of(value)?;
    let progress = members.0.remove("readingProgress").and_then(|value| value.as_f64());
    // Unlike other services, Omnivore writes a percentage: 1 means 1 %.
    let progress = progress.and_then(|percent| values::progress(percent / 100.0));
    let row = ImportRow {
        source_id: members.text("id").or_else(|| members.text("slug")),
        url: members.text("url").or_else(|| members.text("originalArticleUrl")),
        title: members.text("title"),
        author: members.text("author"),
        published_at: members.text("publishedAt"),
        saved_at: members.time("savedAt"),
        status: values::parse_status(members.text("state")),
        progress,
        tags: members.names("labels"),
        content: content(members.text("content"), "text/html"),
        highlights: highlights(members.0.remove("highlights"), "quote", "annotation"),
        extra: members.rest(),
        ..ImportRow::default()
    };
    checked(row)
}

/// Entry of wallabag: `id, title, url, is_archived, is_starred, tags, content, created_at, published_at,
/// published_by, annotations`. Version 1 uses the names `is_read` and `is_fav`, and its tags are one text.
pub(super) fn wallabag(value: Value) -> RowResult {
    let mut members = Members::of(value)?;
    let authors = members.names("published_by").join(", ");
    let is_archived = [members.flag("is_archived"), members.flag("is_read")].contains(&true);
    let is_starred = [members.flag("is_starred"), members.flag("is_fav")].contains(&true);
    let tags = match members.0.remove("tags") {
        Some(Value::String(tags)) => values::list(&tags, ','),
        tags => values::json_names(tags.as_ref()),
    };
    let text = members.text("content").filter(|text| !is_placeholder(text));
    let row = ImportRow {
        source_id: members.text("id"),
        url: members.text("url").or_else(|| members.text("given_url")),
        title: members.text("title").filter(|title| title != "No title found"),
        author: values::text(&authors),
        published_at: members.text("published_at"),
        saved_at: members.time("created_at"),
        status: Some(if is_archived { ImportStatus::Archive } else { ImportStatus::Inbox }),
        tags,
        is_starred,
        content: content(text, "text/html"),
        highlights: highlights(members.0.remove("annotations"), "quote", "text"),
        extra: members.rest(),
        ..ImportRow::default()
    };
    checked(row)
}

/// True for the placeholder of wallabag.
fn is_placeholder(text: &str) -> bool {
    text.len() < 1000 && text.replace("&#039;", "'").replace('\u{2019}', "'").contains(WALLABAG_PLACEHOLDER)
}

/// Bookmark of Karakeep: `createdAt, title, tags, lists, content: {type, url or text, title, author}, note,
/// archived`.
pub(super) fn karakeep(value: Value, lists: &ListNames) -> RowResult {
    let mut members = Members::of(value)?;
    let mut inner =
        Members::of(members.0.remove("content").unwrap_or_default()).unwrap_or(Members(Map::new()));
    let is_archived = members.flag("archived");
    let text = inner.text("text");
    let ids = members.names("lists");
    let left_out = inner.text("fileName").or_else(|| inner.text("assetId"));
    let folders: Vec<Vec<String>> = ids.iter().take(MAX_LISTS).filter_map(|id| lists.path(id)).collect();
    if folders.len() < ids.len() {
        members.0.insert("lists".to_owned(), ids.clone().into());
    }
    let mut row = ImportRow {
        source_id: members.text("id"),
        url: inner.text("url").or_else(|| members.text("url")),
        title: members.text("title").or_else(|| inner.text("title")),
        author: inner.text("author"),
        published_at: inner.text("datePublished"),
        saved_at: members.time("createdAt"),
        status: Some(if is_archived { ImportStatus::Archive } else { ImportStatus::Inbox }),
        tags: members.names("tags"),
        is_starred: members.flag("favourited"),
        folders,
        content: content(inner.text("htmlContent"), "text/html").or_else(|| content(text, "text/plain")),
        note: members.text("note"),
        left_out: left_out.into_iter().map(|name| format!("file {name}")).collect(),
        extra: with_inner(members, inner),
        ..ImportRow::default()
    };
    lists.add_icons(&ids, &mut row.extra);
    checked(row)
}

/// Remaining members of a bookmark of Karakeep and of its content. The state of its crawler is left out,
/// because it differs in every export.
fn with_inner(mut members: Members, mut inner: Members) -> Map<String, Value> {
    const STORED: [&str; 6] = ["description", "imageUrl", "publisher", "assetType", "assetId", "sourceUrl"];
    inner.0.retain(|name, _| STORED.contains(&name.as_str()));
    let inner = inner.rest();
    if !inner.is_empty() {
        members.0.insert("content".to_owned(), inner.into());
    }
    members.rest()
}

/// Link of Linkwarden: `id, name, type, description, url, textContent, createdAt, tags`. `folder` contains
/// the names of its collections.
pub(super) fn linkwarden(link: Value, folder: &[String]) -> RowResult {
    let mut members = Members::of(link)?;
    let row = ImportRow {
        source_id: members.text("id"),
        url: members.text("url"),
        title: members.text("name"),
        note: members.text("description"),
        saved_at: members.time("importDate").or_else(|| members.time("createdAt")),
        tags: members.names("tags"),
        folders: values::folders(folder),
        is_starred: members
            .0
            .get("pinnedBy")
            .is_some_and(|by| by.as_array().is_some_and(|by| !by.is_empty())),
        content: content(members.text("textContent"), "text/plain"),
        highlights: highlights(members.0.remove("highlight"), "text", "comment"),
        extra: members.rest(),
        ..ImportRow::default()
    };
    checked(row)
}

/// Item of Pocket: `url, title, highlights: [{quote, created_at}]`.
pub(super) fn pocket_annotations(value: Value) -> RowResult {
    let mut members = Members::of(value)?;
    let row = ImportRow {
        url: members.text("url"),
        title: members.text("title"),
        highlights: highlights(members.0.remove("highlights"), "quote", "note"),
        extra: members.rest(),
        ..ImportRow::default()
    };
    checked(row)
}

/// Book or article of Readwise: `user_book_id, title, author, source_url, book_tags, document_note,
/// highlights: [{id, text, note, location, location_type, color, highlighted_at, tags}]`.
pub(super) fn readwise(value: Value) -> RowResult {
    let mut members = Members::of(value)?;
    if members.flag("is_deleted") {
        return Err(InvalidRow::Deleted);
    }
    let row = ImportRow {
        source_id: members.text("asin").or_else(|| members.text("user_book_id")),
        url: members.text("source_url").or_else(|| members.text("unique_url")),
        title: members.text("readable_title").or_else(|| members.text("title")),
        author: members.text("author"),
        tags: members.names("book_tags"),
        note: members.text("document_note"),
        highlights: highlights(members.0.remove("highlights"), "text", "note"),
        extra: members.rest(),
        ..ImportRow::default()
    };
    checked(row)
}

/// Converts an object whose members correspond to fields of a row.
pub(super) fn mapped(mapping: mapping::Mapping, value: Value) -> RowResult {
    let Members(members) = Members::of(value)?;
    mapping::row(mapping, members)
}

/// Link of `GoodLinks`: `url, title, author, tags, starred, addedAt, readAt, highlights: [{content, note,
/// time}]`.
pub(super) fn goodlinks(value: Value) -> RowResult {
    let Members(mut members) = Members::of(value)?;
    let marked = highlights(members.shift_remove("highlights"), "content", "note");
    let mut row = mapping::values_of(mapping::GOODLINKS, members);
    row.highlights = marked;
    checked(row)
}

/// Document of Readwise Reader. Entries of feeds are skipped, because they were not saved. Highlights and
/// notes are documents with the id of another document, `parent_id`.
pub(super) fn readwise_reader(value: Value) -> RowResult {
    let mut members = Members::of(value)?;
    if members.0.get("location").and_then(Value::as_str) == Some("feed") {
        return Err(InvalidRow::FeedEntry);
    }
    let category = members.0.get("category").and_then(Value::as_str).map(str::to_owned);
    match (category.as_deref(), values::json_text(members.0.get("parent_id"))) {
        (Some("highlight"), Some(parent)) => reader_highlight(&mut members, parent),
        (Some("note"), Some(_)) => Err(InvalidRow::Annotation),
        _ => mapping::row(mapping::READER, members.0),
    }
}

/// Highlight of the document `parent`.
fn reader_highlight(members: &mut Members, parent: String) -> RowResult {
    let Some(quote) = members.text("content") else { return Err(InvalidRow::Annotation) };
    let tags = match members.0.remove("tags") {
        Some(Value::Object(named)) => named.keys().cloned().collect(),
        tags => values::json_names(tags.as_ref()),
    };
    let highlight = ImportedHighlight {
        source_id: members.text("id"),
        quote,
        tags,
        note: members.text("notes"),
        created_at: members.time("saved_at").or_else(|| members.time("created_at")),
        ..ImportedHighlight::default()
    };
    checked(ImportRow { source_id: Some(parent), highlights: vec![highlight], ..ImportRow::default() })
}

/// Annotation of Hypothesis: `id, created, uri, text, tags, document: {title}, target: [{selector: [{type,
/// exact, prefix, suffix}]}]`. If no selector contains words, the annotation is a note on the page.
pub(super) fn hypothesis(value: Value) -> RowResult {
    let mut members = Members::of(value)?;
    let document = members.0.remove("document").unwrap_or_default();
    let title = match &document["title"] {
        Value::Array(titles) => values::json_text(titles.first()),
        title => values::json_text(Some(title)),
    };
    let target = members.0.remove("target").unwrap_or_default();
    let selectors = target[0]["selector"].as_array().cloned().unwrap_or_default();
    let quoted = selectors.into_iter().find(|selector| selector["type"] == "TextQuoteSelector");
    let part =
        |name: &str| quoted.as_ref().and_then(|quoted| quoted[name].as_str()).unwrap_or_default().to_owned();
    let highlight = ImportedHighlight {
        source_id: members.text("id"),
        quote: part("exact").trim().to_owned(),
        prefix: part("prefix"),
        suffix: part("suffix"),
        note: members.text("text"),
        tags: members.names("tags"),
        created_at: members.time("created"),
        ..ImportedHighlight::default()
    };
    let row = ImportRow {
        url: members.text("uri"),
        title,
        saved_at: highlight.created_at,
        // The tags of an annotation without words belong to its page.
        tags: if highlight.quote.is_empty() { highlight.tags.clone() } else { Vec::new() },
        highlights: vec![highlight],
        extra: members.rest(),
        ..ImportRow::default()
    };
    checked(row)
}

/// Document of `KOReader`: `title, author, entries: [{text, note, page, chapter, time, color}]`.
pub(super) fn koreader(value: Value) -> RowResult {
    let mut members = Members::of(value)?;
    let entries = members.0.remove("entries");
    let title = members.text("title");
    let author = members.text("author").or_else(|| members.text("authors"));
    let key = members.text("md5sum").or_else(|| {
        title.as_ref().map(|title| format!("{title}\u{1f}{}", author.as_deref().unwrap_or_default()))
    });
    let row = ImportRow {
        source_id: key,
        title,
        author,
        highlights: highlights(entries, "text", "note"),
        extra: members.rest(),
        ..ImportRow::default()
    };
    checked(row)
}

/// Reference in CSL: `id, type, title, author: [{family, given}], issued: {date-parts}, URL, DOI, abstract,
/// note`.
pub(super) fn csl(value: Value) -> RowResult {
    let Members(mut members) = Members::of(value)?;
    if let Some(Value::Array(people)) = members.get("author") {
        let names: Vec<String> = people.iter().filter_map(person).collect();
        members.insert("author".to_owned(), names.join(", ").into());
    }
    if let Some(issued) = members.shift_remove("issued") {
        let parts = issued["date-parts"][0].as_array().cloned().unwrap_or_default();
        let parts: Vec<String> = parts
            .iter()
            .filter_map(|part| values::json_text(Some(part)))
            .map(|part| format!("{part:0>2}"))
            .collect();
        let date = values::text(&parts.join("-")).or_else(|| values::json_text(issued.get("raw")));
        members.insert("date".to_owned(), date.into());
    }
    mapping::reference(mapping::REFERENCE, members)
}

/// Name of a person in CSL.
fn person(value: &Value) -> Option<String> {
    let part = |name: &str| value[name].as_str().unwrap_or_default();
    let names = ["given", "dropping-particle", "non-dropping-particle", "family", "suffix"].map(part);
    let names: Vec<&str> = names.into_iter().filter(|name| !name.is_empty()).collect();
    values::text(&names.join(" ")).or_else(|| values::text(part("literal")))
}

/// Value of a highlight that belongs to no field. `None` for positions in the files of a service, for
/// modification times, which differ in every export, and for empty values.
fn described((name, value): (String, Value)) -> Option<(String, Value)> {
    const LEFT_OUT: [&str; 9] = [
        "pos0", "pos1", "sort", "ranges", "highlightPositionPercent", "updated", "updated_at", "updatedAt",
        "modifiedAt",
    ];
    let is_empty = LEFT_OUT.contains(&name.as_str()) || value == Value::Bool(false);
    if is_empty { None } else { values::extra(value).map(|value| (name, value)) }
}

/// Highlights of an item. `quote` and `note` are the names of the members that contain the words and the
/// note.
pub(super) fn highlights(value: Option<Value>, quote: &str, note: &str) -> Vec<ImportedHighlight> {
    let Some(Value::Array(marked)) = value else { return Vec::new() };
    marked
        .into_iter()
        .filter_map(|marked| {
            let mut marked = Members::of(marked).ok()?;
            let (kind, location) = (marked.text("location_type"), marked.text("location"));
            let in_pages = location.clone().filter(|_| kind.as_deref() == Some("page"));
            let page = marked.text("page").or(in_pages);
            let location = location.map(|at| match &kind {
                Some(kind) => format!("{kind} {at}"),
                None => at,
            });
            let highlight = ImportedHighlight {
                quote: marked.text(quote).unwrap_or_default(),
                note: marked.text(note),
                color: marked.text("color"),
                source_id: marked.text("id").or_else(|| marked.text("_id")),
                tags: [marked.names("labels"), marked.names("tags")].concat(),
                created_at: ["createdAt", "created_at", "highlighted_at", "time", "datetime", "created"]
                    .into_iter()
                    .find_map(|name| marked.time(name)),
                page: page.as_ref().and_then(|page| page.parse().ok()),
                location: marked.text("chapter").or(location).or(page),
                prefix: marked.text("prefix").unwrap_or_default(),
                suffix: marked.text("suffix").unwrap_or_default(),
                extra: marked.0.into_iter().filter_map(described).collect(),
            };
            (!highlight.quote.is_empty() || highlight.note.is_some()).then_some(highlight)
        })
        .collect()
}
