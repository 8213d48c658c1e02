//! Changes of items: read, unread, starred, or not starred.

use std::collections::HashSet;

use kernel::{Code, EntryId, Error};

use super::call::NewsCall;
use super::item::entry_of_guid_hash;

/// Number of entries that one statement marks.
const STEP: usize = 500;

/// Change of the state of items.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MarkChange {
    Read,
    Unread,
    Star,
    Unstar,
}

impl MarkChange {
    /// Parses the name in a path. The documentation of the protocol has two names for stars.
    pub(super) fn parse(name: &str) -> Option<Self> {
        match name {
            "read" => Some(Self::Read),
            "unread" => Some(Self::Unread),
            "star" | "starred" => Some(Self::Star),
            "unstar" | "unstarred" => Some(Self::Unstar),
            _ => None,
        }
    }
}

impl NewsCall<'_> {
    /// `items/STATE/multiple`: changes the items that the app names by id, or by feed and `guidHash`. Unknown
    /// items are ignored.
    pub(super) async fn mark_items(&self, change: MarkChange) -> Result<(), Error> {
        let ids = self.parameters.all("itemIds").chain(self.parameters.all("items"));
        let ids = ids.filter_map(|id| id.trim().parse().ok().map(EntryId::new));
        let hashes = self.parameters.all("items.guidHash").filter_map(entry_of_guid_hash);
        let distinct: HashSet<EntryId> = ids.chain(hashes).collect();
        let mut ids: Vec<EntryId> = distinct.into_iter().collect();
        ids.sort_unstable();
        self.apply(&ids, change).await
    }

    /// `items/ID/STATE`: changes one item.
    ///
    /// # Errors
    /// `not_found` if the account cannot see the item.
    pub(super) async fn mark_item(&self, id: i64, change: MarkChange) -> Result<(), Error> {
        let id = EntryId::new(id);
        self.require(id).await?;
        self.apply(&[id], change).await
    }

    /// `items/FEED/GUIDHASH/STATE`: changes one item.
    ///
    /// # Errors
    /// `not_found` if the account cannot see the item, or if the item belongs to another feed.
    pub(super) async fn mark_guid(
        &self,
        feed_id: i64,
        guid_hash: &str,
        change: MarkChange,
    ) -> Result<(), Error> {
        let id = entry_of_guid_hash(guid_hash).ok_or_else(missing)?;
        if self.require(id).await?.feed_id.as_i64() != feed_id {
            return Err(missing());
        }
        self.apply(&[id], change).await
    }

    async fn require(&self, id: EntryId) -> Result<feeds::Entry, Error> {
        let (domain, account_id) = (&self.app.domain, self.caller.account_id);
        feeds::visible_entries(domain, account_id, &[id]).await?.pop().ok_or_else(missing)
    }

    async fn apply(&self, ids: &[EntryId], change: MarkChange) -> Result<(), Error> {
        let (domain, account_id) = (&self.app.domain, self.caller.account_id);
        match change {
            MarkChange::Read | MarkChange::Unread => {
                for chunk in ids.chunks(STEP) {
                    feeds::mark_entries(domain, account_id, chunk, change == MarkChange::Unread).await?;
                }
            }
            MarkChange::Star => {
                library::star(domain, account_id, ids).await?;
            }
            MarkChange::Unstar => {
                library::unstar(domain, account_id, ids).await?;
            }
        }
        Ok(())
    }
}

fn missing() -> Error {
    Error::new(Code::NotFound, "There is no item with this id.")
}
