//! Outcomes of runs, and reasons for failures.

use jobs::hosts;
use kernel::clock::MINUTE;
use kernel::{Code, Error, FieldPath, Millis};

/// Error code of a run that was refused because the account had too few credits.
pub(super) const EXHAUSTED: Code = Code::MonitorCreditsExhausted;

/// Time after which doubtful content is checked again.
pub(super) const RECHECK: Millis = 3 * MINUTE;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// First check of the monitor, or first check with a new definition.
    Baseline,
    /// There is no change to report.
    Unchanged,
    /// A change was reported.
    Changed,
    /// The run failed, so nothing was evaluated.
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
    /// The failure may be temporary. The monitor is given up after five consecutive failures over at least a
    /// day.
    Passing,
    /// The failure seems permanent, but may be a mistake. The monitor is given up after three such
    /// consecutive failures over at least a day.
    Refusal,
    /// The failure is permanent. The monitor is given up immediately.
    Final,
    /// This service failed, not the source. The monitor is not given up, and runs at its interval.
    Service,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct RunError {
    pub(super) code: Code,
    pub(super) severity: Severity,
    /// Pause that the server requested. `None` if it requested no pause.
    pub(super) host_pause: Option<Millis>,
    /// Time after which the source is checked again, if it is shorter than the back-off.
    pub(super) recheck_after: Option<Millis>,
    /// Reason as a text for a preview.
    pub(super) reason: Option<String>,
    /// Number of the step on a rendered page that failed. `None` if no step did.
    pub(super) step: Option<String>,
}

impl RunError {
    /// Error for an unusable body.
    pub(super) fn unusable(code: Code) -> Self {
        Self {
            code,
            severity: Severity::Passing,
            host_pause: None,
            recheck_after: None,
            reason: None,
            step: None,
        }
    }

    /// Error for content that may not be the watched page. It is checked again soon.
    pub(super) fn doubtful() -> Self {
        Self { recheck_after: Some(RECHECK), ..Self::unusable(Code::SourceInvalidResponse) }
    }

    /// Error for a selector that matches nothing.
    pub(super) fn absent() -> Self {
        Self { severity: Severity::Refusal, ..Self::unusable(Code::SelectorNotFound) }
    }

    /// Error for a selector that cannot be evaluated on the source.
    pub(super) fn selector_failed(pointer: &str, reason: &str) -> Self {
        let path = FieldPath::of_pointer(pointer);
        let reason = Some(format!("The selector fails on this source: {path}: {reason}."));
        Self { reason, ..Self::unusable(Code::SelectorFailed) }
    }

    /// Error for a jq program that exceeded the limits of its process.
    pub(super) fn program_stopped() -> Self {
        let reason = "The jq program needs too much time or memory on this source, or recurses too deep.";
        let reason = Some(reason.to_owned());
        Self { severity: Severity::Refusal, reason, ..Self::unusable(Code::SelectorFailed) }
    }

    /// Error for a page that this service cannot render, because it has no working browser.
    pub(super) fn without_browser() -> Self {
        let reason = Some("The page needs a browser, and this service has no working one.".to_owned());
        Self { severity: Severity::Service, reason, ..Self::unusable(Code::RendererUnavailable) }
    }

    /// Error for a run that is refused because the account has too few credits.
    pub(super) fn exhausted() -> Self {
        Self::unusable(EXHAUSTED)
    }

    /// Error for a run that observed content which is no longer watched.
    pub(super) fn superseded() -> Self {
        Self::unusable(Code::Superseded)
    }

    pub(super) fn is_exhausted(&self) -> bool {
        self.code == EXHAUSTED
    }

    /// True if the selector matched nothing.
    pub(super) fn is_absence(&self) -> bool {
        self.code == Code::SelectorNotFound
    }

    /// Error for a source that returned no body.
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

/// Error for a run that must wait because the capacity of this service is exhausted. Its job is retried.
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
    fn only_the_error_for_a_missing_match_is_an_absence() {
        assert!(RunError::absent().is_absence());
        assert!(!RunError::exhausted().is_absence());
    }
}
