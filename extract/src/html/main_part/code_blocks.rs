//! Selects code between selected texts. The classifier may miss it, because the vocabulary of code differs
//! from that of prose.

use std::{collections::HashMap, ops::Range};

use super::units::{Unit, Units, units_in};
use crate::{
    html::{code, code_lines},
    page::{Id, Page},
};

/// Maximum number of ancestors of code that may be its wrappers.
const MAX_WRAPPERS: usize = 6;
/// Maximum number of units of a wrapper, not counting the units of the code.
const MAX_WRAPPED_UNITS: usize = 400;
/// Maximum number of labels of a code block.
const MAX_LABELS: usize = 4;
/// Maximum number of words in a label.
const MAX_LABEL_WORDS: usize = 4;
/// Maximum number of bytes of a button or of a language name.
const MAX_LABEL_BYTES: usize = 100;
/// Maximum number of ancestors of a line number that are checked.
const NUMBER_LAYERS: usize = 3;
/// Maximum number of units between code and the nearest selected text.
const MAX_GAP_UNITS: usize = 8;
/// Texts of buttons next to code, in lower case.
const BUTTONS: [&str; 5] = ["copy", "copy code", "copy to clipboard", "copied", "copied!"];

/// Selects editors next to selected text, and `pre` elements between two selected texts, along with the
/// paragraphs and other code between the same texts. Code that is partly selected is selected as a whole. Line
/// numbers, buttons and language names next to the code are excluded.
pub(super) fn keep(page: &Page, units: &Units, selected: &mut [bool]) {
    let mut parts = CachedUnits {
        page,
        units,
        are_numbers: units.iter().map(is_number).collect(),
        are_code: units.iter().map(|unit| is_code(page, unit)).collect(),
        asides: HashMap::new(),
    };
    let mut id: Id = 1;
    while id < page.len() {
        let is_editor = code_lines::is_editor(page, id);
        if !is_editor && !page.is(id, "pre") {
            id += 1;
            continue;
        }
        let inside = units_in(page, units, id);
        let end = page.subtree(id).end;
        if inside.is_empty() {
            id = end;
            continue;
        }
        let whole = parts.with_labels(id, &inside);
        let is_next_to_text = |range: &Range<usize>| {
            let before = range.start.checked_sub(1).is_some_and(|unit| selected[unit]);
            let after = selected.get(range.end) == Some(&true);
            if is_editor { before || after } else { before && after }
        };
        let is_of_text = is_next_to_text(&inside) || is_next_to_text(&whole);
        if !is_editor && let Some(gap) = parts.gap(id, &inside, selected) {
            selected[gap].fill(true);
        }
        if is_of_text || selected[inside.clone()].contains(&true) {
            let language = code::language(page, id);
            for unit in outside(&whole, &inside) {
                selected[unit] &= !parts.is_control(unit, language.as_deref());
            }
            selected[inside].fill(true);
        }
        id = end;
    }
}

/// Units of the range `whole` that are not in the range `inside`.
fn outside(whole: &Range<usize>, inside: &Range<usize>) -> impl Iterator<Item = usize> + use<> {
    (whole.start..inside.start).chain(inside.end..whole.end)
}

/// Units of a page, with cached properties, because the same unit may be near several code blocks.
struct CachedUnits<'p> {
    page: &'p Page,
    units: &'p Units,
    /// For each unit, true if it is a number.
    are_numbers: Vec<bool>,
    /// For each unit, true if it belongs to a `pre` element.
    are_code: Vec<bool>,
    /// Checked elements, with true for line numbers.
    asides: HashMap<Id, bool>,
}

impl CachedUnits<'_> {
    /// Range of the units of code and of its labels: line numbers, the name of a file or language, and
    /// buttons. Other code in the same wrapper, such as the same code in another language, is included.
    fn with_labels(&self, code: Id, inside: &Range<usize>) -> Range<usize> {
        let (page, units) = (self.page, self.units);
        let is_number = inside.clone().all(|unit| self.are_numbers[unit]);
        let may_be_label = |unit: &usize| !self.are_numbers[*unit] && (is_number || !self.are_code[*unit]);
        let mut whole = inside.clone();
        for above in page.ancestors(code).take(MAX_WRAPPERS) {
            let wider = units_in(page, units, above);
            if wider.len() - inside.len() > MAX_WRAPPED_UNITS {
                break;
            }
            let mut labels = outside(&wider, inside).filter(may_be_label);
            let are_labels = labels.by_ref().take(MAX_LABELS).all(|unit| is_label(page, &units[unit]));
            if !are_labels || labels.next().is_some() {
                break;
            }
            whole = wider;
        }
        whole
    }

    /// Range of unselected units that includes the code, if the range is between two selected texts of the
    /// same element and consists of paragraphs and code.
    fn gap(&self, code: Id, inside: &Range<usize>, selected: &[bool]) -> Option<Range<usize>> {
        let (page, units) = (self.page, self.units);
        let is_wrapper = |above: &Id| units_in(page, units, *above) == *inside;
        let wrapper = page.ancestors(code).take(MAX_WRAPPERS).take_while(is_wrapper).last().unwrap_or(code);
        let parent = page.parent(wrapper);
        let whole = units_in(page, units, parent);
        let is_part = |unit: usize| self.is_part_of_text(unit, parent);
        let mut start = inside.start;
        while start > whole.start && !selected[start - 1] {
            start -= 1;
            if inside.start - start > MAX_GAP_UNITS || !is_part(start) {
                return None;
            }
        }
        let mut end = inside.end;
        while end < whole.end && !selected[end] {
            end += 1;
            if end - inside.end > MAX_GAP_UNITS || !is_part(end - 1) {
                return None;
            }
        }
        (start > whole.start && end < whole.end).then_some(start..end)
    }

    /// True for a paragraph of the element `parent` that is not a list of links, and for code in it.
    fn is_part_of_text(&self, unit: usize, parent: Id) -> bool {
        let (page, unit) = (self.page, &self.units[unit]);
        let is_paragraph = page.is(unit.container, "p")
            && page.parent(unit.container) == parent
            && unit.linked * 2 < unit.chars;
        let mut layers = page.self_and_ancestors(unit.container).take(MAX_WRAPPERS);
        is_paragraph || layers.any(|layer| page.is(layer, "pre"))
    }

    /// True for line numbers, language names and buttons.
    fn is_control(&mut self, unit: usize, language: Option<&str>) -> bool {
        let (page, is_number, unit) = (self.page, self.are_numbers[unit], &self.units[unit]);
        let asides = &mut self.asides;
        let mut layers = page.self_and_ancestors(unit.container).take(NUMBER_LAYERS);
        let is_aside = |layer| *asides.entry(layer).or_insert_with(|| code_lines::is_aside(page, layer));
        if is_number && layers.any(is_aside) {
            return true;
        }
        let text = unit.text.trim();
        let is_named = || {
            let text = text.to_lowercase();
            BUTTONS.contains(&text.as_str()) || language == Some(text.as_str())
        };
        text.len() <= MAX_LABEL_BYTES && is_label(page, unit) && is_named()
    }
}

fn is_code(page: &Page, unit: &Unit) -> bool {
    page.self_and_ancestors(unit.container).take(MAX_WRAPPERS).any(|layer| page.is(layer, "pre"))
}

/// True for a unit of a few words that is neither a paragraph nor a heading.
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

    /// Selected texts of a page, given that the classifier selected only its paragraphs.
    fn selected_texts(body: &str) -> Vec<String> {
        let page = parse_page(&format!("<p>One.</p>{body}<p>Two.</p>")).unwrap();
        let (units, _) = units::split(&page, &hidden::find(&page));
        let mut selected: Vec<bool> = units.iter().map(|unit| page.is(unit.container, "p")).collect();
        keep(&page, &units, &mut selected);
        let chosen = units.iter().zip(&selected).filter(|(_, selected)| **selected);
        chosen.map(|(unit, _)| unit.text.trim().to_owned()).collect()
    }

    #[test]
    fn code_between_texts_is_selected_without_its_labels() {
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
    fn same_code_in_several_languages_is_selected() {
        let tabs = "<input type=radio><label>Rust</label><input type=radio><label>Go</label>";
        let codes = "<div><pre>a = 1</pre></div><div><pre>a := 1</pre></div>";
        let body = format!("<div><div>{tabs}</div><div>{codes}</div></div>");
        assert_eq!(selected_texts(&body), ["One.", "a = 1", "a := 1", "Two."]);
    }

    #[test]
    fn long_number_next_to_many_code_blocks_is_not_parsed_repeatedly() {
        let (digits, code) = ("7".repeat(2_000_000), "<pre>a = 1</pre>".repeat(300));
        let texts = selected_texts(&format!("<section><div>{digits}</div>{code}</section>"));
        assert_eq!(texts.last().map(String::as_str), Some("Two."));
    }

    #[test]
    fn code_outside_the_selected_text_is_not_selected() {
        for body in [
            "<div><h2>Related</h2><pre>a = 1</pre></div>",
            "<ul><li>Other</li></ul><pre>a = 1</pre>",
            "<div><div>An unrelated line of many words</div><pre>a = 1</pre></div>",
        ] {
            assert_eq!(selected_texts(body), ["One.", "Two."], "{body}");
        }
    }

    #[test]
    fn code_and_paragraphs_between_selected_texts_are_selected() {
        let selected_after = |markup: &str, chosen: &[usize]| {
            let page = parse_page(markup).unwrap();
            let (units, _) = units::split(&page, &hidden::find(&page));
            let mut selected: Vec<bool> = (0..units.len()).map(|unit| chosen.contains(&unit)).collect();
            keep(&page, &units, &mut selected);
            selected.iter().filter(|is_selected| **is_selected).count()
        };
        let blocks = "<div><p>One</p><pre>a = 1</pre><pre>b = 2</pre><pre>c = 3</pre><p>Two</p></div>";
        assert_eq!(selected_after(blocks, &[0, 4]), 5);
        let wrapped = "<div><p>One</p><p>It is:</p><div class=code><pre>a = 1</pre></div><p>or</p>\
            <div class=code><pre>b = 2</pre></div><p>Two</p></div>";
        assert_eq!(selected_after(wrapped, &[0, 5]), 6);
        // The gap extends to the end of the element, contains other text, or consists of links.
        assert_eq!(selected_after(blocks, &[0]), 1);
        for other in ["<ul><li>Item</li></ul>", "<p><a href=/x>Another page</a></p>", "<h2>Title</h2>"] {
            let markup = format!("<div><p>One</p><pre>a</pre>{other}<pre>b</pre><p>Two</p></div>");
            assert_eq!(selected_after(&markup, &[0, 4]), 2, "{other}");
        }
    }
}
