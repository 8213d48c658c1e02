//! Consent to sending texts of an account to the language model. Without it, nothing is sent.

use async_recursion::async_recursion as boxed;
use entities::ids::AccountId;
use entities::model_consent::{ActiveModel, Column, Entity};
use entities::{entry_embedding, item_embedding, model_choice, model_import_tagging, model_item_index};
use identity::accounts;
use kernel::error::not_found;
use kernel::{Code, Domain, Error, Result};
use sea_orm::{
    ActiveValue::Set, ColumnTrait, ConnectionTrait, DatabaseTransaction, EntityTrait, QueryFilter,
};

use crate::item_index_queue;

/// Language model of this installation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelInfo {
    /// Name of the model.
    pub name: String,
    /// Host to which texts are sent.
    pub host: String,
    /// Name of the model that computes vectors of texts. `None` if there is no search by meaning.
    pub embeddings: Option<String>,
}

/// Returns the language model of this installation. `None` if the operator has configured none.
pub fn model_info(domain: &Domain) -> Option<ModelInfo> {
    let endpoint = domain.policy().model.as_ref()?;
    Some(ModelInfo {
        name: endpoint.model().to_owned(),
        host: endpoint.host().to_owned(),
        embeddings: endpoint.embeddings().map(str::to_owned),
    })
}

/// Returns true if the person of an account has consented.
#[boxed]
pub async fn has_consent(domain: &Domain, account_id: AccountId) -> Result<bool> {
    is_given(domain.db().write(), account_id).await
}

/// Returns true if the consent is given. Within a transaction that has locked the account, it cannot be withdrawn
/// before the commit.
pub(crate) async fn is_given(connection: &impl ConnectionTrait, account_id: AccountId) -> Result<bool> {
    Ok(Entity::owned_by(account_id).one(connection).await?.is_some())
}

/// Begins a transaction in which the consent of an account cannot be withdrawn. `None` if it is not given.
pub(crate) async fn begin_with_consent(
    domain: &Domain,
    account_id: AccountId,
) -> Result<Option<DatabaseTransaction>> {
    let transaction = domain.db().begin().await?;
    accounts::lock(&transaction, account_id).await?;
    let is_given = is_given(&transaction, account_id).await?;
    Ok(is_given.then_some(transaction))
}

/// Records the consent of the person of an account. If there is an embedding model, the items are indexed from then on.
///
/// # Errors
/// `not_found` if this installation has no model.
#[boxed]
pub async fn give_consent(domain: &Domain, account_id: AccountId) -> Result<()> {
    require_model(domain)?;
    let transaction = domain.db().begin().await?;
    accounts::lock(&transaction, account_id).await?;
    if !is_given(&transaction, account_id).await? {
        let row = ActiveModel { account_id: Set(account_id), given_at: Set(domain.now()) };
        Entity::insert(row).exec_without_returning(&transaction).await?;
        item_index_queue::start(&transaction, domain, account_id).await?;
    }
    transaction.commit().await?;
    Ok(())
}

/// Withdraws the consent, switches automatic summaries and tags off, and deletes the vectors of the account's texts. Summaries,
/// briefings, and the results of the latest search remain.
#[boxed]
pub async fn withdraw_consent(domain: &Domain, account_id: AccountId) -> Result<()> {
    let transaction = domain.db().begin().await?;
    accounts::lock(&transaction, account_id).await?;
    Entity::delete_many().filter(Column::AccountId.eq(account_id)).exec(&transaction).await?;
    let off =
        model_choice::ActiveModel { automatic_since: Set(None), tags_since: Set(None), ..Default::default() };
    model_choice::Entity::update_many()
        .set(off)
        .filter(model_choice::Column::AccountId.eq(account_id))
        .exec(&transaction)
        .await?;
    stop_imports(&transaction, account_id).await?;
    model_item_index::Entity::delete_many()
        .filter(model_item_index::Column::AccountId.eq(account_id))
        .exec(&transaction)
        .await?;
    item_embedding::Entity::delete_many()
        .filter(item_embedding::Column::AccountId.eq(account_id))
        .exec(&transaction)
        .await?;
    entry_embedding::Entity::delete_many()
        .filter(entry_embedding::Column::AccountId.eq(account_id))
        .exec(&transaction)
        .await?;
    transaction.commit().await?;
    Ok(())
}

/// Stops the tagging of imported items.
pub(crate) async fn stop_imports(connection: &impl ConnectionTrait, account_id: AccountId) -> Result<()> {
    model_import_tagging::Entity::delete_many()
        .filter(model_import_tagging::Column::AccountId.eq(account_id))
        .exec(connection)
        .await?;
    Ok(())
}

/// Checks that this installation has a model.
///
/// # Errors
/// `not_found`.
pub fn require_model(domain: &Domain) -> Result<()> {
    model_info(domain).map(drop).ok_or_else(|| not_found("language model"))
}

/// Checks that this installation has a model that computes vectors.
///
/// # Errors
/// `not_found`.
pub fn require_embeddings(domain: &Domain) -> Result<()> {
    let embeddings = model_info(domain).and_then(|model| model.embeddings);
    embeddings.map(drop).ok_or_else(|| not_found("search by meaning"))
}

/// Checks that texts of an account may be sent to the model.
///
/// # Errors
/// `not_found` if this installation has no model; `owner_required` without consent.
pub(crate) async fn require_consent(domain: &Domain, account_id: AccountId) -> Result<()> {
    require_model(domain)?;
    if has_consent(domain, account_id).await? {
        return Ok(());
    }
    let message = "The language model is off for this account. Its owner can switch it on in the settings.";
    Err(Error::new(Code::OwnerRequired, message))
}
