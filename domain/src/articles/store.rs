//! What is kept of sources: finding a text that is fresh enough, or asking for one.

use std::sync::Arc;

use entities::ids::SnapshotId;
use entities::{snapshot, source};
use extract::Document;
use moka::sync::Cache as MokaCache;
use sea_orm::sea_query::OnConflict;
use sea_orm::{ActiveValue::Set, ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter};

use super::{Address, Article, Failure};
use crate::clock::Millis;
use crate::error::{Error, Result};
use crate::handle::Domain;
use crate::jobs;

/// How long a failure is kept before the source is tried again.
const FAILURE_KEPT_MS: Millis = 60_000;
/// `used_at` is written at most this often.
const USED_STEP_MS: Millis = 3_600_000;
/// Memory for decoded documents in one process, in bytes of their text.
const CACHE_BYTES: u64 = 64 << 20;

/// Which kept answers are good enough.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Freshness {
    /// A text confirmed at most this many milliseconds ago will do; 0 asks for a new one.
    pub max_age_ms: Millis,
    /// Whether a failure of the last minute will do as well.
    pub failures: KeptFailures,
}

/// Whether a recent failure is an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeptFailures {
    /// A failure of the last minute is told again without asking the source.
    Told,
    /// The source is asked again.
    Retried,
}

impl Freshness {
    /// A copy of at most an hour will do: what an account gets without saying more.
    pub const HOUR: Self = Self { max_age_ms: 3_600_000, failures: KeptFailures::Told };

    /// A copy of at most `seconds` will do; so will a failure of the last minute, unless a new copy is asked for.
    pub fn seconds(seconds: u32) -> Self {
        let failures = if seconds == 0 { KeptFailures::Retried } else { KeptFailures::Told };
        Self { max_age_ms: Millis::from(seconds) * 1000, failures }
    }
}

/// Who asks for a text: what nobody with an account asks for is kept for a shorter time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asker {
    /// Somebody with an account, or a feed that somebody with an account follows.
    Account,
    /// Anybody.
    Anyone,
}

/// What is kept of a source.
#[derive(Debug, Clone)]
pub(crate) enum Stored {
    /// A text that is fresh enough.
    Fresh(Article),
    /// It failed so recently that it is not asked again.
    Failed(Failure),
    /// Nothing that would do. An older text may be there.
    Stale(Option<Article>),
}

/// What an extraction came to.
#[derive(Debug, Clone)]
pub struct Answer {
    /// The text.
    pub article: Article,
    /// False when this answer's body was downloaded for it.
    pub cache_hit: bool,
}

/// Texts and source states that this process has seen. Losing it costs time only.
#[derive(Clone)]
pub struct Cache {
    documents: MokaCache<SnapshotId, Article>,
    sources: MokaCache<String, Seen>,
}

/// A source's text as this process saw it last.
#[derive(Debug, Clone, Copy)]
struct Seen {
    snapshot_id: SnapshotId,
    checked_at: Millis,
    /// On whose behalf the use was noted.
    noted: Asker,
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
        }
    }
}

impl Cache {
    fn fresh(&self, key: &str, now: Millis, freshness: Freshness, asker: Asker) -> Option<Article> {
        let seen = self.sources.get(key)?;
        if asker == Asker::Account && seen.noted == Asker::Anyone {
            return None;
        }
        let article = self.documents.get(&seen.snapshot_id)?;
        is_fresh(seen.checked_at, now, freshness)
            .then_some(Article { fetched_at: seen.checked_at, ..article })
    }

    /// Forgets what is known of a source; its texts stay, for they never change.
    pub(super) fn forget(&self, key: &str) {
        self.sources.invalidate(key);
    }
}

/// Looks for a text of `address` that satisfies `freshness`. Never fetches.
pub(crate) async fn look_up(
    domain: &Domain,
    address: &Address,
    freshness: Freshness,
    asker: Asker,
) -> Result<Stored> {
    let now = domain.now();
    if let Some(article) = domain.articles().fresh(&address.key, now, freshness, asker) {
        return Ok(Stored::Fresh(article));
    }
    let Some(row) = source::Entity::find_by_id(&address.key).one(domain.db().read()).await? else {
        return Ok(Stored::Stale(None));
    };
    note_use(domain, &row, asker).await;
    if let Some(failure) = kept_failure(&row, now, freshness) {
        return Ok(Stored::Failed(failure));
    }
    let Some(article) = current(domain, &row).await? else { return Ok(Stored::Stale(None)) };
    let article = confirmed(article, &row);
    let checked_at = row.checked_at.unwrap_or(0);
    if row.failed_at.is_none() && is_fresh(checked_at, now, freshness) {
        let seen = Seen { snapshot_id: article.snapshot_id, checked_at, noted: asker };
        domain.articles().sources.insert(row.key, seen);
        return Ok(Stored::Fresh(article));
    }
    Ok(Stored::Stale(Some(article)))
}

/// Asks for an extraction of `address` on behalf of an account, or joins the one that is under way. The source
/// row and the job are written in one transaction; the caller pushes the job.
pub async fn submit(domain: &Domain, address: &Address, priority: jobs::Priority) -> Result<jobs::Submitted> {
    let transaction = domain.db().begin().await?;
    ensure_source(&transaction, domain.now(), address, Asker::Account).await?;
    let job = jobs::NewJob::new(jobs::JobKind::Extraction, address.key.clone()).priority(priority);
    let submitted = jobs::submit(&transaction, domain, job).await?;
    transaction.commit().await?;
    Ok(submitted)
}

/// What the extraction of `key` came to, told to somebody who asked for it at `asked_at`.
///
/// # Errors
/// The source's failure, as kept; `Unavailable` when the extraction left neither text nor failure.
pub(super) async fn answer_of(domain: &Domain, key: &str, asked_at: Millis) -> Result<Answer> {
    domain.articles().forget(key);
    let row = source::Entity::find_by_id(key).one(domain.db().read()).await?;
    let Some(row) = row else { return Err(jobs::nothing_left()) };
    if row.failed_at.is_some() {
        return Err(failure_of(&row).into());
    }
    let Some(article) = current(domain, &row).await? else { return Err(jobs::nothing_left()) };
    if let Some(checked_at) = row.checked_at {
        // Whoever waited, the next account that asks has its use noted.
        let seen = Seen { snapshot_id: article.snapshot_id, checked_at, noted: Asker::Anyone };
        domain.articles().sources.insert(row.key.clone(), seen);
    }
    let cache_hit = article.fetched_at < asked_at && row.downloaded_at.is_none_or(|at| at < asked_at);
    Ok(Answer { article: confirmed(article, &row), cache_hit })
}

/// A text was fetched when its source last gave it or confirmed it, not when it was first kept.
fn confirmed(article: Article, row: &source::Model) -> Article {
    Article { fetched_at: row.checked_at.unwrap_or(article.fetched_at), ..article }
}

/// The text that a cursor or a job is pinned to; `None` when it is kept no longer.
pub async fn pinned(domain: &Domain, snapshot_id: SnapshotId) -> Result<Option<Article>> {
    if let Some(article) = domain.articles().documents.get(&snapshot_id) {
        return Ok(Some(article));
    }
    let Some(row) = snapshot::Entity::find_by_id(snapshot_id).one(domain.db().read()).await? else {
        return Ok(None);
    };
    let article = decode(row).await?;
    domain.articles().documents.insert(snapshot_id, article.clone());
    Ok(Some(article))
}

/// Makes sure that there is a row for `address`.
pub(super) async fn ensure_source(
    connection: &impl ConnectionTrait,
    now: Millis,
    address: &Address,
    asker: Asker,
) -> Result<()> {
    let row = source::ActiveModel {
        key: Set(address.key.clone()),
        url: Set(address.url.as_str().to_owned()),
        used_at: Set(now),
        account_used_at: Set((asker == Asker::Account).then_some(now)),
        ..Default::default()
    };
    let mut conflict = OnConflict::column(source::Column::Key);
    match asker {
        Asker::Account => conflict.update_column(source::Column::AccountUsedAt),
        Asker::Anyone => conflict.do_nothing(),
    };
    source::Entity::insert(row).on_conflict(conflict).exec_without_returning(connection).await?;
    Ok(())
}

/// Notes that somebody asked, at most once an hour, and never at the cost of the answer.
async fn note_use(domain: &Domain, row: &source::Model, asker: Asker) {
    let now = domain.now();
    let is_noted = |at: Option<Millis>| at.is_some_and(|at| now - at < USED_STEP_MS);
    let of_account = asker == Asker::Account && !is_noted(row.account_used_at);
    if is_noted(Some(row.used_at)) && !of_account {
        return;
    }
    let mut update = source::Entity::update_many().col_expr(source::Column::UsedAt, now.into());
    if of_account {
        update = update.col_expr(source::Column::AccountUsedAt, now.into());
    }
    let update = update.filter(source::Column::Key.eq(&row.key)).exec(domain.db().write());
    if let Err(error) = update.await {
        tracing::debug!(%error, "the use of a source was not noted");
    }
}

async fn current(domain: &Domain, row: &source::Model) -> Result<Option<Article>> {
    match row.snapshot_id {
        Some(id) => pinned(domain, id).await,
        None => Ok(None),
    }
}

/// Whether what is kept of a source, a text or a failure, answers somebody who asks for `freshness`.
pub(super) fn is_answer(row: &source::Model, now: Millis, freshness: Freshness) -> bool {
    let kept = row.snapshot_id.is_some() && row.failed_at.is_none();
    let fresh = row.checked_at.is_some_and(|checked_at| is_fresh(checked_at, now, freshness));
    (kept && fresh) || kept_failure(row, now, freshness).is_some()
}

fn is_fresh(checked_at: Millis, now: Millis, freshness: Freshness) -> bool {
    freshness.max_age_ms > 0 && now - checked_at <= freshness.max_age_ms
}

fn kept_failure(row: &source::Model, now: Millis, freshness: Freshness) -> Option<Failure> {
    let told = freshness.failures == KeptFailures::Told;
    let recent = row.failed_at.is_some_and(|failed_at| now - failed_at < FAILURE_KEPT_MS);
    (told && recent).then(|| failure_of(row))
}

fn failure_of(row: &source::Model) -> Failure {
    let message = row.error_message.clone().unwrap_or_else(|| "The source cannot be read.".into());
    let retry_after = row.error_retry_after.and_then(|seconds| u32::try_from(seconds).ok());
    Failure::kept(row.error_code.as_deref().unwrap_or_default(), message, retry_after)
}

/// A document as it is stored.
pub(super) struct Packed {
    /// JSON, compressed with zstd.
    pub(super) bytes: Vec<u8>,
    /// SHA-256 of the JSON, as hex: equal documents are told by it.
    pub(super) hash: String,
}

/// Compresses a document for keeping.
pub(super) fn encode(document: &Document) -> Result<Packed> {
    use sha2::Digest;
    let json = serde_json::to_vec(document).map_err(Error::internal)?;
    let hash = data_encoding::HEXLOWER.encode(&sha2::Sha256::digest(&json));
    let bytes = zstd::encode_all(json.as_slice(), 3).map_err(Error::internal)?;
    Ok(Packed { bytes, hash })
}

/// Unpacks a kept text; a large one costs milliseconds, which an async thread does not have.
async fn decode(row: snapshot::Model) -> Result<Article> {
    let unpack = move || -> Result<Article> {
        let json = zstd::decode_all(row.document.as_slice()).map_err(Error::internal)?;
        let document: Document = serde_json::from_slice(&json).map_err(Error::internal)?;
        Ok(Article {
            snapshot_id: row.id,
            source_key: row.source_key,
            final_url: row.final_url,
            fetched_at: row.fetched_at,
            document: Arc::new(document),
        })
    };
    tokio::task::spawn_blocking(unpack).await.map_err(Error::internal)?
}
