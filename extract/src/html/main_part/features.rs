//! Features of a unit before classification: its words, its position and its context.
//!
//! The trained classifiers depend on the order of the features.

use std::{collections::HashMap, sync::LazyLock};

use super::{
    characters::CharacterCounts,
    columns,
    marks::{self, UnitMarks},
    phrases::Phrases,
    siblings,
    units::{TextSums, Unit, Units},
};
use crate::page::{Id, Page};

/// Maximum distance, in blocks above a unit, at which the marks of a block are treated as near.
const NEAR: usize = 3;
/// Share of the text above which an element contains most of the text.
const BULK: f32 = 0.6;
/// Share of the text above which most marks of an element are ignored, because they apply to the whole page.
const WHOLE_PAGE: f32 = 0.6;

/// Features of the units of a page, one row per unit.
pub(crate) struct FeatureTable {
    pub(crate) width: usize,
    pub(crate) values: Vec<f32>,
}

impl FeatureTable {
    pub(crate) fn row(&self, unit: usize) -> &[f32] {
        &self.values[unit * self.width..(unit + 1) * self.width]
    }

    /// Number of words of each unit, plus a small constant so that no weight is zero.
    pub(crate) fn weights(&self) -> Vec<f32> {
        let rows = self.values.chunks(self.width.max(1));
        rows.map(|row| row[columns::WORDS_INDEX].exp_m1() + 0.01).collect()
    }
}

/// Properties of a page that are the same for all of its units.
pub(crate) struct PageStats {
    pub(crate) title: String,
    /// True for each type that Open Graph or JSON-LD declares: article, product, forum, list, service.
    pub(crate) kinds: [bool; 5],
    /// True if the page declares that it is news.
    pub(crate) news: bool,
    pub(crate) path_depth: usize,
    /// Phrases of the description.
    pub(crate) described: Phrases,
    /// Phrases of the texts in structured data.
    pub(crate) carried: Phrases,
}

struct Builder<'p> {
    page: &'p Page,
    units: &'p Units,
    sums: &'p TextSums,
    whole: &'p PageStats,
    own: Vec<UnitMarks>,
    any: Vec<UnitMarks>,
    /// Lowest element that contains most of the text.
    bulk_root: Id,
    total: f32,
    first_heading: usize,
    repeats: HashMap<&'p str, u32>,
    siblings: Vec<u32>,
}

/// Builds the table. `forms` identifies elements with the same structure.
pub(crate) fn table(
    page: &Page,
    units: &Units,
    sums: &TextSums,
    whole: &PageStats,
    forms: &[u64],
) -> FeatureTable {
    let builder = Builder::new(page, units, sums, whole, forms);
    let page_wide = builder.page_wide();
    let mut values = Vec::new();
    for unit in 0..units.len() {
        builder.row(unit, &page_wide, &mut values);
        if unit == 0 {
            // All rows are as long as the first row.
            values.reserve_exact(values.len() * (units.len() - 1));
        }
    }
    FeatureTable { width: values.len() / units.len().max(1), values }
}

impl<'p> Builder<'p> {
    fn new(
        page: &'p Page,
        units: &'p Units,
        sums: &'p TextSums,
        whole: &'p PageStats,
        forms: &[u64],
    ) -> Self {
        let total = sums.chars(0..page.len());
        let body = (1..page.len()).find(|&id| page.is(id, "body")).unwrap_or(0);
        let (own, any) = marks_of(page, sums, total);
        let mut repeats = HashMap::with_capacity(units.len());
        for unit in units.iter() {
            *repeats.entry(unit.text.as_str()).or_insert(0) += 1;
        }
        Self {
            page,
            units,
            sums,
            whole,
            own,
            any,
            bulk_root: descend(page, body, |id| sums.chars(page.subtree(id)), total),
            total: real(total),
            first_heading: units.iter().position(|unit| page.is(unit.container, "h1")).unwrap_or(usize::MAX),
            repeats,
            siblings: siblings::count_alike(page, forms),
        }
    }

    fn row(&self, index: usize, page_wide: &[f32; columns::PAGE.len()], out: &mut Vec<f32>) {
        let unit = &self.units[index];
        out.extend(self.words(index));
        out.extend(self.tags(unit));
        out.extend(self.position(index));
        self.neighbours(index, out);
        self.context(unit, out);
        out.extend(page_wide);
        self.marked(unit, out);
    }

    fn words(&self, index: usize) -> [f32; columns::TEXT.len()] {
        let unit = &self.units[index];
        let text = unit.text.trim();
        let words = unit.words;
        let CharacterCounts { letters, upper, capital, digits, commas, stops, currency, copyright, bar } =
            CharacterCounts::of(text);
        [
            log(words),
            share(unit.linked, unit.chars),
            flag(text.ends_with(['.', '!', '?', '。', '！', '？', '…', '"', '”', '؟'])),
            log(commas),
            log(stops),
            ratio(letters, words),
            ratio(digits, text.len()),
            ratio(upper, letters),
            ratio(capital, words),
            flag(currency),
            flag(copyright),
            flag(text.ends_with(':')),
            flag(bar),
            real(*self.repeats.get(unit.text.as_str()).unwrap_or(&1)).min(20.0),
            flag(!self.whole.title.is_empty() && words > 1 && self.whole.title.contains(text)),
            self.whole.described.share(text),
            self.whole.carried.share(text),
        ]
    }

    fn tags(&self, unit: &Unit) -> [f32; columns::TAG.len()] {
        let tag = self.page.tag(unit.container);
        let level = match tag {
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => f32::from(tag.as_bytes()[1] - b'0'),
            _ => 0.0,
        };
        let kind = match tag {
            "p" => 1,
            "li" => 2,
            "td" | "th" => 3,
            "dt" | "dd" => 4,
            "pre" => 5,
            "figcaption" => 6,
            "button" | "label" | "summary" => 7,
            "div" => 8,
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => 9,
            _ => 10,
        };
        let inner = unit.texts.first().map_or(0, |&text| self.page.parent(text));
        [
            level,
            flag(kind == 1),
            flag(kind == 2),
            flag(kind == 3),
            flag(kind == 4),
            flag(kind == 5),
            flag(kind == 6),
            flag(kind == 7),
            flag(kind == 8),
            flag(matches!(self.page.tag(inner), "strong" | "b" | "em" | "i")),
            flag(self.page.is(inner, "time")),
        ]
    }

    fn position(&self, index: usize) -> [f32; columns::POSITION.len()] {
        let unit = &self.units[index];
        let first = unit.texts.first().copied().unwrap_or(0);
        let before = self.sums.chars(0..first);
        [
            ratio(index, self.units.len()),
            real(before) / self.total.max(1.0),
            log(index),
            log(self.units.len() - index),
            if self.first_heading == usize::MAX {
                -60.0
            } else {
                (signed(index) - signed(self.first_heading)).clamp(-50.0, 50.0)
            },
            real(self.page.depth(unit.container)),
        ]
    }

    fn neighbours(&self, index: usize, out: &mut Vec<f32>) {
        let near = |offset: isize| index.checked_add_signed(offset).and_then(|at| self.units.get(at));
        for offset in columns::NEIGHBOURS {
            let unit = near(offset);
            let values: [f32; columns::NEIGHBOUR.len()] = [
                unit.map_or(-1.0, |unit| log(unit.words)),
                unit.map_or(-1.0, |unit| share(unit.linked, unit.chars)),
            ];
            out.extend(values);
        }
        let window = &self.units[index.saturating_sub(6)..self.units.len().min(index + 7)];
        let chars: u32 = window.iter().map(|unit| unit.chars).sum();
        let linked: u32 = window.iter().map(|unit| unit.linked).sum();
        let values: [f32; columns::WINDOW.len()] = [log_chars(chars), share(linked, chars)];
        out.extend(values);
    }

    /// Appends the features of the blocks that enclose the unit and of its branch of the main part.
    fn context(&self, unit: &Unit, out: &mut Vec<f32>) {
        let page = self.page;
        let blocks = || page.self_and_ancestors(unit.container).filter(|&id| !page.is_inline(id));
        let near: Vec<Id> = blocks().take(6).collect();
        for level in columns::LEVELS {
            match near.get(level) {
                Some(&id) => out.extend(self.content(id)),
                None => out.extend([-1.0; columns::CONTENT.len()]),
            }
        }
        let roots: [Id; columns::ROOTS.len()] = [self.bulk_root];
        for root in roots {
            let inside = page.subtree(root).contains(&unit.container);
            let branch = if inside { blocks().take_while(|&id| id != root).last() } else { None };
            out.push(flag(inside));
            match branch {
                Some(id) => out.extend(self.content(id)),
                None => out.extend([-1.0; columns::CONTENT.len()]),
            }
        }
        let alike = near.iter().take(5).map(|&id| self.siblings[id]).max().unwrap_or(0);
        let values: [f32; columns::ALIKE.len()] =
            [real(alike.min(60)), real(self.siblings[unit.container].min(60))];
        out.extend(values);
    }

    /// Features of the content of an element.
    fn content(&self, id: Id) -> [f32; columns::CONTENT.len()] {
        let range = self.page.subtree(id);
        let (chars, units) = (self.sums.chars(range.clone()), self.units.within(range.clone()).len());
        [
            log_chars(chars),
            share(self.sums.linked(range), chars),
            log(units),
            real(chars) / real_count(units.max(1)),
            real(chars) / self.total.max(1.0),
        ]
    }

    fn page_wide(&self) -> [f32; columns::PAGE.len()] {
        let all = 0..self.page.len();
        let [article, product, forum, list, service] = self.whole.kinds.map(flag);
        [
            self.total.ln_1p(),
            share(self.sums.linked(all.clone()), self.sums.chars(all.clone())),
            share(
                self.sums.linked(self.page.subtree(self.bulk_root)),
                self.sums.chars(self.page.subtree(self.bulk_root)),
            ),
            log(self.units.len()),
            self.total / real_count(self.units.len()).max(1.0),
            real_count(self.whole.path_depth),
            article,
            product,
            forum,
            list,
            service,
            flag(self.whole.carried.is_empty()),
            flag(self.whole.news),
        ]
    }

    fn marked(&self, unit: &Unit, out: &mut Vec<f32>) {
        let inner = unit.texts.first().map_or(unit.container, |&text| self.page.parent(text));
        let mut near = self.own[inner];
        for above in self.page.self_and_ancestors(unit.container).take(NEAR) {
            near |= self.own[above];
        }
        let any = self.any[inner];
        let values: [f32; marks::COUNT] =
            std::array::from_fn(|bit| flag(near >> bit & 1 == 1) + flag(any >> bit & 1 == 1));
        out.extend(values);
    }
}

/// Returns the marks of each element, and the union of the marks of each element and its ancestors.
fn marks_of(page: &Page, sums: &TextSums, total: u32) -> (Vec<UnitMarks>, Vec<UnitMarks>) {
    let mut own = vec![0; page.len()];
    let mut any = vec![0; page.len()];
    for id in 1..page.len() {
        if page.is_element(id)
            && !matches!(page.tag(id), "html" | "body" | "head" | "script" | "style" | "meta" | "link")
        {
            let holds_all = real(sums.chars(page.subtree(id))) > WHOLE_PAGE * real(total);
            let telling = if holds_all { 1 << 30 | 1 << 31 | 1 << 13 | 1 << 45 } else { UnitMarks::MAX };
            own[id] = marks::of(page, id) & telling;
        }
        any[id] = any[page.parent(id)] | own[id];
    }
    (own, any)
}

/// Descends from an element as long as one child contains most of `total`, as measured by `holds`.
fn descend(page: &Page, from: Id, holds: impl Fn(Id) -> u32, total: u32) -> Id {
    let mut at = from;
    loop {
        let next = page.element_children(at).find(|&child| real(holds(child)) > BULK * real(total));
        match next {
            Some(child) => at = child,
            None => return at,
        }
    }
}

fn flag(is: bool) -> f32 {
    f32::from(u8::from(is))
}

fn share(part: u32, whole: u32) -> f32 {
    if whole == 0 { 0.0 } else { real(part) / real(whole) }
}

fn ratio(part: usize, whole: usize) -> f32 {
    if whole == 0 { 0.0 } else { real_count(part) / real_count(whole) }
}

/// Logarithms of small counts, which occur most frequently.
static LOGS: LazyLock<[f32; 1024]> = LazyLock::new(|| std::array::from_fn(|count| real_count(count).ln_1p()));

fn log(count: usize) -> f32 {
    LOGS.get(count).copied().unwrap_or_else(|| real_count(count).ln_1p())
}

fn log_chars(count: u32) -> f32 {
    log(count as usize)
}

#[expect(clippy::cast_precision_loss, reason = "features are compared, not counted with")]
fn real(count: u32) -> f32 {
    count as f32
}

#[expect(clippy::cast_precision_loss, reason = "features are compared, not counted with")]
fn real_count(count: usize) -> f32 {
    count as f32
}

fn signed(count: usize) -> f32 {
    real_count(count)
}
