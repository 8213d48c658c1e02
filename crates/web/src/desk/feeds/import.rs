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
use crate::language::text::Text;
use crate::page::error_text::message_text;
use crate::page::form::{Form, FormError, FormToken};
use crate::page::parts::with_thousands_separators;
use crate::page::request::{PageRequest, PageResult, User};
use crate::page::response::redirect;
use crate::page::upload::{UploadForm, piece};

/// Stores the file and submits the job that follows its feeds.
#[handler]
pub(in crate::desk) async fn create(request: PageRequest, user: User, form: UploadForm) -> PageResult {
    match store_file(&request, &user, form).await {
        Ok(import) => Ok(redirect(&page_of(import.id))),
        Err(error) => {
            let is_large = error.code == Code::PayloadTooLarge;
            let form_error =
                if is_large { FormError::at_field_of("file", &error) } else { FormError::of(error)? };
            form_page(&request, &user, StatusCode::UNPROCESSABLE_ENTITY, &form_error).await
        }
    }
}

async fn store_file(request: &PageRequest, user: &User, mut form: UploadForm) -> Result<Import, Error> {
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
        TransferState::Queued | TransferState::Running => Text("feed-import-running"),
        TransferState::Complete => Text("feed-import-finished"),
        TransferState::Failed if is_stopped(&import) => Text("import-heading-stopped"),
        TransferState::Failed => Text("import-heading-failed"),
    };
    let done = import.created + import.existing + import.failed;
    let content = html! {
        p.soft { a href="/entries" { (Text("nav-feeds")) } " › " a href="/subscriptions/opml" { (Text("opml-title")) } }
        h1 { (heading) }
        @if is_going { p role="status" { (Text("feed-import-reloads")) } (bar(&import, done, Text("feed-import-checked"))) }
        @if import.state == TransferState::Failed { p.notice.bad { (reason(&import)) } }
        @if import.state == TransferState::Complete && import.total == Some(0) { p.notice { (Text("feed-import-empty")) } }
        (counts(&import))
        (problems(&import))
        @if is_going {
            form.row method="post" action=(page_of(id)) { (token.field()) button.secondary type="submit" { (Text("import-stop")) } }
        } @else {
            p.row { a.button href="/entries" { (Text("feed-import-to-feeds")) } " " a.button.secondary href="/subscriptions/opml" { (Text("import-other-file")) } }
        }
    };
    let title = format!("{} · {}", Text("items-import").get(), Text("nav-feeds").get());
    let response = respond(&request, Section::Feeds, &title, &content);
    Ok(if is_going { with_reload(response, &page_of(id)) } else { response })
}

/// Describes why an import stopped early.
fn reason(import: &Import) -> Markup {
    let text = match import.error_code.as_deref() {
        Some("cancelled") => Text("feed-import-stopped-words"),
        Some("unknown_format") => Text("feed-import-unknown"),
        Some("content_too_large") => Text("feed-import-too-large"),
        other => return html! { (usual_reason(other)) " " (Text("feed-import-again")) },
    };
    html! { (text) }
}

fn counts(import: &Import) -> Markup {
    let number = |count: i64| with_thousands_separators(count.unsigned_abs());
    html! {
        @if let Some(total) = import.total {
            dl.facts {
                dt { (Text("feed-import-in-file")) } dd { (number(total)) }
                dt { (Text("import-new")) } dd { (number(import.created)) }
                dt { (Text("feed-import-known")) } dd { (number(import.existing)) }
                dt { (Text("feed-import-refused")) } dd { (number(import.failed)) }
                dt { (Text("feed-import-collections")) } dd { (number(import.collections)) }
                @if import.skipped > 0 { dt { (Text("feed-import-no-collection")) } dd { (number(import.skipped)) } }
            }
        }
    }
}

fn problems(import: &Import) -> Markup {
    let refused = import.problems.iter().filter(|problem| problem.code != transfer::OTHER_COLLECTION).count();
    let beyond = import.failed - i64::try_from(refused).unwrap_or(i64::MAX);
    html! { @if !import.problems.is_empty() {
        details {
            summary { (Text("feed-import-problems")) }
            ul { @for problem in &import.problems { li { (Text("feed-import-problem").with("row", problem.row).markup(&[("reason", html! { bdi { (message_text(&problem.reason)) } })])) } } }
            @if beyond > 0 { p.soft.small { (Text("feed-import-more").with("amount", with_thousands_separators(beyond.unsigned_abs()))) } }
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
