//! Character formatting in office files.

use crate::formats::xml::value;

/// Position in a DOCX file. Formatting counts only inside a run, because the mark at the end of a paragraph
/// has formatting of its own.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) enum Run {
    #[default]
    Outside,
    Shown,
    Hidden,
}

/// Vertical position of text.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) enum Script {
    #[default]
    Line,
    Above,
    Below,
}

impl Script {
    /// Parses `superscript` (DOCX) or `super 58%` (ODT).
    pub(super) fn of(position: &str) -> Self {
        if position.starts_with("super") {
            Self::Above
        } else if position.starts_with("sub") {
            Self::Below
        } else {
            Self::Line
        }
    }
}

/// Character formatting of a run.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) struct Face {
    pub(super) strong: bool,
    pub(super) slanted: bool,
    pub(super) script: Script,
}

impl Face {
    /// Adds the formatting that a style name implies. Programs do not translate these names.
    pub(super) fn named(self, style: &str) -> Self {
        Self {
            strong: self.strong || matches!(style, "Strong" | "Strong_20_Emphasis"),
            slanted: self.slanted || style == "Emphasis",
            script: self.script,
        }
    }
}

/// True unless the value switches the property off. A property is on if it is present.
pub(super) fn is_on(attributes: &[(String, String)]) -> bool {
    !matches!(value(attributes, "val"), Some("0" | "false" | "off"))
}
