//! In-process cache of texts and of the states of their sources.

use std::sync::Arc;

use entities::ids::SnapshotId;
use extract::{Block, Container, Document, Link, Mark, NoteLink, Picture};
use kernel::{Domain, Millis};
use moka::sync::Cache as MokaCache;

use super::stored_bytes::StoredBytes;
use super::{Article, CacheAudience, Freshness};

/// Maximum size of the cached documents, in bytes of memory.
const CACHE_BYTES: u64 = 32 << 20;
/// Memory of a cached document in addition to its blocks and its other texts, in bytes.
const DOCUMENT_BYTES: usize = 1024;

/// Returns the cache of this process.
pub(crate) fn of(domain: &Domain) -> Arc<Cache> {
    domain.shared(Cache::default)
}

/// Texts and source states cached by this process. Entries that are no longer cached are read from the database again.
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
        let source = self.sources.get(key)?;
        if audience == CacheAudience::Account && source.audience == CacheAudience::Anyone {
            return None;
        }
        let article = self.documents.get(&source.snapshot_id)?;
        freshness
            .accepts(source.checked_at, now)
            .then_some(Article { fetched_at: source.checked_at, ..article })
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

/// Estimated memory of a document, in bytes. It includes every text whose length a page determines, so that pages with
/// little text but long URLs or alternative texts do not fill the memory.
fn memory_of(document: &Document) -> u32 {
    let blocks: usize = document.blocks.iter().map(memory_of_block).sum();
    let others = [&document.author, &document.publisher, &document.canonical_url];
    let others: usize = others.map(|text| length(text.as_deref())).iter().sum();
    u32::try_from(blocks + document.title.len() + others + DOCUMENT_BYTES).unwrap_or(u32::MAX)
}

fn memory_of_block(block: &Block) -> usize {
    let link = |link: &Link| size_of::<Link>() + link.text.len() + link.url.len();
    let note = |note: &NoteLink| size_of::<NoteLink>() + note.label.len();
    let picture = |picture: &Picture| {
        size_of::<Picture>()
            + picture.src.len()
            + length(picture.alt.as_deref())
            + length(picture.link.as_deref())
    };
    let texts = [&block.section, &block.language, &block.alt, &block.src, &block.note, &block.image_link];
    size_of::<Block>()
        + block.text.len()
        + texts.map(|text| length(text.as_deref())).iter().sum::<usize>()
        + block.links.iter().map(link).sum::<usize>()
        + block.notes.iter().map(note).sum::<usize>()
        + block.pictures.iter().map(picture).sum::<usize>()
        + block.marks.len() * size_of::<Mark>()
        + block.within.len() * size_of::<Container>()
}

fn length(text: Option<&str>) -> usize {
    text.map_or(0, str::len)
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

    #[test]
    fn memory_of_document_includes_urls_of_its_pictures() {
        let url = "https://example.com/".repeat(100);
        let picture = Picture { src: url.clone(), alt: None, link: Some(url.clone()), after: false };
        let block = Block {
            src: Some(url.clone()),
            image_link: Some(url.clone()),
            alt: Some(url),
            pictures: vec![picture; 10],
            ..Block::default()
        };
        let document = Document { blocks: vec![block; 100], ..Document::default() };
        let memory = memory_of(&document) as usize;
        assert!(memory > 100 * (3 * 2_000 + 10 * 4_000), "{memory}");
    }
}
