//! Hidden text that a control of the page reveals to readers, such as footnotes, answers and tabs. Such text
//! is treated as text of the page, unlike menus, dialogs and hidden text without a control.

mod tab_positions;
mod toggles;

use std::collections::{HashMap, HashSet};

pub(super) use self::toggles::is_toggle;
use super::{boilerplate::is_boilerplate, hidden};
use crate::{
    clean,
    page::{Id, Page},
};

/// Maximum number of disclosures of a page.
const MAX_DISCLOSURES: usize = 2000;
/// Maximum number of passes over a page. Each further pass searches the text that the previous pass revealed.
const MAX_PASSES: usize = 3;
/// Maximum number of characters in a footnote mark (the reference to the footnote), without brackets.
const MAX_MARK_CHARS: usize = 4;
/// Maximum number of bytes of each text that are read for a footnote mark.
const MAX_MARK_BYTES: usize = 200;
/// Maximum number of words in a footnote.
const MAX_NOTE_WORDS: usize = 200;
/// Maximum number of bytes of a footnote that are read to count its words.
const MAX_NOTE_BYTES: usize = 16_384;
/// Minimum number of words before and after a footnote mark in its block. For example, slide numbers are not
/// surrounded by words.
const MIN_CONTEXT_WORDS: usize = 3;
/// Maximum number of words in the label of a section, such as a question.
const MAX_LABEL_WORDS: usize = 40;
/// Maximum number of nodes that are searched in a control, and in the element before a section.
const MAX_SEARCHED_NODES: usize = 16;
/// Words in the scripts of controls that show or hide an element.
const SCRIPT_WORDS: [&str; 6] = ["toggle", "display", "show", "slide", "expand", "spoiler"];
/// Maximum number of nodes in the control of a section.
const MAX_LABEL_NODES: usize = 1000;
/// Maximum number of bytes of a text that are read to classify it. The bound limits the total work, because
/// many disclosures may share a text.
const MAX_TEXT_BYTES: usize = 4000;
/// Maximum number of nodes in a block that are searched for words next to a mark.
const MAX_PARAGRAPH_NODES: usize = 1000;
/// Maximum number of ancestors of an element that are checked for boilerplate.
const CHECKED_ANCESTORS: usize = 6;

/// Control and the element that it opens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Disclosure {
    pub(crate) control: Id,
    pub(crate) panel: Id,
}

/// Disclosures of a page: hidden texts that a reader can reveal.
#[derive(Debug, Default)]
pub(crate) struct Disclosures {
    /// Footnote marks in the text with their footnotes.
    pub(crate) notes: Vec<Disclosure>,
    /// Questions, tab names and headings, with the texts that they reveal.
    pub(crate) sections: Vec<Disclosure>,
    /// Elements that known disclosures reveal.
    known: HashSet<Id>,
}

impl Disclosures {
    /// Finds the disclosures of a page, and clears `hidden` for the elements that they reveal.
    pub(crate) fn open(page: &Page, hidden: &mut [bool]) -> Self {
        let mut all = Self::default();
        for _ in 0..MAX_PASSES {
            let opened = all.find(page, hidden);
            for panel in &opened {
                reveal(page, *panel, hidden);
            }
            if opened.is_empty() {
                break;
            }
            all.known.extend(opened);
        }
        // The tab that is displayed first belongs to the same list as the hidden tabs.
        for (control, panel) in tab_positions::of(page) {
            if !hidden[panel] && !all.known.contains(&panel) && is_text(page, panel) {
                all.add_section(Disclosure { control, panel });
            }
        }
        reveal_collapsed_rows(page, hidden);
        all.add_latexml_notes(page, hidden);
        let details = (1..page.len()).filter(|&id| page.is(id, "details") && !hidden[id]);
        for panel in details {
            let summary = page.element_children(panel).find(|&child| page.is(child, "summary"));
            let Some(control) = summary.filter(|_| is_text(page, panel)) else { continue };
            all.add_section(Disclosure { control, panel });
        }
        for section in styled_sections(page, hidden) {
            if !all.known.contains(&section.panel) {
                all.add_section(section);
            }
        }
        for section in &all.sections {
            hide_toggle(page, *section, hidden);
        }
        all
    }

    /// Adds the disclosures of hidden elements and returns the elements that they reveal.
    fn find(&mut self, page: &Page, hidden: &[bool]) -> Vec<Id> {
        let parts: Vec<Id> =
            (1..page.len()).filter(|&id| may_be_opened(page, id, hidden, &self.known)).collect();
        if parts.is_empty() {
            return parts;
        }
        let mut controls = controls(page, hidden, &parts);
        for (control, panel) in tab_positions::of(page) {
            if parts.binary_search(&panel).is_ok() {
                controls.entry(panel).or_default().push(control);
            }
        }
        let mut opened = Vec::new();
        let mut panels: Vec<Id> = parts.iter().chain(controls.keys()).copied().collect();
        panels.sort_unstable();
        panels.dedup();
        for panel in panels {
            let named = controls.get(&panel).map(Vec::as_slice).unwrap_or_default();
            let is_part = parts.binary_search(&panel).is_ok();
            if let Some(control) = note_mark(page, panel, named) {
                if self.notes.len() < MAX_DISCLOSURES {
                    self.notes.push(Disclosure { control, panel });
                    opened.push(panel);
                }
            } else if is_part && let Some(control) = section_control(page, panel, named) {
                self.add_section(Disclosure { control, panel });
                opened.push(panel);
            }
        }
        opened
    }

    /// Adds the footnotes of `LaTeXML`, which follow their marks in the line, and hides the repeated marks in
    /// them.
    fn add_latexml_notes(&mut self, page: &Page, hidden: &mut [bool]) {
        for id in 1..page.len() {
            if hidden[id] || !page.has_class(id, "ltx_role_footnote") {
                continue;
            }
            let mut parts = page.element_children(id);
            let control = parts.next().filter(|&part| page.has_class(part, "ltx_note_mark"));
            let panel = parts.next().filter(|&part| page.has_class(part, "ltx_note_outer"));
            let (Some(control), Some(panel)) = (control, panel) else { continue };
            if self.notes.len() >= MAX_DISCLOSURES {
                return;
            }
            self.notes.push(Disclosure { control, panel });
            let is_mark =
                |&part: &Id| page.has_class(part, "ltx_note_mark") || page.has_class(part, "ltx_tag_note");
            for mark in page.descendants(panel).take(MAX_SEARCHED_NODES).filter(is_mark) {
                hidden[page.subtree(mark)].fill(true);
            }
        }
    }

    fn add_section(&mut self, section: Disclosure) {
        if self.sections.len() < MAX_DISCLOSURES {
            self.sections.push(section);
        }
    }
}

/// True for the outermost hidden element of a part that has not been revealed yet, and for a popover.
fn may_be_opened(page: &Page, id: Id, hidden: &[bool], known: &HashSet<Id>) -> bool {
    page.is_element(id)
        && !hidden[page.parent(id)]
        && !known.contains(&id)
        && if hidden[id] { hidden::is_hidden_part(page, id) } else { page.attribute(id, "popover").is_some() }
}

/// Clears `hidden` for an element and its descendants, except for descendants that are hidden themselves.
fn reveal(page: &Page, panel: Id, hidden: &mut [bool]) {
    hidden[panel] = false;
    for id in page.descendants(panel) {
        hidden[id] = hidden[page.parent(id)] || page.is_element(id) && hidden::is_hiding(page, id);
    }
}

/// Reveals the rows of `MediaWiki` tables that are initially collapsed.
fn reveal_collapsed_rows(page: &Page, hidden: &mut [bool]) {
    for row in (1..page.len()).filter(|&id| page.is(id, "tr")) {
        let is_collapsed = || {
            let table = page.ancestors(row).take(2).find(|&above| page.is(above, "table"));
            table.is_some_and(|table| {
                page.has_class(table, "mw-collapsible") && page.has_class(table, "mw-collapsed")
            })
        };
        if hidden[row] && !hidden[page.parent(row)] && is_collapsed() {
            reveal(page, row, hidden);
        }
    }
}

/// Hides the control of a section if its label is not a heading for the text, such as "Read more".
fn hide_toggle(page: &Page, section: Disclosure, hidden: &mut [bool]) {
    let control = page.subtree(section.control);
    let is_name = page.attribute(section.control, "role") == Some("tab");
    if !is_name
        && control.len() <= MAX_SEARCHED_NODES
        && !control.contains(&section.panel)
        && is_toggle(&page.folded_text(section.control))
    {
        hidden[control].fill(true);
    }
}

/// Mark of a hidden footnote: an element that refers to it, encloses it, or directly precedes it.
fn note_mark(page: &Page, panel: Id, named: &[Id]) -> Option<Id> {
    let enclosing = Some(page.parent(panel)).filter(|&above| is_mark_with_note(page, above, panel));
    let may_be_mark = |&before: &Id| page.is_inline(before) || page.is(before, "button");
    let before = element_before(page, panel).filter(may_be_mark);
    let mut marks = named.iter().copied().chain(enclosing).chain(before);
    marks.find(|control| is_note(page, *control, panel, named.contains(control)))
}

/// Control of a hidden section: an element that refers to the section, or the element directly before it, or
/// a descendant of that element.
fn section_control(page: &Page, panel: Id, named: &[Id]) -> Option<Id> {
    let control = named.iter().copied().find(|&control| is_label(page, control));
    let before = || element_before(page, panel);
    let control = control
        .or_else(|| control_in(page, before()?))
        .or_else(|| before().filter(|&before| is_question(page, before, panel)))
        .or_else(|| script_control(page, panel))?;
    let is_tab =
        page.attribute(control, "role") == Some("tab") && page.attribute(panel, "role") == Some("tabpanel");
    (is_text(page, panel) && (is_tab || !is_in_menu(page, control))).then_some(control)
}

/// Control whose script reveals the section after it without naming the section, as in the spoilers of forums.
/// The control is in the title of the section. The script refers to the control, from which it finds the section.
fn script_control(page: &Page, panel: Id) -> Option<Id> {
    let is_only_child =
        page.nonblank_sibling_before(panel).is_none() && page.nonblank_sibling_after(panel).is_none();
    let section = if is_only_child { page.parent(panel) } else { panel };
    let title = element_before(page, section)?;
    let reveals = |id: Id| {
        let script = page.value(id, "onclick").filter(|_| page.is_element(id))?;
        if !["this", "event"].iter().any(|word| script.contains(word)) {
            return None;
        }
        let is_button = is_input_button(page, id);
        let is_named = || SCRIPT_WORDS.iter().any(|word| contains_ignoring_case(script, word));
        (is_button || matches!(page.tag(id), "a" | "button" | "span" | "div") && is_named()).then_some(id)
    };
    let control = page.subtree(title).take(MAX_SEARCHED_NODES).find_map(reveals)?;
    (is_label(page, control) && (control == title || short_text(page, title).is_some())).then_some(control)
}

fn is_input_button(page: &Page, id: Id) -> bool {
    page.is(id, "input") && page.value(id, "type").is_some_and(|kind| kind.eq_ignore_ascii_case("button"))
}

/// True if the element before a hidden section is its question, judging by the class names of both. Scripts
/// reveal such sections without a declared control.
fn is_question(page: &Page, before: Id, panel: Id) -> bool {
    const ANSWERS: [&str; 7] =
        ["faq", "accordion", "answer", "spoiler", "toggle", "collaps", "expand-content"];
    const QUESTIONS: [&str; 6] = ["question", "title", "head", "toggle", "trigger", "expand-control"];
    let is_heading = matches!(page.tag(before), "h2" | "h3" | "h4" | "h5" | "h6" | "dt");
    let is_answer = || [panel, page.parent(panel)].into_iter().any(|id| has_name(page, id, &ANSWERS));
    (is_heading || has_name(page, before, &QUESTIONS)) && is_answer() && is_label(page, before)
}

/// True if a class name contains one of the words. Class names of the whole page are not considered.
fn has_name(page: &Page, id: Id, words: &[&str]) -> bool {
    if matches!(page.tag(id), "html" | "body" | "main") {
        return false;
    }
    page.class(id).is_some_and(|names| words.iter().any(|word| contains_ignoring_case(names, word)))
}

/// True if a text contains an ASCII word in any letter case.
fn contains_ignoring_case(text: &str, word: &str) -> bool {
    text.as_bytes().windows(word.len()).any(|part| part.eq_ignore_ascii_case(word.as_bytes()))
}

/// Sections that only a style sheet hides, with their controls.
fn styled_sections(page: &Page, hidden: &[bool]) -> Vec<Disclosure> {
    let mut by_name: HashMap<&str, Id> = HashMap::new();
    let expands = |id: Id| {
        let collapses = || {
            ["data-toggle", "data-bs-toggle"].iter().any(|name| page.attribute(id, name) == Some("collapse"))
        };
        !hidden[id] && (page.attribute(id, "aria-expanded").is_some() || collapses())
    };
    if (1..page.len()).any(expands) {
        by_name.extend((1..page.len()).rev().filter_map(|id| Some((page.value(id, "id")?, id))));
    }
    let target = |control: Id| {
        let mut names = ["aria-controls", "data-bs-target", "data-target", "href"].iter();
        names.find_map(|name| by_name.get(page.value(control, name)?.trim_start_matches('#')).copied())
    };
    let mut known = HashSet::new();
    let pairs = (1..page.len()).filter(|&id| !hidden[id]).filter_map(|id| {
        let of_control = expands(id).then(|| target(id)).flatten();
        let section = of_control.map(|panel| Disclosure { control: id, panel });
        let of_builder = || {
            let is_accordion = |id: Id| has_name(page, id, &["accordion"]);
            if page.attribute(id, "x-show").is_some() {
                let control = control_in(page, element_before(page, id)?)?;
                return Some(Disclosure { control, panel: id });
            }
            let is_list = page.has_class(id, "w-dropdown-list");
            if !is_list && !is_accordion(id) {
                return None;
            }
            let control = element_before(page, id)?;
            let is_section = is_list || is_accordion(control) && is_question(page, control, id);
            is_section.then_some(Disclosure { control, panel: id })
        };
        section.or_else(of_builder)
    });
    pairs
        .filter(|section| section.panel > section.control && !hidden[section.panel])
        .filter(|section| known.insert(section.panel))
        .take(MAX_DISCLOSURES)
        .filter(|&Disclosure { control, panel }| {
            is_label(page, control) && is_text(page, panel) && !is_in_menu(page, control)
        })
        .collect()
}

/// Maps each element in the hidden parts to the visible elements that refer to it by its id.
fn controls(page: &Page, hidden: &[bool], parts: &[Id]) -> HashMap<Id, Vec<Id>> {
    let by_name: HashMap<&str, Id> = parts
        .iter()
        .rev()
        .flat_map(|&part| page.subtree(part).rev())
        .filter_map(|id| Some((page.value(id, "id")?, id)))
        .collect();
    let labels: HashMap<&str, Id> = parts
        .iter()
        .filter_map(|&part| Some((page.value(part, "aria-labelledby")?, part)))
        .flat_map(|(names, part)| names.split_ascii_whitespace().map(move |name| (name, part)))
        .collect();
    let mut controls: HashMap<Id, Vec<Id>> = HashMap::new();
    if by_name.is_empty() && labels.is_empty() {
        return controls;
    }
    for id in (1..page.len()).filter(|&id| !hidden[id] && is_control(page, id)) {
        let referred = page.attributes(id).filter(|(name, _)| refers(name)).flat_map(|(attribute, value)| {
            // A script names an element in quotation marks.
            let is_script = attribute == "onclick" || value.starts_with("javascript:");
            let ends =
                move |c: char| if is_script { matches!(c, '\'' | '"') } else { c.is_ascii_whitespace() };
            value.split(ends).filter_map(|name| by_name.get(name.trim_start_matches('#')))
        });
        let labelled = page.value(id, "id").and_then(|name| labels.get(name));
        for &panel in referred.chain(labelled) {
            let known = controls.entry(panel).or_default();
            if !page.subtree(panel).contains(&id) && !known.contains(&id) && known.len() < MAX_SEARCHED_NODES
            {
                known.push(id);
            }
        }
    }
    controls
}

/// True for attributes whose value can be the id of the element that a control reveals.
fn refers(attribute: &str) -> bool {
    matches!(
        attribute,
        "aria-controls"
            | "aria-describedby"
            | "aria-details"
            | "aria-owns"
            | "popovertarget"
            | "href"
            | "for"
            | "onclick"
    ) || attribute.starts_with("data-")
}

fn is_control(page: &Page, id: Id) -> bool {
    matches!(page.tag(id), "a" | "button" | "summary" | "label" | "sup" | "abbr" | "dfn")
        || is_declared_control(page, id)
        || page.is(id, "span") && has_note_name(page, id)
        || page.attribute(id, "onclick").is_some()
}

fn is_declared_control(page: &Page, id: Id) -> bool {
    page.attribute(id, "aria-expanded").is_some()
        || page.attribute(id, "tabindex").is_some()
        || matches!(page.attribute(id, "role"), Some("button" | "tab" | "switch" | "doc-noteref"))
}

/// True for the label of a checkbox or radio button directly before it. A style sheet reveals the section
/// after the label.
fn is_checkbox_label(page: &Page, id: Id) -> bool {
    let is_switch = |before: Id| {
        page.is(before, "input") && matches!(page.value(before, "type"), Some("checkbox" | "radio"))
    };
    page.is(id, "label")
        && page.value(id, "for").is_some()
        && page.nonblank_sibling_before(id).is_some_and(is_switch)
}

/// Control in the element before a hidden section, if the control has most of that element's text.
fn control_in(page: &Page, before: Id) -> Option<Id> {
    let may_open = |id: Id| {
        matches!(page.tag(id), "button" | "summary")
            || is_declared_control(page, id)
            || is_checkbox_label(page, id)
    };
    let control =
        page.subtree(before).take(MAX_SEARCHED_NODES).find(|&id| page.is_element(id) && may_open(id))?;
    let is_most = page.folded_beginning(control, MAX_TEXT_BYTES).len() * 2
        > page.folded_beginning(before, 2 * MAX_TEXT_BYTES).len();
    (is_most && is_label(page, control)).then_some(control)
}

/// Element directly before `id` in the same parent, if there is no text between them.
fn element_before(page: &Page, id: Id) -> Option<Id> {
    page.nonblank_sibling_before(id).filter(|&before| page.is_element(before))
}

/// True if the text of a control can be a question or a heading.
fn is_label(page: &Page, control: Id) -> bool {
    if is_input_button(page, control) {
        return page.value(control, "value").is_some_and(|text| text.contains(char::is_alphabetic));
    }
    short_text(page, control).is_some_and(|text| text.contains(char::is_alphabetic))
}

/// Text of an element, if it is short enough for a label.
fn short_text(page: &Page, id: Id) -> Option<String> {
    if page.subtree(id).len() > MAX_LABEL_NODES {
        return None;
    }
    let text = page.folded_beginning(id, MAX_TEXT_BYTES);
    (clean::words(&text) <= MAX_LABEL_WORDS).then_some(text)
}

/// True if the beginning of the element is text for readers, as opposed to a menu, a form or a dialog.
fn is_text(page: &Page, panel: Id) -> bool {
    let (mut chars, mut linked, mut link_end) = (0, 0, 0);
    for id in page.subtree(panel) {
        if matches!(page.tag(id), "form" | "input" | "select" | "textarea" | "dialog")
            || page.is(id, "nav") && is_boilerplate(page, id)
        {
            return false;
        }
        if page.is(id, "a") && page.attribute(id, "href").is_some() {
            link_end = page.subtree(id).end;
        }
        let text = page.text(id).map(|text| &text[..text.floor_char_boundary(MAX_TEXT_BYTES)]);
        let length = text.map_or(0, clean::visible_chars);
        chars += length;
        linked += if id < link_end { length } else { 0 };
        if chars > MAX_TEXT_BYTES {
            break;
        }
    }
    chars > 0 && linked * 2 < chars && !is_in_menu(page, panel)
}

/// True if an element or one of its nearest ancestors is boilerplate. Ancestors that contain most of the page
/// are not considered.
fn is_in_menu(page: &Page, id: Id) -> bool {
    let enclosing = page
        .ancestors(id)
        .take(CHECKED_ANCESTORS)
        .take_while(|&above| !matches!(page.tag(above), "main" | "article" | "body"))
        .take_while(|&above| page.subtree(above).len() * 2 < page.len());
    std::iter::once(id)
        .chain(enclosing)
        .any(|id| page.is(id, "aside") || is_page_header(page, id) || is_boilerplate(page, id))
}

fn is_page_header(page: &Page, id: Id) -> bool {
    let is_part = |above: Id| matches!(page.tag(above), "main" | "article" | "section" | "li" | "details");
    page.is(id, "header") && !page.ancestors(id).any(is_part)
}

/// True if an element may consist of a footnote mark and the footnote only.
fn is_mark_with_note(page: &Page, id: Id, note: Id) -> bool {
    page.is_inline(id)
        || page.is(id, "button")
        || has_note_name(page, id) && mark_text(page, id, note).len() < 16
}

/// True if a control is the mark of a footnote in running text. `is_named` is true if one of the two refers
/// to the other by id.
fn is_note(page: &Page, control: Id, panel: Id, is_named: bool) -> bool {
    let mark = mark_text(page, control, panel);
    let is_declared = [control, page.parent(control), panel].into_iter().any(|id| has_note_name(page, id));
    let is_short = mark.chars().count() <= MAX_MARK_CHARS || is_declared && clean::words(&mark) <= 1;
    let is_mark = is_numeral(&mark) || is_declared && (is_named || !mark.contains(char::is_alphabetic));
    let is_text = page.attribute(panel, "role") != Some("dialog") || is_declared;
    is_short
        && is_mark
        && is_text
        && (1..=MAX_NOTE_WORDS).contains(&clean::words(&page.folded_beginning(panel, MAX_NOTE_BYTES)))
        && is_among_words(page, control, panel)
}

/// Text of a control without its footnote and without brackets. The text is cut if it is too long for a mark.
pub(super) fn mark_text(page: &Page, control: Id, note: Id) -> String {
    let note = page.subtree(note);
    let mut text = String::new();
    for id in page.subtree(control).filter(|id| !note.contains(id)).take(MAX_SEARCHED_NODES) {
        let piece = page.text(id).unwrap_or("");
        clean::push_folded(&mut text, &piece[..piece.floor_char_boundary(MAX_MARK_BYTES)]);
    }
    text.trim_matches(['[', ']', '(', ')', ' ']).to_owned()
}

/// True for digits and other characters that are used as footnote marks.
fn is_numeral(mark: &str) -> bool {
    !mark.is_empty()
        && mark
            .chars()
            .all(|c| c.is_numeric() || matches!(c, '*' | '†' | '‡' | '§' | '¶' | '#' | '•' | '…' | '+'))
}

/// True if the block of the mark contains some words besides the mark and the footnote.
fn is_among_words(page: &Page, control: Id, panel: Id) -> bool {
    let block = page.ancestors(control).find(|&above| !page.is_inline(above) && !page.is(above, "button"));
    let Some(block) = block else { return false };
    let (mark, note) = (page.subtree(control), page.subtree(panel));
    let (mut words, mut bytes_left) = (0, MAX_TEXT_BYTES);
    let nodes = page.descendants(block).take(MAX_PARAGRAPH_NODES);
    nodes.filter(|id| !mark.contains(id) && !note.contains(id)).any(|id| {
        let text = page.text(id).unwrap_or("");
        let text = &text[..text.floor_char_boundary(bytes_left)];
        bytes_left -= text.len();
        words += if text.contains(char::is_alphabetic) { clean::words(text) } else { 0 };
        words >= MIN_CONTEXT_WORDS
    })
}

/// True if a name or role of the element contains a word for footnotes.
fn has_note_name(page: &Page, id: Id) -> bool {
    page.attributes(id)
        .filter(|(name, _)| matches!(*name, "class" | "id" | "role" | "epub:type" | "aria-label" | "rel"))
        .flat_map(|(_, value)| value.split(|c: char| !c.is_ascii_alphanumeric()))
        .any(|word| {
            ["footnote", "sidenote", "endnote", "noteref", "marginnote"]
                .iter()
                .any(|name| contains_ignoring_case(word, name))
                || ["note", "fn", "fnref", "fns", "sn"].iter().any(|name| word.eq_ignore_ascii_case(name))
        })
}

#[cfg(test)]
mod tests;
