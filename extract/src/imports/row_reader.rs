//! Reader of one format of exports.

use serde_json::Value;

use super::chosen_columns::{ChosenJson, ChosenTable};
use super::date_orders::DateOrders;
use super::row::RowResult;
use super::{columns, documents, evernote, json, kobo, list_names, mapping, netscape, table, tree, warc};

/// Reader of a format.
pub(super) enum RowReader {
    Netscape(Box<netscape::Bookmarks>),
    Table {
        table: Box<table::TableReader>,
        service: columns::TableService,
        column_names: Option<columns::ColumnNames>,
        /// Orders of day and month in dates. `None` if the service always writes its dates in the same form.
        dates: Option<Box<DateOrders>>,
    },
    Json {
        elements: json::Elements,
        read: fn(Value) -> RowResult,
    },
    Karakeep {
        elements: json::Elements,
        lists: list_names::ListNames,
        list_elements: json::Elements,
    },
    Tree {
        tree: tree::FileBuffer,
        read: tree::ReadTree,
    },
    Document {
        file: documents::WholeFile,
        read: documents::ReadText,
    },
    Binary {
        file: documents::WholeFile,
        read: documents::ReadBytes,
    },
    Evernote(evernote::NoteReader),
    Warc(Box<warc::WarcReader>),
    Kobo(Box<kobo::KoboDatabase>),
    ChosenTable(ChosenTable),
    ChosenJson(ChosenJson),
}

impl RowReader {
    pub(super) fn table(service: columns::TableService) -> Self {
        Self::Table { table: Box::default(), service, column_names: None, dates: None }
    }

    /// Creates a reader for the table of any program. Its column names are listed in `mapping::ANY`.
    pub(super) fn any_table() -> Self {
        let service = columns::TableService::Mapped(mapping::ANY);
        Self::Table { table: Box::default(), service, column_names: None, dates: Some(Box::default()) }
    }

    pub(super) fn json(read: fn(Value) -> RowResult) -> Self {
        Self::Json { elements: json::Elements::default(), read }
    }

    pub(super) fn karakeep() -> Self {
        Self::Karakeep {
            elements: json::Elements::of(&["bookmarks"]),
            lists: list_names::ListNames::default(),
            list_elements: json::Elements::of(&["lists"]),
        }
    }

    pub(super) fn tree(read: tree::ReadTree) -> Self {
        Self::Tree { tree: tree::FileBuffer::default(), read }
    }

    pub(super) fn document(read: documents::ReadText) -> Self {
        Self::Document { file: documents::WholeFile::default(), read }
    }

    pub(super) fn binary(read: documents::ReadBytes) -> Self {
        Self::Binary { file: documents::WholeFile::default(), read }
    }
}
