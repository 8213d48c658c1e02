//! Import from another service. A dry run first checks the file and displays the result. The import itself
//! runs on a page that reloads until it completes.

#![expect(clippy::unused_async, reason = "handlers are asynchronous, even if they await nothing")]

use extract::imports::Format;
use kernel::{Class, Code, Error, ImportId};
use library::transfer::{self, FolderTags, Import, ImportUndoState, ImportedPart, NewImport};
use library::{AccountExportPart, ImportedPartKind, TransferState};
use maud::{Markup, html};
use poem::http::StatusCode;
use poem::web::Path;
use poem::{Response, handler};

use super::super::frame::{Section, notice, redirect_done, respond_with, with_reload};
use super::super::import_progress::{bar, is_stopped, usual_reason};
use super::import_fields::{format_name, format_text, row_fields};
use super::import_rows::{chosen_columns, columns_form, section};
use crate::language::choice::tag_of_english;
use crate::language::text::Text;
use crate::page::error_text::message_text;
use crate::page::form::{Form, FormError, FormToken};
use crate::page::parts::{time, with_thousands_separators};
use crate::page::request::{PageRequest, PageResult, User};
use crate::page::response::redirect;
use crate::page::upload::{UploadForm, piece, text};
use http_kit::app::App;
use jobs::Submitted;

#[handler]
pub(in crate::desk) async fn show_new(request: PageRequest, _user: User) -> PageResult {
    Ok(form_page(&request, StatusCode::OK, &FormError::default()))
}

/// Stores the file and starts the dry run.
#[handler]
pub(in crate::desk) async fn create(request: PageRequest, user: User, form: UploadForm) -> PageResult {
    match store_file(&request, &user, form).await {
        Ok(import) => Ok(redirect(&format!("/library/import/{}", import.id))),
        Err(error) => {
            // The list of formats in the message is also in the form.
            let short = error.field().filter(|field| field.path.root() == Some("file"));
            let form_error = match short.map(|field| field.reason.clone()) {
                Some(reason) => FormError::at_field("file", &reason),
                None if error.code == Code::PayloadTooLarge => FormError::at_field_of("file", &error),
                None => FormError::of(error)?,
            };
            Ok(form_page(&request, StatusCode::UNPROCESSABLE_ENTITY, &form_error))
        }
    }
}

async fn store_file(request: &PageRequest, user: &User, mut form: UploadForm) -> Result<Import, Error> {
    let app = &request.app;
    let mut new = NewImport { is_dry: true, ..NewImport::default() };
    let mut file = None;
    while let Some(field) = form.next().await? {
        match field.name() {
            Some("format") => new.format = Format::parse(&text(field).await?),
            Some("include") => new.include = AccountExportPart::ALL.to_vec(),
            Some("folders") => new.folders = FolderTags::parse(&text(field).await?).unwrap_or_default(),
            Some("file") if file.is_none() => {
                let mut bytes = Box::pin(field.into_async_read());
                let first = piece(&mut bytes).await?;
                if first.is_empty() {
                    break;
                }
                let mut upload = transfer::begin_import(&app.domain, user.account.id).await?;
                upload.push(&first).await?;
                loop {
                    let piece = piece(&mut bytes).await?;
                    if piece.is_empty() {
                        break;
                    }
                    upload.push(&piece).await?;
                }
                file = Some(upload);
            }
            _ => {}
        }
    }
    match file {
        Some(upload) => Ok(app.engine.dispatch(upload.finish(new).await?).await),
        None => Err(Error::new(Code::InvalidRequest, "Choose a file.").at("file", "Choose a file.")),
    }
}

fn form_page(request: &PageRequest, status: StatusCode, form_error: &FormError) -> Response {
    let token = FormToken::of(request);
    let wrong = form_error.at("file");
    let content = html! {
        p.soft { a href="/library" { (Text("nav-library")) } }
        h1 { (Text("items-import")) }
        p { (Text("import-words")) }
        p { (Text("import-checked-first")) }
        (form_error.summary())
        form.stack method="post" action="/library/import" enctype="multipart/form-data" {
            (token.field())
            div {
                label for="file" { (Text("import-file")) }
                input #file type="file" name="file" required aria-invalid=[wrong.map(|_| "true")] aria-describedby=[wrong.map(|_| "file-error")];
                (form_error.on_group("file"))
            }
            div {
                label for="format" { (Text("import-format")) }
                select #format name="format" {
                    option value="" { (Text("import-detect")) }
                    @for format in Format::ALL { option value=(format.as_str()) lang=[format_text(*format).is_none().then(tag_of_english).flatten()] { @match format_text(*format) { Some(text) => (text), None => (format.label()) } } }
                }
            }
            (folders_field())
            label.choice {
                input type="checkbox" name="include" value="all";
                span { (Text("import-include")) }
            }
            div { button type="submit" { (Text("import-check")) } }
        }
        details {
            summary { (Text("import-fields")) }
            dl { @for format in Format::ALL {
                dt { (format_name(*format)) }
                dd { (row_fields(format.fields())) }
            } }
        }
        p { (Text("import-servers").linked(&["/library/import-servers"])) }
        p.soft { (Text("import-opml").linked(&["/subscriptions/opml"])) }
    };
    respond_with(request, status, Section::Library, &page_title(), &content)
}

fn page_title() -> String {
    format!("{} · {}", Text("items-import").get(), Text("nav-library").get())
}

/// Renders the fields that select how folders are imported.
pub(super) fn folders_field() -> Markup {
    html! {
        div {
            label for="folders" { (Text("import-folders")) }
            select #folders name="folders" {
                @for choice in FolderTags::ALL { option value=(choice.as_str()) { (folder_choice(*choice)) } }
            }
        }
    }
}

fn folder_choice(choice: FolderTags) -> Text {
    match choice {
        FolderTags::PathTags => Text("import-folders-path"),
        FolderTags::Tags => Text("import-folders-tags"),
        FolderTags::Ignore => Text("import-folders-none"),
    }
}

const DONE: [(&str, Text); 3] = [
    ("undone", Text("import-undone")),
    ("no-rows", Text("import-no-rows")),
    ("no-file", Text("import-no-file")),
];

/// Renders the progress and the result of an import.
#[handler]
pub(in crate::desk) async fn show(request: PageRequest, user: User, Path(id): Path<ImportId>) -> PageResult {
    let import = transfer::get_import(&request.app.domain, user.account.id, id).await?;
    let token = FormToken::of(&request);
    let is_going = matches!(import.state, TransferState::Queued | TransferState::Running)
        || import.undo == ImportUndoState::Running;
    let done = import.created + import.existing + import.skipped + import.failed;
    let rows = if is_going {
        html! {}
    } else {
        section(&request, &user, &import).await?
    };
    let content = html! {
        p.soft { a href="/library" { (Text("nav-library")) } " › " a href="/library/import" { (Text("items-import")) } }
        h1 { (heading(&import)) }
        (notice(&request, &DONE))
        @if is_going { p role="status" { (Text("import-reloads")) } (bar(&import, done, Text("import-rows-checked"))) }
        @if import.state == TransferState::Failed { p.notice.bad { (reason(&import)) } }
        (counts(&import))
        (problems(&import))
        @if import.state == TransferState::Failed && import.undo == ImportUndoState::Complete && has_added(&import) {
            p { (Text("import-removed")) }
        }
        @if can_undo(&import) {
            p.soft { (Text("import-can-undo").markup(&[("time", time(import.expires_at, request.app.domain.now()))])) }
        }
        @if !is_going { (columns_form(&import, &token)) }
        (buttons(&import, &token))
        (rows)
    };
    let response = respond_with(&request, StatusCode::OK, Section::Library, &page_title(), &content);
    Ok(if is_going { with_reload(response, &format!("/library/import/{id}")) } else { response })
}

fn heading(import: &Import) -> Text {
    match (import.state, import.is_dry, import.undo) {
        (_, _, ImportUndoState::Running) => Text("import-heading-undoing"),
        (TransferState::Queued | TransferState::Running, true, _) => Text("import-heading-checking"),
        (TransferState::Queued | TransferState::Running, false, _) => Text("import-heading-running"),
        (TransferState::Complete, true, _) => Text("import-heading-preview"),
        (TransferState::Complete, false, ImportUndoState::Complete) => Text("import-heading-undone"),
        (TransferState::Complete, false, ImportUndoState::None) => Text("import-heading-finished"),
        (TransferState::Failed, _, _) if is_stopped(import) => Text("import-heading-stopped"),
        (TransferState::Failed, _, _) => Text("import-heading-failed"),
    }
}

/// Returns true if the import added something to the library.
fn has_added(import: &Import) -> bool {
    !import.is_dry && (import.created > 0 || import.highlights > 0)
}

/// Returns true if rows of the file can be imported, or are already in the library.
fn has_content(import: &Import) -> bool {
    import.created + import.existing + import.highlights > 0
}

fn can_undo(import: &Import) -> bool {
    let is_undoable = match import.state {
        TransferState::Queued | TransferState::Running => false,
        TransferState::Complete => !import.is_dry,
        TransferState::Failed => has_added(import),
    };
    is_undoable && import.undo == ImportUndoState::None
}

/// Describes why an import failed.
fn reason(import: &Import) -> Markup {
    let text = match import.error_code.as_deref() {
        _ if is_stopped(import) => Text("import-you-stopped"),
        Some("unknown_format") => Text("import-unknown-format"),
        Some("unreadable_file") => Text("import-damaged"),
        Some("content_too_large") => Text("import-too-large"),
        other => return usual_reason(other),
    };
    html! { (text) }
}

fn counts(import: &Import) -> Markup {
    let number = |count: i64| with_thousands_separators(count.unsigned_abs());
    html! {
        dl.facts {
            @if let Some(format) = import.format { dt { (Text("import-format")) } dd { (format_name(format)) } }
            @if let Some(total) = import.total { dt { (Text("import-rows")) } dd { (number(total)) } }
            dt { @if import.is_dry { (Text("import-would-be-new")) } @else { (Text("import-new")) } } dd { (number(import.created)) }
            dt { (Text("import-existing")) } dd { (number(import.existing)) }
            dt { (Text("import-skipped")) } dd { (number(import.skipped)) }
            dt { (Text("import-failed")) } dd { (number(import.failed)) }
            @if import.highlights > 0 { dt { (Text("import-annotations")) } dd { (number(import.highlights)) } }
            @for part in &import.parts { dt { (part_name(part.kind)) } dd { (part_count(*part)) } }
        }
        @if import.is_dry && import.includes_parts { p.soft { (Text("import-parts-uncounted")) } }
    }
}

fn part_name(kind: ImportedPartKind) -> Text {
    match kind {
        ImportedPartKind::Feeds => Text("nav-feeds"),
        ImportedPartKind::Monitors => Text("nav-monitors"),
        ImportedPartKind::FeedSettings => Text("import-part-feed-settings"),
        ImportedPartKind::Rules => Text("import-part-rules"),
        ImportedPartKind::Searches => Text("searches-saved"),
        ImportedPartKind::Templates => Text("import-part-templates"),
        ImportedPartKind::AccountSettings => Text("import-part-account-settings"),
        ImportedPartKind::Positions => Text("import-part-positions"),
    }
}

/// Renders the number of imported objects, and the number in the export if some of them failed.
fn part_count(part: ImportedPart) -> Markup {
    let number = with_thousands_separators;
    let total = number(part.imported + part.failed);
    html! {
        @if part.failed == 0 { (total) } @else { (Text("export-progress").with("done", number(part.imported)).with("total", total)) }
    }
}

fn problems(import: &Import) -> Markup {
    html! { @if !import.problems.is_empty() {
        details {
            summary {
                @let text = if import.has_more_problems() { Text("import-problems-first") } else { Text("import-problems") };
                (text.with("count", import.problems.len()))
            }
            ul { @for problem in &import.problems { li { (Text("import-row-reason").with("row", problem.row).markup(&[("reason", message_text(&problem.reason))])) } } }
        }
    } }
}

fn buttons(import: &Import, token: &FormToken) -> Markup {
    let has_parts = has_content(import) || import.includes_parts;
    let can_start = import.is_dry && import.state == TransferState::Complete && has_parts;
    let was_interrupted = import.has_file
        && import.undo == ImportUndoState::None
        && import.error_code.as_deref() == Some("service_unavailable");
    html! {
        form.row method="post" action={ "/library/import/" (import.id) } {
            (token.field())
            @if can_start { button type="submit" name="act" value="start" { (Text("items-import")) } }
            @match (import.state, import.is_dry) {
                (TransferState::Queued | TransferState::Running, _) => { button.secondary type="submit" name="act" value="cancel" { (Text("import-stop")) } },
                (TransferState::Complete, false) => {
                    a.button href="/library" { (Text("import-to-library")) }
                    @if import.may_be_retried() && import.undo == ImportUndoState::None { button.secondary type="submit" name="act" value="retry" { (Text("import-retry")) } }
                },
                (TransferState::Failed, _) if !import.has_file => { a.button.secondary href="/library/import-servers" { (Text("import-from-server")) } },
                (TransferState::Complete, true) | (TransferState::Failed, _) => {
                    @if was_interrupted && !import.is_dry { button type="submit" name="act" value="retry" { (Text("import-continue")) } }
                    a.button.secondary href="/library/import" { (Text("import-other-file")) }
                },
            }
            @if can_undo(import) { button.secondary type="submit" name="act" value="undo" { (Text("import-undo")) } }
        }
    }
}

/// Starts, repeats, stops, or undoes an import.
#[handler]
pub(in crate::desk) async fn change(
    request: PageRequest,
    user: User,
    form: Form,
    Path(id): Path<ImportId>,
) -> PageResult {
    let (app, account_id) = (&request.app, user.account.id);
    let target = format!("/library/import/{id}");
    match form.get("act") {
        "start" => {
            let run = transfer::start_import(&app.domain, account_id, id).await;
            // The import was already started.
            if let Ok((_, None)) = run {
                return Ok(redirect(&target));
            }
            run_again(app, &target, run).await
        }
        "columns" => {
            let import = transfer::get_import(&app.domain, account_id, id).await?;
            let columns = chosen_columns(&import, &form);
            run_again(app, &target, transfer::change_columns(&app.domain, account_id, id, &columns).await)
                .await
        }
        "retry" => run_again(app, &target, transfer::retry_import(&app.domain, account_id, id).await).await,
        "undo" => {
            transfer::cancel_import(&app.domain, account_id, id).await?;
            if let Some(job) = transfer::undo_import(&app.domain, account_id, id).await? {
                app.engine.dispatch(((), job)).await;
            }
            // Undoing an import may delete the import itself.
            match transfer::get_import(&app.domain, account_id, id).await {
                Ok(import) if import.undo == ImportUndoState::Running => Ok(redirect(&target)),
                Ok(_) => Ok(redirect_done(&target, "undone")),
                Err(error) if error.class() == Class::NotFound => Ok(redirect("/library")),
                Err(error) => Err(error.into()),
            }
        }
        "cancel" => {
            transfer::cancel_import(&app.domain, account_id, id).await?;
            // Changes of a stopped import can be undone on its page.
            let import = transfer::get_import(&app.domain, account_id, id).await?;
            Ok(redirect(if has_added(&import) { &target } else { "/library/import" }))
        }
        _ => Ok(redirect(&target)),
    }
}

/// Starts the job of another run, and redirects to the import. If it cannot run, the redirect displays the reason.
async fn run_again(app: &App, target: &str, run: Result<(Import, Option<Submitted>), Error>) -> PageResult {
    match run {
        Ok((import, Some(job))) => {
            app.engine.dispatch((import, job)).await;
            Ok(redirect(target))
        }
        Ok((_, None)) => Ok(redirect_done(target, "no-rows")),
        // The page of the import reports that it does not exist.
        Err(error) if error.class() == Class::NotFound => Ok(redirect_done(target, "no-file")),
        Err(error) => Err(error.into()),
    }
}
