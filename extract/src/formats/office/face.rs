//! How the words of office files are set apart, and where that is said.

use crate::formats::xml::value;

/// Where in a DOCX file we are: what is said of a face counts only inside a run, for the mark at a paragraph's end has a
/// face of its own.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) enum Run {
    #[default]
    Outside,
    Shown,
    Hidden,
}

/// How words stand to the line.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) enum Script {
    #[default]
    Line,
    Above,
    Below,
}

impl Script {
    /// `superscript` in DOCX, `super 58%` in ODT.
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

/// How words are set apart.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) struct Face {
    pub(super) strong: bool,
    pub(super) slanted: bool,
    pub(super) script: Script,
}

impl Face {
    /// With what a style says by its name, which the programs do not translate.
    pub(super) fn named(self, style: &str) -> Self {
        Self {
            strong: self.strong || matches!(style, "Strong" | "Strong_20_Emphasis"),
            slanted: self.slanted || style == "Emphasis",
            script: self.script,
        }
    }
}

/// A property is on by being there, unless it says otherwise.
pub(super) fn is_on(attributes: &[(String, String)]) -> bool {
    !matches!(value(attributes, "val"), Some("0" | "false" | "off"))
}
