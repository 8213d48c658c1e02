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
    /// A newsletter that the account receives by mail.
    Newsletter,
}

/// SQL list of the kinds of internal feeds, which are written by this service and not polled.
pub(super) const INTERNAL_KINDS: &str = "'monitor', 'newsletter'";

impl SourceKind {
    pub const ALL: &'static [Self] = &[Self::Feed, Self::Monitor, Self::Newsletter];

    /// Value in the API. For internal feeds, also the value in the column `kind`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Feed => "feed",
            Self::Monitor => "monitor",
            Self::Newsletter => "newsletter",
        }
    }

    /// Returns the kind of a feed that has this value in the column `kind`.
    pub(super) fn of_column(kind: Option<&str>) -> Self {
        let internal = [Self::Monitor, Self::Newsletter];
        internal.into_iter().find(|internal| kind == Some(internal.as_str())).unwrap_or(Self::Feed)
    }

    /// Returns an SQL condition that the feed with this alias has the kind.
    pub(super) fn condition(self, alias: &str) -> String {
        match self {
            Self::Feed => format!("COALESCE({alias}.kind, '') NOT IN ({INTERNAL_KINDS})"),
            Self::Monitor | Self::Newsletter => format!("{alias}.kind = '{}'", self.as_str()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn internal_kinds_are_all_kinds_that_are_not_polled() {
        let internal = SourceKind::ALL.iter().filter(|kind| **kind != SourceKind::Feed);
        let list: Vec<String> = internal.map(|kind| format!("'{}'", kind.as_str())).collect();
        assert_eq!(list.join(", "), INTERNAL_KINDS);
        for kind in SourceKind::ALL {
            assert_eq!(SourceKind::of_column(Some(kind.as_str())), *kind);
        }
        assert_eq!(SourceKind::of_column(None), SourceKind::Feed);
    }
}
