//! Rendering of the monitored page in a browser, for pages whose content needs scripts.

use articles::worker_tools::PageStep;
use serde::{Deserialize, Serialize};

use super::sealed::SealedStepText;

/// Settings of the browser that opens the monitored page.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rendering {
    /// CSS selector of an element. The page is read when it has such an element.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wait_for: Option<String>,
    /// Steps to perform before the page is read, in order. Stored steps have no secret texts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<PageStep>,
    /// True to dismiss cookie notices before the page is read.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub dismiss_cookie_notices: bool,
    /// Secret texts of the steps, in their order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub secrets: Vec<SealedStepText>,
}

impl Rendering {
    /// Returns the settings with only the digests of the secret texts.
    pub(super) fn for_fingerprint(&self) -> Self {
        let mut rendering = self.clone();
        for text in &mut rendering.secrets {
            text.value.sealed.clear();
        }
        rendering
    }

    /// Returns the settings without secret texts. A changed secret does not change the content.
    pub(super) fn without_secrets(&self) -> Self {
        let mut rendering = Self { secrets: Vec::new(), ..self.clone() };
        for step in rendering.steps.iter_mut().filter(|step| step.secret) {
            step.text = None;
        }
        rendering
    }
}
