//! Splits a page into units: runs of text between two block boundaries. Each unit is selected or dropped as a
//! whole.

use std::ops::{Deref, Range};

use crate::{
    clean,
    html::gaps::is_after_gap,
    page::{Id, Page},
};

/// Minimum number of words in a `noscript` that contains the text of the page. A shorter `noscript` is only a
/// notice that scripts are required.
const MIN_NOSCRIPT_WORDS: usize = 80;

/// Number of units below which a page is small, with little text outside the main part.
pub(super) const SMALL_PAGE_UNITS: usize = 24;

/// Run of text between two block boundaries.
pub(crate) struct Unit {
    /// Text nodes of the unit.
    pub(crate) texts: Vec<Id>,
    /// Nearest enclosing block element.
    pub(crate) container: Id,
    pub(crate) chars: u32,
    pub(crate) linked: u32,
    pub(crate) text: String,
    pub(crate) words: usize,
}

/// Units of a page, in page order.
pub(crate) struct Units {
    all: Vec<Unit>,
    /// For each node, the number of units that begin before it.
    before: Vec<u32>,
}

impl Deref for Units {
    type Target = [Unit];

    fn deref(&self) -> &[Unit] {
        &self.all
    }
}

impl Units {
    /// Range of the units that begin at one of these nodes.
    pub(crate) fn within(&self, range: Range<Id>) -> Range<usize> {
        self.before[range.start] as usize..self.before[range.end] as usize
    }
}

/// Prefix sums over the nodes. The sum of a subtree is the difference of two of them.
pub(crate) struct TextSums {
    chars: Vec<u32>,
    linked: Vec<u32>,
}

impl TextSums {
    pub(crate) fn chars(&self, range: Range<Id>) -> u32 {
        self.chars[range.end] - self.chars[range.start]
    }

    pub(crate) fn linked(&self, range: Range<Id>) -> u32 {
        self.linked[range.end] - self.linked[range.start]
    }
}

/// True for elements whose text is not displayed as text of the page.
pub(crate) fn is_non_text(tag: &str) -> bool {
    matches!(
        tag,
        "script"
            | "style"
            | "template"
            | "noscript"
            | "head"
            | "select"
            | "textarea"
            | "canvas"
            | "svg"
            | "iframe"
            | "title"
            | "datalist"
            | "annotation"
    )
}

/// True for a `noscript` that contains the text of the page for browsers without scripts, as opposed to a
/// notice or an image.
pub(crate) fn is_noscript_content(page: &Page, id: Id) -> bool {
    let mut words = 0;
    for inner in page.descendants(id) {
        words += page.text(inner).map_or(0, clean::words);
        if words > MIN_NOSCRIPT_WORDS {
            return true;
        }
    }
    false
}

/// Splits the visible text of a page into units, and computes the prefix sums.
pub(crate) fn split(page: &Page, hidden: &[bool]) -> (Units, TextSums) {
    let mut units: Vec<Unit> = Vec::new();
    let mut splitter = Splitter { page, open: None, units: &mut units };
    let count = page.len();
    let mut sums = TextSums { chars: vec![0; count + 1], linked: vec![0; count + 1] };
    let mut silent_until = 0;
    // End of the current link. Links do not nest, except in invalid markup.
    let mut link_until = 0;
    let mut boundaries: Vec<Id> = Vec::new();
    for (id, &is_hidden) in hidden.iter().enumerate() {
        while boundaries.last().is_some_and(|&end| end <= id) {
            boundaries.pop();
            splitter.close();
        }
        let mut seen = (0, 0);
        if id >= silent_until {
            if let Some(text) = page.text(id) {
                if !is_hidden {
                    seen = splitter.text(id, text, id < link_until);
                }
            } else if is_non_text(page.tag(id)) && !(page.is(id, "noscript") && is_noscript_content(page, id))
            {
                silent_until = page.subtree(id).end;
            } else {
                if page.sibling_before(id).is_some_and(|before| is_after_gap(page, before, id)) {
                    splitter.gap();
                }
                if page.is(id, "a") && page.attribute(id, "href").is_some() {
                    link_until = link_until.max(page.subtree(id).end);
                }
                if !page.is_inline(id) && !page.is(id, "br") {
                    splitter.close();
                    boundaries.push(page.subtree(id).end);
                }
            }
        }
        sums.chars[id + 1] = sums.chars[id] + seen.0;
        sums.linked[id + 1] = sums.linked[id] + seen.1;
    }
    splitter.close();
    let mut before = vec![0; count + 1];
    for first in units.iter().filter_map(|unit| unit.texts.first()) {
        before[first + 1] += 1;
    }
    for id in 0..count {
        before[id + 1] += before[id];
    }
    (Units { all: units, before }, sums)
}

/// Range of the units whose first text is in the element.
pub(super) fn units_in(page: &Page, units: &Units, id: Id) -> Range<usize> {
    units.within(page.subtree(id))
}

struct Splitter<'p, 'u> {
    page: &'p Page,
    open: Option<Unit>,
    units: &'u mut Vec<Unit>,
}

impl Splitter<'_, '_> {
    /// Adds a text node to the open unit. Returns the number of its visible characters, and the number of
    /// linked characters among them.
    fn text(&mut self, id: Id, text: &str, in_link: bool) -> (u32, u32) {
        let chars = u32::try_from(clean::visible_chars(text)).unwrap_or(u32::MAX);
        if chars == 0 {
            if let Some(unit) = &mut self.open {
                clean::push_folded(&mut unit.text, text);
                unit.texts.push(id);
            }
            return (0, 0);
        }
        let page = self.page;
        let unit = self.open.get_or_insert_with(|| Unit {
            texts: Vec::new(),
            container: page.ancestors(id).find(|&above| !page.is_inline(above)).unwrap_or(0),
            chars: 0,
            linked: 0,
            text: String::new(),
            words: 0,
        });
        let linked = if in_link { chars } else { 0 };
        unit.texts.push(id);
        unit.chars += chars;
        unit.linked += linked;
        clean::push_folded(&mut unit.text, text);
        (chars, linked)
    }

    fn gap(&mut self) {
        if let Some(unit) = &mut self.open {
            clean::push_folded(&mut unit.text, " ");
        }
    }

    fn close(&mut self) {
        self.units.extend(self.open.take().map(|mut unit| {
            unit.words = clean::words(&unit.text);
            unit
        }));
    }
}
