//! Tables: distinguishes data tables from layout tables, and converts data tables to GitHub-flavoured
//! Markdown.

mod ⟦<<<<<<<⟧alignment;
mod cell⟦|||||||⟧url::Url⟦=======⟧std::collections::HashMap⟦>>>>>>>⟧;

use self::{⟦<<<<<<<⟧alignment::Alignments⟦|||||||⟧inline::note_mark⟦=======⟧cell⟦>>>>>>>⟧, cell::Cell};
use super::blocks::Walker;
use crate::{
    document::{⟦<<<<<<<⟧Block⟦|||||||⟧Link⟦=======⟧Mark⟦>>>>>>>⟧, BlockKind, Mark, Style},
    page::{Id, Page},
};

/// Maximum columns that a cell can span.
const MAX_COLUMNS_COVERED: usize = 60;
/// Maximum rows that a cell can span, as in browsers.
const MAX_ROWS_COVERED: usize = 65_534;
⟦<<<<<<<⟧/// Rows of a larger table are not filled to the same width.
const MAX_FILLED_CELLS: usize = 200_000;
⟦|||||||⟧const MAX_LINKS: usize = 200;
⟦=======⟧⟦>>>>>>>⟧/// A table without header is layout if its cells have more characters on average.
const LONG_CELL: usize = 250;
/// Maximum characters on average of the cells of a table with one column.
const COLUMN_CELL: usize = 100;

/// Structure of a table, without the tables in its cells.
#[derive(Debug, Default)]
pub(crate) struct TableShape {
    rows: usize,
    cells: usize,
    widest: usize,
    /// Rows as wide as the widest row.
    wide_rows: usize,
    /// True if a header, a caption or the head of the table is marked up.
    pub(crate) is_headed: bool,
    /// True if the first row has header cells only.
    has_head_row: bool,
    /// Tables in cells.
    tables: usize,
    /// True if the table is marked up as layout, or if cells have sections of their own, such as headings or
    /// code of several lines.
    is_layout: bool,
    characters: usize,
}

impl TableShape {
    /// Structure of the table. Only selected text counts.
    pub(crate) fn of(page: &Page, table: Id, keep: &[bool]) -> Self {
        let is_layout = matches!(page.attribute(table, "role"), Some("presentation" | "none"));
        let mut shape = Self { is_layout, ..Self::default() };
        let mut id = table + 1;
        let end = page.subtree(table).end;
        while id < end {
            match page.tag(id) {
                "table" => {
                    shape.tables += 1;
                    let inner = page.descendants(id).filter(|&inner| keep[inner]);
                    shape.characters += inner.map(|inner| text_bytes(page, inner)).sum::<usize>();
                    id = page.subtree(id).end;
                    continue;
                }
                "pre" => shape.is_layout |= page.raw_text(id).trim().contains('\n'),
                "h1" | "h2" | "h3" => ⟦<<<<<<<⟧shape.is_layout⟦|||||||⟧its⟦=======⟧the marks of its⟦>>>>>>>⟧ ⟦<<<<<<<⟧|=⟦|||||||⟧links⟦=======⟧cells⟦>>>>>>>⟧ !is_in_header(page, ⟦<<<<<<<⟧id,⟦|||||||⟧footnote⟦=======⟧its footnote⟦>>>>>>>⟧ table),
                "blockquote" | "article" | "section" | ⟦<<<<<<<⟧"form"⟦|||||||⟧links:⟦=======⟧marks:⟦>>>>>>>⟧ ⟦<<<<<<<⟧=⟦|||||||⟧Vec<Link⟦=======⟧Vec<Mark⟦>>>>>>>⟧> shape.is_layout = ⟦<<<<<<<⟧true,
                "caption" |⟦|||||||⟧Selected text⟦=======⟧Texts⟦>>>>>>>⟧ "th" | ⟦<<<<<<<⟧"thead"⟦|||||||⟧cells.
struct⟦=======⟧cells, with delimited spans.
struct⟦>>>>>>>⟧ => shape.is_headed = true,⟦<<<<<<<⟧
                "tr"⟦|||||||⟧
    keep:⟦=======⟧
    texts:⟦>>>>>>>⟧ => ⟦<<<<<<<⟧shape.add_row(page⟦|||||||⟧[bool]⟦=======⟧HashMap<Id⟦>>>>>>>⟧,⟦<<<<<<<⟧ id)⟦|||||||⟧
    notes: &'p Notes⟦=======⟧ String>⟦>>>>>>>⟧,
                "" if keep[id] => shape.characters += text_bytes(
    page, id),⟦<<<<<<<⟧
                _ => {}
            }
            ⟦|||||||⟧ ⟦=======⟧
    ⟦>>>>>>>⟧id ⟦<<<<<<<⟧+= 1;
        }
        shape
    }

    fn⟦|||||||⟧Id, keep:⟦=======⟧Id,
    keep:⟦>>>>>>>⟧ add_row(&mut self,⟦<<<<<<<⟧ page⟦|||||||⟧ base⟦=======⟧
    texts⟦>>>>>>>⟧: &⟦<<<<<<<⟧Page⟦|||||||⟧Url>⟦=======⟧HashMap<Id⟦>>>>>>>⟧, ⟦<<<<<<<⟧row⟦|||||||⟧notes⟦=======⟧String>,
    notes⟦>>>>>>>⟧: ⟦<<<<<<<⟧Id⟦|||||||⟧&Notes⟦=======⟧&Notes,
⟦>>>>>>>⟧) {
        let (mut width, mut headers, mut cells) = (0, ⟦<<<<<<<⟧0, 0⟦|||||||⟧keep, notes };
    let mut below = Vec::new(⟦=======⟧texts };
    let mut below = Vec::new(⟦>>>>>>>⟧);
        for cell in page.children(row).filter(|&cell| is_cell(page, cell)) {
            cells += 1;
            headers += usize::from(page.is(cell, "th"));
            width += span(page, cell, "colspan").clamp(1, MAX_COLUMNS_COVERED);
        }
        self.has_head_row |= self.rows == 0 && cells >= 2 && headers == cells;
        self.rows += 1;
        self.cells += cells;
        if width > self.widest {
            (self.widest, self.wide_rows) = (width, 0);
        }
        self.wide_rows += usize::from(width == self.widest);
    }

    /// True for a data table.
    pub(crate) fn is_data(&self) -> bool {
        let mean = self.characters / self.cells.max(1);
        let is_plain = !self.is_layout && self.rows > 0;
        let is_whole = self.tables == 0 || self.has_head_row && self.rows >= 2;
        let is_short = match self.⟦<<<<<<<⟧widest⟦|||||||⟧collect();
    RenderedTable⟦=======⟧collect();
    let⟦>>>>>>>⟧ ⟦<<<<<<<⟧{
            0⟦|||||||⟧{⟦=======⟧marks⟦>>>>>>>⟧ ⟦<<<<<<<⟧=> false,
            1⟦|||||||⟧text,⟦=======⟧=⟦>>>>>>>⟧ ⟦<<<<<<<⟧=> self.is_headed⟦|||||||⟧links: cells.links(id,⟦=======⟧cell::take_marks(&mut⟦>>>>>>>⟧ ⟦<<<<<<<⟧&&⟦|||||||⟧base),⟦=======⟧text);
    RenderedTable { text, marks,⟦>>>>>>>⟧ self.rows >= 2 && self.tables == 0 && mean < COLUMN_CELL,
            _ if self.is_headed => mean < 4 * LONG_CELL,
            _ => self.rows >= 2 && mean < LONG_CELL,
        };
        is_plain && is_whole && is_short
    }

    /// True if most rows have the same width.
    pub(crate) fn is_regular(&self) -> bool {
        self.wide_rows * 4 >= self.rows * 3
    }

    /// True if cells contain tables.
    pub(crate) fn has_tables(&self) -> bool {
        self.tables > 0
    }

    /// True if each row has a single cell.
    pub(crate) fn is_column(&self) -> bool {
        self.widest == 1
    }
}

/// True for a data table.
pub(super) fn is_data(page: &Page, id: Id, keep: &[bool]) -> bool {
    TableShape::of(page, id, keep).is_data()
}

fn is_in_header(page: &Page, id: Id, table: Id) -> bool {
    page.ancestors(id)
        .take_while(|&above| above > table)
        .any(|above| matches!(page.tag(above), "th" | "caption"))
}

fn text_bytes(page: &Page, id: Id) -> usize {⟦<<<<<<<⟧
    page.text(id)⟦|||||||⟧
        let mut text = String::new();
        self⟦=======⟧
        self⟦>>>>>>>⟧.⟦<<<<<<<⟧map_or(0, |text| text.trim()⟦|||||||⟧push(&mut text, cell);
        text.trim()⟦=======⟧texts⟦>>>>>>>⟧.⟦<<<<<<<⟧len())
}

fn is_cell⟦|||||||⟧replace('|', "\\|")
    }

    fn push⟦=======⟧get⟦>>>>>>>⟧(⟦<<<<<<<⟧page: &Page, id: Id) -> bool {
    matches!(page.tag(id), "td" | "th")
}

fn span(page: &Page, cell: Id, name: &str) -> usize {
    page.attribute(⟦|||||||⟧&self, text: &mut String, cell: Id) {
        let page = self.page;
        let mut id = cell + 1;
        let end = page.subtree(⟦=======⟧&⟦>>>>>>>⟧cell, name).⟦<<<<<<<⟧and_then(|span| span.trim().parse().ok()).unwrap_or(1)
}

/// Row of a data table.
struct Row {
    /// Cells with their columns. Columns spanned from the left or from above have none.
    cells: Vec<(usize, Cell)>,
    width: usize,
}

impl Walker<'_> {
    /// Appends a data table as one block, followed by the footnotes in its cells.
    pub(super) fn data_table(&mut self, id: Id) {
        let pictures = self.pictures.count();
        let mut alignments = Alignments::of(self.page, id);
        let mut rows: Vec<Row> = Vec::new();
        let (mut below, mut group) = (Vec::new(), 0);
        let mut figures = Vec::new();
        for row in own_rows(self.page, id) {
            // A cell does not span rows of the next part of the table.
            if std::mem::replace(&mut group, self.page.parent(row)) != self.page.parent(row) {
                below.clear();
            }
            let row = self.row(row, &mut below, &mut alignments, rows.is_empty());
            if row.cells.iter().any(|(_, cell)| !cell.text.is_empty()) {
                rows.push(row);
            } else {
                figures.extend(row.cells.into_iter().flat_map(|(_, cell)| cell.pictures));
            }
        }
        let mut footnotes = Vec::new();
        for (_, cell) in rows.iter_mut().flat_map(|row| &mut row.cells) {
            footnotes.append(&mut cell.footnotes);
            figures.append(&mut cell.pictures);
        }
        let at = self.out.len();
        self.pictures.attach_after(pictures, at);
        for picture in figures {
            self.pictures.add(at, picture);
        }
        let block = block_of(rows, &alignments);
        if !block.text.is_empty() {
            self.out.push(block);
        }
        self.out.append(&mut footnotes);
    }

    /// Cells of a row, each under its header. `below` is the number of further rows for which each column is
    /// spanned.
    fn row(&mut self, row: Id, below: &mut Vec<usize>, alignments: &mut Alignments, is_head: bool) -> Row {
        let page = self.page;
        let (mut cells, mut column) = (Vec::new(), 0);
        let skip_covered = |column: &mut usize, below: &mut Vec<usize>| {
            while let Some(rows) = below.get_mut(*column).filter(|rows| **rows > 0) {
                *rows -= 1;
                *column += 1;
            }
        };
        for cell in page.children(row).filter(|&cell| is_cell(page, cell)) {
            skip_covered(&mut column, below);
            // A span of 0 rows extends to the last one.
            let rows = match span(page, cell, "rowspan") {
                0 => MAX_ROWS_COVERED,
                rows => rows.min(MAX_ROWS_COVERED) - 1,
            };
            let columns = span(page, cell, "colspan").clamp(1, MAX_COLUMNS_COVERED);
            below.resize(below.len().max(column + columns), 0);
            below[column..column + columns].fill(rows);
            if columns == 1 && !is_head {
                alignments.add(page, cell, column);
            }
            let lines = self.cell(cell);
            cells.push((column, Cell::of(lines)));
            column += columns;
        }
        skip_covered(&mut column, below);
        Row { cells, width: column }
    }
}

/// Rows of a table without those of tables in its cells: the head first, the foot last.
fn own_rows(page: &Page, table: Id) -> Vec<Id> {
    let mut rows = Vec::new();
    let mut id = table + 1;
    let end = page.subtree(table).end;
    while id < end {
        if page.is(id, "table") {
            id = page.subtree(id).end;
            continue;
        }
        if page.is(id, "tr") {
            rows.push(id);
        }
        id += 1;
    }
    rows.sort_by_key(|&row| match page.tag(page.parent(row)) {
        "thead" => 0,
        "tfoot" => 2,
        _ => 1,
    });
    rows
}

/// Block of the rows. The first row is the head.
fn block_of(rows: Vec<Row>, alignments: &Alignments) -> Block {
    let width = rows.iter().map(|row| row.width).max().unwrap_or(0);
    let is_filled = rows.len().saturating_mul(width) <= MAX_FILLED_CELLS;
    let mut block = Block { kind: BlockKind::Table, ..Block::default() };
    for (index, row) in rows.into_iter().enumerate() {
        let end = if is_filled || index == 0 { width } else { row.width };
        let mut column = 0;
        for (at, cell) in row.cells {
            block.text.push_str(&"|  ".repeat(at - column));
            block.text.push_str("| ");
            append(&mut block, cell);
            block.text.push(' ');
            column = at + 1;
        }
        block.text.push_str(&"|  ".repeat(end.saturating_sub(column)));
        block.text.push_str("|\n");
        if index == 0 {
            block.text.push('|');
            (0..width).for_each(|column| block.text.push_str(alignments.rule(column)));
            block.text.push('\n');
        }
    }
    block.text.truncate(block.text.trim_end().len());
    block
}

/// Appends a cell to the text of a table, and shifts its marks.
fn append(block: &mut Block, cell: Cell) {
    let (start, links) = (bound(block.text.len()), bound(block.links.len()));
    block.text.push_str(&cell.text);
    block.links.extend(cell.links);
    block.notes.extend(cell.notes);
    block.marks.extend(cell.marks.into_iter().map(|mark| {
        let style = match mark.style {
            Style::Link(index) => Style::Link(index + links),
            other => other,
        };
        Mark { start: mark.start + start, end: mark.end + start, style }
    }));
}

fn bound(at: usize) -> u32 {
    u32::try_from(at).unwrap_or⟦|||||||⟧end;
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
            .collect⟦=======⟧cloned().unwrap_or_default⟦>>>>>>>⟧(u32::MAX)
}
