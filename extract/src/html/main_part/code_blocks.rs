//! Selects code between selected texts, because the words of code are not those of the surrounding text.

use std::ops::Range;

use super::units::{Unit, Units, units_in};
use crate::{
    html::{code, code_lines},
    page::{Id, Page},
};

/// Number of ancestors of code that may be its wrappers.
const MAX_WRAPPERS: usize = 6;
/// Maximum units of a wrapper without those of the code.
const MAX_WRAPPED_UNITS: usize = 400;
/// Maximum labels of code, and words of each.
const MAX_LABELS: usize = 4;
const MAX_LABEL_WORDS: usize = 4;
/// Number of ancestors of a line number that are checked.
const NUMBER_LAYERS: usize = 3;
/// Texts of buttons of code, in lower case.
const BUTTONS: [&str; 5] = ["copy", "copy code", "copy to clipboard", "copied", "copied!"];

/// Selects editors next to selected text, and `pre` elements between two selected texts. Code that is partly
/// selected is selected as a whole. Its line numbers, buttons and the name of its language are deselected.
pub(super) fn keep(page: &Page, units: &Units, selected: &mut [bool]) {
    let mut id: Id = 1;
    while id < page.len() {
        let is_editor = code_lines::is_editor(page, id);
        if !is_editor && !page.is(id, "pre") {
            id += 1;
            continue;
        }
        let inside = units_in(page, units, id);
        let whole = with_labels(page, units, id);
        let is_next_to_text = |range: &Range<usize>| {
            let before = range.start.checked_sub(1).is_some_and(|unit| selected[unit]);
            let after = selected.get(range.end) == Some(&true);
            if is_editor { before || after } else { before && after }
        };
        let is_of_text = is_next_to_text(&inside) || is_next_to_text(&whole);
        if !inside.is_empty() && (is_of_text || selected[inside.clone()].contains(&true)) {
            let language = code::language(page, id);
            for unit in whole.filter(|&unit| is_control(page, &units[unit], language.as_deref())) {
                selected[unit] = false;
            }
            selected[inside].fill(true);
        }
        id = page.subtree(id).end;
    }
}

/// Units of code and of its labels: line numbers, the name of a file or language, and buttons.
fn with_labels(page: &Page, units: &Units, code: Id) -> Range<usize> {
    let inside = units_in(page, units, code);
    let mut whole = inside.clone();
    for above in page.ancestors(code).take(MAX_WRAPPERS) {
        let wider = units_in(page, units, above);
        if wider.len() - inside.len() > MAX_WRAPPED_UNITS {
            break;
        }
        let mut labels = wider.clone().filter(|unit| !inside.contains(unit) && !is_number(&units[*unit]));
        let are_labels = labels.by_ref().take(MAX_LABELS).all(|unit| is_label(page, &units[unit]));
        if !are_labels || labels.next().is_some() {
            break;
        }
        whole = wider;
    }
    whole
}

/// True for a few words that are neither a paragraph nor a heading.
fn is_label(page: &Page, unit: &Unit) -> bool {
    unit.words <= MAX_LABEL_WORDS
        && !matches!(
            page.tag(unit.container),
            "p" | "li" | "dt" | "dd" | "th" | "pre" | "h1" | "h2" | "h3" | "h4" | "h5" | "h6"
        )
}

fn is_number(unit: &Unit) -> bool {
    unit.text.chars().all(|c| c.is_ascii_digit() || c.is_whitespace())
}

/// True for line numbers, the name of the language, and a button.
fn is_control(page: &Page, unit: &Unit, language: Option<&str>) -> bool {
    let is_line_number = || {
        let mut layers = page.self_and_ancestors(unit.container).take(NUMBER_LAYERS);
        is_number(unit) && layers.any(|layer| code_lines::is_aside(page, layer))
    };
    let text = unit.text.trim().to_lowercase();
    is_label(page, unit) && (BUTTONS.contains(&text.as_str()) || language == Some(text.as_str()))
        || is_line_number()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::html::{hidden, main_part::units, parse_page};

    #[test]
    fn partly_selected_code_is_selected_as_a_whole() {
        let markup = "<p>One</p><pre><div>a = 1</div><div>b = 2</div><div>c = 3</div></pre><p>Two</p>";
        let page = parse_page(markup).unwrap();
        let (units, _) = units::split(&page, &hidden::find(&page));
        let code = units_in(&page, &units, page.find(0, "pre").unwrap());
        let mut selected = vec![false; units.len()];
        selected[code.start] = true;
        keep(&page, &units, &mut selected);
        let expected: Vec<bool> = (0..units.len()).map(|unit| code.contains(&unit)).collect();
        assert_eq!((selected, code.len()), (expected, 3));
    }

    /// Selected texts of a page of which only paragraphs are selected.
    fn selected_texts(body: &str) -> Vec<String> {
        let page = parse_page(&format!("<p>One.</p>{body}<p>Two.</p>")).unwrap();
        let (units, _) = units::split(&page, &hidden::find(&page));
        let mut selected: Vec<bool> = units.iter().map(|unit| page.is(unit.container, "p")).collect();
        keep(&page, &units, &mut selected);
        let chosen = units.iter().zip(&selected).filter(|(_, selected)| **selected);
        chosen.map(|(unit, _)| unit.text.trim().to_owned()).collect()
    }

    #[test]
    fn code_with_labels_between_texts_is_selected_without_them() {
        for body in [
            "<pre>a = 1</pre>",
            "<div class=language-py><span class=lang>py</span><pre>a = 1</pre><div class=line-numbers>1</div></div>",
            "<div><div>run.py</div><div><pre>a = 1</pre><button>Copy</button></div></div>",
            "<table><tr><td class=linenos><div class=linenodiv><pre>1</pre></div></td><td><pre>a = 1</pre></td></tr></table>",
        ] {
            assert_eq!(selected_texts(body), ["One.", "a = 1", "Two."], "{body}");
        }
    }

    #[test]
    fn code_of_other_parts_is_not_selected() {
        for body in [
            "<div><h2>Related</h2><pre>a = 1</pre></div>",
            "<ul><li>Other</li></ul><pre>a = 1</pre>",
            "<div><div>An unrelated line of many words</div><pre>a = 1</pre></div>",
        ] {
            assert_eq!(selected_texts(body), ["One.", "Two."], "{body}");
        }
    }
}
