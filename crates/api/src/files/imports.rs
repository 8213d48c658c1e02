//! Operations on library imports.

use std::sync::Arc;

use extract::imports::{ColumnField, ColumnMap, Format};
use kernel::{ImportId, rfc3339};
use library::transfer::{self, FolderTags, Import, ImportUndoState, NewImport};
use library::{AccountExportPart, ImportedPartKind, TransferState};
use poem::web::{Data, Multipart};
use poem::{FromRequest, Request, RequestBody};
use poem_openapi::param::{Path, Query};
use poem_openapi::payload::Json;
use poem_openapi::registry::{MetaMediaType, MetaRequest, MetaSchema};
use poem_openapi::types::Example;
use poem_openapi::{ApiExtractor, ApiResponse, ExtractParamOptions, Object, OpenApi};
use tokio::io::AsyncReadExt;

use crate::answers::{Errors, NoContent, Single};
use crate::authorize::{Authorized, Read, Write};
use crate::body::{body_extractor, refuse};
use crate::error::ApiError;
use crate::path_id::path_id;
use crate::tag::ApiTag;
use http_kit::app::App;
use http_kit::http::body::{BodyFault, MULTIPART, broken_form, essence};
use http_kit::http::enum_param::EnumParam;
use http_kit::http::fault::Fault;
use http_kit::http::openapi_type::inline;
use http_kit::http::params::Flag;

/// Size of a read buffer.
const PIECE_BYTES: usize = 64 * 1024;
/// Maximum length of a form field other than `file` and `map`, in bytes.
const FIELD_BYTES: u64 = 64;
/// Maximum length of the form field `map`, in bytes.
const MAP_BYTES: u64 = 64 * 1024 + 1;

pub(crate) struct ImportsApi;

/// Import into the library.
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase", example)]
pub(super) struct LibraryImport {
    /// Id of the import (UUID).
    pub id: String,
    /// State of the import.
    pub state: EnumParam<TransferState>,
    /// Format of the file; null until it is detected.
    pub format: Option<EnumParam<Format>>,
    /// True for a dry run: nothing is written, and the counts show what an import would do now.
    pub dry_run: bool,
    /// Size of the file in bytes.
    pub bytes: u64,
    /// Number of rows; null until they are counted.
    pub total: Option<i64>,
    /// Number of created items.
    pub created: i64,
    /// Number of rows whose item existed already.
    pub existing: i64,
    /// Number of skipped rows.
    pub skipped: i64,
    /// Number of rows that could not be imported.
    pub failed: i64,
    /// Number of created notes and highlights.
    pub highlights: i64,
    /// Other objects of an account export, as requested by `include`, one entry per kind; empty in a dry run.
    pub parts: Vec<LibraryImportPart>,
    /// The first 100 rows with a problem.
    pub problems: Vec<LibraryImportProblem>,
    /// Error code of a failed import; otherwise null.
    pub error_code: Option<String>,
    /// Columns of a table, or members of JSON objects, with the fields that they fill; empty for other formats.
    pub columns: Vec<LibraryImportColumn>,
    /// True if the import was undone.
    pub undone: bool,
    /// Time until which the import can be undone (RFC 3339).
    pub expires_at: String,
}

/// Objects of one kind of an account export that do not belong to the library.
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase")]
pub(super) struct LibraryImportPart {
    /// Kind of the objects.
    pub kind: EnumParam<ImportedPartKind>,
    /// Number of objects of the export that the account now has, including those that it already had.
    pub imported: u64,
    /// Number of objects that could not be imported; `problems` has the reasons.
    pub failed: u64,
}

/// Column of an imported table, or member of imported JSON objects.
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase")]
pub(super) struct LibraryImportColumn {
    /// Name in the file.
    pub name: String,
    /// Field of the item that receives the value; `metadata` if the value is stored only as metadata, under its name.
    pub field: EnumParam<ColumnField>,
}

/// Row with a problem.
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase")]
pub(super) struct LibraryImportProblem {
    /// Number of the row, from 1.
    pub row: u64,
    /// Stable code of the problem.
    pub code: String,
    /// Description of the problem.
    pub reason: String,
}

/// Response with one import.
#[derive(Debug, Object)]
#[oai(example)]
pub(super) struct LibraryImportOne {
    /// The import.
    pub import: LibraryImport,
}

pub(super) fn import_id() -> String {
    "0193a0b2-7c00-7000-8000-7e2b3c4d5e6f".to_owned()
}

impl Example for LibraryImport {
    fn example() -> Self {
        Self {
            id: import_id(),
            state: EnumParam(TransferState::Complete),
            format: Some(EnumParam(Format::PocketCsv)),
            dry_run: true,
            bytes: 184_320,
            total: Some(1204),
            created: 1190,
            existing: 12,
            skipped: 2,
            failed: 0,
            highlights: 0,
            parts: Vec::new(),
            problems: vec![LibraryImportProblem {
                row: 17,
                code: "invalid_url".into(),
                reason: "the address is neither http nor https".into(),
            }],
            error_code: None,
            columns: Vec::new(),
            undone: false,
            expires_at: "2026-12-20T12:00:00.000Z".into(),
        }
    }
}

impl Example for LibraryImportOne {
    fn example() -> Self {
        Self { import: LibraryImport::example() }
    }
}

impl From<transfer::ImportedPart> for LibraryImportPart {
    fn from(part: transfer::ImportedPart) -> Self {
        Self { kind: EnumParam(part.kind), imported: part.imported, failed: part.failed }
    }
}

impl From<transfer::RowProblem> for LibraryImportProblem {
    fn from(problem: transfer::RowProblem) -> Self {
        Self { row: problem.row, code: problem.code, reason: problem.reason }
    }
}

impl From<Import> for LibraryImportOne {
    fn from(import: Import) -> Self {
        let column = |(field, name): (ColumnField, &str)| LibraryImportColumn {
            name: name.to_owned(),
            field: EnumParam(field),
        };
        Self {
            import: LibraryImport {
                id: import.id.to_string(),
                state: EnumParam(import.state),
                format: import.format.map(EnumParam),
                dry_run: import.is_dry,
                bytes: import.bytes,
                total: import.total,
                created: import.created,
                existing: import.existing,
                skipped: import.skipped,
                failed: import.failed,
                highlights: import.highlights,
                parts: import.parts.into_iter().map(Into::into).collect(),
                problems: import.problems.into_iter().map(Into::into).collect(),
                error_code: import.error_code,
                columns: import.columns.columns().map(column).collect(),
                undone: import.undo == ImportUndoState::Complete,
                expires_at: rfc3339(import.expires_at),
            },
        }
    }
}

/// Multipart form of an import; it is parsed while the file is stored.
pub(super) struct ImportForm(Multipart);

impl<'a> ApiExtractor<'a> for ImportForm {
    body_extractor!();

    fn request_meta() -> Option<MetaRequest> {
        let text = |description| MetaSchema { description: Some(description), ..MetaSchema::new("string") };
        let words = std::iter::once("auto").chain(Format::ALL.iter().map(|format| format.as_str()));
        let formats = words.map(Into::into).collect();
        let flag = |description| MetaSchema { description: Some(description), ..MetaSchema::new("boolean") };
        let properties = vec![
            ("file", inline(MetaSchema { format: Some("binary"), ..text("File to import, at most 4 GiB.") })),
            (
                "format",
                inline(MetaSchema {
                    enum_items: formats,
                    ..text("Format of the file. Default: detected from the file.")
                }),
            ),
            (
                "folders",
                inline(MetaSchema {
                    enum_items: FolderTags::ALL.iter().map(|choice| choice.as_str().into()).collect(),
                    ..text(
                        "How folders and lists are imported: as a tag with the path of each, as a tag for each folder and its parents, or without tags. Default: `path-tags`.",
                    )
                }),
            ),
            (
                "map",
                inline(text(
                    "Fields of the columns of a table, or of the members of JSON objects, such as `url=Link,title=Name`. Default: detected.",
                )),
            ),
            ("dryRun", inline(flag("True for a dry run, which writes nothing. Default: true."))),
            (
                "includeDeleted",
                inline(flag(
                    "True to import items, notes, and highlights again that were deleted from this library. Default: false.",
                )),
            ),
            (
                "include",
                inline(text(
                    "Parts of an account export to import as well: `subscriptions`, `monitors`, `settings` (of subscriptions, and rules), `positions` (of e-readers and recordings), comma-separated. Default: none.",
                )),
            ),
        ];
        let form = MetaSchema {
            required: vec!["file"],
            properties,
            example: Some(
                serde_json::json!({"file": "title,url,time_added,tags,status\n…", "format": "pocket_csv"}),
            ),
            ..MetaSchema::new("object")
        };
        let content = vec![MetaMediaType { content_type: MULTIPART, schema: inline(form) }];
        Some(MetaRequest {
            description: Some("Multipart form with the file and the options."),
            content,
            required: true,
        })
    }

    async fn from_request(
        request: &'a Request,
        body: &mut RequestBody,
        _options: ExtractParamOptions<()>,
    ) -> poem::Result<Self> {
        if essence(request.content_type().unwrap_or_default()) != MULTIPART {
            let kind = request.content_type().unwrap_or_default().chars().take(80).collect();
            return Err(refuse(BodyFault::ContentType(kind)).into());
        }
        let form = <Multipart as FromRequest>::from_request(request, body).await;
        Ok(Self(form.map_err(|_| refuse(broken_form()))?))
    }
}

#[derive(ApiResponse)]
pub(super) enum ImportAccepted {
    /// The import; it starts after earlier imports have finished.
    #[oai(status = 202)]
    Accepted(Json<LibraryImportOne>),
}

/// Pushes the job of an import, if a job was submitted. Returns the response with the import.
pub(super) async fn accepted(app: &App, run: (Import, Option<jobs::Submitted>)) -> ImportAccepted {
    let import = match run {
        (import, Some(job)) => app.engine.dispatch((import, job)).await,
        (import, None) => import,
    };
    ImportAccepted::Accepted(Json(import.into()))
}

#[OpenApi(tag = "ApiTag::Library")]
impl ImportsApi {
    /// Import into the library
    ///
    /// Accepts exports of other services and of Carrel, and browser bookmarks. The default is a dry run;
    /// `startImport` then runs the import with the same file. Repeating an import creates no duplicates.
    #[oai(path = "/v1/library/imports", method = "post", operation_id = "importLibrary")]
    async fn create(
        &self,
        caller: Authorized<Write>,
        app: Data<&Arc<App>>,
        body: ImportForm,
    ) -> Result<ImportAccepted, Errors<413, 422>> {
        let (import, job) = receive_form(&app, caller.0.account_id, body.0).await?;
        Ok(accepted(&app, (import, Some(job))).await)
    }

    /// Get an import
    ///
    /// Returns its progress, the counts of its rows, and the first problems.
    #[oai(path = "/v1/library/imports/:id", method = "get", operation_id = "getImport")]
    async fn get(
        &self,
        caller: Authorized<Read>,
        app: Data<&Arc<App>>,
        /// Id of the import.
        #[oai(example = "import_id")]
        id: Path<String>,
    ) -> Result<Single<LibraryImportOne>, Errors<404>> {
        let import = transfer::get_import(&app.domain, caller.0.account_id, id_of(&id.0)?).await?;
        Ok(Single::of(import.into()))
    }

    /// Start an import after its dry run
    ///
    /// Runs the import with the file of the dry run, which is stored for a day. If the import was already
    /// started, it is returned unchanged.
    #[oai(path = "/v1/library/imports/:id/start", method = "post", operation_id = "startImport")]
    async fn start(
        &self,
        caller: Authorized<Write>,
        app: Data<&Arc<App>>,
        /// Id of the import.
        #[oai(example = "import_id")]
        id: Path<String>,
    ) -> Result<ImportAccepted, Errors<404, 409>> {
        let run = transfer::start_import(&app.domain, caller.0.account_id, id_of(&id.0)?).await?;
        Ok(accepted(&app, run).await)
    }

    /// Cancel an import
    ///
    /// Stops the import at its next step and deletes its file. Within 30 days, `undo` also removes the objects that
    /// it created, except those that were changed since. For a large import, the removal continues in the background.
    #[oai(path = "/v1/library/imports/:id", method = "delete", operation_id = "cancelImport")]
    async fn cancel(
        &self,
        caller: Authorized<Write>,
        app: Data<&Arc<App>>,
        /// Id of the import.
        #[oai(example = "import_id")]
        id: Path<String>,
        /// True to remove what the import created. Default: false.
        undo: Query<Option<Flag>>,
    ) -> Result<NoContent, Errors<404, 422>> {
        let (account_id, id) = (caller.0.account_id, id_of(&id.0)?);
        transfer::cancel_import(&app.domain, account_id, id).await?;
        if undo.0.is_some_and(|undo| undo.0)
            && let Some(job) = transfer::undo_import(&app.domain, account_id, id).await?
        {
            app.engine.dispatch(((), job)).await;
        }
        Ok(NoContent::Done)
    }
}

/// Reads the form and streams the file to the store; the file may precede or follow the other fields.
async fn receive_form(
    app: &App,
    account_id: kernel::AccountId,
    mut form: Multipart,
) -> Result<(Import, jobs::Submitted), ApiError> {
    let mut new = NewImport { is_dry: true, ..NewImport::default() };
    let mut file = None;
    while let Some(part) = form.next_field().await.map_err(|_| refuse(broken_form()))? {
        let name = part.name().unwrap_or_default().to_owned();
        let mut bytes = Box::pin(part.into_async_read());
        if name == "file" && file.is_none() {
            let mut upload = transfer::begin_import(&app.domain, account_id).await?;
            let mut piece = vec![0; PIECE_BYTES];
            loop {
                match bytes.read(&mut piece).await.map_err(|_| refuse(BodyFault::Broken))? {
                    0 => break,
                    count => upload.push(&piece[..count]).await?,
                }
            }
            file = Some(upload);
            continue;
        }
        let mut text = String::new();
        let most = if name == "map" { MAP_BYTES } else { FIELD_BYTES };
        let result = bytes.take(most).read_to_string(&mut text).await;
        result.map_err(|_| refuse(broken_form()))?;
        let wrong = |reason: &str| ApiError::from(Fault::new(reason).under(name.clone()));
        let flag = || match text.trim() {
            "true" | "1" => Ok(true),
            "false" | "0" => Ok(false),
            _ => Err(wrong("must be true or false")),
        };
        match name.as_str() {
            "format" if text == "auto" => new.format = None,
            "format" => {
                new.format = Some(Format::parse(&text).ok_or_else(|| wrong("is not a supported format"))?);
            }
            "folders" => {
                let wrong = || wrong("must be path-tags, tags or ignore");
                new.folders = FolderTags::parse(&text).ok_or_else(wrong)?;
            }
            "map" => new.columns = ColumnMap::parse(&text).map_err(|reason| wrong(&reason.to_string()))?,
            "dryRun" => new.is_dry = flag()?,
            "includeDeleted" => new.include_deleted = flag()?,
            "include" => {
                let words = text.split(',').map(str::trim).filter(|word| !word.is_empty());
                let parts: Option<Vec<AccountExportPart>> = words.map(AccountExportPart::parse).collect();
                new.include = parts.ok_or_else(|| {
                    wrong("must be subscriptions, monitors, settings or positions, separated by commas")
                })?;
            }
            _ => return Err(wrong("there is no such property")),
        }
    }
    let file = file.ok_or_else(|| ApiError::from(Fault::new("is missing").under("file")))?;
    Ok(file.finish(new).await?)
}

pub(super) fn id_of(text: &str) -> Result<ImportId, ApiError> {
    path_id(text, "import")
}
