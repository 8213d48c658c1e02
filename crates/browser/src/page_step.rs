//! Steps that are performed on a page before its document is read.

use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StepKind {
    /// Clicks the element.
    Click,
    /// Replaces the text of the element. Refused for passwords.
    Type,
    /// Waits for a time.
    Wait,
    /// Scrolls to the element, or to the end of the page.
    Scroll,
}

/// Step on a page. Every step but a wait first waits for its element.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PageStep {
    pub kind: StepKind,
    /// CSS selector of the element.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub selector: Option<String>,
    /// Text to type.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Time to wait, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wait_ms: Option<u32>,
}
