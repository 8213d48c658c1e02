//! Sides of a change: the contents before and after it.

use entities::monitor_change;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChangeSide {
    Before,
    After,
}

impl ChangeSide {
    pub const ALL: [Self; 2] = [Self::Before, Self::After];

    /// File name of the screenshot, below the link of the change.
    pub const fn file_name(self) -> &'static str {
        match self {
            Self::Before => "before.png",
            Self::After => "after.png",
        }
    }

    /// Hash of the snapshot of this side.
    pub(super) fn hash(self, row: &monitor_change::Model) -> Option<&str> {
        match self {
            Self::Before => row.before_hash.as_deref(),
            Self::After => row.after_hash.as_deref(),
        }
    }
}
