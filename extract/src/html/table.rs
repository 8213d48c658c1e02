//! Tables: distinguishes data tables from layout tables, and renders data tables as GitHub-flavoured
//! Markdown.

use url::Url;

use super::{inline::note_mark, notes::Notes};
use crate::{
    clean,
    document::{Link, NoteLink},
    page::{Id, Page, links},
    scripts,
};

const MAX_COLUMNS: usize = 60;
/// Maximum rows that a cell can span, as in browsers.
const MAX_ROWS_COVERED: usize = 65_534;
const MAX_LINKS: usize = 200;
/// A table without header is layout if its cells have more characters on average.
const LONG_CELL: usize = 250;

/// True for a data table.
pub(super) fn is_data(page: &Page, id: Id, keep: &[bool]) -> bool {
    if matches!(page.attribute(id, "role"), Some("presentation" | "none")) {
        return false;
    }
    let (mut rows, mut cells, mut widest, mut headed, mut characters) =
        (0_usize, 0_usize, 0_usize, false, 0_usize);
    for inner in page.descendants(id) {
        match page.tag(inner) {
            "table" | "pre" | "blockquote" | "h1" | "h2" | "h3" | "article" | "section" | "form" => {
                return false;
            }
            "caption" | "th" | "thead" => headed = true,
            "tr" => {
                rows += 1;
                let width = page.children(inner).filter(|&cell| is_cell(page, cell)).count();
                cells += width;
                widest = widest.max(width);
            }
            "" if keep[inner] => characters += page.text(inner).map_or(0, |text| text.trim().len()),
            _ => {}
        }
    }
    if rows == 0 || widest < 2 {
        return false;
    }
    let mean = characters / cells.max(1);
    if headed { mean < 4 * LONG_CELL } else { rows >= 2 && mean < LONG_CELL }
}

fn is_cell(page: &Page, id: Id) -> bool {
    matches!(page.tag(id), "td" | "th")
}

/// Table as Markdown, with its links and footnote references.
pub(super) struct RenderedTable {
    pub(super) text: String,
    pub(super) links: Vec<Link>,
    pub(super) notes: Vec<NoteLink>,
}

/// Selected text of the cells.
struct TableCells<'p> {
    page: &'p Page,
    keep: &'p [bool],
    notes: &'p Notes,
}

/// Renders the table as Markdown.
pub(super) fn render(page: &Page, id: Id, keep: &[bool], base: Option<&Url>, notes: &Notes) -> RenderedTable {
    let mut rows: Vec<Vec<String>> = Vec::new();
    let cells = TableCells { page, keep, notes };
    let mut below = Vec::new();
    for row in page.descendants(id).filter(|&inner| page.is(inner, "tr")) {
        let cells = cells.row(row, &mut below);
        if cells.iter().any(|cell| !cell.is_empty()) {
            rows.push(cells);
        }
    }
    let width = rows.iter().map(Vec::len).max().unwrap_or(0);
    let mut text = String::new();
    for (index, row) in rows.iter().enumerate() {
        text.push('|');
        for column in 0..width {
            text.push(' ');
            text.push_str(row.get(column).map_or("", String::as_str));
            text.push_str(" |");
        }
        text.push('\n');
        if index == 0 {
            text.push('|');
            text.push_str(&" --- |".repeat(width));
            text.push('\n');
        }
    }
    text.truncate(text.trim_end().len());
    let marks = page.descendants(id).filter(|&inner| keep[inner]).filter_map(|inner| notes.mark(inner));
    let notes = marks.map(|label| NoteLink { label: label.to_owned(), anchor: 0 }).collect();
    RenderedTable { text, links: cells.links(id, base), notes }
}

impl TableCells<'_> {
    /// Cells of a row, each under its header. Cells spanned from the left or from above stay empty. `below`
    /// is the number of further rows for which each column is spanned.
    fn row(&self, row: Id, below: &mut Vec<usize>) -> Vec<String> {
        let page = self.page;
        let span = |cell: Id, name: &str| {
            page.attribute(cell, name).and_then(|span| span.trim().parse().ok()).unwrap_or(1_usize)
        };
        let mut cells = Vec::new();
        let covered = |cells: &mut Vec<String>, below: &mut Vec<usize>| {
            while let Some(rows) = below.get_mut(cells.len()).filter(|rows| **rows > 0) {
                *rows -= 1;
                cells.push(String::new());
            }
        };
        for cell in page.children(row).filter(|&cell| is_cell(page, cell)) {
            covered(&mut cells, below);
            if cells.len() >= MAX_COLUMNS {
                break;
            }
            let rows = span(cell, "rowspan").clamp(1, MAX_ROWS_COVERED) - 1;
            for column in 0..span(cell, "colspan").clamp(1, MAX_COLUMNS - cells.len()) {
                below.resize(below.len().max(cells.len() + 1), 0);
                below[cells.len()] = rows;
                cells.push(if column == 0 { self.text(cell) } else { String::new() });
            }
        }
        covered(&mut cells, below);
        cells
    }

    fn text(&self, cell: Id) -> String {
        let mut text = String::new();
        self.push(&mut text, cell);
        text.trim().replace('|', "\\|")
    }

    fn push(&self, text: &mut String, cell: Id) {
        let page = self.page;
        let mut id = cell + 1;
        let end = page.subtree(cell).end;
        while id < end {
            if let Some(label) = self.notes.mark(id).filter(|_| self.keep[id]) {
                text.truncate(text.trim_end().len());
                text.push_str(&note_mark(label));
                id = page.subtree(id).end;
                continue;
            }
            match page.text(id) {
                Some(piece) if self.keep[id] => clean::push_folded(text, piece),
                None if matches!(page.tag(id), "br" | "p" | "div" | "li") => clean::push_folded(text, " "),
                None if matches!(page.tag(id), "sup" | "sub") => {
                    let inner = self.text(id);
                    let rendered = match page.tag(id) {
                        "sub" => scripts::subscript(text, &inner),
                        _ => scripts::superscript(text, &inner),
                    };
                    text.push_str(&rendered);
                    id = page.subtree(id).end;
                    continue;
                }
                Some(_) | None => {}
            }
            id += 1;
        }
    }

    fn links(&self, id: Id, base: Option<&Url>) -> Vec<Link> {
        let page = self.page;
        page.descendants(id)
            .filter(|&inner| page.is(inner, "a"))
            .filter_map(|link| {
                let url = links::resolve(base, page.value(link, "href")?)?;
                let text = self.text(link);
                (!text.is_empty()).then_some(Link { text, url })
            })
            .take(MAX_LINKS)
            .collect()
    }
}
