//! What a comparison finds: operations as they are stored, shown to callers and drawn.

use serde::{Deserialize, Serialize};

use crate::document::words;

words! {
    /// What happened to one block, address, item or value.
    Op {
        /// It is new.
        Added = "added",
        /// It is gone.
        Removed = "removed",
        /// It says something else, or links elsewhere.
        Changed = "changed",
        /// It stands elsewhere.
        Moved = "moved",
    }
}

words! {
    /// What an operation is about.
    #[derive(Default)]
    Kind {
        /// Running text, and whatever is nothing else.
        #[default]
        Paragraph = "paragraph",
        /// A heading.
        Heading = "heading",
        /// An item of a list.
        ListItem = "list_item",
        /// A row of a table, its cells parted by ` | `.
        Row = "row",
        /// A line of code.
        Code = "code",
        /// An image, by its caption or alternative text.
        Figure = "figure",
        /// A value of a JSON document with its path.
        Value = "value",
        /// An address of a sitemap.
        Url = "url",
        /// An item of an extract target.
        Item = "item",
        /// One value of an item.
        Field = "field",
        /// The whole of what is watched, when it changed too much to be lined up.
        Whole = "whole",
    }
}

impl Kind {
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
    pub(super) fn is_paragraph(&self) -> bool {
        *self == Self::Paragraph
    }

    /// Whether blocks of this kind are one of several alike, whose order may not matter.
    pub(super) fn is_listed(self) -> bool {
        matches!(self, Self::ListItem | Self::Row | Self::Value)
    }
}

/// A stretch that differs, as byte ranges of `before` and `after`; one of them may be empty.
///
/// Between two spans both texts say the same, but for what is masked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Span {
    /// First byte and the byte after the last, in `before`.
    pub before: (u32, u32),
    /// The same in `after`.
    pub after: (u32, u32),
}

/// One difference between two snapshots.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Operation {
    /// What happened.
    pub op: Op,
    /// To what kind of thing.
    pub kind: Kind,
    /// Number of the block or item, from 1: in the new snapshot, for something removed in the old one.
    pub anchor: u32,
    /// Its number in the old snapshot, when it was changed or moved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<u32>,
    /// What it said. Long texts are cut.
    pub before: Option<String>,
    /// What it says now. Long texts are cut.
    pub after: Option<String>,
    /// Which words differ; empty for anything but a changed text.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub spans: Vec<Span>,
    /// The heading it stands under.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub section: Option<String>,
    /// The address it links to now, or linked to when it was removed; of a sitemap the address itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub link: Option<String>,
    /// The address it linked to before, when that changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub link_before: Option<String>,
    /// The item's name, in an extract.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub item: Option<String>,
    /// The field's name, in an extract.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    /// New number minus old number, with its sign, when one number became another.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub difference: Option<String>,
}

impl Operation {
    /// What happened to the thing with this number, and nothing more of it.
    pub fn new(op: Op, kind: Kind, anchor: u32) -> Self {
        Self {
            op,
            kind,
            anchor,
            from: None,
            before: None,
            after: None,
            spans: Vec::new(),
            section: None,
            link: None,
            link_before: None,
            item: None,
            field: None,
            difference: None,
        }
    }
}
