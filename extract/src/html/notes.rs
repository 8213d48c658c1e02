//! Footnotes: matches the references in a text with their footnotes.

use std::collections::{HashMap, HashSet};

use super::disclosures::{Disclosure, mark_text};
use crate::{
    clean,
    page::{Id, Page},
};

/// Maximum number of characters in a reference, without brackets.
const MAX_LABEL_CHARS: usize = 4;
/// Maximum number of footnotes of a page.
const MAX_NOTES: usize = 2000;
/// Maximum number of nodes in a reference, and in a `sup` in addition to its reference.
const MAX_MARK_NODES: usize = 16;
/// Minimum number of words in a footnote in a `title`. A shorter `title` only describes the link.
const MIN_TITLE_WORDS: usize = 4;

/// Footnotes of a page whose reference and footnote are both selected.
#[derive(Debug, Default)]
pub(super) struct Notes {
    /// Label of each reference, by its element: the `sup` enclosing the link, or the link.
    marks: HashMap<Id, String>,
    /// Label of each footnote, by the block at which it begins.
    labels: HashMap<Id, String>,
    /// For each reference element whose `title` is a footnote: the label and the text of the footnote.
    titled: HashMap<Id, (String, String)>,
    /// Ids of the reference elements, of the elements that enclose them, and of the elements in them. Links
    /// in footnotes may lead back to any of these.
    source_names: HashSet<String>,
    /// Labels that are already in use.
    taken: HashSet<String>,
    /// Last number that was used as a label.
    number: usize,
}

impl Notes {
    /// Finds references to footnotes that come after them. `opened` contains the controls that reveal a
    /// hidden footnote.
    pub(super) fn find(page: &Page, keep: &[bool], opened: &[Disclosure]) -> Self {
        let mut notes = Self::default();
        notes.find_linked(page, keep);
        for &Disclosure { control, panel } in opened {
            let is_selected = keep[panel] && (keep[control] || keep[page.parent(control)]);
            if is_selected && notes.labels.len() < MAX_NOTES && !notes.labels.contains_key(&panel) {
                notes.add(page, control, panel);
            }
        }
        notes.find_titled(page, keep);
        notes
    }

    fn find_titled(&mut self, page: &Page, keep: &[bool]) {
        let is_reference = |id: Id| {
            matches!(page.tag(id), "sup" | "a" | "span" | "abbr")
                && !leads_elsewhere(page, id)
                && is_declared_reference(page, id)
        };
        for id in (1..page.len()).filter(|&id| keep[id] && is_reference(id)) {
            if self.titled.len() >= MAX_NOTES {
                break;
            }
            let Some(text) = page.value(id, "title").filter(|text| clean::words(text) >= MIN_TITLE_WORDS)
            else {
                continue;
            };
            if page.subtree(id).len() > MAX_MARK_NODES {
                continue;
            }
            let written = page.folded_text(id);
            let own = written.trim_matches(['[', ']', '(', ')', ' ']);
            let mark = sup_of(page, id).unwrap_or(id);
            let is_known =
                [id, mark].iter().any(|id| self.marks.contains_key(id) || self.titled.contains_key(id));
            if is_label(own) && !is_known {
                let label = self.free_label(own);
                self.titled.insert(mark, (label, clean::fold(text)));
            }
        }
    }

    /// Returns the label of the reference if it is still free, or else the next free number.
    fn free_label(&mut self, own: &str) -> String {
        if is_label(own) && self.taken.insert(own.to_owned()) {
            return own.to_owned();
        }
        self.number = self.number.max(self.taken.len());
        loop {
            self.number += 1;
            let label = self.number.to_string();
            if self.taken.insert(label.clone()) {
                return label;
            }
        }
    }

    fn find_linked(&mut self, page: &Page, keep: &[bool]) {
        let links: Vec<(Id, &str)> = (1..page.len())
            .filter(|&id| keep[id] && page.is(id, "a"))
            .filter_map(|id| Some((id, page.value(id, "href")?.strip_prefix('#')?)))
            .filter(|(_, name)| !name.is_empty())
            .collect();
        if links.is_empty() {
            return;
        }
        let named: HashMap<&str, Id> = (1..page.len())
            .rev()
            .filter_map(|id| {
                let name =
                    page.value(id, "id").or_else(|| page.value(id, "name").filter(|_| page.is(id, "a")));
                Some((name?, id))
            })
            .collect();
        let mut blocks: HashMap<Id, bool> = HashMap::new();
        for (link, name) in links {
            let Some(note) = named.get(name).and_then(|&target| block_of(page, target)) else {
                continue;
            };
            if !*blocks.entry(note).or_insert_with(|| is_note_block(page, keep, note)) {
                continue;
            }
            if self.labels.len() < MAX_NOTES && note > link && is_mark(page, link) {
                self.add(page, link, note);
            }
        }
    }

    fn add(&mut self, page: &Page, link: Id, note: Id) {
        let label = match self.labels.get(&note) {
            Some(label) => label.clone(),
            None => self.free_label(&mark_text(page, link, note)),
        };
        let mark = sup_of(page, link).unwrap_or(link);
        for source in [link, mark].into_iter().filter(|source| !self.marks.contains_key(source)) {
            let elements =
                std::iter::once(page.parent(source)).chain(page.subtree(source).take(MAX_MARK_NODES));
            let names = elements.flat_map(|id| ["id", "name"].map(|name| page.value(id, name))).flatten();
            self.source_names.extend(names.map(str::to_owned));
        }
        self.marks.entry(mark).or_insert_with(|| label.clone());
        self.labels.insert(note, label);
    }

    /// Pairs of a reference element and its footnote element.
    pub(super) fn pairs(&self) -> impl Iterator<Item = (Id, Id)> {
        let notes: HashMap<&str, Id> =
            self.labels.iter().map(|(note, label)| (label.as_str(), *note)).collect();
        self.marks.iter().filter_map(move |(mark, label)| Some((*mark, *notes.get(label.as_str())?)))
    }

    pub(super) fn mark(&self, id: Id) -> Option<&str> {
        self.marks.get(&id).map(String::as_str)
    }

    /// Label and text of the footnote in the `title` of a reference.
    pub(super) fn titled(&self, id: Id) -> Option<&(String, String)> {
        self.titled.get(&id)
    }

    pub(super) fn note(&self, id: Id) -> Option<&str> {
        self.labels.get(&id).map(String::as_str)
    }

    /// True if an element in a footnote only leads back to the reference or repeats the label.
    pub(super) fn is_back_link(&self, page: &Page, id: Id, label: &str) -> bool {
        let text = || page.folded_text(id);
        match page.tag(id) {
            "a" => {
                let leads_within = page.value(id, "href").is_some_and(|href| href.starts_with('#'));
                leads_within && (self.is_source(page, id) || is_arrow(&text()) || is_same(&text(), label))
            }
            "sup" => is_same(&text(), label),
            _ => false,
        }
    }

    fn is_source(&self, page: &Page, link: Id) -> bool {
        let name = page.value(link, "href").and_then(|href| href.strip_prefix('#'));
        name.is_some_and(|name| self.source_names.contains(name))
    }
}

/// True for a short reference that is superscript or declared as a reference.
fn is_mark(page: &Page, link: Id) -> bool {
    let text = page.folded_text(link);
    let bare = text.trim_matches(['[', ']', '(', ')', ' ']);
    let is_short = !bare.is_empty() && bare.chars().count() <= MAX_LABEL_CHARS;
    let is_small = page.ancestors(link).take(2).chain(page.descendants(link)).any(|id| page.is(id, "sup"));
    is_short && !is_arrow(&text) && (is_small || is_declared_reference(page, link))
}

/// The `sup` that contains a reference and no other text.
fn sup_of(page: &Page, link: Id) -> Option<Id> {
    let sup = page.ancestors(link).take(2).find(|&above| page.is(above, "sup"))?;
    let (inner, outer) = (page.subtree(link), page.subtree(sup));
    let is_bracket = |c: char| c.is_whitespace() || matches!(c, '[' | ']' | '(' | ')');
    let is_bare = || {
        let mut others = (outer.start..inner.start).chain(inner.end..outer.end);
        others.all(|id| page.text(id).is_none_or(|text| text.chars().all(is_bracket)))
    };
    (outer.len() - inner.len() <= MAX_MARK_NODES && is_bare()).then_some(sup)
}

/// True if an element links to another position of the page or to another page.
fn leads_elsewhere(page: &Page, id: Id) -> bool {
    page.value(id, "href").is_some_and(|href| {
        let is_script =
            href.get(.."javascript:".len()).is_some_and(|start| start.eq_ignore_ascii_case("javascript:"));
        href != "#" && !is_script
    })
}

/// True if an element is declared as a reference to a footnote.
fn is_declared_reference(page: &Page, id: Id) -> bool {
    page.attribute(id, "role") == Some("doc-noteref")
        || ["class", "rel", "epub:type"].iter().any(|name| {
            page.attribute(id, name).is_some_and(|value| {
                let value = value.to_ascii_lowercase();
                value.contains("footnote") || value.contains("noteref")
            })
        })
}

fn is_label(text: &str) -> bool {
    !text.is_empty()
        && text.chars().count() <= MAX_LABEL_CHARS
        && text.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '*' | '†' | '‡'))
}

fn is_same(text: &str, label: &str) -> bool {
    text.trim_matches(|c: char| c.is_whitespace() || matches!(c, '[' | ']' | '(' | ')' | '.' | ':')) == label
}

fn is_arrow(text: &str) -> bool {
    let bare =
        text.trim_matches(|c: char| c.is_whitespace() || matches!(c, '[' | ']' | '\u{fe0e}' | '\u{fe0f}'));
    matches!(bare, "↩" | "↑" | "^" | "⏎" | "↵" | "⤴" | "↰" | "⬆" | "▲")
}

/// Nearest block that contains the target of a link, or that is the target.
fn block_of(page: &Page, target: Id) -> Option<Id> {
    page.self_and_ancestors(target).find(|&id| page.is_element(id) && !page.is_inline(id))
}

/// True for a selected block with words that can be a footnote.
fn is_note_block(page: &Page, keep: &[bool], block: Id) -> bool {
    keep[block]
        && matches!(page.tag(block), "li" | "p" | "div" | "aside" | "dd" | "dt" | "td" | "section")
        && page
            .descendants(block)
            .any(|id| keep[id] && page.text(id).is_some_and(|text| clean::words(text) > 1))
}

/// True for an element that contains only footnotes.
pub(super) fn is_footnotes(page: &Page, id: Id) -> bool {
    page.attribute(id, "role") == Some("doc-endnotes")
        || page
            .class_names(id)
            .any(|class| matches!(class, "footnotes" | "footnote-list" | "endnotes" | "footnotes-list"))
}

/// True for ids that are commonly used for footnotes.
pub(super) fn is_footnote_id(id: &str) -> bool {
    let rest = id.strip_prefix("user-content-").unwrap_or(id);
    ["fn:", "fn-", "footnote-", "fn"].iter().any(|prefix| {
        rest.strip_prefix(prefix)
            .is_some_and(|tail| !tail.is_empty() && tail.bytes().all(|byte| byte.is_ascii_digit()))
    })
}
