//! What an item is whose file is of some kind.

use entities::library_words::{ContentKind, ItemFormat};
use extract::sniff::Kind;

/// The format of an item with such a file.
pub(super) fn format_of(kind: &Kind) -> ItemFormat {
    match kind.format {
        Some("pdf") => ItemFormat::Pdf,
        Some("epub") => ItemFormat::Epub,
        Some("docx" | "odt") => ItemFormat::Document,
        Some("xlsx" | "ods" | "csv") => ItemFormat::Spreadsheet,
        Some("pptx" | "odp") => ItemFormat::Presentation,
        Some("html") => ItemFormat::Html,
        Some("markdown") => ItemFormat::Markdown,
        Some(_) => ItemFormat::PlainText,
        None if kind.media_type.starts_with("audio/") => ItemFormat::Audio,
        None if kind.media_type.starts_with("video/") => ItemFormat::Video,
        None => ItemFormat::Unknown,
    }
}

/// What such a file says that the item is, and how sure that is; nothing where it could be anything.
pub(super) fn content_kind_of(format: ItemFormat) -> Option<ContentKind> {
    match format {
        ItemFormat::Pdf => Some(ContentKind::Pdf),
        ItemFormat::Epub => Some(ContentKind::Book),
        ItemFormat::Document | ItemFormat::Spreadsheet | ItemFormat::Presentation => {
            Some(ContentKind::Document)
        }
        ItemFormat::Video => Some(ContentKind::Video),
        ItemFormat::Html
        | ItemFormat::Markdown
        | ItemFormat::PlainText
        | ItemFormat::Audio
        | ItemFormat::Unknown => None,
    }
}
