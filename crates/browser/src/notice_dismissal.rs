//! Cookie notices of a page that were dismissed.

use crate::notice_rules::NoticeRule;
use crate::rendering_warning::RenderingWarning;

/// Notices of a page that were dismissed.
#[derive(Default)]
pub(crate) struct NoticeDismissal {
    /// Indexes of the rules whose button was pressed, or that have none.
    pub(crate) pressed: Vec<usize>,
    pub(crate) warnings: Vec<RenderingWarning>,
}

impl NoticeDismissal {
    /// Records a notice that was removed, unless its button was pressed before.
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
