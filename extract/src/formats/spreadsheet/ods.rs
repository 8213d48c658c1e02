//! Reads ODS files. Cells and rows may have a repeat count, which is bounded.

use super::sheets::Sheets;
use crate::document::Input;
use crate::draft::{Draft, DraftResult, ReadError};
use crate::formats::{
    archive::ArchiveFiles,
    table::MAX_COLUMNS,
    xml::{self, XmlEvent, value},
};

pub(in crate::formats) fn read(input: &Input) -> DraftResult {
    read_book(&input.bytes).ok_or(ReadError::Broken)
}

fn read_book(bytes: &[u8]) -> Option<Draft> {
    let mut files = ArchiveFiles::open(bytes)?;
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
    fn take(&mut self, step: &XmlEvent<'_>, sheets: &mut Sheets) {
        match step {
            XmlEvent::Open("table", attributes) => {
                sheets.start(value(attributes, "name").unwrap_or_default());
            }
            XmlEvent::Close("table") => sheets.end(),
            XmlEvent::Open("table-row", attributes) => {
                self.column = 0;
                self.rows = times(value(attributes, "number-rows-repeated"));
            }
            XmlEvent::Close("table-row") => sheets.end_row(self.rows),
            XmlEvent::Open("table-cell" | "covered-table-cell", attributes) => {
                self.cells = times(value(attributes, "number-columns-repeated"));
                self.buffer.clear();
            }
            XmlEvent::Close("table-cell" | "covered-table-cell") => {
                let text = std::mem::take(&mut self.buffer);
                if !text.trim().is_empty() {
                    for column in self.column..self.column.saturating_add(self.cells).min(MAX_COLUMNS + 1) {
                        sheets.put(column, &text);
                    }
                }
                self.column = self.column.saturating_add(self.cells);
            }
            XmlEvent::Open("annotation", _) => self.annotations += 1,
            XmlEvent::Close("annotation") => self.annotations = self.annotations.saturating_sub(1),
            XmlEvent::Open("p", _) => self.in_text = self.annotations == 0,
            XmlEvent::Close("p") => {
                self.in_text = false;
                self.buffer.push(' ');
            }
            XmlEvent::Open("s" | "tab" | "line-break", _) if self.in_text => self.buffer.push(' '),
            XmlEvent::Text(text) if self.in_text => self.buffer.push_str(text),
            XmlEvent::Open(..) | XmlEvent::Close(_) | XmlEvent::Text(_) => {}
        }
    }
}

fn times(text: Option<&str>) -> usize {
    text.and_then(|times| times.parse().ok()).unwrap_or(1).max(1)
}
