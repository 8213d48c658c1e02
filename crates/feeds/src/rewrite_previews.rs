//! Previews of rewrite rules: the newest entries of a feed before and after the rules are applied.

mod preview;
mod sample;

pub use preview::{
    PendingRewritePreview, RewritePreview, RewrittenEntry, RewrittenTexts, request_rewrite_preview,
};
pub use sample::take_sample;
