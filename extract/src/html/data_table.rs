//! Converts data tables to GitHub-flavoured Markdown.

mod alignment;
mod cell;

use self::{
    alignment::{Alignment, Alignments},
    cell::{Cell, icon_names},
};
use super::{
    blocks::Walker,
    table::{MAX_COLUMNS_COVERED, is_cell, span},
};
use crate::{
    document::{Block, BlockKind, Mark, bound},
    page::{Id, Page},
};

/// Maximum number of rows that a cell spans below its own row, as in browsers.
const MAX_ROWS_COVERED: usize = 65_534;
/// Number of columns that a cell to the left or above can span. Columns after them cannot be spanned.
const MAX_SPANNED_COLUMNS: usize = 1_000;
/// Maximum number of cells in a table whose rows are filled to the same width. In a larger table, only that
/// many spanned columns are written.
const MAX_FILLED_CELLS: usize = 200_000;

/// Row of a data table.
struct TableRow {
    /// Cells with their column indices. Columns that another cell spans have no cell.
    cells: Vec<(usize, Cell)>,
    width: usize,
}

impl Walker<'_> {
    /// Appends a data table as one block, followed by the footnotes in its cells.
    pub(super) fn data_table(&mut self, id: Id) {
        let mut alignments = Alignments::of(self.page, id);
        let mut rows: Vec<TableRow> = Vec::new();
        let (mut below, mut group) = (Vec::new(), 0);
        let (mut figures, mut footnotes) = (Vec::new(), Vec::new());
        for row in own_rows(self.page, id) {
            // A cell does not span rows of the next part (`thead`, `tbody` or `tfoot`) of the table.
            if std::mem::replace(&mut group, self.page.parent(row)) != self.page.parent(row) {
                below.clear();
            }
            let counts = (!rows.is_empty()).then_some(&mut alignments);
            let mut row = self.row(row, &mut below, counts);
            for (_, cell) in &mut row.cells {
                footnotes.append(&mut cell.footnotes);
                figures.append(&mut cell.pictures);
            }
            if row.cells.iter().any(|(_, cell)| !cell.text.is_empty()) {
                rows.push(row);
            }
        }
        let at = self.out.len();
        for picture in figures {
            self.pictures.add(at, picture);
        }
        let block = block_of(rows, &alignments);
        if !block.text.is_empty() {
            self.push_block(block);
        }
        self.out.append(&mut footnotes);
    }

    /// Converts the cells of a row. For each column, `below` is the number of further rows that a cell spans.
    /// If `alignments` is given, the cells are counted in it.
    fn row(&mut self, row: Id, below: &mut Vec<usize>, mut alignments: Option<&mut Alignments>) -> TableRow {
        let page = self.page;
        let inherited = alignments.as_ref().and_then(|_| Alignment::of_row(page, row));
        let (mut cells, mut column) = (Vec::new(), 0);
        let skip_covered = |column: &mut usize, below: &mut Vec<usize>| {
            while let Some(rows) = below.get_mut(*column).filter(|rows| **rows > 0) {
                *rows -= 1;
                *column += 1;
            }
        };
        for cell in page.children(row).filter(|&cell| is_cell(page, cell)) {
            skip_covered(&mut column, below);
            // A `rowspan` of 0 extends to the last row.
            let rows = match span(page, cell, "rowspan") {
                0 => MAX_ROWS_COVERED,
                rows => rows.min(MAX_ROWS_COVERED) - 1,
            };
            let columns = match span(page, cell, "colspan") {
                columns if column < MAX_SPANNED_COLUMNS => columns.clamp(1, MAX_COLUMNS_COVERED),
                _ => 1,
            };
            let [start, end] = [column, column + columns].map(|column| column.min(MAX_SPANNED_COLUMNS));
            below.resize(below.len().max(end), 0);
            below[start..end].fill(rows);
            if let Some(alignments) = alignments.as_deref_mut().filter(|_| columns == 1) {
                alignments.add(page, cell, column, inherited);
            }
            let mut content = Cell::of(self.cell(cell));
            // A cell without text is selected if its row is selected.
            if content.text.is_empty()
                && self.keep[row]
                && let Some(text) = icon_names(page, cell)
            {
                content.append(Block { text, ..Block::default() });
            }
            cells.push((column, content));
            column += columns;
        }
        skip_covered(&mut column, below);
        TableRow { cells, width: column }
    }
}

/// Rows of a table, without the rows of nested tables. The head comes first and the foot last.
fn own_rows(page: &Page, table: Id) -> Vec<Id> {
    let nodes = page.descendants_without(table, |id| page.is(id, "table"));
    let mut rows: Vec<Id> = nodes.filter(|&id| page.is(id, "tr")).collect();
    rows.sort_by_key(|&row| match page.tag(page.parent(row)) {
        "thead" => 0,
        "tfoot" => 2,
        _ => 1,
    });
    rows
}

/// Creates a table block from the rows. The first row is the header.
fn block_of(rows: Vec<TableRow>, alignments: &Alignments) -> Block {
    let width = rows.iter().map(|row| row.width).max().unwrap_or(0);
    let is_filled = rows.len().saturating_mul(width) <= MAX_FILLED_CELLS;
    let mut block = Block { kind: BlockKind::Table, ..Block::default() };
    let mut spanned_left = MAX_FILLED_CELLS;
    for (index, row) in rows.into_iter().enumerate() {
        let end = if is_filled || index == 0 { width } else { row.width };
        let mut column = 0;
        for (at, cell) in row.cells {
            let spanned = (at - column).min(spanned_left);
            spanned_left -= spanned;
            block.text.push_str(&"|  ".repeat(spanned));
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

/// Appends a cell to the text of a table, and adjusts the offsets of its marks.
fn append(block: &mut Block, cell: Cell) {
    let (start, links) = (bound(block.text.len()), bound(block.links.len()));
    block.text.push_str(&cell.text);
    block.links.extend(cell.links);
    block.notes.extend(cell.notes);
    block.marks.extend(cell.marks.into_iter().map(|mark| {
        let style = mark.style.with_link_offset(links);
        Mark { start: mark.start + start, end: mark.end + start, style }
    }));
}
