//! Saving a page by its address: immediately from the field in the library, and after a confirmation from
//! bookmarklets, shared pages, and reading pages. A share from another app fills in the form.

#![expect(clippy::unused_async, reason = "handlers are asynchronous, even if they await nothing")]

use articles::{Render, typed_address};
use kernel::bounds::{ITEM_TITLE_CHARS, NOTE_CHARS};
use kernel::{Error, looks_like_a_secret};
use library::{CaptureMethod, ItemChanges, ItemStatus, ItemUpdate, NewNote, SAVE_TIMEOUT, Save, SavedItem};
use maud::{Markup, html};
use poem::http::StatusCode;
use poem::{Response, handler};
use tokio::time::Instant;

use super::super::frame::{Section, back, payer, redirect_done, respond_with};
use super::fields::{require_length, tags_of, words_field};
use super::file_upload;
use super::item_list;
use super::item_rows::{STATUSES, path};
use crate::language::text::Text;
use crate::page::form::{Form, FormError, FormField, FormToken};
use crate::page::form_id::{self, FORM_ID};
use crate::page::request::{PageRequest, PageResult, User};

/// Values of the form.
#[derive(Clone, Copy, Default)]
struct SaveInput<'a> {
    url: &'a str,
    title: &'a str,
    tags: &'a str,
    /// Status of the item. Empty for the inbox and, if the page is already saved, for its current status.
    status: &'a str,
    note: &'a str,
    /// Rendering choice, as a form value. Empty if the form does not offer it.
    render: &'a str,
    /// Page to return to, as the form sent it. Empty for the page of the item.
    back: &'a str,
    /// Id of the displayed form. Empty if it has none.
    form_id: &'a str,
}

impl<'a> SaveInput<'a> {
    fn of(form: &'a Form) -> Self {
        let field = |name: &str| form.get(name).trim();
        Self {
            url: field("url"),
            title: field("title"),
            tags: field("tags"),
            status: field("status"),
            note: field("note"),
            render: field("render"),
            back: field("back"),
            form_id: field(FORM_ID),
        }
    }
}

/// Saves the page at the address in the library's field.
#[handler]
pub(in crate::desk) async fn create(request: PageRequest, user: User, form: Form) -> PageResult {
    let typed = form.get("url");
    match save(&request, &user, SaveInput { url: typed, ..SaveInput::default() }).await {
        Ok(saved) => Ok(redirect_done("/library?shelf=inbox", done(&saved))),
        Err(error) => {
            let form_error = FormError::of(error)?;
            item_list::page(&request, &user, StatusCode::UNPROCESSABLE_ENTITY, typed, &form_error).await
        }
    }
}

/// Asks whether to save the page at an address, with the values that an app shared.
#[handler]
pub(in crate::desk) async fn ask(request: PageRequest, _user: User) -> PageResult {
    let (title, text) = (request.parameter("title"), request.parameter("text"));
    let (url, note) = split_share(&request.parameter("url"), &text, &title);
    let input = SaveInput { url: &url, title: title.trim(), note: &note, ..SaveInput::default() };
    Ok(page(&request, StatusCode::OK, input, &FormError::default()))
}

/// Returns the address of a share, and the remaining text. Apps that share a page may send its address inside
/// the text, and may repeat the title in the text.
fn split_share(url: &str, text: &str, title: &str) -> (String, String) {
    let is_address = |word: &&str| word.starts_with("http://") || word.starts_with("https://");
    let named = if url.trim().is_empty() { text.split_whitespace().find(is_address) } else { None };
    let url = named.unwrap_or(url).trim();
    let note = if url.is_empty() { text.to_owned() } else { text.replacen(url, "", 1) };
    let note = note.trim();
    (url.to_owned(), if note == title.trim() { String::new() } else { note.to_owned() })
}

/// Saves the page after confirmation, and redirects to it, or to the page that sent the form.
#[handler]
pub(in crate::desk) async fn confirm(request: PageRequest, user: User, form: Form) -> PageResult {
    let input = SaveInput::of(&form);
    match save(&request, &user, input).await {
        Ok(saved) => Ok(redirect_done(&back(&form, &path(&saved.item)), done(&saved))),
        Err(error) => {
            let form_error = FormError::of(error)?;
            Ok(page(&request, StatusCode::UNPROCESSABLE_ENTITY, input, &form_error))
        }
    }
}

fn done(saved: &SavedItem) -> &'static str {
    if saved.already_saved { "kept" } else { "saved" }
}

async fn save(request: &PageRequest, user: &User, input: SaveInput<'_>) -> Result<SavedItem, Error> {
    let app = &request.app;
    let url = typed_address(input.url);
    if looks_like_a_secret(&url) {
        return Err(Error::invalid_field("url", "contains an API key or token. Revoke it."));
    }
    require_length("title", input.title, ITEM_TITLE_CHARS)?;
    require_length("note", input.note, NOTE_CHARS)?;
    let status = ItemStatus::parse(input.status);
    let new = Save {
        url: Some(url),
        title: Some(input.title.to_owned()).filter(|title| !title.is_empty()),
        tags: tags_of("tags", input.tags)?,
        status,
        capture_method: Some(CaptureMethod::Reader),
        render: Render::parse(input.render),
        ..Save::default()
    };
    let deadline = Instant::now() + SAVE_TIMEOUT;
    let progress = library::save(&app.domain, &app.sandbox, payer(user), new).await?;
    let saved: SavedItem = app.engine.await_result(progress, deadline).await?;
    let (id, account_id) = (saved.item.id, user.account.id);
    if saved.already_saved && status.is_some() {
        let update =
            ItemUpdate { changes: ItemChanges { status, ..ItemChanges::default() }, ..ItemUpdate::default() };
        library::update(&app.domain, account_id, id, update).await?;
    }
    if !input.note.is_empty() {
        let text = input.note.to_owned();
        let external_id = form_id::client_id(input.form_id, &format!("{id}\n{text}"));
        let note = NewNote { text, item_id: Some(id), external_id, ..NewNote::default() };
        library::create_note(&app.domain, account_id, note).await?;
    }
    Ok(saved)
}

fn page(request: &PageRequest, status: StatusCode, input: SaveInput<'_>, form_error: &FormError) -> Response {
    let token = FormToken::of(request);
    let field = |name: &'static str, label: Text, hint: Option<Text>, value: &str| {
        let (label, hint) = (label.get(), hint.map(Text::get).unwrap_or_default());
        let (label, hint, required) = (label.as_str(), hint.as_str(), name == "url");
        FormField { name, label, hint, kind: "text", value, autocomplete: "off", required }.show(form_error)
    };
    let lacks_address = input.url.is_empty() && !(input.title.is_empty() && input.note.is_empty());
    let content = html! {
        h1 { (Text("save-heading")) }
        p { (Text("save-words")) }
        @if lacks_address && !form_error.is_some() { p.notice { (Text("save-no-address")) } }
        (form_error.summary())
        form.stack method="post" action="/save" {
            (token.field())
            (form_id::field(request))
            @if !input.back.is_empty() { input type="hidden" name="back" value=(input.back); }
            (field("url", Text("monitor-address"), None, input.url))
            (field("title", Text("save-title"), Some(Text("save-title-hint")), input.title))
            (field("tags", Text("items-tags"), Some(Text("save-tags-hint")), input.tags))
            (statuses(input.status))
            @if request.app.domain.policy().renders_pages { (renderings(input.render)) }
            (words_field("note", &Text("note-optional"), input.note, 2, form_error))
            div.row { button type="submit" { (Text("form-save")) } a.button.secondary href="/library" { (Text("save-library")) } }
        }
        (file_upload::section(&token))
    };
    let title = format!("{} · {}", Text("save-heading").get(), Text("nav-library").get());
    respond_with(request, status, Section::Library, &title, &content)
}

/// Renders the field that selects a status. The first option, the inbox, does not move a page that is already saved.
fn statuses(chosen: &str) -> Markup {
    html! {
        div {
            label for="status" { (Text("save-to")) }
            select #status name="status" {
                @for (status, name) in STATUSES {
                    @let value = if status == ItemStatus::Inbox { "" } else { status.as_str() };
                    option value=(value) selected[value == chosen] { (name) }
                }
            }
        }
    }
}

/// Rendering choices with their names. The first one retains the choice of a saved page.
const RENDERINGS: [(&str, Text); 4] = [
    ("", Text("save-render-auto")),
    (Render::Always.as_str(), Text("save-render-always")),
    (Render::WithoutCookieNotices.as_str(), Text("save-render-without-cookie-notices")),
    (Render::Never.as_str(), Text("save-render-never")),
];

/// Renders the field that selects whether a browser renders the page.
fn renderings(chosen: &str) -> Markup {
    html! {
        div {
            label for="render" { (Text("save-render")) }
            select #render name="render" aria-describedby="render-hint" {
                @for (value, name) in RENDERINGS {
                    option value=(value) selected[value == chosen] { (name) }
                }
            }
            p.rule #render-hint { (Text("save-render-hint")) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn share_is_split_into_address_and_note() {
        let split = |url, text, title| {
            let (url, note) = split_share(url, text, title);
            format!("{url}|{note}")
        };
        let at = "https://example.org/a";
        assert_eq!(split(at, "", "A"), "https://example.org/a|");
        assert_eq!(split("", "Look at https://example.org/a now", "A"), "https://example.org/a|Look at  now");
        assert_eq!(split("", "https://example.org/a", "A"), "https://example.org/a|");
        assert_eq!(split(at, "A", "A"), "https://example.org/a|");
        assert_eq!(split(at, "“Words.”\n https://example.org/a", ""), "https://example.org/a|“Words.”");
        assert_eq!(split("", "only words", "A"), "|only words");
    }
}
