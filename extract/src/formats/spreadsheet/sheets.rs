//! Collects the sheets of a file, within limits.

use crate::document::{Block, BlockKind, Quality, Warning};
use crate::draft::Draft;
use crate::formats::office::properties;
use crate::formats::table::{self, MAX_COLUMNS};

/// Maximum number of cells read from a file.
pub(super) const MAX_CELLS: usize = 200_000;
/// Maximum number of characters in a cell.
const MAX_CELL_CHARS: usize = 10_000;

/// Sheets that have been read so far.
#[derive(Default)]
pub(super) struct Sheets {
    blocks: Vec<Block>,
    name: String,
    rows: Vec<Vec<String>>,
    row: Vec<String>,
    cells: usize,
    /// True if content was omitted because of a limit.
    pub(super) cut: bool,
    /// True if the file has hidden sheets, which are skipped.
    pub(super) hidden: bool,
}

impl Sheets {
    pub(super) fn start(&mut self, name: &str) {
        name.clone_into(&mut self.name);
    }

    /// Sets the cell of the current row at the zero-based `column`. Empty cells are ignored.
    pub(super) fn put(&mut self, column: usize, text: &str) {
        let text = crate::clean::fold(text);
        if text.is_empty() {
            return;
        }
        if column >= MAX_COLUMNS || self.cells >= MAX_CELLS {
            self.cut = true;
            return;
        }
        self.cells += 1;
        if self.row.len() <= column {
            self.row.resize(column + 1, String::new());
        }
        let content: String = text.chars().take(MAX_CELL_CHARS).collect();
        self.cut |= content.len() < text.len();
        self.row[column] = table::cell(&content);
    }

    /// Completes the current row, which the sheet repeats `times` times.
    pub(super) fn end_row(&mut self, times: usize) {
        let row = std::mem::take(&mut self.row);
        if row.is_empty() {
            return;
        }
        let remaining = (MAX_CELLS - self.cells) / row.len() + 1;
        self.cut |= times > remaining;
        let times = times.clamp(1, remaining);
        self.cells += row.len() * (times - 1);
        self.rows.extend(std::iter::repeat_n(row, times));
    }

    pub(super) fn end(&mut self) {
        self.end_row(1);
        let Some(text) = table::markdown(&std::mem::take(&mut self.rows)) else { return };
        let name = crate::clean::fold(&self.name);
        if !name.is_empty() {
            let kind = BlockKind::Heading;
            self.blocks.push(Block { kind, text: name, level: Some(2), ..Block::default() });
        }
        self.blocks.push(Block { kind: BlockKind::Table, text, ..Block::default() });
    }

    /// Completes the draft with the document properties from the XML in `about`. A sheet name is not used as
    /// the title.
    pub(super) fn finish(mut self, about: &str) -> Draft {
        self.end();
        let mut draft = properties::draft(Vec::new(), about);
        draft.blocks = self.blocks;
        if self.cut {
            draft.quality = Some(Quality::Partial);
            draft.warnings.push(Warning::TruncatedSource);
        }
        if self.hidden {
            draft.warnings.push(Warning::HiddenTextRemoved);
        }
        draft
    }
}
