//! An article with its source and the time of its download.

use std::sync::Arc;

use entities::ids::SnapshotId;
use extract::Document;

use kernel::Millis;

/// Extracted text of a source at one point in time.
#[derive(Debug, Clone)]
pub struct Article {
    /// Id of the snapshot, to which cursors and jobs are pinned.
    pub snapshot_id: SnapshotId,
    /// Key of the normalised URL that was requested.
    pub source_key: String,
    /// URL of the response, after all redirects.
    pub final_url: String,
    /// Time in milliseconds of the download, or of the last request that confirmed that the text is current.
    pub fetched_at: Millis,
    /// Extracted text and metadata.
    pub document: Arc<Document>,
}

/// Callers for whom a text is cached. A text that only anonymous callers requested is cached for a shorter time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CacheAudience {
    /// An account, or a feed that an account follows.
    Account,
    /// Any caller, including an anonymous caller.
    Anyone,
}

/// An article, and whether it was read from the cache.
#[derive(Debug, Clone)]
pub struct ServedArticle {
    pub article: Article,
    /// False if the body was downloaded for this request.
    pub cache_hit: bool,
}
