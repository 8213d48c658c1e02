//! Choices of an account for the language model: their export and import, and the renaming of tags in them. The crate
//! that stores the choices implements [`ModelChoices`].

use std::sync::Arc;

use entities::ids::AccountId;
use futures_util::future::BoxFuture;
use kernel::{Domain, Result};
use sea_orm::DatabaseTransaction;
use serde_json::Value;

use super::tags::Tag;

/// Exports and imports the choices of accounts for the language model, and renames the tags in them.
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
    /// `invalid_request`; `owner_required` if the person has not switched the model on; `not_found` if the service has
    /// no model.
    fn import<'a>(
        &'a self,
        domain: &'a Domain,
        account_id: AccountId,
        choices: Value,
    ) -> BoxFuture<'a, Result<()>>;

    /// If the tag `from` is excluded, also excludes the tag `to`. Called before items get `to` instead of `from`.
    fn begin_rename<'a>(
        &'a self,
        transaction: &'a DatabaseTransaction,
        account_id: AccountId,
        from: &'a Tag,
        to: &'a Tag,
    ) -> BoxFuture<'a, Result<()>>;

    /// If the tag `to` is excluded, removes the tag `from` from the excluded tags. Called when no item has `from` any
    /// more.
    fn finish_rename<'a>(
        &'a self,
        transaction: &'a DatabaseTransaction,
        account_id: AccountId,
        from: &'a Tag,
        to: &'a Tag,
    ) -> BoxFuture<'a, Result<()>>;
}

/// Implementation that is installed in the [`Domain`] handle.
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
/// Returns the errors of [`ModelChoices::import`].
pub(crate) async fn import_choices(domain: &Domain, account_id: AccountId, choices: Value) -> Result<()> {
    match domain.installed::<InstalledModelChoices>() {
        Some(installed) => installed.0.import(domain, account_id, choices).await,
        None => Ok(()),
    }
}
