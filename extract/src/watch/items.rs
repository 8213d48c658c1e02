//! Reads the named values of the items on a page.

use std::collections::{HashMap, HashSet};

use super::{
    blocks,
    line_text::tidy,
    marks,
    observation::{Observation, ObservationWarning, ObserveError},
    page_source::SelectablePage,
    selectors::attribute_of,
    snapshot::{ExtractedItem, FieldValue, Snapshot},
    target::WatchedField,
    value_store::{ValueStore, cut, with_hash},
};
use crate::{
    page::{Id, links},
    xpath::{XPath, XPathResult},
};

/// Maximum number of items of a source.
pub(super) const MAX_ITEMS: usize = 5_000;
/// Maximum number of characters in an item's title.
const MAX_NAME_CHARS: usize = 120;

/// Page with the nodes that the selectors matched.
pub(super) struct ItemSource<'p> {
    pub(super) source: &'p SelectablePage<'p>,
    /// For each node, true if it is an item. `None` if the whole page is the only item.
    pub(super) item_nodes: Option<&'p [bool]>,
    /// For each field, the nodes that its CSS selector matches, in document order.
    pub(super) tables: &'p [Vec<Id>],
    /// For each field, its XPath. `None` for a field with a CSS selector.
    pub(super) paths: &'p [Option<XPath>],
}

pub(super) fn read(source: &ItemSource<'_>, fields: &[WatchedField]) -> Result<Observation, ObserveError> {
    let roots: Vec<Id> = match source.item_nodes {
        Some(item_nodes) => (1..item_nodes.len()).filter(|&id| item_nodes[id]).collect(),
        None => vec![0],
    };
    let truncated = roots.len() > MAX_ITEMS;
    let mut values = ValueStore::default();
    let drafts = roots.iter().take(MAX_ITEMS).map(|&root| draft(source, fields, root, &mut values));
    let drafts = drafts.collect::<Result<Vec<_>, _>>()?;
    Ok(finish(drafts, fields, source.item_nodes.is_some(), truncated || values.is_cut))
}

/// Item to which no key has been assigned yet.
pub(super) struct ItemDraft {
    pub(super) values: Vec<Option<String>>,
    pub(super) link: Option<String>,
    /// Title of the item, used if no field provides a title.
    pub(super) heading: Option<String>,
}

/// Assigns keys and titles, and adds warnings. Used for sources of every format.
pub(super) fn finish(
    drafts: Vec<ItemDraft>,
    fields: &[WatchedField],
    many: bool,
    truncated: bool,
) -> Observation {
    // A missing field is compared like a value, unless all fields of all items are missing.
    let is_nothing = drafts.iter().all(|draft| draft.values.iter().all(Option::is_none));
    let absent = is_nothing.then(|| if many { "/items" } else { "/fields/0/selector" }.to_owned());
    let drafts = if many && is_nothing { Vec::new() } else { drafts };
    let mut warnings = Vec::new();
    if truncated {
        warnings.push(ObservationWarning::TruncatedSource);
    }
    if drafts.iter().any(|draft| draft.values.contains(&None)) {
        warnings.push(ObservationWarning::FieldMissing);
    }
    let mut items = Vec::with_capacity(drafts.len());
    for draft in drafts {
        let key = if many { key(&draft, fields) } else { String::new() };
        let title = if many { name(&draft, fields) } else { String::new() };
        let values = fields.iter().zip(draft.values);
        let fields = values.map(|(field, value)| FieldValue { name: field.name.clone(), value }).collect();
        items.push(ExtractedItem { key, title, link: draft.link, fields });
    }
    if distinguish(&mut items) {
        warnings.push(ObservationWarning::RepeatedKeys);
    }
    Observation { warnings, absent, ..Observation::of(Snapshot::Items(items)) }
}

/// Appends a number to each key that an earlier item already has. Returns true if at least one key was
/// changed.
pub(super) fn distinguish(items: &mut [ExtractedItem]) -> bool {
    let mut known: HashSet<String> = items.iter().map(|item| item.key.clone()).collect();
    if known.len() == items.len() {
        return false;
    }
    let mut counts: HashMap<String, usize> = HashMap::new();
    for item in items {
        let count = counts.entry(item.key.clone()).or_default();
        *count += 1;
        if *count == 1 {
            continue;
        }
        let mut key = format!("{}#{count}", item.key);
        // The source may already contain a key with this number.
        while !known.insert(key.clone()) {
            *count += 1;
            key = format!("{}#{count}", item.key);
        }
        item.key = key;
    }
    true
}

fn key(draft: &ItemDraft, fields: &[WatchedField]) -> String {
    let chosen = fields.iter().zip(&draft.values).filter(|(field, _)| field.key);
    // A struck-out item remains the same item. Keys are also stored in the state of triggers, so the length
    // of their parts is always limited.
    let part = |value: &str| with_hash(&marks::unmarked(value));
    let chosen: Vec<String> = chosen.filter_map(|(_, value)| value.as_deref()).map(part).collect();
    if !chosen.is_empty() {
        return chosen.join(" / ");
    }
    draft.link.clone().unwrap_or_else(|| {
        let values = draft.values.iter().map(|value| value.as_deref().map(part).unwrap_or_default());
        values.collect::<Vec<_>>().join(" / ")
    })
}

fn name(draft: &ItemDraft, fields: &[WatchedField]) -> String {
    let keyed = fields.iter().zip(&draft.values).find(|(field, value)| field.key && value.is_some());
    let keyed = keyed.and_then(|(_, value)| value.as_deref());
    let first = || draft.values.iter().flatten().find(|value| value.chars().any(char::is_alphabetic));
    let name = keyed.or(draft.heading.as_deref()).or_else(|| first().map(String::as_str));
    let name = name.or_else(|| draft.values.iter().flatten().next().map(String::as_str)).unwrap_or("");
    cut(&marks::unmarked(name), MAX_NAME_CHARS)
}

fn draft(
    items: &ItemSource<'_>,
    fields: &[WatchedField],
    root: Id,
    store: &mut ValueStore,
) -> Result<ItemDraft, ObserveError> {
    let page = items.source.page;
    let range = page.subtree(root);
    let mut values = Vec::with_capacity(fields.len());
    for (at, ((field, table), path)) in fields.iter().zip(items.tables).zip(items.paths).enumerate() {
        if let Some(path) = path {
            let selection = items.source.select(path, root, &format!("/fields/{at}/selector"))?;
            values.push(match selection {
                XPathResult::Text(text) => store.value(&text),
                XPathResult::Nodes(nodes) => {
                    nodes.first().and_then(|node| items.source.node_value(*node, store))
                }
            });
            continue;
        }
        let (css, attribute) = attribute_of(&field.selector);
        let id = if css.is_empty() {
            Some(root)
        } else {
            let from = table.partition_point(|&id| id < range.start);
            table.get(from).copied().filter(|id| range.contains(id))
        };
        values.push(id.and_then(|id| items.source.value(id, attribute, store)));
    }
    let anchor = range.clone().find(|&id| page.is(id, "a") && page.value(id, "href").is_some());
    let anchor = anchor.or_else(|| page.ancestors(root).find(|&id| page.is(id, "a")));
    let href = anchor.filter(|_| root != 0).and_then(|id| page.value(id, "href"));
    let link = href.and_then(|href| links::resolve_web(items.source.base, href)).map(blocks::stable_url);
    let heading = range.into_iter().find(|&id| page.is_heading(id)).map(|id| tidy(&page.folded_text(id)));
    let heading = heading.filter(|text| !text.is_empty()).map(|text| cut(&text, MAX_NAME_CHARS));
    Ok(ItemDraft { values, link, heading })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_beyond_the_total_limit_are_stored_as_hashes() {
        let mut store = ValueStore::default();
        let long = "word ".repeat(1_000_000);
        let text = |last: &str| format!("{long}{last}");
        for _ in 0..3 {
            assert_eq!(store.value(&text("end")), Some(text("end")));
        }
        assert!(!store.is_cut);
        let (one, other) = (store.value(&text("end")).unwrap(), store.value(&text("and")).unwrap());
        assert!(store.is_cut && one.len() < 5_000);
        assert_ne!(one, other, "values that differ in the part that is left out are different");
        assert_eq!(store.value("short"), Some("short".to_owned()));
        assert_eq!(store.value(" \n"), None);
    }

    #[test]
    fn repeated_keys_are_numbered_and_unique() {
        let item = |key: &str| ExtractedItem {
            key: key.to_owned(),
            title: String::new(),
            link: None,
            fields: Vec::new(),
        };
        let mut items = ["a", "b", "a", "a#2", "a"].map(item);
        assert!(distinguish(&mut items));
        assert_eq!(items.map(|item| item.key), ["a", "b", "a#3", "a#2", "a#4"]);
        assert!(!distinguish(&mut ["a", "b"].map(item)));
    }

    #[test]
    fn key_of_a_long_value_is_short() {
        let field = WatchedField { key: true, ..WatchedField::new("text", "") };
        let key_of = |text: String| {
            let draft = ItemDraft { values: vec![Some(text)], link: None, heading: None };
            key(&draft, std::slice::from_ref(&field))
        };
        let long = "word ".repeat(10_000);
        let (one, other) = (key_of(format!("{long}a")), key_of(format!("{long}b")));
        assert!(one.len() < 5_000 && one != other);
        assert_eq!(key_of("short".to_owned()), "short");
    }
}
