//! Operations of a comparison, as stored, returned by the API and rendered.

use serde::{Deserialize, Serialize};

use super::matching::SearchText;
use crate::{document::words, noise::TextRole};

words! {
    /// Kind of change to a block, URL, item or value.
    Op {
        /// The element is new.
        Added = "added",
        /// The element was removed.
        Removed = "removed",
        /// The text or the link changed.
        Changed = "changed",
        /// The position changed.
        Moved = "moved",
    }
}

words! {
    /// Kind of the changed element.
    #[derive(Default)]
    Kind {
        /// Running text, and other text without its own kind.
        #[default]
        Paragraph = "paragraph",
        /// Heading.
        Heading = "heading",
        /// Item of a list.
        ListItem = "list_item",
        /// Row of a table, with cells separated by ` | `.
        Row = "row",
        /// Line of code.
        Code = "code",
        /// Image, represented by its caption or alternative text.
        Figure = "figure",
        /// Value of a JSON document with its path.
        Value = "value",
        /// URL of a sitemap.
        Url = "url",
        /// Item of an extract target.
        Item = "item",
        /// Value of an item.
        Field = "field",
        /// The whole target, if it changed too much to be aligned.
        Whole = "whole",
    }
}

impl Kind {
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
    pub(super) fn is_paragraph(&self) -> bool {
        *self == Self::Paragraph
    }

    /// Role of text in an element of this kind. It determines which dates in the text are noise.
    pub(super) fn text_role(self) -> TextRole {
        match self {
            Self::Code => TextRole::Code,
            Self::Heading => TextRole::Entry,
            kind if kind.is_listed() => TextRole::Entry,
            _ => TextRole::Running,
        }
    }

    /// True for kinds of blocks in lists, whose order may not matter.
    pub(super) fn is_listed(self) -> bool {
        matches!(self, Self::ListItem | Self::Row | Self::Value)
    }
}

/// Ranges of two texts in which they differ. One of the ranges may be empty.
///
/// Between two spans, the texts are equal except for masked parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct DiffSpan {
    /// Offset of the first byte in `before`, and offset after the last byte.
    pub before: (u32, u32),
    /// Offset of the first byte in `after`, and offset after the last byte.
    pub after: (u32, u32),
}

/// Difference between two snapshots.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Operation {
    pub op: Op,
    pub kind: Kind,
    /// Number of the block or item in the new snapshot, or in the old snapshot if it was removed. Counted
    /// from 1.
    pub anchor: u32,
    /// Number in the old snapshot, if the element was changed or moved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<u32>,
    /// Old text. Long texts are truncated.
    pub before: Option<String>,
    /// New text. Long texts are truncated.
    pub after: Option<String>,
    /// Ranges of words that differ. Empty unless a text changed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub spans: Vec<DiffSpan>,
    /// Heading above the block.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub section: Option<String>,
    /// Current link, or the old link if the element was removed. In a sitemap, the URL itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub link: Option<String>,
    /// Old link, if the link changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub link_before: Option<String>,
    /// Title of the item, in an extract.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub item: Option<String>,
    /// Name of the field, in an extract.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    /// New number minus old number, with its sign, if a single number changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub difference: Option<String>,
}

impl Operation {
    /// True if the old or new text of the element contains the words.
    pub(super) fn contains(&self, words: &SearchText) -> bool {
        let texts = [&self.before, &self.after, &self.item, &self.link];
        texts.into_iter().flatten().any(|text| words.is_contained_in(text))
    }

    /// Operation without details.
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
