//! Marks an entry, a feed, a group, or all entries (group 0).

use feeds::{MarkRead, ReadBound, ReadScope};
use kernel::{Code, CollectionId, Error, FeedId};

use super::call::FeverCall;
use super::items::parse_entry_id;
use crate::time::span;

impl FeverCall<'_> {
    /// Applies the parameters `mark`, `as`, and `id`. Unknown values and ids change nothing.
    pub(super) async fn mark(&self) -> Result<(), Error> {
        let state = self.parameters.get("as").unwrap_or_default();
        let id = self.parameters.get("id").map(str::trim).and_then(|id| id.parse::<i64>().ok());
        match (self.parameters.get("mark"), id) {
            (Some("item"), _) => self.mark_item(state).await,
            (Some("feed"), Some(id)) if state == "read" => {
                self.mark_through(ReadScope::Feed(FeedId::new(id))).await
            }
            (Some("group"), Some(0)) if state == "read" => self.mark_through(ReadScope::All).await,
            (Some("group"), Some(id)) if state == "read" && id > 0 => {
                self.mark_through(ReadScope::Collection(CollectionId::new(id))).await
            }
            (Some(_) | None, _) => Ok(()),
        }
    }

    async fn mark_item(&self, state: &str) -> Result<(), Error> {
        let (domain, account_id) = (&self.app.domain, self.caller.account_id);
        let Some(id) = self.parameters.get("id").and_then(parse_entry_id) else { return Ok(()) };
        match state {
            "read" | "unread" => {
                feeds::mark_entries(domain, account_id, &[id], state == "unread").await?;
            }
            "saved" => {
                library::star(domain, account_id, &[id]).await?;
            }
            "unsaved" => {
                library::unstar(domain, account_id, &[id]).await?;
            }
            _ => {}
        }
        Ok(())
    }

    /// Marks the entries that were discovered before the time in the parameter `before`. Without this
    /// parameter, or with an empty one, marks all entries that currently exist. An invalid time changes nothing.
    async fn mark_through(&self, scope: ReadScope) -> Result<(), Error> {
        let (domain, account_id) = (&self.app.domain, self.caller.account_id);
        let through = match self.parameters.get("before") {
            Some(time) => {
                let Some((first, _)) = span(time) else { return Ok(()) };
                feeds::last_discovered_before(domain, first).await?
            }
            None => feeds::last_entry(domain).await?,
        };
        let request = MarkRead { scope, bound: ReadBound::Through(through) };
        match feeds::mark_read(domain, account_id, request).await {
            Err(error) if error.code == Code::NotFound => Ok(()),
            marked => marked.map(drop),
        }
    }
}
