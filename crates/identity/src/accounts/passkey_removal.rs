//! Removal of a passkey by its owner. The last passkey remains if the owner has no other way to sign in.

use entities::ids::{AccountId, PasskeyId};
use entities::passkey;
use sea_orm::{ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter};

use super::account::{lock_row, no_account};
use super::oidc::{OidcProvider, identities, require_passwords};
use super::passkeys;
use kernel::statement::delete_existing;
use kernel::{Code, Domain, Error, Result};

/// Other servers of the installation that sign people in.
#[derive(Clone, Copy)]
pub struct SignInServers<'a> {
    /// `None` if there is no provider.
    pub provider: Option<&'a OidcProvider>,
    /// True if a trusted proxy names people in a header.
    pub has_proxy: bool,
}

/// Removes a passkey of an account.
///
/// # Errors
/// `not_found`; `invalid_request` if the owner could no longer sign in.
pub async fn remove_passkey(
    domain: &Domain,
    account_id: AccountId,
    id: PasskeyId,
    servers: SignInServers<'_>,
) -> Result<()> {
    let transaction = domain.db().begin().await?;
    let owner = lock_row(&transaction, account_id).await?.ok_or_else(no_account)?;
    let stored = passkeys::rows(&transaction, account_id).await?;
    let is_last = matches!(stored.as_slice(), [last] if last.id == id);
    let has_password = !owner.password_hash.is_empty() && require_passwords(servers.provider).is_ok();
    if is_last && !has_password && !has_sign_in_server(&transaction, account_id, servers).await? {
        return Err(Error::new(
            Code::InvalidRequest,
            "This passkey is your only way to sign in. Add another passkey first, then remove this one.",
        ));
    }
    let row = passkey::Entity::delete_many()
        .filter(passkey::Column::AccountId.eq(account_id))
        .filter(passkey::Column::Id.eq(id));
    delete_existing(&transaction, row, "passkey").await?;
    transaction.commit().await?;
    Ok(())
}

/// Returns true if one of the servers signs in the owner of an account.
pub(super) async fn has_sign_in_server(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    servers: SignInServers<'_>,
) -> Result<bool> {
    if servers.has_proxy {
        return Ok(true);
    }
    let Some(provider) = servers.provider else { return Ok(false) };
    let identity = identities::of_account(connection, account_id, provider.issuer().as_str()).await?;
    Ok(identity.is_some())
}
