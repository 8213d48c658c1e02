//! Import of monitors from other programs, with a report of the settings that were not imported, and export
//! of monitors.

use kernel::{Code, Error, MonitorId, rfc3339};
use maud::{Markup, html};
use monitors::{ImportFormat, ImportOutcome, ImportReport, ImportedMonitor, MAX_LIST_BYTES};
use poem::http::{HeaderValue, StatusCode, header};
use poem::{IntoResponse, handler};

use super::frame::{path, respond};
use crate::language::text::Text;
use crate::page::error_text::{message_text, setting_words};
use crate::page::form::{FormError, FormToken};
use crate::page::request::{PageRequest, PageResult, User};
use crate::page::response::keep_private;
use crate::page::upload::{UploadForm, piece};
use http_kit::content_disposition::disposition;

/// Renders the page for import and export.
#[expect(clippy::unused_async, reason = "handlers are asynchronous")]
#[handler]
pub(crate) async fn show_lists(request: PageRequest, _user: User) -> PageResult {
    Ok(respond(&request, StatusCode::OK, &page_title(), &form(&request, &FormError::default())))
}

fn page_title() -> String {
    format!("{} · {}", Text("opml-title").get(), Text("nav-monitors").get())
}

/// Imports a file and reports the result for each monitor.
#[handler]
pub(crate) async fn import(request: PageRequest, user: User, upload: UploadForm) -> PageResult {
    let app = &request.app;
    let sandbox = app.sandbox.for_caller(Some(user.account.id.to_string()));
    let imported = match received(upload).await {
        Ok(file) => monitors::import_list(&app.domain, &sandbox, user.account.id, file).await,
        Err(error) => Err(error),
    };
    let (status, content) = match imported {
        Ok(report) => (StatusCode::OK, result(&report)),
        Err(error) => {
            let is_large = error.code == Code::PayloadTooLarge;
            let error = if is_large { FormError::at_field_of("file", &error) } else { FormError::of(error)? };
            (StatusCode::UNPROCESSABLE_ENTITY, form(&request, &error))
        }
    };
    Ok(respond(&request, status, &page_title(), &content))
}

/// Reads the uploaded file.
async fn received(mut upload: UploadForm) -> Result<Vec<u8>, Error> {
    let mut file = Vec::new();
    while let Some(field) = upload.next().await? {
        if field.name() != Some("file") {
            continue;
        }
        let mut bytes = Box::pin(field.into_async_read());
        loop {
            let next = piece(&mut bytes).await?;
            if next.is_empty() {
                break;
            }
            if file.len() + next.len() > MAX_LIST_BYTES {
                let message = "The file is larger than 25 MiB. Import only its url-watches.json.";
                return Err(Error::new(Code::PayloadTooLarge, message));
            }
            file.extend_from_slice(&next);
        }
        break;
    }
    if file.is_empty() {
        return Err(Error::new(Code::InvalidRequest, "Choose a file.").at("file", "Choose a file."));
    }
    Ok(file)
}

fn form(request: &PageRequest, form_error: &FormError) -> Markup {
    let wrong = form_error.at("file");
    html! {
        p.soft { a href="/monitors" { (Text("nav-monitors")) } }
        h1 { (Text("lists-heading")) }
        (form_error.summary())
        h2 { (Text("items-import")) }
        p { (Text("lists-words")) }
        form.stack method="post" action="/monitors/lists" enctype="multipart/form-data" {
            (FormToken::of(request).field())
            div {
                label for="file" { (Text("import-file")) }
                input #file type="file" name="file" required accept=".zip,.json,.yaml,.yml"
                    aria-invalid=[wrong.map(|_| "true")] aria-describedby=[wrong.map(|_| "file-error")];
                (form_error.on_group("file"))
            }
            div { button type="submit" { (Text("items-import")) } }
        }
        h2 { (Text("items-export")) }
        p { a.button.secondary href="/monitors/lists/file" download { (Text("lists-download")) } }
    }
}

fn result(report: &ImportReport) -> Markup {
    let program = match report.format {
        ImportFormat::Carrel => "Carrel",
        ImportFormat::Changedetection => "changedetection.io",
        ImportFormat::Urlwatch => "urlwatch",
    };
    let (created, existing) = (report.created(), report.existing());
    html! {
        p.soft { a href="/monitors" { (Text("nav-monitors")) } }
        h1 { (Text("lists-imported")) }
        p { (Text("lists-program").with("program", program)) }
        dl.facts {
            dt { (Text("lists-new")) } dd { (created) }
            dt { (Text("lists-existing")) } dd { (existing) }
            dt { (Text("lists-refused")) } dd { (report.monitors.len() - created - existing) }
            @if report.dropped > 0 { dt { (Text("lists-not-read")) } dd { (report.dropped) } }
        }
        @if report.dropped > 0 { p.soft { (Text("lists-not-read-words")) } }
        ul { @for monitor in &report.monitors { li { (line(monitor)) } } }
        p { a.button href="/monitors" { (Text("lists-show")) } }
    }
}

/// Renders the result for one monitor, with the settings that were not imported.
fn line(monitor: &ImportedMonitor) -> Markup {
    let name = || html! { bdi { (monitor.name) } };
    let linked = |id: MonitorId| html! { a href=(path(id)) { (name()) } };
    html! {
        @match &monitor.outcome {
            ImportOutcome::Created(id) => { (Text("lists-line-new").markup(&[("monitor", linked(*id))])) },
            ImportOutcome::Existing(id) => { (Text("lists-line-existing").markup(&[("monitor", linked(*id))])) },
            ImportOutcome::Refused { message, .. } => { (Text("lists-line-refused").markup(&[("monitor", name()), ("reason", message_text(message))])) },
        }
        @if !monitor.not_imported.is_empty() {
            br; span.soft.small { (Text("lists-without").markup(&[("settings", html! { bdi { (settings(&monitor.not_imported)) } })])) }
        }
    }
}

/// Lists settings that were not imported.
fn settings(not_imported: &[String]) -> String {
    not_imported.iter().map(|setting| setting_words(setting)).collect::<Vec<_>>().join("; ")
}

/// Exports all monitors as a file.
#[handler]
pub(crate) async fn export(request: PageRequest, user: User) -> PageResult {
    let domain = &request.app.domain;
    let list = monitors::export_definitions(domain, user.account.id).await?;
    let day = rfc3339(domain.now());
    let name = format!("carrel-monitors-{}.json", day.get(..10).unwrap_or_default());
    let mut response = keep_private(list.with_content_type("application/json").into_response());
    if let Ok(value) = HeaderValue::from_str(&disposition(&name)) {
        response.headers_mut().insert(header::CONTENT_DISPOSITION, value);
    }
    Ok(response)
}
