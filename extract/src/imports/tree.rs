//! Files that are one JSON value with nested folders. A truncated file is read up to its last complete
//! value.

use std::collections::HashSet;

use serde_json::{Map, Value};

use super::list_names::ListNames;
use super::row::{ImportRow, ImportStatus, InvalidRow, RowResult};
use super::{mapping, services, values};

/// Maximum number of bytes of a file.
const MAX_TREE_BYTES: usize = 32 * 1024 * 1024;
/// Maximum nesting depth of a file.
const MAX_DEPTH: usize = 120;
/// Microseconds from 1601, the epoch of Chrome, to 1970.
const CHROME_EPOCH: i64 = 11_644_473_600_000_000;

/// Reads the rows of a tree.
pub(super) type ReadTree = fn(&Value, &mut dyn FnMut(RowResult));

/// Buffers a file that is read as a whole.
#[derive(Default)]
pub(super) struct FileBuffer {
    bytes: Vec<u8>,
    is_too_long: bool,
}

impl FileBuffer {
    pub(super) fn push(&mut self, piece: &[u8]) {
        if self.is_too_long || self.bytes.len() + piece.len() > MAX_TREE_BYTES {
            self.is_too_long = true;
            self.bytes = Vec::new();
        } else {
            self.bytes.extend_from_slice(piece);
        }
    }

    pub(super) fn finish(&mut self, read: ReadTree, visit: &mut dyn FnMut(RowResult)) {
        if self.is_too_long {
            return visit(Err(InvalidRow::TooLong));
        }
        let bytes = std::mem::take(&mut self.bytes);
        match serde_json::from_slice(&bytes) {
            Ok(tree) => read(&tree, visit),
            Err(error) if error.is_eof() => {
                if let Some(tree) = completed(bytes) {
                    read(&tree, visit);
                }
                visit(Err(InvalidRow::Truncated));
            }
            Err(_) => match serde_json::from_str(&String::from_utf8_lossy(&bytes)) {
                Ok(tree) => read(&tree, visit),
                Err(_) => visit(Err(InvalidRow::Malformed)),
            },
        }
    }
}

/// Truncated JSON up to its last complete object or list. The objects and lists that are still open are
/// closed.
fn completed(mut bytes: Vec<u8>) -> Option<Value> {
    let (mut open, mut in_string, mut is_escaped) = (Vec::new(), false, false);
    let mut whole: Option<(usize, Vec<u8>)> = None;
    for (at, &byte) in bytes.iter().enumerate() {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' if in_string => is_escaped = true,
            b'"' => in_string = !in_string,
            _ if in_string => {}
            b'{' => open.push(b'}'),
            b'[' => open.push(b']'),
            b'}' | b']' => {
                open.pop();
                whole = Some((at + 1, open.clone()));
            }
            _ => {}
        }
        if open.len() > MAX_DEPTH {
            return None;
        }
    }
    let (end, open) = whole?;
    bytes.truncate(end);
    bytes.extend(open.iter().rev());
    serde_json::from_slice(&bytes).ok()
}

/// Reads bookmarks of Firefox: folders with `title, children`, and bookmarks with `title, uri, dateAdded,
/// tags`.
pub(super) fn firefox(tree: &Value, visit: &mut dyn FnMut(RowResult)) {
    firefox_folder(tree, None, &mut Vec::new(), visit);
}

/// Reads a folder in the folder `root`, which every profile has.
fn firefox_folder(
    folder: &Value,
    root: Option<&str>,
    names: &mut Vec<String>,
    visit: &mut dyn FnMut(RowResult),
) {
    let mut description = firefox_description(folder);
    for child in folder["children"].as_array().into_iter().flatten() {
        if child["root"] == "tagsFolder" || child["guid"] == "tags________" {
            firefox_tags(child, visit);
            continue;
        }
        if child["children"].is_array() {
            let is_root = child["root"].is_string()
                || child["guid"].as_str().is_some_and(|guid| guid.ends_with("____"));
            let name = values::json_text(child.get("title")).map(values::folder_name);
            if is_root {
                firefox_folder(child, name.as_deref().or(root), names, visit);
                continue;
            }
            let depth = names.len();
            names.extend(name);
            firefox_folder(child, root, names, visit);
            names.truncate(depth);
            continue;
        }
        let Some(url) = values::json_text(child.get("uri")) else { continue };
        let names_of_rest = ["keyword", "postData", "charset", "lastModified"];
        let rest = names_of_rest.into_iter().filter_map(|name| {
            let value = child.get(name).cloned().and_then(values::extra)?;
            Some((name.to_owned(), value))
        });
        let mut extra: Map<String, Value> = rest.collect();
        extra.extend(root.map(|root| ("root".to_owned(), root.into())));
        if let Some(description) = &description {
            extra.insert("folder_description".to_owned(), description.as_str().into());
        }
        description = values::repeated_description(description);
        visit(Ok(ImportRow {
            title: values::json_text(child.get("title")).filter(|title| *title != url),
            url: Some(url),
            saved_at: values::json_time(child.get("dateAdded")),
            tags: child["tags"].as_str().map(|tags| values::list(tags, ',')).unwrap_or_default(),
            folders: values::folders(names),
            note: firefox_description(child),
            extra,
            ..ImportRow::default()
        }));
    }
}

/// Description of a bookmark or a folder, which older versions of Firefox stored.
fn firefox_description(member: &Value) -> Option<String> {
    let annotations = member["annos"].as_array().into_iter().flatten();
    annotations
        .filter(|annotation| annotation["name"] == "bookmarkProperties/description")
        .find_map(|annotation| values::json_text(annotation.get("value")))
}

/// Tags in older backups: folders with the bookmarks that have the tag.
fn firefox_tags(folder: &Value, visit: &mut dyn FnMut(RowResult)) {
    for tag in folder["children"].as_array().into_iter().flatten() {
        let name = values::json_text(tag.get("title"));
        for child in tag["children"].as_array().into_iter().flatten() {
            let Some(url) = values::json_text(child.get("uri")) else { continue };
            visit(Ok(ImportRow {
                title: values::json_text(child.get("title")).filter(|title| *title != url),
                url: Some(url),
                saved_at: values::json_time(child.get("dateAdded")),
                tags: name.iter().cloned().collect(),
                ..ImportRow::default()
            }));
        }
    }
}

/// Reads bookmarks of Chrome: `roots`, folders with `name, type, children`, and bookmarks with `name, url,
/// date_added`. Vivaldi has a root for its trash.
pub(super) fn chrome(tree: &Value, visit: &mut dyn FnMut(RowResult)) {
    for (key, root) in tree["roots"].as_object().into_iter().flatten() {
        let name = values::json_text(root.get("name")).map(values::folder_name);
        let is_reading_list = key == "reading_list" || name.as_deref().is_some_and(values::is_reading_list);
        let mut location = ChromeLocation {
            names: Vec::new(),
            status: is_reading_list.then_some(ImportStatus::Later),
            is_bar: key == "bookmark_bar",
            is_trash: key == "trash",
            root: name,
        };
        chrome_folder(root, &mut location, visit);
    }
}

/// Folder of the bookmarks that are being read.
struct ChromeLocation {
    /// Name of the root.
    root: Option<String>,
    /// Names of the folders in the root.
    names: Vec<String>,
    status: Option<ImportStatus>,
    /// True in the root of the bar, whose folders a person created.
    is_bar: bool,
    is_trash: bool,
}

fn chrome_folder(folder: &Value, location: &mut ChromeLocation, visit: &mut dyn FnMut(RowResult)) {
    for child in folder["children"].as_array().into_iter().flatten() {
        if child["children"].is_array() {
            let (depth, status) = (location.names.len(), location.status);
            let name = values::json_text(child.get("name")).map(values::folder_name);
            let is_outermost = depth == 0 && !location.is_bar;
            if is_outermost && name.as_deref().is_some_and(values::is_reading_list) {
                location.status = Some(ImportStatus::Later);
            } else {
                location.names.extend(name);
            }
            chrome_folder(child, location, visit);
            location.names.truncate(depth);
            location.status = status;
            continue;
        }
        let Some(url) = values::json_text(child.get("url")) else { continue };
        if location.is_trash {
            visit(Err(InvalidRow::Deleted));
            continue;
        }
        let added = values::json_text(child.get("date_added")).and_then(|time| time.parse::<i64>().ok());
        let mut extra = chrome_rest(child);
        extra.extend(location.root.as_deref().map(|root| ("root".to_owned(), root.into())));
        visit(Ok(ImportRow {
            title: values::json_text(child.get("name")).filter(|name| *name != url),
            url: Some(url),
            saved_at: added.map(|time| time.saturating_sub(CHROME_EPOCH) / 1000).filter(|time| *time > 0),
            status: location.status,
            folders: values::folders(&location.names),
            note: ["description", "Description"].iter().find_map(|name| {
                // Vivaldi stores the description of a bookmark in this object.
                values::json_text(child["meta_info"].get(*name))
            }),
            extra,
            ..ImportRow::default()
        }));
    }
}

/// Values of a bookmark that belong to no field. A time of zero is unknown.
fn chrome_rest(child: &Value) -> Map<String, Value> {
    let mut rest = Map::new();
    let last_used = child.get("date_last_used").filter(|time| **time != "0");
    rest.extend(last_used.map(|time| ("date_last_used".to_owned(), time.clone())));
    for (name, value) in child["meta_info"].as_object().into_iter().flatten() {
        if !["description", "thumbnail"].contains(&name.to_lowercase().as_str()) {
            rest.extend(values::extra(value.clone()).map(|value| (name.clone(), value)));
        }
    }
    rest
}

/// Reads a backup of Linkwarden: `collections: [{id, name, parentId, links}]`.
pub(super) fn linkwarden(tree: &Value, visit: &mut dyn FnMut(RowResult)) {
    let collections = || tree["collections"].as_array().into_iter().flatten();
    let mut names = ListNames::default();
    for collection in collections() {
        names.add(collection);
    }
    let pinned = tree["pinnedLinks"].as_array().into_iter().flatten();
    let pinned: HashSet<String> =
        pinned.filter_map(|link| values::json_text(link.get("id").or(Some(link)))).collect();
    for collection in collections() {
        let id = values::json_text(collection.get("id"));
        let folder = id.as_deref().and_then(|id| names.path(id)).unwrap_or_default();
        let ids: Vec<String> = id.into_iter().collect();
        let mut description = values::json_text(collection.get("description"));
        for link in collection["links"].as_array().into_iter().flatten() {
            let mut row = services::linkwarden(link.clone(), &folder);
            if let Ok(row) = &mut row {
                let text = description.clone().map(Value::from);
                row.extra.extend(text.map(|text| ("folder_description".to_owned(), text)));
                description = values::repeated_description(description);
                names.add_icons(&ids, &mut row.extra);
                row.is_starred |= row.source_id.as_ref().is_some_and(|id| pinned.contains(id));
            }
            visit(row);
        }
        for _ in collection["rssSubscriptions"].as_array().into_iter().flatten() {
            visit(Err(InvalidRow::Subscription));
        }
    }
}

/// Reads highlights of `KOReader`: one document, or a list of `documents`.
pub(super) fn koreader(tree: &Value, visit: &mut dyn FnMut(RowResult)) {
    match &tree["documents"] {
        Value::Array(documents) => {
            for document in documents {
                visit(services::koreader(document.clone()));
            }
        }
        _ => visit(services::koreader(tree.clone())),
    }
}

/// Reads a collection of Pocket: `title`, and `items: [{url, title}]`.
pub(super) fn pocket_collection(tree: &Value, visit: &mut dyn FnMut(RowResult)) {
    let name = values::json_text(tree.get("title"));
    for item in tree["items"].as_array().into_iter().flatten() {
        let Value::Object(members) = item else {
            visit(Err(InvalidRow::Malformed));
            continue;
        };
        let mut row = mapping::row(mapping::ANY, members.clone());
        if let (Ok(row), Some(name)) = (&mut row, &name) {
            row.folders.push(vec![name.clone()]);
        }
        visit(row);
    }
}
