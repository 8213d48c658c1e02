//! Upload of files as items: the form on the pages *Save* and *Library*, and the page with the outcome of each file.
//! The script of desk pages sends dropped files one at a time and inserts the outcomes from the responses.

#![expect(clippy::unused_async, reason = "handlers are asynchronous, even if they await nothing")]

use kernel::{Code, Detail, Error, ItemId};
use library::{FileItemUpload, NewFileItem};
use maud::{Markup, Render, html};
use poem::http::{StatusCode, header};
use poem::web::Field;
use poem::{Request, Response, handler};

use super::super::frame::{Section, respond_with};
use crate::language::text::Text;
use crate::page::error_text::ErrorSentences;
use crate::page::form::FormToken;
use crate::page::request::{PageRequest, PageResult, User};
use crate::page::upload::{UploadForm, piece};

/// Maximum number of files of a form that are saved. A form is read up to the size of this many files of maximum
/// size.
const MAX_FILES: u64 = 50;
/// Maximum number of files of a form whose outcomes are listed. The rest of the form is not read.
const MAX_OUTCOMES: u64 = 500;
/// Unit in which sizes are displayed, in bytes.
const MEGABYTE: u64 = 1_000_000;

struct FileOutcome {
    name: String,
    saved: Result<ItemId, Error>,
}

/// Renders the form.
#[handler]
pub(in crate::desk) async fn show(request: PageRequest, _user: User) -> PageResult {
    Ok(page(&request, StatusCode::OK, &[]))
}

/// Saves the files of the form as items. A refused file does not prevent the files after it.
#[handler]
pub(in crate::desk) async fn create(
    request: PageRequest,
    user: User,
    sent: &Request,
    form: UploadForm,
) -> PageResult {
    let length = sent.header(header::CONTENT_LENGTH).and_then(|length| length.parse().ok());
    let outcomes = save_files(&request, &user, length.unwrap_or(u64::MAX), form).await?;
    let is_saved = outcomes.iter().any(|outcome| outcome.saved.is_ok());
    let status = if is_saved { StatusCode::OK } else { StatusCode::UNPROCESSABLE_ENTITY };
    Ok(page(&request, status, &outcomes))
}

async fn save_files(
    request: &PageRequest,
    user: &User,
    max_bytes: u64,
    mut form: UploadForm,
) -> Result<Vec<FileOutcome>, Error> {
    let (domain, account_id) = (&request.app.domain, user.account.id);
    let file_bytes = domain.policy().tiers.of(user.account.tier).file_bytes;
    let mut unread_bytes = file_bytes.saturating_mul(MAX_FILES).saturating_add(1);
    let mut outcomes = Vec::new();
    let mut number = 0;
    while let Some(field) = form.next().await? {
        number += 1;
        if field.name() != Some("file") {
            return Err(Error::new(Code::InvalidRequest, "The form has an unknown field."));
        }
        if number > MAX_OUTCOMES {
            break;
        }
        let name = field.file_name().unwrap_or_default().to_owned();
        let upload = if name.is_empty() || number > MAX_FILES {
            FileItemUpload::refused(domain, account_id, too_many())
        } else {
            let media_type = field.content_type().map(str::to_owned);
            let new = NewFileItem { name: name.clone(), media_type, max_bytes };
            FileItemUpload::begin(domain, account_id, new).await
        };
        let saved = receive(field, upload, &mut unread_bytes).await?;
        // A file field without a chosen file is sent with an empty name.
        if !name.is_empty() {
            outcomes.push(FileOutcome { name: library::files::clean_file_name(&name), saved });
        }
        if unread_bytes == 0 {
            break;
        }
    }
    Ok(outcomes)
}

/// Streams a file into its upload. The inner error is the reason why the file was refused. `unread_bytes` is the
/// maximum number of bytes that may still be read from the form.
async fn receive(
    field: Field,
    mut upload: FileItemUpload,
    unread_bytes: &mut u64,
) -> Result<Result<ItemId, Error>, Error> {
    let mut bytes = Box::pin(field.into_async_read());
    loop {
        let piece = piece(&mut bytes).await?;
        if piece.is_empty() {
            return Ok(upload.finish().await.map(|item| item.id));
        }
        let size = u64::try_from(piece.len()).unwrap_or(u64::MAX);
        *unread_bytes = unread_bytes.saturating_sub(size);
        if *unread_bytes == 0 {
            upload.refuse(Error::new(Code::PayloadTooLarge, "Together, the files are too large."));
            return Ok(upload.finish().await.map(|item| item.id));
        }
        upload.push(&piece).await;
    }
}

fn too_many() -> Error {
    Error::new(Code::PayloadTooLarge, format!("You can upload at most {MAX_FILES} files at a time."))
}

fn page(request: &PageRequest, status: StatusCode, outcomes: &[FileOutcome]) -> Response {
    let token = FormToken::of(request);
    let content = html! {
        p.soft { a href="/library" { (Text("nav-library")) } }
        h1 { (Text("upload-heading")) }
        @if status != StatusCode::OK && outcomes.is_empty() { p.notice.bad role="alert" { (Text("upload-none")) } }
        (form(&token, outcomes))
    };
    let title = format!("{} · {}", Text("upload-heading").get(), Text("nav-library").get());
    respond_with(request, status, Section::Library, &title, &content)
}

/// Renders the form as a part of a page, without outcomes.
pub(super) fn section(token: &FormToken) -> Markup {
    html! {
        details.uploads {
            summary { (Text("upload-heading")) }
            (form(token, &[]))
        }
    }
}

fn form(token: &FormToken, outcomes: &[FileOutcome]) -> Markup {
    html! {
        form #upload.stack method="post" action="/library/files" enctype="multipart/form-data"
            data-failed=(Text("upload-failed")) data-sending=(Text("upload-sending")) {
            (token.field())
            div {
                label for="files" { (Text("upload-files")) }
                p.rule #files-rule { (Text("upload-hint")) }
                input #files type="file" name="file" multiple required aria-describedby="files-rule";
            }
            div { button type="submit" { (Text("upload-send")) } }
        }
        ul #upload-outcomes aria-live="polite" { @for outcome in outcomes { (row(outcome)) } }
    }
}

fn row(outcome: &FileOutcome) -> Markup {
    html! { li {
        @match &outcome.saved {
            Ok(id) => { a href={ "/library/" (id) } { bdi { (outcome.name) } } " · " (Text("upload-saved")) },
            Err(error) => { bdi { (outcome.name) } " · " span.error { (reason(error)) } },
        }
    } }
}

/// Describes why a file was refused.
fn reason(error: &Error) -> Markup {
    let limit = match &error.detail {
        Some(Detail::Limit(used)) => Some(used.limit),
        _ => None,
    };
    match (error.code, limit) {
        (Code::PayloadTooLarge, Some(limit)) => {
            let size = Text("recording-megabytes").with("count", limit / MEGABYTE).get();
            html! { (Text("upload-refused-size").with("size", size)) }
        }
        (Code::StorageLimitReached, _) => {
            html! { (Text("upload-refused-storage").linked(&["/settings/plan"])) }
        }
        (Code::UnsupportedMediaType, _) => html! { (Text("upload-refused-type")) },
        _ => html! { (Text("upload-refused").markup(&[("reason", ErrorSentences::of(error).render())])) },
    }
}
