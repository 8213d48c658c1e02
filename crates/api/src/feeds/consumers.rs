//! Consumers: positions in what happens that a program acknowledges.

use std::sync::Arc;

use feeds::{ChangeMark, Consumer, EventFilter, NewConsumer, SourceKind, Start};
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
use crate::cursor::CursorScope;
use crate::error::ApiError;
use crate::tag::Tag;
use http_kit::app::App;
use http_kit::http::params::{Id, Name, Text};
use http_kit::http::request::request;
use http_kit::http::value::words;
use http_kit::http::word::Word;

request! {
    /// A consumer to create.
    pub(super) struct FeedConsumerRequest in camelCase {
        /// Unique within the account, whatever the case of its letters.
        name: Name<80> = "digest",
        /// Which events it follows. Names of collections are looked up now, and may change afterwards.
        r#where: Option<FeedEventWhere> = serde_json::json!({"kind": ["feed"]}),
        /// Where it begins: `latest`, `oldest`, or a cursor of getFeedChanges. Default `latest`.
        from: Option<Text<1, 500>> = "latest",
    }
}

request! {
    /// What to acknowledge.
    pub(super) struct FeedConsumerAck in camelCase {
        /// `nextCursor` of the page that was worked through, or the `cursor` of an event of it.
        cursor: Text<1, 500> = "AAY-8tVR0AAAAAAAAAAAAQ",
    }
}

/// Where a consumer goes back to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum)]
#[oai(rename_all = "snake_case")]
pub(super) enum FeedConsumerPosition {
    /// The oldest event that is kept.
    Oldest,
    /// The present end.
    Latest,
}

words!(FeedConsumerPosition);

request! {
    /// Where to go back to.
    pub(super) struct FeedConsumerReset in camelCase {
        /// Default `oldest`.
        to: Option<FeedConsumerPosition> = "oldest",
    }
}

/// Sources by the ids of their feeds.
#[derive(Debug, Object)]
pub(super) struct FeedConsumerSources {
    /// Only these; empty for all.
    pub include: Vec<i64>,
    /// None of these.
    pub exclude: Vec<i64>,
}

/// Which events a consumer follows.
#[derive(Debug, Object)]
pub(super) struct FeedConsumerWhere {
    /// Ids of collections; empty for all.
    pub collection: Vec<i64>,
    /// Sources.
    pub source: FeedConsumerSources,
    /// Kinds of sources; empty for all.
    pub kind: Vec<Word<SourceKind>>,
    /// A query about entries.
    pub text: Option<String>,
    /// Words of an author's name.
    pub author: Option<String>,
}

/// A consumer.
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase")]
pub(super) struct FeedConsumer {
    /// Counts from 1.
    pub id: i64,
    /// Unique within the account.
    pub name: String,
    /// Which events it follows.
    #[oai(rename = "where")]
    pub filter: FeedConsumerWhere,
    /// Everything up to here is acknowledged.
    pub acknowledged_cursor: String,
    /// When it was last given events, to the minute.
    pub last_delivered_at: Option<String>,
    /// When it last acknowledged some.
    pub acknowledged_at: Option<String>,
    /// Events that are not acknowledged, at most 1000.
    pub pending: i64,
    /// Whether there may be more than `pending` says.
    pub pending_partial: bool,
    /// When it was created.
    pub created_at: String,
}

/// One consumer.
#[derive(Debug, Object)]
#[oai(example)]
pub(super) struct FeedConsumerOne {
    /// The consumer.
    pub consumer: FeedConsumer,
}

/// The consumers of an account.
#[derive(Debug, Object)]
#[oai(example)]
pub(super) struct FeedConsumerList {
    /// The first created first; those that nobody used for 90 days are left out.
    pub consumers: Vec<FeedConsumer>,
}

/// There is such a consumer.
#[derive(ApiResponse)]
pub(super) enum FeedConsumerCreated {
    /// It was there before; nothing was changed.
    #[oai(status = 200)]
    Existing(Json<FeedConsumerOne>),
    /// The new consumer.
    #[oai(status = 201)]
    Created(Json<FeedConsumerOne>),
}

/// Positions that are acknowledged.
pub struct ConsumersApi;

#[OpenApi(tag = "Tag::Feeds")]
impl ConsumersApi {
    /// List consumers
    ///
    /// With how much each has still to acknowledge.
    #[oai(path = "/v1/feeds/consumers", method = "get", operation_id = "listFeedConsumers")]
    async fn list(
        &self,
        caller: Authorized<Read>,
        app: Data<&Arc<App>>,
    ) -> Result<Json<FeedConsumerList>, ApiError> {
        let account_id = caller.0.account_id;
        let mut consumers = Vec::new();
        for consumer in feeds::list_consumers(&app.domain, account_id).await? {
            consumers.push(shown(&app.domain, account_id, consumer).await?);
        }
        Ok(Json(FeedConsumerList { consumers }))
    }

    /// Create a consumer
    ///
    /// A named position in what happens, for a program that must miss nothing: it reads with getFeedChanges and
    /// acknowledges what it has worked through. One of this name with the same `where` is answered as it is. A consumer
    /// that nobody uses for 90 days ends. Programs that may only read keep a cursor instead.
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
            None | Some("latest") => Start::Latest,
            Some("oldest") => Start::Oldest,
            Some(cursor) => Start::After(opened(&app.domain, account_id, cursor).await?.sequence),
        };
        let new =
            NewConsumer { name: name.0, filter: r#where.map(EventFilter::from).unwrap_or_default(), from };
        let created = feeds::create_consumer(&app.domain, account_id, new).await?;
        let one = Json(FeedConsumerOne { consumer: shown(&app.domain, account_id, created.consumer).await? });
        Ok(if created.already {
            FeedConsumerCreated::Existing(one)
        } else {
            FeedConsumerCreated::Created(one)
        })
    }

    /// Acknowledge events
    ///
    /// Everything up to a cursor that was delivered to this consumer: it does not come again. A cursor at or before what
    /// is acknowledged already changes nothing, so a lost answer may be asked for again.
    #[oai(path = "/v1/feeds/consumers/:id/ack", method = "post", operation_id = "ackFeedConsumer")]
    async fn ack(
        &self,
        caller: Authorized<Write>,
        app: Data<&Arc<App>>,
        /// The consumer.
        id: Path<Id>,
        body: Body<FeedConsumerAck>,
    ) -> Result<Json<FeedConsumerOne>, Errors<404, 409, 410, 422>> {
        let account_id = caller.0.account_id;
        // A cursor of somebody else, or one that was made up, was not delivered either.
        let mark = opened(&app.domain, account_id, &body.0.cursor.0).await.ok();
        let id = ConsumerId::new(id.0.0);
        let consumer = feeds::acknowledge(&app.domain, account_id, id, mark).await?;
        Ok(Json(FeedConsumerOne { consumer: shown(&app.domain, account_id, consumer).await? }))
    }

    /// Reset a consumer
    ///
    /// Back to the oldest event that is kept, or to the present end. Cursors from before cannot be acknowledged any more.
    #[oai(path = "/v1/feeds/consumers/:id/reset", method = "post", operation_id = "resetFeedConsumer")]
    async fn reset(
        &self,
        caller: Authorized<Write>,
        app: Data<&Arc<App>>,
        /// The consumer.
        id: Path<Id>,
        body: Body<FeedConsumerReset>,
    ) -> Result<Json<FeedConsumerOne>, Errors<404, 410, 422>> {
        let account_id = caller.0.account_id;
        let to = match body.0.to {
            Some(FeedConsumerPosition::Latest) => Start::Latest,
            Some(FeedConsumerPosition::Oldest) | None => Start::Oldest,
        };
        let id = ConsumerId::new(id.0.0);
        let consumer = feeds::reset_consumer(&app.domain, account_id, id, to).await?;
        Ok(Json(FeedConsumerOne { consumer: shown(&app.domain, account_id, consumer).await? }))
    }

    /// Delete a consumer
    ///
    /// Its position is forgotten.
    #[oai(path = "/v1/feeds/consumers/:id", method = "delete", operation_id = "deleteFeedConsumer")]
    async fn delete(
        &self,
        caller: Authorized<Write>,
        app: Data<&Arc<App>>,
        /// The consumer.
        id: Path<Id>,
    ) -> Result<NoContent, Errors<404>> {
        feeds::delete_consumer(&app.domain, caller.0.account_id, ConsumerId::new(id.0.0)).await?;
        Ok(NoContent::Done)
    }
}

/// The position that a cursor carries.
async fn opened(domain: &Domain, account_id: AccountId, cursor: &str) -> Result<ChangeMark, ApiError> {
    let bound = CursorScope::from(ChangeMark::cursor_scope(account_id));
    let cursor = Text::<0, 500>(cursor.to_owned());
    let mark: Option<ChangeMark> = bound.open(domain, Some(&cursor)).await?;
    mark.ok_or_else(|| kernel::cursor_scope::invalid_cursor().into())
}

async fn shown(domain: &Domain, account_id: AccountId, consumer: Consumer) -> Result<FeedConsumer, ApiError> {
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
            kind: predicate.sources.kinds.into_iter().map(Word).collect(),
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
