//! Lists of entries: filters, order, and continuation.

use feeds::{Order, StreamPage, StreamQuery, StreamScope};
use kernel::cursor_scope::CursorScope;
use kernel::{EntryId, Error};
use poem::Response;
use serde_json::{Value, json};

use super::call::GReaderCall;
use super::stream_id::{READING_LIST, StreamId};
use crate::answers::{json_answer, plain};
use crate::fault::malformed;
use crate::time::{format_day, span};

/// Default number of entries per page.
const DEFAULT_ITEMS: u32 = 20;
/// Maximum number of ids per page.
const MAX_IDS: u32 = 10_000;
/// Upper bound of the number that `stream/items/count` returns.
const MAX_COUNTED: u32 = 100_000;
/// Maximum number of entries per page.
pub(super) const MAX_ITEMS: u32 = 1_000;

impl GReaderCall<'_> {
    /// `stream/items/ids`: ids of the entries of a stream. Without a stream, returns the ids of all entries.
    pub(super) async fn item_ids(&self) -> Result<Response, Error> {
        let name = self.parameters.get("s").unwrap_or(READING_LIST);
        let Some(query) = self.query(name).await? else { return json_answer(&json!({ "itemRefs": [] })) };
        let page = self.page(&query, MAX_IDS).await?;
        let reference = |entry: &feeds::StreamEntry| {
            json!({
                "id": entry.id.to_string(),
                "directStreamIds": [],
                "timestampUsec": entry.discovered_us.to_string(),
            })
        };
        let mut answer = json!({ "itemRefs": page.entries.iter().map(reference).collect::<Vec<Value>>() });
        if let Some(after) = page.next_after {
            answer["continuation"] = self.continuation(&query, after).await?.into();
        }
        json_answer(&answer)
    }

    /// `stream/items/count`: number of entries in a stream. With the parameter `a`, also the date of the
    /// newest entry.
    pub(super) async fn item_count(&self) -> Result<Response, Error> {
        let name = self.parameters.get("s").ok_or_else(|| malformed("The parameter s is missing."))?;
        let Some(query) = self.query(name).await? else { return Ok(plain("0")) };
        let (domain, account_id) = (&self.app.domain, self.caller.account_id);
        let count = feeds::count_stream(domain, account_id, &query, MAX_COUNTED).await?;
        let asks_for_day = self.parameters.get("a").is_some_and(|a| matches!(a.trim(), "true" | "1"));
        let newest = if asks_for_day {
            let newest_first = StreamQuery { order: Order::Newest, ..query };
            feeds::stream(domain, account_id, &newest_first, None, 1).await?.entries.first().copied()
        } else {
            None
        };
        Ok(plain(match newest.and_then(|entry| format_day(entry.discovered_us)) {
            Some(day) => format!("{count}#{day}"),
            None => count.to_string(),
        }))
    }

    /// Builds the query for a stream name and the filter parameters. `None` if no entry can match.
    pub(super) async fn query(&self, name: &str) -> Result<Option<StreamQuery>, Error> {
        let order = match self.parameters.get("r") {
            Some("o") => Order::Oldest,
            Some(_) | None => Order::Newest,
        };
        let mut filter = StateFilter::default();
        filter.only(&StreamId::parse(name));
        let Some(mut scope) = self.scope(&StreamId::parse(name)).await? else { return Ok(None) };
        for name in self.parameters.all("it") {
            let id = StreamId::parse(name);
            filter.only(&id);
            if scope == StreamScope::All && id != StreamId::Unknown {
                let Some(narrower) = self.scope(&id).await? else { return Ok(None) };
                scope = narrower;
            }
        }
        for name in self.parameters.all("xt") {
            filter.exclude(&StreamId::parse(name));
        }
        if filter.is_nothing || (scope == StreamScope::Starred && filter.starred == Some(false)) {
            return Ok(None);
        }
        let time = |name: &str| self.parameters.get(name).and_then(span);
        let since = match time("ot") {
            Some((first, _)) => Some(feeds::last_discovered_before(&self.app.domain, first).await?),
            None => None,
        };
        let through = match time("nt") {
            Some((_, last)) => {
                Some(feeds::last_discovered_before(&self.app.domain, last.saturating_add(1)).await?)
            }
            None => None,
        };
        let StateFilter { unread, starred, .. } = filter;
        Ok(Some(StreamQuery { scope, unread, starred, since, through, order }))
    }

    /// Returns the entries that a stream contains. `None` if the stream does not exist.
    pub(super) async fn scope(&self, id: &StreamId) -> Result<Option<StreamScope>, Error> {
        let (domain, account_id) = (&self.app.domain, self.caller.account_id);
        Ok(match id {
            StreamId::ReadingList | StreamId::Read | StreamId::Unread => Some(StreamScope::All),
            StreamId::Starred => Some(StreamScope::Starred),
            StreamId::Feed(id) => Some(StreamScope::Feed(*id)),
            StreamId::Address(url) => {
                feeds::feed_of_address(domain, account_id, url).await?.map(StreamScope::Feed)
            }
            StreamId::Label(name) => {
                feeds::find_collection(domain, account_id, name).await?.map(StreamScope::Collection)
            }
            StreamId::Unknown => None,
        })
    }

    /// Returns the page that the parameters `n` (size) and `c` (continuation) select.
    pub(super) async fn page(&self, query: &StreamQuery, most: u32) -> Result<StreamPage, Error> {
        let requested =
            self.parameters.get("n").and_then(|n| n.trim().parse::<u64>().ok()).filter(|n| *n > 0);
        let limit = requested.map_or(DEFAULT_ITEMS, |n| u32::try_from(n).unwrap_or(most)).min(most);
        let after = match self.parameters.get("c") {
            Some(continuation) => Some(self.decode_continuation(query, continuation).await?),
            None => None,
        };
        feeds::stream(&self.app.domain, self.caller.account_id, query, after, limit).await
    }

    /// Returns the continuation for the page after this entry.
    pub(super) async fn continuation(&self, query: &StreamQuery, after: EntryId) -> Result<String, Error> {
        self.cursor_scope(query).seal(&self.app.domain, &after.as_i64().to_be_bytes()).await
    }

    async fn decode_continuation(&self, query: &StreamQuery, continuation: &str) -> Result<EntryId, Error> {
        let position = self.cursor_scope(query).open(&self.app.domain, continuation).await?;
        let position = position.try_into().map_err(|_| malformed("The continuation is invalid."))?;
        Ok(EntryId::new(i64::from_be_bytes(position)))
    }

    /// Returns the scope in which a continuation is valid: one stream of one account, in one order. Other
    /// filters may change between pages.
    fn cursor_scope(&self, query: &StreamQuery) -> CursorScope<'static> {
        let filters = format!("{:?}|{:?}", query.scope, query.order);
        CursorScope { account_id: self.caller.account_id, operation: "reader/api/0", filters }
    }
}

/// Filter by the state of entries.
#[derive(Debug, Default)]
struct StateFilter {
    unread: Option<bool>,
    starred: Option<bool>,
    is_nothing: bool,
}

impl StateFilter {
    /// Restricts the stream to entries with this state.
    fn only(&mut self, id: &StreamId) {
        match id {
            StreamId::Read => self.unread_is(false),
            StreamId::Unread => self.unread_is(true),
            StreamId::Starred => self.starred_is(true),
            StreamId::ReadingList
            | StreamId::Feed(_)
            | StreamId::Address(_)
            | StreamId::Label(_)
            | StreamId::Unknown => {}
        }
    }

    /// Excludes entries with this state.
    fn exclude(&mut self, id: &StreamId) {
        match id {
            StreamId::Read => self.unread_is(true),
            StreamId::Unread => self.unread_is(false),
            StreamId::Starred => self.starred_is(false),
            StreamId::ReadingList => self.is_nothing = true,
            StreamId::Feed(_) | StreamId::Address(_) | StreamId::Label(_) | StreamId::Unknown => {}
        }
    }

    fn unread_is(&mut self, unread: bool) {
        self.is_nothing |= self.unread.is_some_and(|known| known != unread);
        self.unread = Some(unread);
    }

    fn starred_is(&mut self, starred: bool) {
        self.is_nothing |= self.starred.is_some_and(|known| known != starred);
        self.starred = Some(starred);
    }
}
