//! Character formatting in office files.

use crate::formats::xml::value;

/// Position of the reader relative to runs of a DOCX file. Formatting is applied only inside a run, because
/// the mark at the end of a paragraph has its own formatting.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) enum RunState {
    #[default]
    Outside,
    Visible,
    Hidden,
}

/// Vertical position of text.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) enum Script {
    #[default]
    Baseline,
    Superscript,
    Subscript,
}

impl Script {
    /// Parses `superscript` (DOCX) or `super 58%` (ODT).
    pub(super) fn of(position: &str) -> Self {
        if position.starts_with("super") {
            Self::Superscript
        } else if position.starts_with("sub") {
            Self::Subscript
        } else {
            Self::Baseline
        }
    }
}

/// Formatting of the characters in a run.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) struct RunStyle {
    pub(super) strong: bool,
    pub(super) italic: bool,
    pub(super) deleted: bool,
    pub(super) script: Script,
}

impl RunStyle {
    /// Adds the formatting that a style name implies. These names are in English in all files.
    pub(super) fn named(self, style: &str) -> Self {
        Self {
            strong: self.strong || matches!(style, "Strong" | "Strong_20_Emphasis"),
            italic: self.italic || style == "Emphasis",
            ..self
        }
    }
}

/// True unless the value switches the property off. A property without a value is switched on.
pub(super) fn is_on(attributes: &[(String, String)]) -> bool {
    !matches!(value(attributes, "val"), Some("0" | "false" | "off"))
}
