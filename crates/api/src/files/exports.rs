//! Operations on exports of the library.

use std::sync::Arc;

use kernel::{Code, ExportId, rfc3339};
use library::transfer::{self, Export};
use library::{ExportFormat, TransferState};
use poem::Request;
use poem::http::header;
use poem::web::Data;
use poem_openapi::param::{Path, Query};
use poem_openapi::payload::Json;
use poem_openapi::types::Example;
use poem_openapi::{ApiResponse, Enum, Object, OpenApi};

use super::download::{Download, Label};
use crate::answers::{Errors, NoContent, Single};
use crate::authorize::{Authorized, Read};
use crate::body::Body;
use crate::error::ApiError;
use crate::tag::Tag;
use http_kit::app::App;
use http_kit::http::params::Integer;
use http_kit::http::request::request;
use http_kit::http::value::words;
use http_kit::http::word::Word;

/// Exports of the library.
pub struct ExportsApi;

/// A format of exports.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum)]
#[oai(rename_all = "snake_case")]
pub(super) enum LibraryExportFormat {
    /// Everything: JSON Lines and files in ZIP archives.
    SvcJsonl,
    /// Bookmarks of browsers.
    Netscape,
    /// A table.
    Csv,
}

words!(LibraryExportFormat);

request! {
    /// The export that is wanted.
    pub(super) struct LibraryExportRequest in camelCase {
        /// Its format.
        format: LibraryExportFormat = "svc_jsonl" => LibraryExportFormat::SvcJsonl,
    }
}

/// An export of the library.
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase", example)]
pub(super) struct LibraryExport {
    /// Its id, a UUID.
    pub id: String,
    /// Where it stands.
    pub state: Word<TransferState>,
    /// Its format.
    pub format: Word<ExportFormat>,
    /// Items, notes and highlights to be written.
    pub total: i64,
    /// Those that are written.
    pub done: i64,
    /// Its files, once it is complete; each imports by itself.
    pub parts: Vec<LibraryExportPart>,
    /// When it is forgotten.
    pub expires_at: String,
    /// Why it failed.
    pub error_code: Option<String>,
}

/// A file of an export.
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase")]
pub(super) struct LibraryExportPart {
    /// Counts from 1.
    pub number: u32,
    /// Its bytes.
    pub size: u64,
    /// `sha256:` and its digest as hex.
    pub checksum: String,
}

/// An export.
#[derive(Debug, Object)]
#[oai(example)]
pub(super) struct LibraryExportOne {
    /// The export.
    pub export: LibraryExport,
}

/// The id of the export in all examples.
fn export_id() -> String {
    "0193a0b2-7c00-7000-8000-6d1a2b3c4d5e".to_owned()
}

impl Example for LibraryExport {
    fn example() -> Self {
        let checksum = "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08".to_owned();
        Self {
            id: export_id(),
            state: Word(TransferState::Complete),
            format: Word(ExportFormat::SvcJsonl),
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
                state: Word(export.state),
                format: Word(export.format),
                total: export.total,
                done: export.done,
                parts: export.parts.into_iter().map(part).collect(),
                expires_at: rfc3339(export.expires_at),
                error_code: export.error_code,
            },
        }
    }
}

/// An export was asked for.
#[derive(ApiResponse)]
pub(super) enum ExportAccepted {
    /// The export that begins, or the one under way.
    #[oai(status = 202)]
    Accepted(Json<LibraryExportOne>),
}

#[OpenApi(tag = "Tag::Library")]
impl ExportsApi {
    /// Export the library
    ///
    /// One at a time, four a day at most; the files can be downloaded for a day. `svc_jsonl` holds everything and can be
    /// imported again; the others hold items without their texts.
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
    /// How far it is, and its files once it is complete.
    #[oai(path = "/v1/library/exports/:id", method = "get", operation_id = "getExport")]
    async fn get(
        &self,
        caller: Authorized<Read>,
        app: Data<&Arc<App>>,
        /// The export.
        #[oai(example = "export_id")]
        id: Path<String>,
    ) -> Result<Single<LibraryExportOne>, Errors<404>> {
        let export = transfer::get_export(&app.domain, caller.0.account_id, id_of(&id.0)?).await?;
        Ok(Single::of(export.into()))
    }

    /// Download a file of an export
    ///
    /// Whole, or the bytes that `Range` names; `If-Range` and `If-None-Match` take its `ETag`.
    #[oai(path = "/v1/library/exports/:id/file", method = "get", operation_id = "downloadExport")]
    async fn download(
        &self,
        caller: Authorized<Read>,
        app: Data<&Arc<App>>,
        /// The export.
        #[oai(example = "export_id")]
        id: Path<String>,
        /// The number of the part. Default 1.
        part: Query<Option<Integer<1, 10_000>>>,
        request: &Request,
    ) -> Result<Download, Errors<404, 409, 416, 422>> {
        let number = part.0.map_or(1, Integer::get);
        let file = transfer::open_export(&app.domain, caller.0.account_id, id_of(&id.0)?, number).await?;
        let label = Label {
            name: &file.name,
            media_type: &file.media_type,
            size: file.size,
            checksum: &file.checksum,
        };
        let range = label.range(request.header(header::RANGE), request.header(header::IF_RANGE))?;
        let bytes = file.read(&app.domain, range.clone().unwrap_or(0..file.size)).await?;
        Ok(label.answer(range, bytes))
    }

    /// Delete an export
    ///
    /// With its files; one that is under way stops.
    #[oai(path = "/v1/library/exports/:id", method = "delete", operation_id = "deleteExport")]
    async fn delete(
        &self,
        caller: Authorized<Read>,
        app: Data<&Arc<App>>,
        /// The export.
        #[oai(example = "export_id")]
        id: Path<String>,
    ) -> Result<NoContent, Errors<404>> {
        transfer::delete_export(&app.domain, caller.0.account_id, id_of(&id.0)?).await?;
        Ok(NoContent::Done)
    }
}

fn id_of(text: &str) -> Result<ExportId, ApiError> {
    text.parse::<ExportId>().map_err(|_| ApiError::new(Code::NotFound, "There is no such export."))
}
