//! Positions of highlights in a text that is not stored yet. They are computed before the transaction that stores the
//! text, because other accounts wait for a transaction of an embedded database.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use entities::ids::HighlightId;
use entities::library_highlight;
use entities::library_words::AnchorStatus;

/// Position of a highlight in a text.
#[derive(Clone, Debug)]
pub(crate) struct HighlightAnchor {
    pub anchor: Option<i32>,
    pub end_anchor: Option<i32>,
    pub page: Option<i32>,
    pub start_offset: Option<i32>,
    pub end_offset: Option<i32>,
    pub status: AnchorStatus,
    /// Text before and after the passage, for a highlight without a context.
    pub context: Option<(String, String)>,
    /// URL of the picture in this text.
    pub picture_url: Option<String>,
}

impl HighlightAnchor {
    /// Position of a highlight that the text does not contain.
    pub(crate) const ORPHANED: Self = Self {
        anchor: None,
        end_anchor: None,
        page: None,
        start_offset: None,
        end_offset: None,
        status: AnchorStatus::Orphaned,
        context: None,
        picture_url: None,
    };

    /// Copies the position to the row of its highlight. Returns true if the row changed.
    pub(crate) fn write(self, row: &mut library_highlight::Model) -> bool {
        let before = row.clone();
        (row.anchor, row.end_anchor, row.page) = (self.anchor, self.end_anchor, self.page);
        (row.start_offset, row.end_offset) = (self.start_offset, self.end_offset);
        row.anchor_status = self.status;
        if let Some(context) = self.context {
            (row.prefix, row.suffix) = context;
        }
        if self.picture_url.is_some() {
            row.picture_url = self.picture_url;
        }
        *row != before
    }
}

/// Positions of highlights in the same text.
#[derive(Debug, Default)]
pub(crate) struct ComputedAnchors(HashMap<HighlightId, (u64, HighlightAnchor)>);

impl ComputedAnchors {
    /// Adds the position of a highlight, which depends only on its quote, context, and picture, and on the text.
    pub(crate) fn insert(&mut self, row: &library_highlight::Model, anchor: HighlightAnchor) {
        self.0.insert(row.id, (fingerprint(row), anchor));
    }

    /// Removes and returns the position of a highlight. `None` if it was not computed, or if the quote, the context,
    /// or the picture changed since.
    pub(crate) fn remove(&mut self, row: &library_highlight::Model) -> Option<HighlightAnchor> {
        let (computed_for, anchor) = self.0.remove(&row.id)?;
        (computed_for == fingerprint(row)).then_some(anchor)
    }
}

/// Returns the fingerprint of the values by which a highlight is located.
fn fingerprint(row: &library_highlight::Model) -> u64 {
    let mut hasher = DefaultHasher::new();
    (&row.quote, &row.prefix, &row.suffix, &row.picture_url).hash(&mut hasher);
    hasher.finish()
}
