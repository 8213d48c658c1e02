//! Answers kept under an `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header-07): the first final
//! answer of a caller's key is told again for 24 hours, in whichever process the repetition arrives.

use data_encoding::HEXLOWER;
use entities::idempotency;
use sea_orm::sea_query::OnConflict;
use sea_orm::{ActiveValue::Set, ColumnTrait, EntityTrait, QueryFilter};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use crate::clock::Millis;
use crate::error::{Error, Result};
use crate::handle::Domain;

/// How long an answer is kept.
const KEPT_MS: Millis = 86_400_000;
/// How long a holder may take before it counts as gone; longer than any deadline of a read.
const HELD_MS: Millis = 150_000;

/// What is asked, under which key, by whom.
#[derive(Debug, Clone, Copy)]
pub struct Asked<'a> {
    /// The caller: a network or an account.
    pub caller: &'a str,
    /// The key as the caller sent it, without quotes.
    pub key: &'a str,
    /// Everything that makes the request what it is, in a canonical form.
    pub request: &'a str,
}

/// A kept answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kept {
    /// HTTP status.
    pub status: u16,
    /// Content headers, name and value.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: Vec<u8>,
}

/// The right to make the answer of a key. It ends by [`settle`], [`release`] or after 150 s.
#[derive(Debug)]
pub struct Hold {
    key: String,
    holder: Uuid,
}

/// What a key stands for at this moment.
#[derive(Debug)]
pub enum Claim {
    /// Nobody has asked yet: make the answer.
    Mine(Hold),
    /// It was answered: tell it again.
    Answered(Kept),
}

/// Claims a key, or finds the answer that it already has.
///
/// # Errors
/// `Conflict` with `idempotency_key_reused` when the key was used for another request, and with
/// `idempotency_key_in_progress` while its answer is being made.
pub async fn claim(domain: &Domain, asked: Asked<'_>) -> Result<Claim> {
    let now = domain.now();
    let key = hash(&[asked.caller, asked.key]);
    let fingerprint = hash(&[asked.request]);
    let holder = domain.new_id();
    let transaction = domain.db().begin().await?;
    idempotency::Entity::delete_many()
        .filter(idempotency::Column::Key.eq(&key))
        .filter(idempotency::Column::ExpiresAt.lte(now))
        .exec(&transaction)
        .await?;
    let row = idempotency::ActiveModel {
        key: Set(key.clone()),
        fingerprint: Set(fingerprint.clone()),
        holder: Set(holder),
        expires_at: Set(now + HELD_MS),
        ..Default::default()
    };
    let nothing = OnConflict::column(idempotency::Column::Key).do_nothing().to_owned();
    idempotency::Entity::insert(row).on_conflict(nothing).exec_without_returning(&transaction).await?;
    let row = idempotency::Entity::find_by_id(&key).one(&transaction).await?;
    transaction.commit().await?;
    let Some(row) = row else { return Err(in_progress()) };
    if row.holder == holder {
        return Ok(Claim::Mine(Hold { key, holder }));
    }
    if row.fingerprint != fingerprint {
        let text = "This Idempotency-Key was used for another request.";
        return Err(Error::Conflict { code: "idempotency_key_reused", message: text.into() });
    }
    kept_of(row).map(Claim::Answered).ok_or_else(in_progress)
}

/// Keeps the answer of a held key for 24 hours.
pub async fn settle(domain: &Domain, hold: &Hold, kept: &Kept) -> Result<()> {
    let headers = serde_json::to_string(&kept.headers).map_err(Error::internal)?;
    idempotency::Entity::update_many()
        .col_expr(idempotency::Column::Status, i32::from(kept.status).into())
        .col_expr(idempotency::Column::Headers, headers.into())
        .col_expr(idempotency::Column::Body, kept.body.clone().into())
        .col_expr(idempotency::Column::ExpiresAt, (domain.now() + KEPT_MS).into())
        .filter(idempotency::Column::Key.eq(&hold.key))
        .filter(idempotency::Column::Holder.eq(hold.holder))
        .exec(domain.db().write())
        .await?;
    Ok(())
}

/// Gives a held key back: the same request may be tried anew.
pub async fn release(domain: &Domain, hold: &Hold) -> Result<()> {
    idempotency::Entity::delete_many()
        .filter(idempotency::Column::Key.eq(&hold.key))
        .filter(idempotency::Column::Holder.eq(hold.holder))
        .exec(domain.db().write())
        .await?;
    Ok(())
}

/// Removes answers that are kept no longer.
pub async fn remove_expired(domain: &Domain) -> Result<u64> {
    let removed = idempotency::Entity::delete_many()
        .filter(idempotency::Column::ExpiresAt.lte(domain.now()))
        .exec(domain.db().write())
        .await?;
    Ok(removed.rows_affected)
}

fn kept_of(row: idempotency::Model) -> Option<Kept> {
    Some(Kept {
        status: u16::try_from(row.status?).ok()?,
        headers: serde_json::from_str(&row.headers?).ok()?,
        body: row.body?,
    })
}

fn in_progress() -> Error {
    let text = "A request with this Idempotency-Key is still being answered.";
    Error::Conflict { code: "idempotency_key_in_progress", message: text.into() }
}

fn hash(parts: &[&str]) -> String {
    let mut hasher = Sha256::new();
    for part in parts {
        hasher.update((part.len() as u64).to_be_bytes());
        hasher.update(part.as_bytes());
    }
    HEXLOWER.encode(&hasher.finalize())
}
