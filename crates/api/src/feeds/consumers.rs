//! Consumers: named positions in the event log that a program acknowledges.

use std::sync::Arc;

use feeds::{ChangeMark, Consumer, ConsumerStart, EventFilter, NewConsumer, SourceKind};
use kernel::{AccountId, ConsumerId, Domain, rfc3339};
use poem::web::Data;
use poem_openapi::param::Path;
use poem_openapi::payload::Json;
use poem_openapi::{ApiResponse, Enum, Object, OpenApi};

use super::changes::cursor_of;
use super::filter::FeedEventWhere;
use crate::answers::{Errors, NoContent};
use crate::authorize::{Authorized, Read, Write};
use crate::body::Body;
use crate::cursor::open_cursor;
use crate::error::ApiError;
use crate::tag::ApiTag;
use http_kit::app::App;
use http_kit::http::enum_param::EnumParam;
use http_kit::http::params::{Name, NumericId, Text};
use http_kit::http::request::request;
use http_kit::http::value::words;

request! {
    /// Consumer to create.
    pub(super) struct FeedConsumerRequest in camelCase {
        /// Name, unique within the account regardless of case.
        name: Name<80> = "digest",
        /// Event filter. Default: all events. Collection names are resolved to ids when the consumer is created.
        r#where: Option<FeedEventWhere> = serde_json::json!({"kind": ["feed"]}),
        /// Start position: `latest`, `oldest`, or a cursor of getFeedChanges. Default: `latest`.
        from: Option<Text<1, 500>> = "latest",
    }
}

request! {
    /// Position to acknowledge.
    pub(super) struct FeedConsumerAck in camelCase {
        /// `nextCursor` of the processed page, or the `cursor` of one of its events.
        cursor: Text<1, 500> = "AAY-8tVR0AAAAAAAAAAAAQ",
    }
}

/// Position to which a consumer is reset.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum)]
#[oai(rename_all = "snake_case")]
pub(super) enum FeedConsumerPosition {
    /// Oldest stored event.
    Oldest,
    /// Current end of the log.
    Latest,
}

words!(FeedConsumerPosition);

request! {
    /// Position to reset the consumer to.
    pub(super) struct FeedConsumerReset in camelCase {
        /// `oldest` or `latest`. Default: `oldest`.
        to: Option<FeedConsumerPosition> = "oldest",
    }
}

/// Included and excluded sources, by feed id.
#[derive(Debug, Object)]
pub(super) struct FeedConsumerSources {
    /// Ids of the included feeds; empty means all.
    pub include: Vec<i64>,
    /// Ids of the excluded feeds.
    pub exclude: Vec<i64>,
}

/// Event filter of a consumer. Conditions are combined with AND.
#[derive(Debug, Object)]
pub(super) struct FeedConsumerWhere {
    /// Ids of collections; empty means all.
    pub collection: Vec<i64>,
    /// Included and excluded sources.
    pub source: FeedConsumerSources,
    /// Kinds of sources; empty means all.
    pub kind: Vec<EnumParam<SourceKind>>,
    /// Search query for entries; null means no condition.
    pub text: Option<String>,
    /// Words of the author's name; null means no condition.
    pub author: Option<String>,
}

/// Named position in the event log.
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase")]
pub(super) struct FeedConsumer {
    /// Id of the consumer, from 1.
    pub id: i64,
    /// Name, unique within the account.
    pub name: String,
    /// Event filter of the consumer.
    #[oai(rename = "where")]
    pub filter: FeedConsumerWhere,
    /// Cursor up to which all events are acknowledged.
    pub acknowledged_cursor: String,
    /// Time of the last delivery of events, RFC 3339 UTC, accurate to a minute; null if there was none.
    pub last_delivered_at: Option<String>,
    /// Time of the last acknowledgement, RFC 3339 UTC; null if there was none.
    pub acknowledged_at: Option<String>,
    /// Number of events that are not acknowledged, at most 1000.
    pub pending: i64,
    /// True if the number of pending events may exceed `pending`.
    pub pending_partial: bool,
    /// Creation time, RFC 3339 UTC.
    pub created_at: String,
}

/// Response with one consumer.
#[derive(Debug, Object)]
#[oai(example)]
pub(super) struct FeedConsumerOne {
    /// The consumer.
    pub consumer: FeedConsumer,
}

/// Consumers of an account.
#[derive(Debug, Object)]
#[oai(example)]
pub(super) struct FeedConsumerList {
    /// Consumers, oldest first. Consumers that were not used for 90 days are omitted.
    pub consumers: Vec<FeedConsumer>,
}

#[derive(ApiResponse)]
pub(super) enum FeedConsumerCreated {
    /// The consumer already existed; nothing was changed.
    #[oai(status = 200)]
    Existing(Json<FeedConsumerOne>),
    /// The new consumer.
    #[oai(status = 201)]
    Created(Json<FeedConsumerOne>),
}

pub(crate) struct ConsumersApi;

#[OpenApi(tag = "ApiTag::Feeds")]
impl ConsumersApi {
    /// List consumers
    ///
    /// Returns the consumers with their number of pending events.
    #[oai(path = "/v1/feeds/consumers", method = "get", operation_id = "listFeedConsumers")]
    async fn list(
        &self,
        caller: Authorized<Read>,
        app: Data<&Arc<App>>,
    ) -> Result<Json<FeedConsumerList>, ApiError> {
        let account_id = caller.0.account_id;
        let mut consumers = Vec::new();
        for consumer in feeds::list_consumers(&app.domain, account_id).await? {
            consumers.push(consumer_response(&app.domain, account_id, consumer).await?);
        }
        Ok(Json(FeedConsumerList { consumers }))
    }

    /// Create a consumer
    ///
    /// A consumer is a named position in the event log. It ensures that no event is missed: read events with
    /// getFeedChanges, and acknowledge those that were processed. If a consumer with this name and `where` exists, it
    /// is returned unchanged. A consumer expires after 90 days without use. With read access only, store a cursor
    /// instead.
    #[oai(path = "/v1/feeds/consumers", method = "post", operation_id = "createFeedConsumer")]
    async fn create(
        &self,
        caller: Authorized<Write>,
        app: Data<&Arc<App>>,
        body: Body<FeedConsumerRequest>,
    ) -> Result<FeedConsumerCreated, Errors<404, 409, 422>> {
        let FeedConsumerRequest { name, r#where, from } = body.0;
        let account_id = caller.0.account_id;
        let from = match from.as_ref().map(|from| from.0.as_str()) {
            None | Some("latest") => ConsumerStart::Latest,
            Some("oldest") => ConsumerStart::Oldest,
            Some(cursor) => {
                ConsumerStart::After(change_mark_of(&app.domain, account_id, cursor).await?.sequence)
            }
        };
        let new =
            NewConsumer { name: name.0, filter: r#where.map(EventFilter::from).unwrap_or_default(), from };
        let created = feeds::create_consumer(&app.domain, account_id, new).await?;
        let one = Json(FeedConsumerOne {
            consumer: consumer_response(&app.domain, account_id, created.consumer).await?,
        });
        Ok(if created.already_existed {
            FeedConsumerCreated::Existing(one)
        } else {
            FeedConsumerCreated::Created(one)
        })
    }

    /// Acknowledge events
    ///
    /// Acknowledges all events up to a delivered cursor; they are not delivered again. An earlier cursor
    /// changes nothing, so the request is safe to retry.
    #[oai(path = "/v1/feeds/consumers/:id/ack", method = "post", operation_id = "ackFeedConsumer")]
    async fn ack(
        &self,
        caller: Authorized<Write>,
        app: Data<&Arc<App>>,
        /// Id of the consumer.
        id: Path<NumericId>,
        body: Body<FeedConsumerAck>,
    ) -> Result<Json<FeedConsumerOne>, Errors<404, 409, 410, 422>> {
        let account_id = caller.0.account_id;
        // A cursor that cannot be opened, because it is invalid or belongs to another account, counts as not
        // delivered.
        let mark = change_mark_of(&app.domain, account_id, &body.0.cursor.0).await.ok();
        let id = ConsumerId::new(id.0.0);
        let consumer = feeds::acknowledge(&app.domain, account_id, id, mark).await?;
        Ok(Json(FeedConsumerOne { consumer: consumer_response(&app.domain, account_id, consumer).await? }))
    }

    /// Reset a consumer
    ///
    /// Moves the consumer to the oldest stored event or to the end of the log. Cursors delivered before the reset can
    /// no longer be acknowledged.
    #[oai(path = "/v1/feeds/consumers/:id/reset", method = "post", operation_id = "resetFeedConsumer")]
    async fn reset(
        &self,
        caller: Authorized<Write>,
        app: Data<&Arc<App>>,
        /// Id of the consumer.
        id: Path<NumericId>,
        body: Body<FeedConsumerReset>,
    ) -> Result<Json<FeedConsumerOne>, Errors<404, 410, 422>> {
        let account_id = caller.0.account_id;
        let to = match body.0.to {
            Some(FeedConsumerPosition::Latest) => ConsumerStart::Latest,
            Some(FeedConsumerPosition::Oldest) | None => ConsumerStart::Oldest,
        };
        let id = ConsumerId::new(id.0.0);
        let consumer = feeds::reset_consumer(&app.domain, account_id, id, to).await?;
        Ok(Json(FeedConsumerOne { consumer: consumer_response(&app.domain, account_id, consumer).await? }))
    }

    /// Delete a consumer
    ///
    /// Deletes the consumer and its position.
    #[oai(path = "/v1/feeds/consumers/:id", method = "delete", operation_id = "deleteFeedConsumer")]
    async fn delete(
        &self,
        caller: Authorized<Write>,
        app: Data<&Arc<App>>,
        /// Id of the consumer.
        id: Path<NumericId>,
    ) -> Result<NoContent, Errors<404>> {
        feeds::delete_consumer(&app.domain, caller.0.account_id, ConsumerId::new(id.0.0)).await?;
        Ok(NoContent::Done)
    }
}

/// Decodes a cursor and verifies its signature.
async fn change_mark_of(
    domain: &Domain,
    account_id: AccountId,
    cursor: &str,
) -> Result<ChangeMark, ApiError> {
    let cursor_scope = ChangeMark::cursor_scope(account_id);
    let cursor = Text::<0, 500>(cursor.to_owned());
    let mark: Option<ChangeMark> = open_cursor(&cursor_scope, domain, Some(&cursor)).await?;
    mark.ok_or_else(|| kernel::cursor_scope::invalid_cursor().into())
}

async fn consumer_response(
    domain: &Domain,
    account_id: AccountId,
    consumer: Consumer,
) -> Result<FeedConsumer, ApiError> {
    let predicate = consumer.predicate;
    let feeds = |ids: Vec<kernel::FeedId>| ids.into_iter().map(kernel::FeedId::as_i64).collect();
    Ok(FeedConsumer {
        id: consumer.id.as_i64(),
        name: consumer.name,
        filter: FeedConsumerWhere {
            collection: predicate.sources.collections.into_iter().map(kernel::CollectionId::as_i64).collect(),
            source: FeedConsumerSources {
                include: feeds(predicate.sources.include),
                exclude: feeds(predicate.sources.exclude),
            },
            kind: predicate.sources.kinds.into_iter().map(EnumParam).collect(),
            text: predicate.text,
            author: predicate.author,
        },
        acknowledged_cursor: cursor_of(domain, account_id, consumer.mark).await?,
        last_delivered_at: consumer.last_delivered_at.map(rfc3339),
        acknowledged_at: consumer.acknowledged_at.map(rfc3339),
        pending: consumer.pending,
        pending_partial: consumer.pending_partial,
        created_at: rfc3339(consumer.created_at),
    })
}
