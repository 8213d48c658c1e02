//! Interface to the library: saving an entry, and the stored texts of saved entries.

use std::collections::HashMap;
use std::sync::Arc;

use entities::ids::{AccountId, EntryId, ItemId};
use extract::Document;
use futures_util::future::BoxFuture;
use kernel::{Code, Domain, Error, Result};

/// Actions of rules on an entry.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RequestedSave {
    pub star: bool,
    /// Tags of the new item. `None` if the entry is not saved directly.
    pub tags: Option<Vec<String>>,
}

/// Results of the actions of rules on an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RuleSaveResults {
    /// Result of saving the entry directly. [`SaveResult::Existing`] if this was not requested.
    pub saved: SaveResult,
    /// Result of starring the entry. [`SaveResult::Existing`] if this was not requested.
    pub starred: SaveResult,
}

/// Result of an action of rules on an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SaveResult {
    /// The entry was starred or saved.
    Saved,
    /// The entry was starred or saved before, and nothing was changed.
    Existing,
    /// The account has deleted its library item for this page, so nothing was saved.
    Deleted,
}

/// Saves entries and returns their stored texts. Implemented by the library.
pub trait SavedEntries: Send + Sync {
    /// Saves an entry without waiting for its text.
    fn save_entry<'a>(
        &'a self,
        domain: &'a Domain,
        account_id: AccountId,
        id: EntryId,
    ) -> BoxFuture<'a, Result<()>>;

    /// Stars or saves an entry as rules request, without waiting for its text. An existing item is not changed.
    fn save_by_rule<'a>(
        &'a self,
        domain: &'a Domain,
        account_id: AccountId,
        id: EntryId,
        requested: RequestedSave,
    ) -> BoxFuture<'a, Result<RuleSaveResults>>;

    /// Returns the stored texts of these items. Items without a text are omitted.
    fn texts<'a>(
        &'a self,
        domain: &'a Domain,
        account_id: AccountId,
        items: &'a [ItemId],
    ) -> BoxFuture<'a, Result<HashMap<ItemId, Arc<Document>>>>;
}

/// Implementation that is installed in the [`Domain`] handle.
#[derive(Clone)]
pub struct InstalledSavedEntries(pub Arc<dyn SavedEntries>);

/// Saves an entry without waiting for its text.
///
/// # Errors
/// `service_unavailable` if no library is installed; an error if the library cannot save the entry.
pub(crate) async fn save_entry(domain: &Domain, account_id: AccountId, id: EntryId) -> Result<()> {
    let saved = domain.installed::<InstalledSavedEntries>().ok_or_else(no_library)?;
    saved.0.save_entry(domain, account_id, id).await
}

/// Stars or saves an entry as rules request, without waiting for its text.
///
/// # Errors
/// `service_unavailable` if no library is installed; an error if the library cannot save the entry.
pub(crate) async fn save_by_rule(
    domain: &Domain,
    account_id: AccountId,
    id: EntryId,
    requested: RequestedSave,
) -> Result<RuleSaveResults> {
    let saved = domain.installed::<InstalledSavedEntries>().ok_or_else(no_library)?;
    saved.0.save_by_rule(domain, account_id, id, requested).await
}

fn no_library() -> Error {
    Error::new(Code::ServiceUnavailable, "The library is not available.")
}

/// Returns the stored texts of these items. Empty if no library is installed.
pub(crate) async fn texts(
    domain: &Domain,
    account_id: AccountId,
    items: &[ItemId],
) -> Result<HashMap<ItemId, Arc<Document>>> {
    match domain.installed::<InstalledSavedEntries>() {
        Some(saved) => saved.0.texts(domain, account_id, items).await,
        None => Ok(HashMap::new()),
    }
}
