//! Rotation of refresh tokens (RFC 9700, 4.14). A successor is derived from its predecessor, so that an app
//! that lost a response, or sent two concurrent requests, gets the same successor again. If a rotated token
//! is used after that, the grant is revoked, because two parties must have the token.

use entities::oauth_grant;
use entities::oauth_refresh;
use sea_orm::{ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter};

use super::audience::Audience;
use super::client::Client;
use super::grants::lock_live;
use super::issue::{self, TokenAccess, Tokens};
use super::notices;
use super::oauth_error::{OAuthCode, OAuthError};
use super::rate_limits;
use super::scopes::{self, contains};
use crate::limits::Network;
use kernel::error::Result as Stored;
use kernel::{Domain, Millis, Scopes, Secret, SecretKind, secrets};

/// Time within which a rotated token is accepted again, in milliseconds.
const REUSE_WINDOW: Millis = 120_000;

#[derive(Clone, Copy, Debug)]
pub struct RefreshRequest<'a> {
    /// The authenticated app.
    pub client: &'a Client,
    pub token: &'a str,
    /// Scopes of the access token. `None` selects all granted scopes.
    pub scopes: Option<Scopes>,
    /// Audience of the access token. `None` selects the audience of the grant.
    pub audience: Option<Audience>,
    /// Network of the request.
    pub network: &'a Network,
}

/// Exchanges a refresh token for new tokens.
///
/// # Errors
/// `invalid_grant`; `invalid_scope`; `invalid_target`; errors that are not the app's fault.
pub async fn refresh(domain: &Domain, request: RefreshRequest<'_>) -> Result<Tokens, OAuthError> {
    let token = Secret::parse(request.token, SecretKind::Refresh).ok_or_else(OAuthError::invalid_grant)?;
    let (row, grant) = find(domain, &token, request.client).await?;
    let granted = scopes::of_row(&grant.scopes);
    let to = TokenAccess {
        scopes: request.scopes.unwrap_or(granted),
        audience: Audience::of_row(&grant.resources).narrowed(request.audience)?,
    };
    if !contains(granted, to.scopes) {
        return Err(OAuthError::new(
            OAuthCode::InvalidScope,
            "The requested scopes exceed the granted scopes.",
        ));
    }
    rate_limits::charge_refresh(domain, grant.id).await?;
    let next = token.successor(&secrets::load(domain, "oauth refresh").await?, SecretKind::Refresh);
    let (now, generation) = (domain.now(), row.generation + 1);
    let transaction = domain.db().begin().await?;
    let grant = lock_live(&transaction, grant.id).await?.ok_or_else(OAuthError::invalid_grant)?;
    if rotate(&transaction, &row, to, now).await? {
        let idle_at = issue::refresh(&transaction, domain, &grant, &next, generation).await?;
        record_use(&transaction, &row, request.network, (now, idle_at)).await?;
    } else if !may_repeat(&transaction, (&row, &grant), &next, to, now).await? {
        notices::end_reused(transaction, domain, &grant).await?;
        return Err(OAuthError::invalid_grant());
    }
    let (access, expires_at) = issue::access(&transaction, domain, &grant, generation, to).await?;
    transaction.commit().await?;
    let expires_in = issue::seconds_until(domain, expires_at);
    Ok(Tokens { access, expires_in, refresh: Some(next), scopes: to.scopes })
}

/// Finds the row of a live token of `client` and its live grant. If the token is unknown, no row is locked.
async fn find(
    domain: &Domain,
    token: &Secret,
    client: &Client,
) -> Result<(oauth_refresh::Model, oauth_grant::Model), OAuthError> {
    let (db, now) = (domain.db().read(), domain.now());
    let row = oauth_refresh::Entity::find_by_id(token.hash().to_vec()).one(db).await?;
    let row = row.filter(|row| row.expires_at > now).ok_or_else(OAuthError::invalid_grant)?;
    let grant = oauth_grant::Entity::of_any_owner(row.grant_id).one(db).await?;
    let is_theirs = |grant: &oauth_grant::Model| {
        grant.client_id == client.id && grant.ended_at.is_none() && grant.expires_at > now
    };
    let grant = grant.filter(is_theirs).ok_or_else(OAuthError::invalid_grant)?;
    if !crate::accounts::is_active(db, grant.account_id).await? {
        return Err(OAuthError::invalid_grant());
    }
    Ok((row, grant))
}

/// Marks a token as rotated. Returns false if it was already rotated. Exactly one of several concurrent calls
/// returns true.
async fn rotate(
    connection: &impl ConnectionTrait,
    row: &oauth_refresh::Model,
    to: TokenAccess,
    now: Millis,
) -> Stored<bool> {
    let rotated = oauth_refresh::Entity::update_many()
        .col_expr(oauth_refresh::Column::RotatedAt, now.into())
        .col_expr(oauth_refresh::Column::RotatedFor, to.text().into())
        .filter(oauth_refresh::Column::Hash.eq(row.hash.clone()))
        .filter(oauth_refresh::Column::RotatedAt.is_null())
        .exec(connection)
        .await?;
    Ok(rotated.rows_affected > 0)
}

/// Returns whether the request for a rotated token may be answered again: the request is the same, the token's
/// successor has not been rotated, and either the rotation is recent or none of the tokens that it issued has been
/// used.
async fn may_repeat(
    connection: &impl ConnectionTrait,
    (row, grant): (&oauth_refresh::Model, &oauth_grant::Model),
    next: &Secret,
    to: TokenAccess,
    now: Millis,
) -> Stored<bool> {
    let row = oauth_refresh::Entity::find_by_id(row.hash.clone()).one(connection).await?;
    let successor = oauth_refresh::Entity::find_by_id(next.hash().to_vec()).one(connection).await?;
    let (Some(row), Some(successor)) = (row, successor) else { return Ok(false) };
    let is_recent = row.rotated_at.is_some_and(|at| now - at < REUSE_WINDOW);
    let is_unused = grant.used_generation < successor.generation;
    Ok(successor.rotated_at.is_none()
        && row.rotated_for.as_deref() == Some(&to.text())
        && (is_recent || is_unused))
}

/// Records the use of a token and its network, and postpones the grant's idle expiry.
async fn record_use(
    connection: &impl ConnectionTrait,
    row: &oauth_refresh::Model,
    network: &Network,
    (now, idle_at): (Millis, Millis),
) -> Stored<()> {
    oauth_grant::Entity::update_many()
        .col_expr(oauth_grant::Column::UsedGeneration, row.generation.into())
        .col_expr(oauth_grant::Column::LastUsedAt, now.into())
        .col_expr(oauth_grant::Column::LastUsedFrom, network.as_str().into())
        .col_expr(oauth_grant::Column::IdleAt, idle_at.into())
        .filter(oauth_grant::Column::Id.eq(row.grant_id))
        .exec(connection)
        .await?;
    Ok(())
}
