//! Dismissed cookie notices of a page.

use crate::notice_rules::NoticeRule;
use crate::rendering_warning::RenderingWarning;

/// Dismissed notices of a page, with the warnings about them.
#[derive(Default)]
pub(crate) struct NoticeDismissal {
    /// Indexes of the rules whose button was pressed, or was searched for in frames. They are not applied to
    /// buttons again.
    pub(crate) pressed: Vec<usize>,
    pub(crate) warnings: Vec<RenderingWarning>,
}

impl NoticeDismissal {
    /// Records a notice that was removed, unless its button had rejected it before.
    pub(crate) fn record_hidden(&mut self, index: usize, rule: &NoticeRule) {
        let (platform, is_known) = (rule.platform, self.pressed.contains(&index));
        let rejected = RenderingWarning::CookieNoticeRejected { platform };
        let hidden = RenderingWarning::CookieNoticeHidden { platform };
        let was_rejected = is_known && self.warnings.contains(&rejected);
        if !was_rejected && !self.warnings.contains(&hidden) {
            self.warnings.push(hidden);
        }
    }
}
