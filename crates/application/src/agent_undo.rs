//! Undo of an agent's calls by the owner of the connection. A call is recorded with the objects that it
//! created and the values that it replaced. An undo leaves everything that was changed since the call.

use async_recursion::async_recursion as boxed;
use entities::ids::{AccountId, AgentCallId, CollectionId, EntryId, MonitorId, SubscriptionId};
use identity::agents::{self, AgentCall, ConnectionName};
use serde::{Deserialize, Serialize};

use feeds::{RemovedSubscription, SubscriptionSettings};
use kernel::error::not_found;
use kernel::{Code, Domain, Error, Result};
use library::ItemReversion;
use library::transfer::CreatedObject;

/// Maximum number of entries that one call marks so that it can be undone.
pub const MAX_ENTRIES: u32 = 1_000;
/// Maximum size of an undo as JSON, in bytes.
const MAX_BYTES: usize = 32 * 1024;
/// Maximum number of entries per statement.
const STEP: usize = 500;

/// Instructions that undo a call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Undo {
    /// Deletes items, notes, and highlights.
    DeleteObjects { objects: Vec<CreatedObject> },
    /// Restores tags, status, and read state of items.
    RestoreItems { items: Vec<ItemReversion> },
    /// Marks entries that were unread as unread again.
    MarkUnread { ids: Vec<EntryId> },
    /// Marks entries that were read as read again.
    MarkRead { ids: Vec<EntryId> },
    /// Unfollows a feed, and deletes the collection that was created for it.
    Unfollow { id: SubscriptionId, settings: SubscriptionSettings, collection: Option<CreatedCollection> },
    /// Follows a feed again.
    Follow { removed: RemovedSubscription },
    /// Deletes a monitor.
    DeleteMonitor { id: MonitorId, mark: i64 },
    /// The call changed too much to be undone.
    TooLarge,
}

/// Collection that a call created, with its name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CreatedCollection {
    pub id: CollectionId,
    pub name: String,
}

/// State of the undo of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallUndoState {
    /// The call changed nothing that can be undone, or too many calls followed it.
    Unavailable,
    /// The call changed too much to be undone.
    TooLarge,
    Available,
    /// The call was undone.
    Undone,
}

/// Result of an undo.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Undone {
    /// Everything was undone.
    All,
    /// A part was undone; the rest was changed or deleted since the call.
    Part,
    /// Nothing was undone, because all of it was changed or deleted since the call.
    Nothing,
    /// The call had already been undone.
    Before,
}

impl Undo {
    /// Serializes the undo as JSON. If the JSON is too large, [`Undo::TooLarge`] is serialized instead.
    pub fn to_json(&self) -> String {
        let json = serde_json::to_string(self).ok().filter(|json| json.len() <= MAX_BYTES);
        json.unwrap_or_else(|| r#"{"kind":"too_large"}"#.to_owned())
    }
}

/// Returns the state of the undo of a call.
pub fn state_of(call: &AgentCall) -> CallUndoState {
    if call.undone_at.is_some() {
        return CallUndoState::Undone;
    }
    match call.undo.as_deref().map(serde_json::from_str::<Undo>) {
        None | Some(Err(_)) => CallUndoState::Unavailable,
        Some(Ok(Undo::TooLarge)) => CallUndoState::TooLarge,
        Some(Ok(_)) => CallUndoState::Available,
    }
}

/// Undoes a call of a connection. An interrupted undo can be repeated: objects that are already undone count
/// as changed since the call.
///
/// # Errors
/// `not_found` if the connection has no such call; `invalid_request` if the call cannot be undone; the error of
/// the change that undoes it.
#[boxed]
pub async fn undo(
    domain: &Domain,
    account_id: AccountId,
    connection: &ConnectionName,
    id: AgentCallId,
) -> Result<Undone> {
    let call = agents::find_call(domain, account_id, connection, id).await?;
    if call.undone_at.is_some() {
        return Ok(Undone::Before);
    }
    let stored = call.undo.ok_or_else(|| not_found("call that can be undone"))?;
    let undo: Undo = serde_json::from_str(&stored).map_err(Error::internal)?;
    let (done, total) = perform(domain, account_id, undo).await?;
    if done == 0 {
        return Ok(Undone::Nothing);
    }
    agents::record_undone(domain, account_id, connection, id).await?;
    Ok(if done == total { Undone::All } else { Undone::Part })
}

/// Performs an undo. Returns the number of objects that it changed, and the number of objects that it covers.
async fn perform(domain: &Domain, account_id: AccountId, undo: Undo) -> Result<(usize, usize)> {
    Ok(match undo {
        Undo::DeleteObjects { objects } => {
            (library::transfer::delete_created(domain, account_id, &objects).await?, objects.len())
        }
        Undo::RestoreItems { items } => {
            (library::revert_items(domain, account_id, &items).await?, items.len())
        }
        Undo::MarkUnread { ids } => (mark(domain, account_id, &ids, true).await?, ids.len()),
        Undo::MarkRead { ids } => (mark(domain, account_id, &ids, false).await?, ids.len()),
        Undo::Unfollow { id, settings, collection } => {
            let unfollowed = feeds::unfollow_unchanged(domain, account_id, id, &settings).await?;
            if let Some(collection) = collection.filter(|_| unfollowed) {
                delete_unchanged(domain, account_id, &collection).await?;
            }
            (usize::from(unfollowed), 1)
        }
        Undo::Follow { removed } => {
            (usize::from(feeds::follow_again(domain, account_id, &removed).await?), 1)
        }
        Undo::DeleteMonitor { id, mark } => {
            (usize::from(monitors::delete_unchanged(domain, account_id, id, mark).await?), 1)
        }
        Undo::TooLarge => {
            let message = "This call changed too much to be undone.";
            return Err(Error::new(Code::InvalidRequest, message));
        }
    })
}

/// Marks entries as read or unread. Returns the number of entries that are still visible to the account.
async fn mark(domain: &Domain, account_id: AccountId, ids: &[EntryId], unread: bool) -> Result<usize> {
    let mut marked = 0;
    for step in ids.chunks(STEP) {
        let (updated, _missing) = feeds::mark_entries(domain, account_id, step, unread).await?;
        marked += usize::try_from(updated).unwrap_or(usize::MAX);
    }
    Ok(marked)
}

/// Deletes a collection unless it was changed or feeds were added to it. If it was already deleted, nothing
/// happens.
async fn delete_unchanged(domain: &Domain, account_id: AccountId, created: &CreatedCollection) -> Result<()> {
    let collection = match feeds::get_collection(domain, account_id, created.id).await {
        Err(error) if error.code == Code::NotFound => return Ok(()),
        known => known?,
    };
    let is_unchanged = collection.name == created.name && collection.read_after_days.is_none();
    if is_unchanged && collection.feed_ids.is_empty() {
        feeds::delete_collection(domain, account_id, created.id).await?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_undo_is_marked_as_too_large() {
        let undo =
            |count: i64| Undo::MarkUnread { ids: (1_000_000..1_000_000 + count).map(EntryId::new).collect() };
        let json = undo(i64::from(MAX_ENTRIES)).to_json();
        assert_eq!(serde_json::from_str::<Undo>(&json).unwrap(), undo(i64::from(MAX_ENTRIES)));
        assert_eq!(serde_json::from_str::<Undo>(&undo(10_000).to_json()).unwrap(), Undo::TooLarge);
    }
}
