//! A picture beside a block.

use serde::{Deserialize, Serialize};

/// A picture that says too little in words to be a block of its own. It has no anchor, and no part in text, tokens and
/// hashes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Picture {
    /// Absolute http(s) URL of the image.
    pub src: String,
    /// What few words it has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub alt: Option<String>,
    /// Whether it stands behind the block; else before it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub after: bool,
}
