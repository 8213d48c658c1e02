//! The stored passkeys of an account.

use async_recursion::async_recursion as boxed;
use entities::ids::{AccountId, PasskeyId};
use entities::passkey;
use sea_orm::{
    ActiveModelTrait, ActiveValue::Set, ColumnTrait, ConnectionTrait, DatabaseTransaction, EntityTrait,
    QueryFilter, QueryOrder,
};

use kernel::{Domain, Millis, Result};

/// Passkey of an account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Passkey {
    pub id: PasskeyId,
    /// Name that the owner chose.
    pub name: String,
    pub created_at: Millis,
    /// Time of the last sign-in with the passkey. `None` if it was never used.
    pub last_used_at: Option<Millis>,
}

impl From<passkey::Model> for Passkey {
    fn from(row: passkey::Model) -> Self {
        Self { id: row.id, name: row.name, created_at: row.created_at, last_used_at: row.last_used_at }
    }
}

/// Assertion whose signature was verified, and whose challenge was used up.
pub(super) struct VerifiedAssertion {
    pub(super) passkey_id: PasskeyId,
    pub(super) sign_count: u32,
}

/// Lists the passkeys of an account, oldest first.
#[boxed]
pub async fn list_passkeys(domain: &Domain, account_id: AccountId) -> Result<Vec<Passkey>> {
    Ok(rows(domain.db().read(), account_id).await?.into_iter().map(Passkey::from).collect())
}

/// Loads the rows of an account's passkeys, oldest first.
pub(super) async fn rows(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
) -> Result<Vec<passkey::Model>> {
    Ok(passkey::Entity::owned_by(account_id).order_by_asc(passkey::Column::Id).all(connection).await?)
}

/// Finds the passkey with the id that its authenticator chose.
pub(super) async fn find(
    connection: &impl ConnectionTrait,
    credential_id: &[u8],
) -> Result<Option<passkey::Model>> {
    let condition = passkey::Column::CredentialId.eq(credential_id.to_vec());
    Ok(passkey::Entity::find().filter(condition).one(connection).await?)
}

/// Removes every passkey of an account.
pub(super) async fn remove_all(connection: &impl ConnectionTrait, account_id: AccountId) -> Result<()> {
    let all = passkey::Entity::delete_many().filter(passkey::Column::AccountId.eq(account_id));
    all.exec(connection).await?;
    Ok(())
}

/// Uses an assertion: stores its signature counter with the passkey. Returns false if the passkey was removed, or if
/// the counter did not increase, which means that the passkey was copied. The account must be locked.
pub(super) async fn use_assertion(
    transaction: &DatabaseTransaction,
    assertion: &VerifiedAssertion,
    now: Millis,
) -> Result<bool> {
    let row = passkey::Entity::of_any_owner(assertion.passkey_id).one(transaction).await?;
    let Some(row) = row else { return Ok(false) };
    let sign_count = i64::from(assertion.sign_count);
    let has_counter = sign_count != 0 || row.sign_count != 0;
    if has_counter && sign_count <= row.sign_count {
        tracing::warn!(passkey = %row.id, "signature counter of a passkey did not increase");
        return Ok(false);
    }
    let used = passkey::ActiveModel {
        id: Set(row.id),
        sign_count: Set(sign_count),
        last_used_at: Set(Some(now)),
        ..Default::default()
    };
    used.update(transaction).await?;
    Ok(true)
}
