//! How a source can fail us, as it is stored and as it becomes an error.

use extract::sandbox::Fault;
use extract::{Found, Warning};

use super::address::sentence;
use kernel::code::Code;
use kernel::error::Error;

/// Whole seconds after which there may be room again.
const BUSY_SECONDS: u32 = 5;

/// A failure of a source, in the form in which it is kept and told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// Machine-readable code.
    pub code: Code,
    /// Human-readable message.
    pub message: String,
    /// Whole seconds the source asked us to wait.
    pub retry_after: Option<u32>,
}

impl Failure {
    /// A failure with its code and its message.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), retry_after: None }
    }

    /// A stored failure. A code that this version does not know counts as a fault of the source.
    pub fn kept(code: &str, message: String, retry_after: Option<u32>) -> Self {
        Self { code: code.parse().unwrap_or(Code::SourceError), message, retry_after }
    }
}

impl From<Failure> for Error {
    fn from(failure: Failure) -> Self {
        let Failure { code, message, retry_after } = failure;
        let is_busy = code == Code::CapacityExhausted;
        let retry_after = retry_after.or(is_busy.then_some(BUSY_SECONDS));
        Self { retry_after, ..Self::new(code, message) }
    }
}

impl From<&fetch::Error> for Failure {
    fn from(error: &fetch::Error) -> Self {
        let retry_after =
            error.retry_after().map(|after| u32::try_from(after.as_secs().max(1)).unwrap_or(u32::MAX));
        Self { code: Code::from(error), message: sentence(&error.to_string()), retry_after }
    }
}

/// What an extraction that gave no document means for the caller; `None` when it gave one.
pub fn of_found(found: &Found) -> Option<Failure> {
    match found {
        Found::Document(document) if document.blocks.is_empty() => Some(no_text(&document.warnings)),
        Found::Document(_) => None,
        Found::NoText { warnings, .. } => Some(no_text(warnings)),
        Found::Unsupported { mime } => Some(Failure::new(
            Code::UnsupportedContent,
            format!("The source is of type {mime}, which holds no text we can read."),
        )),
        Found::TooComplex { reason } => Some(Failure::new(
            Code::UnsupportedContent,
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
    Failure::new(Code::NoReadableText, message)
}

/// A page that broke its extraction process fails alone; a process that cannot be started is our own trouble.
pub fn of_fault(fault: &Fault) -> Failure {
    match fault {
        Fault::Crashed | Fault::TimedOut | Fault::MemoryLimit => Failure::new(
            Code::UnsupportedContent,
            "The page takes more time or memory than any page may take.",
        ),
        Fault::Spawn(_) => Failure {
            code: Code::CapacityExhausted,
            message: "There is no room to read pages at the moment.".into(),
            retry_after: Some(BUSY_SECONDS),
        },
    }
}
