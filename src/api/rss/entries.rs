//! Operations on entries and read state.

use std::sync::Arc;

use domain::feeds::{self, EntryFilter, MarkRead, Order, Scope};
use poem::web::Data;
use poem_openapi::param::{Path, Query};
use poem_openapi::payload::Json;
use poem_openapi::{Enum, OpenApi};
use serde_json::Value;

use super::schema::{
    RssEntriesUpdate, RssEntriesUpdated, RssEntry, RssEntryContent, RssEntryList, RssEntryOne,
    RssMarkReadRequest, RssMarkedRead,
};
use super::values::{Flag, Id, Time, flag, id, ids, time};
use crate::api::Tag;
use crate::api::body::Input;
use crate::api::cursor::Bound;
use crate::api::error::ApiError;
use crate::api::guard::{Allowed, Read, Write};
use crate::app::App;
use crate::http::fields::{Fault, Fields};
use crate::http::params::{Integer, Text};

/// Entries marked in one request.
const MOST_IDS: usize = 500;
/// Characters of an entry's text when none are asked for.
const CHARACTERS: usize = 12_000;

/// Which entry comes first.
#[derive(Debug, Clone, Copy, Enum)]
#[oai(rename_all = "snake_case")]
pub(super) enum EntryOrder {
    /// The one discovered last.
    Newest,
    /// The one discovered first.
    Oldest,
}

/// What arrived.
pub struct EntriesApi;

#[OpenApi(tag = "Tag::Rss")]
impl EntriesApi {
    /// List entries
    ///
    /// Of all followed feeds, or of one feed or collection, newest first unless asked otherwise.
    #[oai(path = "/v1/rss/entries", method = "get", operation_id = "listRssEntries")]
    #[expect(clippy::too_many_arguments, reason = "each parameter of the operation is one argument")]
    async fn list(
        &self,
        caller: Allowed<Read>,
        app: Data<&Arc<App>>,
        /// `nextCursor` of the page before.
        cursor: Query<Option<Text<0, 500>>>,
        /// The most entries on a page. Default 50.
        limit: Query<Option<Integer<1, 100>>>,
        /// Only those of this feed.
        #[oai(name = "feedId")]
        feed_id: Query<Option<Id>>,
        /// Only those of the feeds in this collection.
        #[oai(name = "collectionId")]
        collection_id: Query<Option<Id>>,
        /// Only unread ones, or only read ones.
        unread: Query<Option<Flag>>,
        /// Only those with all these words in title, summary or author.
        query: Query<Option<Text<0, 500>>>,
        /// Only those published after this time.
        #[oai(name = "publishedAfter")]
        published_after: Query<Option<Time>>,
        /// Only those discovered after this time.
        #[oai(name = "discoveredAfter")]
        discovered_after: Query<Option<Time>>,
        /// Which comes first. Default `newest`.
        order: Query<Option<EntryOrder>>,
    ) -> Result<Json<RssEntryList>, ApiError> {
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
        };
        let bound = Bound { account_id, operation: "listRssEntries", filters: format!("{filter:?}") };
        let after = bound.open(&app.domain, cursor.0.as_ref().map(|text| text.0.as_str())).await?;
        let limit = limit.0.map_or(50, |limit| u32::try_from(limit.0).unwrap_or(50));
        let page = feeds::list_entries(&app.domain, account_id, &filter, after, limit).await?;
        let next_cursor = bound.seal(&app.domain, page.next_after).await?;
        let entries = page.entries.into_iter().map(RssEntry::from).collect();
        Ok(Json(RssEntryList { entries, next_cursor, unread_total: page.unread_total }))
    }

    /// Show an entry
    ///
    /// With its text: the article's where the subscription asks for that, else the feed's.
    #[oai(path = "/v1/rss/entries/:id", method = "get", operation_id = "getRssEntry")]
    async fn get(
        &self,
        caller: Allowed<Read>,
        app: Data<&Arc<App>>,
        /// The entry.
        id: Path<Id>,
        /// The most characters of the text. Default 12000.
        #[oai(name = "contentMaxCharacters")]
        most: Query<Option<Integer<500, 12000>>>,
    ) -> Result<Json<RssEntryOne>, ApiError> {
        let most = most.0.map_or(CHARACTERS, |most| usize::try_from(most.0).unwrap_or(CHARACTERS));
        let account_id = caller.0.account_id;
        let (entry, content) =
            feeds::get_entry(&app.domain, &app.guard, account_id, id.0.0.into(), most).await?;
        let content = content.map(|content| RssEntryContent {
            text: content.text,
            characters: content.characters as u64,
            truncated: content.truncated,
        });
        Ok(Json(RssEntryOne { entry: entry.into(), content }))
    }

    /// Mark entries
    ///
    /// Read or unread, up to 500 at once.
    #[oai(path = "/v1/rss/entries", method = "patch", operation_id = "updateRssEntries")]
    async fn update(
        &self,
        caller: Allowed<Write>,
        app: Data<&Arc<App>>,
        body: Input<RssEntriesUpdate>,
    ) -> Result<Json<RssEntriesUpdated>, ApiError> {
        let mut fields = Fields::of(&body.0, "")?;
        let wanted = ids(&mut fields, "ids", MOST_IDS)?.filter(|ids| !ids.is_empty());
        let wanted = wanted.ok_or_else(|| fields.fault("ids", "must hold 1 to 500 ids"))?;
        let unread = flag(&mut fields, "unread")?.ok_or_else(|| fields.fault("unread", "is required"))?;
        fields.finish()?;
        let (updated, missing) =
            feeds::mark_entries(&app.domain, caller.0.account_id, &wanted, unread).await?;
        Ok(Json(RssEntriesUpdated { updated, missing }))
    }

    /// Mark everything as read
    ///
    /// In one feed, in one collection or everywhere, up to a time, so that what arrived since stays unread.
    #[oai(path = "/v1/rss/mark-read", method = "post", operation_id = "markRssRead")]
    async fn mark_read(
        &self,
        caller: Allowed<Write>,
        app: Data<&Arc<App>>,
        body: Input<RssMarkReadRequest>,
    ) -> Result<Json<RssMarkedRead>, ApiError> {
        let request = mark_of(&body.0)?;
        let updated = feeds::mark_read(&app.domain, caller.0.account_id, request).await?;
        Ok(Json(RssMarkedRead { updated }))
    }
}

fn mark_of(body: &Value) -> Result<MarkRead, Fault> {
    let mut fields = Fields::of(body, "")?;
    let (feed_id, collection_id) = (id(&mut fields, "feedId")?, id(&mut fields, "collectionId")?);
    let all = flag(&mut fields, "all")?;
    let discovered_before = time(&mut fields, "discoveredBefore")?;
    let scope = match (feed_id, collection_id, all) {
        (Some(id), None, None) => Scope::Feed(id),
        (None, Some(id), None) => Scope::Collection(id),
        (None, None, Some(true)) => Scope::All,
        _ => return Err(fields.fault("", "needs exactly one of feedId, collectionId and all: true")),
    };
    fields.finish()?;
    Ok(MarkRead { scope, discovered_before })
}
