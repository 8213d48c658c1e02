//! Controls in headings and terms that are not text: permalinks, edit links, and labels of titles.

use super::{Id, Page};
use crate::clean;

/// Symbols that are used as permalinks.
const SYMBOLS: [&str; 10] = ["¶", "§", "#", "##", "###", "🔗", "⚓", "∞", "☍", "⌗"];
/// Texts of permalinks, in lower case.
const WORDS: [&str; 8] =
    ["permalink", "link", "anchor", "anchor link", "copy link", "copy permalink", "direct link", "[link]"];
/// Beginnings of texts of permalinks, in lower case.
const BEGINNINGS: [&str; 6] = [
    "permalink to ", "permalink for ", "link to this ", "direct link to ", "anchor link to ", "copy link to ",
];
/// Substrings of the class names of permalinks, without hyphens and underscores.
const LINK_NAMES: [&str; 11] = [
    "headerlink", "permalink", "headeranchor", "anchorlink", "headinganchor", "docanchor", "hashlink",
    "anchorjs", "headinglink", "selflink", "sectionlink",
];
/// Class names of edit links.
const EDIT_NAMES: [&str; 7] = [
    "mw-editsection", "editsection", "mw-editsection-like", "edit-section", "section-edit", "secedit",
    "edit-page-link",
];
/// Labels before titles in library catalogues, in lower case.
const TITLE_LABELS: [&str; 5] = ["title:", "titel:", "titre:", "título:", "titolo:"];
/// Maximum number of nodes in an edit link.
const MAX_EDIT_NODES: usize = 40;
/// Maximum number of nodes in a permalink, and in the content between a permalink and its heading.
const MAX_NODES: usize = 12;
/// Maximum number of nodes in a heading that are compared with the text of a permalink.
const MAX_HEADING_NODES: usize = 1000;
/// Maximum number of bytes of a heading that are compared with the text of a permalink.
const MAX_HEADING_BYTES: usize = 2000;

/// True for a control of a heading or term.
pub(crate) fn is_control(page: &Page, id: Id) -> bool {
    matches!(page.tag(id), "a" | "span" | "button" | "div" | "small")
        && (page.subtree(id).len() <= MAX_EDIT_NODES && is_edit_link(page, id)
            || page.subtree(id).len() <= MAX_NODES && (is_permalink(page, id) || is_title_label(page, id)))
}

fn is_edit_link(page: &Page, id: Id) -> bool {
    page.class_names(id).any(|class| EDIT_NAMES.contains(&class))
}

/// True for a link to the heading or term that contains the link or is next to it.
fn is_permalink(page: &Page, id: Id) -> bool {
    if page.is(id, "div") {
        return false;
    }
    let has_name = page.class_names(id).any(|class| {
        let class: String =
            class.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_lowercase();
        class == "anchor" || LINK_NAMES.iter().any(|name| class.contains(name))
    });
    let leads_into_page =
        page.is(id, "a") && page.attribute(id, "href").is_some_and(|href| href.contains('#'));
    if !has_name && !leads_into_page || page.ancestors(id).take(2).any(|above| page.is(above, "sup")) {
        return false;
    }
    let text = page.folded_text(id).to_lowercase();
    // A variation selector is part of some symbols.
    let text = text.trim_matches(|c: char| c.is_whitespace() || matches!(c, '\u{fe0e}' | '\u{fe0f}'));
    // The symbols of icon fonts are in the private use area of Unicode.
    let is_icon = !text.is_empty() && text.chars().all(|c| matches!(c, '\u{e000}'..='\u{f8ff}'));
    let is_symbol = SYMBOLS.contains(&text) || is_icon;
    let is_worded = WORDS.contains(&text) && (has_name || text.starts_with("permalink"))
        || BEGINNINGS.iter().any(|start| text.starts_with(start));
    let is_of_heading = || is_of_heading(page, id, text.len());
    is_symbol && (has_name || is_of_heading()) || is_worded && is_of_heading()
}

/// True if the node is in a heading, term or caption whose text is longer than `length` bytes, or next to a
/// heading.
fn is_of_heading(page: &Page, id: Id, length: usize) -> bool {
    let inside = page.ancestors(id).take(3).find(|&above| {
        page.is_heading(above) || matches!(page.tag(above), "dt" | "caption" | "figcaption" | "legend")
    });
    if let Some(above) = inside {
        is_longer(page, above, length)
    } else {
        page.neighbours(id, MAX_NODES).any(|sibling| page.is_heading(sibling))
    }
}

/// True if the text of an element is longer than `length` bytes.
fn is_longer(page: &Page, id: Id, length: usize) -> bool {
    let mut text = String::new();
    let mut bytes_left = MAX_HEADING_BYTES;
    for inner in page.descendants(id).take(MAX_HEADING_NODES) {
        if matches!(page.tag(page.parent(inner)), "script" | "style") {
            continue;
        }
        if let Some(piece) = page.text(inner) {
            let piece = &piece[..piece.floor_char_boundary(bytes_left)];
            bytes_left -= piece.len();
            clean::push_folded(&mut text, piece);
        } else if !page.is_inline(inner) {
            clean::push_folded(&mut text, " ");
        }
        if text.trim_end().len() > length {
            return true;
        }
    }
    false
}

/// True for a label that precedes the text of a title.
fn is_title_label(page: &Page, id: Id) -> bool {
    let heading = page.parent(id);
    page.is(id, "span")
        && page.is(heading, "h1")
        && page.element_children(heading).next() == Some(id)
        && page.folded_text(heading).len() > page.folded_text(id).len()
        && TITLE_LABELS.contains(&page.folded_text(id).to_lowercase().as_str())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::parse::parse;

    /// Text of a page without controls.
    fn text_of(markup: &str) -> String {
        let page = Page::new(&parse(markup).unwrap(), |_, _| {});
        let is_text =
            |id: &Id| page.text(*id).is_some() && !page.ancestors(*id).any(|above| is_control(&page, above));
        let texts: String = (1..page.len()).filter(is_text).filter_map(|id| page.text(id)).collect();
        texts.trim().to_owned()
    }

    #[test]
    fn permalinks_and_edit_links_are_not_text() {
        for markup in [
            "<h2>Usage<a class=headerlink href=#usage title='Link to this heading'>¶</a></h2>",
            "<h2><a class=doc-anchor href=#usage>§</a>Usage</h2>",
            "<h2 id=usage>Usage <a href='/docs/x#usage'>#</a></h2>",
            "<h2><a href=#usage aria-hidden=true><span class=icon>🔗</span></a>Usage</h2>",
            "<h2>Usage<a href=#usage class=hash-link aria-label='Direct link'>\u{200b}</a></h2>",
            "<h2>Usage<a class=anchor-link href=#usage>Permalink</a></h2>",
            "<h2>Usage<a href=#usage>Link to this heading</a></h2>",
            "<div class=heading-wrapper><h2>Usage</h2><a class=anchor href=#usage>#</a></div>",
            "<div class=mw-heading><h2>Usage</h2><span class=mw-editsection>[<a href=/e>edit</a>]</span></div>",
            "<h2><span>Usage</span><span class=mw-editsection><span>[</span><a href=/e>edit</a><span>]</span></span></h2>",
            "<dl><dt>Usage<a class=headerlink href=#usage>¶</a></dt></dl>",
            "<table><caption>Usage<a class=headerlink href=#usage>¶</a></caption></table>",
            "<h2>Usage <button class=anchor>#</button></h2>",
            "<h2>Usage<a class=headerlink href=#usage title='Link to this heading'>\u{f0c1}</a></h2>",
            "<h2>Usage<a href=#usage>⚓\u{fe0e}</a></h2>",
            "<h1><span class=descriptor>Title:</span>Usage</h1>",
        ] {
            assert_eq!(text_of(markup).replace('\u{200b}', ""), "Usage", "{markup}");
        }
    }

    #[test]
    fn long_section_with_the_class_of_an_edit_link_is_text() {
        let section = format!("<div class=edit-section>{}</div>", "<p>Usage.</p>".repeat(30));
        assert_eq!(text_of(&section), "Usage.".repeat(30));
    }

    #[test]
    fn symbols_and_links_that_are_not_permalinks_are_text() {
        for (markup, text) in [
            ("<h2>C#</h2>", "C#"),
            ("<h2><a href=#c>C#</a></h2>", "C#"),
            ("<h2><a href=#usage>Usage</a></h2>", "Usage"),
            ("<h2><a class=anchor href=#usage>Link</a></h2>", "Link"),
            ("<h2><a href=#x>#</a></h2>", "#"),
            ("<p>See <a href=#s>§</a> 5</p>", "See § 5"),
            ("<p>Boats<sup><a href=#n>§</a></sup></p>", "Boats§"),
            ("<h2>A <a href=/anchor>link</a></h2>", "A link"),
            ("<h1><span>Title:</span></h1>", "Title:"),
            ("<h2><span>Title:</span> x</h2>", "Title: x"),
            ("<p><a href=/edit>edit</a></p>", "edit"),
        ] {
            assert_eq!(text_of(markup), text, "{markup}");
        }
    }
}
