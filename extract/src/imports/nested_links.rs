//! Links in nested lists in the JSON of any program, such as folders of xBrowserSync, windows of Tab Session
//! Manager, cards of Toby, and the sidebar of Arc.

use std::borrow::Cow;
use std::collections::HashMap;

use serde_json::{Map, Value};

use super::mapping;
use super::row::{ImportRow, RowResult};
use super::values;

/// Names of members that contain the URL of a link.
const URLS: [&str; 4] = ["url", "uri", "href", "link"];
/// Names of members that contain the name of a folder.
const NAMES: [&str; 2] = ["title", "name"];
/// Start of the names of the folders that xBrowserSync creates.
const XBROWSERSYNC_ROOT: &str = "[xbs] ";
/// Maximum number of parents of a tab.
const MAX_PARENTS: usize = 16;

/// Folders of a link, and the tags of the outermost folder.
#[derive(Clone, Default)]
struct LinkLocation {
    names: Vec<String>,
    tags: Vec<String>,
    saved_at: Option<i64>,
}

/// Reads all links of a file.
pub(super) fn nested(tree: &Value, visit: &mut dyn FnMut(RowResult)) {
    if tree["sidebar"].is_object() {
        arc(tree, visit);
    } else {
        read(tree, &LinkLocation::default(), visit);
    }
}

fn read(value: &Value, location: &LinkLocation, visit: &mut dyn FnMut(RowResult)) {
    match value {
        Value::Array(values) => {
            for value in values {
                read(value, location, visit);
            }
        }
        Value::Object(members) => {
            let is_link = URLS.iter().any(|name| members.get(*name).is_some_and(Value::is_string));
            if is_link {
                visit(link(members, location));
            }
            let inner = if is_link { Cow::Borrowed(location) } else { inner_location(members, location) };
            for value in members.values().filter(|value| value.is_array() || value.is_object()) {
                read(value, &inner, visit);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// Returns the location of the links in an object that is not itself a link.
fn inner_location<'l>(members: &Map<String, Value>, location: &'l LinkLocation) -> Cow<'l, LinkLocation> {
    let name = NAMES.iter().find_map(|name| values::json_text(members.get(*name)));
    let name = name.filter(|name| !name.starts_with(XBROWSERSYNC_ROOT));
    if name.is_none() && !members.contains_key("windows") {
        return Cow::Borrowed(location);
    }
    let mut inner = location.clone();
    inner.names.extend(name.map(values::folder_name));
    inner.names = values::folders(&inner.names).concat();
    if members.contains_key("windows") {
        inner.tags.extend(values::json_names(members.get("tag")));
        inner.saved_at = inner.saved_at.or_else(|| values::json_time(members.get("date")));
    }
    Cow::Owned(inner)
}

/// Converts a link to a row. Members that are objects or lists of objects are left out.
fn link(members: &Map<String, Value>, location: &LinkLocation) -> RowResult {
    let is_own = |value: &Value| match value {
        Value::Object(_) => false,
        Value::Array(values) => !values.iter().any(Value::is_object),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => true,
    };
    let own = members.iter().filter(|(name, value)| is_own(value) && *name != "favIconUrl");
    let row = mapping::row(mapping::ANY, own.map(|(name, value)| (name.clone(), value.clone())));
    row.map(|mut row| {
        row.tags.extend(location.tags.iter().cloned());
        row.saved_at = row.saved_at.or(location.saved_at);
        row.folders.extend(Some(location.names.clone()).filter(|names| !names.is_empty()));
        row
    })
}

/// Reads the sidebar of Arc: a flat list of items `id, title, parentID, createdAt, data: {tab: {savedTitle,
/// savedURL}}`.
fn arc(tree: &Value, visit: &mut dyn FnMut(RowResult)) {
    let containers = || tree["sidebar"]["containers"].as_array().into_iter().flatten();
    let items = || containers().flat_map(|container| container["items"].as_array().into_iter().flatten());
    let mut folders: HashMap<&str, &Value> = HashMap::new();
    for item in items().filter(|item| item["data"]["list"].is_object()) {
        folders.extend(item["id"].as_str().map(|id| (id, item)));
    }
    for item in items() {
        let tab = &item["data"]["tab"];
        let Some(url) = values::json_text(tab.get("savedURL")) else { continue };
        let (mut names, mut parent) = (Vec::new(), &item["parentID"]);
        while let Some(folder) = parent.as_str().and_then(|id| folders.get(id))
            && names.len() < MAX_PARENTS
        {
            names.push(values::json_text(folder.get("title")).map(values::folder_name).unwrap_or_default());
            parent = &folder["parentID"];
        }
        names.reverse();
        names.retain(|name: &String| !name.is_empty());
        let title = values::json_text(item.get("title"));
        let title = title.or_else(|| values::json_text(tab.get("savedTitle")));
        visit(Ok(ImportRow {
            url: Some(url),
            title,
            saved_at: item["createdAt"].as_f64().and_then(values::apple_time),
            folders: values::folders(&names),
            ..ImportRow::default()
        }));
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::imports::{Format, guess};

    fn rows(text: &str) -> Vec<ImportRow> {
        assert_eq!(guess(text.as_bytes()).1, Some(Format::NestedJson), "{text}");
        let mut rows = Vec::new();
        nested(&serde_json::from_str(text).unwrap(), &mut |row| rows.push(row.unwrap()));
        rows
    }

    #[test]
    fn names_of_nested_lists_become_folders_of_their_links() {
        let synced = r#"{"xbrowsersync":{"data":{"bookmarks":[{"title":"[xbs] Toolbar","children":[{"title":"F","children":[
            {"id":3,"title":"XB","description":"words","url":"https://a.example/1","tags":["x"]}]}]}]}}}"#;
        let row = &rows(synced)[0];
        assert_eq!((row.note.as_deref(), row.tags.clone()), (Some("words"), vec!["x".to_owned()]));
        assert_eq!(row.folders, [["F"]]);
        let session = r#"[{"windows":{"1":{"11":{"id":11,"url":"https://a.example/1","title":"Tab","favIconUrl":"data:x"}}},
            "name":"Session","date":1704067200000,"tag":["work"],"sessionStartTime":1}]"#;
        let row = &rows(session)[0];
        assert_eq!((row.saved_at, row.tags.clone()), (Some(1_704_067_200_000), vec!["work".to_owned()]));
        assert_eq!(
            (row.folders.clone(), json!(row.extra)),
            (vec![vec!["Session".to_owned()]], json!({"id": 11}))
        );
        let cards =
            r#"{"version":3,"lists":[{"title":"L","cards":[{"title":"C","url":"https://a.example/1"}]}]}"#;
        assert_eq!(rows(cards)[0].folders, [["L"]]);
    }

    #[test]
    fn tabs_of_arc_have_the_folders_of_their_parents() {
        let sidebar = r#"{"version":1,"sidebar":{"containers":[{"global":{}},{"items":["i",{"id":"i","parentID":"f","title":null,
            "createdAt":725760000,"data":{"tab":{"savedTitle":"Tab","savedURL":"https://a.example/1"}}},
            {"id":"f","parentID":"f","title":"Folder","data":{"list":{}}}]}]}}"#;
        let row = &rows(sidebar)[0];
        assert_eq!((row.title.as_deref(), row.saved_at), (Some("Tab"), Some(1_704_067_200_000)));
        assert_eq!(row.folders[0].last().map(String::as_str), Some("Folder"));
    }
}
