//! Dismisses cookie notices on a page, by the rules of [`NOTICE_RULES`]. Failures are ignored: the notice then remains
//! on the page.

use std::sync::PoisonError;
use std::time::Duration;

use serde::Deserialize;
use serde_json::{Value, json};
use tokio::time::Instant;

use super::PageLoad;
use crate::error::RenderError;
use crate::notice_dismissal::NoticeDismissal;
use crate::notice_rules::{NOTICE_RULES, NoticeRule};
use crate::pipe::CommandError;
use crate::rendering_warning::RenderingWarning;

/// Maximum time of a script that dismisses notices.
const SCRIPT_TIME: Duration = Duration::from_secs(1);
/// Maximum time to wait for the effect of a button.
const EFFECT_TIME: Duration = Duration::from_secs(2);
/// Maximum number of frames that are searched for a button.
const MAX_FRAMES: usize = 10;

const DISMISS: &str = include_str!("notices.js");
const PRESS_IN_FRAME: &str = include_str!("notice_frame.js");

#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum DismissalOutcome {
    Rejected,
    Hidden,
    Framed,
}

impl PageLoad<'_> {
    /// Dismisses the notices that the page displays. A notice that is still displayed after its button was pressed is
    /// removed.
    pub(super) async fn dismiss_cookie_notices(
        &self,
        dismissal: &mut NoticeDismissal,
    ) -> Result<(), RenderError> {
        let mut is_pressed = false;
        for (rule, outcome) in self.apply_rules(dismissal).await? {
            let Some(known) = NOTICE_RULES.get(rule) else { continue };
            let is_rejected = match outcome {
                DismissalOutcome::Hidden => {
                    dismissal.record_hidden(rule, known);
                    continue;
                }
                DismissalOutcome::Rejected => true,
                DismissalOutcome::Framed => self.press_in_frames(known).await?,
            };
            dismissal.pressed.push(rule);
            if is_rejected {
                dismissal.warnings.push(RenderingWarning::CookieNoticeRejected { platform: known.platform });
            }
            is_pressed = true;
        }
        if is_pressed {
            self.settle(self.until.min(Instant::now() + EFFECT_TIME), &[]).await?;
            for (rule, outcome) in self.apply_rules(dismissal).await? {
                if let (DismissalOutcome::Hidden, Some(known)) = (outcome, NOTICE_RULES.get(rule)) {
                    dismissal.record_hidden(rule, known);
                }
            }
        }
        Ok(())
    }

    /// Applies the rules to the page, without its frames.
    async fn apply_rules(
        &self,
        dismissal: &NoticeDismissal,
    ) -> Result<Vec<(usize, DismissalOutcome)>, RenderError> {
        let script = format!("({DISMISS})({}, {})", json!(NOTICE_RULES), json!(dismissal.pressed));
        let results = ignore_failure(self.evaluate_expression(&script, SCRIPT_TIME).await)?;
        Ok(results.and_then(|results| serde_json::from_str(&results).ok()).unwrap_or_default())
    }

    /// Presses the button of a rule in a frame. Returns false if no frame contains it.
    async fn press_in_frames(&self, rule: &NoticeRule) -> Result<bool, RenderError> {
        let script = format!("({PRESS_IN_FRAME})({}, {})", json!(rule.reject), json!(rule.frame));
        let tree = ignore_failure(self.call("Page.getFrameTree", json!({}), SCRIPT_TIME).await)?;
        let mut frames: Vec<(String, String)> = Vec::new();
        if let Some(tree) = tree.as_ref().and_then(|result| result.get("frameTree")) {
            let ids = matching_frames(tree, rule.frame).into_iter();
            frames.extend(ids.map(|frame| (self.session.to_owned(), frame)));
        }
        frames.extend(self.state.lock().unwrap_or_else(PoisonError::into_inner).frames.iter().cloned());
        for (session, frame) in frames.iter().take(MAX_FRAMES) {
            let pressed = self.evaluate_in((session.as_str(), frame.as_str()), &script, SCRIPT_TIME).await;
            if ignore_failure(pressed)?.is_some_and(|result| result == "done") {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// Returns the ids of the frames whose URL contains `part`.
fn matching_frames(tree: &Value, part: &str) -> Vec<String> {
    let mut frames = Vec::new();
    let mut left = vec![tree];
    while let Some(node) = left.pop() {
        left.extend(node.get("childFrames").and_then(Value::as_array).into_iter().flatten());
        let text = |name: &str| node.pointer(name).and_then(Value::as_str).unwrap_or_default();
        if text("/frame/url").contains(part) {
            frames.push(text("/frame/id").to_owned());
        }
    }
    frames
}

/// Returns the result of a command. `None` if it failed, unless the browser ended.
fn ignore_failure<T>(result: Result<T, CommandError>) -> Result<Option<T>, RenderError> {
    match result {
        Ok(result) => Ok(Some(result)),
        Err(CommandError::Closed) => Err(RenderError::BrowserLost),
        Err(CommandError::TimedOut | CommandError::Refused(_)) => Ok(None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_are_selected_by_their_url_at_every_depth() {
        let tree = json!({ "frame": { "id": "1", "url": "https://a.example/" }, "childFrames": [
            { "frame": { "id": "2", "url": "https://b.example/" }, "childFrames": [
                { "frame": { "id": "3", "url": "https://c.example/index.html?message_id=7" } }] }] });
        assert_eq!(matching_frames(&tree, "message_id="), ["3"]);
    }

    #[test]
    fn notice_that_was_rejected_is_not_recorded_as_hidden() {
        let rule = &NOTICE_RULES[0];
        let rejected = RenderingWarning::CookieNoticeRejected { platform: rule.platform };
        let mut dismissal = NoticeDismissal { pressed: vec![0], warnings: vec![rejected] };
        dismissal.record_hidden(0, rule);
        assert_eq!(dismissal.warnings, [rejected]);
        dismissal.record_hidden(1, &NOTICE_RULES[1]);
        assert_eq!(dismissal.warnings[1].to_string(), "cookie_notice_hidden:Cookiebot");
    }
}
