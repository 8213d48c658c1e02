//! Names of job kinds. Their keys are computed, so that a new kind needs only its texts in the catalogue.

use http_kit::page_language;
use jobs::JobKind;

use super::catalogue::PAGES;

/// Returns the name of a job kind in the language of the page's content.
pub(crate) fn job_kind_name(kind: JobKind) -> String {
    PAGES.format(page_language::current().content, &key(kind), None)
}

/// Returns the key of a name: `job-feed-poll` for the kind `feed_poll`.
pub(super) fn key(kind: JobKind) -> String {
    format!("job-{}", kind.as_str().replace('_', "-"))
}
