//! Shadow roots in the markup: templates whose content a browser displays instead of the content of their
//! parent. This module moves text and images out of such templates, and the content of the parent to its
//! slots.

use dom_query::{Document, NodeId, NodeRef};
use memchr::memmem;

use crate::clean;

/// Maximum number of templates that are moved.
const MAX_ROOTS: usize = 500;
/// Maximum number of slots of a template that are filled.
const MAX_SLOTS: usize = 20;
/// Maximum depth of the position of a template. This constant and `MAX_INNER_DEPTH` limit how far a page can
/// exceed the depth that the parser allows.
const MAX_DEPTH: usize = 100;
/// Maximum depth of the content of a template.
const MAX_INNER_DEPTH: usize = 20;
/// Minimum number of words of a text that is content, as opposed to a control.
const TEXT_WORDS: usize = 8;

/// Moves the content of shadow roots to the page. Templates that contain only controls and slots are not
/// moved.
pub(super) fn unfold(document: &Document, markup: &str) {
    if memmem::find(markup.as_bytes(), b"shadowrootmode").is_none() {
        return;
    }
    let mut found: Vec<NodeRef<'_>> = document.select("template[shadowrootmode]").nodes().to_vec();
    found.reverse();
    let mut hosts: Vec<NodeId> = Vec::new();
    for _ in 0..MAX_ROOTS {
        let Some(template) = found.pop() else { return };
        // Only the first template of an element is its shadow root.
        let Some(host) = template.parent().filter(|host| !hosts.contains(&host.id)) else { continue };
        hosts.push(host.id);
        let is_shallow = template.ancestors_it(Some(MAX_DEPTH + 1)).count() <= MAX_DEPTH;
        let content = template.element_ref().and_then(|element| element.template_contents);
        let content = content.filter(|_| is_shallow).and_then(|id| template.tree.get(&id));
        let Some(content) = content.filter(is_text) else { continue };
        found.extend(
            content
                .descendants_it()
                .filter(|node| node.has_name("template") && node.has_attr("shadowrootmode")),
        );
        fill_slots(&host, &template, &content);
        for child in content.children() {
            template.insert_before(&child);
        }
    }
}

/// True if the content of a template is not nested too deeply, and has text or an image.
fn is_text(content: &NodeRef<'_>) -> bool {
    let mut has_text = false;
    for node in content.descendants_it() {
        if node.ancestors_it(Some(MAX_INNER_DEPTH + 1)).count() > MAX_INNER_DEPTH {
            return false;
        }
        let is_code =
            || node.parent().is_some_and(|above| above.has_name("style") || above.has_name("script"));
        has_text |= if node.is_text() {
            clean::words(&node.text()) >= TEXT_WORDS && !is_code()
        } else {
            node.has_name("img") || node.has_name("figure")
        };
    }
    has_text
}

/// Moves the children of the element with a shadow root to the slots of the root.
fn fill_slots(host: &NodeRef<'_>, template: &NodeRef<'_>, content: &NodeRef<'_>) {
    let slots: Vec<NodeRef<'_>> =
        content.descendants_it().filter(|node| node.has_name("slot")).take(MAX_SLOTS).collect();
    for slot in slots {
        let name = slot.attr("name");
        let is_for_slot = |child: &NodeRef<'_>| child.id != template.id && child.attr("slot") == name;
        let children: Vec<NodeRef<'_>> = host.children_it(false).filter(is_for_slot).collect();
        // A slot displays its default content only if no child is assigned to it.
        if children.iter().any(|child| child.is_element() || !child.text().trim().is_empty()) {
            slot.remove_children();
            for child in &children {
                slot.append_child(child);
            }
        }
    }
}
