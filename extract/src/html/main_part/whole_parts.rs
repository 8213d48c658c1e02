//! Parts that are selected as a whole or not at all: data tables, sections of layout tables, and text that a
//! control reveals. A row without its cells, or a question without its answer, would be misleading.

use std::ops::Range;

use super::units::{SMALL_PAGE_UNITS, Units, units_in};
use crate::{
    html::{
        boilerplate::is_boilerplate,
        disclosures::{Disclosure, Disclosures},
        table::TableShape,
    },
    page::{Id, Page},
};

/// Maximum number of ancestors of a part that are searched for the text to which it belongs.
const MAX_LAYERS: usize = 8;
/// Maximum number of units before and after a part that are searched for that text.
const SEARCHED_UNITS: usize = 200;
/// Minimum number of words in a paragraph of running text.
const PROSE_WORDS: usize = 8;
/// Number of units before and after a part that are checked. At least one of them must be selected.
const NEAR_UNITS: usize = 3;
/// Maximum number of unselected units next to a part in its branch of the text. If there are more, the branch
/// is not part of the text.
const MAX_OTHER_UNITS: usize = 3;
/// Share of characters above which a part is mostly selected or mostly linked.
const MOST: f64 = 0.5;
/// Share of selected characters above which a table of links, or a table with irregular rows, is selected.
const SOME: f64 = 0.25;
/// Maximum number of words in a line that introduces a table.
const LEAD_WORDS: usize = 30;
/// Maximum distance from a table to its figure, in ancestors.
const FIGURE_LAYERS: usize = 3;

/// Units of a page, with the parts that are selected as a whole.
pub(super) struct WholeParts<'p> {
    page: &'p Page,
    units: &'p Units,
    /// Data tables that are not nested in another data table.
    data: Vec<(Id, TableShape)>,
    layout: Vec<(Id, TableShape)>,
    sections: &'p [Disclosure],
    /// For each unit, true if it belongs to a data table.
    is_cell: Vec<bool>,
    /// For each unit, true if it belongs to a data table or to a section that readers can reveal.
    is_of_part: Vec<bool>,
}

/// Shares of selected and of linked characters, from 0 to 1.
struct Share {
    selected: f64,
    linked: f64,
}

impl<'p> WholeParts<'p> {
    pub(super) fn of(
        page: &'p Page,
        units: &'p Units,
        hidden: &[bool],
        disclosures: &'p Disclosures,
    ) -> Self {
        let visible: Vec<bool> = hidden.iter().map(|hidden| !hidden).collect();
        let (mut data, mut layout) = (Vec::new(), Vec::new());
        let mut is_cell = vec![false; units.len()];
        let mut id = 1;
        while id < page.len() {
            if page.is(id, "table") && visible[id] {
                let shape = TableShape::of(page, id, &visible);
                if shape.is_data() {
                    is_cell[units_in(page, units, id)].fill(true);
                    data.push((id, shape));
                    id = page.subtree(id).end;
                    continue;
                }
                layout.push((id, shape));
            }
            id += 1;
        }
        let mut is_of_part = is_cell.clone();
        for section in &disclosures.sections {
            is_of_part[units_in(page, units, section.panel)].fill(true);
            is_of_part[units_in(page, units, section.control)].fill(true);
        }
        Self { page, units, data, layout, sections: &disclosures.sections, is_cell, is_of_part }
    }

    /// For each unit, true if it belongs to a data table.
    pub(super) fn cells(&self) -> &[bool] {
        &self.is_cell
    }

    /// Selects each part that belongs to the selected text, and excludes the other data tables.
    ///
    /// `is_forum` is true for pages on which a table cell can be a post.
    pub(super) fn complete(&self, is_forum: bool, selected: &mut [bool]) {
        for section in self.sections.iter().chain(self.sections.iter().rev()) {
            self.complete_section(*section, selected);
        }
        for (table, shape) in &self.layout {
            self.complete_layout(*table, shape, selected);
        }
        for (table, shape) in &self.data {
            self.complete_table(*table, shape, is_forum, selected);
        }
    }

    fn complete_section(&self, section: Disclosure, selected: &mut [bool]) {
        let (page, units) = (self.page, self.units);
        let inside = units_in(page, units, section.panel);
        if inside.is_empty()
            || self.share(&inside, selected).selected <= MOST && !self.is_among_text(section.panel, selected)
        {
            return;
        }
        selected[inside.clone()].fill(true);
        // The name of a tab may be far from its text. In that case, it is not selected with the text.
        let label = units_in(page, units, section.control);
        let is_next = (label.end..inside.start).len() <= NEAR_UNITS
            && (label.end..inside.start).all(|unit| !self.is_of_part[unit] && !selected[unit]);
        if label.start <= inside.start && is_next {
            selected[label].fill(true);
        }
    }

    /// Completes the sections of a layout table, each of which begins with a heading. They belong to the text
    /// if the table is between two selected texts, or has a single column and one of its sections is
    /// selected.
    fn complete_layout(&self, table: Id, shape: &TableShape, selected: &mut [bool]) {
        let inside = units_in(self.page, self.units, table);
        let is_selected = selected[inside.clone()].contains(&true);
        // On a small page, a table of the text can contain most of the units.
        let is_of_page =
            self.units.len() >= SMALL_PAGE_UNITS && inside.len() > self.units.len() / 2 && !shape.is_column();
        if is_of_page || self.is_in_boilerplate(table) {
            return;
        }
        let is_near = |range: Range<usize>| selected[range].contains(&true);
        let is_between = is_near(inside.start.saturating_sub(1)..inside.start)
            && is_near(inside.end..selected.len().min(inside.end + 1))
            && self.is_among_text(table, selected);
        if !(shape.is_column() && is_selected || is_between) {
            return;
        }
        let mut start = inside.start;
        if shape.has_tables() && is_between {
            // Titles above the first heading, such as the names of nested tables.
            let end = inside.clone().find(|&unit| self.is_heading(unit)).unwrap_or(inside.end);
            let is_name = |unit: usize| {
                self.units[unit].linked * 2 < self.units[unit].chars && !self.is_boilerplate_unit(unit, table)
            };
            for (unit, selected) in (start..end).zip(&mut selected[start..end]) {
                *selected |= is_name(unit);
            }
        }
        while let Some(heading) = (start..inside.end).find(|&unit| self.is_heading(unit)) {
            let end = (heading + 1..inside.end).find(|&unit| self.is_heading(unit)).unwrap_or(inside.end);
            let section = heading..end;
            let is_text = section.clone().all(|unit| !self.is_boilerplate_unit(unit, table));
            if section.len() > 1 && is_text && self.share(&section, selected).linked < MOST {
                selected[section].fill(true);
            }
            start = end;
        }
    }

    fn complete_table(&self, table: Id, shape: &TableShape, is_forum: bool, selected: &mut [bool]) {
        let inside = units_in(self.page, self.units, table);
        if inside.is_empty() || shape.is_single_cell() {
            return;
        }
        let share = self.share(&inside, selected);
        let is_content = if self.is_in_boilerplate(table) || is_forum && !shape.is_headed {
            share.selected > MOST
        } else if shape.is_headed {
            share.selected > 0.0 || self.is_among_text(table, selected)
        } else if !shape.is_regular() || share.linked >= MOST {
            share.selected > SOME
        } else {
            share.selected > 0.0 || self.is_among_text(table, selected)
        };
        // A table of posts, or an irregular table with most of the page, may be page layout, so it is not
        // excluded.
        let is_of_page = !shape.is_regular() && inside.len() * 2 > self.units.len();
        if is_content || !is_forum && !is_of_page {
            selected[inside.clone()].fill(is_content);
        }
        if is_content {
            self.complete_captions(table, &inside, selected);
        }
    }

    /// Selects the figure caption of a table, its heading, and the line that introduces it.
    fn complete_captions(&self, table: Id, inside: &Range<usize>, selected: &mut [bool]) {
        let page = self.page;
        let figure = page.ancestors(table).take(FIGURE_LAYERS).find(|&above| page.is(above, "figure"));
        for caption in figure.into_iter().flat_map(|figure| page.descendants(figure)) {
            if page.is(caption, "figcaption") {
                selected[units_in(page, self.units, caption)].fill(true);
            }
        }
        let first = figure.map_or(inside.start, |figure| units_in(page, self.units, figure).start);
        let Some(before) = first.checked_sub(1) else { return };
        let unit = &self.units[before];
        let introduces = self.is_heading(before)
            || page.is(unit.container, "p")
                && unit.words <= LEAD_WORDS
                && unit.text.trim_end().ends_with([':', '：']);
        if introduces && page.subtree(page.parent(unit.container)).contains(&table) {
            selected[before] = true;
        }
    }

    /// True if a part is among the paragraphs of a selected text: next to selected units, or in an element
    /// that is mostly selected.
    fn is_among_text(&self, part: Id, selected: &[bool]) -> bool {
        let (page, units) = (self.page, self.units);
        let own = units_in(page, units, part);
        let near = |id: Id| {
            let inside = units_in(page, units, id);
            inside.start.max(own.start.saturating_sub(SEARCHED_UNITS))
                ..inside.end.min(own.end + SEARCHED_UNITS)
        };
        let mut branch = part;
        for layer in page.ancestors(part).take(MAX_LAYERS) {
            if layer == 0 || page.is(layer, "html") || is_boilerplate(page, branch) {
                return false;
            }
            let inside = near(layer);
            let others = |range: Range<usize>| range.filter(|unit| !own.contains(unit));
            if others(inside.clone()).any(|unit| selected[unit] && self.is_prose(unit)) {
                let is_other = |&unit: &usize| !selected[unit] && !self.is_of_part[unit];
                let in_branch = others(near(branch)).filter(is_other).count();
                return in_branch <= MAX_OTHER_UNITS
                    && (self.is_next_to_selected(&own, &inside, selected)
                        || self.is_mostly_selected(others(inside), selected));
            }
            branch = layer;
        }
        false
    }

    /// True if one of the nearest units before or after a part is selected. Unselected units of other parts
    /// are skipped.
    fn is_next_to_selected(&self, own: &Range<usize>, inside: &Range<usize>, selected: &[bool]) -> bool {
        let counts = |unit: &usize| selected[*unit] || !self.is_of_part[*unit];
        let before = (inside.start..own.start).rev().filter(counts).take(NEAR_UNITS);
        let after = (own.end..inside.end).filter(counts).take(NEAR_UNITS);
        before.chain(after).any(|unit| selected[unit])
    }

    fn is_mostly_selected(&self, among: impl Iterator<Item = usize>, selected: &[bool]) -> bool {
        let (mut all, mut chosen) = (0.0, 0.0);
        for unit in among.filter(|&unit| selected[unit] || !self.is_of_part[unit]) {
            let chars = f64::from(self.units[unit].chars);
            all += chars;
            chosen += if selected[unit] { chars } else { 0.0 };
        }
        chosen > all * MOST
    }

    /// True for a paragraph of prose.
    fn is_prose(&self, unit: usize) -> bool {
        let unit = &self.units[unit];
        unit.words >= PROSE_WORDS
            && unit.linked * 2 < unit.chars
            && !matches!(
                self.page.tag(unit.container),
                "td" | "th" | "button" | "label" | "summary" | "figcaption"
            )
    }

    /// True if the element or one of its ancestors is boilerplate. Ancestors that contain most of the page
    /// are not checked.
    fn is_in_boilerplate(&self, id: Id) -> bool {
        let is_small = |&above: &Id| units_in(self.page, self.units, above).len() * 2 < self.units.len();
        let enclosing = self.page.ancestors(id).take(MAX_LAYERS).take_while(is_small);
        std::iter::once(id).chain(enclosing).any(|id| is_boilerplate(self.page, id))
    }

    /// True if a unit of a table is in boilerplate inside the table.
    fn is_boilerplate_unit(&self, unit: usize, table: Id) -> bool {
        self.page
            .self_and_ancestors(self.units[unit].container)
            .take_while(|&above| above > table)
            .any(|above| is_page_control(self.page, above))
    }

    fn is_heading(&self, unit: usize) -> bool {
        self.page.is_heading(self.units[unit].container)
    }

    fn share(&self, range: &Range<usize>, selected: &[bool]) -> Share {
        let (mut all, mut share) = (0.0, Share { selected: 0.0, linked: 0.0 });
        for (unit, is_selected) in self.units[range.clone()].iter().zip(&selected[range.clone()]) {
            let chars = f64::from(unit.chars);
            all += chars;
            share.linked += f64::from(unit.linked);
            share.selected += if *is_selected { chars } else { 0.0 };
        }
        Share { selected: share.selected / f64::max(all, 1.0), linked: share.linked / f64::max(all, 1.0) }
    }
}

fn is_page_control(page: &Page, id: Id) -> bool {
    matches!(page.tag(id), "button" | "label") || is_boilerplate(page, id)
}

#[cfg(test)]
mod tests;
