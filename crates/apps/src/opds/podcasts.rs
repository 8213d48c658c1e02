//! Recordings of followed feeds, for e-readers that play audio. The files are on the servers of their
//! publishers.

use feeds::EntryFilter;
use kernel::cursor_scope::CursorScope;
use kernel::{EntryId, Error};
use poem::Response;

use super::call::OpdsCall;
use super::catalogue::{OpdsFeed, OpdsFeedKind};
use super::lists::{PAGE, PODCASTS, address};
use crate::fault::malformed;

impl OpdsCall<'_> {
    /// Returns the entries with audio or video, newest first.
    pub(super) async fn podcasts(&self) -> Result<Response, Error> {
        let (domain, account_id) = (&self.app.domain, self.caller.account_id);
        let bound = CursorScope { account_id, operation: "opds podcasts", filters: String::new() };
        let after = match self.parameters.get("c") {
            Some(cursor) => {
                let bytes = bound.open(domain, cursor).await?;
                let bytes: [u8; 8] =
                    bytes.try_into().map_err(|_| malformed("The cursor is not valid for this list."))?;
                Some(EntryId::new(i64::from_be_bytes(bytes)))
            }
            None => None,
        };
        let filter = EntryFilter { recordings_only: true, ..EntryFilter::default() };
        let page = feeds::list_entries(domain, account_id, &filter, after, PAGE).await?;
        let next = match page.next_after {
            Some(id) => {
                let cursor = bound.seal(domain, &id.as_i64().to_be_bytes()).await?;
                Some(address(PODCASTS, &[("c", &cursor)]))
            }
            None => None,
        };
        let updated_at = page.entries.iter().map(|entry| entry.discovered_at).max();
        self.render(&OpdsFeed {
            kind: OpdsFeedKind::Acquisition,
            title: "Podcasts".to_owned(),
            path: PODCASTS.to_owned(),
            next,
            updated_at: updated_at.unwrap_or_else(|| domain.now()),
            navigation: Vec::new(),
            books: Vec::new(),
            episodes: page.entries,
            groups: Vec::new(),
        })
    }
}
