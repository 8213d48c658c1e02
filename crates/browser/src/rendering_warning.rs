//! Warnings about a rendered page: dismissed notices, skipped steps, and lists that were not loaded completely.

use std::fmt;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RenderingWarning {
    /// The cookie notice of this platform was rejected by its own button.
    CookieNoticeRejected { platform: &'static str },
    /// The cookie notice of this platform was removed from the page.
    CookieNoticeHidden { platform: &'static str },
    /// The page does not have the element of the optional step with this number.
    StepSkipped { step: usize },
    /// The content was still growing when the step with this number stopped scrolling.
    ListCut { step: usize },
}

/// Formats the code of the warning, such as `cookie_notice_rejected:OneTrust` or `step_skipped:2`.
impl fmt::Display for RenderingWarning {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::CookieNoticeRejected { platform } => write!(formatter, "cookie_notice_rejected:{platform}"),
            Self::CookieNoticeHidden { platform } => write!(formatter, "cookie_notice_hidden:{platform}"),
            Self::StepSkipped { step } => write!(formatter, "step_skipped:{step}"),
            Self::ListCut { step } => write!(formatter, "list_cut:{step}"),
        }
    }
}
