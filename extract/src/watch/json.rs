//! Reads JSON documents: their values as lines, or the values that a JSONPath or jq program selects.

use std::borrow::Cow;

use serde_json::Value;
use serde_json_path::JsonPath;

use super::{
    blocks::MAX_BLOCKS,
    items::{self, ItemDraft},
    line_text::{PART_SEPARATOR, tidy},
    observation::{Observation, ObservationWarning, ObserveError},
    operation::Kind,
    presence,
    selectors::{self, MAX_MATCHES, Selector},
    snapshot::{Snapshot, SnapshotBlock},
    target::{Target, WatchedField},
    value_store::ValueStore,
};
use crate::jq::{JqFailure, Program};

/// Maximum number of bytes of a list element that becomes one line. A longer element is split into its
/// values.
const MAX_ELEMENT_BYTES: usize = 800;
/// Maximum number of bytes of a scalar in a line, before its white space is collapsed.
const MAX_WRITTEN_BYTES: usize = 64 * MAX_ELEMENT_BYTES;
/// Separator between the member names of a path.
const STEP: &str = " › ";
/// Members of an object that may contain its link.
const LINKS: &[&str] = &["html_url", "url", "link", "href"];

/// True if the media type is JSON, or if the server declares no specific type and the body is JSON.
pub(super) fn is_json(mime: &str, bytes: &[u8]) -> bool {
    let looks = || bytes.trim_ascii_start().first().is_some_and(|byte| matches!(byte, b'{' | b'['));
    match mime {
        "application/feed+json" => false,
        "" | "application/octet-stream" | "text/plain" => {
            looks() && serde_json::from_slice::<Value>(bytes).is_ok()
        }
        _ => mime.ends_with("/json") || mime.ends_with("+json"),
    }
}

/// Reads the target from the text of a JSON document.
pub(super) fn read(text: &str, target: &Target) -> Result<Observation, ObserveError> {
    read_value(serde_json::from_str(text).map_err(|_| ObserveError::NotJson)?, target)
}

/// Reads the target from a parsed JSON document.
pub(super) fn read_value(mut root: Value, target: &Target) -> Result<Observation, ObserveError> {
    // The members of an object are unordered (RFC 8259, section 4).
    root.sort_all_objects();
    match target {
        Target::Page { selector: None } => {
            let mut lines = JsonLines::default();
            lines.value("", &root);
            Ok(lines.observed())
        }
        Target::Page { selector: Some(selectors) } => read_lines(&root, selectors),
        Target::Extract { items, fields } => read_items(&root, items.as_deref(), fields),
        Target::Sitemap { .. } => Err(ObserveError::NotASitemap),
        Target::Product
        | Target::Calendar
        | Target::File
        | Target::Image
        | Target::Visual { .. }
        | Target::Headers { .. } => Err(ObserveError::absent("/targetType")),
    }
}

/// Reads the selected values of a document as lines.
fn read_lines(root: &Value, selectors: &str) -> Result<Observation, ObserveError> {
    let mut lines = JsonLines::default();
    let all = selectors::of_page(selectors);
    let (is_single, mut is_absent) = (all.len() < 2, true);
    for selector in all {
        let selected = JsonSelector::new(selector.text, "/selector")?.select(root)?;
        let is_present = !selected.values.is_empty();
        is_absent &= !is_present;
        if !is_single {
            lines.blocks.push(presence::block(selector.text, is_present));
        }
        lines.values.is_cut |= selected.is_cut;
        match selected.refs().as_slice() {
            // A single value is edited as a whole. It is not a list to which elements are added.
            [only] if !only.is_array() && !only.is_object() => lines.value("", only),
            matching => lines.list("", matching),
        }
    }
    let absent = is_absent.then(|| "/selector".to_owned());
    Ok(Observation { absent, ..lines.observed() })
}

/// Compiled selector.
struct JsonSelector {
    language: JsonLanguage,
    /// JSON pointer of the selector in the target.
    pointer: String,
}

enum JsonLanguage {
    Path(JsonPath),
    Program(Program),
}

struct SelectedValues<'v> {
    values: Vec<Cow<'v, Value>>,
    /// True if more values were selected than the limit allows.
    is_cut: bool,
}

impl SelectedValues<'_> {
    fn refs(&self) -> Vec<&Value> {
        self.values.iter().map(|value| &**value).collect()
    }
}

impl JsonSelector {
    fn new(selector: &str, pointer: impl Into<String>) -> Result<Self, ObserveError> {
        let pointer = pointer.into();
        let language = match Selector::of(selector) {
            // CSS and XPath match nothing in a JSON document.
            Selector::Css(_) | Selector::XPath(_) => return Err(ObserveError::absent(pointer)),
            Selector::JsonPath(path) => selectors::json_path(path).map(JsonLanguage::Path),
            Selector::Jq(_) => selectors::program(selector).map(JsonLanguage::Program),
        };
        let language = language.map_err(|problem| ObserveError::target(&pointer, &problem))?;
        Ok(Self { language, pointer })
    }

    fn select<'v>(&self, root: &'v Value) -> Result<SelectedValues<'v>, ObserveError> {
        match &self.language {
            JsonLanguage::Path(path) => {
                let mut values: Vec<_> = path.query(root).into_iter().map(Cow::Borrowed).collect();
                let is_cut = values.len() > MAX_MATCHES;
                values.truncate(MAX_MATCHES);
                Ok(SelectedValues { values, is_cut })
            }
            JsonLanguage::Program(program) => {
                let outputs = program.run(root, MAX_MATCHES).map_err(|JqFailure(reason)| {
                    ObserveError::SelectorFailed { pointer: self.pointer.clone(), reason }
                })?;
                // jq returns null for a missing member.
                let is_nothing = outputs.values.iter().all(Value::is_null);
                let values = if is_nothing { Vec::new() } else { outputs.values };
                let values = values.into_iter().map(Cow::Owned).collect();
                Ok(SelectedValues { values, is_cut: outputs.is_cut })
            }
        }
    }
}

fn read_items(
    root: &Value,
    items: Option<&str>,
    fields: &[WatchedField],
) -> Result<Observation, ObserveError> {
    let selected = match items {
        Some(selector) => JsonSelector::new(selector, "/items")?.select(root)?,
        None => SelectedValues { values: vec![Cow::Borrowed(root)], is_cut: false },
    };
    let mut roots = selected.refs();
    // `$.list` selects the elements of the list.
    if let (Some(_), [Value::Array(list)]) = (items, roots.as_slice()) {
        roots = list.iter().collect();
    }
    let truncated = selected.is_cut || roots.len() > items::MAX_ITEMS;
    let mut selectors = Vec::new();
    for (at, field) in fields.iter().enumerate() {
        let selector = field.selector.trim();
        let pointer = format!("/fields/{at}/selector");
        selectors.push(match selector {
            "" => None,
            selector => Some(JsonSelector::new(selector, pointer)?),
        });
    }
    let mut store = ValueStore::default();
    let mut drafts = Vec::new();
    for root in roots.into_iter().take(items::MAX_ITEMS) {
        let mut values = Vec::with_capacity(selectors.len());
        for selector in &selectors {
            let selected = match selector {
                Some(selector) => selector.select(root)?.values.into_iter().next(),
                None => Some(Cow::Borrowed(root)),
            };
            values.push(selected.and_then(|value| store.value(&text_of(&value)?)));
        }
        let link = link(root).filter(|_| items.is_some());
        drafts.push(ItemDraft { values, link, heading: None });
    }
    Ok(items::finish(drafts, fields, items.is_some(), truncated || store.is_cut))
}

/// Value as text. `None` for null.
fn text_of(value: &Value) -> Option<Cow<'_, str>> {
    match value {
        Value::Null => None,
        Value::String(text) => Some(Cow::Borrowed(text.as_str())),
        other => Some(Cow::Owned(other.to_string())),
    }
}

/// Value as text within a line.
fn line_of(value: &Value) -> Cow<'_, str> {
    text_of(value).filter(|text| !text.trim().is_empty()).unwrap_or(Cow::Borrowed("null"))
}

fn link(value: &Value) -> Option<String> {
    let url = LINKS.iter().find_map(|name| value.get(name)?.as_str());
    url.filter(|url| url.starts_with("http")).map(str::to_owned)
}

/// Collects the values of a document in order. The recursion is limited by the JSON parser to 128
/// levels.
#[derive(Default)]
struct JsonLines {
    blocks: Vec<SnapshotBlock>,
    lists: u32,
    values: ValueStore,
}

impl JsonLines {
    fn observed(self) -> Observation {
        let mut observation = Observation::of(Snapshot::Blocks(self.blocks));
        if self.values.is_cut {
            observation.warnings.push(ObservationWarning::TruncatedSource);
        }
        observation
    }

    fn value(&mut self, path: &str, value: &Value) {
        match value {
            Value::Array(list) => self.list(path, &list.iter().collect::<Vec<_>>()),
            Value::Object(members) => {
                for (name, member) in members {
                    self.value(&joined(path, name), member);
                }
            }
            scalar => {
                let text = line_of(scalar);
                let text = if path.is_empty() { text } else { Cow::Owned(format!("{path}: {text}")) };
                self.push(Kind::Value, 0, &text, Vec::new());
            }
        }
    }

    /// Adds the elements of a list, each as one line if it is short enough.
    fn list(&mut self, path: &str, list: &[&Value]) {
        self.lists += 1;
        let number = self.lists;
        for &element in list {
            let mut text = String::new();
            if one_line(element, "", &mut text) {
                let text = if path.is_empty() { text } else { format!("{path}: {text}") };
                self.push(Kind::ListItem, number, &text, link(element).into_iter().collect());
            } else {
                self.value(path, element);
            }
        }
    }

    fn push(&mut self, kind: Kind, list: u32, text: &str, links: Vec<String>) {
        let text = tidy(text);
        if !text.is_empty() && self.blocks.len() < MAX_BLOCKS {
            let text = self.values.bounded(text);
            self.blocks.push(SnapshotBlock { kind, text, links, list, ..SnapshotBlock::default() });
        }
    }
}

fn joined(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}{STEP}{name}") }
}

/// Writes a value as one line. Returns false if the line would be too long.
fn one_line(value: &Value, path: &str, line: &mut String) -> bool {
    match value {
        Value::Array(list) => list.iter().all(|element| one_line(element, path, line)),
        Value::Object(members) => {
            members.iter().all(|(name, member)| one_line(member, &joined(path, name), line))
        }
        scalar => {
            let text = line_of(scalar);
            if text.len() > MAX_WRITTEN_BYTES {
                return false;
            }
            if !line.is_empty() {
                line.push_str(PART_SEPARATOR);
            }
            if !path.is_empty() {
                line.push_str(path);
                line.push_str(": ");
            }
            line.push_str(&tidy(&text));
            line.len() <= MAX_ELEMENT_BYTES
        }
    }
}
