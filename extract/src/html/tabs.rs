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
    for (tab, panel) in styled_tabs(page) {
        if keep[panel] {
            name(page, keep, (tab, panel), &mut names);
        }
    }
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
        if !is_panel(panel, keep) {
            continue;
        }
        let labelled = page.value(panel, "aria-labelledby").and_then(|name| by_name.get(name));
        let named = || by_name.get(page.value(panel, "id")?);
        if let Some(&tab) = labelled.or_else(named).or_else(|| by_panel.get(&panel)) {
            name(page, keep, (tab, panel), &mut names);
        }
    }
    names
}

/// Makes the name of a tab the heading of its panel.
fn name(page: &Page, keep: &mut [bool], (tab, panel): (Id, Id), names: &mut HashMap<Id, PostHeading>) {
    if page.subtree(tab).len() > MAX_NAME_NODES || begins_with_heading(page, panel, keep) {
        return;
    }
    let name = page.folded_beginning(tab, MAX_NAME_BYTES);
    if name.contains(char::is_alphanumeric) && clean::words(&name) <= NAME_WORDS {
        keep[page.subtree(tab)].fill(false);
        names.insert(panel, PostHeading::new(&name, None, None, 0));
    }
}

/// Tabs and the panels that only a style sheet hides. They are matched by position as in Material for `MkDocs`,
/// or by id as in Bootstrap.
fn styled_tabs(page: &Page) -> Vec<(Id, Id)> {
    let mut tabs = Vec::new();
    let mut links: HashMap<&str, Id> = HashMap::new();
    for id in 1..page.len() {
        if page.is(id, "a")
            && ["data-toggle", "data-bs-toggle"].iter().any(|name| toggles_tab(page, id, name))
        {
            links.extend(page.value(id, "href").and_then(|href| Some((href.strip_prefix('#')?, id))));
        } else if !links.is_empty() && page.has_class(id, "tab-pane") {
            let tab = page.value(id, "id").and_then(|name| links.get(name));
            tabs.extend(tab.map(|&tab| (tab, id)));
        } else if page.has_class(id, "tabbed-labels") {
            let names: Vec<Id> = page.element_children(id).collect();
            let content =
                page.nonblank_sibling_after(id).filter(|&next| page.has_class(next, "tabbed-content"));
            let panels: Vec<Id> = content.into_iter().flat_map(|next| page.element_children(next)).collect();
            if names.len() == panels.len() {
                tabs.extend(names.into_iter().zip(panels));
            }
        }
    }
    tabs
}

fn toggles_tab(page: &Page, id: Id, attribute: &str) -> bool {
    matches!(page.attribute(id, attribute), Some("tab" | "pill"))
}

/// True if the first selected text of a panel is a heading.
fn begins_with_heading(page: &Page, panel: Id, keep: &[bool]) -> bool {
    let is_text = |&id: &Id| keep[id] && page.is_nonblank_text(id);
    let first = page.descendants(panel).find(is_text);
    first.is_some_and(|first| {
        page.ancestors(first).take_while(|&above| above > panel).any(|above| page.is_heading(above))
    })
}
