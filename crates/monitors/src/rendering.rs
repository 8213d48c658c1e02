//! Rendering of the monitored page in a browser, for pages whose content needs scripts.

use articles::worker_tools::PageStep;
use serde::{Deserialize, Serialize};

/// Settings of the browser that opens the monitored page.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rendering {
    /// CSS selector of an element. The page is read when it has such an element.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wait_for: Option<String>,
    /// Steps to perform before the page is read, in order. Their texts are not secret.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<PageStep>,
}
