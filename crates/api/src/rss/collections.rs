//! Operations on collections.

use std::sync::Arc;

use feeds::{NewCollection, UpdateCollection};
use kernel::bounds::{COLLECTION_FEEDS, COLLECTION_NAME_CHARS};
use poem::web::Data;
use poem_openapi::param::Path;
use poem_openapi::payload::Json;
use poem_openapi::{ApiResponse, OpenApi};

use super::schema::{RssCollection, RssCollectionList, RssCollectionOne};
use super::typed_ids::typed_ids;
use crate::answers::{Errors, NoContent};
use crate::authorize::{Authorized, Read, Write};
use crate::body::Body;
use crate::error::ApiError;
use crate::tag::ApiTag;
use http_kit::app::App;
use http_kit::http::params::{Name, NumericId};
use http_kit::http::request::request;
use http_kit::http::value::List;

pub(crate) struct CollectionsApi;

#[derive(ApiResponse)]
pub enum CollectionCreated {
    /// The new collection.
    #[oai(status = 201)]
    Created(Json<RssCollectionOne>),
}

request! {
    /// Collection to create.
    pub(super) struct RssCollectionRequest in camelCase {
        /// Name, unique within the account.
        name: Name<COLLECTION_NAME_CHARS> = "Magazines",
        /// Ids of followed feeds to add. Default: none.
        feed_ids: List<NumericId, 0, COLLECTION_FEEDS> = [1] => List(Vec::new()),
    }
}

request! {
    /// Changes to a collection; omitted fields stay unchanged.
    pub(super) struct RssCollectionUpdate in camelCase {
        /// Name, unique within the account.
        name: Option<Name<COLLECTION_NAME_CHARS>> = "Magazines",
        /// Ids of the feeds in the collection; replaces all.
        feed_ids: Option<List<NumericId, 0, COLLECTION_FEEDS>>,
    }
}

#[OpenApi(tag = "ApiTag::Rss")]
impl CollectionsApi {
    /// List collections
    ///
    /// Returns all collections, including the unsorted collection.
    #[oai(path = "/v1/rss/collections", method = "get", operation_id = "listRssCollections")]
    async fn list(
        &self,
        caller: Authorized<Read>,
        app: Data<&Arc<App>>,
    ) -> Result<Json<RssCollectionList>, ApiError> {
        let collections = feeds::list_collections(&app.domain, caller.0.account_id).await?;
        Ok(Json(RssCollectionList {
            collections: collections.into_iter().map(RssCollection::from).collect(),
        }))
    }

    /// Create a collection
    ///
    /// Followed feeds can be moved into it from their current collections.
    #[oai(path = "/v1/rss/collections", method = "post", operation_id = "createRssCollection")]
    async fn create(
        &self,
        caller: Authorized<Write>,
        app: Data<&Arc<App>>,
        body: Body<RssCollectionRequest>,
    ) -> Result<CollectionCreated, Errors<404, 409, 422>> {
        let RssCollectionRequest { name, feed_ids } = body.0;
        let new = NewCollection { name: name.0, feed_ids: typed_ids(feed_ids) };
        let made = feeds::create_collection(&app.domain, caller.0.account_id, new).await?;
        Ok(CollectionCreated::Created(Json(RssCollectionOne { collection: made.into() })))
    }

    /// Update a collection
    ///
    /// Changes the name or the feeds of a collection. Removed feeds are moved to the unsorted collection.
    #[oai(path = "/v1/rss/collections/:id", method = "patch", operation_id = "updateRssCollection")]
    async fn update(
        &self,
        caller: Authorized<Write>,
        app: Data<&Arc<App>>,
        /// Id of the collection.
        id: Path<NumericId>,
        body: Body<RssCollectionUpdate>,
    ) -> Result<Json<RssCollectionOne>, Errors<404, 409, 422>> {
        let RssCollectionUpdate { name, feed_ids } = body.0;
        let update = UpdateCollection { name: name.map(|name| name.0), feed_ids: feed_ids.map(typed_ids) };
        let updated =
            feeds::update_collection(&app.domain, caller.0.account_id, id.0.0.into(), update).await?;
        Ok(Json(RssCollectionOne { collection: updated.into() }))
    }

    /// Delete a collection
    ///
    /// Its feeds are moved to the unsorted collection.
    #[oai(path = "/v1/rss/collections/:id", method = "delete", operation_id = "deleteRssCollection")]
    async fn delete(
        &self,
        caller: Authorized<Write>,
        app: Data<&Arc<App>>,
        /// Id of the collection.
        id: Path<NumericId>,
    ) -> Result<NoContent, Errors<404, 422>> {
        feeds::delete_collection(&app.domain, caller.0.account_id, id.0.0.into()).await?;
        Ok(NoContent::Done)
    }
}
