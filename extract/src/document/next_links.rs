//! Where more of a text is found.

use serde::{Deserialize, Serialize};

/// Where a page says that more of its text is found: absolute http(s) addresses.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct NextLinks {
    /// The next part of a text that is shown in several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
    /// Other forms of a page that is a shell, the most promising first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fuller: Vec<String>,
}

impl NextLinks {
    /// True when there is none.
    pub fn is_empty(&self) -> bool {
        self.next.is_none() && self.fuller.is_empty()
    }
}
