//! Lists of feeds as OPML: in by a file, out as a file.

#![expect(clippy::unused_async, reason = "handlers are asynchronous, also those that wait for nothing")]

use domain::feeds::{self, Imported};
use domain::{Code, Error, rfc3339};
use maud::html;
use poem::http::{HeaderValue, StatusCode, header};
use poem::{IntoResponse, Request, handler};

use super::super::frame::{Place, respond_with};
use super::super::upload::{Upload, piece};
use crate::api::disposition;
use crate::http::body_memory::BodyMemory;
use crate::problem::ErrorGroup;
use crate::web::account::form::{FormError, FormToken};
use crate::web::account::request::{Answer, PageError, PageRequest, User};
use crate::web::account::respond::keep_private;

/// The largest list, in bytes.
const MAX_BYTES: usize = 8 * 1024 * 1024;
/// Lines that are named when they could not be taken in.
const NAMED: usize = 1_000;

/// The ways in and out.
#[handler]
pub(in crate::web::desk) async fn show(request: PageRequest, _user: User) -> Answer {
    Ok(page(&request, StatusCode::OK, &FormError::default(), None))
}

/// Takes a list in.
#[handler]
pub(in crate::web::desk) async fn import(
    request: PageRequest,
    user: User,
    form: Upload,
    sent: &Request,
) -> Answer {
    let Some(_held) = BodyMemory::hold(sent, MAX_BYTES) else {
        let busy = Error::new(
            Code::CapacityExhausted,
            "Too many large files are coming in. Try again in a few seconds.",
        );
        return Err(PageError(busy));
    };
    match take(&request, &user, form).await {
        Ok(imported) => Ok(page(&request, StatusCode::OK, &FormError::default(), Some(&imported))),
        Err(error) => {
            let form_error = FormError::of(error)?.renamed("", "file");
            Ok(page(&request, StatusCode::UNPROCESSABLE_ENTITY, &form_error, None))
        }
    }
}

async fn take(request: &PageRequest, user: &User, mut form: Upload) -> Result<Imported, Error> {
    let app = &request.app;
    let missing = |message: &str| Error::new(Code::InvalidRequest, message).at("file", message);
    let mut list = Vec::new();
    while let Some(field) = form.next().await? {
        if field.name() != Some("file") {
            continue;
        }
        let mut bytes = Box::pin(field.into_async_read());
        loop {
            let piece = piece(&mut bytes).await?;
            if piece.is_empty() {
                break;
            }
            list.extend_from_slice(&piece);
            if list.len() > MAX_BYTES {
                return Err(missing("The file is too large for a list of feeds."));
            }
        }
    }
    if list.is_empty() {
        return Err(missing("Choose a file."));
    }
    let lines = feeds::read_list(&app.sandbox, list).await?;
    feeds::import_list(&app.domain, user.account.id, &lines).await
}

fn page(
    request: &PageRequest,
    status: StatusCode,
    form_error: &FormError,
    imported: Option<&Imported>,
) -> poem::Response {
    let token = FormToken::of(request);
    let wrong = form_error.at("file");
    let content = html! {
        p.soft { a href="/entries" { "Feeds" } }
        h1 { "Import and export feeds" }
        @if let Some(imported) = imported {
            div.notice.good role="status" {
                p { (imported.created) " new, " (imported.existing) " followed before, " (imported.failed.len()) " not taken in. " a href="/entries" { "Go to your feeds" } "." }
                @if !imported.failed.is_empty() {
                    details {
                        summary { "What was not taken in, and why" }
                        ul { @for (url, code) in imported.failed.iter().take(NAMED) {
                            li { bdi { (url) } ": " (why(*code)) }
                        } }
                        @if imported.failed.len() > NAMED { p.soft.small { "And " (imported.failed.len() - NAMED) " more." } }
                    }
                }
            }
        }
        (form_error.summary())
        h2 { "Import" }
        p { "A file in OPML, as every reader exports it. Folders become collections; what you follow already stays as it is." }
        form.stack method="post" action="/subscriptions/opml" enctype="multipart/form-data" {
            (token.field())
            div {
                label for="file" { "File" }
                input #file type="file" name="file" required accept=".opml,.xml,text/x-opml,text/xml,application/xml"
                    aria-invalid=[wrong.map(|_| "true")] aria-describedby=[wrong.map(|_| "file-error")];
                @if let Some(message) = wrong { p.error #file-error { (message) } }
            }
            div { button type="submit" { "Import" } }
        }
        h2 { "Export" }
        p { a.button.quiet href="/subscriptions/opml/file" download { "Download your feeds as OPML" } }
    };
    respond_with(request, status, Place::Feeds, "Import and export · Feeds", &content)
}

/// Why a line was not taken in, as a sentence.
fn why(code: Code) -> &'static str {
    match code {
        Code::UrlNotAllowed => "this address lies in a network that is closed to this service.",
        Code::LimitReached | Code::PlanRequired => {
            "there is no room for more feeds in your plan, or in one file."
        }
        Code::InvalidRequest | Code::InvalidUrl => {
            "this is no address of a feed: it has to begin with http:// or https://."
        }
        Code::CredentialInUrl => "this address holds a key or token of this service.",
        other => ErrorGroup::Developer.entry(other).0.title,
    }
}

/// The list as a file.
#[handler]
pub(in crate::web::desk) async fn export(request: PageRequest, user: User) -> Answer {
    let domain = &request.app.domain;
    let list = feeds::export_list(domain, user.account.id).await?;
    let day = rfc3339(domain.now());
    let name = format!("carrel-feeds-{}.opml", day.get(..10).unwrap_or_default());
    let mut response = keep_private(list.with_content_type("text/x-opml").into_response());
    if let Ok(value) = HeaderValue::from_str(&disposition(&name)) {
        response.headers_mut().insert(header::CONTENT_DISPOSITION, value);
    }
    Ok(response)
}
