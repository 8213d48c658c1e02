//! Names of tabs. A page lists all names before the texts, so each name is moved to its text as a heading.

use std::collections::HashMap;

use super::{disclosures::Disclosure, templates::PostHeading};
use crate::{
    clean,
    page::{Id, Page},
};

/// Maximum number of words in a tab's name.
const NAME_WORDS: usize = 12;
/// Maximum number of nodes in a tab.
const MAX_NAME_NODES: usize = 100;
/// Maximum number of bytes of a name that are read. The bound limits the total work, because many panels may
/// refer to one tab.
const MAX_NAME_BYTES: usize = 1000;

/// Headings for the selected tab panels of a page that hides one of its panels. Panels that begin with a
/// heading get no further heading. The names are excluded from the list of tabs.
pub(super) fn names(page: &Page, keep: &mut [bool], opened: &[Disclosure]) -> HashMap<Id, PostHeading> {
    let is_panel = |id: Id, keep: &[bool]| page.attribute(id, "role") == Some("tabpanel") && keep[id];
    let mut names = HashMap::new();
    if !opened.iter().any(|section| is_panel(section.panel, keep)) {
        return names;
    }
    let mut by_name: HashMap<&str, Id> = HashMap::new();
    for tab in (1..page.len()).filter(|&id| page.attribute(id, "role") == Some("tab")) {
        by_name.extend(["id", "aria-controls"].iter().filter_map(|name| Some((page.value(tab, name)?, tab))));
    }
    let by_panel: HashMap<Id, Id> = opened
        .iter()
        .filter(|section| page.attribute(section.control, "role") == Some("tab"))
        .map(|section| (section.panel, section.control))
        .collect();
    for panel in 1..page.len() {
        if !is_panel(panel, keep) || begins_with_heading(page, panel, keep) {
            continue;
        }
        let labelled = page.value(panel, "aria-labelledby").and_then(|name| by_name.get(name));
        let named = || by_name.get(page.value(panel, "id")?);
        let Some(&tab) = labelled.or_else(named).or_else(|| by_panel.get(&panel)) else { continue };
        if page.subtree(tab).len() > MAX_NAME_NODES {
            continue;
        }
        let name = page.folded_beginning(tab, MAX_NAME_BYTES);
        if name.contains(char::is_alphanumeric) && clean::words(&name) <= NAME_WORDS {
            keep[page.subtree(tab)].fill(false);
            names.insert(panel, PostHeading::new(&name, None, None, 0));
        }
    }
    names
}

/// True if the first selected text of a panel is a heading.
fn begins_with_heading(page: &Page, panel: Id, keep: &[bool]) -> bool {
    let is_text = |&id: &Id| keep[id] && page.is_nonblank_text(id);
    let first = page.descendants(panel).find(is_text);
    first.is_some_and(|first| {
        page.ancestors(first).take_while(|&above| above > panel).any(|above| page.is_heading(above))
    })
}
