//! Derives the format and the content kind of an item from the type of its file.

use entities::library_words::{ContentKind, ItemFormat};
use extract::sniff::DetectedType;

pub(super) fn format_of(kind: &DetectedType) -> ItemFormat {
    match kind.format {
        Some("pdf") => ItemFormat::Pdf,
        Some("epub") => ItemFormat::Epub,
        Some("docx" | "odt" | "rtf") => ItemFormat::Document,
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

/// Returns the content kind that the format of a file implies. `None` if the format can contain several
/// kinds.
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
