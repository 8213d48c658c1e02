//! Page as a flat list of nodes in document order. Each subtree is a range of the list, so that most rules
//! need a single pass.

use std::ops::Range;

use dom_query::{Document, NodeData, NodeRef};
use html5ever::{Attribute, LocalName, local_name, tendril::StrTendril};

use super::tags::{is_formula_part, is_inline};

/// Attributes that many rules scan, some of them repeatedly.
const SCANNED_ATTRIBUTES: [&str; 8] =
    ["aria-label", "class", "epub:type", "id", "name", "rel", "role", "style"];
/// Maximum size of a scanned attribute value, in bytes. Longer values are cut.
const MAX_SCANNED_BYTES: usize = 4096;

/// Index of a node. The document node is 0.
pub(crate) type Id = usize;

/// Parsed page without comments, declarations and template contents.
pub(crate) struct Page {
    nodes: Vec<TreeNode>,
}

struct TreeNode {
    parent: Id,
    /// Index after the last node of the subtree.
    end: Id,
    /// Number of ancestors.
    depth: u32,
    is_inline: bool,
    data: TreeNodeContent,
}

enum TreeNodeContent {
    Element {
        name: LocalName,
        attributes: Vec<Attribute>,
        /// Bits of the attributes' names. Rules query many attributes that most elements do not have.
        name_bits: u64,
        /// Index of the attribute `class`, which is read much more often than all others.
        class: Option<usize>,
    },
    Text(StrTendril),
}

impl TreeNodeContent {
    fn element(name: LocalName, attributes: Vec<Attribute>) -> Self {
        let attributes = bounded(attributes);
        let class = attributes.iter().position(|attribute| attribute.name.local == local_name!("class"));
        let bits = attributes.iter().map(|attribute| name_bit(&attribute.name.local));
        Self::Element { name, name_bits: bits.fold(0, |all, bit| all | bit), attributes, class }
    }
}

impl Page {
    /// Copies a parsed document. Calls `seen` with the new index of each copied node.
    pub(super) fn copied(document: &Document, seen: impl FnMut(Id, &NodeRef<'_>)) -> Self {
        Self::build(document, |node| node.query_or(None, |inner| data_of(&inner.data)), seen)
    }

    /// Moves the content out of a parsed document, instead of copying it as `copied` does.
    pub(super) fn moved(document: Document) -> Self {
        let page = Self::build(&document, |node| node.update(|inner| take_data(&mut inner.data))?, |_, _| {});
        drop(document);
        page
    }

    fn build(
        document: &Document,
        mut data: impl FnMut(&NodeRef<'_>) -> Option<TreeNodeContent>,
        mut seen: impl FnMut(Id, &NodeRef<'_>),
    ) -> Self {
        let mut page = Self { nodes: Vec::with_capacity(document.tree.len()) };
        let root = TreeNodeContent::element(LocalName::from("#document"), Vec::new());
        page.nodes.push(TreeNode { parent: 0, end: 0, depth: 0, is_inline: false, data: root });
        // Path of open elements. When an element is removed from it, the range of its subtree is complete.
        let mut open: Vec<(NodeRef<'_>, Id)> = Vec::new();
        let mut next = document.root().first_child();
        let mut parent = 0;
        loop {
            let Some(node) = next else {
                let Some((done, id)) = open.pop() else { break };
                page.nodes[id].end = page.nodes.len();
                parent = page.nodes[id].parent;
                next = done.next_sibling();
                continue;
            };
            let Some(data) = data(&node) else {
                next = node.next_sibling();
                continue;
            };
            let id = page.nodes.len();
            let depth = page.nodes[parent].depth.saturating_add(1);
            let is_inline = matches!(&data, TreeNodeContent::Element { name, .. } if is_inline(name) || is_formula_part(name));
            page.nodes.push(TreeNode { parent, end: id + 1, depth, is_inline, data });
            seen(id, &node);
            if let Some(child) = node.first_child() {
                open.push((node, id));
                parent = id;
                next = Some(child);
            } else {
                next = node.next_sibling();
            }
        }
        page.nodes[0].end = page.nodes.len();
        page
    }

    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    pub(crate) fn parent(&self, id: Id) -> Id {
        self.nodes[id].parent
    }

    /// The node and its descendants.
    pub(crate) fn subtree(&self, id: Id) -> Range<Id> {
        id..self.nodes[id].end
    }

    /// Descendants of the node.
    pub(crate) fn descendants(&self, id: Id) -> Range<Id> {
        id + 1..self.nodes[id].end
    }

    /// Descendants of the node, except excluded nodes and their descendants.
    pub(crate) fn descendants_without(
        &self,
        id: Id,
        is_excluded: impl Fn(Id) -> bool,
    ) -> impl Iterator<Item = Id> {
        let end = self.nodes[id].end;
        let mut next = id + 1;
        std::iter::from_fn(move || {
            while next < end && is_excluded(next) {
                next = self.nodes[next].end;
            }
            let node = next;
            (node < end).then(|| {
                next = node + 1;
                node
            })
        })
    }

    pub(crate) fn children(&self, id: Id) -> impl Iterator<Item = Id> + '_ {
        let end = self.nodes[id].end;
        let mut next = id + 1;
        std::iter::from_fn(move || {
            let child = next;
            (child < end).then(|| {
                next = self.nodes[child].end;
                child
            })
        })
    }

    /// Sibling directly before a node. The search goes up from the preceding node.
    pub(crate) fn sibling_before(&self, id: Id) -> Option<Id> {
        let parent = self.nodes[id].parent;
        let mut before = id.checked_sub(1)?;
        while before > parent && self.nodes[before].parent != parent {
            before = self.nodes[before].parent;
        }
        (before > parent).then_some(before)
    }

    /// Nearest sibling before a node that is not white space.
    pub(crate) fn nonblank_sibling_before(&self, id: Id) -> Option<Id> {
        let mut before = self.sibling_before(id);
        while let Some(blank) = before.filter(|&sibling| self.is_blank(sibling)) {
            before = self.sibling_before(blank);
        }
        before
    }

    /// Nearest sibling after a node that is not white space.
    pub(crate) fn nonblank_sibling_after(&self, id: Id) -> Option<Id> {
        self.siblings_after(id).find(|&sibling| !self.is_blank(sibling))
    }

    /// True for a text node that does not consist of white space only.
    pub(crate) fn is_nonblank_text(&self, id: Id) -> bool {
        self.text(id).is_some_and(|text| !text.trim().is_empty())
    }

    /// True for a text node that consists of white space only.
    fn is_blank(&self, id: Id) -> bool {
        self.text(id).is_some_and(|text| text.trim().is_empty())
    }

    /// Nearest siblings of a node: at most `count` siblings before it, starting with the nearest, followed by
    /// at most `count` siblings after it.
    pub(crate) fn neighbours(&self, id: Id, count: usize) -> impl Iterator<Item = Id> + '_ {
        let before = std::iter::successors(self.sibling_before(id), move |&at| self.sibling_before(at));
        before.take(count).chain(self.siblings_after(id).take(count))
    }

    /// Siblings after a node.
    pub(crate) fn siblings_after(&self, id: Id) -> impl Iterator<Item = Id> + '_ {
        let end = self.nodes[self.nodes[id].parent].end;
        let mut next = self.nodes[id].end;
        std::iter::from_fn(move || {
            let sibling = next;
            (sibling < end).then(|| {
                next = self.nodes[sibling].end;
                sibling
            })
        })
    }

    pub(crate) fn element_children(&self, id: Id) -> impl Iterator<Item = Id> + '_ {
        self.children(id).filter(|&child| self.is_element(child))
    }

    /// Ancestors from the parent to the root.
    pub(crate) fn ancestors(&self, id: Id) -> impl Iterator<Item = Id> + '_ {
        let mut at = id;
        std::iter::from_fn(move || {
            (at != 0).then(|| {
                at = self.nodes[at].parent;
                at
            })
        })
    }

    /// The node and its ancestors up to the root.
    pub(crate) fn self_and_ancestors(&self, id: Id) -> impl Iterator<Item = Id> + '_ {
        std::iter::once(id).chain(self.ancestors(id))
    }

    /// Sets the flags of a node and its ancestors. Stops at the first flagged ancestor, because its ancestors
    /// are flagged, too.
    pub(crate) fn flag_with_ancestors(&self, id: Id, flags: &mut [bool]) {
        flags[id] = true;
        for above in self.ancestors(id) {
            if std::mem::replace(&mut flags[above], true) {
                break;
            }
        }
    }

    /// Number of ancestors.
    pub(crate) fn depth(&self, id: Id) -> u32 {
        self.nodes[id].depth
    }

    pub(crate) fn is_inline(&self, id: Id) -> bool {
        self.nodes[id].is_inline
    }

    pub(super) fn set_inline(&mut self, id: Id) {
        self.nodes[id].is_inline = true;
    }

    pub(crate) fn is_element(&self, id: Id) -> bool {
        matches!(self.nodes[id].data, TreeNodeContent::Element { .. })
    }

    pub(crate) fn text(&self, id: Id) -> Option<&str> {
        match &self.nodes[id].data {
            TreeNodeContent::Text(text) => Some(text),
            TreeNodeContent::Element { .. } => None,
        }
    }

    /// Tag name. Empty for a text node.
    pub(crate) fn tag(&self, id: Id) -> &str {
        match &self.nodes[id].data {
            TreeNodeContent::Element { name, .. } => name,
            TreeNodeContent::Text(_) => "",
        }
    }

    pub(crate) fn is(&self, id: Id, tag: &str) -> bool {
        self.tag(id) == tag
    }

    pub(crate) fn is_heading(&self, id: Id) -> bool {
        matches!(self.tag(id), "h1" | "h2" | "h3" | "h4" | "h5" | "h6")
    }

    #[inline]
    pub(crate) fn attribute(&self, id: Id, name: &str) -> Option<&str> {
        match &self.nodes[id].data {
            TreeNodeContent::Element { name_bits, .. } if name_bits & name_bit(name) == 0 => None,
            TreeNodeContent::Element { attributes, .. } => attributes
                .iter()
                .find(|attribute| &*attribute.name.local == name)
                .map(|attribute| &*attribute.value),
            TreeNodeContent::Text(_) => None,
        }
    }

    /// Trimmed value of an attribute. `None` if it is missing or blank.
    pub(crate) fn value(&self, id: Id, name: &str) -> Option<&str> {
        self.attribute(id, name).map(str::trim).filter(|value| !value.is_empty())
    }

    pub(crate) fn attributes(&self, id: Id) -> impl Iterator<Item = (&str, &str)> {
        let attributes = match &self.nodes[id].data {
            TreeNodeContent::Element { attributes, .. } => attributes.as_slice(),
            TreeNodeContent::Text(_) => &[],
        };
        attributes.iter().map(|attribute| (&*attribute.name.local, &*attribute.value))
    }

    /// Value of the attribute `class`. `None` if it is missing.
    pub(crate) fn class(&self, id: Id) -> Option<&str> {
        match &self.nodes[id].data {
            TreeNodeContent::Element { attributes, class, .. } => {
                class.map(|index| &*attributes[index].value)
            }
            TreeNodeContent::Text(_) => None,
        }
    }

    pub(crate) fn class_names(&self, id: Id) -> impl Iterator<Item = &str> {
        self.class(id).unwrap_or_default().split_ascii_whitespace()
    }

    pub(crate) fn has_class(&self, id: Id, class: &str) -> bool {
        self.class_names(id).any(|one| one == class)
    }

    /// First descendant with this tag.
    pub(crate) fn find(&self, id: Id, tag: &str) -> Option<Id> {
        self.descendants(id).find(|&inner| self.is(inner, tag))
    }

    /// Text of the subtree with its original white space, without scripts and styles.
    pub(crate) fn raw_text(&self, id: Id) -> String {
        let mut text = String::new();
        let mut at = id;
        let end = self.nodes[id].end;
        while at < end {
            match &self.nodes[at].data {
                TreeNodeContent::Text(piece) => text.push_str(piece),
                TreeNodeContent::Element { name, .. }
                    if at != id && matches!(&**name, "script" | "style" | "template" | "noscript") =>
                {
                    at = self.nodes[at].end;
                    continue;
                }
                TreeNodeContent::Element { .. } => {}
            }
            at += 1;
        }
        text
    }

    /// Text of the subtree with collapsed white space. Words of adjacent blocks are separated.
    pub(crate) fn folded_text(&self, id: Id) -> String {
        self.folded_beginning(id, usize::MAX)
    }

    /// Text of the subtree as in `folded_text`, but cut after `max_bytes` of the folded text or of a single
    /// text node.
    pub(crate) fn folded_beginning(&self, id: Id, max_bytes: usize) -> String {
        let mut text = String::new();
        let mut at = id;
        let end = self.nodes[id].end;
        while at < end && text.len() < max_bytes {
            match &self.nodes[at].data {
                TreeNodeContent::Text(piece) => {
                    let end = piece.floor_char_boundary(max_bytes);
                    crate::clean::push_folded(&mut text, &piece[..end]);
                    if end < piece.len() {
                        break;
                    }
                }
                TreeNodeContent::Element { name, .. } => {
                    if at != id && matches!(&**name, "script" | "style" | "template" | "noscript") {
                        at = self.nodes[at].end;
                        continue;
                    }
                    if !self.nodes[at].is_inline {
                        crate::clean::push_folded(&mut text, " ");
                    }
                }
            }
            at += 1;
        }
        text.truncate(text.trim_end().len());
        text
    }
}

/// Bit of an attribute's name, one of 64, derived from the length and the first and last bytes of the name.
#[inline]
fn name_bit(name: &str) -> u64 {
    let [first, last] =
        [name.as_bytes().first(), name.as_bytes().last()].map(|byte| byte.copied().unwrap_or(0));
    1 << ((usize::from(first) * 5 + usize::from(last) * 3 + name.len() * 7) % 64)
}

fn data_of(data: &NodeData) -> Option<TreeNodeContent> {
    match data {
        NodeData::Text { contents } => Some(TreeNodeContent::Text(contents.clone())),
        NodeData::Element(element) => {
            Some(TreeNodeContent::element(element.name.local.clone(), element.attrs.clone()))
        }
        NodeData::Document
        | NodeData::Fragment
        | NodeData::Doctype { .. }
        | NodeData::Comment { .. }
        | NodeData::ProcessingInstruction { .. } => None,
    }
}

/// Moves the content out of the node, instead of copying it as `data_of` does.
fn take_data(data: &mut NodeData) -> Option<TreeNodeContent> {
    match data {
        NodeData::Text { contents } => Some(TreeNodeContent::Text(std::mem::take(contents))),
        NodeData::Element(element) => {
            Some(TreeNodeContent::element(element.name.local.clone(), std::mem::take(&mut element.attrs)))
        }
        NodeData::Document
        | NodeData::Fragment
        | NodeData::Doctype { .. }
        | NodeData::Comment { .. }
        | NodeData::ProcessingInstruction { .. } => None,
    }
}

/// Cuts the long values of scanned attributes.
fn bounded(mut attributes: Vec<Attribute>) -> Vec<Attribute> {
    for attribute in &mut attributes {
        let value = &*attribute.value;
        if value.len() > MAX_SCANNED_BYTES && SCANNED_ATTRIBUTES.contains(&&*attribute.name.local) {
            attribute.value = StrTendril::from_slice(&value[..value.floor_char_boundary(MAX_SCANNED_BYTES)]);
        }
    }
    attributes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::parse::parse;

    #[test]
    fn long_scanned_attributes_are_cut_and_other_attributes_are_not() {
        let (names, title) = ("é".repeat(5000), "x".repeat(9000));
        let markup = format!("<p class='a{names}' style='{title}' title='{title}'>Text");
        let pages = [Page::copied(&parse(&markup).unwrap(), |_, _| {}), Page::moved(parse(&markup).unwrap())];
        for page in pages {
            let paragraph = page.find(0, "p").unwrap();
            let bytes = |name: &str| page.attribute(paragraph, name).map(str::len);
            assert_eq!(bytes("class"), Some(4095));
            assert_eq!((bytes("style"), bytes("title")), (Some(4096), Some(9000)));
        }
    }

    #[test]
    fn folded_beginning_is_cut_at_the_byte_limit() {
        let page = Page::moved(parse(&format!("<p>{}<b>c</b> d", "é ".repeat(100))).unwrap());
        let paragraph = page.find(0, "p").unwrap();
        assert_eq!(page.folded_beginning(paragraph, 7), "é é");
        assert!(page.folded_text(paragraph).ends_with("é c d"));
    }
}
