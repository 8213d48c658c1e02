//! JSON that is embedded in a page: its JSON-LD, and the data of its scripts, such as `__NEXT_DATA__`.

use serde_json::{Map, Value};

use crate::{
    metadata,
    page::{Id, Page},
};

/// Maximum total number of bytes of the scripts that are read.
const MAX_BYTES: usize = 8 * 1024 * 1024;
/// Key for the list of all JSON-LD objects of the page.
const LINKED: &str = "ld+json";
/// Key for the data of scripts without an id.
const UNNAMED: &str = "json";

/// Embedded JSON of a page.
pub(super) struct EmbeddedData {
    /// Object with one member per script. Its key is the id of the script. The member `ld+json` is the list
    /// of all JSON-LD objects, and `json` is the list of the data of scripts without an id.
    pub(super) root: Value,
    /// True if scripts were omitted because they are too large.
    pub(super) is_cut: bool,
}

/// Reads the embedded JSON of a page. Scripts that cannot be parsed are omitted.
pub(super) fn read(page: &Page) -> EmbeddedData {
    let (mut linked, mut unnamed, mut members) = (Vec::new(), Vec::new(), Map::new());
    let (mut remaining, mut is_cut) = (MAX_BYTES, false);
    for id in (1..page.len()).filter(|&id| page.is(id, "script")) {
        let Some(kind) = kind_of(page, id) else { continue };
        let text: String = page.children(id).filter_map(|child| page.text(child)).collect();
        let Some(rest) = remaining.checked_sub(text.len()) else {
            is_cut = true;
            continue;
        };
        remaining = rest;
        let Some(value) = metadata::parse_data(&text) else { continue };
        match (kind, page.value(id, "id"), value) {
            (ScriptKind::Linked, _, Value::Array(objects)) => linked.extend(objects),
            (ScriptKind::Linked, _, object) => linked.push(object),
            (ScriptKind::Data, Some(name), value) if !members.contains_key(name) => {
                members.insert(name.to_owned(), value);
            }
            (ScriptKind::Data, _, value) => unnamed.push(value),
        }
    }
    members.insert(LINKED.to_owned(), linked.into());
    members.insert(UNNAMED.to_owned(), unnamed.into());
    EmbeddedData { root: members.into(), is_cut }
}

#[derive(Clone, Copy)]
enum ScriptKind {
    Linked,
    Data,
}

/// Kind of a script. `None` if it is not JSON.
fn kind_of(page: &Page, id: Id) -> Option<ScriptKind> {
    let mime = page.attribute(id, "type")?.to_ascii_lowercase();
    if mime.contains("ld+json") {
        return Some(ScriptKind::Linked);
    }
    (mime.contains("json") && !mime.contains("importmap")).then_some(ScriptKind::Data)
}
