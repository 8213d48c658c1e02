//! Reads exports of other services and browser bookmarks: rows of one shape, read in pieces, so that a file
//! of any length takes no more memory than its longest row.

mod apple_books;
mod bibtex;
mod chosen_columns;
mod column_map;
mod column_proposal;
mod columns;
mod database_file;
mod date_orders;
mod documents;
mod evernote;
mod format_table;
mod formats;
mod guess;
mod highlight_lines;
mod json;
mod kobo;
mod koreader_markdown;
mod list_names;
mod mapping;
mod markdown_notes;
mod markup;
mod nested_links;
mod netscape;
mod notion_page;
mod omnivore;
mod plist;
mod row;
mod row_field;
mod row_reader;
mod saved_pages;
mod server_pages;
mod server_rows;
mod services;
mod table;
mod tree;
mod values;
mod warc;
mod xml_lists;
mod xml_tree;

use std::collections::HashSet;
use std::sync::Arc;

use self::chosen_columns::{ChosenJson, ChosenTable};
pub use self::column_map::{ColumnField, ColumnMap, InvalidColumns};
pub use self::column_proposal::{has_urls, propose_columns};
use self::date_orders::DateOrders;
pub use self::format_table::format_table;
pub use self::guess::{ImportContainer, UnknownFile, describe_unknown, guess, is_empty_list};
pub use self::omnivore::omnivore_marks;
pub use self::row::{
    Format, HEAD_BYTES, ImportRow, ImportStatus, ImportedHighlight, InvalidRow, MAX_ROW_BYTES, RowContent,
    RowResult,
};
pub use self::row_field::RowField;
use self::row_reader::RowReader;
pub use self::server_pages::{
    ImportService, PageEnd, ServerPage, ServerPageRequest, ServerPart, read_login, read_page,
};

/// Reads rows of one format from the pieces of a file.
pub struct ImportFileReader {
    reader: RowReader,
}

impl ImportFileReader {
    /// Creates a reader of `format`; `None` for Carrel's own format, whose lines have a different shape.
    pub fn new(format: Format) -> Option<Self> {
        let create = formats::row(format)?.reader?;
        Some(Self { reader: create() })
    }

    /// Creates a reader of `format` that reads each column as the field that `columns` assigns to it.
    pub fn with_columns(format: Format, columns: &ColumnMap) -> Option<Self> {
        let reader = match format {
            Format::Csv if !columns.is_empty() => RowReader::ChosenTable(ChosenTable::new(columns)),
            Format::Json if !columns.is_empty() => RowReader::ChosenJson(ChosenJson::new(columns)),
            _ => return Self::new(format),
        };
        Some(Self { reader })
    }

    /// True if the file is not text, so that its bytes are passed on unchanged.
    pub fn reads_bytes(&self) -> bool {
        matches!(self.reader, RowReader::Binary { .. } | RowReader::Warc(_) | RowReader::Kobo(_))
    }

    /// Sets the URLs of the pages of a web archive. Its other responses are resources of these pages.
    pub fn set_pages(&mut self, pages: Arc<HashSet<String>>) {
        if let RowReader::Warc(archive) = &mut self.reader {
            archive.set_pages(pages);
        }
    }

    /// True if the file must pass through [`ImportFileReader::first_pass`] before its rows are read.
    pub fn needs_first_pass(&self) -> bool {
        match &self.reader {
            RowReader::Karakeep { .. } => true,
            RowReader::Table { dates, .. } => dates.as_deref().is_some_and(DateOrders::needs_first_pass),
            RowReader::ChosenTable(table) => table.needs_first_pass(),
            _ => false,
        }
    }

    /// Collects the data that rows need from a piece of the file: names to which rows refer and which may
    /// follow the rows, and the order of day and month in their dates.
    pub fn first_pass(&mut self, piece: &[u8]) {
        match &mut self.reader {
            RowReader::Karakeep { lists, list_elements, .. } => list_elements.push(piece, &mut |list| {
                if let Ok(list) = list {
                    lists.add(&list);
                }
            }),
            RowReader::Table { dates: Some(dates), .. } => dates.first_pass(piece, &has_times),
            RowReader::ChosenTable(table) => table.first_pass(piece),
            _ => {}
        }
    }

    /// Completes the data that [`ImportFileReader::first_pass`] collected, at the end of the file.
    pub fn finish_first_pass(&mut self) {
        match &mut self.reader {
            RowReader::Table { dates: Some(dates), .. } => dates.finish_first_pass(&has_times),
            RowReader::ChosenTable(table) => table.finish_first_pass(),
            _ => {}
        }
    }

    /// Reads the next piece of the file. `visit` gets each complete row.
    pub fn push(&mut self, piece: &[u8], visit: &mut dyn FnMut(RowResult)) {
        match &mut self.reader {
            RowReader::Netscape(bookmarks) => bookmarks.push(piece, visit),
            RowReader::Table { table, service, column_names, dates } => {
                table.push(piece, &mut |cells| {
                    table_row(cells, *service, (&mut *column_names, dates.as_deref_mut()), visit);
                });
            }
            RowReader::Json { elements, read } => {
                elements.push(piece, &mut |element| visit(element.and_then(&mut *read)));
            }
            RowReader::Karakeep { elements, lists, .. } => elements.push(piece, &mut |element| {
                visit(element.and_then(|element| services::karakeep(element, lists)));
            }),
            RowReader::Tree { tree, .. } => tree.push(piece),
            RowReader::Document { file, .. } | RowReader::Binary { file, .. } => file.push(piece),
            RowReader::Evernote(notes) => notes.push(piece, visit),
            RowReader::Warc(archive) => archive.push(piece, visit),
            RowReader::Kobo(database) => database.push(piece),
            RowReader::ChosenTable(table) => table.push(piece, visit),
            RowReader::ChosenJson(list) => list.push(piece, visit),
        }
    }

    /// Completes the last row at the end of the file.
    pub fn finish(&mut self, visit: &mut dyn FnMut(RowResult)) {
        match &mut self.reader {
            RowReader::Netscape(bookmarks) => bookmarks.finish(visit),
            RowReader::Table { table, service, column_names, dates } => {
                table.finish(&mut |cells| {
                    table_row(cells, *service, (&mut *column_names, dates.as_deref_mut()), visit);
                });
            }
            RowReader::Json { elements, read } => {
                elements.finish(&mut |element| visit(element.and_then(&mut *read)));
            }
            RowReader::Karakeep { elements, lists, .. } => elements.finish(&mut |element| {
                visit(element.and_then(|element| services::karakeep(element, lists)));
            }),
            RowReader::Tree { tree, read } => tree.finish(*read, visit),
            RowReader::Document { file, read } => file.finish(*read, visit),
            RowReader::Binary { file, read } => file.finish_bytes(*read, visit),
            RowReader::Evernote(notes) => notes.finish(visit),
            RowReader::Warc(archive) => archive.finish(visit),
            RowReader::Kobo(database) => database.finish(visit),
            RowReader::ChosenTable(table) => table.finish(visit),
            RowReader::ChosenJson(list) => list.finish(visit),
        }
    }
}

/// Reads a row of a table. The first row names the columns.
fn table_row(
    cells: table::Cells,
    service: columns::TableService,
    (column_names, dates): (&mut Option<columns::ColumnNames>, Option<&mut DateOrders>),
    visit: &mut dyn FnMut(RowResult),
) {
    match (cells, column_names) {
        (Ok(mut cells), Some(column_names)) => {
            let ambiguities = dates.map(|dates| dates.resolve(&mut cells)).unwrap_or_default();
            visit(columns::row(service, column_names, cells).map(|row| ImportRow { ambiguities, ..row }));
        }
        (Ok(cells), column_names @ None) => *column_names = Some(columns::ColumnNames::of(&cells)),
        (Err(reason), _) => visit(Err(reason)),
    }
}

/// True if the values of a column with this usual name are times.
fn has_times(name: &str) -> bool {
    mapping::known(name).is_some_and(|(_, field)| mapping::is_time(field))
}

#[cfg(test)]
mod tests;
