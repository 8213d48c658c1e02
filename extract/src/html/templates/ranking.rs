//! Numbered listings in layout tables. Each entry is a row with its number and title, followed by rows with
//! its details.

use std::collections::HashMap;

use crate::{
    html::main_part::is_non_text,
    page::{Id, Page},
};

/// Minimum number of entries in a listing.
const MIN_ENTRIES: usize = 3;
/// Minimum percentage of selected text for a listing to be selected completely.
const MIN_SELECTED_PERCENT: usize = 30;
/// Maximum number of nodes in all tables that are checked on a page.
const MAX_TEXTS: usize = 200_000;

/// Entry of a numbered listing.
#[derive(Debug)]
pub(crate) struct RankingEntry {
    pub(crate) number: u32,
    pub(crate) rows: Vec<Id>,
}

/// Returns the entries of each listing of a page, keyed by its table. Selects the listings
/// completely, without the numbers.
pub(super) fn find(page: &Page, hidden: &[bool], keep: &mut [bool]) -> HashMap<Id, Vec<RankingEntry>> {
    let mut listings = HashMap::new();
    let mut texts_left = MAX_TEXTS;
    for table in (1..page.len()).filter(|&id| page.is(id, "table")) {
        texts_left = texts_left.saturating_sub(page.subtree(table).len());
        if texts_left == 0 {
            break;
        }
        let entries = entries(page, table);
        let is_listing = entries.len() >= MIN_ENTRIES
            && entries.iter().filter(|entry| entry.rows.len() > 1).count() * 2 >= entries.len();
        if is_listing && select(page, &entries, hidden, keep) {
            listings.insert(table, entries);
        }
    }
    listings
}

/// Returns the entries of a table. Empty if the table is not a numbered listing.
fn entries(page: &Page, table: Id) -> Vec<RankingEntry> {
    let mut entries: Vec<RankingEntry> = Vec::new();
    for inner in page.descendants(table) {
        match page.tag(inner) {
            "table" | "th" | "caption" | "pre" => return Vec::new(),
            "tr" => {
                let Some(cells) = filled_cells(page, inner).filter(|_| !leads_to_next(page, inner)) else {
                    continue;
                };
                let next = entries.last().map(|last| last.number.checked_add(1));
                match (cells, entries.last_mut()) {
                    ((Some(number), 1), _) if next.is_none_or(|next| next == Some(number)) => {
                        entries.push(RankingEntry { number, rows: vec![inner] });
                    }
                    ((None, 1), Some(last)) => last.rows.push(inner),
                    // Rows above the listing are skipped.
                    ((None, _), None) => {}
                    _ => return Vec::new(),
                }
            }
            _ => {}
        }
    }
    entries
}

/// Number in the first filled cell of a row, and the number of other filled cells. `None` if the row has no
/// text.
fn filled_cells(page: &Page, row: Id) -> Option<(Option<u32>, usize)> {
    let cells = page.children(row).filter(|&cell| page.is(cell, "td"));
    let mut filled = cells.filter(|&cell| has_text(page, cell));
    let first = filled.next()?;
    let number = number(page, first);
    let others = filled.count();
    Some((number, if number.is_some() { others } else { others + 1 }))
}

/// True for a row that links to the next page of the listing.
fn leads_to_next(page: &Page, row: Id) -> bool {
    page.descendants(row).any(|inner| page.attribute(inner, "rel") == Some("next"))
}

fn has_text(page: &Page, id: Id) -> bool {
    page.descendants(id)
        .any(|inner| page.text(inner).is_some_and(|text| text.contains(char::is_alphanumeric)))
}

/// Number of an entry, written as `7.` or `7`.
fn number(page: &Page, cell: Id) -> Option<u32> {
    page.folded_text(cell).trim_end_matches('.').parse().ok()
}

/// Selects the texts of the entries without their numbers, if enough of the listing is selected. Returns
/// false otherwise.
fn select(page: &Page, entries: &[RankingEntry], hidden: &[bool], keep: &mut [bool]) -> bool {
    let rows = || entries.iter().flat_map(|entry| &entry.rows).copied();
    let texts: Vec<Id> = rows()
        .flat_map(|row| page.descendants(row))
        .filter(|&id| page.text(id).is_some() && !hidden[id] && !is_non_text(page.tag(page.parent(id))))
        .collect();
    let bytes = |id: &Id| page.text(*id).map_or(0, |text| text.trim().len());
    let all: usize = texts.iter().map(bytes).sum();
    let selected: usize = texts.iter().filter(|id| keep[**id]).map(bytes).sum();
    if selected * 100 < all * MIN_SELECTED_PERCENT {
        return false;
    }
    for id in texts {
        page.flag_with_ancestors(id, keep);
    }
    for entry in entries {
        let cell = entry.rows.first().and_then(|&row| page.children(row).find(|&cell| has_text(page, cell)));
        for id in cell.into_iter().flat_map(|cell| page.descendants(cell)) {
            keep[id] = false;
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use crate::{
        html::{blocks, hidden, parse_page, templates::LayoutPlan},
        render,
    };

    fn markdown(markup: &str) -> String {
        let page = parse_page(markup).unwrap();
        let hidden = hidden::find(&page);
        let mut keep: Vec<bool> = hidden.iter().map(|hidden| !hidden).collect();
        let rankings = super::find(&page, &hidden, &mut keep);
        let plan = LayoutPlan { rankings, ..LayoutPlan::default() };
        render::markdown(&blocks::walk(&page, 0, &keep, None, &plan))
    }

    #[test]
    fn numbered_rows_with_details_become_list_items() {
        let entry = |number: u32, title: &str| {
            format!(
                "<tr><td>{number}.</td><td><a href='/vote'></a></td><td><a href='https://a.example/{number}'>{title}</a></td></tr>\
                 <tr><td colspan=2></td><td>{number} points by ada</td></tr><tr style='height:5px'></tr>"
            )
        };
        let table =
            format!("<table>{}{}{}</table>", entry(31, "Lamps"), entry(32, "Buoys"), entry(33, "Boats"));
        let markdown = markdown(&table);
        assert!(markdown.starts_with("31. [Lamps](https://a.example/31)"), "{markdown}");
        assert!(
            markdown.contains("33. [Boats](https://a.example/33)") && markdown.contains("33 points by ada"),
            "{markdown}"
        );
        assert!(!markdown.contains('|'), "{markdown}");
    }

    #[test]
    fn data_tables_are_not_read_as_numbered_listings() {
        let row =
            |number: u32| format!("<tr><td>{number}.</td><td>Boat {number}</td><td>{}</td></tr>", number * 7);
        let pair = |number: u32| format!("<tr><td>{number}</td><td>Boat {number}</td></tr>");
        for table in [
            format!("<table>{}{}{}</table>", row(1), row(2), row(3)),
            format!("<table>{}{}{}</table>", pair(1), pair(2), pair(3)),
            format!("<table><tr><th>No</th><th>Boat</th></tr>{}{}{}</table>", pair(1), pair(2), pair(3)),
        ] {
            assert!(markdown(&table).starts_with('|'), "{table}");
        }
    }

    #[test]
    fn entry_after_the_largest_number_does_not_panic() {
        let entry = |number: u32| {
            format!("<tr><td>{number}.</td><td>Boat</td></tr><tr><td></td><td>Details</td></tr>")
        };
        let table = format!("<table>{}{}{}</table>", entry(u32::MAX - 1), entry(u32::MAX), entry(0));
        assert!(markdown(&table).starts_with('|'), "{table}");
    }
}
