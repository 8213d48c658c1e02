//! How a run ends, and why it fails when it does.

use crate::clock::Millis;
use crate::code::Code;
use crate::error::Error;
use crate::hosts;

/// The code of a run that could not be paid for.
pub(super) const EXHAUSTED: Code = Code::MonitorCreditsExhausted;

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// The first look, or the first by a new definition.
    Baseline,
    /// Nothing worth telling.
    Unchanged,
    /// A change.
    Changed,
    /// No look.
    Error,
}

impl Outcome {
    pub(super) const fn as_str(self) -> &'static str {
        match self {
            Self::Baseline => "baseline",
            Self::Unchanged => "unchanged",
            Self::Changed => "changed",
            Self::Error => "error",
        }
    }
}

/// Why a run failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct RunError {
    pub(super) code: Code,
    /// The source had answered: the run is charged.
    pub(super) answered: bool,
    /// The monitor is given up at once.
    pub(super) is_final: bool,
    /// What is looked for is not in the source.
    pub(super) absent: bool,
    /// The server asks for a pause.
    pub(super) host_pause: Option<Millis>,
}

impl RunError {
    /// A body that came and is of no use.
    pub(super) fn unusable(code: Code) -> Self {
        Self { code, answered: true, is_final: false, absent: false, host_pause: None }
    }

    /// What is looked for is not in the source.
    pub(super) fn absent(code: Code) -> Self {
        Self { absent: true, ..Self::unusable(code) }
    }

    /// A run that cannot be paid for.
    pub(super) fn exhausted() -> Self {
        Self { answered: false, ..Self::unusable(EXHAUSTED) }
    }

    /// Whether the run could not be paid for.
    pub(super) fn is_exhausted(&self) -> bool {
        self.code == EXHAUSTED
    }

    /// A source that gave no body.
    pub(super) fn of(error: &fetch::Error) -> Self {
        let is_final = matches!(
            error,
            fetch::Error::NotFound { gone: true }
                | fetch::Error::RobotsDisallowed
                | fetch::Error::NotAllowed { .. }
        );
        Self {
            code: Code::from(error),
            answered: error.source_answered(),
            is_final,
            absent: false,
            host_pause: hosts::pause_after(error),
        }
    }
}

/// We have no room for a run now; its job is tried again.
pub(super) fn postponed() -> Error {
    Error::new(Code::CapacityExhausted, "There is no room to look at pages at the moment.").retry_after(5)
}
