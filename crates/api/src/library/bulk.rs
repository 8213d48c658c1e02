//! Operations on many items at once.

use std::sync::Arc;

use poem::web::Data;
use poem_openapi::OpenApi;
use poem_openapi::payload::Json;

use super::item_view::{self, MetadataInclusion};
use super::request::{LibraryBulkRequest, LibraryDeleteRequest, items_of};
use super::schema::{LibraryItemsDeleted, LibraryItemsUpdated};
use crate::answers::Errors;
use crate::authorize::{Authorized, Write};
use crate::body::Body;
use crate::tag::ApiTag;
use http_kit::app::App;

pub(crate) struct LibraryBulkApi;

#[OpenApi(tag = "ApiTag::Library")]
impl LibraryBulkApi {
    /// Update many items
    ///
    /// Applies the same changes to up to 100 items, in one transaction. If tags of more than 4 MiB of text
    /// change, there are several, and a failure may leave the first items changed; repeat the request.
    #[oai(path = "/v1/library/items", method = "patch", operation_id = "bulkUpdateLibraryItems")]
    async fn update(
        &self,
        caller: Authorized<Write>,
        app: Data<&Arc<App>>,
        body: Body<LibraryBulkRequest>,
    ) -> Result<Json<LibraryItemsUpdated>, Errors<422>> {
        let LibraryBulkRequest { ids, changes } = body.0;
        let account_id = caller.0.account_id;
        let changed = library::change_all(&app.domain, account_id, &items_of(ids), &changes.into()).await?;
        let updated = changed.items.len() as u64;
        let items = changed
            .items
            .into_iter()
            .map(|item| item_view::of(&app, item, MetadataInclusion::Omitted))
            .collect();
        Ok(Json(LibraryItemsUpdated { items, updated, missing: changed.missing }))
    }

    /// Delete many items
    ///
    /// Deletes up to 100 items permanently. Their notes and highlights are retained, unless `annotations` is
    /// `delete`.
    #[oai(path = "/v1/library/items/delete", method = "post", operation_id = "bulkDeleteLibraryItems")]
    async fn delete(
        &self,
        caller: Authorized<Write>,
        app: Data<&Arc<App>>,
        body: Body<LibraryDeleteRequest>,
    ) -> Result<Json<LibraryItemsDeleted>, Errors<422>> {
        let LibraryDeleteRequest { ids, annotations } = body.0;
        let mut ids = items_of(ids);
        ids.sort_unstable();
        ids.dedup();
        let annotations = annotations.map(|word| word.0.into()).unwrap_or_default();
        let deleted = library::delete_all(&app.domain, caller.0.account_id, &ids, annotations).await?;
        Ok(Json(LibraryItemsDeleted { deleted, missing: ids.len() as u64 - deleted }))
    }
}
