//! Event log of all sources that an account follows.

use std::sync::Arc;

use feeds::{ChangeMark, Event, EventFilter, EventKind, EventLimits, EventPage, FollowedSource};
use kernel::{AccountId, ConsumerId, Domain, Error, rfc3339};
use poem::web::Data;
use poem_openapi::payload::Json;
use poem_openapi::{Object, OpenApi};

use super::filter::FeedEventWhere;
use super::objects::{FeedEntry, FeedSource};
use super::selected::{FieldNames, SelectedFields, SelectedObject};
use crate::answers::Errors;
use crate::authorize::{Authorized, Read};
use crate::body::Body;
use crate::cursor::open_cursor;
use crate::error::ApiError;
use crate::tag::ApiTag;
use http_kit::app::App;
use http_kit::http::enum_param::EnumParam;
use http_kit::http::params::{Integer, NumericId, Text};
use http_kit::http::request::request;

/// Cursor that stands for the current end of the log.
const LATEST: &str = "latest";

request! {
    /// Position from which to read events: exactly one of `cursor` and `consumerId`.
    pub(super) struct FeedChangesRequest in camelCase {
        /// `nextCursor`, the `cursor` of an event, or `latest` for the end of the log.
        cursor: Option<Text<1, 500>> = "latest",
        /// Id of a consumer: returns its unacknowledged events.
        consumer_id: Option<NumericId>,
        /// Event filter. Only with `cursor`, because a consumer has its own filter. Default: all events.
        r#where: Option<FeedEventWhere> = serde_json::json!({"kind": ["feed", "monitor"]}),
        /// Fields of entries and sources to return. Default: all. `id` is always returned.
        fields: Option<FieldNames> = ["title", "url"],
        /// Maximum number of events. Default: 50.
        limit: Integer<1, 200> = 50 => 50,
        /// Maximum number of sources in each list of `attention`. Default: 5. The counts always include all sources.
        attention_limit: Integer<0, 500> = 5 => 5,
    }
    with exactly one of [cursor, consumer_id]
}

/// Event of a followed source.
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase")]
pub(super) struct FeedEvent {
    /// Increasing number of the event; gaps have no meaning.
    pub sequence: i64,
    /// Type of the event.
    #[oai(rename = "type")]
    pub kind: EnumParam<EventKind>,
    /// Time of the event, RFC 3339 UTC.
    pub at: String,
    /// Cursor after this event. Send it to continue from there, or to acknowledge this event and all earlier ones.
    pub cursor: String,
    /// Id of the entry; null if the event is about a source.
    pub entry_id: Option<i64>,
    /// Current state of the entry; null if the event is about a source or the entry was deleted.
    pub entry: Option<SelectedObject<FeedEntry>>,
    /// Current state of the source; null if the event is about an entry.
    pub source: Option<SelectedObject<FeedSource>>,
    /// For `source.moved`: id of the feed that was followed before; otherwise null.
    pub from_feed_id: Option<i64>,
}

/// Sources that need attention for one reason.
#[derive(Debug, Object)]
pub(super) struct FeedSourceGroup {
    /// Number of sources that need attention for this reason.
    pub count: u64,
    /// The first of these sources, up to `attentionLimit`.
    pub sources: Vec<SelectedObject<FeedSource>>,
}

/// Sources that need attention.
#[derive(Debug, Object)]
pub(super) struct FeedAttention {
    /// Sources that failed to respond at least three times in a row, over at least six hours.
    pub failing: FeedSourceGroup,
    /// Feeds without a new entry for 30 days; the period is longer for slow feeds.
    pub stale: FeedSourceGroup,
}

/// Page of events.
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase", example)]
pub(super) struct FeedChanges {
    /// Events in log order. A page may be empty although `hasMore` is true: continue with `nextCursor`.
    pub events: Vec<FeedEvent>,
    /// Cursor after this page. Store it for the next request; with `consumerId`, acknowledge it.
    pub next_cursor: String,
    /// True if more events follow this page now.
    pub has_more: bool,
    /// True if events were deleted before this consumer read them, because it was not read for 30 days.
    pub gap_detected: bool,
    /// Sources that need attention.
    pub attention: FeedAttention,
}

pub(crate) struct ChangesApi;

#[OpenApi(tag = "ApiTag::Feeds")]
impl ChangesApi {
    /// Get feed changes
    ///
    /// Returns new and changed entries, and sources that failed, recovered or moved, in log order. Start with the
    /// cursor `latest` and send `nextCursor` with each further request, so that no event is missed. A cursor older
    /// than 30 days fails with status 410.
    #[oai(path = "/v1/feeds/changes", method = "post", operation_id = "getFeedChanges")]
    async fn changes(
        &self,
        caller: Authorized<Read>,
        app: Data<&Arc<App>>,
        body: Body<FeedChangesRequest>,
    ) -> Result<Json<FeedChanges>, Errors<404, 409, 410, 422>> {
        let FeedChangesRequest { cursor, consumer_id, r#where, fields, limit, attention_limit } = body.0;
        let account_id = caller.0.account_id;
        let reading = EventLimits { limit: limit.get(), attention_limit: attention_limit.get() };
        let cursor_scope = ChangeMark::cursor_scope(account_id);
        let (page, mark) = match (cursor.as_ref().map(|cursor| cursor.0.as_str()), consumer_id) {
            (_, Some(_)) if r#where.is_some() => {
                return Err(Error::invalid_field("where", "must not be sent with consumerId").into());
            }
            (_, Some(id)) => {
                feeds::read_consumer(&app.domain, account_id, ConsumerId::new(id.0), reading).await?
            }
            (Some(LATEST) | None, None) => {
                let filter = r#where.map(EventFilter::from).unwrap_or_default();
                with_end_mark(feeds::latest(&app.domain, account_id, &filter, reading).await?)
            }
            (Some(cursor), None) => {
                let cursor = Text::<0, 500>(cursor.to_owned());
                let mark: ChangeMark = open_cursor(&cursor_scope, &app.domain, Some(&cursor))
                    .await?
                    .unwrap_or(ChangeMark::at(0));
                let filter = r#where.map(EventFilter::from).unwrap_or_default();
                with_end_mark(feeds::changes(&app.domain, account_id, mark.sequence, &filter, reading).await?)
            }
        };
        Ok(Json(changes_response(&app.domain, account_id, page, mark, &SelectedFields::from(fields)).await?))
    }
}

/// Returns the page with the mark of the position after it.
fn with_end_mark(page: EventPage) -> (EventPage, ChangeMark) {
    let mark = ChangeMark::at(page.end);
    (page, mark)
}

async fn changes_response(
    domain: &Domain,
    account_id: AccountId,
    page: EventPage,
    mark: ChangeMark,
    fields: &SelectedFields,
) -> Result<FeedChanges, ApiError> {
    let mut events = Vec::with_capacity(page.events.len());
    for event in page.events {
        let cursor = cursor_of(domain, account_id, ChangeMark { sequence: event.sequence, ..mark }).await?;
        events.push(event_of(event, cursor, fields));
    }
    let group = |(count, sources): (u64, Vec<FollowedSource>)| FeedSourceGroup {
        count,
        sources: sources.into_iter().map(|source| fields.of(source.into())).collect(),
    };
    Ok(FeedChanges {
        events,
        next_cursor: cursor_of(domain, account_id, mark).await?,
        has_more: page.has_more,
        gap_detected: page.gap_detected,
        attention: FeedAttention {
            failing: group(page.attention.failing),
            stale: group(page.attention.stale),
        },
    })
}

fn event_of(event: Event, cursor: String, fields: &SelectedFields) -> FeedEvent {
    FeedEvent {
        sequence: event.sequence,
        kind: EnumParam(event.kind),
        at: rfc3339(event.at),
        cursor,
        entry_id: event.entry_id.map(kernel::EntryId::as_i64),
        entry: event.entry.map(|entry| fields.of(entry.into())),
        source: event.source.map(|source| fields.of(source.into())),
        from_feed_id: event.from_feed_id.map(kernel::FeedId::as_i64),
    }
}

/// Creates the cursor of a position in the log.
pub(super) async fn cursor_of(
    domain: &Domain,
    account_id: AccountId,
    mark: ChangeMark,
) -> Result<String, ApiError> {
    Ok(ChangeMark::cursor_scope(account_id).seal(domain, &mark.to_bytes()).await?)
}
