//! Errors of rendering.

use std::time::Duration;

/// Error of a rendered page.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RenderError {
    /// The guard or robots.txt refuses the page, or one of its redirects.
    #[error(transparent)]
    Refused(fetch::Error),
    /// The page cannot be loaded.
    #[error("the browser cannot load the page: {reason}")]
    Load {
        /// Reason given by the browser, at most 100 characters.
        reason: String,
    },
    /// The page lacks the element of the screenshot.
    #[error("the page has no element for the screenshot")]
    Absent,
    /// A step on the page is impossible.
    #[error("{step} is impossible: {reason}")]
    Step {
        /// Step with its number, such as `step 2`, or `waitFor`.
        step: String,
        /// Reason, at most 200 characters.
        reason: String,
    },
    /// The page crashed, or exceeded its memory.
    #[error("the page exceeded its memory or crashed the browser")]
    Crashed,
    /// The page did not respond, not even after its scripts were stopped.
    #[error("the page did not respond in {} seconds", limit.as_secs())]
    Unresponsive { limit: Duration },
    /// The browser cannot be started or used.
    #[error("the browser cannot be used: {reason}")]
    Browser { reason: String },
    /// The browser ended while it loaded the page.
    #[error("the browser ended while it loaded the page")]
    BrowserLost,
}

impl RenderError {
    /// Returns the label in metrics and logs.
    pub fn label(&self) -> &'static str {
        match self {
            Self::Refused(error) => error.label(),
            Self::Load { .. } => "load",
            Self::Absent => "absent",
            Self::Step { .. } => "step",
            Self::Crashed => "crashed",
            Self::Unresponsive { .. } => "unresponsive",
            Self::Browser { .. } => "browser",
            Self::BrowserLost => "browser_lost",
        }
    }
}
