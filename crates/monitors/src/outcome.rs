//! Outcome of a run, and the reasons of failures.

use jobs::hosts;
use kernel::clock::MINUTE;
use kernel::{Code, Error, FieldPath, Millis};

/// The code of a run that could not be paid for.
pub(super) const EXHAUSTED: Code = Code::MonitorCreditsExhausted;

/// Time after which a doubtful content is checked again.
pub(super) const RECHECK: Millis = 3 * MINUTE;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// First check, or first check under a new definition.
    Baseline,
    /// No change to report.
    Unchanged,
    /// A reported change.
    Changed,
    /// Nothing could be evaluated.
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

    /// Counts committed runs with this outcome.
    pub(super) fn count(self, runs: u64) {
        metrics::counter!("carrel_monitor_runs_total", "outcome" => self.as_str()).increment(runs);
    }
}

/// Effect of a failure on its monitor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Severity {
    /// May pass. The monitor is given up after five failures in a row over a day.
    Passing,
    /// Looks permanent but may be a mistake. The monitor is given up after three of these over a day.
    Refusal,
    /// Permanent. The monitor is given up immediately.
    Final,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct RunError {
    pub(super) code: Code,
    pub(super) severity: Severity,
    /// Pause that the server asks for.
    pub(super) host_pause: Option<Millis>,
    /// Time after which the source is checked again, if that is earlier than the back-off.
    pub(super) recheck_after: Option<Millis>,
    /// Sentence for a preview.
    pub(super) reason: Option<String>,
}

impl RunError {
    /// The body is unusable.
    pub(super) fn unusable(code: Code) -> Self {
        Self { code, severity: Severity::Passing, host_pause: None, recheck_after: None, reason: None }
    }

    /// The content may not be the page. It is checked again soon.
    pub(super) fn doubtful() -> Self {
        Self { recheck_after: Some(RECHECK), ..Self::unusable(Code::SourceInvalidResponse) }
    }

    /// The selector matches nothing in the source.
    pub(super) fn absent() -> Self {
        Self { severity: Severity::Refusal, ..Self::unusable(Code::SelectorNotFound) }
    }

    /// A selector cannot be evaluated on the source.
    pub(super) fn selector_failed(pointer: &str, reason: &str) -> Self {
        let path = FieldPath::of_pointer(pointer);
        let reason = Some(format!("The selector fails on this source: {path}: {reason}."));
        Self { reason, ..Self::unusable(Code::SelectorFailed) }
    }

    /// A program of the target exceeded the limits of its process.
    pub(super) fn program_stopped() -> Self {
        let reason = "The jq program needs too much time or memory on this source, or recurses too deep.";
        let reason = Some(reason.to_owned());
        Self { severity: Severity::Refusal, reason, ..Self::unusable(Code::SelectorFailed) }
    }

    /// The run cannot be paid for.
    pub(super) fn exhausted() -> Self {
        Self::unusable(EXHAUSTED)
    }

    /// The run observed something other than what is watched now.
    pub(super) fn superseded() -> Self {
        Self::unusable(Code::Superseded)
    }

    pub(super) fn is_exhausted(&self) -> bool {
        self.code == EXHAUSTED
    }

    /// Whether the selector matched nothing.
    pub(super) fn is_absence(&self) -> bool {
        self.code == Code::SelectorNotFound
    }

    /// The source returned no body.
    pub(super) fn of(error: &fetch::Error) -> Self {
        let severity = if matches!(error, fetch::Error::NotFound { gone: true }) {
            Severity::Final
        } else if matches!(error, fetch::Error::RobotsDisallowed | fetch::Error::NotAllowed { .. }) {
            Severity::Refusal
        } else {
            Severity::Passing
        };
        let host_pause = hosts::pause_after(error);
        Self { severity, host_pause, ..Self::unusable(Code::from(error)) }
    }
}

/// Error for a run that has to wait because our capacity is exhausted; its job is retried.
pub(super) fn postponed() -> Error {
    Error::new(
        Code::CapacityExhausted,
        "The service has no capacity to check pages right now. Try again in a few seconds.",
    )
    .retry_after(5)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_missing_selector_match_is_an_absence() {
        assert!(RunError::absent().is_absence());
        assert!(!RunError::exhausted().is_absence());
    }
}
