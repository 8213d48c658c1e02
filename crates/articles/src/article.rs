//! An article, and how it was obtained.

use std::sync::Arc;

use entities::ids::SnapshotId;
use extract::Document;

use kernel::Millis;

/// The text of a source, as it was extracted at a point in time.
#[derive(Debug, Clone)]
pub struct Article {
    /// Snapshot of the text, to which cursors and jobs are pinned.
    pub snapshot_id: SnapshotId,
    /// Key of the normalised URL that was requested.
    pub source_key: String,
    /// URL of the response, after redirects.
    pub final_url: String,
    /// Time of the download, or of the last request that confirmed the text, in milliseconds.
    pub fetched_at: Millis,
    /// Extracted text and metadata.
    pub document: Arc<Document>,
}

/// Audience of a cached text. Texts that only anonymous callers request are cached for a shorter time.
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
