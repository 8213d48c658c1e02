//! Reads exports of other services and browser bookmarks: rows of one shape, read in pieces, so that a file
//! of any length takes no more memory than its longest row.

mod columns;
mod documents;
mod formats;
mod guess;
mod json;
mod list_names;
mod mapping;
mod netscape;
mod omnivore;
mod row;
mod services;
mod table;
mod tree;
mod values;

use serde_json::Value;

pub use self::guess::{Container, UnknownFile, describe_unknown, guess};
pub use self::omnivore::omnivore_marks;
pub use self::row::{
    Format, HEAD_BYTES, ImportRow, ImportStatus, ImportedHighlight, InvalidRow, MAX_ROW_BYTES, RowContent,
    RowResult,
};

/// Reads rows of one format from the pieces of a file.
pub struct Rows {
    reader: RowReader,
}

/// Reader of a format.
enum RowReader {
    Netscape(Box<netscape::Bookmarks>),
    Table { table: Box<table::Table>, service: columns::Service, head: Option<columns::ColumnNames> },
    Json { elements: json::Elements, read: fn(Value) -> RowResult },
    Karakeep { elements: json::Elements, lists: list_names::ListNames, list_elements: json::Elements },
    Tree { tree: tree::Tree, read: tree::ReadTree },
    Document { file: documents::TextFile, read: documents::ReadText },
}

impl RowReader {
    fn table(service: columns::Service) -> Self {
        Self::Table { table: Box::default(), service, head: None }
    }

    fn json(read: fn(Value) -> RowResult) -> Self {
        Self::Json { elements: json::Elements::default(), read }
    }

    fn karakeep() -> Self {
        Self::Karakeep {
            elements: json::Elements::of(&["bookmarks"]),
            lists: list_names::ListNames::default(),
            list_elements: json::Elements::of(&["lists"]),
        }
    }

    fn tree(read: tree::ReadTree) -> Self {
        Self::Tree { tree: tree::Tree::default(), read }
    }

    fn document(read: documents::ReadText) -> Self {
        Self::Document { file: documents::TextFile::default(), read }
    }
}

impl Rows {
    /// Creates a reader of `format`; `None` for Carrel's own format, whose lines have another shape.
    pub fn new(format: Format) -> Option<Self> {
        let create = formats::row(format)?.reader?;
        Some(Self { reader: create() })
    }

    /// Whether the file has to pass through [`Rows::survey`] before its rows are read.
    pub fn needs_survey(&self) -> bool {
        matches!(self.reader, RowReader::Karakeep { .. })
    }

    /// Reads a piece of the file for the names to which its rows refer. They may follow the rows.
    pub fn survey(&mut self, piece: &[u8]) {
        if let RowReader::Karakeep { lists, list_elements, .. } = &mut self.reader {
            list_elements.push(piece, &mut |list| {
                if let Ok(list) = list {
                    lists.add(&list);
                }
            });
        }
    }

    /// Reads the next piece of the file. `visit` gets each complete row.
    pub fn push(&mut self, piece: &[u8], visit: &mut dyn FnMut(RowResult)) {
        match &mut self.reader {
            RowReader::Netscape(bookmarks) => bookmarks.push(piece, visit),
            RowReader::Table { table, service, head } => {
                table.push(piece, &mut |cells| table_row(cells, *service, head, visit));
            }
            RowReader::Json { elements, read } => {
                elements.push(piece, &mut |element| visit(element.and_then(&mut *read)));
            }
            RowReader::Karakeep { elements, lists, .. } => elements.push(piece, &mut |element| {
                visit(element.and_then(|element| services::karakeep(element, lists)));
            }),
            RowReader::Tree { tree, .. } => tree.push(piece),
            RowReader::Document { file, .. } => file.push(piece),
        }
    }

    /// Finishes the file.
    pub fn finish(&mut self, visit: &mut dyn FnMut(RowResult)) {
        match &mut self.reader {
            RowReader::Netscape(bookmarks) => bookmarks.finish(visit),
            RowReader::Table { table, service, head } => {
                table.finish(&mut |cells| table_row(cells, *service, head, visit));
            }
            RowReader::Json { elements, read } => {
                elements.finish(&mut |element| visit(element.and_then(&mut *read)));
            }
            RowReader::Karakeep { elements, lists, .. } => elements.finish(&mut |element| {
                visit(element.and_then(|element| services::karakeep(element, lists)));
            }),
            RowReader::Tree { tree, read } => tree.finish(*read, visit),
            RowReader::Document { file, read } => file.finish(*read, visit),
        }
    }
}

/// Reads a row of a table. The first row names the columns.
fn table_row(
    cells: table::Cells,
    service: columns::Service,
    head: &mut Option<columns::ColumnNames>,
    visit: &mut dyn FnMut(RowResult),
) {
    match (cells, head) {
        (Ok(cells), Some(head)) => visit(columns::row(service, head, cells)),
        (Ok(cells), head @ None) => *head = Some(columns::ColumnNames::of(&cells)),
        (Err(reason), _) => visit(Err(reason)),
    }
}

#[cfg(test)]
mod tests;
