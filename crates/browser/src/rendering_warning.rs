//! Warnings about a rendered page: dismissed notices, skipped steps, and lists that were not loaded to their end.

use std::fmt;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RenderingWarning {
    /// The notice about cookies of this platform was rejected by its own button.
    NoticeRejected { platform: &'static str },
    /// The notice about cookies of this platform was removed from the page.
    NoticeHidden { platform: &'static str },
    /// The page lacks the element of the optional step with this number.
    StepSkipped { step: usize },
    /// The content still grew when the step with this number stopped to scroll.
    ListCut { step: usize },
}

/// Formats the code of the warning, such as `notice_rejected:OneTrust` or `step_skipped:2`.
impl fmt::Display for RenderingWarning {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoticeRejected { platform } => write!(formatter, "notice_rejected:{platform}"),
            Self::NoticeHidden { platform } => write!(formatter, "notice_hidden:{platform}"),
            Self::StepSkipped { step } => write!(formatter, "step_skipped:{step}"),
            Self::ListCut { step } => write!(formatter, "list_cut:{step}"),
        }
    }
}
