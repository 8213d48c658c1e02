//! Operations on imports into the library.

use std::sync::Arc;

use extract::imports::Format;
use kernel::{Code, ImportId};
use library::transfer::{self, Import, NewImport};
use library::{TakeoutPart, TransferState};
use poem::web::{Data, Multipart};
use poem::{FromRequest, Request, RequestBody};
use poem_openapi::param::{Path, Query};
use poem_openapi::payload::Json;
use poem_openapi::registry::{MetaMediaType, MetaRequest, MetaSchema, MetaSchemaRef, Registry};
use poem_openapi::types::Example;
use poem_openapi::{ApiExtractor, ApiExtractorType, ApiResponse, ExtractParamOptions, Object, OpenApi};
use tokio::io::AsyncReadExt;

use crate::answers::{Errors, NoContent, Single};
use crate::authorize::{Authorized, Read, Write};
use crate::body::refuse;
use crate::error::ApiError;
use crate::tag::Tag;
use http_kit::app::App;
use http_kit::http::body::{BodyFault, MULTIPART, broken_form, essence};
use http_kit::http::fault::Fault;
use http_kit::http::params::Flag;
use http_kit::http::word::Word;

/// Bytes that are taken from a request at once.
const PIECE_BYTES: usize = 64 * 1024;
/// The longest value of a field that is no file.
const FIELD_BYTES: u64 = 64;

/// Imports into the library.
pub struct ImportsApi;

/// An import into the library.
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase", example)]
pub(super) struct LibraryImport {
    /// Its id, a UUID.
    pub id: String,
    /// Where it stands.
    pub state: Word<TransferState>,
    /// Its format; null while that is not known.
    pub format: Option<Word<Format>>,
    /// Nothing is written; the counts are what would become of the rows now.
    pub dry_run: bool,
    /// Bytes of its file.
    pub bytes: u64,
    /// Rows; null until they are counted.
    pub total: Option<i64>,
    /// Items that were made.
    pub created: i64,
    /// Rows whose item was there.
    pub existing: i64,
    /// Rows that were left out.
    pub skipped: i64,
    /// Rows that could not be taken.
    pub failed: i64,
    /// Notes and highlights that were made.
    pub highlights: i64,
    /// The first hundred rows that something is wrong with.
    pub problems: Vec<LibraryImportProblem>,
    /// Why it failed.
    pub error_code: Option<String>,
}

/// A row that something is wrong with.
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase")]
pub(super) struct LibraryImportProblem {
    /// Counts from 1.
    pub row: u64,
    /// A stable word.
    pub code: String,
    /// The same as a sentence.
    pub reason: String,
}

/// An import.
#[derive(Debug, Object)]
#[oai(example)]
pub(super) struct LibraryImportOne {
    /// The import.
    pub import: LibraryImport,
}

/// The id of the import in all examples.
fn import_id() -> String {
    "0193a0b2-7c00-7000-8000-7e2b3c4d5e6f".to_owned()
}

impl Example for LibraryImport {
    fn example() -> Self {
        Self {
            id: import_id(),
            state: Word(TransferState::Complete),
            format: Some(Word(Format::PocketCsv)),
            dry_run: true,
            bytes: 184_320,
            total: Some(1204),
            created: 1190,
            existing: 12,
            skipped: 2,
            failed: 0,
            highlights: 0,
            problems: vec![LibraryImportProblem {
                row: 17,
                code: "invalid_url".into(),
                reason: "the address is neither http nor https".into(),
            }],
            error_code: None,
        }
    }
}

impl Example for LibraryImportOne {
    fn example() -> Self {
        Self { import: LibraryImport::example() }
    }
}

impl From<Import> for LibraryImportOne {
    fn from(import: Import) -> Self {
        let problem = |problem: transfer::RowProblem| LibraryImportProblem {
            row: problem.row,
            code: problem.code,
            reason: problem.reason,
        };
        Self {
            import: LibraryImport {
                id: import.id.to_string(),
                state: Word(import.state),
                format: import.format.map(Word),
                dry_run: import.is_dry,
                bytes: import.bytes,
                total: import.total,
                created: import.created,
                existing: import.existing,
                skipped: import.skipped,
                failed: import.failed,
                highlights: import.highlights,
                problems: import.problems.into_iter().map(problem).collect(),
                error_code: import.error_code,
            },
        }
    }
}

/// A form with the file of an import; it is read as the operation takes it.
pub(super) struct ImportForm(Multipart);

impl<'a> ApiExtractor<'a> for ImportForm {
    const TYPES: &'static [ApiExtractorType] = &[ApiExtractorType::RequestObject];

    type ParamType = ();
    type ParamRawType = ();

    fn register(_registry: &mut Registry) {}

    fn request_meta() -> Option<MetaRequest> {
        let inline = |schema| MetaSchemaRef::Inline(Box::new(schema));
        let text = |description| MetaSchema { description: Some(description), ..MetaSchema::new("string") };
        let words = std::iter::once("auto").chain(Format::ALL.iter().map(|format| format.as_str()));
        let formats = words.map(Into::into).collect();
        let flag = |description| MetaSchema { description: Some(description), ..MetaSchema::new("boolean") };
        let properties = vec![
            ("file", inline(MetaSchema { format: Some("binary"), ..text("The file, at most 4 GiB.") })),
            (
                "format",
                inline(MetaSchema {
                    enum_items: formats,
                    ..text("Its format; by default the file tells it.")
                }),
            ),
            ("dryRun", inline(flag("Whether nothing is written. Default true."))),
            (
                "includeDeleted",
                inline(flag("Whether items that were deleted here come back. Default false.")),
            ),
            (
                "include",
                inline(text(
                    "What an export of ours holds beside the library and is taken in, too: `subscriptions`, `monitors` or both, \
                     separated by a comma. Default nothing.",
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
        Some(MetaRequest { description: Some("A form with the file."), content, required: true })
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

/// An import was asked for.
#[derive(ApiResponse)]
pub(super) enum ImportAccepted {
    /// It begins when those before it have ended.
    #[oai(status = 202)]
    Accepted(Json<LibraryImportOne>),
}

#[OpenApi(tag = "Tag::Library")]
impl ImportsApi {
    /// Import into the library
    ///
    /// What other services export, bookmarks of browsers, or an export of one's own. By default it is only tried out:
    /// `startImport` then carries it out with the same file. Running it twice makes nothing twice.
    #[oai(path = "/v1/library/imports", method = "post", operation_id = "importLibrary")]
    async fn create(
        &self,
        caller: Authorized<Write>,
        app: Data<&Arc<App>>,
        body: ImportForm,
    ) -> Result<ImportAccepted, Errors<413, 422>> {
        let accepted = take(&app, caller.0.account_id, body.0).await?;
        let import = app.engine.dispatch(accepted).await;
        Ok(ImportAccepted::Accepted(Json(import.into())))
    }

    /// Get an import
    ///
    /// How far it is, what became of its rows, and what is wrong with the first of them.
    #[oai(path = "/v1/library/imports/:id", method = "get", operation_id = "getImport")]
    async fn get(
        &self,
        caller: Authorized<Read>,
        app: Data<&Arc<App>>,
        /// The import.
        #[oai(example = "import_id")]
        id: Path<String>,
    ) -> Result<Single<LibraryImportOne>, Errors<404>> {
        let import = transfer::get_import(&app.domain, caller.0.account_id, id_of(&id.0)?).await?;
        Ok(Single::of(import.into()))
    }

    /// Carry an import out
    ///
    /// One that was tried out, with the same file, within a day. One that was carried out already is answered as it is.
    #[oai(path = "/v1/library/imports/:id/start", method = "post", operation_id = "startImport")]
    async fn start(
        &self,
        caller: Authorized<Write>,
        app: Data<&Arc<App>>,
        /// The import.
        #[oai(example = "import_id")]
        id: Path<String>,
    ) -> Result<ImportAccepted, Errors<404, 409>> {
        let (import, job) = transfer::start_import(&app.domain, caller.0.account_id, id_of(&id.0)?).await?;
        let import = match job {
            Some(job) => app.engine.dispatch((import, job)).await,
            None => import,
        };
        Ok(ImportAccepted::Accepted(Json(import.into())))
    }

    /// Cancel an import
    ///
    /// It stops at its next step, and its file is deleted. `undo` takes back what it made within seven days, as far as
    /// nobody has changed it since.
    #[oai(path = "/v1/library/imports/:id", method = "delete", operation_id = "cancelImport")]
    async fn cancel(
        &self,
        caller: Authorized<Write>,
        app: Data<&Arc<App>>,
        /// The import.
        #[oai(example = "import_id")]
        id: Path<String>,
        /// Whether what it made goes, too. Default false.
        undo: Query<Option<Flag>>,
    ) -> Result<NoContent, Errors<404, 422>> {
        let (account_id, id) = (caller.0.account_id, id_of(&id.0)?);
        transfer::cancel_import(&app.domain, account_id, id).await?;
        if undo.0.is_some_and(|undo| undo.0) {
            transfer::undo_import(&app.domain, account_id, id).await?;
        }
        Ok(NoContent::Done)
    }
}

/// Reads the form: the file goes to the store as it comes, wherever it stands among the fields.
async fn take(
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
        let read = bytes.take(FIELD_BYTES).read_to_string(&mut text).await;
        read.map_err(|_| refuse(broken_form()))?;
        let wrong = |reason: &str| ApiError::from(Fault::new(reason).under(name.clone()));
        let flag = || match text.trim() {
            "true" | "1" => Ok(true),
            "false" | "0" => Ok(false),
            _ => Err(wrong("must be true or false")),
        };
        match name.as_str() {
            "format" if text == "auto" => new.format = None,
            "format" => {
                new.format =
                    Some(Format::parse(&text).ok_or_else(|| wrong("is no format that is known here"))?);
            }
            "dryRun" => new.is_dry = flag()?,
            "includeDeleted" => new.include_deleted = flag()?,
            "include" => {
                let words = text.split(',').map(str::trim).filter(|word| !word.is_empty());
                let parts: Option<Vec<TakeoutPart>> = words.map(TakeoutPart::parse).collect();
                new.include = parts.ok_or_else(|| wrong("must be subscriptions, monitors or both"))?;
            }
            _ => return Err(wrong("there is no such property")),
        }
    }
    let file = file.ok_or_else(|| ApiError::from(Fault::new("is missing").under("file")))?;
    Ok(file.finish(new).await?)
}

fn id_of(text: &str) -> Result<ImportId, ApiError> {
    text.parse::<ImportId>().map_err(|_| ApiError::new(Code::NotFound, "There is no such import."))
}
