//! Links to further parts or other versions of a text.

use serde::{Deserialize, Serialize};

/// Links to further parts or other versions of a page's text, as absolute http(s) URLs.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct NextLinks {
    /// Next part of a text that spans several pages.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
    /// Other versions of a page that contains no text itself, the most promising first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fuller: Vec<String>,
}

impl NextLinks {
    /// True if there are neither further parts nor other versions.
    pub fn is_empty(&self) -> bool {
        self.next.is_none() && self.fuller.is_empty()
    }
}
