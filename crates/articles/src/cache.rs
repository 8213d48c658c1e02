//! In-process cache of texts and of the states of their sources.

use std::sync::Arc;

use entities::ids::SnapshotId;
use extract::{Block, Document, Link, Mark};
use kernel::{Domain, Millis};
use moka::sync::Cache as MokaCache;

use super::stored_bytes::StoredBytes;
use super::{Article, CacheAudience, Freshness};

/// Maximum size of the cached documents, in bytes of memory.
const CACHE_BYTES: u64 = 32 << 20;
/// Memory of a cached document in addition to its blocks, in bytes.
const DOCUMENT_BYTES: usize = 1024;

/// Returns the cache of this process.
pub(crate) fn of(domain: &Domain) -> Arc<Cache> {
    domain.shared(Cache::default)
}

/// Texts and source states cached by this process. After a loss, they are read from the database again.
#[derive(Clone)]
pub struct Cache {
    documents: MokaCache<SnapshotId, Article>,
    sources: MokaCache<String, CachedSource>,
    stored_bytes: StoredBytes,
}

/// State of a source when this process last read it from the database.
#[derive(Debug, Clone, Copy)]
pub(super) struct CachedSource {
    pub(super) snapshot_id: SnapshotId,
    pub(super) checked_at: Millis,
    /// Audience of the last recorded use of the source.
    pub(super) audience: CacheAudience,
}

impl Default for Cache {
    fn default() -> Self {
        let weigh = |_: &SnapshotId, article: &Article| memory_of(&article.document);
        Self {
            documents: MokaCache::builder().weigher(weigh).max_capacity(CACHE_BYTES).build(),
            sources: MokaCache::builder()
                .max_capacity(50_000)
                .time_to_live(std::time::Duration::from_mins(10))
                .build(),
            stored_bytes: StoredBytes::default(),
        }
    }
}

impl Cache {
    /// Returns this process's estimate of the size of all stored texts.
    pub(super) fn stored_bytes(&self) -> &StoredBytes {
        &self.stored_bytes
    }

    /// Returns the cached text of a source if the text satisfies `freshness` for this audience.
    pub(super) fn fresh(
        &self,
        key: &str,
        now: Millis,
        freshness: Freshness,
        audience: CacheAudience,
    ) -> Option<Article> {
        let seen = self.sources.get(key)?;
        if audience == CacheAudience::Account && seen.audience == CacheAudience::Anyone {
            return None;
        }
        let article = self.documents.get(&seen.snapshot_id)?;
        freshness.accepts(seen.checked_at, now).then_some(Article { fetched_at: seen.checked_at, ..article })
    }

    /// Returns the cached text of a snapshot.
    pub(super) fn text(&self, id: SnapshotId) -> Option<Article> {
        self.documents.get(&id)
    }

    pub(super) fn insert_text(&self, article: Article) {
        self.documents.insert(article.snapshot_id, article);
    }

    pub(super) fn insert_source(&self, key: String, seen: CachedSource) {
        self.sources.insert(key, seen);
    }

    /// Removes the cached state of a source. Its texts remain cached, because snapshots never change.
    pub(super) fn forget(&self, key: &str) {
        self.sources.invalidate(key);
    }
}

/// Estimated memory of a document, in bytes.
fn memory_of(document: &Document) -> u32 {
    let link = |link: &Link| size_of::<Link>() + link.text.len() + link.url.len();
    let block = |block: &Block| {
        size_of::<Block>()
            + block.text.len()
            + block.section.as_ref().map_or(0, String::len)
            + block.links.iter().map(link).sum::<usize>()
            + block.marks.len() * size_of::<Mark>()
    };
    let blocks: usize = document.blocks.iter().map(block).sum();
    u32::try_from(blocks + DOCUMENT_BYTES).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_of_document_includes_its_blocks_and_links() {
        let link = Link { text: "a link".to_owned(), url: "https://example.com/".repeat(100) };
        let block = Block { text: "x".repeat(300), links: vec![link; 10], ..Block::default() };
        let document = Document { blocks: vec![block; 100], ..Document::default() };
        let memory = memory_of(&document) as usize;
        assert!(memory > 100 * (size_of::<Block>() + 300 + 10 * 2_000), "{memory}");
        assert!(memory_of(&Document::default()) as usize >= DOCUMENT_BYTES);
    }
}
