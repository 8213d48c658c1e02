//! Reads an article for a caller as windows, passages, or clean text. Long texts are processed on blocking
//! threads, and the tokens of each text are counted only once.

use async_recursion::async_recursion as boxed;
use std::sync::Arc;

use moka::sync::Cache;

use super::Article;
use super::search::{self, Passages};
use super::window::{self, CleanText, TokenCounts, Window};
use entities::ids::SnapshotId;
use kernel::{Error, Result};

/// Maximum size, in tokens, of a text that is processed on the async thread. Cutting such a text takes about a
/// millisecond.
const LIGHT_TOKENS: u32 = 5_000;
/// Maximum size of the cache of token counts, in blocks. Each block has one count.
const CACHED_BLOCKS: u64 = 2_000_000;

/// Cuts articles into windows and passages. Cheap to clone; clones share the cached token counts.
#[derive(Clone)]
pub struct ArticleReader {
    measures: Cache<SnapshotId, Arc<TokenCounts>>,
}

impl Default for ArticleReader {
    fn default() -> Self {
        let weigh = |_: &SnapshotId, measure: &Arc<TokenCounts>| {
            u32::try_from(measure.blocks() + 8).unwrap_or(u32::MAX)
        };
        Self { measures: Cache::builder().weigher(weigh).max_capacity(CACHED_BLOCKS).build() }
    }
}

impl ArticleReader {
    /// Returns the window of `article` for `request`, and the token count of the whole article.
    ///
    /// # Errors
    /// `cursor_out_of_range` if the cursor is beyond the end of the article.
    #[boxed]
    pub async fn window(&self, article: &Article, request: window::WindowRequest) -> Result<(Window, u32)> {
        let (reading, text) = (self.clone(), article.clone());
        run(article, move || {
            let measure = reading.measure(&text);
            Ok((window::window(&text.document, &measure, request)?, measure.total))
        })
        .await?
    }

    /// Returns the passages of `article` that match `request`, and the token count of the whole article.
    #[boxed]
    pub async fn passages(
        &self,
        article: &Article,
        request: search::SearchRequest,
    ) -> Result<(Passages, u32)> {
        let (reading, text) = (self.clone(), article.clone());
        run(article, move || (search::search(&text.document, &request), reading.measure(&text).total)).await
    }

    /// Returns the text of `article` without markers, truncated to `max_characters` characters.
    #[boxed]
    pub async fn clean_text(&self, article: &Article, max_characters: usize) -> Result<CleanText> {
        let text = article.clone();
        run(article, move || window::clean_text(&text.document, max_characters)).await
    }

    fn measure(&self, article: &Article) -> Arc<TokenCounts> {
        self.measures.get_with(article.snapshot_id, || Arc::new(TokenCounts::of(&article.document)))
    }
}

async fn run<T: Send + 'static>(article: &Article, work: impl FnOnce() -> T + Send + 'static) -> Result<T> {
    if article.document.total_tokens <= LIGHT_TOKENS {
        return Ok(work());
    }
    tokio::task::spawn_blocking(work).await.map_err(Error::internal)
}

impl std::fmt::Debug for ArticleReader {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Reading")
    }
}
