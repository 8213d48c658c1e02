//! Operations on entries and read state.

use std::sync::Arc;

use articles::Payer;
use feeds::{ContentSource, EntryFilter, MarkRead, Order, ReadBound, ReadScope};
use kernel::bounds::MARKED_ENTRIES;
use kernel::cursor_scope::CursorScope;
use kernel::{Code, EntryId};
use library::SAVE_TIMEOUT;
use poem::web::Data;
use poem_openapi::param::{Path, Query};
use poem_openapi::payload::Json;
use poem_openapi::{Enum, OpenApi};
use tokio::time::Instant;

use super::schema::{
    RssContentSource, RssEntriesUpdated, RssEntry, RssEntryContent, RssEntryList, RssEntryOne, RssMarkedRead,
};
use super::typed_ids::typed_ids;
use crate::answers::{Errors, Single};
use crate::authorize::{Authorized, Fresh, Read, Write};
use crate::body::Body;
use crate::cursor::{Cursor, Limit, open_cursor, page_size, seal_cursor};
use crate::library::{ItemSaved, saved_answer};
use crate::tag::ApiTag;
use http_kit::app::App;
use http_kit::http::params::{Flag, Integer, NumericId, Text, Time, True};
use http_kit::http::request::request;
use http_kit::http::value::List;

/// Default maximum length of an entry's text, in characters.
const CHARACTERS: usize = 12_000;

/// Sort order of entries.
#[derive(Debug, Clone, Copy, Enum)]
#[oai(rename_all = "snake_case")]
pub(super) enum EntryOrder {
    /// Last discovered first.
    Newest,
    /// First discovered first.
    Oldest,
}

request! {
    /// Entries to mark.
    pub(super) struct RssEntriesUpdate in camelCase {
        /// 1 to 500 entry ids.
        ids: List<NumericId, 1, MARKED_ENTRIES> = [1, 2],
        /// True marks the entries as unread, false as read.
        unread: Flag = false,
    }
}

request! {
    /// Entries to mark as read: exactly one of `feedId`, `collectionId` and `all`, and exactly one of
    /// `discoveredBefore` and `throughId`.
    pub(super) struct RssMarkReadRequest in camelCase {
        /// Entries of this feed.
        feed_id: Option<NumericId>,
        /// Entries of the feeds in this collection.
        collection_id: Option<NumericId>,
        /// `true`: entries of all followed feeds.
        all: Option<True> = true,
        /// Only entries discovered before this time, RFC 3339 or a date.
        discovered_before: Option<Time>,
        /// Only entries up to this id: the `asOfId` of a list.
        through_id: Option<NumericId> = 1024,
    }
    with exactly one of [feed_id, collection_id, all]
    with exactly one of [discovered_before, through_id]
}

impl From<RssMarkReadRequest> for MarkRead {
    fn from(request: RssMarkReadRequest) -> Self {
        let scope = match (request.feed_id, request.collection_id) {
            (Some(id), _) => ReadScope::Feed(id.0.into()),
            (None, Some(id)) => ReadScope::Collection(id.0.into()),
            (None, None) => ReadScope::All,
        };
        let bound = match (request.through_id, request.discovered_before) {
            (Some(id), _) => ReadBound::Through(id.0.into()),
            (None, Some(time)) => ReadBound::DiscoveredBefore(time.0),
            (None, None) => ReadBound::DiscoveredBefore(0),
        };
        Self { scope, bound }
    }
}

/// Returns the warnings about the text of an entry.
fn warnings(needs_browser: bool) -> Vec<String> {
    needs_browser.then(|| Code::RendererUnavailable.as_str().to_owned()).into_iter().collect()
}

pub(crate) struct EntriesApi;

#[OpenApi(tag = "ApiTag::Rss")]
impl EntriesApi {
    /// List entries
    ///
    /// Returns entries of all followed feeds, or of one feed or collection; newest first by default.
    #[oai(path = "/v1/rss/entries", method = "get", operation_id = "listRssEntries")]
    #[expect(clippy::too_many_arguments, reason = "each parameter of the operation is one argument")]
    async fn list(
        &self,
        caller: Authorized<Read>,
        app: Data<&Arc<App>>,
        /// `nextCursor` of the previous page.
        cursor: Cursor,
        /// Maximum number of entries per page. Default: 50.
        limit: Limit,
        /// Only entries of this feed.
        #[oai(name = "feedId")]
        feed_id: Query<Option<NumericId>>,
        /// Only entries of the feeds in this collection.
        #[oai(name = "collectionId")]
        collection_id: Query<Option<NumericId>>,
        /// Only unread (true) or only read (false) entries.
        unread: Query<Option<Flag>>,
        /// Words, `"phrases"`, `-excluded`, `prefix*`, `domain:`, `title:`, `author:`, `feed:`, `category:`, `is:unread`,
        /// `after:7d`, `before:2026-02`, `OR`, `( )` or a URL, in title, summary and author.
        query: Query<Option<Text<0, 500>>>,
        /// Only entries published (if unknown, discovered) after this time, RFC 3339 or a date.
        #[oai(name = "publishedAfter")]
        published_after: Query<Option<Time>>,
        /// Only entries discovered after this time, RFC 3339 or a date.
        #[oai(name = "discoveredAfter")]
        discovered_after: Query<Option<Time>>,
        /// Sort order. Default: `newest`.
        order: Query<Option<EntryOrder>>,
    ) -> Result<Json<RssEntryList>, Errors<422>> {
        let account_id = caller.0.account_id;
        let filter = EntryFilter {
            feed_id: feed_id.0.map(|id| id.0.into()),
            collection_id: collection_id.0.map(|id| id.0.into()),
            unread: unread.0.map(|flag| flag.0),
            query: query.0.map(|text| text.0).filter(|text| !text.trim().is_empty()),
            published_after: published_after.0.map(|time| time.0),
            discovered_after: discovered_after.0.map(|time| time.0),
            order: match order.0 {
                Some(EntryOrder::Oldest) => Order::Oldest,
                Some(EntryOrder::Newest) | None => Order::Newest,
            },
            ..EntryFilter::default()
        };
        let cursor_scope =
            CursorScope { account_id, operation: "listRssEntries", filters: format!("{filter:?}") };
        let after = open_cursor(&cursor_scope, &app.domain, cursor.0.as_ref()).await?;
        let _permit = app.limit_long_answers(account_id).await;
        let page = feeds::list_entries(&app.domain, account_id, &filter, after, page_size(&limit)).await?;
        let next_cursor = seal_cursor(&cursor_scope, &app.domain, page.next_after).await?;
        let entries = page.entries.into_iter().map(RssEntry::from).collect();
        Ok(Json(RssEntryList {
            entries,
            next_cursor,
            as_of_id: page.as_of_id.as_i64(),
            unread_total: page.unread_total,
            unread_partial: page.unread_partial,
        }))
    }

    /// Get an entry
    ///
    /// Returns the entry with the text of the article if the subscription has `fullText`, otherwise with the text of
    /// the feed.
    #[oai(path = "/v1/rss/entries/:id", method = "get", operation_id = "getRssEntry")]
    async fn get(
        &self,
        caller: Authorized<Read>,
        app: Data<&Arc<App>>,
        /// Id of the entry.
        id: Path<NumericId>,
        /// Maximum characters of the text. Default: 12000.
        #[oai(name = "contentMaxCharacters")]
        most: Query<Option<Integer<500, 12000>>>,
    ) -> Result<Single<RssEntryOne>, Errors<404, 422>> {
        let most = most.0.map_or(CHARACTERS, |most| usize::try_from(most.0).unwrap_or(CHARACTERS));
        let account_id = caller.0.account_id;
        let (entry, content) = feeds::get_entry(&app.domain, account_id, id.0.0.into(), most).await?;
        let content = content.map(|content| RssEntryContent {
            text: content.text,
            characters: content.characters as u64,
            truncated: content.truncated,
            source: match content.source {
                ContentSource::Feed => RssContentSource::Feed,
                ContentSource::Article => RssContentSource::Article,
            },
            pending: content.pending,
            warnings: warnings(content.needs_browser),
        });
        Ok(Single::of(RssEntryOne { entry: entry.into(), content }))
    }

    /// Save an entry
    ///
    /// Saves the entry to the library by its URL. If the item exists, only its missing values are filled in.
    #[oai(path = "/v1/rss/entries/:id/save", method = "post", operation_id = "saveRssEntry")]
    async fn save(
        &self,
        caller: Authorized<Write, Fresh>,
        app: Data<&Arc<App>>,
        /// Id of the entry.
        id: Path<NumericId>,
    ) -> Result<ItemSaved, Errors<404, 422>> {
        let payer = Payer { account_id: caller.0.account_id, tier: caller.0.tier };
        let deadline = Instant::now() + SAVE_TIMEOUT;
        let progress = library::save_entry(&app.domain, payer, id.0.0.into()).await?;
        let saved = app.engine.await_result(progress, deadline).await?;
        Ok(saved_answer(&app, saved))
    }

    /// Mark entries
    ///
    /// Marks up to 500 entries as read or unread.
    #[oai(path = "/v1/rss/entries", method = "patch", operation_id = "updateRssEntries")]
    async fn update(
        &self,
        caller: Authorized<Write>,
        app: Data<&Arc<App>>,
        body: Body<RssEntriesUpdate>,
    ) -> Result<Json<RssEntriesUpdated>, Errors<422>> {
        let RssEntriesUpdate { ids, unread } = body.0;
        let (ids, account_id) = (typed_ids::<EntryId, 1, MARKED_ENTRIES>(ids), caller.0.account_id);
        let (updated, missing) = feeds::mark_entries(&app.domain, account_id, &ids, unread.0).await?;
        Ok(Json(RssEntriesUpdated { updated, missing }))
    }

    /// Mark everything as read
    ///
    /// Marks the entries of one feed, one collection, or all feeds as read, up to an entry or a time. Later
    /// entries stay unread.
    #[oai(path = "/v1/rss/mark-read", method = "post", operation_id = "markRssRead")]
    async fn mark_read(
        &self,
        caller: Authorized<Write>,
        app: Data<&Arc<App>>,
        body: Body<RssMarkReadRequest>,
    ) -> Result<Json<RssMarkedRead>, Errors<404, 422>> {
        let updated = feeds::mark_read(&app.domain, caller.0.account_id, body.0.into()).await?;
        Ok(Json(RssMarkedRead { updated }))
    }
}
