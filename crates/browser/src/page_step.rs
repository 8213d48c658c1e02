//! Steps that are performed on a page before its document is read.

use std::fmt;

use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StepKind {
    /// Clicks the element.
    Click,
    /// Replaces the text of the element, or chooses its option with this text or value. Only a secret text is typed into fields for passwords.
    Type,
    /// Waits for a time, or until the page has the element.
    Wait,
    /// Scrolls to the element, or to the end of the page.
    Scroll,
}

/// Step on a page. Every step with an element first waits for it.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
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
    /// True if the text is a secret. It is typed only into a page of the origin of the requested URL, is displayed as
    /// dots, and is masked in the document.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub secret: bool,
}

impl fmt::Debug for PageStep {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = if self.secret { None } else { self.text.as_ref() };
        formatter
            .debug_struct("PageStep")
            .field("kind", &self.kind)
            .field("selector", &self.selector)
            .field("text", &text)
            .field("wait_ms", &self.wait_ms)
            .field("secret", &self.secret)
            .finish()
    }
}
