//! An account's choice of automatic page copies, as stored in its library row.

use entities::library_account;
use entities::library_words::PageCopyFormat;

/// Choice of automatic page copies. By default, no page is copied.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CopyChoice {
    /// Formats in which the pages of new items are copied. If empty, no page is copied.
    pub formats: Vec<PageCopyFormat>,
    /// True if the pages of imported items are also copied, up to a maximum number per day.
    pub copies_imports: bool,
}

/// Changes to the choice. `None` leaves a value unchanged.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CopyChoiceUpdate {
    pub formats: Option<Vec<PageCopyFormat>>,
    /// Has no effect if no formats are chosen.
    pub copies_imports: Option<bool>,
}

impl CopyChoice {
    pub(crate) fn of(state: &library_account::Model) -> Self {
        let formats = parse_formats(&state.copy_formats);
        Self { copies_imports: !formats.is_empty() && state.copy_imports_due_at.is_some(), formats }
    }
}

/// Parses the formats that are stored in the row of a library.
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
