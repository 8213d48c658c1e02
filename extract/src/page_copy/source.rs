//! Displayed page from which a copy is created.

use serde::{Deserialize, Serialize};

/// Displayed page with the files that it loaded. A browser extension sends the files as `data:` URLs in the document.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PageSource {
    /// URL of the document.
    pub url: String,
    /// URL against which relative URLs are resolved.
    pub base_url: String,
    /// Date of the copy, as its notice displays it.
    pub date: String,
    /// Document. Shadow roots and same-origin frames are written as declarative shadow roots. The child process
    /// receives the document after the JSON header.
    pub html: String,
    pub resources: Vec<PageResource>,
    /// True if the page or its files are not complete.
    pub is_cut: bool,
}

/// Style sheet, picture, or font of a page.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PageResource {
    /// Absolute URL that the page requested, without a fragment.
    pub url: String,
    /// URL after redirects, against which relative URLs of a style sheet are resolved.
    pub final_url: String,
    /// Media type that the server declared.
    pub media_type: String,
    /// Decoded content. The child process receives it after the JSON header.
    #[serde(skip)]
    pub bytes: Vec<u8>,
}
