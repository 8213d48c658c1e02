//! What one process remembers of sources and their texts.

use std::sync::Arc;

use entities::ids::SnapshotId;
use kernel::Domain;
use moka::sync::Cache as MokaCache;

use super::room_count::RoomCount;
use super::{Article, Asker, Freshness};
use kernel::clock::Millis;

/// Memory for decoded documents in one process, in bytes of their text.
const CACHE_BYTES: u64 = 64 << 20;

/// Articles that this process has cached.
pub(crate) fn of(domain: &Domain) -> Arc<Cache> {
    domain.shared(Cache::default)
}

/// Texts and source states that this process has seen. Losing it costs time only.
#[derive(Clone)]
pub struct Cache {
    documents: MokaCache<SnapshotId, Article>,
    sources: MokaCache<String, Seen>,
    room: RoomCount,
}

/// A source's text as this process saw it last.
#[derive(Debug, Clone, Copy)]
pub(super) struct Seen {
    pub(super) snapshot_id: SnapshotId,
    pub(super) checked_at: Millis,
    /// On whose behalf the use was noted.
    pub(super) noted: Asker,
}

impl Default for Cache {
    fn default() -> Self {
        let weigh = |_: &SnapshotId, article: &Article| -> u32 {
            let text: usize = article.document.blocks.iter().map(|block| block.text.len() + 256).sum();
            u32::try_from(text + 1024).unwrap_or(u32::MAX)
        };
        Self {
            documents: MokaCache::builder().weigher(weigh).max_capacity(CACHE_BYTES).build(),
            sources: MokaCache::builder()
                .max_capacity(50_000)
                .time_to_live(std::time::Duration::from_mins(10))
                .build(),
            room: RoomCount::default(),
        }
    }
}

impl Cache {
    /// The room that stored texts take.
    pub(super) fn room(&self) -> &RoomCount {
        &self.room
    }

    /// The text of a source, when it is known to be as fresh as `freshness` asks for.
    pub(super) fn fresh(
        &self,
        key: &str,
        now: Millis,
        freshness: Freshness,
        asker: Asker,
    ) -> Option<Article> {
        let seen = self.sources.get(key)?;
        if asker == Asker::Account && seen.noted == Asker::Anyone {
            return None;
        }
        let article = self.documents.get(&seen.snapshot_id)?;
        freshness.accepts(seen.checked_at, now).then_some(Article { fetched_at: seen.checked_at, ..article })
    }

    /// A text that was looked up before.
    pub(super) fn text(&self, id: SnapshotId) -> Option<Article> {
        self.documents.get(&id)
    }

    /// Remembers a text.
    pub(super) fn keep(&self, article: Article) {
        self.documents.insert(article.snapshot_id, article);
    }

    /// Remembers where a source stands.
    pub(super) fn see(&self, key: String, seen: Seen) {
        self.sources.insert(key, seen);
    }

    /// Forgets what is known of a source; its texts stay, for they never change.
    pub(super) fn forget(&self, key: &str) {
        self.sources.invalidate(key);
    }
}
