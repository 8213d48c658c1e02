//! Structure of tables: distinguishes data tables from layout tables.

use crate::page::{Id, Page};

/// Maximum number of columns that a cell can span. A larger value is reduced.
pub(super) const MAX_COLUMNS_COVERED: usize = 60;
/// Minimum average number of characters per cell for a table without a header to be treated as layout.
const LONG_CELL: usize = 250;
/// Minimum average number of characters per cell for a table with one column to be treated as layout.
const COLUMN_CELL: usize = 100;

/// Structure of a table, not including nested tables.
#[derive(Debug, Default)]
pub(crate) struct TableShape {
    rows: usize,
    cells: usize,
    widest: usize,
    /// Number of rows that are as wide as the widest row.
    wide_rows: usize,
    /// True if a header, a caption or a head is marked up.
    pub(crate) is_headed: bool,
    /// True if the first row consists of header cells.
    has_head_row: bool,
    /// Number of nested tables.
    tables: usize,
    /// True if the table is marked up as layout, or if it has no head row and one of its cells contains
    /// sections, such as headings or code of several lines.
    is_layout: bool,
    characters: usize,
}

impl TableShape {
    /// Determines the structure of a table from its selected text.
    pub(crate) fn of(page: &Page, table: Id, keep: &[bool]) -> Self {
        let is_declared = matches!(page.attribute(table, "role"), Some("presentation" | "none"));
        let mut shape = Self { is_layout: is_declared, ..Self::default() };
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
                "h1" | "h2" | "h3" => shape.is_layout |= !is_in_header(page, id, table),
                "blockquote" | "article" | "section" | "form" => shape.is_layout = true,
                "caption" | "th" | "thead" => shape.is_headed = true,
                "tr" => shape.add_row(page, id),
                "" if keep[id] => shape.characters += text_bytes(page, id),
                _ => {}
            }
            id += 1;
        }
        // A table with a head row contains data, even if a cell contains a section.
        shape.is_layout &= is_declared || !(shape.has_head_row && shape.rows >= 2);
        shape
    }

    fn add_row(&mut self, page: &Page, row: Id) {
        let (mut width, mut headers, mut cells) = (0, 0, 0);
        for cell in page.children(row).filter(|&cell| is_cell(page, cell)) {
            cells += 1;
            headers += usize::from(page.is(cell, "th") || page.is(page.parent(row), "thead"));
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

    /// True for a data table, as opposed to a layout table.
    pub(crate) fn is_data(&self) -> bool {
        let mean = self.characters / self.cells.max(1);
        let is_plain = !self.is_layout && self.rows > 0;
        let is_whole = self.tables == 0 || self.has_head_row && self.rows >= 2;
        let is_short = match self.widest {
            0 => false,
            1 => self.is_headed && self.rows >= 2 && self.tables == 0 && mean < COLUMN_CELL,
            _ if self.is_headed => mean < 4 * LONG_CELL,
            _ => self.rows >= 2 && mean < LONG_CELL,
        };
        is_plain && is_whole && is_short
    }

    /// True if at least three quarters of the rows are as wide as the widest row.
    pub(crate) fn is_regular(&self) -> bool {
        self.wide_rows * 4 >= self.rows * 3
    }

    /// True if cells contain nested tables.
    pub(crate) fn has_tables(&self) -> bool {
        self.tables > 0
    }

    /// True if the table has only one cell, which is a frame for its content.
    pub(crate) fn is_single_cell(&self) -> bool {
        self.cells == 1
    }

    /// True if each row has a single cell.
    pub(crate) fn is_column(&self) -> bool {
        self.widest == 1
    }
}

/// True for a data table, as opposed to a layout table.
pub(super) fn is_data(page: &Page, id: Id, keep: &[bool]) -> bool {
    TableShape::of(page, id, keep).is_data()
}

fn is_in_header(page: &Page, id: Id, table: Id) -> bool {
    page.ancestors(id)
        .take_while(|&above| above > table)
        .any(|above| matches!(page.tag(above), "th" | "thead" | "caption"))
}

fn text_bytes(page: &Page, id: Id) -> usize {
    page.text(id).map_or(0, |text| text.trim().len())
}

pub(super) fn is_cell(page: &Page, id: Id) -> bool {
    matches!(page.tag(id), "td" | "th")
}

/// Value of a `span` attribute of a cell or `col`; 1 by default.
pub(super) fn span(page: &Page, cell: Id, name: &str) -> usize {
    page.attribute(cell, name).and_then(|span| span.trim().parse().ok()).unwrap_or(1)
}
