//! Cards: short entries of a listing or collection.

use std::collections::{HashMap, HashSet};

use super::form::{MAX_VISITED_NODES, form};
use crate::{
    clean,
    document::{Block, BlockKind, ListItemPosition, Mark, Style, bound},
    html::main_part::is_non_text,
    page::{Id, Page},
};

/// Minimum number of cards in a row.
const MIN_CARDS: usize = 3;
/// Maximum average number of words in a card. A card with more than twice as many words remains separate
/// blocks.
const MAX_WORDS: usize = 120;
/// Minimum percentage of cards in a row that have a link or heading.
const MIN_LED_PERCENT: usize = 80;
/// Maximum average number of headings in a card, in tenths. A section usually has more headings.
const MAX_HEADINGS: usize = 13;
/// Maximum average number of link targets of a card, in tenths. A card links to its item, its maker and its
/// group. A section usually links to more pages.
const MAX_TARGETS: usize = 40;

/// Minimum percentage of selected text for a row to be selected completely.
const MIN_SELECTED_PERCENT: usize = 30;

/// Counts of an element that may be a card.
#[derive(Default)]
struct CardStats {
    words: usize,
    lines: usize,
    headings: usize,
    targets: usize,
}

/// Cards of a page: rows of similar siblings that consist of few lines. Most siblings in a row have a link or
/// heading.
pub(super) fn find(page: &Page, keep: &[bool]) -> HashSet<Id> {
    rows(page, keep).into_iter().flatten().collect()
}

/// Selects each row of cards completely if enough of it is selected. An entry without its heading, or a list
/// with missing entries, would be misleading.
pub(super) fn complete(page: &Page, hidden: &[bool], keep: &mut [bool]) {
    let mut visible: Vec<bool> = hidden.iter().map(|hidden| !hidden).collect();
    let mut at = 1;
    while at < page.len() {
        let inside = page.subtree(at);
        if is_non_text(page.tag(at))
            || matches!(page.tag(at), "nav" | "aside" | "footer" | "form" | "button" | "label" | "select")
        {
            visible[inside.clone()].fill(false);
            at = inside.end;
        } else {
            at += 1;
        }
    }
    for row in rows(page, &visible) {
        let texts = || {
            row.iter()
                .flat_map(|&card| page.subtree(card))
                .filter(|&id| visible[id] && page.text(id).is_some())
        };
        let bytes = |id: Id| page.text(id).map_or(0, |text| text.trim().len());
        let all: usize = texts().map(bytes).sum();
        let selected: usize = texts().filter(|&id| keep[id]).map(bytes).sum();
        if selected * 100 >= all * MIN_SELECTED_PERCENT && selected < all {
            for id in texts().collect::<Vec<_>>() {
                keep[id] = true;
                let mut above = page.parent(id);
                while above != 0 && !keep[above] {
                    keep[above] = true;
                    above = page.parent(above);
                }
            }
        }
    }
}

/// Finds the rows of cards.
fn rows(page: &Page, keep: &[bool]) -> Vec<Vec<Id>> {
    let mut result: Vec<Vec<Id>> = Vec::new();
    let mut cards: HashSet<Id> = HashSet::new();
    let mut visited = 0;
    let mut at = 1;
    while at < page.len() {
        if cards.contains(&at) || matches!(page.tag(at), "table" | "pre" | "head" | "svg") {
            at = page.subtree(at).end;
            continue;
        }
        if keep[at] && page.is_element(at) {
            let mut rows: HashMap<(&str, &str), Vec<Id>> = HashMap::new();
            for child in page.element_children(at).filter(|&child| keep[child] && may_be_card(page, child)) {
                rows.entry(form(page, child)).or_default().push(child);
            }
            for row in rows.into_values().filter(|row| row.len() >= MIN_CARDS) {
                visited += row.iter().map(|&id| page.subtree(id).len()).sum::<usize>();
                if visited > MAX_VISITED_NODES {
                    return Vec::new();
                }
                if is_row_of_cards(page, &row, keep) {
                    cards.extend(&row);
                    result.push(row);
                }
            }
        }
        at += 1;
    }
    result
}

fn may_be_card(page: &Page, id: Id) -> bool {
    match page.tag(id) {
        "p" | "dt" | "dd" | "tr" | "td" | "h1" | "h2" | "h3" | "h4" | "h5" | "h6" | "nav" | "blockquote"
        | "figure" => false,
        "a" => page.element_children(id).any(|inner| !page.is_inline(inner)),
        _ => !page.is_inline(id),
    }
}

fn is_row_of_cards(page: &Page, row: &[Id], keep: &[bool]) -> bool {
    let stats: Vec<CardStats> = row.iter().map(|&id| measure(page, id, keep)).collect();
    let count = row.len();
    let led = stats.iter().filter(|stats| stats.targets + stats.headings > 0).count();
    let sum = |of: fn(&CardStats) -> usize| stats.iter().map(of).sum::<usize>();
    led * 100 >= count * MIN_LED_PERCENT
        && sum(|stats| stats.words) <= count * MAX_WORDS
        && sum(|stats| stats.lines) * 2 >= count * 3
        && sum(|stats| stats.headings) * 10 <= count * MAX_HEADINGS
        && sum(|stats| stats.targets) * 10 <= count * MAX_TARGETS
}

fn measure(page: &Page, id: Id, keep: &[bool]) -> CardStats {
    let mut stats = CardStats::default();
    let mut targets = HashSet::new();
    let mut block = 0;
    for inner in page.subtree(id).filter(|&inner| keep[inner]) {
        if let Some(text) = page.text(inner).filter(|text| !text.trim().is_empty()) {
            stats.words += clean::words(text);
            let container = page.ancestors(inner).find(|&above| !page.is_inline(above)).unwrap_or(0);
            stats.lines += usize::from(container != block);
            block = container;
        } else if page.is_heading(inner) {
            stats.headings += 1;
        } else if page.is(inner, "a") {
            targets.extend(page.value(inner, "href"));
        }
    }
    stats.targets = targets.len();
    stats
}

/// Joins the blocks of a card to one list item. If they contain anything but lines, the blocks are returned
/// unchanged.
pub(in crate::html) fn join_as_item(blocks: Vec<Block>, depth: u8) -> Vec<Block> {
    let is_line = |block: &Block| {
        matches!(
            block.kind,
            BlockKind::Heading | BlockKind::Paragraph | BlockKind::ListItem | BlockKind::Quote
        )
    };
    let lines = blocks.iter().filter(|block| is_line(block)).count();
    let figures = blocks.iter().filter(|block| block.kind == BlockKind::Figure).count();
    let words: usize = blocks.iter().map(|block| clean::words(&block.text)).sum();
    if lines == 0 || lines + figures < blocks.len() || words > MAX_WORDS * 2 {
        return blocks;
    }
    let mut item = Block {
        kind: BlockKind::ListItem,
        list: Some(ListItemPosition { depth, number: None }),
        ..Block::default()
    };
    let mut pictures = Vec::new();
    for block in blocks {
        if block.kind == BlockKind::Figure {
            pictures.push(block);
        } else {
            append(&mut item, block);
        }
    }
    // An image that repeats the text of the card is decoration.
    pictures.retain(|picture| !item.text.contains(&picture.text));
    std::iter::once(item).chain(pictures).collect()
}

/// Appends a line to a list item, and adjusts the offsets of its marks and links. A heading becomes bold
/// text.
fn append(item: &mut Block, line: Block) {
    if !item.text.is_empty() {
        item.text.push('\n');
    }
    let (start, links) = (bound(item.text.len()), bound(item.links.len()));
    let end = start.saturating_add(bound(line.text.len()));
    if line.kind == BlockKind::Heading {
        item.marks.push(Mark { start, end, style: Style::Strong });
    }
    item.text.push_str(&line.text);
    item.links.extend(line.links);
    item.notes.extend(line.notes);
    let marks =
        line.marks.into_iter().filter(|mark| line.kind != BlockKind::Heading || mark.style != Style::Strong);
    item.marks.extend(marks.map(|mark| {
        let style = mark.style.with_link_offset(links);
        Mark { start: mark.start + start, end: mark.end + start, style }
    }));
}
