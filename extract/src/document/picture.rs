//! Pictures before and after blocks.

use serde::{Deserialize, Serialize};

/// Picture with too little text to be a block. It has no anchor and is not included in text, tokens or
/// hashes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Picture {
    /// Absolute http(s) URL of the image.
    pub src: String,
    /// Alternative text, if present.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub alt: Option<String>,
    /// Absolute URL to which the picture links.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub link: Option<String>,
    /// True if the picture follows the block, false if it precedes it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub after: bool,
}
