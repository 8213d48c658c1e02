//! The stored connections of accounts with people of providers.

use entities::ids::{AccountId, OidcIdentityId};
use entities::oidc_identity::{self, Column, Entity};
use sea_orm::{
    ActiveModelTrait, ActiveValue::Set, ColumnTrait, ConnectionTrait, DatabaseTransaction, EntityTrait,
    QueryFilter, SqlErr,
};

use kernel::{Code, Domain, Error, Millis, Result};

/// Finds the identity of a person of a provider.
pub(super) async fn find(
    connection: &impl ConnectionTrait,
    issuer: &str,
    subject: &str,
) -> Result<Option<oidc_identity::Model>> {
    let same = Entity::find().filter(Column::Issuer.eq(issuer)).filter(Column::Subject.eq(subject));
    Ok(same.one(connection).await?)
}

/// Finds the identity of an account at a provider.
pub(super) async fn of_account(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    issuer: &str,
) -> Result<Option<oidc_identity::Model>> {
    Ok(Entity::owned_by(account_id).filter(Column::Issuer.eq(issuer)).one(connection).await?)
}

/// Stores the identity of an account.
///
/// # Errors
/// `name_taken` if the person of the provider is connected to another account.
pub(super) async fn insert(
    domain: &Domain,
    transaction: &DatabaseTransaction,
    account_id: AccountId,
    (issuer, subject): (&str, &str),
) -> Result<OidcIdentityId> {
    let row = oidc_identity::ActiveModel {
        id: Set(domain.new_id()),
        account_id: Set(account_id),
        issuer: Set(issuer.to_owned()),
        subject: Set(subject.to_owned()),
        created_at: Set(domain.now()),
        last_used_at: Set(None),
    };
    match row.insert(transaction).await {
        Ok(row) => Ok(row.id),
        Err(error) if matches!(error.sql_err(), Some(SqlErr::UniqueConstraintViolation(_))) => Err(taken()),
        Err(error) => Err(error.into()),
    }
}

/// Records a sign-in. Returns false if the identity was disconnected. The account must be locked.
pub(in super::super) async fn use_identity(
    transaction: &DatabaseTransaction,
    id: OidcIdentityId,
    now: Millis,
) -> Result<bool> {
    let used = Entity::update_many()
        .col_expr(Column::LastUsedAt, now.into())
        .filter(Column::Id.eq(id))
        .exec(transaction)
        .await?;
    Ok(used.rows_affected > 0)
}

/// Removes the identity of an account at a provider. Succeeds if there is none.
pub(super) async fn remove(
    transaction: &DatabaseTransaction,
    account_id: AccountId,
    issuer: &str,
) -> Result<()> {
    let own =
        Entity::delete_many().filter(Column::AccountId.eq(account_id)).filter(Column::Issuer.eq(issuer));
    own.exec(transaction).await?;
    Ok(())
}

/// Removes every identity of an account.
pub(in super::super) async fn remove_all(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
) -> Result<()> {
    Entity::delete_many().filter(Column::AccountId.eq(account_id)).exec(connection).await?;
    Ok(())
}

/// Error for a person whose identity at the provider is connected to another account.
pub(super) fn taken() -> Error {
    Error::new(
        Code::NameTaken,
        "You are signed in at the provider as a person who is connected to another account. Sign out at the provider, and connect again.",
    )
}
