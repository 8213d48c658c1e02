//! A book to be written.

use crate::document::Block;

/// What a book is made of.
#[derive(Debug, Clone)]
pub struct Book<'a> {
    /// Names the book for good: `urn:uuid:…`.
    pub id: String,
    /// What it is called.
    pub title: &'a str,
    /// Names joined by commas.
    pub author: Option<&'a str>,
    /// The site or organisation.
    pub publisher: Option<&'a str>,
    /// BCP 47 tag.
    pub language: Option<&'a str>,
    /// RFC 3339, or a day.
    pub published_at: Option<&'a str>,
    /// When it was last changed: RFC 3339.
    pub modified_at: String,
    /// Where it is from.
    pub source_url: Option<&'a str>,
    /// The text.
    pub blocks: &'a [Block],
}
