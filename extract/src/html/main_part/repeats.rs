//! Drops repeated text: variants of a part for other devices, copies at another position, and calls to
//! action. Repetition by the author is retained, such as refrains, recipe steps and interview questions.

use std::{collections::HashMap, ops::Range};

use super::{
    calls_to_action::is_call_to_action,
    siblings::Siblings,
    units::{Units, units_in},
};
use crate::page::{Id, Page};

/// Minimum number of words in a repeated text that may be dropped.
const COPIED_WORDS: usize = 8;
/// Minimum number of occurrences for a call to action to be dropped, and for a text to be a refrain.
const REPEATED: usize = 3;

/// Units of a page in which repeated text is dropped.
pub(super) struct Repeats<'p> {
    pub(super) page: &'p Page,
    pub(super) units: &'p Units,
    pub(super) siblings: &'p Siblings,
    /// Units of data tables, which are never dropped as copies.
    pub(super) is_cell: &'p [bool],
}

impl Repeats<'_> {
    /// Drops all but the first of adjacent elements with the same text in different markup. Such elements are
    /// variants of a part for different devices, and a browser shows only one of them. Elements with the same
    /// text and the same markup are repeated by the author.
    pub(super) fn drop_variants(&self, selected: &mut [bool]) {
        let (page, units) = (self.page, self.units);
        for parent in 0..page.len() {
            let mut first: Option<(Id, Range<usize>)> = None;
            // Index after the units of the previous element, which is `first` or a variant of it.
            let mut end = 0;
            for child in page.element_children(parent) {
                let inside = units_in(page, units, child);
                if !selected[inside.clone()].contains(&true) {
                    continue;
                }
                let is_variant = first.as_ref().is_some_and(|(first, own)| {
                    !selected[end..inside.start].contains(&true)
                        && self.is_variant(selected, (*first, own), (child, &inside))
                });
                end = inside.end;
                if is_variant {
                    selected[inside].fill(false);
                } else {
                    first = Some((child, inside));
                }
            }
        }
    }

    /// True if the second element, with its range of units, is a variant of the first.
    fn is_variant(&self, selected: &[bool], first: (Id, &Range<usize>), next: (Id, &Range<usize>)) -> bool {
        let texts = |range: &Range<usize>| {
            let range = range.clone();
            self.units[range.clone()]
                .iter()
                .zip(&selected[range])
                .filter(|(_, is)| **is)
                .map(|(unit, _)| unit)
        };
        may_be_variant(self.page, next.0)
            && texts(first.1).map(|unit| unit.text.trim()).eq(texts(next.1).map(|unit| unit.text.trim()))
            && texts(next.1).map(|unit| unit.words).sum::<usize>() >= COPIED_WORDS
            && !have_equal_markup(self.page, first.0, next.0)
    }

    /// Drops a call to action that an article repeats at least `REPEATED` times, each time in a separate
    /// element. Examples are a consent notice instead of each video, and a call to subscribe between
    /// paragraphs.
    pub(super) fn drop_calls(&self, selected: &mut [bool]) {
        let (page, units) = (self.page, self.units);
        let mut repeats: HashMap<&str, Vec<usize>> = HashMap::new();
        for (index, unit) in units.iter().enumerate().filter(|&(index, _)| selected[index]) {
            if !matches!(page.tag(unit.container), "td" | "th" | "pre" | "code" | "dt" | "dd")
                && !page.is_heading(unit.container)
                && unit.words >= COPIED_WORDS
            {
                repeats.entry(unit.text.trim()).or_default().push(index);
            }
        }
        for repeats in repeats.into_values().filter(|repeats| repeats.len() >= REPEATED) {
            let parent = |index: usize| page.parent(units[index].container);
            let are_separate = repeats.windows(2).all(|pair| parent(pair[0]) < parent(pair[1]));
            if are_separate && repeats.iter().all(|&index| is_call_to_action(page, units, &units[index])) {
                for index in repeats {
                    selected[index] = false;
                }
            }
        }
    }

    /// Drops a text that is already selected at another position, such as a copy for small screens, a teaser
    /// or a pull quote. A repetition at the same position is intended by the author.
    ///
    /// `drop_all_copies` is true for pages whose authors repeat no text except questions: only repeated
    /// questions are retained. On other pages, all copies at the same position of a repeated element are
    /// retained.
    pub(super) fn drop_copies(&self, drop_all_copies: bool, selected: &mut [bool]) {
        let units = self.units;
        let order: Vec<usize> = (0..units.len()).filter(|&unit| selected[unit]).collect();
        let mut counts: HashMap<&str, usize> = HashMap::new();
        for &unit in &order {
            *counts.entry(units[unit].text.trim()).or_default() += 1;
        }
        let mut seen: HashMap<&str, usize> = HashMap::new();
        for (position, &unit) in order.iter().enumerate() {
            let container = units[unit].container;
            if units[unit].words < COPIED_WORDS
                || self.is_cell[unit]
                || matches!(self.page.tag(container), "td" | "th" | "pre" | "code")
            {
                continue;
            }
            let text = units[unit].text.trim();
            let Some(&first) = seen.get(text) else {
                seen.insert(text, position);
                continue;
            };
            let parent = |unit: usize| self.page.parent(units[unit].container);
            let may_stay = !drop_all_copies || text.ends_with(['?', '？']);
            selected[unit] = parent(order[first]) == parent(unit)
                || may_stay && self.siblings.groups[order[first]][0] == self.siblings.groups[unit][0]
                || may_stay && counts[text] >= REPEATED && self.is_refrain(&order, first, position);
        }
    }

    /// True if the unit at `position` in the selected units has the same element path as the first unit with
    /// its text, and is not part of a longer copy.
    fn is_refrain(&self, order: &[usize], first: usize, position: usize) -> bool {
        let path = |position: usize| {
            let container = self.units[order[position]].container;
            self.page.self_and_ancestors(container).map(|id| self.page.tag(id))
        };
        let text = |position: Option<usize>| order.get(position?).map(|&unit| self.units[unit].text.trim());
        let is_equal = |one, other| text(one).is_some() && text(one) == text(other);
        path(first).eq(path(position))
            && !is_equal(first.checked_sub(1), position.checked_sub(1))
            && !is_equal(first.checked_add(1), position.checked_add(1))
    }
}

/// True for elements that can be a variant of a part. Rows, cells and list items may be equal on purpose.
fn may_be_variant(page: &Page, id: Id) -> bool {
    !page.is_inline(id)
        && !matches!(
            page.tag(id),
            "li" | "tr" | "td" | "th" | "dt" | "dd" | "option" | "pre" | "thead" | "tbody" | "tfoot"
        )
}

/// True if the blocks of two elements have the same tags, classes and styles.
fn have_equal_markup(page: &Page, one: Id, other: Id) -> bool {
    let markup = |id: Id| {
        page.subtree(id)
            .filter(|&inner| page.is_element(inner) && !page.is_inline(inner))
            .map(|inner| (page.tag(inner), page.class(inner), page.attribute(inner, "style")))
    };
    markup(one).eq(markup(other))
}

#[cfg(test)]
mod tests;
