//! Blocks that record whether a selector matches, for pages with several selectors. They report when a
//! selector starts or stops matching. No other marginal block has the kind `Value`, so triggers can recognise
//! and skip these blocks.

use super::{line_text::tidy, operation::Kind, snapshot::SnapshotBlock, value_store::cut};
use crate::text_hash::hash;

/// Maximum number of characters in the selector in a block.
const MAX_SELECTOR_CHARS: usize = 80;

/// Creates the block for a selector.
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

/// True if the block records whether a selector matches.
pub(super) fn is_presence(block: &SnapshotBlock) -> bool {
    block.kind == Kind::Value && block.is_marginal
}
