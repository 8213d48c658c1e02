//! Suggested target of a page.

use serde::{Deserialize, Serialize};

use super::target::Target;

/// Kind of a suggestion.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SuggestionKind {
    /// Another address with the content of the page.
    Source,
    /// Product that the page states in structured data.
    Product,
    /// Amount of money.
    Price,
    /// Availability.
    Stock,
    /// List of similar items.
    List,
    /// Section with a heading.
    Part,
}

/// Address with its target.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KnownSource {
    pub url: String,
    pub target: Target,
}

/// Part of a page that may be watched.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Suggestion {
    pub kind: SuggestionKind,
    /// Selector of the part, or of each item of a list. Empty for a product and for another address.
    pub selector: String,
    /// Current text. Of another address, its description.
    #[serde(rename = "shown")]
    pub text: String,
    /// Number of a price.
    #[serde(default)]
    pub number: Option<String>,
    /// Other address with its target.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<KnownSource>,
}
