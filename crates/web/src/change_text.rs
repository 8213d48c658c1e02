//! Translation of the titles and summaries of changes, which are stored in English.

use http_kit::page_language;
use monitors::MessageText;

/// Returns the title and the summary of a stored change in the language of the page.
pub(crate) fn change_text(title: &str, summary: &str) -> MessageText {
    monitors::change_text(page_language::current().content, title, summary)
}
