//! Operations on the tags that the operator's language model attached to items.

use std::sync::Arc;

use poem::web::Data;
use poem_openapi::param::Path;
use poem_openapi::payload::Json;
use poem_openapi::types::Example;
use poem_openapi::{ApiResponse, Object, OpenApi};

use super::examples::item_id;
use super::request::id_of;
use crate::answers::{Errors, NoContent};
use crate::authorize::{Authorized, Read, Write};
use crate::error::ApiError;
use crate::tag::ApiTag;
use http_kit::app::App;

/// Tags that a language model attached to an item.
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase", example)]
pub(super) struct LibraryItemModelTags {
    /// Tags that the language model attached to the item, as the account allowed. Empty if there are none.
    pub model_tags: Vec<String>,
}

impl Example for LibraryItemModelTags {
    fn example() -> Self {
        Self { model_tags: vec!["coast".into()] }
    }
}

/// Number of tags that a language model attached to items of a library.
#[derive(Debug, Object)]
#[oai(rename = "ModelTagCounts", example)]
pub(super) struct ModelTagCountsResponse {
    /// Number of these tags, counted once per item.
    pub tags: u64,
    /// Number of items with these tags.
    pub items: u64,
}

impl From<library::ModelTagCounts> for ModelTagCountsResponse {
    fn from(counts: library::ModelTagCounts) -> Self {
        Self { tags: counts.tags, items: counts.items }
    }
}

impl Example for ModelTagCountsResponse {
    fn example() -> Self {
        Self { tags: 40, items: 12 }
    }
}

#[derive(ApiResponse)]
pub(super) enum RemovalAccepted {
    /// A worker removes the tags. The response has their number before the removal.
    #[oai(status = 202)]
    Accepted(Json<ModelTagCountsResponse>),
}

pub(crate) struct ModelTagsApi;

#[OpenApi(tag = "ApiTag::Library")]
impl ModelTagsApi {
    /// List the tags that the language model attached to an item
    ///
    /// Returns the tags that the language model of this installation attached to the item, and that the item still
    /// has. They are also among the tags of the item.
    #[oai(
        path = "/v1/library/items/:id/model-tags",
        method = "get",
        operation_id = "getLibraryItemModelTags"
    )]
    async fn get(
        &self,
        caller: Authorized<Read>,
        app: Data<&Arc<App>>,
        /// Id of the item.
        #[oai(example = "item_id")]
        id: Path<String>,
    ) -> Result<Json<LibraryItemModelTags>, Errors<404>> {
        let (account_id, id) = (caller.0.account_id, id_of(&id.0)?);
        library::get(&app.domain, account_id, id).await?;
        let model_tags = library::model_tags_of(&app.domain, account_id, id).await?;
        Ok(Json(LibraryItemModelTags { model_tags }))
    }

    /// Remove the tags that the language model attached to an item
    ///
    /// Removes the tags that the language model attached to the item. The model does not attach them again.
    #[oai(
        path = "/v1/library/items/:id/model-tags",
        method = "delete",
        operation_id = "removeLibraryItemModelTags"
    )]
    async fn remove(
        &self,
        caller: Authorized<Write>,
        app: Data<&Arc<App>>,
        /// Id of the item.
        #[oai(example = "item_id")]
        id: Path<String>,
    ) -> Result<NoContent, Errors<404>> {
        let (account_id, id) = (caller.0.account_id, id_of(&id.0)?);
        library::get(&app.domain, account_id, id).await?;
        library::remove_model_tags(&app.domain, account_id, id).await?;
        Ok(NoContent::Done)
    }

    /// Count the tags that the language model attached
    ///
    /// Returns the number of tags in the library that the language model attached, and that their items still have.
    #[oai(path = "/v1/library/model-tags", method = "get", operation_id = "countLibraryModelTags")]
    async fn count(
        &self,
        caller: Authorized<Read>,
        app: Data<&Arc<App>>,
    ) -> Result<Json<ModelTagCountsResponse>, ApiError> {
        let counts = library::count_model_tags(&app.domain, caller.0.account_id).await?;
        Ok(Json(counts.into()))
    }

    /// Remove all tags that the language model attached
    ///
    /// Removes all tags that the language model attached to items of the library, in the background. The model does
    /// not attach them to the same items again. Tags that a person added are retained.
    #[oai(path = "/v1/library/model-tags", method = "delete", operation_id = "removeLibraryModelTags")]
    async fn remove_all(
        &self,
        caller: Authorized<Write>,
        app: Data<&Arc<App>>,
    ) -> Result<RemovalAccepted, ApiError> {
        let account_id = caller.0.account_id;
        let counts = library::count_model_tags(&app.domain, account_id).await?;
        let job = library::request_removal_of_model_tags(&app.domain, account_id).await?;
        app.engine.push_all(std::slice::from_ref(&job)).await;
        Ok(RemovalAccepted::Accepted(Json(counts.into())))
    }
}
