//! Reads ODS files. Cells and rows may have a repeat count, which is bounded.

use super::sheets::Sheets;
use crate::document::Input;
use crate::draft::{Draft, ReadError, ReadResult};
use crate::formats::{
    archive::Files,
    table::MAX_COLUMNS,
    xml::{self, Step, value},
};

pub(in crate::formats) fn read(input: &Input) -> ReadResult {
    read_book(&input.bytes).ok_or(ReadError::Broken)
}

fn read_book(bytes: &[u8]) -> Option<Draft> {
    let mut files = Files::open(bytes)?;
    let text = files.text("content.xml")?;
    let mut sheets = Sheets::default();
    let mut reader = OdsReader::default();
    xml::walk(&text, |step| reader.take(&step, &mut sheets));
    Some(sheets.finish(&files.text("meta.xml").unwrap_or_default()))
}

#[derive(Default)]
struct OdsReader {
    column: usize,
    /// Repeat count of the current cell.
    cells: usize,
    rows: usize,
    buffer: String,
    in_text: bool,
    /// Number of open annotations, whose text is not content.
    annotations: usize,
}

impl OdsReader {
    fn take(&mut self, step: &Step<'_>, sheets: &mut Sheets) {
        match step {
            Step::Open("table", attributes) => sheets.start(value(attributes, "name").unwrap_or_default()),
            Step::Close("table") => sheets.end(),
            Step::Open("table-row", attributes) => {
                self.column = 0;
                self.rows = times(value(attributes, "number-rows-repeated"));
            }
            Step::Close("table-row") => sheets.end_row(self.rows),
            Step::Open("table-cell" | "covered-table-cell", attributes) => {
                self.cells = times(value(attributes, "number-columns-repeated"));
                self.buffer.clear();
            }
            Step::Close("table-cell" | "covered-table-cell") => {
                let text = std::mem::take(&mut self.buffer);
                if !text.trim().is_empty() {
                    for column in self.column..self.column.saturating_add(self.cells).min(MAX_COLUMNS + 1) {
                        sheets.put(column, &text);
                    }
                }
                self.column = self.column.saturating_add(self.cells);
            }
            Step::Open("annotation", _) => self.annotations += 1,
            Step::Close("annotation") => self.annotations = self.annotations.saturating_sub(1),
            Step::Open("p", _) => self.in_text = self.annotations == 0,
            Step::Close("p") => {
                self.in_text = false;
                self.buffer.push(' ');
            }
            Step::Open("s" | "tab" | "line-break", _) if self.in_text => self.buffer.push(' '),
            Step::Text(text) if self.in_text => self.buffer.push_str(text),
            Step::Open(..) | Step::Close(_) | Step::Text(_) => {}
        }
    }
}

fn times(text: Option<&str>) -> usize {
    text.and_then(|times| times.parse().ok()).unwrap_or(1).max(1)
}
