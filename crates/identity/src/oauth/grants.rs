//! Grants to apps, as the account's owner views and revokes them.

use async_recursion::async_recursion as boxed;
use entities::ids::{AccountId, GrantId};
use entities::oauth_grant::{self, GrantEnd};
use sea_orm::sea_query::LockType;
use sea_orm::{ColumnTrait, ConnectionTrait, DbBackend, QueryFilter, QueryOrder, QuerySelect};

use super::audience::Audience;
use super::scopes;
use crate::caller::ClientHash;
use crate::granted_access::{end_grant, end_grants};
use kernel::clock::{DAY, HOUR};
use kernel::error::not_found;
use kernel::retention::{ExpiredRows, repeat_in_steps};
use kernel::{Domain, Millis, Result, Scopes};

/// Maximum number of grants in a list.
const MAX_LISTED: u64 = 500;
/// Retention of used or expired codes.
const CODE_RETENTION: Millis = DAY;
/// Retention of expired tokens.
const TOKEN_RETENTION: Millis = 7 * DAY;
/// Retention of ended grants, during which they stay in the list.
const GRANT_RETENTION: Millis = 30 * DAY;
/// Retention of grants whose code no app exchanged, counted from the code's expiry. Allows for clock skew
/// between processes.
const UNUSED_RETENTION: Millis = HOUR;
/// Maximum number of grants that one statement revokes.
const STEP: u32 = 500;
const OLD_CODES: ExpiredRows =
    ExpiredRows { table: "oauth_code", key: "hash", condition: "expires_at <= $1" };
const OLD_ACCESS: ExpiredRows =
    ExpiredRows { table: "oauth_access", key: "hash", condition: "expires_at <= $1" };
const OLD_REFRESH: ExpiredRows =
    ExpiredRows { table: "oauth_refresh", key: "hash", condition: "expires_at <= $1" };
const ENDED_GRANTS: ExpiredRows =
    ExpiredRows { table: "oauth_grant", key: "id", condition: "ended_at IS NOT NULL AND ended_at <= $1" };
const UNUSED_GRANTS: ExpiredRows = ExpiredRows {
    table: "oauth_grant",
    key: "id",
    condition: "ended_at IS NULL AND idle_at <= $1 AND begun_at IS NULL",
};
/// Marks expired grants as ended, each with its reason.
const END_EXPIRED: &str = "UPDATE oauth_grant SET ended_at = $1, \
    ended_why = CASE WHEN idle_at < expires_at THEN 'idle' ELSE 'age' END \
    WHERE ended_at IS NULL AND id IN (SELECT id FROM oauth_grant \
    WHERE ended_at IS NULL AND idle_at <= $1 AND begun_at IS NOT NULL LIMIT 500)";

/// A grant, as its owner views it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grant {
    pub id: GrantId,
    pub client_id: String,
    /// Name given by the app.
    pub client_name: String,
    /// Host or scheme of the redirect URI.
    pub client_host: String,
    pub scopes: Scopes,
    /// Audience of its tokens.
    pub audience: Audience,
    /// Time of the approval.
    pub created_at: Millis,
    /// Network of the approval.
    pub created_from: String,
    /// Time of the last use, precise to the minute.
    pub last_used_at: Option<Millis>,
    /// Network of the last use.
    pub last_used_from: Option<String>,
    /// Time and reason of the grant's end. `None` while it is live.
    pub ended: Option<(Millis, GrantEnd)>,
}

impl From<oauth_grant::Model> for Grant {
    fn from(row: oauth_grant::Model) -> Self {
        Self {
            id: row.id,
            client_id: row.client_id,
            client_name: row.client_name,
            client_host: row.client_host,
            scopes: scopes::of_row(&row.scopes),
            audience: Audience::of_row(&row.resources),
            created_at: row.created_at,
            created_from: row.created_from,
            last_used_at: row.last_used_at,
            last_used_from: row.last_used_from,
            ended: row.ended_at.zip(row.ended_why),
        }
    }
}

/// Grants of an account whose code was exchanged by an app, newest first: live grants, and grants that ended within the
/// last 30 days.
#[boxed]
pub async fn list(domain: &Domain, account_id: AccountId) -> Result<Vec<Grant>> {
    let rows = oauth_grant::Entity::owned_by(account_id)
        .filter(oauth_grant::Column::BegunAt.is_not_null())
        .order_by_desc(oauth_grant::Column::CreatedAt)
        .order_by_desc(oauth_grant::Column::Id)
        .limit(MAX_LISTED)
        .all(domain.db().read())
        .await?;
    Ok(rows.into_iter().map(Grant::from).collect())
}

/// Revokes a grant of the account: the next use of any of its tokens is refused.
///
/// # Errors
/// `not_found` if the grant is unknown, has already ended, or belongs to another account.
#[boxed]
pub async fn end(domain: &Domain, account_id: AccountId, id: GrantId) -> Result<()> {
    let transaction = domain.db().begin().await?;
    let row = oauth_grant::Entity::owned_by(account_id)
        .filter(oauth_grant::Column::Id.eq(id))
        .one(&transaction)
        .await?;
    if row.is_none() || !end_grant(&transaction, id, GrantEnd::Person, domain.now()).await? {
        return Err(not_found("app"));
    }
    transaction.commit().await?;
    Ok(())
}

/// Revokes every grant of the account to one app, and returns the number of revoked grants.
#[boxed]
pub async fn end_client(domain: &Domain, account_id: AccountId, client_id: &str) -> Result<u64> {
    let transaction = domain.db().begin().await?;
    let live = oauth_grant::Entity::owned_by(account_id)
        .filter(oauth_grant::Column::ClientHash.eq(ClientHash::of(client_id).to_vec()))
        .filter(oauth_grant::Column::EndedAt.is_null())
        .all(&transaction)
        .await?;
    for row in &live {
        end_grant(&transaction, row.id, GrantEnd::Person, domain.now()).await?;
    }
    transaction.commit().await?;
    Ok(live.len() as u64)
}

/// Revokes every grant of the account on its owner's request.
#[boxed]
pub async fn end_all_by_owner(domain: &Domain, account_id: AccountId) -> Result<()> {
    let transaction = domain.db().begin().await?;
    end_grants(&transaction, account_id, GrantEnd::Person, domain.now()).await?;
    transaction.commit().await?;
    Ok(())
}

/// Locks a live grant until the end of the transaction. `None` if it has ended. Every transaction that writes
/// codes or tokens locks the grant first, so that two of them cannot deadlock, and no token is issued for a
/// grant that is being revoked.
pub(super) async fn lock_live(
    connection: &impl ConnectionTrait,
    id: GrantId,
) -> Result<Option<oauth_grant::Model>> {
    let mut query = oauth_grant::Entity::of_any_owner(id).filter(oauth_grant::Column::EndedAt.is_null());
    if connection.get_database_backend() == DbBackend::Postgres {
        query = query.lock(LockType::NoKeyUpdate);
    }
    Ok(query.one(connection).await?)
}

/// Marks expired grants as ended, and deletes rows past their retention. Returns the number of deleted rows.
#[boxed]
pub async fn delete_expired(domain: &Domain) -> Result<u64> {
    let (now, connection) = (domain.now(), domain.db().write());
    repeat_in_steps(connection, END_EXPIRED, &[now.into()], STEP).await?;
    let unexchanged = UNUSED_GRANTS.delete(connection, &[(now - UNUSED_RETENTION).into()]).await?;
    let codes = OLD_CODES.delete(connection, &[(now - CODE_RETENTION).into()]).await?;
    let access = OLD_ACCESS.delete(connection, &[(now - TOKEN_RETENTION).into()]).await?;
    let refresh = OLD_REFRESH.delete(connection, &[(now - TOKEN_RETENTION).into()]).await?;
    let grants = ENDED_GRANTS.delete(connection, &[(now - GRANT_RETENTION).into()]).await?;
    Ok(unexchanged + codes + access + refresh + grants)
}
