//! An article as the rest of the product uses it, and how it was obtained.

use std::sync::Arc;

use entities::ids::SnapshotId;
use extract::Document;

use kernel::Millis;

/// The text of a source as extracted at one time.
#[derive(Debug, Clone)]
pub struct Article {
    /// Snapshot that holds the text; cursors and jobs are pinned to it.
    pub snapshot_id: SnapshotId,
    /// Key of the normalised URL that was requested.
    pub source_key: String,
    /// URL that answered, after redirects.
    pub final_url: String,
    /// Time of the download, in milliseconds.
    pub fetched_at: Millis,
    /// Extracted text and metadata.
    pub document: Arc<Document>,
}

/// Audience of a cached text. Texts that no account requests are cached for a shorter time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CacheAudience {
    /// An account, or a feed that an account follows.
    Account,
    /// Any caller, including anonymous ones.
    Anyone,
}

/// An article, and whether it was read from the cache.
#[derive(Debug, Clone)]
pub struct ServedArticle {
    pub article: Article,
    /// False if the body was downloaded for this request.
    pub cache_hit: bool,
}
