//! Operations on collections.

use std::sync::Arc;

use domain::feeds::{self, NewCollection, UpdateCollection};
use poem::web::Data;
use poem_openapi::param::Path;
use poem_openapi::payload::Json;
use poem_openapi::{ApiResponse, OpenApi};

use super::schema::{
    RssCollection, RssCollectionList, RssCollectionOne, RssCollectionRequest, RssCollectionUpdate,
};
use super::values::{Id, ids};
use crate::api::Tag;
use crate::api::account::Gone;
use crate::api::body::Input;
use crate::api::error::ApiError;
use crate::api::guard::{Allowed, Read, Write};
use crate::app::App;
use crate::http::fields::Fields;

/// Feeds in one collection.
const MOST_FEEDS: usize = 2500;

/// An account's folders.
pub struct CollectionsApi;

/// A collection was made.
#[derive(ApiResponse)]
pub enum CollectionMade {
    /// The new collection.
    #[oai(status = 201)]
    Created(Json<RssCollectionOne>),
}

#[OpenApi(tag = "Tag::Rss")]
impl CollectionsApi {
    /// List collections
    ///
    /// All of them; every account has one for feeds that lie nowhere else.
    #[oai(path = "/v1/rss/collections", method = "get", operation_id = "listRssCollections")]
    async fn list(
        &self,
        caller: Allowed<Read>,
        app: Data<&Arc<App>>,
    ) -> Result<Json<RssCollectionList>, ApiError> {
        let found = feeds::list_collections(&app.domain, caller.0.account_id).await?;
        Ok(Json(RssCollectionList { collections: found.into_iter().map(RssCollection::from).collect() }))
    }

    /// Make a collection
    ///
    /// Empty, or with followed feeds, which leave the collection they were in.
    #[oai(path = "/v1/rss/collections", method = "post", operation_id = "createRssCollection")]
    async fn create(
        &self,
        caller: Allowed<Write>,
        app: Data<&Arc<App>>,
        body: Input<RssCollectionRequest>,
    ) -> Result<CollectionMade, ApiError> {
        let mut fields = Fields::of(&body.0, "")?;
        let name = fields.text("name", 1, 80)?.ok_or_else(|| fields.fault("name", "is required"))?.to_owned();
        let feed_ids = ids(&mut fields, "feedIds", MOST_FEEDS)?.unwrap_or_default();
        fields.finish()?;
        let new = NewCollection { name, feed_ids };
        let made = feeds::create_collection(&app.domain, &app.limits, caller.0.account_id, new).await?;
        Ok(CollectionMade::Created(Json(RssCollectionOne { collection: made.into() })))
    }

    /// Change a collection
    ///
    /// Its name, or which feeds are in it; feeds that are taken out go to the unsorted collection.
    #[oai(path = "/v1/rss/collections/:id", method = "patch", operation_id = "updateRssCollection")]
    async fn update(
        &self,
        caller: Allowed<Write>,
        app: Data<&Arc<App>>,
        /// The collection.
        id: Path<Id>,
        body: Input<RssCollectionUpdate>,
    ) -> Result<Json<RssCollectionOne>, ApiError> {
        let mut fields = Fields::of(&body.0, "")?;
        let update = UpdateCollection {
            name: fields.text("name", 1, 80)?.map(str::to_owned),
            feed_ids: ids(&mut fields, "feedIds", MOST_FEEDS)?,
        };
        fields.finish()?;
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
        caller: Allowed<Write>,
        app: Data<&Arc<App>>,
        /// The collection.
        id: Path<Id>,
    ) -> Result<Gone, ApiError> {
        feeds::delete_collection(&app.domain, caller.0.account_id, id.0.0.into()).await?;
        Ok(Gone::NoContent)
    }
}
