//! Operations on library exports.

use std::sync::Arc;

use kernel::{ExportId, rfc3339};
use library::transfer::{self, Export};
use library::{ExportFormat, TransferState};
use poem::Request;
use poem::web::Data;
use poem_openapi::param::{Path, Query};
use poem_openapi::payload::Json;
use poem_openapi::types::Example;
use poem_openapi::{ApiResponse, Enum, Object, OpenApi};

use super::download::{Download, download};
use crate::answers::{Errors, NoContent, Single};
use crate::authorize::{Authorized, Read};
use crate::body::Body;
use crate::error::ApiError;
use crate::path_id::path_id;
use crate::tag::ApiTag;
use http_kit::app::App;
use http_kit::http::enum_param::EnumParam;
use http_kit::http::params::Integer;
use http_kit::http::request::request;
use http_kit::http::value::words;

pub(crate) struct ExportsApi;

/// Format of an export.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum)]
#[oai(rename_all = "snake_case")]
pub(super) enum LibraryExportFormat {
    /// Complete library as JSON Lines with files, in ZIP archives.
    SvcJsonl,
    /// Browser bookmarks (Netscape bookmark file).
    Netscape,
    /// Table of items.
    Csv,
    /// Highlights as cards: tab-separated text for Anki.
    Anki,
    /// Markdown files of items with notes or highlights, in ZIP archives, for Obsidian, Logseq, and others.
    Markdown,
    /// Markdown files of all items.
    MarkdownItems,
    /// Markdown files of all items, with their texts.
    MarkdownTexts,
}

words!(LibraryExportFormat);

request! {
    /// Export to create.
    pub(super) struct LibraryExportRequest in camelCase {
        /// Export format. Default: `svc_jsonl`.
        format: LibraryExportFormat = "svc_jsonl" => LibraryExportFormat::SvcJsonl,
    }
}

/// Export of the library.
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase", example)]
pub(super) struct LibraryExport {
    /// Id of the export (UUID).
    pub id: String,
    /// State of the export.
    pub state: EnumParam<TransferState>,
    /// Format of the export.
    pub format: EnumParam<ExportFormat>,
    /// Number of items, notes and highlights to write.
    pub total: i64,
    /// Number of items, notes and highlights written so far.
    pub done: i64,
    /// Files of the export, empty until it is complete. Each file of `svc_jsonl` can be imported separately.
    pub parts: Vec<LibraryExportPart>,
    /// Time at which the export and its files are deleted, RFC 3339 UTC.
    pub expires_at: String,
    /// Error code of a failed export; otherwise null.
    pub error_code: Option<String>,
}

/// File of an export.
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase")]
pub(super) struct LibraryExportPart {
    /// Number of the file, from 1.
    pub number: u32,
    /// Size of the file in bytes.
    pub size: u64,
    /// `sha256:` followed by the digest in hex.
    pub checksum: String,
}

/// Response with one export.
#[derive(Debug, Object)]
#[oai(example)]
pub(super) struct LibraryExportOne {
    /// The export.
    pub export: LibraryExport,
}

fn export_id() -> String {
    "0193a0b2-7c00-7000-8000-6d1a2b3c4d5e".to_owned()
}

impl Example for LibraryExport {
    fn example() -> Self {
        let checksum = "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08".to_owned();
        Self {
            id: export_id(),
            state: EnumParam(TransferState::Complete),
            format: EnumParam(ExportFormat::SvcJsonl),
            total: 1204,
            done: 1204,
            parts: vec![LibraryExportPart { number: 1, size: 48_213_904, checksum }],
            expires_at: "2026-11-21T12:00:00.000Z".into(),
            error_code: None,
        }
    }
}

impl Example for LibraryExportOne {
    fn example() -> Self {
        Self { export: LibraryExport::example() }
    }
}

impl From<Export> for LibraryExportOne {
    fn from(export: Export) -> Self {
        let part = |part: transfer::ExportPart| LibraryExportPart {
            number: part.number,
            size: part.size,
            checksum: part.checksum,
        };
        Self {
            export: LibraryExport {
                id: export.id.to_string(),
                state: EnumParam(export.state),
                format: EnumParam(export.format),
                total: export.total,
                done: export.done,
                parts: export.parts.into_iter().map(part).collect(),
                expires_at: rfc3339(export.expires_at),
                error_code: export.error_code,
            },
        }
    }
}

#[derive(ApiResponse)]
pub(super) enum ExportAccepted {
    /// The new export, or the one in progress.
    #[oai(status = 202)]
    Accepted(Json<LibraryExportOne>),
}

#[OpenApi(tag = "ApiTag::Library")]
impl ExportsApi {
    /// Export the library
    ///
    /// Only one export can be in progress, and at most four can be completed per day. The files can be downloaded for
    /// a day. `svc_jsonl` contains the complete library and can be imported again. Of the other formats, only
    /// `markdown_texts` contains texts.
    #[oai(path = "/v1/library/exports", method = "post", operation_id = "exportLibrary")]
    async fn create(
        &self,
        caller: Authorized<Read>,
        app: Data<&Arc<App>>,
        body: Body<LibraryExportRequest>,
    ) -> Result<ExportAccepted, Errors<422>> {
        let format = match body.0.format {
            LibraryExportFormat::SvcJsonl => ExportFormat::SvcJsonl,
            LibraryExportFormat::Netscape => ExportFormat::Netscape,
            LibraryExportFormat::Csv => ExportFormat::Csv,
            LibraryExportFormat::Anki => ExportFormat::Anki,
            LibraryExportFormat::Markdown => ExportFormat::Markdown,
            LibraryExportFormat::MarkdownItems => ExportFormat::MarkdownItems,
            LibraryExportFormat::MarkdownTexts => ExportFormat::MarkdownTexts,
        };
        let (export, job) = transfer::create_export(&app.domain, caller.0.account_id, format).await?;
        let export = match job {
            Some(job) => app.engine.dispatch((export, job)).await,
            None => export,
        };
        Ok(ExportAccepted::Accepted(Json(export.into())))
    }

    /// Get an export
    ///
    /// Returns the progress of the export and, when complete, its files.
    #[oai(path = "/v1/library/exports/:id", method = "get", operation_id = "getExport")]
    async fn get(
        &self,
        caller: Authorized<Read>,
        app: Data<&Arc<App>>,
        /// Id of the export.
        #[oai(example = "export_id")]
        id: Path<String>,
    ) -> Result<Single<LibraryExportOne>, Errors<404>> {
        let export = transfer::get_export(&app.domain, caller.0.account_id, id_of(&id.0)?).await?;
        Ok(Single::of(export.into()))
    }

    /// Download a file of an export
    ///
    /// Returns the complete file or the requested `Range`. `If-Range` and `If-None-Match` accept its `ETag`.
    #[oai(path = "/v1/library/exports/:id/file", method = "get", operation_id = "downloadExport")]
    async fn download(
        &self,
        caller: Authorized<Read>,
        app: Data<&Arc<App>>,
        /// Id of the export.
        #[oai(example = "export_id")]
        id: Path<String>,
        /// Number of the file, from 1. Default: 1.
        part: Query<Option<Integer<1, 10_000>>>,
        request: &Request,
    ) -> Result<Download, Errors<404, 409, 416, 422>> {
        let number = part.0.map_or(1, Integer::get);
        let file = transfer::open_export(&app.domain, caller.0.account_id, id_of(&id.0)?, number).await?;
        Ok(download(&app.domain, &file, request).await?)
    }

    /// Delete an export
    ///
    /// Deletes the export and its files. An export in progress is stopped.
    #[oai(path = "/v1/library/exports/:id", method = "delete", operation_id = "deleteExport")]
    async fn delete(
        &self,
        caller: Authorized<Read>,
        app: Data<&Arc<App>>,
        /// Id of the export.
        #[oai(example = "export_id")]
        id: Path<String>,
    ) -> Result<NoContent, Errors<404>> {
        transfer::delete_export(&app.domain, caller.0.account_id, id_of(&id.0)?).await?;
        Ok(NoContent::Done)
    }
}

fn id_of(text: &str) -> Result<ExportId, ApiError> {
    path_id(text, "export")
}
