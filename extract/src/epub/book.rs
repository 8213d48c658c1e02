//! Input of the EPUB writer.

use crate::document::Block;

/// Metadata and text of a book.
#[derive(Debug, Clone)]
pub struct Book<'a> {
    /// Permanent identifier: `urn:uuid:…`.
    pub id: String,
    pub title: &'a str,
    /// Names joined by commas.
    pub author: Option<&'a str>,
    /// Site or organisation.
    pub publisher: Option<&'a str>,
    /// BCP 47 language tag.
    pub language: Option<&'a str>,
    /// Time of publication in RFC 3339 format, or a date.
    pub published_at: Option<&'a str>,
    /// Time of the last change, in RFC 3339 format.
    pub modified_at: String,
    pub source_url: Option<&'a str>,
    pub blocks: &'a [Block],
}
