//! Stars and saves entries for rules of feeds. Unlike a save by a person, this does not change an existing item, and
//! does not create an item again that the account deleted.

use entities::ids::{AccountId, EntryId};
use feeds::{RequestedSave, RuleSaveResults, SaveResult};
use kernel::{Domain, Result};

use super::keys::Holder;
use super::transaction::LibraryTransaction;
use super::visible_tags::VisibleTags;
use super::{feed_stars, save_item, store};

/// Saves and stars an entry. The item is saved first, so that it does not count as created by its star.
///
/// # Errors
/// Returns `not_found`, and the errors of [`crate::save()`].
pub(crate) async fn save_by_rule(
    domain: &Domain,
    account_id: AccountId,
    id: EntryId,
    requested: RequestedSave,
) -> Result<RuleSaveResults> {
    let saved = match requested.tags {
        Some(tags) => save_new(domain, account_id, id, tags).await?,
        None => SaveResult::Existing,
    };
    let starred = match (requested.star, saved) {
        (true, SaveResult::Saved | SaveResult::Existing) => {
            feed_stars::star_by_rule(domain, account_id, id).await?
        }
        (true, SaveResult::Deleted) => SaveResult::Deleted,
        (false, _) => SaveResult::Existing,
    };
    Ok(RuleSaveResults { saved, starred })
}

/// Saves an entry that is not in the library, without public and shared tags: a feed must not decide that other people
/// see an item. A worker requests its text afterwards.
async fn save_new(
    domain: &Domain,
    account_id: AccountId,
    id: EntryId,
    tags: Vec<String>,
) -> Result<SaveResult> {
    let (mut draft, read) = save_item::entry_draft(domain, account_id, id, tags).await?;
    let mut transaction = LibraryTransaction::begin(domain, account_id).await?;
    match store::holder(&transaction, &draft).await? {
        Some(Holder::Item(_)) => Ok(SaveResult::Existing),
        Some(Holder::Deleted(_)) => Ok(SaveResult::Deleted),
        None => {
            let visible = VisibleTags::load(transaction.db(), account_id).await?;
            draft.tags.retain(|tag| !visible.contains(tag));
            store::write_draft(domain, &mut transaction, &draft, read).await?;
            transaction.commit().await?;
            Ok(SaveResult::Saved)
        }
    }
}
