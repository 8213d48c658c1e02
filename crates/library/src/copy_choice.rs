//! Choice of an account about automatic copies of pages, as stored in the row of its library.

use entities::library_account;
use entities::library_words::PageCopyFormat;

/// Choice of automatic copies. By default, no page is copied.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CopyChoice {
    /// Formats in which the pages of new items are copied. Empty if no page is.
    pub formats: Vec<PageCopyFormat>,
    /// True if the pages of imported items are also copied, up to a maximum number per day.
    pub copies_imports: bool,
}

/// Changes to the choice. `None` leaves a value unchanged.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CopyChoiceUpdate {
    pub formats: Option<Vec<PageCopyFormat>>,
    /// Without formats, true has no effect.
    pub copies_imports: Option<bool>,
}

impl CopyChoice {
    pub(crate) fn of(state: &library_account::Model) -> Self {
        let formats = parse_formats(&state.copy_formats);
        Self { copies_imports: !formats.is_empty() && state.copy_imports_due_at.is_some(), formats }
    }
}

/// Parses the formats in the row of a library.
fn parse_formats(words: &str) -> Vec<PageCopyFormat> {
    words.split(',').filter_map(PageCopyFormat::parse).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stored_formats_are_parsed_and_unknown_formats_are_ignored() {
        assert!(parse_formats("").is_empty());
        assert_eq!(parse_formats("html,pdf"), [PageCopyFormat::Html, PageCopyFormat::Pdf]);
        assert_eq!(parse_formats("gif,screenshot"), [PageCopyFormat::Screenshot]);
    }
}
