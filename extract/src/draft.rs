//! Output of the reader of a format, before the processing steps that all formats share.

use crate::document::{Block, Category, ExtractionSource, NextLinks, Quality, Warning};

/// Document without anchors, counts and hash.
#[derive(Debug, Default)]
pub(crate) struct Draft {
    pub(crate) title: Option<String>,
    pub(crate) author: Option<String>,
    pub(crate) publisher: Option<String>,
    pub(crate) published_at: Option<String>,
    pub(crate) modified_at: Option<String>,
    pub(crate) language: Option<String>,
    pub(crate) canonical_url: Option<String>,
    /// Media type, if it differs from the first media type of the format.
    pub(crate) media_type: Option<String>,
    /// Source to report, if it differs from the source of the format.
    pub(crate) source: Option<ExtractionSource>,
    pub(crate) quality: Option<Quality>,
    pub(crate) category: Option<Category>,
    pub(crate) warnings: Vec<Warning>,
    pub(crate) blocks: Vec<Block>,
    pub(crate) next_links: NextLinks,
}

impl Draft {
    /// Records that a part of the source is missing because it exceeds a limit or cannot be converted.
    pub(crate) fn report_missing_part(&mut self) {
        self.warnings.push(Warning::TruncatedSource);
        if self.quality == Some(Quality::Complete) {
            self.quality = Some(Quality::Partial);
        }
    }
}

/// Reason why a reader returns no draft.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum ReadError {
    /// The body has this format but cannot be opened.
    Broken,
    /// The body has a different format.
    WrongFormat,
    /// Reading the body would be too expensive. The text is the reason.
    TooComplex(String),
}

/// Result of the reader of a format.
pub(crate) type DraftResult = Result<Draft, ReadError>;
