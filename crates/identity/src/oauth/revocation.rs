//! Token revocation by apps (RFC 7009). The response does not reveal whether the token existed.

use async_recursion::async_recursion as boxed;
use entities::ids::GrantId;
use entities::oauth_grant::GrantEnd;
use entities::{oauth_access, oauth_grant, oauth_refresh};
use sea_orm::EntityTrait;

use super::oauth_error::OAuthError;
use crate::granted_access::end_grant;
use kernel::{Domain, Secret, SecretKind};

enum RevocationTarget {
    /// The whole grant of a refresh token.
    Grant(GrantId),
    /// One access token.
    Access(GrantId, Vec<u8>),
}

/// Revokes a token. A refresh token is revoked with its grant. Unknown tokens, expired tokens, and tokens of an app
/// other than `client_id` are ignored.
///
/// # Errors
/// Errors that are not the app's fault.
#[boxed]
pub async fn revoke(domain: &Domain, token: &str, client_id: Option<&str>) -> Result<(), OAuthError> {
    let Some(named) = find(domain, token).await? else { return Ok(()) };
    let (RevocationTarget::Grant(grant_id) | RevocationTarget::Access(grant_id, _)) = &named;
    let grant = oauth_grant::Entity::of_any_owner(*grant_id).one(domain.db().read()).await?;
    if grant.is_none_or(|grant| client_id.is_some_and(|client_id| grant.client_id != client_id)) {
        return Ok(());
    }
    let transaction = domain.db().begin().await?;
    match named {
        RevocationTarget::Grant(id) => {
            end_grant(&transaction, id, GrantEnd::App, domain.now()).await?;
        }
        RevocationTarget::Access(_, hash) => {
            oauth_access::Entity::delete_by_id(hash).exec(&transaction).await?;
        }
    }
    transaction.commit().await?;
    Ok(())
}

async fn find(domain: &Domain, token: &str) -> Result<Option<RevocationTarget>, OAuthError> {
    let db = domain.db().read();
    if let Some(secret) = Secret::parse(token, SecretKind::Refresh) {
        let row = oauth_refresh::Entity::find_by_id(secret.hash().to_vec()).one(db).await?;
        return Ok(row.map(|row| RevocationTarget::Grant(row.grant_id)));
    }
    if let Some(secret) = Secret::parse(token, SecretKind::Access) {
        let row = oauth_access::Entity::find_by_id(secret.hash().to_vec()).one(db).await?;
        return Ok(row.map(|row| RevocationTarget::Access(row.grant_id, row.hash)));
    }
    Ok(None)
}
