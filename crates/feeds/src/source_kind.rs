//! What a followed source is.

use serde::{Deserialize, Serialize};

/// What a followed source is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SourceKind {
    /// A feed of somebody's.
    Feed,
    /// A web monitor of the account's own.
    Monitor,
}

impl SourceKind {
    /// All of them.
    pub const ALL: &'static [Self] = &[Self::Feed, Self::Monitor];

    /// The word on the wire; of monitors also that in the column `kind` of their feeds.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Feed => "feed",
            Self::Monitor => "monitor",
        }
    }

    /// What a feed is whose column `kind` holds this.
    pub(super) fn of_column(kind: Option<&str>) -> Self {
        if kind == Some(Self::Monitor.as_str()) { Self::Monitor } else { Self::Feed }
    }
}
