//! Queued actions: a person performed them without a connection, and the browser sends them when there is a
//! connection. Each action may be sent again. If an item was changed after the action, the newer state is
//! retained.

use std::collections::HashSet;

use async_recursion::async_recursion as boxed;
use entities::ids::{AccountId, EntryId, ItemId};

use kernel::error::not_found;
use kernel::{Code, Domain, Error, Millis, Result};
use library::{IfMatch, Item, ItemChanges, ItemStatus, ItemUpdate, NewHighlight, ReadMark};

/// Maximum number of actions in a request.
pub const MAX_ACTIONS: usize = 50;

/// Kind of an action, with its entry or item.
#[derive(Clone, Debug)]
pub enum ActionKind {
    ReadEntry(EntryId),
    StarEntry(EntryId),
    ReadItem(ItemId),
    ArchiveItem(ItemId),
    Highlight(Box<NewHighlight>),
}

/// Action that a browser queued.
#[derive(Clone, Debug)]
pub struct QueuedAction {
    pub kind: ActionKind,
    /// Time since the person performed the action.
    pub age_ms: Millis,
}

#[derive(Debug)]
pub enum ActionOutcome {
    /// The change was made, or was not necessary.
    Applied,
    /// The item was changed after the action, so the action is ignored.
    Superseded,
    Failed(Error),
}

/// Applies actions in their order. Actions of the same request do not supersede each other.
#[boxed]
pub async fn apply(domain: &Domain, account_id: AccountId, actions: &[QueuedAction]) -> Vec<ActionOutcome> {
    let mut batch = ActionBatch { domain, account_id, now: domain.now(), changed: HashSet::new() };
    let mut outcomes = Vec::with_capacity(actions.len());
    for action in actions {
        outcomes.push(batch.apply(action).await.unwrap_or_else(ActionOutcome::Failed));
    }
    outcomes
}

/// Actions of one request.
struct ActionBatch<'a> {
    domain: &'a Domain,
    account_id: AccountId,
    now: Millis,
    /// Items that this request has changed.
    changed: HashSet<ItemId>,
}

impl ActionBatch<'_> {
    async fn apply(&mut self, action: &QueuedAction) -> Result<ActionOutcome> {
        let at = self.now.saturating_sub(action.age_ms.max(0));
        match &action.kind {
            ActionKind::ReadEntry(id) => self.read_entry(*id).await,
            ActionKind::StarEntry(id) => self.star_entry(*id).await,
            ActionKind::ReadItem(id) => {
                let changes = ItemChanges { mark_read: Some(ReadMark::Read), ..ItemChanges::default() };
                self.change_item((*id, at), |item| item.finished_at.is_some(), changes).await
            }
            ActionKind::ArchiveItem(id) => {
                let changes = ItemChanges { status: Some(ItemStatus::Archive), ..ItemChanges::default() };
                self.change_item((*id, at), |item| item.status == ItemStatus::Archive, changes).await
            }
            ActionKind::Highlight(new) => {
                library::create_highlight(self.domain, self.account_id, (**new).clone()).await?;
                self.changed.insert(new.item_id);
                Ok(ActionOutcome::Applied)
            }
        }
    }

    async fn read_entry(&self, id: EntryId) -> Result<ActionOutcome> {
        let (_, missing) = feeds::mark_entries(self.domain, self.account_id, &[id], false).await?;
        if missing > 0 { Err(not_found("entry")) } else { Ok(ActionOutcome::Applied) }
    }

    async fn star_entry(&self, id: EntryId) -> Result<ActionOutcome> {
        let connection = self.domain.db().read();
        if feeds::entries_of_ids(connection, self.account_id, &[id]).await?.is_empty() {
            return Err(not_found("entry"));
        }
        library::star(self.domain, self.account_id, &[id]).await?;
        Ok(ActionOutcome::Applied)
    }

    /// Changes an item, unless it already has the state or was changed after the action.
    async fn change_item(
        &mut self,
        (id, at): (ItemId, Millis),
        is_done: fn(&Item) -> bool,
        changes: ItemChanges,
    ) -> Result<ActionOutcome> {
        let item = library::get(self.domain, self.account_id, id).await?;
        if is_done(&item) {
            return Ok(ActionOutcome::Applied);
        }
        if item.updated_at > at && !self.changed.contains(&id) {
            return Ok(ActionOutcome::Superseded);
        }
        let if_match = Some(IfMatch(format!("\"{}\"", item.sequence)));
        let update = ItemUpdate { changes, if_match, ..ItemUpdate::default() };
        match library::update(self.domain, self.account_id, id, update).await {
            Ok(_) => {
                self.changed.insert(id);
                Ok(ActionOutcome::Applied)
            }
            Err(error) if error.code == Code::PreconditionFailed => Ok(ActionOutcome::Superseded),
            Err(error) => Err(error),
        }
    }
}
