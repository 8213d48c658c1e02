//! Personal API keys: made by the signed-in person, shown once, kept as a hash.
//!
//! A key reads `svc_` + 40 random base62 characters + 6 base62 characters of their CRC-32.

#[cfg(test)]
mod tests;

use entities::ids::{AccountId, KeyId};
use entities::{account, api_key};
use sea_orm::{
    ActiveModelTrait, ActiveValue::Set, ColumnTrait, Condition, ConnectionTrait, EntityTrait, PaginatorTrait,
    QueryFilter, QueryOrder,
};
use subtle::ConstantTimeEq;

use crate::bounds::KEY_DAYS;
use crate::caller::{Caller, Credential};
use crate::clock::Millis;
use crate::code::Code;
use crate::error::{Error, Result};
use crate::handle::Domain;
use crate::limits::{Tier, require_room};
use crate::notices;
use crate::scope::Scopes;
use crate::secret_text::{Secret, SecretKind};

/// `last_used_at` is written at most this often.
const LAST_USED_STEP_MS: Millis = 60_000;
const DAY_MS: Millis = 86_400_000;
/// The longest name, in characters.
const MAX_NAME_CHARS: usize = crate::bounds::KEY_NAME_CHARS;

/// A key as its owner sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ApiKey {
    /// Its id.
    pub id: KeyId,
    /// What its owner calls it.
    pub name: String,
    /// The first 12 characters of its text.
    pub prefix: String,
    /// What it may be used for.
    pub scopes: Scopes,
    /// When it was made.
    pub created_at: Millis,
    /// When it was last used, to the minute.
    pub last_used_at: Option<Millis>,
    /// From when on it is void.
    pub expires_at: Option<Millis>,
}

/// What a new key should be.
#[derive(Clone, Debug)]
pub struct NewKey {
    /// 1 to 80 characters.
    pub name: String,
    /// What it may be used for.
    pub scopes: Scopes,
    /// 1 to 365; absent: it does not expire.
    pub expires_in_days: Option<u32>,
}

/// Makes a key for `account_id`. The text is in the answer and nowhere else.
///
/// # Errors
/// `invalid_request` for a name or life span out of bounds; `limit_reached` when the plan has no room.
pub async fn create(domain: &Domain, account_id: AccountId, new: NewKey) -> Result<(ApiKey, Secret)> {
    let name = check_name(&new.name)?;
    if new.expires_in_days.is_some_and(|days| !(1..=KEY_DAYS).contains(&days)) {
        return Err(invalid("expires_in_days", "must be between 1 and 365"));
    }
    let secret = Secret::generate(domain, SecretKind::Key);
    let now = domain.now();
    let transaction = domain.db().begin().await?;
    let tier = crate::accounts::lock(&transaction, account_id).await?;
    let used = count_active(domain, &transaction, account_id).await?;
    require_room("API keys", domain.limits().of(tier).active_api_keys.into(), used)?;
    let row = api_key::ActiveModel {
        id: Set(domain.new_id()),
        account_id: Set(account_id),
        name: Set(name),
        prefix: Set(secret.prefix().to_owned()),
        hash: Set(secret.hash().to_vec()),
        scopes: Set(new.scopes.names().join(" ")),
        created_at: Set(now),
        last_used_at: Set(None),
        expires_at: Set(new.expires_in_days.map(|days| now + Millis::from(days) * DAY_MS)),
        revoked_at: Set(None),
    };
    let row = row.insert(&transaction).await?;
    notices::key_made(&transaction, domain, account_id, (row.id, &row.name)).await?;
    transaction.commit().await?;
    Ok((ApiKey::from(row), secret))
}

/// The keys of `account_id` that are not revoked, newest first. Expired ones stay visible.
pub async fn list(domain: &Domain, account_id: AccountId) -> Result<Vec<ApiKey>> {
    let rows = api_key::Entity::owned_by(account_id)
        .filter(api_key::Column::RevokedAt.is_null())
        .order_by_desc(api_key::Column::CreatedAt)
        .order_by_desc(api_key::Column::Id)
        .all(domain.db().read())
        .await?;
    Ok(rows.into_iter().map(ApiKey::from).collect())
}

/// Revokes a key of `account_id`, at once and for good.
///
/// # Errors
/// `not_found` for a key that is unknown, revoked already or another account's.
pub async fn revoke(domain: &Domain, account_id: AccountId, id: KeyId) -> Result<()> {
    let revoked = api_key::Entity::update_many()
        .col_expr(api_key::Column::RevokedAt, domain.now().into())
        .filter(api_key::Column::Id.eq(id))
        .filter(api_key::Column::AccountId.eq(account_id))
        .filter(api_key::Column::RevokedAt.is_null())
        .exec(domain.db().write())
        .await?;
    if revoked.rows_affected == 0 {
        return Err(Error::new(Code::NotFound, "There is no such key."));
    }
    Ok(())
}

/// Revokes every key of the account.
pub(crate) async fn revoke_all(
    domain: &Domain,
    connection: &impl ConnectionTrait,
    account_id: AccountId,
) -> Result<()> {
    api_key::Entity::update_many()
        .col_expr(api_key::Column::RevokedAt, domain.now().into())
        .filter(api_key::Column::AccountId.eq(account_id))
        .filter(api_key::Column::RevokedAt.is_null())
        .exec(connection)
        .await?;
    Ok(())
}

/// How many keys of the account are neither revoked nor expired.
pub(crate) async fn count_active(
    domain: &Domain,
    connection: &impl ConnectionTrait,
    account_id: AccountId,
) -> Result<u64> {
    let alive = Condition::any()
        .add(api_key::Column::ExpiresAt.is_null())
        .add(api_key::Column::ExpiresAt.gt(domain.now()));
    let active =
        api_key::Entity::owned_by(account_id).filter(api_key::Column::RevokedAt.is_null()).filter(alive);
    Ok(active.count(connection).await?)
}

/// The caller behind the text of a key. Checksum, life span and owner are looked at in this order; what
/// comes back for a key that is none of ours is always the same.
///
/// # Errors
/// `invalid_credential`, `revoked_credential`, `expired_credential`; `Unavailable` when the database
/// cannot tell.
pub(crate) async fn authenticate(domain: &Domain, text: &str) -> Result<Caller> {
    let Some(secret) = Secret::parse(text, SecretKind::Key) else { return Err(not_valid()) };
    let hash = secret.hash();
    let found = api_key::Entity::find()
        .filter(api_key::Column::Hash.eq(hash.to_vec()))
        .find_also_related(account::Entity)
        .one(domain.db().read())
        .await?;
    let Some((key, Some(owner))) = found else { return Err(not_valid()) };
    if !bool::from(key.hash.ct_eq(&hash)) {
        return Err(not_valid());
    }
    if key.revoked_at.is_some() {
        return Err(Error::new(Code::RevokedCredential, "This API key was revoked."));
    }
    if key.expires_at.is_some_and(|at| at <= domain.now()) {
        return Err(Error::new(Code::ExpiredCredential, "This API key has expired."));
    }
    if owner.disabled_at.is_some() {
        return Err(Error::new(Code::RevokedCredential, "The account of this API key is disabled."));
    }
    note_use(domain, &key);
    Ok(Caller {
        account_id: owner.id,
        tier: Tier::parse(&owner.tier).unwrap_or_default(),
        scopes: scopes(&key.scopes),
        credential: Credential::Key(key.id),
    })
}

/// Notes the use of a key, at most once a minute and beside the request.
fn note_use(domain: &Domain, key: &api_key::Model) {
    let now = domain.now();
    if key.last_used_at.is_some_and(|at| now - at < LAST_USED_STEP_MS) {
        return;
    }
    let (domain, id) = (domain.clone(), key.id);
    tokio::spawn(async move {
        let older = Condition::any()
            .add(api_key::Column::LastUsedAt.is_null())
            .add(api_key::Column::LastUsedAt.lte(now - LAST_USED_STEP_MS));
        let noted = api_key::Entity::update_many()
            .col_expr(api_key::Column::LastUsedAt, now.into())
            .filter(api_key::Column::Id.eq(id))
            .filter(older)
            .exec(domain.db().write())
            .await;
        if let Err(error) = noted {
            tracing::debug!(%error, "the last use of a key could not be noted");
        }
    });
}

fn check_name(name: &str) -> Result<String> {
    let name = name.trim();
    if name.is_empty() || name.chars().count() > MAX_NAME_CHARS {
        return Err(invalid("name", "must have 1 to 80 characters"));
    }
    if name.chars().any(char::is_control) {
        return Err(invalid("name", "must not hold control characters"));
    }
    Ok(name.to_owned())
}

fn invalid(field: &'static str, reason: &str) -> Error {
    Error::new(Code::InvalidRequest, "The key cannot be made as asked.").at(field, reason)
}

fn not_valid() -> Error {
    Error::new(Code::InvalidCredential, "This credential is not valid.")
}

fn scopes(stored: &str) -> Scopes {
    Scopes::parse(stored.split_whitespace()).unwrap_or(Scopes::READ)
}

impl From<api_key::Model> for ApiKey {
    fn from(row: api_key::Model) -> Self {
        Self {
            id: row.id,
            name: row.name,
            prefix: row.prefix,
            scopes: scopes(&row.scopes),
            created_at: row.created_at,
            last_used_at: row.last_used_at,
            expires_at: row.expires_at,
        }
    }
}
