//! Names of the fields of imported rows and columns, in the language of the page.

use extract::imports::{ColumnField, RowField};

use crate::language::formats;
use crate::language::text::Text;

/// Returns the name of the field that a column contains.
pub(super) const fn column_name(field: ColumnField) -> Text {
    match field {
        ColumnField::Url => Text("import-column-url"),
        ColumnField::Title => Text("import-column-title"),
        ColumnField::Author => Text("import-column-author"),
        ColumnField::Published => Text("import-column-published"),
        ColumnField::Saved => Text("import-column-saved"),
        ColumnField::Status => Text("import-column-status"),
        ColumnField::Tags => Text("import-column-tags"),
        ColumnField::Folder => Text("import-column-folder"),
        ColumnField::Star => Text("import-column-starred"),
        ColumnField::Unread => Text("import-column-to-read"),
        ColumnField::Archived => Text("import-column-archived"),
        ColumnField::Progress => Text("import-column-progress"),
        ColumnField::Percent => Text("import-column-percent"),
        ColumnField::Finished => Text("import-column-finished"),
        ColumnField::Note => Text("import-column-note"),
        ColumnField::Highlight => Text("import-column-highlight"),
        ColumnField::Html => Text("import-column-html"),
        ColumnField::Text => Text("import-column-text"),
        ColumnField::Doi => Text("import-column-doi"),
        ColumnField::Id => Text("import-column-id"),
        ColumnField::Metadata => Text("import-column-metadata"),
    }
}

/// Lists the fields that rows of a format can have.
pub(super) fn row_fields(fields: &[RowField]) -> String {
    let names: Vec<String> = fields.iter().map(|field| row_field_name(*field).get()).collect();
    formats::list(&names)
}

const fn row_field_name(field: RowField) -> Text {
    match field {
        RowField::Url => Text("import-column-url"),
        RowField::Title => Text("import-holds-title"),
        RowField::Author => Text("import-holds-author"),
        RowField::Published => Text("import-holds-publication"),
        RowField::Saved => Text("import-holds-saved"),
        RowField::Status => Text("import-holds-status"),
        RowField::Progress => Text("import-holds-progress"),
        RowField::Tags => Text("import-holds-tags"),
        RowField::Star => Text("import-holds-star"),
        RowField::Folders => Text("import-holds-folders"),
        RowField::Content => Text("import-holds-text"),
        RowField::Note => Text("import-holds-note"),
        RowField::Highlights => Text("import-holds-highlights"),
    }
}
