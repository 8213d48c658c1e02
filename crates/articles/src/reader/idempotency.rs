//! Responses stored under an `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header-07). For 24 hours,
//! every process repeats the first final response to a caller's request with the same key.

use async_recursion::async_recursion as boxed;
use bytes::Bytes;
use data_encoding::HEXLOWER;
use entities::idempotency;
use sea_orm::sea_query::OnConflict;
use sea_orm::{ActiveValue::Set, ColumnTrait, Condition, EntityTrait, QueryFilter};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use kernel::clock::DAY;
use kernel::retention::ExpiredRows;
use kernel::statement::{execute, scalar};
use kernel::{Code, Domain, Error, Millis, Result};

/// Magic number at the start of every zstd frame.
const ZSTD_MAGIC: [u8; 4] = [0x28, 0xB5, 0x2F, 0xFD];
const COMPRESSION: i32 = 3;
/// Retention of a response in milliseconds.
const RETENTION_MS: Millis = DAY;
/// Time, in milliseconds, after which the claim of a key expires if no response is stored. It is longer than any
/// deadline of a read.
const CLAIM_MS: Millis = 150_000;

/// Size of a row, in bytes, in addition to its body and headers.
const ROW_BYTES: usize = 512;
/// Maximum number of responses that one statement evicts.
const STEP: i64 = 500;

/// Responses and claims that have expired.
const EXPIRED: ExpiredRows = ExpiredRows { table: "idempotency", key: "key", condition: "expires_at <= $1" };

/// Evicts the responses that expire first, until `$2` bytes are freed, but at most `$1` responses.
const EVICT: &str = "DELETE FROM idempotency WHERE key IN (SELECT key FROM \
    (SELECT key, SUM(stored_bytes) OVER (ORDER BY expires_at, key) - stored_bytes AS freed FROM \
     (SELECT key, stored_bytes, expires_at FROM idempotency WHERE stored_bytes > 0 \
      ORDER BY expires_at, key LIMIT $1) AS oldest) AS running WHERE freed < $2)";

/// Identity of a request with an idempotency key.
#[derive(Debug, Clone, Copy)]
pub struct IdempotencyScope<'a> {
    /// The caller: an account or a network.
    pub caller: &'a str,
    /// The key as the caller sent it, without quotation marks.
    pub key: &'a str,
    /// Canonical form of all parts of the request that determine the response.
    pub request: &'a str,
}

/// Response stored under a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredResponse {
    /// HTTP status code.
    pub status: u16,
    /// Names and values of the content headers.
    pub headers: Vec<(String, String)>,
    /// Body, as [`pack`] returns it.
    pub body: Vec<u8>,
}

/// Exclusive right to produce the response for a key. It is released by [`store_response`], by [`release`],
/// or after 150 seconds.
#[derive(Debug)]
pub struct IdempotencyLock {
    key: String,
    caller: String,
    holder: Uuid,
}

/// Result of an attempt to claim a key.
#[derive(Debug)]
pub enum KeyClaim {
    /// The key was unused. The caller must produce the response.
    Acquired(IdempotencyLock),
    /// A response is stored under the key and must be sent again.
    Stored(StoredResponse),
}

/// Looks up a key without writing. Returns `None` if the key is unused.
///
/// # Errors
/// Same as for [`claim`]. The inner result is an error if the key was used for another request, or if its response is
/// still being produced.
pub async fn find(domain: &Domain, scope: IdempotencyScope<'_>) -> Result<Option<Result<StoredResponse>>> {
    let row = idempotency::Entity::find_by_id(hash(&[scope.caller, scope.key]))
        .filter(unusable(domain.now()).not())
        .one(domain.db().read())
        .await?;
    Ok(row.map(|row| stored_response(row, &hash(&[scope.request]))))
}

/// Claims a key, or returns the stored response.
///
/// # Errors
/// `Conflict` with `idempotency_key_reused` if the key was used for another request, or with
/// `idempotency_key_in_progress` while its response is being produced.
pub async fn claim(domain: &Domain, scope: IdempotencyScope<'_>) -> Result<KeyClaim> {
    let now = domain.now();
    let key = hash(&[scope.caller, scope.key]);
    let caller = hash(&[scope.caller]);
    let fingerprint = hash(&[scope.request]);
    let holder = domain.new_id();
    let transaction = domain.db().begin().await?;
    idempotency::Entity::delete_many()
        .filter(idempotency::Column::Key.eq(&key))
        .filter(unusable(now))
        .exec(&transaction)
        .await?;
    let row = idempotency::ActiveModel {
        key: Set(key.clone()),
        fingerprint: Set(fingerprint.clone()),
        holder: Set(holder),
        caller: Set(caller.clone()),
        expires_at: Set(now + CLAIM_MS),
        ..Default::default()
    };
    let nothing = OnConflict::column(idempotency::Column::Key).do_nothing().to_owned();
    idempotency::Entity::insert(row).on_conflict(nothing).exec_without_returning(&transaction).await?;
    let row = idempotency::Entity::find_by_id(&key).one(&transaction).await?;
    transaction.commit().await?;
    let Some(row) = row else { return Err(in_progress()) };
    if row.holder == holder {
        return Ok(KeyClaim::Acquired(IdempotencyLock { key, caller, holder }));
    }
    stored_response(row, &fingerprint).map(KeyClaim::Stored)
}

/// Rows that hold their key no longer: expired, or a response that an earlier version stored without its body.
fn unusable(now: Millis) -> Condition {
    let without_body = Condition::all()
        .add(idempotency::Column::Status.is_not_null())
        .add(idempotency::Column::Body.is_null());
    Condition::any().add(idempotency::Column::ExpiresAt.lte(now)).add(without_body)
}

/// Compresses a body for [`StoredResponse`] on a blocking thread.
#[boxed]
pub async fn pack(body: Bytes) -> Result<Vec<u8>> {
    let packing = tokio::task::spawn_blocking(move || zstd::bulk::compress(&body, COMPRESSION));
    packing.await.map_err(Error::internal)?.map_err(Error::internal)
}

/// Decompresses the body of a [`StoredResponse`] on a blocking thread. Bodies stored by earlier versions are not
/// compressed.
#[boxed]
pub async fn unpack(body: Vec<u8>) -> Result<Vec<u8>> {
    if !body.starts_with(&ZSTD_MAGIC) {
        return Ok(body);
    }
    let unpacking = tokio::task::spawn_blocking(move || zstd::decode_all(body.as_slice()));
    unpacking.await.map_err(Error::internal)?.map_err(Error::internal)
}

fn stored_response(row: idempotency::Model, fingerprint: &str) -> Result<StoredResponse> {
    if row.fingerprint != fingerprint {
        let text = "This Idempotency-Key was used for another request.";
        return Err(Error::new(Code::IdempotencyKeyReused, text));
    }
    response_of(row).ok_or_else(in_progress)
}

/// Stores the response of a claimed key for 24 hours. If this would exceed the caller's limit on stored
/// bytes, the key is released instead, so that a repeated request is executed again.
#[boxed]
pub async fn store_response(
    domain: &Domain,
    lock: &IdempotencyLock,
    response: &StoredResponse,
) -> Result<()> {
    let headers = serde_json::to_string(&response.headers).map_err(Error::internal)?;
    let bytes = i64::try_from(response.body.len() + headers.len() + ROW_BYTES).unwrap_or(i64::MAX);
    let limit = i64::try_from(domain.policy().max_stored_response_bytes_per_caller).unwrap_or(i64::MAX);
    if bytes > limit - stored_bytes_of(domain, &lock.caller).await? {
        return release(domain, lock).await;
    }
    idempotency::Entity::update_many()
        .col_expr(idempotency::Column::StoredBytes, bytes.into())
        .col_expr(idempotency::Column::Status, i32::from(response.status).into())
        .col_expr(idempotency::Column::Headers, headers.into())
        .col_expr(idempotency::Column::Body, response.body.clone().into())
        .col_expr(idempotency::Column::ExpiresAt, (domain.now() + RETENTION_MS).into())
        .filter(idempotency::Column::Key.eq(&lock.key))
        .filter(idempotency::Column::Holder.eq(lock.holder))
        .exec(domain.db().write())
        .await?;
    Ok(())
}

/// Returns the size of all responses stored for a caller, in bytes.
async fn stored_bytes_of(domain: &Domain, caller: &str) -> Result<i64> {
    let sql = "SELECT CAST(COALESCE(SUM(stored_bytes), 0) AS bigint) FROM idempotency WHERE caller = $1";
    scalar(domain.db().read(), sql, [caller.into()]).await
}

/// Releases a claimed key, so that the same request can be retried.
#[boxed]
pub async fn release(domain: &Domain, lock: &IdempotencyLock) -> Result<()> {
    idempotency::Entity::delete_many()
        .filter(idempotency::Column::Key.eq(&lock.key))
        .filter(idempotency::Column::Holder.eq(lock.holder))
        .exec(domain.db().write())
        .await?;
    Ok(())
}

/// Deletes expired responses. If the total then exceeds the operator's limit, evicts the responses that
/// expire first. Returns the number of deleted responses.
#[boxed]
pub async fn remove_expired(domain: &Domain) -> Result<u64> {
    let connection = domain.db().write();
    let mut removed = EXPIRED.delete(connection, &[domain.now().into()]).await?;
    let budget = i64::try_from(domain.policy().max_stored_response_bytes).unwrap_or(i64::MAX);
    let sum = "SELECT CAST(COALESCE(SUM(stored_bytes), 0) AS bigint) FROM idempotency";
    loop {
        let excess = scalar(connection, sum, []).await? - budget;
        if excess <= 0 {
            return Ok(removed);
        }
        let count = execute(connection, EVICT, [STEP.into(), excess.into()]).await?;
        if count == 0 {
            return Ok(removed);
        }
        removed += count;
    }
}

fn response_of(row: idempotency::Model) -> Option<StoredResponse> {
    Some(StoredResponse {
        status: u16::try_from(row.status?).ok()?,
        headers: serde_json::from_str(&row.headers?).ok()?,
        body: row.body?,
    })
}

fn in_progress() -> Error {
    let text = "A request with this Idempotency-Key is still in progress. Try again later.";
    Error::new(Code::IdempotencyKeyInProgress, text)
}

fn hash(parts: &[&str]) -> String {
    let mut hasher = Sha256::new();
    for part in parts {
        hasher.update((part.len() as u64).to_be_bytes());
        hasher.update(part.as_bytes());
    }
    HEXLOWER.encode(&hasher.finalize())
}
