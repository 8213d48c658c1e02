//! How a source can fail us: the contract's codes, which of them are final, and how they become errors.

use extract::sandbox::Fault;
use extract::{Found, Warning};

use super::address::sentence;
use crate::error::Error;

/// A failure of a source, in the form in which it is kept and told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// The contract's code.
    pub code: &'static str,
    /// A sentence for people.
    pub message: String,
    /// Whole seconds the source asked us to wait.
    pub retry_after: Option<u32>,
}

/// Codes that say something final about the source.
const FINAL: &[&str] = &[
    "source_not_found",
    "source_forbidden",
    "login_required",
    "paywalled",
    "robots_disallowed",
    "unsupported_content",
    "content_too_large",
    "no_readable_text",
    "too_many_redirects",
];
/// Codes that speak of the URL itself.
const ADDRESS: &[&str] = &["invalid_url", "url_not_allowed", "credential_in_url"];
/// Codes of a source that misbehaved and may behave again.
const PASSING: &[&str] = &[
    "source_unreachable",
    "source_timeout",
    "source_tls_error",
    "source_error",
    "source_rate_limited",
    "source_invalid_response",
];

impl Failure {
    /// A failure with its code and its sentence.
    pub fn new(code: &'static str, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), retry_after: None }
    }

    /// A kept failure. A word that this version does not know counts as a fault of the source.
    pub fn kept(code: &str, message: String, retry_after: Option<u32>) -> Self {
        let known = FINAL.iter().chain(ADDRESS).chain(PASSING).chain(&["capacity_exhausted"]);
        let code = known.copied().find(|known| *known == code).unwrap_or("source_error");
        Self { code, message, retry_after }
    }

    /// Whether another try may go better.
    pub fn is_transient(&self) -> bool {
        !FINAL.contains(&self.code) && !ADDRESS.contains(&self.code)
    }
}

impl From<Failure> for Error {
    fn from(failure: Failure) -> Self {
        let Failure { code, message, retry_after } = failure;
        if code == "capacity_exhausted" {
            Self::Unavailable { code, message, retry_after: retry_after.unwrap_or(5) }
        } else if ADDRESS.contains(&code) {
            Self::Invalid { code, message, details: None }
        } else if FINAL.contains(&code) {
            Self::Unreadable { code, message }
        } else {
            Self::Source { code, message, retry_after }
        }
    }
}

impl From<&fetch::Error> for Failure {
    fn from(error: &fetch::Error) -> Self {
        let retry_after =
            error.retry_after().map(|after| u32::try_from(after.as_secs().max(1)).unwrap_or(u32::MAX));
        Self { code: error.code(), message: sentence(&error.to_string()), retry_after }
    }
}

/// What an extraction that gave no document means for the caller; `None` when it gave one.
pub(super) fn of_found(found: &Found) -> Option<Failure> {
    match found {
        Found::Document(document) if document.blocks.is_empty() => Some(no_text(&document.warnings)),
        Found::Document(_) => None,
        Found::NoText { warnings, .. } => Some(no_text(warnings)),
        Found::Unsupported { mime } => Some(Failure::new(
            "unsupported_content",
            format!("The source is of type {mime}, which holds no text we can read."),
        )),
        Found::TooComplex { reason } => Some(Failure::new(
            "unsupported_content",
            format!("The page is shaped so that it cannot be read safely: {reason}."),
        )),
    }
}

fn no_text(warnings: &[Warning]) -> Failure {
    let message = if warnings.contains(&Warning::JavascriptRequired) {
        "The page shows its text only to browsers that run scripts."
    } else {
        "The source was read, but there is no text in it."
    };
    Failure::new("no_readable_text", message)
}

/// A page that broke its extraction process fails alone; a process that cannot be started is our own trouble.
pub(super) fn of_fault(fault: &Fault) -> Failure {
    match fault {
        Fault::Crashed | Fault::TimedOut | Fault::MemoryLimit => {
            Failure::new("unsupported_content", "The page takes more time or memory than any page may take.")
        }
        Fault::Spawn(_) => Failure {
            code: "capacity_exhausted",
            message: "There is no room to read pages at the moment.".into(),
            retry_after: Some(5),
        },
    }
}
