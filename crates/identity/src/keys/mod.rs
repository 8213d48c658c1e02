//! Personal API keys: created by the signed-in owner, displayed once, stored as a hash.
//!
//! A key has the form `svc_` + 40 random base62 characters + 6 base62 characters of their CRC-32.

mod authenticate;
pub mod feed_apps;
#[cfg(test)]
mod tests;

use crate::security_notices::{self, SecurityEvent};
use async_recursion::async_recursion as boxed;
use entities::api_key;
use entities::ids::{AccountId, KeyId};
use sea_orm::{
    ActiveModelTrait, ActiveValue::Set, ColumnTrait, Condition, ConnectionTrait, EntityTrait, PaginatorTrait,
    QueryFilter, QueryOrder,
};

use self::authenticate::scopes;
use crate::limits::check_plan_limit;
use kernel::bounds::KEY_DAYS;
use kernel::clock::DAY;
use kernel::{Code, Domain, Error, Millis, Result, Scopes, Secret, SecretKind};

pub use self::authenticate::authenticate;

/// Maximum length of a key's name, in characters.
const MAX_NAME_CHARS: usize = kernel::bounds::KEY_NAME_CHARS;

/// An API key without its secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ApiKey {
    pub id: KeyId,
    /// Name given by the owner.
    pub name: String,
    /// First 12 characters of the key's text.
    pub prefix: String,
    pub scopes: Scopes,
    pub created_at: Millis,
    /// Time of the last use, precise to the minute.
    pub last_used_at: Option<Millis>,
    /// Expiry; `None` if the key does not expire.
    pub expires_at: Option<Millis>,
    /// Access by apps that sign in with a digest of the key.
    pub app_access: AppAccess,
}

/// Access by apps that send a digest of e-mail address and key instead of the key. The digest can be computed only when
/// the key is created, because the key is not stored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AppAccess {
    /// Only the key itself is accepted.
    #[default]
    KeyOnly,
    /// The digest is accepted too.
    Digest,
}

/// Properties of a new key.
#[derive(Clone, Debug)]
pub struct NewKey {
    /// 1 to 80 characters.
    pub name: String,
    pub scopes: Scopes,
    /// 1 to 365; `None` if the key does not expire.
    pub expires_in_days: Option<u32>,
    /// Access by apps that sign in with a digest of the key.
    pub app_access: AppAccess,
}

/// Creates a key for `account_id`. The text of the key is only in the returned secret; it is not stored.
///
/// # Errors
/// `invalid_request` if the name or lifetime is out of bounds; `limit_reached` if the plan's limit is used up.
#[boxed]
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
    check_plan_limit("API keys", domain.policy().tiers.of(tier).active_api_keys.into(), used)?;
    let row = api_key::ActiveModel {
        id: Set(domain.new_id()),
        account_id: Set(account_id),
        name: Set(name),
        prefix: Set(secret.prefix().to_owned()),
        hash: Set(secret.hash().to_vec()),
        scopes: Set(new.scopes.names().join(" ")),
        created_at: Set(now),
        last_used_at: Set(None),
        expires_at: Set(new.expires_in_days.map(|days| now + Millis::from(days) * DAY)),
        revoked_at: Set(None),
    };
    let row = row.insert(&transaction).await?;
    let event = SecurityEvent::KeyCreated { id: row.id, name: &row.name };
    security_notices::notify(&transaction, domain, account_id, event).await?;
    if new.app_access == AppAccess::Digest {
        feed_apps::put_digests(domain, &transaction, &row, &secret).await?;
    }
    transaction.commit().await?;
    Ok((ApiKey { app_access: new.app_access, ..ApiKey::from(row) }, secret))
}

/// Returns the keys of `account_id` that are not revoked, newest first. Expired keys are included.
#[boxed]
pub async fn list(domain: &Domain, account_id: AccountId) -> Result<Vec<ApiKey>> {
    let rows = api_key::Entity::owned_by(account_id)
        .filter(api_key::Column::RevokedAt.is_null())
        .order_by_desc(api_key::Column::CreatedAt)
        .order_by_desc(api_key::Column::Id)
        .all(domain.db().read())
        .await?;
    let with_digest = feed_apps::with_digest(domain.db().read(), account_id).await?;
    let app_access =
        |id: KeyId| if with_digest.contains(&id) { AppAccess::Digest } else { AppAccess::KeyOnly };
    Ok(rows.into_iter().map(|row| ApiKey { app_access: app_access(row.id), ..ApiKey::from(row) }).collect())
}

/// Revokes a key of `account_id`, immediately and permanently.
///
/// # Errors
/// `not_found` if the key is unknown, already revoked, or owned by another account.
#[boxed]
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

/// Returns the number of keys of the account that are neither revoked nor expired.
pub async fn count_active(
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

fn check_name(name: &str) -> Result<String> {
    let name = name.trim();
    if name.is_empty() || name.chars().count() > MAX_NAME_CHARS {
        return Err(invalid("name", "must have 1 to 80 characters"));
    }
    if name.chars().any(char::is_control) {
        return Err(invalid("name", "must not contain control characters"));
    }
    Ok(name.to_owned())
}

fn invalid(field: &'static str, reason: &str) -> Error {
    Error::new(Code::InvalidRequest, "The API key could not be created because a field is invalid.")
        .at(field, reason)
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
            app_access: AppAccess::KeyOnly,
        }
    }
}
