//! Suggested target of a page.

use serde::{Deserialize, Serialize};

/// Kind of a suggestion.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SuggestionKind {
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

/// Part of a page that may be watched.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Suggestion {
    pub kind: SuggestionKind,
    /// Selector of the part, or of each item of a list. Empty for a product.
    pub selector: String,
    /// Current text.
    #[serde(rename = "shown")]
    pub text: String,
    /// Number of a price.
    #[serde(default)]
    pub number: Option<String>,
}
