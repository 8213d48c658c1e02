//! Exchange of a code for tokens (RFC 6749, 4.1.3). A request that fails a check neither consumes the code
//! nor revokes the grant. Only a second request that passes every check counts as reuse.

use entities::oauth_grant;
use entities::{oauth_code, oauth_grant::Entity as Grants};
use sea_orm::{ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter};

use super::audience::Audience;
use super::client::Client;
use super::grants::lock_live;
use super::issue::{self, TokenAccess, Tokens};
use super::notices;
use super::oauth_error::OAuthError;
use super::pkce::matches_challenge;
use super::scopes;
use kernel::error::Result as Stored;
use kernel::{Domain, Millis, Secret, SecretKind};

/// Code exchange request.
#[derive(Clone, Copy, Debug)]
pub struct CodeExchange<'a> {
    /// The authenticated app.
    pub client: &'a Client,
    pub code: &'a str,
    /// Redirect URI of the authorization request. `None` if the app did not send it.
    pub redirect_uri: Option<&'a str>,
    /// PKCE code verifier.
    pub verifier: &'a str,
    /// Audience of the access token. `None` selects the audience of the grant.
    pub audience: Option<Audience>,
}

/// Exchanges a code for tokens.
///
/// # Errors
/// `invalid_grant`; `invalid_target`; errors that are not the app's fault.
pub async fn exchange(domain: &Domain, request: CodeExchange<'_>) -> Result<Tokens, OAuthError> {
    let (row, grant) = find(domain, request.code).await?;
    let is_valid = grant.client_id == request.client.id
        && request.redirect_uri.is_none_or(|uri| uri == row.redirect_uri)
        && matches_challenge(&row.challenge, request.verifier);
    if !is_valid {
        return Err(OAuthError::invalid_grant());
    }
    let to = TokenAccess {
        scopes: scopes::of_row(&grant.scopes),
        audience: Audience::of_row(&grant.resources).narrowed(request.audience)?,
    };
    let now = domain.now();
    let transaction = domain.db().begin().await?;
    let live = lock_live(&transaction, grant.id).await?;
    if !consume_code(&transaction, &row, now).await? {
        // An expired code that was never used has no tokens. A used code may have been stolen.
        if row.expires_at > now || row.used_at.is_some() {
            notices::end_reused(transaction, domain, &grant).await?;
        }
        return Err(OAuthError::invalid_grant());
    }
    if live.is_none() || !crate::accounts::is_active(&transaction, grant.account_id).await? {
        return Err(OAuthError::invalid_grant());
    }
    let (access, access_expires_at) = issue::access(&transaction, domain, &grant, 0, to).await?;
    let refresh = grant.may_refresh.then(|| Secret::generate(domain, SecretKind::Refresh));
    let idle_at = match &refresh {
        Some(token) => issue::refresh(&transaction, domain, &grant, token, 0).await?,
        None => access_expires_at,
    };
    begin_grant(&transaction, &grant, now, idle_at).await?;
    transaction.commit().await?;
    let expires_in = issue::seconds_until(domain, access_expires_at);
    Ok(Tokens { access, expires_in, refresh, scopes: to.scopes })
}

/// Finds the row of a code and its grant. If the code is unknown, no row is locked.
async fn find(domain: &Domain, text: &str) -> Result<(oauth_code::Model, oauth_grant::Model), OAuthError> {
    let code = Secret::parse(text, SecretKind::Code).ok_or_else(OAuthError::invalid_grant)?;
    let row = oauth_code::Entity::find_by_id(code.hash().to_vec()).one(domain.db().read()).await?;
    let row = row.ok_or_else(OAuthError::invalid_grant)?;
    let grant = Grants::of_any_owner(row.grant_id).one(domain.db().read()).await?;
    Ok((row, grant.ok_or_else(OAuthError::invalid_grant)?))
}

/// Marks a code as used. Returns false if it is already used or has expired. Exactly one of several
/// concurrent calls returns true.
async fn consume_code(
    connection: &impl ConnectionTrait,
    row: &oauth_code::Model,
    now: Millis,
) -> Stored<bool> {
    let used = oauth_code::Entity::update_many()
        .col_expr(oauth_code::Column::UsedAt, now.into())
        .filter(oauth_code::Column::Hash.eq(row.hash.clone()))
        .filter(oauth_code::Column::UsedAt.is_null())
        .filter(oauth_code::Column::ExpiresAt.gt(now))
        .exec(connection)
        .await?;
    Ok(used.rows_affected > 0)
}

async fn begin_grant(
    connection: &impl ConnectionTrait,
    grant: &oauth_grant::Model,
    now: Millis,
    idle_at: Millis,
) -> Stored<()> {
    Grants::update_many()
        .col_expr(oauth_grant::Column::BegunAt, now.into())
        .col_expr(oauth_grant::Column::IdleAt, idle_at.into())
        .filter(oauth_grant::Column::Id.eq(grant.id))
        .exec(connection)
        .await?;
    Ok(())
}
