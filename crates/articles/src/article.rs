//! One text, as everything in this room hands it on.

use std::sync::Arc;

use entities::ids::SnapshotId;
use extract::Document;

use kernel::clock::Millis;

/// One text as it was extracted at one time.
#[derive(Debug, Clone)]
pub struct Article {
    /// The snapshot that holds it; cursors and jobs are pinned to it.
    pub snapshot_id: SnapshotId,
    /// The normalised URL it was asked for under.
    pub source_key: String,
    /// The URL that answered, after redirects.
    pub final_url: String,
    /// When the body was downloaded, in milliseconds.
    pub fetched_at: Millis,
    /// The text and what is known of it.
    pub document: Arc<Document>,
}

/// Who asks for a text: what nobody with an account asks for is kept for a shorter time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asker {
    /// Somebody with an account, or a feed that somebody with an account follows.
    Account,
    /// Anybody.
    Anyone,
}

/// What an extraction came to.
#[derive(Debug, Clone)]
pub struct Answer {
    /// The text.
    pub article: Article,
    /// False when this answer's body was downloaded for it.
    pub cache_hit: bool,
}
