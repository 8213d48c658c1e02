//! Tabs that refer to their panels by position: the first tab to the first panel after the list of tabs, and
//! so on.

use crate::page::{Id, Page};

/// Tabs with their panels, from the lists whose tabs do not refer to panels by id and that hide at least one
/// panel.
pub(super) fn of(page: &Page) -> Vec<(Id, Id)> {
    let lists = (1..page.len()).filter(|&id| page.attribute(id, "role") == Some("tablist"));
    lists.flat_map(|list| of_list(page, list)).collect()
}

fn of_list(page: &Page, list: Id) -> Vec<(Id, Id)> {
    let tabs: Vec<Id> =
        page.descendants(list).filter(|&id| page.attribute(id, "role") == Some("tab")).collect();
    let names_panel = |&tab: &Id| page.value(tab, "aria-controls").is_some();
    if tabs.len() < 2 || tabs.iter().any(names_panel) {
        return Vec::new();
    }
    let panels = panels_after(page, list);
    let is_hidden = |&panel: &Id| page.attribute(panel, "hidden").is_some();
    if panels.len() != tabs.len() || !panels.iter().any(is_hidden) {
        return Vec::new();
    }
    tabs.into_iter().zip(panels).collect()
}

/// Panels directly after a list of tabs, or in the element after it.
fn panels_after(page: &Page, list: Id) -> Vec<Id> {
    let is_panel = |id: Id| page.attribute(id, "role") == Some("tabpanel");
    let mut after = page.siblings_after(list).filter(|&id| page.is_element(id)).peekable();
    match after.peek() {
        Some(&first) if !is_panel(first) => page.element_children(first).filter(|&id| is_panel(id)).collect(),
        _ => after.take_while(|&id| is_panel(id)).collect(),
    }
}
