//! Statements about a page copy: omitted content and dismissed cookie notices.

use articles::worker_tools::RenderingWarning;

/// End of the sentence about a rejected cookie notice, after `The` and the platform of the notice.
pub const NOTICE_REJECTED: &str = " cookie notice was rejected.";
/// End of the sentence about a cookie notice that was removed from the page.
pub const NOTICE_HIDDEN: &str = " cookie notice was hidden, because it has no button to reject it.";

/// Appends sentences about the warnings of a rendering to a statement.
pub(crate) fn with_warnings(statement: Option<String>, warnings: &[RenderingWarning]) -> Option<String> {
    let sentence = |warning: &RenderingWarning| match warning {
        RenderingWarning::CookieNoticeRejected { platform } => {
            Some(format!("The {platform}{NOTICE_REJECTED}"))
        }
        RenderingWarning::CookieNoticeHidden { platform } => Some(format!("The {platform}{NOTICE_HIDDEN}")),
        // A copy performs no steps.
        RenderingWarning::StepSkipped { .. } | RenderingWarning::ListCut { .. } => None,
    };
    let sentences: Vec<String> = statement.into_iter().chain(warnings.iter().filter_map(sentence)).collect();
    (!sentences.is_empty()).then(|| sentences.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dismissed_notices_are_listed_after_omitted_content() {
        let rejected = RenderingWarning::CookieNoticeRejected { platform: "OneTrust" };
        let hidden = RenderingWarning::CookieNoticeHidden { platform: "Cookiebot" };
        let statement = with_warnings(Some("Left out: 1 picture.".to_owned()), &[rejected, hidden]).unwrap();
        assert_eq!(
            statement,
            "Left out: 1 picture. The OneTrust cookie notice was rejected. The Cookiebot cookie notice was hidden, \
             because it has no button to reject it."
        );
        assert_eq!(with_warnings(None, &[]), None);
    }
}
