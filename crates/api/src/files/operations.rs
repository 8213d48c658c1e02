//! Operations on the files of items.

use std::sync::Arc;

use kernel::{AccountId, ItemId};
use library::files::{self, NewFile};
use poem::Request;
use poem::web::Data;
use poem_openapi::param::Path;
use poem_openapi::payload::Json;
use poem_openapi::{ApiResponse, OpenApi};
use tokio::io::AsyncRead;

use super::body::{FormFile, RawFile, UploadHeaders, UploadedFile, copy_to_upload};
use super::download::{Download, download};
use crate::answers::{Errors, NoContent};
use crate::authorize::{Authorized, Read, Write};
use crate::error::ApiError;
use crate::library::{LibraryItemOne, id_of, item_id, item_with_metadata};
use crate::tag::ApiTag;
use http_kit::app::App;

pub(crate) struct FilesApi;

#[derive(ApiResponse)]
pub(super) enum FilePut {
    /// The file replaced the stored file, or is identical to it.
    #[oai(status = 200)]
    Replaced(Json<LibraryItemOne>),
    /// The item had no file before.
    #[oai(status = 201)]
    Created(Json<LibraryItemOne>),
}

#[OpenApi(tag = "ApiTag::Library")]
impl FilesApi {
    /// Upload an item's file
    ///
    /// The request body is the file. It replaces an existing file, unless `If-None-Match: *` is sent; an
    /// identical file changes nothing. The text is extracted afterwards.
    #[oai(path = "/v1/library/items/:id/file", method = "put", operation_id = "uploadItemFile")]
    async fn upload(
        &self,
        caller: Authorized<Write>,
        app: Data<&Arc<App>>,
        /// Id of the item.
        #[oai(example = "item_id")]
        id: Path<String>,
        body: RawFile,
    ) -> Result<FilePut, Errors<404, 409, 412, 413, 415, 422>> {
        let id = id_of(&id.0)?;
        files::require_item(&app.domain, caller.0.account_id, id).await?;
        let UploadedFile { headers, name, bytes } = body.into_file()?;
        Ok(store_file(&app, caller.0.account_id, id, headers, name, bytes).await?)
    }

    /// Upload an item's file in a form
    ///
    /// Same as `uploadItemFile`, with the file as the part `file` of a multipart form.
    #[oai(path = "/v1/library/items/:id/file", method = "post", operation_id = "uploadItemFileForm")]
    async fn upload_form(
        &self,
        caller: Authorized<Write>,
        app: Data<&Arc<App>>,
        /// Id of the item.
        #[oai(example = "item_id")]
        id: Path<String>,
        body: FormFile,
    ) -> Result<FilePut, Errors<404, 409, 412, 413, 415, 422>> {
        let id = id_of(&id.0)?;
        files::require_item(&app.domain, caller.0.account_id, id).await?;
        let UploadedFile { headers, name, bytes } = body.into_file()?;
        Ok(store_file(&app, caller.0.account_id, id, headers, name, bytes).await?)
    }

    /// Download an item's file
    ///
    /// Returns the complete file or the requested `Range`. `If-Range` and `If-None-Match` accept its `ETag`.
    #[oai(path = "/v1/library/items/:id/file", method = "get", operation_id = "downloadItemFile")]
    async fn download(
        &self,
        caller: Authorized<Read>,
        app: Data<&Arc<App>>,
        /// Id of the item.
        #[oai(example = "item_id")]
        id: Path<String>,
        request: &Request,
    ) -> Result<Download, Errors<404, 416>> {
        let file = files::open_file(&app.domain, caller.0.account_id, id_of(&id.0)?).await?;
        Ok(download(&app.domain, &file, request).await?)
    }

    /// Delete an item's file
    ///
    /// The text that was extracted from the file is retained.
    #[oai(path = "/v1/library/items/:id/file", method = "delete", operation_id = "deleteItemFile")]
    async fn delete(
        &self,
        caller: Authorized<Write>,
        app: Data<&Arc<App>>,
        /// Id of the item.
        #[oai(example = "item_id")]
        id: Path<String>,
    ) -> Result<NoContent, Errors<404>> {
        files::remove_file(&app.domain, caller.0.account_id, id_of(&id.0)?).await?;
        Ok(NoContent::Done)
    }
}

async fn store_file(
    app: &App,
    account_id: AccountId,
    item_id: ItemId,
    headers: UploadHeaders,
    name: Option<String>,
    bytes: Box<dyn AsyncRead + Send + Unpin>,
) -> Result<FilePut, ApiError> {
    let UploadHeaders { length, content_type, digest, existing_file } = headers;
    let new = NewFile { item_id, declared: content_type, name, length, digest, existing: existing_file };
    let mut file = files::begin_file(&app.domain, account_id, new).await?;
    copy_to_upload(bytes, &mut file).await?;
    let put = file.finish().await?;
    let response = Json(LibraryItemOne { item: item_with_metadata(app, put.item) });
    Ok(if put.is_first { FilePut::Created(response) } else { FilePut::Replaced(response) })
}
