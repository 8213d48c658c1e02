//! Steps that are performed on a page before its document is read.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StepKind {
    /// Clicks the element.
    Click,
    /// Replaces the text of the element, or chooses its option with this text or value. A field for passwords accepts
    /// only a secret text.
    Type,
    /// Chooses the option of the element with this text or value.
    Select,
    /// Ticks the checkbox, switch, or radio button.
    Check,
    /// Unticks the checkbox or switch.
    Uncheck,
    /// Presses a key, in the element or where the focus is.
    Press,
    /// Moves the pointer over the element.
    Hover,
    /// Scrolls to the element, or to the end of the page.
    Scroll,
    /// Scrolls to the end of the page, or of the content of the element, until no more content is added.
    ScrollEnd,
    /// Waits for a time, or until the page has the element.
    Wait,
    /// Waits until the page, or the element, displays a text.
    WaitText,
    /// Waits until the page displays no such element.
    WaitGone,
    /// Returns to the previous page.
    Back,
    /// Opens an address of the site of the requested URL.
    Open,
    /// Removes all such elements from the page.
    Remove,
}

impl StepKind {
    /// All kinds, in declaration order.
    pub const ALL: &'static [Self] = &[
        Self::Click,
        Self::Type,
        Self::Select,
        Self::Check,
        Self::Uncheck,
        Self::Press,
        Self::Hover,
        Self::Scroll,
        Self::ScrollEnd,
        Self::Wait,
        Self::WaitText,
        Self::WaitGone,
        Self::Back,
        Self::Open,
        Self::Remove,
    ];

    /// Returns the string value.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Click => "click",
            Self::Type => "type",
            Self::Select => "select",
            Self::Check => "check",
            Self::Uncheck => "uncheck",
            Self::Press => "press",
            Self::Hover => "hover",
            Self::Scroll => "scroll",
            Self::ScrollEnd => "scroll_end",
            Self::Wait => "wait",
            Self::WaitText => "wait_text",
            Self::WaitGone => "wait_gone",
            Self::Back => "back",
            Self::Open => "open",
            Self::Remove => "remove",
        }
    }

    /// Parses a string value.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|kind| kind.as_str() == word)
    }

    /// True if the step only waits and acts on no element.
    pub const fn is_wait(self) -> bool {
        matches!(self, Self::Wait | Self::WaitText | Self::WaitGone)
    }
}

/// Key that a step presses. Keys of letters and digits are left out: texts are typed by another kind of step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StepKey {
    Enter,
    Tab,
    Escape,
    Space,
    Backspace,
    Delete,
    ArrowUp,
    ArrowDown,
    ArrowLeft,
    ArrowRight,
    PageUp,
    PageDown,
    Home,
    End,
}

impl StepKey {
    /// All keys, in declaration order.
    pub const ALL: &'static [Self] = &[
        Self::Enter,
        Self::Tab,
        Self::Escape,
        Self::Space,
        Self::Backspace,
        Self::Delete,
        Self::ArrowUp,
        Self::ArrowDown,
        Self::ArrowLeft,
        Self::ArrowRight,
        Self::PageUp,
        Self::PageDown,
        Self::Home,
        Self::End,
    ];

    /// Returns the string value.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Enter => "enter",
            Self::Tab => "tab",
            Self::Escape => "escape",
            Self::Space => "space",
            Self::Backspace => "backspace",
            Self::Delete => "delete",
            Self::ArrowUp => "arrow_up",
            Self::ArrowDown => "arrow_down",
            Self::ArrowLeft => "arrow_left",
            Self::ArrowRight => "arrow_right",
            Self::PageUp => "page_up",
            Self::PageDown => "page_down",
            Self::Home => "home",
            Self::End => "end",
        }
    }

    /// Parses the name of a key as people write it: `Enter`, `ArrowDown`, or `arrow_down`.
    pub fn parse(name: &str) -> Option<Self> {
        let plain = |name: &str| name.replace(['_', '-', ' '], "").to_ascii_lowercase();
        Self::ALL.iter().copied().find(|key| plain(key.as_str()) == plain(name))
    }

    /// Name of the key in browsers, code of its position, virtual key code, and the text that it types.
    const fn definition(self) -> (&'static str, &'static str, u32, &'static str) {
        match self {
            Self::Enter => ("Enter", "Enter", 13, "\r"),
            Self::Tab => ("Tab", "Tab", 9, ""),
            Self::Escape => ("Escape", "Escape", 27, ""),
            Self::Space => (" ", "Space", 32, " "),
            Self::Backspace => ("Backspace", "Backspace", 8, ""),
            Self::Delete => ("Delete", "Delete", 46, ""),
            Self::ArrowUp => ("ArrowUp", "ArrowUp", 38, ""),
            Self::ArrowDown => ("ArrowDown", "ArrowDown", 40, ""),
            Self::ArrowLeft => ("ArrowLeft", "ArrowLeft", 37, ""),
            Self::ArrowRight => ("ArrowRight", "ArrowRight", 39, ""),
            Self::PageUp => ("PageUp", "PageUp", 33, ""),
            Self::PageDown => ("PageDown", "PageDown", 34, ""),
            Self::Home => ("Home", "Home", 36, ""),
            Self::End => ("End", "End", 35, ""),
        }
    }

    /// Returns the events of a press, in order: the key goes down and up.
    pub(crate) fn events(self) -> [Value; 2] {
        let (key, code, virtual_code, text) = self.definition();
        let event = |kind: &str| json!({ "type": kind, "key": key, "code": code, "windowsVirtualKeyCode": virtual_code });
        let mut down = event(if text.is_empty() { "rawKeyDown" } else { "keyDown" });
        if !text.is_empty() {
            (down["text"], down["unmodifiedText"]) = (json!(text), json!(text));
        }
        [down, event("keyUp")]
    }
}

/// Step on a page. Every step with an element first waits for it.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PageStep {
    pub kind: StepKind,
    /// CSS selector of the element.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub selector: Option<String>,
    /// Text to type or to wait for, or option to choose.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<StepKey>,
    /// Address to open, which may be relative to the requested URL.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// Time to wait, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wait_ms: Option<u32>,
    /// True if the step is skipped when the page has no such element.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub optional: bool,
    /// True if the text is a secret. It is typed only into a page of the origin of the requested URL, is displayed as
    /// dots, and is masked in the document.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub secret: bool,
}

impl PageStep {
    /// Creates a step that has only its kind.
    pub const fn new(kind: StepKind) -> Self {
        Self {
            kind,
            selector: None,
            text: None,
            key: None,
            url: None,
            wait_ms: None,
            optional: false,
            secret: false,
        }
    }

    /// Creates a step on an element.
    pub fn on(kind: StepKind, selector: impl Into<String>) -> Self {
        Self { selector: Some(selector.into()), ..Self::new(kind) }
    }
}

impl fmt::Debug for PageStep {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = if self.secret { None } else { self.text.as_ref() };
        formatter
            .debug_struct("PageStep")
            .field("kind", &self.kind)
            .field("selector", &self.selector)
            .field("text", &text)
            .field("key", &self.key)
            .field("url", &self.url)
            .field("wait_ms", &self.wait_ms)
            .field("optional", &self.optional)
            .field("secret", &self.secret)
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_step_kinds_and_keys_match_stored_steps() {
        for kind in StepKind::ALL {
            assert_eq!(serde_json::to_value(kind).unwrap(), kind.as_str());
            assert_eq!(StepKind::parse(kind.as_str()), Some(*kind));
        }
        for key in StepKey::ALL {
            assert_eq!(serde_json::to_value(key).unwrap(), key.as_str());
            assert_eq!(StepKey::parse(key.as_str()), Some(*key));
        }
        assert_eq!(StepKey::parse("ArrowDown"), Some(StepKey::ArrowDown));
        assert_eq!((StepKey::parse("F5"), StepKey::parse("")), (None, None));
    }

    #[test]
    fn text_of_a_key_is_only_in_its_first_event() {
        let [down, up] = StepKey::Enter.events();
        assert_eq!((&down["type"], &down["text"]), (&json!("keyDown"), &json!("\r")));
        assert_eq!((&up["type"], &up["text"]), (&json!("keyUp"), &Value::Null));
        assert_eq!(StepKey::Tab.events()[0]["type"], "rawKeyDown");
    }

    #[test]
    fn stored_step_without_new_fields_is_read() {
        let step: PageStep = serde_json::from_str(r##"{"kind":"click","selector":"#more"}"##).unwrap();
        assert_eq!(step, PageStep::on(StepKind::Click, "#more"));
        assert_eq!(serde_json::to_string(&step).unwrap(), r##"{"kind":"click","selector":"#more"}"##);
    }
}
