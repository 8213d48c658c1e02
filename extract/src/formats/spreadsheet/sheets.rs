//! The sheets of a file as they are read, within bounds.

use crate::document::{Block, BlockKind, Quality, Warning};
use crate::draft::Draft;
use crate::formats::office::properties;
use crate::formats::table::{self, MAX_COLUMNS};

/// Cells that are read of one file.
pub(super) const MAX_CELLS: usize = 200_000;
/// Characters that are kept of a cell.
const MAX_CELL_CHARS: usize = 10_000;

/// The sheets of a file as they are read.
#[derive(Default)]
pub(super) struct Sheets {
    blocks: Vec<Block>,
    name: String,
    rows: Vec<Vec<String>>,
    row: Vec<String>,
    cells: usize,
    /// Something was left out.
    pub(super) cut: bool,
    /// Sheets were left out that the file hides.
    pub(super) hidden: bool,
}

impl Sheets {
    pub(super) fn start(&mut self, name: &str) {
        name.clone_into(&mut self.name);
    }

    /// A cell at its place in the row, from 0; cells without text are left out.
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
        let kept: String = text.chars().take(MAX_CELL_CHARS).collect();
        self.cut |= kept.len() < text.len();
        self.row[column] = table::cell(&kept);
    }

    /// The row is over, and stands here so often.
    pub(super) fn end_row(&mut self, times: usize) {
        let row = std::mem::take(&mut self.row);
        if row.is_empty() {
            return;
        }
        let room = (MAX_CELLS - self.cells) / row.len() + 1;
        self.cut |= times > room;
        let times = times.clamp(1, room);
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

    /// The document, with what the file says of itself. The name of a sheet is no title.
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
