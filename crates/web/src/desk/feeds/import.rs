//! Import of a list of feeds: the file is stored, a job follows its feeds, and a page reloads until the job
//! finishes.

use kernel::{Code, Error, ImportId};
use library::TransferState;
use library::transfer::{self, Import, NewImport};
use maud::{Markup, html};
use poem::handler;
use poem::http::StatusCode;
use poem::web::Path;

use super::super::frame::{Section, respond, with_reload};
use super::super::import_progress::{bar, is_stopped, usual_reason};
use super::opml::form_page;
use crate::page::form::{Form, FormError, FormToken};
use crate::page::parts::with_thousands_separators;
use crate::page::request::{PageRequest, PageResult, User};
use crate::page::response::redirect;
use crate::page::upload::{Upload, piece};

/// Stores the file and submits the job that follows its feeds.
#[handler]
pub(in crate::desk) async fn create(request: PageRequest, user: User, form: Upload) -> PageResult {
    match store_file(&request, &user, form).await {
        Ok(import) => Ok(redirect(&page_of(import.id))),
        Err(error) => {
            let is_large = error.code == Code::PayloadTooLarge;
            let form_error =
                if is_large { FormError::at_field("file", error.message) } else { FormError::of(error)? };
            form_page(&request, &user, StatusCode::UNPROCESSABLE_ENTITY, &form_error).await
        }
    }
}

async fn store_file(request: &PageRequest, user: &User, mut form: Upload) -> Result<Import, Error> {
    let app = &request.app;
    while let Some(field) = form.next().await? {
        if field.name() != Some("file") {
            continue;
        }
        let mut bytes = Box::pin(field.into_async_read());
        let mut next = piece(&mut bytes).await?;
        if next.is_empty() {
            break;
        }
        let mut upload = transfer::begin_list_import(&app.domain, user.account.id).await?;
        while !next.is_empty() {
            upload.push(&next).await?;
            next = piece(&mut bytes).await?;
        }
        return Ok(app.engine.dispatch(upload.finish(NewImport::default()).await?).await);
    }
    Err(Error::new(Code::InvalidRequest, "Choose a file.").at("file", "Choose a file."))
}

fn page_of(id: ImportId) -> String {
    format!("/subscriptions/opml/{id}")
}

/// Renders the progress and the result of an import.
#[handler]
pub(in crate::desk) async fn show(request: PageRequest, user: User, Path(id): Path<ImportId>) -> PageResult {
    let import = transfer::get_list_import(&request.app.domain, user.account.id, id).await?;
    let token = FormToken::of(&request);
    let is_going = matches!(import.state, TransferState::Queued | TransferState::Running);
    let heading = match import.state {
        TransferState::Queued | TransferState::Running => "Importing your feeds",
        TransferState::Complete => "Your feeds are imported",
        TransferState::Failed if is_stopped(&import) => "Import stopped",
        TransferState::Failed => "Import failed",
    };
    let done = import.created + import.existing + import.failed;
    let content = html! {
        p.soft { a href="/entries" { "Feeds" } " › " a href="/subscriptions/opml" { "Import and export" } }
        h1 { (heading) }
        @if is_going { p role="status" { "This page reloads until the import ends. You can leave it and come back." } (bar(&import, done, "Feeds checked")) }
        @if import.state == TransferState::Failed { p.notice.bad { (reason(&import)) } }
        @if import.state == TransferState::Complete && import.total == Some(0) { p.notice { "The file contains no feeds." } }
        (counts(&import))
        (problems(&import))
        @if is_going {
            form.row method="post" action=(page_of(id)) { (token.field()) button.secondary type="submit" { "Stop" } }
        } @else {
            p.row { a.button href="/entries" { "Go to your feeds" } " " a.button.secondary href="/subscriptions/opml" { "Choose another file" } }
        }
    };
    let response = respond(&request, Section::Feeds, "Import · Feeds", &content);
    Ok(if is_going { with_reload(response, &page_of(id)) } else { response })
}

/// Describes why an import stopped early.
fn reason(import: &Import) -> String {
    match import.error_code.as_deref() {
        Some("cancelled") => "Feeds that were already imported stay.".to_owned(),
        Some("unknown_format") => {
            "The file is not a list of feeds in OPML, or it is damaged. Export it again from your reader. \
             Bookmarks and saved pages are imported on the page Library › Import."
                .to_owned()
        }
        Some("content_too_large") => {
            "The file takes too much time or memory to read. Nothing was imported.".to_owned()
        }
        other => {
            format!(
                "{} Import the file again. Feeds that were already imported are not added twice.",
                usual_reason(other)
            )
        }
    }
}

fn counts(import: &Import) -> Markup {
    let number = |count: i64| with_thousands_separators(count.unsigned_abs());
    html! {
        @if let Some(total) = import.total {
            dl.facts {
                dt { "Feeds in the file" } dd { (number(total)) }
                dt { "New" } dd { (number(import.created)) }
                dt { "Already followed" } dd { (number(import.existing)) }
                dt { "Not imported" } dd { (number(import.failed)) }
                dt { "Collections created" } dd { (number(import.collections)) }
                @if import.skipped > 0 { dt { "Without a collection, because your plan allows no more" } dd { (number(import.skipped)) } }
            }
        }
    }
}

fn problems(import: &Import) -> Markup {
    let refused = import.problems.iter().filter(|problem| problem.code != transfer::OTHER_COLLECTION).count();
    let beyond = import.failed - i64::try_from(refused).unwrap_or(i64::MAX);
    html! { @if !import.problems.is_empty() {
        details {
            summary { "What was not imported as in the file, and why" }
            ul { @for problem in &import.problems { li { "Feed " (problem.row) ": " bdi { (problem.reason) } } } }
            @if beyond > 0 { p.soft.small { "And " (with_thousands_separators(beyond.unsigned_abs())) " more." } }
        }
    } }
}

#[handler]
pub(in crate::desk) async fn stop(
    request: PageRequest,
    user: User,
    _form: Form,
    Path(id): Path<ImportId>,
) -> PageResult {
    transfer::cancel_list_import(&request.app.domain, user.account.id, id).await?;
    Ok(redirect(&page_of(id)))
}
