//! Parses markup in chunks, and rejects pages that are nested too deeply, because the cost of parsing is
//! quadratic in the depth.

use std::{
    borrow::Cow,
    cell::{Cell, Ref},
};

use dom_query::{Document, NodeId};
use html5ever::{
    Attribute, ParseOpts, QualName, parse_document,
    tendril::{StrTendril, TendrilSink},
    tree_builder::{ElementFlags, NodeOrText, QuirksMode, TreeBuilderOpts, TreeSink},
};

use memchr::memmem;

use crate::limits::MAX_DEPTH;

/// Number of bytes between two checks of the depth. The cost of a chunk is small even if it consists of `<b>`
/// tags.
const CHUNK_BYTES: usize = 4096;

/// Document that tracks the insertion point of the parser.
struct TrackedDocument {
    document: Document,
    insertion_parent: Cell<Option<NodeId>>,
}

/// Parses a page that was checked against the limits. The error states that the page is nested too deeply.
pub(crate) fn parse(markup: &str) -> Result<Document, String> {
    let options = ParseOpts {
        tree_builder: TreeBuilderOpts { scripting_enabled: false, ..TreeBuilderOpts::default() },
        ..ParseOpts::default()
    };
    let mut parser = parse_document(
        TrackedDocument { document: Document::default(), insertion_parent: Cell::new(None) },
        options,
    );
    let closed = with_closed_frames(markup);
    let mut rest = closed.as_ref();
    while !rest.is_empty() {
        let end = (CHUNK_BYTES.min(rest.len())..=rest.len()).find(|&at| rest.is_char_boundary(at));
        let (chunk, after) = rest.split_at(end.unwrap_or(rest.len()));
        parser.process(StrTendril::from_slice(chunk));
        if parser.tokenizer.sink.sink.depth() > MAX_DEPTH {
            return Err(format!("the page is nested deeper than {MAX_DEPTH} levels"));
        }
        rest = after;
    }
    Ok(parser.finish())
}

/// Closes frames that are left open in a `noscript`. The self-closing form `<iframe src=… />` does not exist
/// in HTML. A browser skips the `noscript` as text, but a parser without scripting would read the rest of the
/// page as the content of the frame.
fn with_closed_frames(markup: &str) -> Cow<'_, str> {
    let mut closed = String::new();
    let mut done = 0;
    let mut at = 0;
    while let Some(offset) = memmem::find(&markup.as_bytes()[at..], b"<noscript") {
        let from = at + offset;
        let Some(length) = memmem::find(&markup.as_bytes()[from..], b"</noscript") else { break };
        let end = from + length;
        let inside = markup.as_bytes()[from..end].to_ascii_lowercase();
        let last = |mark: &[u8]| memmem::rfind(&inside, mark);
        if last(b"<iframe") > last(b"</iframe") {
            closed.push_str(&markup[done..end]);
            closed.push_str("</iframe>");
            done = end;
        }
        at = end;
    }
    if done == 0 {
        return Cow::Borrowed(markup);
    }
    closed.push_str(&markup[done..]);
    Cow::Owned(closed)
}

impl TrackedDocument {
    fn depth(&self) -> usize {
        let Some(parent) = self.insertion_parent.get() else { return 0 };
        self.document.tree.ancestor_ids_of_it(&parent, None).take(MAX_DEPTH + 1).count()
    }
}

impl TreeSink for TrackedDocument {
    type ElemName<'a> = Ref<'a, QualName>;
    type Output = Document;
    type Handle = NodeId;

    fn finish(self) -> Document {
        self.document
    }

    /// Discards errors, because the errors of a page could use much memory.
    fn parse_error(&self, _message: Cow<'static, str>) {}

    fn get_document(&self) -> NodeId {
        self.document.get_document()
    }

    fn get_template_contents(&self, target: &NodeId) -> NodeId {
        self.document.get_template_contents(target)
    }

    fn set_quirks_mode(&self, mode: QuirksMode) {
        self.document.set_quirks_mode(mode);
    }

    fn same_node(&self, one: &NodeId, other: &NodeId) -> bool {
        one == other
    }

    fn elem_name<'a>(&'a self, target: &'a NodeId) -> Ref<'a, QualName> {
        self.document.elem_name(target)
    }

    fn create_element(&self, name: QualName, attributes: Vec<Attribute>, flags: ElementFlags) -> NodeId {
        self.document.create_element(name, attributes, flags)
    }

    fn create_comment(&self, _text: StrTendril) -> NodeId {
        self.document.create_comment(StrTendril::new())
    }

    fn create_pi(&self, target: StrTendril, data: StrTendril) -> NodeId {
        self.document.create_pi(target, data)
    }

    fn append(&self, parent: &NodeId, child: NodeOrText<NodeId>) {
        self.insertion_parent.set(Some(*parent));
        self.document.append(parent, child);
    }

    fn append_before_sibling(&self, sibling: &NodeId, child: NodeOrText<NodeId>) {
        self.document.append_before_sibling(sibling, child);
    }

    fn append_based_on_parent_node(&self, element: &NodeId, previous: &NodeId, child: NodeOrText<NodeId>) {
        self.document.append_based_on_parent_node(element, previous, child);
    }

    fn append_doctype_to_document(&self, name: StrTendril, public_id: StrTendril, system_id: StrTendril) {
        self.document.append_doctype_to_document(name, public_id, system_id);
    }

    fn add_attrs_if_missing(&self, target: &NodeId, attributes: Vec<Attribute>) {
        self.document.add_attrs_if_missing(target, attributes);
    }

    fn remove_from_parent(&self, target: &NodeId) {
        self.document.remove_from_parent(target);
    }

    fn reparent_children(&self, node: &NodeId, new_parent: &NodeId) {
        self.document.reparent_children(node, new_parent);
    }

    fn is_mathml_annotation_xml_integration_point(&self, handle: &NodeId) -> bool {
        self.document.is_mathml_annotation_xml_integration_point(handle)
    }
}

#[cfg(test)]
mod tests;
