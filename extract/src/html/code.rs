//! Preformatted text and its language.

use super::code_lines;
use crate::page::{Id, Page};

/// Maximum distance from a `pre` to the table row or figure that contains it, in ancestors.
const ROW_LAYERS: usize = 5;
/// Maximum number of nodes before and after a `pre` that are searched for other code in its row.
const MAX_ROW_NODES: usize = 32;

/// Text of a `pre` or an editor with its line breaks, without line numbers and copy buttons.
pub(super) fn text(page: &Page, id: Id, keep: &[bool]) -> String {
    let mut text = String::new();
    let unseparated = code_lines::unseparated(page, id);
    let mut line_start = 0;
    let mut is_numbered = false;
    let end = page.subtree(id).end;
    let mut at = id + 1;
    while at < end {
        if let Some(piece) = page.text(at) {
            let is_visible = keep[at] || is_indentation(page, at, piece);
            if is_visible && !code_lines::is_layout(page, id, piece) {
                text.push_str(piece);
            }
        } else if is_decoration(page, at) || code_lines::is_aside(page, at) {
            is_numbered |= code_lines::is_aside(page, at);
            at = page.subtree(at).end;
            continue;
        } else if unseparated.contains(&at) {
            if !text[line_start..].contains('\n') {
                text.push('\n');
            }
            line_start = text.len();
        } else if page.is(at, "br") || is_line(page, at) && !text.is_empty() && !text.ends_with('\n') {
            text.push('\n');
        }
        at += 1;
    }
    let text = text.replace("\r\n", "\n").replace('\u{a0}', " ").replace('\u{200b}', "");
    let lines: Vec<&str> = text.lines().map(|line| if line.trim().is_empty() { "" } else { line }).collect();
    let lines = if is_numbered { without_gap(lines) } else { lines };
    lines.join("\n").trim_start_matches('\n').trim_end().to_owned()
}

/// True for spaces in or before an inline element. At the start of a line, such spaces belong to no unit of
/// text, so they are not selected with the text.
fn is_indentation(page: &Page, at: Id, text: &str) -> bool {
    let precedes_code = || {
        page.siblings_after(at).next().is_some_and(|next| {
            (page.is_inline(next) || !page.is_element(next))
                && !is_decoration(page, next)
                && !code_lines::is_aside(page, next)
        })
    };
    text.chars().all(|c| matches!(c, ' ' | '\t' | '\u{a0}'))
        && (page.is_inline(page.parent(at)) || precedes_code())
}

/// Removes the single space that separated the lines from their line numbers.
fn without_gap(lines: Vec<&str>) -> Vec<&str> {
    let indent = |line: &&str| line.len() - line.trim_start_matches(' ').len();
    let least = lines.iter().filter(|line| !line.is_empty()).map(indent).min();
    if least != Some(1) {
        return lines;
    }
    lines.into_iter().map(|line| line.strip_prefix(' ').unwrap_or(line)).collect()
}

/// True if a `pre` contains only the line numbers for the `pre` next to it.
pub(super) fn is_gutter(page: &Page, id: Id, text: &str) -> bool {
    let numbers = || text.lines().map(|line| line.trim().parse::<u32>().ok());
    let counts = || {
        numbers()
            .zip(numbers().skip(1))
            .all(|(one, next)| one.is_some() && one.and_then(|one| one.checked_add(1)) == next)
    };
    page.ancestors(id).take(2).any(|above| is_decoration(page, above))
        || text.lines().nth(1).is_some() && counts() && has_code_next_to_it(page, id)
}

/// True if the table row or figure of a `pre` contains another `pre`.
fn has_code_next_to_it(page: &Page, id: Id) -> bool {
    let mut above = page.ancestors(id).take(ROW_LAYERS);
    let part = above.find(|&above| matches!(page.tag(above), "tr" | "figure"));
    part.is_some_and(|part| {
        let after = page.subtree(id).end..page.subtree(part).end;
        let before = (part + 1..id).rev();
        let is_in_code =
            |node: Id| page.self_and_ancestors(node).take(ROW_LAYERS).any(|above| page.is(above, "pre"));
        after.take(MAX_ROW_NODES).chain(before.take(MAX_ROW_NODES)).any(is_in_code)
    })
}

/// True for an element that may contain a single line of code, such as `<div class=line>`.
fn is_line(page: &Page, id: Id) -> bool {
    matches!(page.tag(id), "div" | "p" | "li" | "tr") || code_lines::is_line(page, id)
}

fn is_decoration(page: &Page, id: Id) -> bool {
    matches!(page.tag(id), "button" | "style" | "script" | "svg")
        || page.class_names(id).any(|class| {
            matches!(
                class,
                "lineno"
                    | "linenos"
                    | "gutter"
                    | "line-number"
                    | "line-numbers-rows"
                    | "ln"
                    | "hljs-ln-numbers"
            )
        })
}

/// Language of a `pre`, from a class or attribute of the element, its `code` child or its two nearest
/// ancestors.
pub(super) fn language(page: &Page, id: Id) -> Option<String> {
    let child_of = |id: Id, tag: &str| page.element_children(id).find(|&child| page.is(child, tag));
    // mdBook nests a `pre` in another `pre`.
    let child = child_of(id, "code").or_else(|| child_of(child_of(id, "pre")?, "code"));
    let is_table_part = |id: &Id| matches!(page.tag(*id), "td" | "tr" | "tbody" | "table");
    let ancestors = page.ancestors(id).filter(|id| !is_table_part(id)).take(2);
    let inner = if code_lines::is_editor(page, id) { page.descendants(id) } else { 0..0 };
    std::iter::once(id).chain(child).chain(ancestors).chain(inner).find_map(|id| named(page, id))
}

fn named(page: &Page, id: Id) -> Option<String> {
    for attribute in ["data-lang", "data-language", "data-code-language", "data-enlighter-language"] {
        if let Some(language) = page.value(id, attribute).and_then(known_form) {
            return Some(language);
        }
    }
    if let Some(language) = code_lines::language(page, id).and_then(known_form) {
        return Some(language);
    }
    let classes = page.class(id)?;
    let mut classes = classes.split_ascii_whitespace().peekable();
    while let Some(class) = classes.next() {
        for prefix in ["language-", "lang-", "highlight-source-", "brush:", "sourceCode-", "highlight-"] {
            if let Some(name) = class.strip_prefix(prefix) {
                let name = if name.is_empty() { classes.peek().copied().unwrap_or_default() } else { name };
                return known_form(name.trim_end_matches(';'));
            }
        }
        if matches!(class, "sourceCode" | "hljs" | "prettyprint")
            && page.is(id, "code")
            && let Some(name) = classes.peek().filter(|name| !name.starts_with("lang"))
        {
            return known_form(name);
        }
    }
    None
}

fn known_form(name: &str) -> Option<String> {
    let name = name.to_ascii_lowercase();
    let plain = matches!(
        name.as_str(),
        "none" | "text" | "plain" | "plaintext" | "nohighlight" | "default" | "txt" | "auto"
    );
    let letters = name
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'#' | b'-' | b'.' | b'_'));
    (!plain && letters && !name.is_empty() && name.len() <= 24).then_some(name)
}
