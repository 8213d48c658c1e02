//! Tables: which hold data and which only place things, and data tables as GitHub-flavoured Markdown.

use url::Url;

use super::{
    links,
    tree::{Id, Page},
};
use crate::{clean, document::Link};

const MAX_COLUMNS: usize = 60;
const MAX_LINKS: usize = 200;
/// Mean characters of a cell beyond which a table without headings places text.
const LONG_CELL: usize = 250;

/// True for a table whose cells belong to rows and columns.
pub(super) fn is_data(page: &Page, id: Id, keep: &[bool]) -> bool {
    if matches!(page.attribute(id, "role"), Some("presentation" | "none")) {
        return false;
    }
    let (mut rows, mut cells, mut widest, mut headed, mut characters) =
        (0_usize, 0_usize, 0_usize, false, 0_usize);
    for inner in page.inside(id) {
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

/// The table as Markdown, and the links in it.
pub(super) fn render(page: &Page, id: Id, keep: &[bool], base: Option<&Url>) -> (String, Vec<Link>) {
    let mut rows: Vec<Vec<String>> = Vec::new();
    for row in page.inside(id).filter(|&inner| page.is(inner, "tr")) {
        let cells = row_cells(page, row, keep);
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
    (text, cell_links(page, id, keep, base))
}

fn row_cells(page: &Page, row: Id, keep: &[bool]) -> Vec<String> {
    let mut cells = Vec::new();
    for cell in page.children(row).filter(|&cell| is_cell(page, cell)) {
        if cells.len() >= MAX_COLUMNS {
            break;
        }
        cells.push(cell_text(page, cell, keep));
        let span =
            page.attribute(cell, "colspan").and_then(|span| span.trim().parse().ok()).unwrap_or(1_usize);
        for _ in 1..span.min(MAX_COLUMNS - cells.len() + 1) {
            cells.push(String::new());
        }
    }
    cells
}

fn cell_text(page: &Page, cell: Id, keep: &[bool]) -> String {
    let mut text = String::new();
    for inner in page.inside(cell) {
        match page.text(inner) {
            Some(piece) if keep[inner] => clean::push_folded(&mut text, piece),
            None if matches!(page.tag(inner), "br" | "p" | "div" | "li") => {
                clean::push_folded(&mut text, " ");
            }
            Some(_) | None => {}
        }
    }
    text.trim().replace('|', "\\|")
}

fn cell_links(page: &Page, id: Id, keep: &[bool], base: Option<&Url>) -> Vec<Link> {
    page.inside(id)
        .filter(|&inner| page.is(inner, "a"))
        .filter_map(|link| {
            let url = links::resolve(base, page.value(link, "href")?)?;
            let text = cell_text(page, link, keep);
            (!text.is_empty()).then_some(Link { text, url })
        })
        .take(MAX_LINKS)
        .collect()
}
