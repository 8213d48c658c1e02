//! Blocks that state which of several selectors of a page match, so that each is reported when it comes or
//! goes. They are values in the margin, which no other block is: triggers do not read them.

use super::{line_text::tidy, operation::Kind, snapshot::SnapshotBlock, value_store::cut};
use crate::text_hash::hash;

/// Maximum characters of a selector in a block.
const MAX_SELECTOR_CHARS: usize = 80;

/// Block for a selector.
pub(super) fn block(selector: &str, is_present: bool) -> SnapshotBlock {
    let state = if is_present { "present" } else { "missing" };
    SnapshotBlock {
        kind: Kind::Value,
        text: format!("{}: {state}", cut(&tidy(selector), MAX_SELECTOR_CHARS)),
        position: u32::try_from(hash(selector) >> 32).unwrap_or_default(),
        is_marginal: true,
        ..SnapshotBlock::default()
    }
}

/// True for such a block.
pub(super) fn is_presence(block: &SnapshotBlock) -> bool {
    block.kind == Kind::Value && block.is_marginal
}
