//! Position of an import server's run: the part, the list, and the page that are read next. The position is
//! committed with the rows of the previous page.

use extract::imports::{ImportService, PageEnd, ServerPart};
use kernel::clock::HOUR;
use kernel::{Error, Millis, Result};
use serde::{Deserialize, Serialize};

/// Overlap of consecutive runs. A run also reads changes from this period before the start of the previous
/// run, because server clocks differ, and items may change while pages are read.
const OVERLAP: Millis = HOUR;

/// Position of a run.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Position {
    /// Index of the part among the parts of the service.
    pub(super) part: usize,
    /// Id of the list, if the part is read list by list.
    pub(super) list: Option<String>,
    /// Cursor of the page, as the server returned it. `None` for the first page.
    pub(super) cursor: Option<String>,
    /// Number of pages that the run has read so far.
    pub(super) pages: u64,
    /// Number of failures since the last page was read.
    pub(super) failures: u32,
    /// Start of the run. `None` between two runs.
    pub(super) begun_at: Option<Millis>,
    /// Time after which changes are new. `None` if all items are read.
    pub(super) since: Option<Millis>,
}

impl Position {
    /// Parses a stored position. Returns the first position if `text` cannot be parsed.
    pub(super) fn parse(text: &str) -> Self {
        serde_json::from_str(text).unwrap_or_default()
    }

    /// Returns the text of the position, for the row of the server.
    pub(super) fn to_text(&self) -> Result<String> {
        serde_json::to_string(self).map_err(Error::internal)
    }

    /// Returns the position of the page after the current page.
    pub(super) fn after(&self, parts: &[ServerPart], end: &PageEnd) -> Self {
        let mut next = Self { pages: self.pages + 1, failures: 0, cursor: end.next.clone(), ..self.clone() };
        if next.cursor.is_some() {
            return next;
        }
        if parts.get(self.part) == Some(&ServerPart::Lists) {
            next.list = end.lists.iter().find(|id| Some(*id) > self.list.as_ref()).cloned();
            if next.list.is_some() {
                return next;
            }
        }
        next.part += 1;
        if parts.get(next.part) == Some(&ServerPart::Lists) {
            next.list = end.lists.first().cloned();
            if next.list.is_none() {
                next.part += 1;
            }
        }
        next
    }

    /// Returns the first position of the next run, if this run has read all pages.
    pub(super) fn after_run(&self) -> Self {
        Self { since: self.begun_at.map(|at| at - OVERLAP), ..Self::default() }
    }

    /// Returns the first position of the next run, if this run is abandoned.
    pub(super) fn restarted(&self) -> Self {
        Self { since: self.since, ..Self::default() }
    }
}

/// Returns the parts of a service, in the order in which they are read.
pub(super) fn parts_of(service: ImportService) -> &'static [ServerPart] {
    match service {
        // Items are read first, because highlights and lists refer to them.
        ImportService::Karakeep => &[ServerPart::Items, ServerPart::Highlights, ServerPart::Lists],
        ImportService::Readeck => &[ServerPart::Items, ServerPart::Highlights],
        ImportService::Linkding => &[ServerPart::Items, ServerPart::Archived],
        ImportService::Miniflux | ImportService::FreshRss => &[ServerPart::Items, ServerPart::Subscriptions],
        ImportService::Wallabag
        | ImportService::Readwise
        | ImportService::ReadwiseReader
        | ImportService::Raindrop
        | ImportService::Pinboard => &[ServerPart::Items],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn end(next: Option<&str>, lists: &[&str]) -> PageEnd {
        PageEnd { next: next.map(str::to_owned), lists: lists.iter().map(|id| (*id).to_owned()).collect() }
    }

    #[test]
    fn run_reads_all_pages_of_all_parts_and_lists() {
        let parts = parts_of(ImportService::Karakeep);
        let mut position = Position { begun_at: Some(10 * HOUR), ..Position::default() };
        let mut path = Vec::new();
        for end in [
            end(Some("2"), &["a", "b"]),
            end(None, &["a", "b"]),
            end(None, &["a", "b"]),
            end(Some("2"), &["a", "b"]),
            end(None, &["a", "b"]),
            end(None, &["a", "b"]),
        ] {
            position = Position::parse(&serde_json::to_string(&position).unwrap()).after(parts, &end);
            path.push((position.part, position.list.clone().unwrap_or_default(), position.cursor.is_some()));
        }
        let list = |id: &str, is_second: bool| (2, id.to_owned(), is_second);
        assert_eq!(path[..2], [(0, String::new(), true), (1, String::new(), false)]);
        assert_eq!(path[2..5], [list("a", false), list("a", true), list("b", false)]);
        assert_eq!((position.part, position.pages), (parts.len(), 6));
        assert_eq!(position.after_run(), Position { since: Some(9 * HOUR), ..Position::default() });
        let without_lists = Position { part: 1, ..Position::default() }.after(parts, &end(None, &[]));
        assert_eq!(without_lists.part, parts.len());
    }
}
