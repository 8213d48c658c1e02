//! What happens in everything that an account follows.

use std::sync::Arc;

use feeds::{ChangeMark, Event, EventFilter, EventKind, EventPage, Reading, Source};
use kernel::{AccountId, ConsumerId, Domain, Error, rfc3339};
use poem::web::Data;
use poem_openapi::payload::Json;
use poem_openapi::{Object, OpenApi};

use super::filter::FeedEventWhere;
use super::objects::{FeedEntry, FeedSource};
use super::selected::{FieldNames, Fields, Selected};
use crate::answers::Errors;
use crate::authorize::{Authorized, Read};
use crate::body::Body;
use crate::cursor::CursorScope;
use crate::error::ApiError;
use crate::tag::Tag;
use http_kit::app::App;
use http_kit::http::params::{Id, Integer, Text};
use http_kit::http::request::request;
use http_kit::http::word::Word;

/// The cursor that stands for the present end of the log.
const LATEST: &str = "latest";

request! {
    /// From where on changes are wanted: exactly one of `cursor` and `consumerId`.
    pub(super) struct FeedChangesRequest in camelCase {
        /// `nextCursor` of the answer before, the `cursor` of an event, or `latest` for where things stand now.
        cursor: Option<Text<1, 500>> = "latest",
        /// A consumer: what it has not acknowledged yet, whatever was read before.
        consumer_id: Option<Id>,
        /// Which events; only with `cursor`. A consumer has its own.
        r#where: Option<FeedEventWhere> = serde_json::json!({"kind": ["feed", "monitor"]}),
        /// The fields of entries and sources that are shown. Default all; `id` always is.
        fields: Option<FieldNames> = ["title", "url"],
        /// The most events. Default 50.
        limit: Integer<1, 200> = 50 => 50,
        /// The most sources of each sort that need attention. Default 5; they are counted in any case.
        attention_limit: Integer<0, 500> = 5 => 5,
    }
    with exactly one of [cursor, consumer_id]
}

/// Something that happened.
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase")]
pub(super) struct FeedEvent {
    /// Rises; gaps mean nothing.
    pub sequence: i64,
    /// What happened.
    #[oai(rename = "type")]
    pub kind: Word<EventKind>,
    /// When.
    pub at: String,
    /// To go on behind this event, or to acknowledge it with all before it.
    pub cursor: String,
    /// The entry that it is about; null when it is about a source.
    pub entry_id: Option<i64>,
    /// That entry as it is now; null when it is gone.
    pub entry: Option<Selected<FeedEntry>>,
    /// The source as it is now; null when the event is about an entry.
    pub source: Option<Selected<FeedSource>>,
    /// Of `source.moved`: the feed that was followed before.
    pub from_feed_id: Option<i64>,
}

/// Sources that need somebody's attention.
#[derive(Debug, Object)]
pub(super) struct FeedSourceGroup {
    /// How many there are.
    pub count: u64,
    /// The first of them.
    pub sources: Vec<Selected<FeedSource>>,
}

/// What needs somebody's attention.
#[derive(Debug, Object)]
pub(super) struct FeedAttention {
    /// Sources that do not answer.
    pub failing: FeedSourceGroup,
    /// Sources without anything new for a long time.
    pub stale: FeedSourceGroup,
}

/// A page of what happened.
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase", example)]
pub(super) struct FeedChanges {
    /// In their order. A page may be empty though there is more: go on with `nextCursor`.
    pub events: Vec<FeedEvent>,
    /// Behind everything that was looked through. Keep it and ask again with it; of a consumer's page, acknowledge it.
    pub next_cursor: String,
    /// Whether there is more now.
    pub has_more: bool,
    /// Whether a consumer was left alone for so long that events may be lost to it.
    pub gap_detected: bool,
    /// Sources that need attention.
    pub attention: FeedAttention,
}

/// What happens.
pub struct ChangesApi;

#[OpenApi(tag = "Tag::Feeds")]
impl ChangesApi {
    /// Follow what happens
    ///
    /// New and changed entries, and sources that fail, recover or move, in one order. Begin with the cursor `latest`, keep
    /// `nextCursor` and ask again: nothing is missed. A cursor older than 30 days is answered 410.
    #[oai(path = "/v1/feeds/changes", method = "post", operation_id = "getFeedChanges")]
    async fn changes(
        &self,
        caller: Authorized<Read>,
        app: Data<&Arc<App>>,
        body: Body<FeedChangesRequest>,
    ) -> Result<Json<FeedChanges>, Errors<404, 409, 410, 422>> {
        let FeedChangesRequest { cursor, consumer_id, r#where, fields, limit, attention_limit } = body.0;
        let account_id = caller.0.account_id;
        let reading = Reading { limit: limit.get(), attention_limit: attention_limit.get() };
        let bound = CursorScope::from(ChangeMark::cursor_scope(account_id));
        let (page, mark) = match (cursor.as_ref().map(|cursor| cursor.0.as_str()), consumer_id) {
            (_, Some(_)) if r#where.is_some() => {
                return Err(Error::invalid_field("where", "is the consumer's own").into());
            }
            (_, Some(id)) => {
                feeds::read_consumer(&app.domain, account_id, ConsumerId::new(id.0), reading).await?
            }
            (Some(LATEST) | None, None) => {
                let filter = r#where.map(EventFilter::from).unwrap_or_default();
                at_end(feeds::latest(&app.domain, account_id, &filter, reading).await?)
            }
            (Some(cursor), None) => {
                let cursor = Text::<0, 500>(cursor.to_owned());
                let mark: ChangeMark =
                    bound.open(&app.domain, Some(&cursor)).await?.unwrap_or(ChangeMark::at(0));
                let filter = r#where.map(EventFilter::from).unwrap_or_default();
                at_end(feeds::changes(&app.domain, account_id, mark.sequence, &filter, reading).await?)
            }
        };
        Ok(Json(shown(&app.domain, account_id, page, mark, &Fields::from(fields)).await?))
    }
}

/// A page with the mark behind it.
fn at_end(page: EventPage) -> (EventPage, ChangeMark) {
    let mark = ChangeMark::at(page.end);
    (page, mark)
}

async fn shown(
    domain: &Domain,
    account_id: AccountId,
    page: EventPage,
    mark: ChangeMark,
    fields: &Fields,
) -> Result<FeedChanges, ApiError> {
    let mut events = Vec::with_capacity(page.events.len());
    for event in page.events {
        let cursor = cursor_of(domain, account_id, ChangeMark { sequence: event.sequence, ..mark }).await?;
        events.push(event_of(event, cursor, fields));
    }
    let group = |(count, sources): (u64, Vec<Source>)| FeedSourceGroup {
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

fn event_of(event: Event, cursor: String, fields: &Fields) -> FeedEvent {
    FeedEvent {
        sequence: event.sequence,
        kind: Word(event.kind),
        at: rfc3339(event.at),
        cursor,
        entry_id: event.entry_id.map(kernel::EntryId::as_i64),
        entry: event.entry.map(|entry| fields.of(entry.into())),
        source: event.source.map(|source| fields.of(source.into())),
        from_feed_id: event.from_feed_id.map(kernel::FeedId::as_i64),
    }
}

/// The cursor of a position in the log.
pub(super) async fn cursor_of(
    domain: &Domain,
    account_id: AccountId,
    mark: ChangeMark,
) -> Result<String, ApiError> {
    Ok(ChangeMark::cursor_scope(account_id).seal(domain, &mark.to_bytes()).await?)
}
