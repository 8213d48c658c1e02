//! Something that somebody may want to watch of a page.

use serde::{Deserialize, Serialize};

/// What kind of thing is suggested.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SuggestionKind {
    /// An amount.
    Price,
    /// Whether something can be had.
    Stock,
    /// Things of one kind.
    List,
    /// A part with a heading.
    Part,
}

/// Something that may be watched.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Suggestion {
    /// What it is.
    pub kind: SuggestionKind,
    /// The selector that finds it; of a list each of its things.
    pub selector: String,
    /// What stands there now.
    pub shown: String,
    /// Of a price: its number.
    #[serde(default)]
    pub number: Option<String>,
}
