//! What the reader of a format hands on, before it is finished the same way for all formats.

use crate::document::{Block, Category, ExtractionSource, NextLinks, Quality, Warning};

/// A document without anchors, counts and hash.
#[derive(Debug, Default)]
pub(crate) struct Draft {
    pub(crate) title: Option<String>,
    pub(crate) author: Option<String>,
    pub(crate) publisher: Option<String>,
    pub(crate) published_at: Option<String>,
    pub(crate) modified_at: Option<String>,
    pub(crate) language: Option<String>,
    pub(crate) canonical_url: Option<String>,
    /// Where it is another than the first of its format's own.
    pub(crate) media_type: Option<String>,
    /// Where it is another than its format's.
    pub(crate) source: Option<ExtractionSource>,
    pub(crate) quality: Option<Quality>,
    pub(crate) category: Option<Category>,
    pub(crate) warnings: Vec<Warning>,
    pub(crate) blocks: Vec<Block>,
    pub(crate) next_links: NextLinks,
}

/// Why a reader hands on no draft.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Unread {
    /// The body is of this format, and cannot be opened.
    Broken,
    /// The body is of another format.
    Foreign,
    /// Reading it would cost too much, for this reason.
    TooComplex(String),
}

/// What the reader of a format answers.
pub(crate) type Reading = Result<Draft, Unread>;
