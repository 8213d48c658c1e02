//! Lists of feeds as OPML: the import form and the export.

use kernel::rfc3339;
use library::TransferState;
use library::transfer::{self, Import};
use maud::{Markup, html};
use poem::http::{HeaderValue, StatusCode, header};
use poem::{IntoResponse, handler};

use super::super::frame::{Section, respond_with};
use crate::language::text::Text;
use crate::page::form::{FormError, FormToken};
use crate::page::parts::time;
use crate::page::request::{PageRequest, PageResult, User};
use crate::page::response::keep_private;
use http_kit::content_disposition::disposition;

/// Renders the page for import and export.
#[handler]
pub(in crate::desk) async fn show(request: PageRequest, user: User) -> PageResult {
    form_page(&request, &user, StatusCode::OK, &FormError::default()).await
}

/// Renders the form, with the error of the uploaded file.
pub(super) async fn form_page(
    request: &PageRequest,
    user: &User,
    status: StatusCode,
    form_error: &FormError,
) -> PageResult {
    let domain = &request.app.domain;
    let last = transfer::last_list_import(domain, user.account.id).await?;
    let token = FormToken::of(request);
    let wrong = form_error.at("file");
    let content = html! {
        p.soft { a href="/entries" { (Text("nav-feeds")) } }
        h1 { (Text("opml-heading")) }
        (form_error.summary())
        @if let Some(last) = &last { (last_import(last, domain.now())) }
        h2 { (Text("items-import")) }
        p { (Text("opml-words")) }
        form.stack method="post" action="/subscriptions/opml" enctype="multipart/form-data" {
            (token.field())
            div {
                label for="file" { (Text("import-file")) }
                input #file type="file" name="file" required accept=".opml,.xml,text/x-opml,text/xml,application/xml"
                    aria-invalid=[wrong.map(|_| "true")] aria-describedby=[wrong.map(|_| "file-error")];
                (form_error.on_group("file"))
            }
            div { button type="submit" { (Text("items-import")) } }
        }
        h2 { (Text("items-export")) }
        p { a.button.secondary href="/subscriptions/opml/file" download { (Text("opml-download")) } }
    };
    let title = format!("{} · {}", Text("opml-title").get(), Text("nav-feeds").get());
    Ok(respond_with(request, status, Section::Feeds, &title, &content))
}

/// Renders a link to an import that is in progress or that finished in the last days.
fn last_import(last: &Import, now: kernel::Millis) -> Markup {
    let href = format!("/subscriptions/opml/{}", last.id);
    html! {
        @match last.state {
            TransferState::Queued | TransferState::Running => { p.notice { (Text("opml-running").linked(&[href.as_str()])) } },
            TransferState::Complete | TransferState::Failed => {
                p.soft { a href=(href) { (Text("opml-last")) } @if let Some(at) = last.finished_at { ", " (time(at, now)) } "." }
            },
        }
    }
}

/// Exports the list of feeds as a file.
#[handler]
pub(in crate::desk) async fn export(request: PageRequest, user: User) -> PageResult {
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
