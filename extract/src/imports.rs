//! Reads exports of other services and browser bookmarks: rows of one shape, read in pieces, so that a file
//! of any length takes no more memory than its longest row.

mod columns;
mod guess;
mod json;
mod netscape;
mod omnivore;
mod row;
mod services;
mod values;

use serde_json::Value;

pub use self::guess::{Container, guess};
pub use self::omnivore::omnivore_marks;
pub use self::row::{
    Format, HEAD_BYTES, ImportRow, ImportStatus, ImportedHighlight, InvalidRow, MAX_ROW_BYTES, RowContent,
    RowResult,
};
use crate::delimited::{self, Records};

/// Reads rows of one format from the pieces of a file.
pub struct Rows {
    reader: RowReader,
}

enum RowReader {
    Netscape(netscape::Bookmarks),
    Table { records: Records, service: columns::Service, head: Option<columns::ColumnNames> },
    Json { elements: json::Elements, read: fn(Value) -> RowResult },
}

impl Rows {
    /// Creates a reader of `format`; `None` for Carrel's own format, whose lines have another shape.
    pub fn new(format: Format) -> Option<Self> {
        let table = |service| RowReader::Table { records: Records::new(b','), service, head: None };
        let json = |read| RowReader::Json { elements: json::Elements::default(), read };
        let reader = match format {
            Format::Netscape => RowReader::Netscape(netscape::Bookmarks::default()),
            Format::PocketCsv => table(columns::Service::Pocket),
            Format::ReadwiseCsv => table(columns::Service::Readwise),
            Format::ReadwiseReaderCsv => table(columns::Service::ReadwiseReader),
            Format::InstapaperCsv => table(columns::Service::Instapaper),
            Format::RaindropCsv => table(columns::Service::Raindrop),
            Format::OmnivoreJson => json(services::omnivore),
            Format::WallabagJson => json(services::wallabag),
            Format::KarakeepJson => json(services::karakeep),
            Format::SvcJsonl => return None,
        };
        Some(Self { reader })
    }

    /// Reads the next piece of the file. `visit` gets each complete row.
    pub fn push(&mut self, piece: &[u8], visit: &mut dyn FnMut(RowResult)) {
        match &mut self.reader {
            RowReader::Netscape(bookmarks) => bookmarks.push(piece, visit),
            RowReader::Table { records, service, head } => {
                records.push(piece, |record| table_row(record, *service, head, visit));
            }
            RowReader::Json { elements, read } => {
                elements.push(piece, &mut |element| visit(element.and_then(&mut *read)));
            }
        }
    }

    /// Finishes the file.
    pub fn finish(&mut self, visit: &mut dyn FnMut(RowResult)) {
        match &mut self.reader {
            RowReader::Netscape(bookmarks) => bookmarks.finish(visit),
            RowReader::Table { records, service, head } => {
                records.finish(|record| table_row(record, *service, head, visit));
            }
            RowReader::Json { elements, .. } => {
                if elements.is_open() {
                    visit(Err(InvalidRow::Truncated));
                }
            }
        }
    }
}

/// Reads a record of a table. The first record names the columns.
fn table_row(
    record: Result<delimited::Record<'_>, delimited::Oversized>,
    service: columns::Service,
    head: &mut Option<columns::ColumnNames>,
    visit: &mut dyn FnMut(RowResult),
) {
    match (record, head) {
        (Ok(record), Some(head)) => visit(columns::row(service, head, record)),
        (Ok(record), head @ None) => *head = Some(columns::ColumnNames::of(record)),
        (Err(delimited::Oversized), _) => visit(Err(InvalidRow::TooLong)),
    }
}

#[cfg(test)]
mod tests;
