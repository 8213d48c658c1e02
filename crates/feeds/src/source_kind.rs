//! Kinds of followed sources.

use serde::{Deserialize, Serialize};

/// Kind of a followed source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SourceKind {
    /// A polled feed.
    Feed,
    /// A web monitor of the account.
    Monitor,
}

impl SourceKind {
    pub const ALL: &'static [Self] = &[Self::Feed, Self::Monitor];

    /// Value in the API. For monitors, also the value in the column `kind` of their feeds.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Feed => "feed",
            Self::Monitor => "monitor",
        }
    }

    /// Returns the kind of a feed that has this value in the column `kind`.
    pub(super) fn of_column(kind: Option<&str>) -> Self {
        if kind == Some(Self::Monitor.as_str()) { Self::Monitor } else { Self::Feed }
    }
}
