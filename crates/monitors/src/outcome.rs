//! How a run ends, and why it fails when it does.

use jobs::hosts;
use kernel::clock::Millis;
use kernel::code::Code;
use kernel::error::Error;

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

    /// Counts runs that ended so, once they are written for good.
    pub(super) fn count(self, runs: u64) {
        metrics::counter!("carrel_monitor_runs_total", "outcome" => self.as_str()).increment(runs);
    }
}

/// What a failure means for its monitor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Severity {
    /// One of many kinds that pass; after five in a row over a day the monitor is given up.
    Passing,
    /// What looks like an answer for good, and may be a mistake: given up when it is said three times over a day.
    Refusal,
    /// An answer for good: given up at once.
    Final,
}

/// Why a run failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct RunError {
    pub(super) code: Code,
    pub(super) severity: Severity,
    /// The server asks for a pause.
    pub(super) host_pause: Option<Millis>,
}

impl RunError {
    /// A body that came and is of no use.
    pub(super) fn unusable(code: Code) -> Self {
        Self { code, severity: Severity::Passing, host_pause: None }
    }

    /// What is looked for is not in the source.
    pub(super) fn absent() -> Self {
        Self { severity: Severity::Refusal, ..Self::unusable(Code::SelectorNotFound) }
    }

    /// A run that cannot be paid for.
    pub(super) fn exhausted() -> Self {
        Self::unusable(EXHAUSTED)
    }

    /// A run that looked at something else than is watched now.
    pub(super) fn superseded() -> Self {
        Self::unusable(Code::Superseded)
    }

    /// Whether the run could not be paid for.
    pub(super) fn is_exhausted(&self) -> bool {
        self.code == EXHAUSTED
    }

    /// Whether the selector found nothing.
    pub(super) fn is_absence(&self) -> bool {
        self.code == Code::SelectorNotFound
    }

    /// A source that gave no body.
    pub(super) fn of(error: &fetch::Error) -> Self {
        let severity = if matches!(error, fetch::Error::NotFound { gone: true }) {
            Severity::Final
        } else if matches!(error, fetch::Error::RobotsDisallowed | fetch::Error::NotAllowed { .. }) {
            Severity::Refusal
        } else {
            Severity::Passing
        };
        Self { code: Code::from(error), severity, host_pause: hosts::pause_after(error) }
    }
}

/// We have no room for a run now; its job is tried again.
pub(super) fn postponed() -> Error {
    Error::new(Code::CapacityExhausted, "There is no room to look at pages at the moment.").retry_after(5)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_was_looked_for_and_not_found_is_an_absence() {
        assert!(RunError::absent().is_absence());
        assert!(!RunError::exhausted().is_absence());
    }
}
