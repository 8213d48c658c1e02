//! Storage of sources and their texts: looks up fresh texts and submits extractions.

use async_recursion::async_recursion as boxed;
use std::sync::Arc;

use entities::ids::SnapshotId;
use entities::{snapshot, source};
use extract::Document;
use sea_orm::sea_query::OnConflict;
use sea_orm::{
    ActiveValue::Set, ColumnTrait, ConnectionTrait, EntityTrait, JoinType, QueryFilter, QuerySelect,
};
use tokio::sync::Semaphore;

use super::cache::CachedSource;
use super::freshness::is_within;
use super::{Address, Article, CacheAudience, Freshness, RecentFailures, ServedArticle, SourceFailure};
use kernel::clock::HOUR;
use kernel::{Domain, Error, Millis, Result};

/// Time, in milliseconds, for which a failure is returned before the source is fetched again.
const FAILURE_CACHE_MS: Millis = 60_000;
/// Minimum time between two updates of `used_at`, in milliseconds.
const USED_STEP_MS: Millis = HOUR;
/// Maximum number of concurrent conversions of texts in this process. A conversion needs several times the size of its
/// text in memory.
const MAX_CONVERSIONS: usize = 8;

static CONVERSIONS: Semaphore = Semaphore::const_new(MAX_CONVERSIONS);

/// Result of a cache lookup.
#[derive(Debug, Clone)]
pub enum CacheLookup {
    /// A text that is fresh enough.
    Fresh(Article),
    /// The source failed so recently that it is not fetched again.
    Failed(SourceFailure),
    /// No text is fresh enough. Contains an older text if one is stored.
    Stale(Option<Article>),
}

/// Looks up a text of `address` that satisfies `freshness`. Fetches nothing.
#[boxed]
pub async fn lookup(
    domain: &Domain,
    address: &Address,
    freshness: Freshness,
    audience: CacheAudience,
) -> Result<CacheLookup> {
    let now = domain.now();
    if let Some(article) = crate::cache::of(domain).fresh(&address.key, now, freshness, audience) {
        return Ok(CacheLookup::Fresh(article));
    }
    let Some(row) = source::Entity::find_by_id(&address.key).one(domain.db().read()).await? else {
        return Ok(CacheLookup::Stale(None));
    };
    note_use(domain, &row, audience).await;
    if let Some(failure) = recent_failure(&row, now, freshness) {
        return Ok(CacheLookup::Failed(failure));
    }
    let Some(article) = current(domain, &row).await? else { return Ok(CacheLookup::Stale(None)) };
    let article = confirmed(article, &row);
    let checked_at = row.checked_at.unwrap_or(0);
    if row.failed_at.is_none() && freshness.accepts(checked_at, now) {
        let cached_source = CachedSource { snapshot_id: article.snapshot_id, checked_at, audience };
        crate::cache::of(domain).insert_source(row.key, cached_source);
        return Ok(CacheLookup::Fresh(article));
    }
    Ok(CacheLookup::Stale(Some(article)))
}

/// Submits an extraction of `address` on behalf of an account, or joins a pending extraction. The source row
/// and the job row are written in one transaction. The caller must push the job.
#[boxed]
pub async fn submit(domain: &Domain, address: &Address, priority: jobs::Priority) -> Result<jobs::Submitted> {
    let transaction = domain.db().begin().await?;
    ensure_source(&transaction, domain.now(), address, CacheAudience::Account).await?;
    let job = jobs::NewJob::new(address.job_kind(), address.key.clone()).priority(priority);
    let submitted = jobs::submit(&transaction, domain, job).await?;
    transaction.commit().await?;
    Ok(submitted)
}

/// Returns whether an extraction of `address` was ever submitted.
#[boxed]
pub async fn was_submitted(domain: &Domain, address: &Address) -> Result<bool> {
    Ok(source::Entity::find_by_id(&address.key).one(domain.db().read()).await?.is_some())
}

/// Returns the failure of the last attempt to read `key`, regardless of its age. `None` if that attempt succeeded, or
/// if there was none.
pub(super) async fn last_failure(domain: &Domain, key: &str) -> Result<Option<SourceFailure>> {
    let row = source::Entity::find_by_id(key).one(domain.db().read()).await?;
    Ok(row.filter(|row| row.failed_at.is_some()).map(|row| failure_of(&row)))
}

/// Returns the result of the extraction of `key`, for a caller that requested it at `requested_at`.
///
/// # Errors
/// Returns the stored failure of the source; `service_unavailable` if neither a text nor a failure is stored.
pub(super) async fn answer_of(domain: &Domain, key: &str, requested_at: Millis) -> Result<ServedArticle> {
    crate::cache::of(domain).forget(key);
    let with_text = source::Entity::find_by_id(key)
        .join(
            JoinType::LeftJoin,
            source::Entity::belongs_to(snapshot::Entity)
                .from(source::Column::SnapshotId)
                .to(snapshot::Column::Id)
                .into(),
        )
        .select_also(snapshot::Entity);
    let Some((row, text)) = with_text.one(domain.db().read()).await? else {
        return Err(jobs::no_result());
    };
    if row.failed_at.is_some() {
        return Err(failure_of(&row).into());
    }
    let Some(text) = text else { return Err(jobs::no_result()) };
    let article = match crate::cache::of(domain).text(text.id) {
        Some(article) => article,
        None => decoded(domain, text).await?,
    };
    if let Some(checked_at) = row.checked_at {
        // `Anyone` is recorded for every caller, so that the next lookup by an account records its use.
        let cached_source =
            CachedSource { snapshot_id: article.snapshot_id, checked_at, audience: CacheAudience::Anyone };
        crate::cache::of(domain).insert_source(row.key.clone(), cached_source);
    }
    let cache_hit = article.fetched_at < requested_at && row.downloaded_at.is_none_or(|at| at < requested_at);
    Ok(ServedArticle { article: confirmed(article, &row), cache_hit })
}

/// Sets `fetched_at` to the time at which the source last delivered or confirmed the text. The snapshot row
/// contains the time at which the text was first stored.
fn confirmed(article: Article, row: &source::Model) -> Article {
    Article { fetched_at: row.checked_at.unwrap_or(article.fetched_at), ..article }
}

/// Returns the text to which a cursor or a job is pinned. `None` if the text is no longer stored.
#[boxed]
pub async fn pinned(domain: &Domain, snapshot_id: SnapshotId) -> Result<Option<Article>> {
    if let Some(article) = crate::cache::of(domain).text(snapshot_id) {
        return Ok(Some(article));
    }
    let Some(row) = snapshot::Entity::find_by_id(snapshot_id).one(domain.db().read()).await? else {
        return Ok(None);
    };
    Ok(Some(decoded(domain, row).await?))
}

/// Creates the row of `address` if it is missing. Returns true if it was missing: the source then has no stored text or
/// failure.
pub(super) async fn ensure_source(
    connection: &impl ConnectionTrait,
    now: Millis,
    address: &Address,
    audience: CacheAudience,
) -> Result<bool> {
    let row = source::ActiveModel {
        key: Set(address.key.clone()),
        url: Set(address.url.as_str().to_owned()),
        selector: Set(address.selector.clone()),
        used_at: Set(now),
        account_used_at: Set((audience == CacheAudience::Account).then_some(now)),
        ..Default::default()
    };
    let insert = source::Entity::insert(row)
        .on_conflict(OnConflict::column(source::Column::Key).do_nothing().to_owned());
    if insert.exec_without_returning(connection).await? > 0 {
        return Ok(true);
    }
    if audience == CacheAudience::Account {
        let noted = source::Entity::update_many().col_expr(source::Column::AccountUsedAt, now.into());
        noted.filter(source::Column::Key.eq(&address.key)).exec(connection).await?;
    }
    Ok(false)
}

/// Records a use of the source, at most once per hour. If the update fails, the request continues.
async fn note_use(domain: &Domain, row: &source::Model, audience: CacheAudience) {
    let now = domain.now();
    let is_noted = |at: Option<Millis>| at.is_some_and(|at| is_within(at, now, USED_STEP_MS - 1));
    let of_account = audience == CacheAudience::Account && !is_noted(row.account_used_at);
    if is_noted(Some(row.used_at)) && !of_account {
        return;
    }
    let mut update = source::Entity::update_many().col_expr(source::Column::UsedAt, now.into());
    if of_account {
        update = update.col_expr(source::Column::AccountUsedAt, now.into());
    }
    let update = update.filter(source::Column::Key.eq(&row.key)).exec(domain.db().write());
    if let Err(error) = update.await {
        tracing::debug!(%error, "failed to record source use");
    }
}

async fn current(domain: &Domain, row: &source::Model) -> Result<Option<Article>> {
    match row.snapshot_id {
        Some(id) => pinned(domain, id).await,
        None => Ok(None),
    }
}

/// Returns whether the stored text or failure of a source satisfies `freshness`.
pub(super) fn is_answer(row: &source::Model, now: Millis, freshness: Freshness) -> bool {
    let has_text = row.snapshot_id.is_some() && row.failed_at.is_none();
    let fresh = row.checked_at.is_some_and(|checked_at| freshness.accepts(checked_at, now));
    (has_text && fresh) || recent_failure(row, now, freshness).is_some()
}

fn recent_failure(row: &source::Model, now: Millis, freshness: Freshness) -> Option<SourceFailure> {
    let accepts_failures = freshness.failures == RecentFailures::Returned;
    let recent = row.failed_at.is_some_and(|failed_at| is_within(failed_at, now, FAILURE_CACHE_MS - 1));
    (accepts_failures && recent).then(|| failure_of(row))
}

fn failure_of(row: &source::Model) -> SourceFailure {
    let message = row.error_message.clone().unwrap_or_else(|| "The source cannot be read.".into());
    let retry_after = row.error_retry_after.and_then(|seconds| u32::try_from(seconds).ok());
    SourceFailure::from_stored(row.error_code.as_deref().unwrap_or_default(), message, retry_after)
}

/// An encoded document.
pub(super) struct Packed {
    /// JSON text, compressed with zstd.
    pub(super) bytes: Vec<u8>,
    /// SHA-256 of the JSON text in hexadecimal. Equal documents have equal hashes.
    pub(super) hash: String,
}

/// Encodes and compresses a document for storage.
pub(super) fn encode(document: &Document) -> Result<Packed> {
    use sha2::Digest;
    let json = serde_json::to_vec(document).map_err(Error::internal)?;
    let hash = data_encoding::HEXLOWER.encode(&sha2::Sha256::digest(&json));
    let mut bytes = zstd::bulk::compress(&json, 3).map_err(Error::internal)?;
    // The buffer has the size of the JSON text, and may wait for the writer of the database.
    bytes.shrink_to_fit();
    Ok(Packed { bytes, hash })
}

/// Decodes the text of a snapshot row and adds it to the cache.
async fn decoded(domain: &Domain, row: snapshot::Model) -> Result<Article> {
    let document = unpack(row.document).await?;
    let article = Article {
        snapshot_id: row.id,
        source_key: row.source_key,
        final_url: row.final_url,
        fetched_at: row.fetched_at,
        document: Arc::new(document),
    };
    crate::cache::of(domain).insert_text(article.clone());
    Ok(article)
}

/// Decodes a stored text.
async fn unpack(bytes: Vec<u8>) -> Result<Document> {
    convert(move || unpacked(&bytes)).await?
}

/// Encodes or decodes texts on a blocking thread, because a large text takes milliseconds. At most [`MAX_CONVERSIONS`]
/// texts are converted at the same time.
pub(super) async fn convert<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T> {
    let permit = CONVERSIONS.acquire().await.map_err(Error::internal)?;
    let converting = tokio::task::spawn_blocking(move || {
        // The permit is released when the work is complete, even if the caller was cancelled earlier.
        let _permit = permit;
        work()
    });
    converting.await.map_err(Error::internal)
}

/// Decodes stored texts, and returns the documents in the same order.
#[boxed]
pub async fn unpack_all(all: Vec<Vec<u8>>) -> Result<Vec<Document>> {
    let work = move || all.iter().map(|bytes| unpacked(bytes)).collect();
    convert(work).await?
}

fn unpacked(bytes: &[u8]) -> Result<Document> {
    let json = zstd::decode_all(bytes).map_err(Error::internal)?;
    serde_json::from_slice(&json).map_err(Error::internal)
}

#[cfg(test)]
mod tests {
    use std::pin::pin;

    use futures_util::poll;
    use kernel::clock::DAY;
    use kernel::testing::TestDatabase;
    use sea_orm::ActiveModelTrait;

    use super::*;

    #[tokio::test]
    async fn failure_from_the_future_is_retried() {
        for test in TestDatabase::each().await {
            let domain = &test.domain;
            let address = Address::parse(domain, "https://example.com/a").unwrap();
            let connection = domain.db().write();
            ensure_source(connection, domain.now(), &address, CacheAudience::Account).await.unwrap();
            for (failed_at, is_returned) in [(domain.now(), true), (domain.now() + 40 * DAY, false)] {
                let key = Set(address.key.clone());
                let change =
                    source::ActiveModel { key, failed_at: Set(Some(failed_at)), ..Default::default() };
                change.update(connection).await.unwrap();
                let freshness = Freshness::seconds(60);
                let result = lookup(domain, &address, freshness, CacheAudience::Account).await.unwrap();
                assert_eq!(matches!(result, CacheLookup::Failed(_)), is_returned, "{result:?}");
            }
        }
    }

    #[tokio::test]
    async fn conversion_beyond_the_maximum_waits_for_a_permit() {
        let permits = CONVERSIONS.acquire_many(u32::try_from(MAX_CONVERSIONS).unwrap()).await.unwrap();
        let mut waiting = pin!(convert(|| 7));
        assert!(poll!(&mut waiting).is_pending());
        drop(permits);
        assert_eq!(waiting.await.unwrap(), 7);
    }
}
