//! Names of the fields of imported rows and columns, in the language of the page.

use extract::imports::{ColumnField, Format, ImportService, RowField};
use maud::{Markup, Render};

use crate::language::formats;
use crate::language::text::{Text, in_english};

/// Returns the translated name of a format. `None` if it is the name of a program, which is the same in all languages.
pub(super) const fn format_text(format: Format) -> Option<Text> {
    Some(match format {
        Format::Warc => Text("format-web-archive"),
        Format::Mhtml => Text("format-mhtml"),
        Format::SingleFile => Text("format-single-file"),
        Format::Netscape => Text("format-bookmarks-html"),
        Format::AdobeAnnotations => Text("format-annotations"),
        Format::Xbel => Text("format-bookmarks-xbel"),
        Format::OpmlLinks => Text("format-outline"),
        Format::Csv => Text("format-table"),
        Format::PocketAnnotationsJson => Text("format-pocket-highlights"),
        Format::PocketCollectionJson => Text("format-pocket-collection"),
        Format::CslJson => Text("format-csl"),
        Format::NestedJson => Text("format-nested"),
        Format::Json => Text("format-objects"),
        Format::Bibtex => Text("format-bibtex"),
        Format::Ris => Text("format-ris"),
        Format::AppleBooks => Text("format-apple-books"),
        Format::UrlList => Text("format-urls"),
        Format::Markdown => Text("format-markdown"),
        _ => return None,
    })
}

/// Renders the name of a format.
pub(super) fn format_name(format: Format) -> Markup {
    format_text(format).map_or_else(|| in_english(format.label()), |text| text.render())
}

/// Renders the name of a service.
pub(super) fn service_name(service: ImportService) -> Markup {
    match service {
        ImportService::Readwise => Text("server-readwise").render(),
        program => in_english(program.label()),
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn format_and_service_names_match_the_api() {
        for format in Format::ALL {
            assert_eq!(format_name(*format).into_string(), format.label());
        }
        for service in ImportService::ALL {
            assert_eq!(service_name(*service).into_string(), service.label());
        }
    }
}
