//! Suggested target on a page.

use serde::{Deserialize, Serialize};

use super::target::Target;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SuggestionKind {
    /// Another URL for the content of the page.
    Source,
    /// Product in the structured data of the page.
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

/// URL with a target.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KnownSource {
    pub url: String,
    pub target: Target,
}

/// Suggested part of a page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Suggestion {
    pub kind: SuggestionKind,
    /// Selector of the part, or of the items of a list. Empty for a product and for a known source.
    pub selector: String,
    /// Current text of the part, or the description of the known source.
    #[serde(rename = "shown")]
    pub text: String,
    /// Number of a price.
    #[serde(default)]
    pub number: Option<String>,
    /// Known source: another URL with its target.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<KnownSource>,
}
