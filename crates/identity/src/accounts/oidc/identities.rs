//! Stored connections of accounts to people at providers.

use entities::ids::{AccountId, OidcIdentityId};
use entities::oidc_identity::{self, Column, Entity};
use sea_orm::{
    ActiveModelTrait, ActiveValue::Set, ColumnTrait, ConnectionTrait, DatabaseTransaction, EntityTrait,
    QueryFilter, SqlErr,
};

use kernel::{Code, Domain, Error, Millis, Result};

/// Identity of a person at a provider, to connect to an account.
#[derive(Clone, Copy)]
pub(super) struct NewIdentity<'a> {
    pub(super) issuer: &'a str,
    pub(super) subject: &'a str,
    /// E-mail address or name of the person at the provider. `None` if the provider sent neither.
    pub(super) label: Option<&'a str>,
}

/// Finds the identity of a person at a provider.
pub(super) async fn find(
    connection: &impl ConnectionTrait,
    issuer: &str,
    subject: &str,
) -> Result<Option<oidc_identity::Model>> {
    let query = Entity::find().filter(Column::Issuer.eq(issuer)).filter(Column::Subject.eq(subject));
    Ok(query.one(connection).await?)
}

/// Finds the identity of an account at a provider.
pub(in super::super) async fn of_account(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    issuer: &str,
) -> Result<Option<oidc_identity::Model>> {
    Ok(Entity::owned_by(account_id).filter(Column::Issuer.eq(issuer)).one(connection).await?)
}

/// Stores the identity of an account.
///
/// # Errors
/// `name_taken` if the person at the provider is connected to another account.
pub(super) async fn insert(
    domain: &Domain,
    transaction: &DatabaseTransaction,
    account_id: AccountId,
    new: NewIdentity<'_>,
) -> Result<OidcIdentityId> {
    let row = oidc_identity::ActiveModel {
        id: Set(domain.new_id()),
        account_id: Set(account_id),
        issuer: Set(new.issuer.to_owned()),
        subject: Set(new.subject.to_owned()),
        label: Set(new.label.map(str::to_owned)),
        created_at: Set(domain.now()),
        last_used_at: Set(None),
    };
    match row.insert(transaction).await {
        Ok(row) => Ok(row.id),
        Err(error) if matches!(error.sql_err(), Some(SqlErr::UniqueConstraintViolation(_))) => Err(taken()),
        Err(error) => Err(error.into()),
    }
}

/// Records a sign-in, with the current label of the person if the provider sent one. Returns false if the identity was
/// disconnected. The account must be locked.
pub(in super::super) async fn use_identity(
    transaction: &DatabaseTransaction,
    (id, label): (OidcIdentityId, Option<&str>),
    now: Millis,
) -> Result<bool> {
    let mut used = Entity::update_many().col_expr(Column::LastUsedAt, now.into()).filter(Column::Id.eq(id));
    if let Some(label) = label {
        used = used.col_expr(Column::Label, label.into());
    }
    Ok(used.exec(transaction).await?.rows_affected > 0)
}

/// Removes the identity of an account at a provider. Returns false if there is none.
pub(super) async fn remove(
    transaction: &DatabaseTransaction,
    account_id: AccountId,
    issuer: &str,
) -> Result<bool> {
    let query =
        Entity::delete_many().filter(Column::AccountId.eq(account_id)).filter(Column::Issuer.eq(issuer));
    Ok(query.exec(transaction).await?.rows_affected > 0)
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
