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
use crate::language::text::Text;
use crate::page::form::{Form, FormError, FormToken};
use crate::page::parts::{time, with_thousands_separators};
use crate::page::request::{PageRequest, PageResult, User};
use crate::page::response::redirect;

const FORMATS: [(ExportFormat, Text, Text); 7] = [
    (ExportFormat::SvcJsonl, Text("export-everything"), Text("export-everything-words")),
    (ExportFormat::Netscape, Text("export-bookmarks"), Text("export-bookmarks-words")),
    (ExportFormat::Csv, Text("export-table"), Text("export-table-words")),
    (ExportFormat::Anki, Text("export-cards"), Text("export-cards-words")),
    (ExportFormat::Markdown, Text("export-notes"), Text("export-notes-words")),
    (ExportFormat::MarkdownItems, Text("export-items"), Text("export-items-words")),
    (ExportFormat::MarkdownTexts, Text("export-texts"), Text("export-texts-words")),
];

fn page_title() -> String {
    format!("{} · {}", Text("items-export").get(), Text("nav-library").get())
}

#[handler]
pub(in crate::desk) async fn show_new(request: PageRequest, _user: User) -> PageResult {
    Ok(form_page(&request, StatusCode::OK, &FormError::default()))
}

fn form_page(request: &PageRequest, status: StatusCode, form_error: &FormError) -> poem::Response {
    let token = FormToken::of(request);
    let content = html! {
        p.soft { a href="/library" { (Text("nav-library")) } }
        h1 { (Text("items-export")) }
        (form_error.summary())
        form.stack method="post" action="/library/export" {
            (token.field())
            fieldset {
                legend { (Text("import-format")) }
                @for (index, (format, name, about)) in FORMATS.iter().enumerate() {
                    label.choice {
                        input type="radio" name="format" value=(format) checked[index == 0];
                        span { strong { (name) } ". " (about) }
                    }
                }
            }
            div { button type="submit" { (Text("export-create")) } }
        }
        p.soft { (Text("export-feeds").linked(&["/subscriptions/opml"])) }
    };
    respond_with(request, status, Section::Library, &page_title(), &content)
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
        p.soft { a href="/library" { (Text("nav-library")) } " › " a href="/library/export" { (Text("items-export")) } }
        @match export.state {
            TransferState::Queued | TransferState::Running => {
                h1 { (Text("export-creating")) }
                p role="status" { (Text("export-reloads")) }
                progress max=(export.total.max(1)) value=(export.done.min(export.total)) aria-label=(Text("export-written")) {}
                p.soft { (Text("export-progress").with("done", with_thousands_separators(export.done.unsigned_abs())).with("total", with_thousands_separators(export.total.unsigned_abs()))) }
            },
            TransferState::Failed => {
                h1 { (Text("export-failed")) }
                p.notice.bad { (Text("export-failed-words").linked(&["/library/export"])) }
            },
            TransferState::Complete => {
                h1 { (Text("export-yours")) }
                (files(&export))
                p.soft { (Text("export-expires").markup(&[("time", time(export.expires_at, domain.now()))])) }
            },
        }
        form method="post" action={ "/library/export/" (id) "/delete" } {
            (token.field())
            button.secondary type="submit" { @if is_going { (Text("import-stop")) } @else { (Text("export-delete")) } }
        }
    };
    let response = respond_with(&request, StatusCode::OK, Section::Library, &page_title(), &content);
    Ok(if is_going { with_reload(response, &format!("/library/export/{id}")) } else { response })
}

fn files(export: &Export) -> Markup {
    html! {
        ul.rows { @for part in &export.parts {
            li {
                h3 { a href={ "/library/export/" (export.id) "/file?part=" (part.number) } download {
                    @if export.parts.len() == 1 { (Text("recording-download-link")) } @else { (Text("export-part").with("number", part.number)) }
                } }
                p.meta { (Text("export-kilobytes").with("amount", with_thousands_separators(part.size.div_ceil(1024)))) }
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
