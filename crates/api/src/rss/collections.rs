//! Operations on collections.

use std::sync::Arc;

use feeds::{NewCollection, UpdateCollection};
use kernel::bounds::{COLLECTION_FEEDS, COLLECTION_NAME_CHARS};
use poem::web::Data;
use poem_openapi::param::Path;
use poem_openapi::payload::Json;
use poem_openapi::{ApiResponse, OpenApi};

use super::numbers;
use super::schema::{RssCollection, RssCollectionList, RssCollectionOne};
use crate::answers::{Errors, NoContent};
use crate::authorize::{Authorized, Read, Write};
use crate::body::Body;
use crate::error::ApiError;
use crate::tag::Tag;
use http_kit::app::App;
use http_kit::http::params::{Id, Name};
use http_kit::http::request::request;
use http_kit::http::value::List;

/// An account's folders.
pub struct CollectionsApi;

/// A collection was created.
#[derive(ApiResponse)]
pub enum CollectionCreated {
    /// The new collection.
    #[oai(status = 201)]
    Created(Json<RssCollectionOne>),
}

request! {
    /// A collection to create.
    pub(super) struct RssCollectionRequest in camelCase {
        /// Unique within the account.
        name: Name<COLLECTION_NAME_CHARS> = "Magazines",
        /// Followed feeds to put in.
        feed_ids: List<Id, 0, COLLECTION_FEEDS> = [1] => List(Vec::new()),
    }
}

request! {
    /// What to change about a collection.
    pub(super) struct RssCollectionUpdate in camelCase {
        /// Unique within the account.
        name: Option<Name<COLLECTION_NAME_CHARS>> = "Magazines",
        /// The feeds that are in it from now on, and no others.
        feed_ids: Option<List<Id, 0, COLLECTION_FEEDS>>,
    }
}

#[OpenApi(tag = "Tag::Rss")]
impl CollectionsApi {
    /// List collections
    ///
    /// All of them; every account has one for feeds that are in no other.
    #[oai(path = "/v1/rss/collections", method = "get", operation_id = "listRssCollections")]
    async fn list(
        &self,
        caller: Authorized<Read>,
        app: Data<&Arc<App>>,
    ) -> Result<Json<RssCollectionList>, ApiError> {
        let found = feeds::list_collections(&app.domain, caller.0.account_id).await?;
        Ok(Json(RssCollectionList { collections: found.into_iter().map(RssCollection::from).collect() }))
    }

    /// Create a collection
    ///
    /// Empty, or with followed feeds, which leave the collection they were in.
    #[oai(path = "/v1/rss/collections", method = "post", operation_id = "createRssCollection")]
    async fn create(
        &self,
        caller: Authorized<Write>,
        app: Data<&Arc<App>>,
        body: Body<RssCollectionRequest>,
    ) -> Result<CollectionCreated, Errors<404, 409, 422>> {
        let RssCollectionRequest { name, feed_ids } = body.0;
        let new = NewCollection { name: name.0, feed_ids: numbers(feed_ids) };
        let made = feeds::create_collection(&app.domain, caller.0.account_id, new).await?;
        Ok(CollectionCreated::Created(Json(RssCollectionOne { collection: made.into() })))
    }

    /// Update a collection
    ///
    /// Its name, or which feeds are in it; feeds that are removed go to the unsorted collection.
    #[oai(path = "/v1/rss/collections/:id", method = "patch", operation_id = "updateRssCollection")]
    async fn update(
        &self,
        caller: Authorized<Write>,
        app: Data<&Arc<App>>,
        /// The collection.
        id: Path<Id>,
        body: Body<RssCollectionUpdate>,
    ) -> Result<Json<RssCollectionOne>, Errors<404, 409, 422>> {
        let RssCollectionUpdate { name, feed_ids } = body.0;
        let update = UpdateCollection { name: name.map(|name| name.0), feed_ids: feed_ids.map(numbers) };
        let updated =
            feeds::update_collection(&app.domain, caller.0.account_id, id.0.0.into(), update).await?;
        Ok(Json(RssCollectionOne { collection: updated.into() }))
    }

    /// Delete a collection
    ///
    /// Its feeds go to the unsorted collection.
    #[oai(path = "/v1/rss/collections/:id", method = "delete", operation_id = "deleteRssCollection")]
    async fn delete(
        &self,
        caller: Authorized<Write>,
        app: Data<&Arc<App>>,
        /// The collection.
        id: Path<Id>,
    ) -> Result<NoContent, Errors<404, 422>> {
        feeds::delete_collection(&app.domain, caller.0.account_id, id.0.0.into()).await?;
        Ok(NoContent::Done)
    }
}
