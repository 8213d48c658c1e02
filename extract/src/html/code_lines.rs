//! Lines of code in markup: line numbers, elements that contain one line, and editors that display code
//! without `pre`.

use std::collections::HashSet;

use crate::page::{Id, Page};

/// Substrings of the class names of line numbers, without hyphens and underscores.
const NUMBER_NAMES: [&str; 5] = ["lineno", "linenum", "linenr", "gutter", "rownum"];
/// Complete class names of line numbers.
const SHORT_NUMBER_NAMES: [&str; 5] = ["ln", "lnt", "gl", "blob-num", "hljs-ln-n"];
/// Class names of elements that contain one line of code.
const LINE_NAMES: [&str; 14] = [
    "line", "code-line", "codeline", "code__line", "view-line", "cm-line", "CodeMirror-line", "ace_line",
    "token-line", "ec-line", "hljs-line", "react-code-line", "react-file-line", "crayon-line",
];
/// Class names of editors and of tables that contain code without `pre`.
const EDITOR_NAMES: [&str; 7] = [
    "CodeMirror", "cm-editor", "monaco-editor", "ace_editor", "js-file-line-container", "syntaxhighlighter",
    "crayon-syntax",
];
/// Maximum number of nodes before the first row of a table that contains code.
const MAX_NODES_BEFORE_ROW: usize = 64;
/// Class names of table cells that contain one line of code, as in the source files of GitHub and Gitea.
const CODE_CELLS: [&str; 3] = ["blob-code-inner", "js-file-line", "lines-code"];
/// Class names of parts of an editor that are not code.
const EDITOR_PARTS: [&str; 16] = [
    "CodeMirror-gutter-wrapper", "CodeMirror-gutters", "CodeMirror-linenumber", "CodeMirror-measure",
    "CodeMirror-cursors", "cm-gutters", "cm-panels", "cm-tooltip", "cm-announced", "cm-cursorLayer",
    "margin", "ace_gutter", "ace_cursor-layer", "toolbar", "crayon-toolbar", "crayon-nums",
];

/// True for an element that contains code although it is not a `pre`.
pub(super) fn is_editor(page: &Page, id: Id) -> bool {
    matches!(page.tag(id), "div" | "table" | "code-editor" | "section")
        && (page.class_names(id).any(|class| EDITOR_NAMES.contains(&class))
            || page.is(id, "table") && has_code_cell(page, id))
}

/// True if a cell in the first row of a table contains one line of code.
fn has_code_cell(page: &Page, table: Id) -> bool {
    let is_code_cell = |cell: Id| page.class_names(cell).any(|class| CODE_CELLS.contains(&class));
    let row = page.descendants(table).take(MAX_NODES_BEFORE_ROW).find(|&inner| page.is(inner, "tr"));
    row.is_some_and(|row| page.element_children(row).any(is_code_cell))
}

/// True for an element within code that is not code: a line number, or controls of an editor.
pub(super) fn is_aside(page: &Page, id: Id) -> bool {
    if !page.is_element(id) || page.attributes(id).next().is_none() {
        return false;
    }
    page.class_names(id).any(|class| EDITOR_PARTS.contains(&class)) || is_number(page, id)
}

/// True for a line number: the element has a class name of line numbers, is not selectable, or links to
/// itself.
fn is_number(page: &Page, id: Id) -> bool {
    let named = || {
        page.class_names(id).any(|class| {
            let plain = class.replace(['-', '_'], "").to_ascii_lowercase();
            SHORT_NUMBER_NAMES.contains(&class) || NUMBER_NAMES.iter().any(|name| plain.contains(name))
        })
    };
    let is_unselectable = || {
        page.attribute(id, "unselectable").is_some()
            || page.attribute(id, "style").is_some_and(|style| {
                let style: String = style.chars().filter(|c| !c.is_whitespace()).collect();
                style.to_ascii_lowercase().contains("user-select:none")
            })
    };
    let counts = |names: &[&str]| {
        names
            .iter()
            .filter_map(|name| page.value(id, name))
            .any(|value| value.trim_start_matches(|c: char| !c.is_ascii_digit()) == page.raw_text(id).trim())
    };
    let links_itself = || page.is(id, "a") && counts(&["id", "name"]);
    (named() || is_unselectable() || counts(&["data-line-number"]) || links_itself())
        && has_numbers_only(page, id)
}

/// True if the text of the element is a number, or has one number in each line.
fn has_numbers_only(page: &Page, id: Id) -> bool {
    let text = page.raw_text(id);
    let mut numbers = text
        .split_whitespace()
        .map(|word| word.trim_end_matches(['.', ':', '|', '│']))
        .filter(|word| !word.is_empty())
        .peekable();
    numbers.peek().is_some() && numbers.all(|number| number.bytes().all(|byte| byte.is_ascii_digit()))
}

/// True for an element that contains one line of code.
pub(super) fn is_line(page: &Page, id: Id) -> bool {
    page.attribute(id, "data-line").is_some()
        || page.class_names(id).any(|class| LINE_NAMES.contains(&class))
        || page.is(id, "span")
            && page.attribute(id, "style").is_some_and(|style| {
                let style: String = style.chars().filter(|c| !c.is_whitespace()).collect();
                ["display:block", "display:flex", "display:grid"].iter().any(|rule| style.contains(rule))
            })
}

/// All lines except the first, if only a style sheet separates the lines.
pub(super) fn unseparated(page: &Page, code: Id) -> HashSet<Id> {
    let mut lines = Vec::new();
    let mut is_separated = false;
    let end = page.subtree(code).end;
    let (mut at, mut line_end) = (code + 1, 0);
    while at < end {
        if is_aside(page, at) {
            at = page.subtree(at).end;
            continue;
        }
        let is_row = page.is(code, "table") && page.is(at, "tr");
        if at >= line_end && (is_row || is_line(page, at)) {
            lines.push(at);
            line_end = page.subtree(at).end;
        }
        is_separated |= page.is(at, "br") || page.text(at).is_some_and(|text| text.contains('\n'));
        at += 1;
    }
    // White space between the cells of a table is not code.
    if is_separated && !page.is(code, "table") {
        return HashSet::new();
    }
    lines.into_iter().skip(1).collect()
}

/// True for white space between the rows and cells of a table that contains code.
pub(super) fn is_layout(page: &Page, code: Id, text: &str) -> bool {
    page.is(code, "table") && text.contains('\n') && text.trim().is_empty()
}

/// Programming language of an element, for highlighters that write it without a prefix such as `language-`.
pub(super) fn language(page: &Page, id: Id) -> Option<&str> {
    let mut classes = page.class_names(id);
    match page.tag(id) {
        // Hexo writes `<figure class="highlight python">`.
        "figure" if classes.next() == Some("highlight") => classes.next().filter(|name| *name != "wrap"),
        // Rouge on DEV writes `<pre class="highlight javascript">`.
        "pre" if classes.next() == Some("highlight") && classes.next().is_some_and(is_common_language) => {
            page.class_names(id).nth(1)
        }
        // rustdoc has no other class name for the language.
        "pre" if page.has_class(id, "rust") => Some("rust"),
        "pre" => page.value(id, "lang").filter(|lang| is_programming_language(page, id, lang)),
        _ if page.has_class(id, "syntaxhighlighter") => classes.find(|name| !EDITOR_NAMES.contains(name)),
        _ if page.has_class(id, "blob-wrapper") => classes.find_map(|name| name.strip_prefix("type-")),
        _ => None,
    }
}

fn is_common_language(name: &str) -> bool {
    const NAMES: [&str; 28] = [
        "bash", "c", "cpp", "csharp", "css", "dart", "diff", "dockerfile", "elixir", "go", "haskell", "html",
        "java", "javascript", "json", "jsx", "kotlin", "lua", "php", "python", "ruby", "rust", "scss",
        "shell", "sql", "swift", "typescript", "yaml",
    ];
    NAMES.contains(&name)
}

/// True if the `lang` of a `pre` names a programming language, as in the output of Shiki and GitHub.
fn is_programming_language(page: &Page, id: Id, lang: &str) -> bool {
    const HUMAN: [&str; 14] =
        ["en", "de", "fr", "es", "it", "pt", "nl", "zh", "ja", "ko", "ru", "ar", "sv", "und"];
    let is_highlighted = ["shiki", "astro-code", "highlight"].iter().any(|class| page.has_class(id, class));
    let has_code = page.element_children(id).any(|child| page.is(child, "code"));
    (is_highlighted || has_code) && !HUMAN.contains(&lang.to_ascii_lowercase().as_str())
}

#[cfg(test)]
mod tests;
