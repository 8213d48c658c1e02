//! Changes the state of entries: read, unread, or starred.

use feeds::{MarkRead, Order, ReadBound, ReadScope, StreamQuery, StreamScope};
use kernel::{Code, EntryId, Error};
use poem::Response;

use super::call::GReaderCall;
use super::stream_id::StreamId;
use crate::answers::plain;
use crate::fault::malformed;
use crate::time::span;

/// Number of entries that one statement marks.
const STEP: u32 = 500;

impl GReaderCall<'_> {
    /// `edit-tag`: changes the state of entries by id. Unknown states are ignored.
    pub(super) async fn edit_tags(&self) -> Result<Response, Error> {
        let ids = self.ids();
        for state in states(self.parameters.all("a")) {
            match state {
                StreamId::Read => self.mark(&ids, false).await?,
                StreamId::Unread => self.mark(&ids, true).await?,
                StreamId::Starred => {
                    library::star(&self.app.domain, self.caller.account_id, &ids).await?;
                }
                StreamId::ReadingList
                | StreamId::Feed(_)
                | StreamId::Address(_)
                | StreamId::Label(_)
                | StreamId::Unknown => {}
            }
        }
        for state in states(self.parameters.all("r")) {
            match state {
                StreamId::Read => self.mark(&ids, true).await?,
                StreamId::Starred => {
                    library::unstar(&self.app.domain, self.caller.account_id, &ids).await?;
                }
                // Removing `kept-unread` does not mark an entry as read.
                StreamId::Unread
                | StreamId::ReadingList
                | StreamId::Feed(_)
                | StreamId::Address(_)
                | StreamId::Label(_)
                | StreamId::Unknown => {}
            }
        }
        Ok(plain("OK"))
    }

    async fn mark(&self, ids: &[EntryId], unread: bool) -> Result<(), Error> {
        for chunk in ids.chunks(STEP as usize) {
            feeds::mark_entries(&self.app.domain, self.caller.account_id, chunk, unread).await?;
        }
        Ok(())
    }

    /// `mark-all-as-read`: marks the entries of streams as read, up to the time `ts` of the app's last sync. Without this
    /// parameter, or with an empty one, marks all entries that currently exist.
    pub(super) async fn mark_all_as_read(&self) -> Result<Response, Error> {
        if !self.parameters.has("s") {
            return Err(malformed("The parameter s is missing."));
        }
        let through = match self.parameters.get("ts") {
            Some(time) => {
                let message =
                    "The parameter ts must be a whole number of seconds, milliseconds, or microseconds.";
                let (_, last) = span(time).ok_or_else(|| malformed(message))?;
                feeds::last_discovered_before(&self.app.domain, last.saturating_add(1)).await?
            }
            None => feeds::last_entry(&self.app.domain).await?,
        };
        for name in self.parameters.all("s") {
            if let Some(scope) = self.scope(&StreamId::parse(name)).await? {
                self.mark_through(scope, through).await?;
            }
        }
        Ok(plain("OK"))
    }

    async fn mark_through(&self, scope: StreamScope, through: EntryId) -> Result<(), Error> {
        let (domain, account_id) = (&self.app.domain, self.caller.account_id);
        let scope = match scope {
            StreamScope::All => ReadScope::All,
            StreamScope::Feed(id) => ReadScope::Feed(id),
            StreamScope::Collection(id) => ReadScope::Collection(id),
            StreamScope::Starred => return self.mark_starred(through).await,
        };
        let request = MarkRead { scope, bound: ReadBound::Through(through) };
        match feeds::mark_read(domain, account_id, request).await {
            // Without a subscription, the feed has no entries to mark.
            Err(error) if error.code == Code::NotFound => Ok(()),
            marked => marked.map(drop),
        }
    }

    async fn mark_starred(&self, through: EntryId) -> Result<(), Error> {
        let query = StreamQuery {
            scope: StreamScope::Starred,
            unread: Some(true),
            starred: None,
            since: None,
            through: Some(through),
            order: Order::Newest,
        };
        let mut after = None;
        loop {
            let (domain, account_id) = (&self.app.domain, self.caller.account_id);
            let page = feeds::stream(domain, account_id, &query, after, STEP).await?;
            let ids: Vec<EntryId> = page.entries.iter().map(|entry| entry.id).collect();
            self.mark(&ids, false).await?;
            after = page.next_after;
            if after.is_none() {
                return Ok(());
            }
        }
    }
}

/// Returns the states of entries that these names identify, each at its last position. A state that a request
/// names many times is applied once.
fn states<'a>(names: impl Iterator<Item = &'a str>) -> Vec<StreamId> {
    let mut states: Vec<StreamId> = Vec::new();
    let is_state =
        |stream: &StreamId| matches!(stream, StreamId::Read | StreamId::Unread | StreamId::Starred);
    for state in names.map(StreamId::parse).filter(is_state) {
        states.retain(|other| *other != state);
        states.push(state);
    }
    states
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeated_state_is_applied_only_at_its_last_position() {
        let state = |name: &str| format!("user/-/state/com.google/{name}");
        let names = ["read", "unread", "starred", "read", "kept-unread", "read", "broadcast"].map(state);
        let repeated: Vec<&str> = names.iter().cycle().take(700).map(String::as_str).collect();
        let expected = [StreamId::Starred, StreamId::Unread, StreamId::Read];
        assert_eq!(states(repeated.into_iter()), expected);
        assert!(states(["user/-/label/Sea", "feed/1"].into_iter()).is_empty());
    }
}
