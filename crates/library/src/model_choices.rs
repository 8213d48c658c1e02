//! Choices of an account for the language model, as a part of account exports, and their tags. The crate that stores
//! the choices implements [`ModelChoices`].

use std::sync::Arc;

use entities::ids::AccountId;
use futures_util::future::BoxFuture;
use kernel::{Domain, Result};
use sea_orm::DatabaseTransaction;
use serde_json::Value;

use super::tags::Tag;

/// Exports and imports the choices of accounts for the language model, and renames their tags.
pub trait ModelChoices: Send + Sync {
    /// Returns the choices of an account. `None` if they are the defaults.
    fn export<'a>(
        &'a self,
        domain: &'a Domain,
        account_id: AccountId,
    ) -> BoxFuture<'a, Result<Option<Value>>>;

    /// Replaces the choices of an account with exported ones.
    ///
    /// # Errors
    /// `invalid_request`; `owner_required` if the person has not switched the model on; `not_found` without a model.
    fn import<'a>(
        &'a self,
        domain: &'a Domain,
        account_id: AccountId,
        choices: Value,
    ) -> BoxFuture<'a, Result<()>>;

    /// Excludes the tag `to` if the tag `from` is excluded, before items get `to` instead of `from`.
    fn begin_rename<'a>(
        &'a self,
        transaction: &'a DatabaseTransaction,
        account_id: AccountId,
        from: &'a Tag,
        to: &'a Tag,
    ) -> BoxFuture<'a, Result<()>>;

    /// Removes the tag `from` from the excluded tags if the tag `to` is excluded, after no item has `from`.
    fn finish_rename<'a>(
        &'a self,
        transaction: &'a DatabaseTransaction,
        account_id: AccountId,
        from: &'a Tag,
        to: &'a Tag,
    ) -> BoxFuture<'a, Result<()>>;
}

/// The implementation installed in the [`Domain`] handle.
#[derive(Clone)]
pub struct InstalledModelChoices(pub Arc<dyn ModelChoices>);

/// Returns the choices of an account for its export.
pub(crate) async fn export_choices(domain: &Domain, account_id: AccountId) -> Result<Option<Value>> {
    match domain.installed::<InstalledModelChoices>() {
        Some(choices) => choices.0.export(domain, account_id).await,
        None => Ok(None),
    }
}

/// Imports the choices of an export.
///
/// # Errors
/// Those of [`ModelChoices::import`].
pub(crate) async fn import_choices(domain: &Domain, account_id: AccountId, choices: Value) -> Result<()> {
    match domain.installed::<InstalledModelChoices>() {
        Some(installed) => installed.0.import(domain, account_id, choices).await,
        None => Ok(()),
    }
}
