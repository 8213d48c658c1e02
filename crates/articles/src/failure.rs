//! Failures of sources: conversion from extraction results and stored rows, and to errors.

use browser::RenderError;
use extract::sandbox::SandboxError;
use extract::{ExtractionOutcome, Warning};

use super::address::sentence;
use kernel::{Code, Error};

/// `Retry-After` in seconds when capacity is exhausted.
const CAPACITY_RETRY_SECONDS: u32 = 5;

/// Failure of a source, as stored and as reported to callers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceFailure {
    pub code: Code,
    pub message: String,
    /// Delay that the source requested, in whole seconds.
    pub retry_after: Option<u32>,
}

impl SourceFailure {
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), retry_after: None }
    }

    /// Restores a stored failure. A code that this version does not know becomes `source_error`.
    pub fn from_stored(code: &str, message: String, retry_after: Option<u32>) -> Self {
        Self { code: code.parse().unwrap_or(Code::SourceError), message, retry_after }
    }
}

impl From<SourceFailure> for Error {
    fn from(failure: SourceFailure) -> Self {
        let SourceFailure { code, message, retry_after } = failure;
        let is_busy = code == Code::CapacityExhausted;
        let retry_after = retry_after.or(is_busy.then_some(CAPACITY_RETRY_SECONDS));
        Self { retry_after, ..Self::new(code, message) }
    }
}

impl From<&fetch::Error> for SourceFailure {
    fn from(error: &fetch::Error) -> Self {
        let retry_after =
            error.retry_after().map(|after| u32::try_from(after.as_secs().max(1)).unwrap_or(u32::MAX));
        Self { code: Code::from(error), message: sentence(&error.to_string()), retry_after }
    }
}

/// Returns the failure to report for an extraction without a text. `None` if the extraction has a text.
pub fn of_extraction(extraction: &ExtractionOutcome) -> Option<SourceFailure> {
    match extraction {
        ExtractionOutcome::Document(document) if document.blocks.is_empty() => {
            Some(no_text(&document.warnings))
        }
        ExtractionOutcome::Document(_) => None,
        ExtractionOutcome::NoText { warnings, .. } => Some(no_text(warnings)),
        ExtractionOutcome::Unsupported { mime } => Some(SourceFailure::new(
            Code::UnsupportedContent,
            format!("The source is of type {mime}, which contains no readable text."),
        )),
        ExtractionOutcome::TooComplex { reason } => Some(SourceFailure::new(
            Code::UnsupportedContent,
            format!("The page is too complex to be read safely: {reason}."),
        )),
    }
}

/// Message for a page without text whose scripts may create the text.
const NEEDS_SCRIPTS: &str = "The page shows its text only to browsers that run scripts.";

/// True if a page has no text, but its scripts may create it.
pub(crate) fn needs_scripts(error: &Error) -> bool {
    error.code == Code::NoReadableText && error.message == NEEDS_SCRIPTS
}

/// Message if the browser cannot be used.
const NO_BROWSER: &str = "There is no capacity to render pages at the moment.";

/// True if a page was not rendered because the browser cannot be used.
pub(crate) fn is_without_browser(error: &Error) -> bool {
    error.code == Code::CapacityExhausted && error.message == NO_BROWSER
}

/// Failure of a page that cannot be rendered.
pub fn of_render_error(error: &RenderError) -> SourceFailure {
    match error {
        RenderError::Refused(error) => SourceFailure::from(error),
        RenderError::Load { .. } => SourceFailure::new(Code::SourceError, sentence(&error.to_string())),
        RenderError::Absent => SourceFailure::new(Code::SelectorNotFound, sentence(&error.to_string())),
        RenderError::Step { .. } => SourceFailure::new(Code::StepFailed, sentence(&error.to_string())),
        RenderError::Crashed | RenderError::Unresponsive { .. } => SourceFailure::new(
            Code::UnsupportedContent,
            "Rendering the page exceeded the time or memory limit.",
        ),
        RenderError::Browser { .. } | RenderError::BrowserLost => SourceFailure {
            code: Code::CapacityExhausted,
            message: NO_BROWSER.into(),
            retry_after: Some(CAPACITY_RETRY_SECONDS),
        },
    }
}

fn no_text(warnings: &[Warning]) -> SourceFailure {
    let message = if warnings.contains(&Warning::JavascriptRequired) {
        NEEDS_SCRIPTS
    } else {
        "The source was read, but there is no text in it."
    };
    SourceFailure::new(Code::NoReadableText, message)
}

/// Converts an error of the extraction process. A crash or an exceeded limit is a failure of the page. If the
/// process cannot be started, the failure is `capacity_exhausted`.
pub fn of_sandbox_error(error: &SandboxError) -> SourceFailure {
    match error {
        SandboxError::Crashed | SandboxError::TimedOut | SandboxError::MemoryLimit => SourceFailure::new(
            Code::UnsupportedContent,
            "Reading the page exceeded the time or memory limit.",
        ),
        SandboxError::Spawn(_) => SourceFailure {
            code: Code::CapacityExhausted,
            message: "There is no capacity to read pages at the moment.".into(),
            retry_after: Some(CAPACITY_RETRY_SECONDS),
        },
    }
}
