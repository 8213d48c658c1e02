//! Elements that are inline because of their position: elements that HTML does not define, and controls
//! within a sentence.

use dom_query::{Document, NodeRef};

use super::{
    tags::is_undefined,
    tree::{Id, Page},
};

/// Words in tag names of inserted elements that are not part of a sentence.
const NAMES_OF_INSERTS: [&str; 5] = ["ad", "ads", "advert", "advertisement", "promo"];

impl Page {
    /// Copies a parsed document. Calls `seen` with the new index of each copied node.
    pub(crate) fn new(document: &Document, seen: impl FnMut(Id, &NodeRef<'_>)) -> Self {
        let mut page = Self::copied(document, seen);
        mark(&mut page);
        page
    }

    /// Moves the content out of a parsed document, instead of copying it as `new` does.
    pub(crate) fn take(document: Document) -> Self {
        let mut page = Self::moved(document);
        mark(&mut page);
        page
    }
}

/// Marks elements as inline if they have only inline content and are within a line of text. Layout components
/// have similar tag names, but no text next to them.
fn mark(page: &mut Page) {
    let is_candidate = |id: &Id| page.is_element(*id) && may_be_inline(page.tag(*id));
    let candidates: Vec<Id> = (1..page.len()).filter(is_candidate).collect();
    if candidates.is_empty() {
        return;
    }
    let with_blocks = with_blocks(page);
    for id in candidates {
        let is_inline = !with_blocks[id]
            && if is_undefined(page.tag(id)) {
                is_in_line(page, id)
            } else {
                let (before, after) = (is_after_text(page, id), is_before_text(page, id));
                before && after || (before || after) && is_button_of_sentence(page, id)
            };
        if is_inline {
            page.set_inline(id);
        }
    }
}

/// For each node, true if a descendant is a block.
fn with_blocks(page: &Page) -> Vec<bool> {
    let mut with_blocks = vec![false; page.len()];
    for id in (1..page.len()).rev() {
        let is_block = page.is_element(id) && !page.is_inline(id) && !is_neutral(page.tag(id));
        if (is_block || with_blocks[id]) && !page.is(id, "svg") {
            with_blocks[page.parent(id)] = true;
        }
    }
    with_blocks
}

/// True for elements that do not interrupt a line.
fn is_neutral(tag: &str) -> bool {
    matches!(tag, "br" | "script" | "style" | "template" | "noscript" | "source" | "track")
        || may_be_inline(tag)
}

fn may_be_inline(tag: &str) -> bool {
    is_undefined(tag) || matches!(tag, "button" | "picture" | "audio" | "output" | "meter" | "progress")
}

/// True if an element that HTML does not define is within a line of text.
fn is_in_line(page: &Page, id: Id) -> bool {
    let tag = page.tag(id);
    if tag.split('-').any(|word| NAMES_OF_INSERTS.contains(&word)) {
        return false;
    }
    let parent = page.parent(id);
    let is_line = matches!(
        page.tag(parent),
        "p" | "h1" | "h2" | "h3" | "h4" | "h5" | "h6" | "dt" | "figcaption" | "caption" | "summary"
    );
    is_line
        || page.is_inline(parent) && is_undefined(page.tag(parent))
        || is_after_text(page, id)
        || is_before_text(page, id)
}

/// True for a button in a text element, where it can begin or complete a sentence.
fn is_button_of_sentence(page: &Page, id: Id) -> bool {
    page.is(id, "button") && matches!(page.tag(page.parent(id)), "p" | "dt" | "dd")
}

fn is_after_text(page: &Page, id: Id) -> bool {
    page.nonblank_sibling_before(id).is_some_and(|sibling| is_inline_text(page, sibling))
}

fn is_before_text(page: &Page, id: Id) -> bool {
    page.nonblank_sibling_after(id).is_some_and(|sibling| is_inline_text(page, sibling))
}

/// True for a text node, or for an inline element with text.
fn is_inline_text(page: &Page, id: Id) -> bool {
    let is_plain = page.text(id).is_some()
        || matches!(page.tag(id), "a" | "b" | "strong" | "i" | "em" | "code" | "kbd" | "span" | "cite" | "q");
    let is_link_list = page.is(id, "a") || page.is(id, "span");
    is_plain
        && page.subtree(id).any(|inner| page.is_nonblank_text(inner))
        && (!is_link_list || is_within_paragraph(page, id))
}

/// True for children of a text element. In other elements, links and spans next to a component may be its
/// siblings in a toolbar.
fn is_within_paragraph(page: &Page, id: Id) -> bool {
    matches!(page.tag(page.parent(id)), "p" | "li" | "td" | "dd")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::parse;

    fn inline_tags(markup: &str) -> Vec<String> {
        let page = Page::take(parse::parse(markup).unwrap());
        let is_inline = |&id: &Id| page.is_inline(id) && may_be_inline(page.tag(id));
        (1..page.len()).filter(is_inline).map(|id| page.tag(id).to_owned()).collect()
    }

    #[test]
    fn unknown_element_in_a_line_is_inline() {
        for (markup, expected) in [
            ("<p>See <my-term>the lamp</my-term> here</p>", vec!["my-term"]),
            ("<div>See <term>the lamp</term></div>", vec!["term"]),
            ("<li><x-icon></x-icon> Words</li>", vec!["x-icon"]),
            ("<p><my-a><my-b>x</my-b></my-a></p>", vec!["my-a", "my-b"]),
            ("<p>Press <button>OK</button>.</p>", vec!["button"]),
            ("<p>Press <button>OK</button></p>", vec!["button"]),
            ("<dl><dd><button>OK</button> closes it</dd></dl>", vec!["button"]),
            ("<p>Words <picture><img src=a></picture> go on.</p>", vec!["picture"]),
        ] {
            assert_eq!(inline_tags(markup), expected, "{markup}");
        }
    }

    #[test]
    fn layout_component_is_not_inline() {
        for markup in [
            "<div><my-card>One</my-card><my-card>Two</my-card></div>",
            "<div>Words <my-card><p>One</p></my-card></div>",
            "<p>Words <ad-slot>Advertisement</ad-slot> go on.</p>",
            "<div>Was this helpful? <button>Yes</button><button>No</button></div>",
            "<div><a href=/>Home</a><site-search>Search</site-search></div>",
            "<svg><g><path d=x></path></g></svg>",
        ] {
            assert!(inline_tags(markup).is_empty(), "{markup}");
        }
    }
}
