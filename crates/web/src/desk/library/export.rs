//! Export of the library: a choice of formats, a page that reloads until the files are ready, and the files.

#![expect(clippy::unused_async, reason = "handlers are asynchronous, even if they await nothing")]

use kernel::ExportId;
use library::transfer::{self, Export};
use library::{ExportFormat, TransferState};
use maud::{Markup, html};
use poem::http::{StatusCode, header};
use poem::web::Path;
use poem::{Request, handler};

use super::super::frame::{Section, respond_with, with_reload};
use super::actions::send;
use crate::page::form::{Form, FormError, FormToken};
use crate::page::parts::{time, with_thousands_separators};
use crate::page::request::{PageRequest, PageResult, User};
use crate::page::response::redirect;

const FORMATS: [(ExportFormat, &str, &str); 3] = [
    (
        ExportFormat::SvcJsonl,
        "Everything",
        "Texts, files, tags, notes and highlights, and your feeds, stars, rules, monitors and their changes. Can be imported again.",
    ),
    (ExportFormat::Netscape, "Bookmarks", "Addresses, titles and tags, for any browser."),
    (ExportFormat::Csv, "A table", "One line per item, for a spreadsheet."),
];

#[handler]
pub(in crate::desk) async fn show_new(request: PageRequest, _user: User) -> PageResult {
    Ok(form_page(&request, StatusCode::OK, &FormError::default()))
}

fn form_page(request: &PageRequest, status: StatusCode, form_error: &FormError) -> poem::Response {
    let token = FormToken::of(request);
    let content = html! {
        p.soft { a href="/library" { "Library" } }
        h1 { "Export" }
        (form_error.summary())
        form.stack method="post" action="/library/export" {
            (token.field())
            fieldset {
                legend { "Format" }
                @for (index, (format, name, about)) in FORMATS.iter().enumerate() {
                    label.choice {
                        input type="radio" name="format" value=(format) checked[index == 0];
                        span { strong { (name) } ". " (about) }
                    }
                }
            }
            div { button type="submit" { "Create export" } }
        }
        p.soft { "Export your feeds " a href="/subscriptions/opml" { "as OPML" } "." }
    };
    respond_with(request, status, Section::Library, "Export · Library", &content)
}

#[handler]
pub(in crate::desk) async fn create(request: PageRequest, user: User, form: Form) -> PageResult {
    let app = &request.app;
    let format = ExportFormat::parse(form.get("format")).unwrap_or(ExportFormat::SvcJsonl);
    match transfer::create_export(&app.domain, user.account.id, format).await {
        Ok((export, job)) => {
            let id = export.id;
            if let Some(job) = job {
                app.engine.dispatch((export, job)).await;
            }
            Ok(redirect(&format!("/library/export/{id}")))
        }
        Err(error) => {
            let form_error = FormError::of(error)?;
            Ok(form_page(&request, StatusCode::UNPROCESSABLE_ENTITY, &form_error))
        }
    }
}

/// Renders the progress and the files of an export.
#[handler]
pub(in crate::desk) async fn show(request: PageRequest, user: User, Path(id): Path<ExportId>) -> PageResult {
    let domain = &request.app.domain;
    let export = transfer::get_export(domain, user.account.id, id).await?;
    let token = FormToken::of(&request);
    let is_going = matches!(export.state, TransferState::Queued | TransferState::Running);
    let content = html! {
        p.soft { a href="/library" { "Library" } " › " a href="/library/export" { "Export" } }
        @match export.state {
            TransferState::Queued | TransferState::Running => {
                h1 { "Creating the export" }
                p role="status" { "This page reloads until the export is ready. You can leave it and come back." }
                progress max=(export.total.max(1)) value=(export.done.min(export.total)) aria-label="Items written" {}
                p.soft { (with_thousands_separators(export.done.unsigned_abs())) " of " (with_thousands_separators(export.total.unsigned_abs())) }
            },
            TransferState::Failed => {
                h1 { "Export failed" }
                p.notice.bad { "The export could not be created. " a href="/library/export" { "Try again" } "." }
            },
            TransferState::Complete => {
                h1 { "Your export" }
                (files(&export))
                p.soft { "The files are deleted " (time(export.expires_at, domain.now())) "." }
            },
        }
        form method="post" action={ "/library/export/" (id) "/delete" } {
            (token.field())
            button.secondary type="submit" { @if is_going { "Stop" } @else { "Delete export" } }
        }
    };
    let response = respond_with(&request, StatusCode::OK, Section::Library, "Export · Library", &content);
    Ok(if is_going { with_reload(response, &format!("/library/export/{id}")) } else { response })
}

fn files(export: &Export) -> Markup {
    html! {
        ul.rows { @for part in &export.parts {
            li {
                h3 { a href={ "/library/export/" (export.id) "/file?part=" (part.number) } download {
                    @if export.parts.len() == 1 { "Download" } @else { "Download part " (part.number) }
                } }
                p.meta { (with_thousands_separators(part.size.div_ceil(1024))) " KB" }
            }
        } }
    }
}

#[handler]
pub(in crate::desk) async fn download(
    request: PageRequest,
    user: User,
    Path(id): Path<ExportId>,
    sent: &Request,
) -> PageResult {
    let number = request.parameter("part").parse().unwrap_or(1);
    let file = transfer::open_export(&request.app.domain, user.account.id, id, number).await?;
    send(&request, &file, sent.header(header::RANGE), sent.header(header::IF_RANGE)).await
}

#[handler]
pub(in crate::desk) async fn delete(
    request: PageRequest,
    user: User,
    _form: Form,
    Path(id): Path<ExportId>,
) -> PageResult {
    transfer::delete_export(&request.app.domain, user.account.id, id).await?;
    Ok(redirect("/library/export"))
}
