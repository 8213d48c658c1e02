//! Lenient parser of JSON Feed (jsonfeed.org, versions 1 and 1.1). Accepts numbers instead of strings, a
//! missing version or title, and truncated bodies.

use serde_json::{Map, Value};

use super::FeedKind;
use super::builder::{Person, RawEntry, RawFeed, RawLink, RichText, TextKind};
use super::dates::{self, DateOrder};
use super::urls;

/// Parses `source`. The flag is true if the source had to be repaired.
pub(super) fn read(source: &str, base: Option<&str>) -> Option<(RawFeed, bool)> {
    let start = source.find('{')?;
    let source = &source[start..];
    let (value, mended) = match serde_json::from_str::<Value>(source) {
        Ok(value) => (value, false),
        Err(_) => (serde_json::from_str::<Value>(&repair(source)).ok()?, true),
    };
    let object = value.as_object()?;
    let items = object.get("items").and_then(Value::as_array);
    let proper = text(object, "version").is_some_and(|version| version.contains("jsonfeed.org/version/1"));
    // Other JSON with an `items` list is not a feed.
    if !proper && (items.is_none() || text(object, "title").is_none()) {
        return None;
    }
    let mut feed = RawFeed::new(FeedKind::Json);
    feed.title = text(object, "title").and_then(|title| RichText::new(title, TextKind::Plain));
    feed.description = text(object, "description").and_then(|text| RichText::new(text, TextKind::Plain));
    feed.language = text(object, "language");
    feed.image = text(object, "icon").or_else(|| text(object, "favicon"));
    feed.authors = authors(object);
    let date_order = feed.language.as_deref().map(DateOrder::of_language).unwrap_or_default();
    feed.links.extend(link(object, "home_page_url", None, base));
    feed.links.extend(link(object, "feed_url", Some("self"), base));
    let items = items.map(Vec::as_slice).unwrap_or_default();
    feed.entries =
        items.iter().filter_map(Value::as_object).map(|item| entry(item, base, date_order)).collect();
    Some((feed, mended || !proper))
}

fn entry(item: &Map<String, Value>, base: Option<&str>, date_order: DateOrder) -> RawEntry {
    let time = |name: &str| text(item, name).and_then(|time| dates::millis(&time, date_order));
    let mut entry = RawEntry {
        id: text(item, "id"),
        title: text(item, "title").and_then(|title| RichText::new(title, TextKind::Plain)),
        authors: authors(item),
        published: time("date_published"),
        updated: time("date_modified"),
        categories: tags(item),
        ..RawEntry::default()
    };
    entry.links.extend(link(item, "url", None, base));
    entry.links.extend(link(item, "external_url", Some("related"), base));
    let rich = |name: &str, form: TextKind| {
        let mut rich = RichText::new(text(item, name)?, form)?;
        rich.base = base.map(str::to_owned);
        Some(rich)
    };
    entry.summary = rich("summary", TextKind::Plain);
    entry.content = rich("content_html", TextKind::Html);
    if let Some(plain) = rich("content_text", TextKind::Plain) {
        match (&entry.content, &entry.summary) {
            (None, _) => entry.content = Some(plain),
            (Some(_), None) => entry.summary = Some(plain),
            _ => {}
        }
    }
    entry
        .images
        .extend(["image", "banner_image"].iter().filter_map(|name| urls::join(base, &text(item, name)?)));
    let attachments =
        item.get("attachments").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    for attachment in attachments.iter().filter_map(Value::as_object) {
        if let Some(mut link) = link(attachment, "url", Some("enclosure"), base) {
            link.media_type = text(attachment, "mime_type");
            link.size_bytes = text(attachment, "size_in_bytes").and_then(|size| size.parse().ok());
            entry.links.push(link);
            entry.episode.set_duration(&text(attachment, "duration_in_seconds").unwrap_or_default());
        }
    }
    entry
}

/// Tags of an item: a list, or a single tag.
fn tags(item: &Map<String, Value>) -> Vec<String> {
    match item.get("tags") {
        Some(Value::Array(tags)) => tags.iter().filter_map(line).collect(),
        Some(tag) => line(tag).into_iter().collect(),
        None => Vec::new(),
    }
}

/// Value of a member, a string or a number, as text. `None` if it is empty.
pub(super) fn text(object: &Map<String, Value>, name: &str) -> Option<String> {
    line(object.get(name)?)
}

fn line(value: &Value) -> Option<String> {
    let text = match value {
        Value::String(text) => text.trim().to_owned(),
        Value::Number(number) => number.to_string(),
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => return None,
    };
    (!text.is_empty()).then_some(text)
}

fn link(object: &Map<String, Value>, name: &str, rel: Option<&str>, base: Option<&str>) -> Option<RawLink> {
    let href = text(object, name)?;
    let href = urls::join(base, &href).unwrap_or(href);
    Some(RawLink { href, rel: rel.map(str::to_owned), ..RawLink::default() })
}

/// Persons in `authors`, or else in `author`. Each value may be a list, an object, or a name.
fn authors(object: &Map<String, Value>) -> Vec<Person> {
    let person = |value: &Value| match value {
        Value::Object(author) => text(author, "name").map(|name| Person { name: Some(name), email: None }),
        Value::String(name) => Person::parse(name),
        _ => None,
    };
    let persons = |name: &str| -> Vec<Person> {
        match object.get(name) {
            Some(Value::Array(many)) => many.iter().filter_map(person).collect(),
            Some(one) => person(one).into_iter().collect(),
            None => Vec::new(),
        }
    };
    let authors = persons("authors");
    if authors.is_empty() { persons("author") } else { authors }
}

/// Closes the strings, objects and arrays that are open at the end of a truncated body, and removes commas
/// before closing brackets.
fn repair(source: &str) -> String {
    let mut out = String::with_capacity(source.len() + 16);
    let mut open: Vec<char> = Vec::new();
    let (mut in_string, mut escaped) = (false, false);
    // End of the last complete array or object, and the brackets that were open there.
    let mut last_complete: (usize, Vec<char>) = (0, Vec::new());
    for character in source.chars() {
        if in_string {
            out.push(if character.is_control() { ' ' } else { character });
            in_string = escaped || character != '"';
            escaped = character == '\\' && !escaped;
            continue;
        }
        match character {
            '"' => in_string = true,
            '{' => open.push('}'),
            '[' => open.push(']'),
            '}' | ']' => {
                trim_comma(&mut out);
                if open.pop() != Some(character) {
                    break;
                }
            }
            _ => {}
        }
        out.push(character);
        if matches!(character, '}' | ']') {
            if open.is_empty() {
                return out;
            }
            last_complete = (out.len(), open.clone());
        }
        if open.len() > 64 {
            break;
        }
    }
    out.truncate(last_complete.0);
    trim_comma(&mut out);
    out.extend(last_complete.1.iter().rev());
    out
}

fn trim_comma(out: &mut String) {
    let trimmed = out.trim_end();
    if let Some(trimmed) = trimmed.strip_suffix(',') {
        out.truncate(trimmed.len());
    }
}
