//! Operations on the copies of the pages of items, as a browser displays them.

use std::sync::Arc;

use articles::Payer;
use kernel::bounds::CHANGED_ITEMS;
use kernel::{Code, rfc3339};
use library::{BulkCopies, BulkCopy, PageCopy, PageCopyFormat, PageCopyState, PutPageCopy, SentPage};
use poem::Request;
use poem::web::Data;
use poem_openapi::param::{Path, Query};
use poem_openapi::payload::Json;
use poem_openapi::types::Example;
use poem_openapi::{ApiResponse, Object, OpenApi};

use super::body::HtmlPage;
use super::download::{Download, download};
use crate::answers::{Errors, NoContent};
use crate::authorize::{Authorized, Fresh, RateLimitState, Read, Write};
use crate::body::Body;
use crate::error::ApiError;
use crate::library::{id_of, item_id, items_of};
use crate::tag::ApiTag;
use http_kit::app::App;
use http_kit::http::enum_param::EnumParam;
use http_kit::http::params::{Flag, UuidText};
use http_kit::http::request::request;
use http_kit::http::value::List;

pub(crate) struct PageCopiesApi;

request! {
    /// Copy to create.
    pub(super) struct LibraryPageCopyRequest in camelCase {
        /// `html`: self-contained file without scripts. `screenshot`: PNG. `pdf`: PDF. Default: `html`.
        format: EnumParam<PageCopyFormat> = "html" => EnumParam(PageCopyFormat::Html),
    }
}

/// Page copy of an item, or the pending request for one.
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase", example)]
pub(super) struct LibraryPageCopy {
    /// Format of the copy.
    pub format: EnumParam<PageCopyFormat>,
    /// State of the latest request.
    pub state: EnumParam<PageCopyState>,
    /// Error code of the latest request if it failed; otherwise null.
    pub error_code: Option<String>,
    /// Time of the latest request, RFC 3339 UTC.
    pub requested_at: String,
    /// Time of the stored copy, RFC 3339 UTC. Null until a copy is stored.
    pub created_at: Option<String>,
    /// Size of the stored copy in bytes. Null until a copy is stored.
    pub size: Option<u64>,
    /// `sha256:` followed by the digest of the stored copy in hex. Null until a copy is stored.
    pub checksum: Option<String>,
    /// Sentences about content that was left out of the stored copy, and about cookie notices that were dismissed. Null
    /// if there are none.
    pub statement: Option<String>,
}

request! {
    /// Items whose pages are copied.
    pub(super) struct LibraryPageCopiesRequest in camelCase {
        /// 1 to 100 item ids; repeated ids count once.
        ids: List<UuidText, 1, CHANGED_ITEMS> = ["0193a0b2-7c00-7000-8000-3f1e2d4c5b6a"],
        /// Formats of the copies. Default: the formats of automatic copies, or else `html`.
        formats: Option<List<EnumParam<PageCopyFormat>, 1, 3>> = ["html"],
    }
}

/// Result of a bulk request for one item and one format.
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase", example)]
pub(super) struct LibraryPageCopyRequested {
    /// Id of the item.
    pub item_id: String,
    /// Format of the copy.
    pub format: EnumParam<PageCopyFormat>,
    /// Null if the copy was requested; otherwise the error code: `conflict` if the item has such a copy or one is
    /// pending, `capacity_exhausted` if too many copies are waiting, or another code.
    pub error_code: Option<String>,
}

/// Results of a bulk request for page copies.
#[derive(Debug, Object)]
#[oai(example)]
pub(super) struct LibraryPageCopiesRequested {
    /// One entry for each item and format.
    pub copies: Vec<LibraryPageCopyRequested>,
    /// Number of ids that belong to no item of the account.
    pub missing: u64,
}

impl Example for LibraryPageCopyRequested {
    fn example() -> Self {
        Self { item_id: item_id(), format: EnumParam(PageCopyFormat::Html), error_code: None }
    }
}

impl Example for LibraryPageCopiesRequested {
    fn example() -> Self {
        Self { copies: vec![LibraryPageCopyRequested::example()], missing: 0 }
    }
}

impl From<BulkCopies> for LibraryPageCopiesRequested {
    fn from(requested: BulkCopies) -> Self {
        let copy = |copy: BulkCopy| LibraryPageCopyRequested {
            item_id: copy.item_id.to_string(),
            format: EnumParam(copy.format),
            error_code: copy.refusal.map(|code| code.as_str().to_owned()),
        };
        Self { copies: requested.copies.into_iter().map(copy).collect(), missing: requested.missing }
    }
}

/// Response with one copy.
#[derive(Debug, Object)]
#[oai(example)]
pub(super) struct LibraryPageCopyOne {
    /// The copy.
    pub copy: LibraryPageCopy,
}

/// Copies of the page of an item.
#[derive(Debug, Object)]
#[oai(example)]
pub(super) struct LibraryPageCopyList {
    /// At most one copy of each format.
    pub copies: Vec<LibraryPageCopy>,
}

impl Example for LibraryPageCopy {
    fn example() -> Self {
        let checksum = "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08".to_owned();
        Self {
            format: EnumParam(PageCopyFormat::Html),
            state: EnumParam(PageCopyState::Ready),
            error_code: None,
            requested_at: "2026-11-20T12:00:00.000Z".into(),
            created_at: Some("2026-11-20T12:00:08.000Z".into()),
            size: Some(482_139),
            checksum: Some(checksum),
            statement: Some("Left out: 1 audio or video.".into()),
        }
    }
}

impl Example for LibraryPageCopyOne {
    fn example() -> Self {
        Self { copy: LibraryPageCopy::example() }
    }
}

impl Example for LibraryPageCopyList {
    fn example() -> Self {
        Self { copies: vec![LibraryPageCopy::example()] }
    }
}

impl From<PageCopy> for LibraryPageCopy {
    fn from(copy: PageCopy) -> Self {
        let stored = copy.stored;
        Self {
            format: EnumParam(copy.format),
            state: EnumParam(copy.state),
            error_code: copy.error_code,
            requested_at: rfc3339(copy.requested_at),
            created_at: stored.as_ref().map(|stored| rfc3339(stored.created_at)),
            size: stored.as_ref().map(|stored| stored.size),
            checksum: stored.as_ref().map(|stored| stored.checksum.clone()),
            statement: stored.and_then(|stored| stored.statement),
        }
    }
}

#[derive(ApiResponse)]
pub(super) enum PageCopyAccepted {
    /// The request. An earlier copy remains until the new one is stored.
    #[oai(status = 202)]
    Accepted(Json<LibraryPageCopyOne>),
}

#[derive(ApiResponse)]
pub(super) enum PageCopiesAccepted {
    /// The requests. The copies are created in the background.
    #[oai(status = 202)]
    Accepted(Json<LibraryPageCopiesRequested>),
}

#[derive(ApiResponse)]
pub(super) enum PageCopyPut {
    /// The copy replaced the stored copy, or is identical to it.
    #[oai(status = 200)]
    Replaced(Json<LibraryPageCopyOne>),
    /// The item had no copy in this format before.
    #[oai(status = 201)]
    Created(Json<LibraryPageCopyOne>),
}

fn copy_format() -> String {
    "html".to_owned()
}

#[OpenApi(tag = "ApiTag::Library")]
impl PageCopiesApi {
    /// Copy the page of an item
    ///
    /// Opens the item's address in a browser and stores the page as it is displayed. The server must have Chromium.
    /// Costs five fresh extractions. A new copy replaces the copy of the same format.
    #[oai(path = "/v1/library/items/:id/copies", method = "post", operation_id = "copyItemPage")]
    async fn create(
        &self,
        caller: Authorized<Write, Fresh>,
        app: Data<&Arc<App>>,
        limits: Data<&RateLimitState>,
        /// Id of the item.
        #[oai(example = "item_id")]
        id: Path<String>,
        body: Body<LibraryPageCopyRequest>,
    ) -> Result<PageCopyAccepted, Errors<404, 422>> {
        let payer = Payer { account_id: caller.0.account_id, tier: caller.0.tier };
        let format = body.0.format.0;
        let (requested, job) = library::request_page_copy(&app.domain, payer, id_of(&id.0)?, format).await?;
        limits.record(requested.fresh.as_deref().unwrap_or_default());
        let copy = match job {
            Some(job) => app.engine.dispatch((requested.copy, job)).await,
            None => requested.copy,
        };
        Ok(PageCopyAccepted::Accepted(Json(LibraryPageCopyOne { copy: copy.into() })))
    }

    /// Copy the pages of many items
    ///
    /// Requests copies of the pages of up to 100 items, which are created in the background. Existing copies are not
    /// replaced. Each copy costs five fresh extractions when it is created; these copies and automatic copies use at
    /// most half of a day's fresh extractions, and at most 150 of them wait per account.
    #[oai(path = "/v1/library/items/copies", method = "post", operation_id = "copyItemPages")]
    async fn create_many(
        &self,
        caller: Authorized<Write>,
        app: Data<&Arc<App>>,
        body: Body<LibraryPageCopiesRequest>,
    ) -> Result<PageCopiesAccepted, Errors<422>> {
        let LibraryPageCopiesRequest { ids, formats } = body.0;
        let formats: Vec<PageCopyFormat> =
            formats.into_iter().flat_map(|formats| formats.0).map(|format| format.0).collect();
        let (domain, account_id) = (&app.domain, caller.0.account_id);
        let requested = library::request_page_copies(domain, account_id, &items_of(ids), &formats).await?;
        Ok(PageCopiesAccepted::Accepted(Json(requested.into())))
    }

    /// List the copies of an item's page
    ///
    /// Returns at most one copy of each format, with the state of its latest request.
    #[oai(path = "/v1/library/items/:id/copies", method = "get", operation_id = "listItemCopies")]
    async fn list(
        &self,
        caller: Authorized<Read>,
        app: Data<&Arc<App>>,
        /// Id of the item.
        #[oai(example = "item_id")]
        id: Path<String>,
    ) -> Result<Json<LibraryPageCopyList>, Errors<404>> {
        let copies = library::list_page_copies(&app.domain, caller.0.account_id, id_of(&id.0)?).await?;
        Ok(Json(LibraryPageCopyList { copies: copies.into_iter().map(LibraryPageCopy::from).collect() }))
    }

    /// Download a copy of an item's page
    ///
    /// Returns the complete file or the requested `Range`. `If-Range` and `If-None-Match` accept its `ETag`.
    #[oai(path = "/v1/library/items/:id/copies/:format", method = "get", operation_id = "downloadItemCopy")]
    async fn download(
        &self,
        caller: Authorized<Read>,
        app: Data<&Arc<App>>,
        /// Id of the item.
        #[oai(example = "item_id")]
        id: Path<String>,
        /// `html`, `screenshot`, or `pdf`.
        #[oai(example = "copy_format")]
        format: Path<String>,
        request: &Request,
    ) -> Result<Download, Errors<404, 409, 416>> {
        let (id, format) = (id_of(&id.0)?, format_of(&format.0)?);
        let file = library::open_page_copy(&app.domain, caller.0.account_id, id, format).await?;
        Ok(download(&app.domain, &file, request).await?)
    }

    /// Send a copy of an item's page
    ///
    /// The request body is the page as the client displays it: one HTML file of at most 20 MiB with its styles, its
    /// pictures and fonts as `data:` URLs, and shadow roots as `<template shadowrootmode>`. Scripts, event handlers,
    /// frames, refreshes, base addresses, passwords and references to other files are removed before it is stored;
    /// the `statement` names what is missing. It replaces the stored HTML copy; the server does not fetch the page.
    /// `format` must be `html`.
    #[oai(path = "/v1/library/items/:id/copies/:format", method = "put", operation_id = "sendItemCopy")]
    #[expect(clippy::too_many_arguments, reason = "each parameter of the operation is one argument")]
    async fn send(
        &self,
        caller: Authorized<Write>,
        app: Data<&Arc<App>>,
        /// Id of the item.
        #[oai(example = "item_id")]
        id: Path<String>,
        /// `html`.
        #[oai(example = "copy_format")]
        format: Path<String>,
        /// True if the client left out a part of the page, for example because of its size; the `statement` of the
        /// copy then mentions it. Default: false.
        incomplete: Query<Option<Flag>>,
        request: &Request,
        body: HtmlPage,
    ) -> Result<PageCopyPut, Errors<404, 413, 415, 422>> {
        let (id, format) = (id_of(&id.0)?, format_of(&format.0)?);
        let upload = match library::begin_page_copy(&app.domain, caller.0.account_id, id, format).await {
            Ok(upload) => upload,
            Err(error) => {
                body.discard().await;
                return Err(error.into());
            }
        };
        let (html, _memory_permit) = body.receive(request).await?;
        let page = SentPage { html, is_cut: incomplete.0.is_some_and(|flag| flag.0) };
        let PutPageCopy { copy, is_first } = upload.store(&app.sandbox, page).await?;
        let response = Json(LibraryPageCopyOne { copy: copy.into() });
        Ok(if is_first { PageCopyPut::Created(response) } else { PageCopyPut::Replaced(response) })
    }

    /// Delete a copy of an item's page
    ///
    /// Also withdraws a pending request.
    #[oai(path = "/v1/library/items/:id/copies/:format", method = "delete", operation_id = "deleteItemCopy")]
    async fn delete(
        &self,
        caller: Authorized<Write>,
        app: Data<&Arc<App>>,
        /// Id of the item.
        #[oai(example = "item_id")]
        id: Path<String>,
        /// `html`, `screenshot`, or `pdf`.
        #[oai(example = "copy_format")]
        format: Path<String>,
    ) -> Result<NoContent, Errors<404>> {
        let (id, format) = (id_of(&id.0)?, format_of(&format.0)?);
        library::delete_page_copy(&app.domain, caller.0.account_id, id, format).await?;
        Ok(NoContent::Done)
    }
}

fn format_of(word: &str) -> Result<PageCopyFormat, ApiError> {
    PageCopyFormat::parse(word).ok_or_else(|| ApiError::new(Code::NotFound, "There is no such copy."))
}
