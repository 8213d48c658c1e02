//! Saving of a page by its address: from the field in the library, and after a confirmation from
//! bookmarklets, shared pages, and reading pages.

#![expect(clippy::unused_async, reason = "handlers are asynchronous, even if they await nothing")]

use articles::typed_address;
use kernel::{Error, looks_like_a_secret};
use library::{CaptureMethod, SAVE_TIMEOUT, Save, SavedItem};
use maud::html;
use poem::http::StatusCode;
use poem::{Response, handler};
use tokio::time::Instant;

use super::super::frame::{Section, payer, redirect_done, respond_with};
use super::fields::tags_of;
use super::item_list;
use super::item_rows::path;
use crate::page::form::{Field, Form, FormError, FormToken};
use crate::page::request::{PageRequest, PageResult, User};

/// Saves the page at the address in the library's field.
#[handler]
pub(in crate::desk) async fn create(request: PageRequest, user: User, form: Form) -> PageResult {
    let typed = form.get("url");
    match save(&request, &user, typed, &[]).await {
        Ok(saved) => Ok(redirect_done("/library?shelf=inbox", done(&saved))),
        Err(error) => {
            let form_error = FormError::of(error)?;
            item_list::page(&request, &user, StatusCode::UNPROCESSABLE_ENTITY, typed, &form_error).await
        }
    }
}

/// Asks whether to save the page at an address. Apps that share a page may send its address inside the `text`
/// parameter.
#[handler]
pub(in crate::desk) async fn ask(request: PageRequest, _user: User) -> PageResult {
    let text = request.parameter("text");
    let named = |text: &str| {
        let is_address = |word: &&str| word.starts_with("http://") || word.starts_with("https://");
        text.split_whitespace().find(is_address).map(str::to_owned)
    };
    let url = Some(request.parameter("url")).filter(|url| !url.trim().is_empty());
    let url = url.or_else(|| named(&text)).unwrap_or_default();
    Ok(page(&request, StatusCode::OK, &url, "", &FormError::default()))
}

/// Saves the page after confirmation, and redirects to it.
#[handler]
pub(in crate::desk) async fn confirm(request: PageRequest, user: User, form: Form) -> PageResult {
    let (url, tags) = (form.get("url"), form.get("tags"));
    let saved = match tags_of("tags", tags) {
        Ok(parsed_tags) => save(&request, &user, url, &parsed_tags).await,
        Err(error) => Err(error),
    };
    match saved {
        Ok(saved) => Ok(redirect_done(&path(&saved.item), done(&saved))),
        Err(error) => {
            let form_error = FormError::of(error)?;
            Ok(page(&request, StatusCode::UNPROCESSABLE_ENTITY, url, tags, &form_error))
        }
    }
}

fn done(saved: &SavedItem) -> &'static str {
    if saved.already_saved { "kept" } else { "saved" }
}

async fn save(request: &PageRequest, user: &User, typed: &str, tags: &[String]) -> Result<SavedItem, Error> {
    let app = &request.app;
    let url = typed_address(typed);
    if looks_like_a_secret(&url) {
        return Err(Error::invalid_field("url", "contains an API key or token. Revoke it."));
    }
    let new = Save {
        url: Some(url),
        tags: tags.to_vec(),
        capture_method: Some(CaptureMethod::Reader),
        ..Save::default()
    };
    let deadline = Instant::now() + SAVE_TIMEOUT;
    let progress = library::save(&app.domain, &app.sandbox, payer(user), new).await?;
    app.engine.await_result(progress, deadline).await
}

fn page(
    request: &PageRequest,
    status: StatusCode,
    url: &str,
    tags: &str,
    form_error: &FormError,
) -> Response {
    let token = FormToken::of(request);
    let address = Field {
        name: "url",
        label: "Page address",
        hint: "",
        kind: "text",
        value: url,
        autocomplete: "off",
        required: true,
    };
    let tags = Field {
        name: "tags",
        label: "Tags",
        hint: "Optional, separated by commas.",
        kind: "text",
        value: tags,
        autocomplete: "off",
        required: false,
    };
    let content = html! {
        h1 { "Save a page" }
        p { "Its text is fetched and saved to your library, where you can read it later, highlight it and find it again." }
        (form_error.summary())
        form.stack method="post" action="/save" {
            (token.field())
            (address.show(form_error))
            (tags.show(form_error))
            div.row { button type="submit" { "Save" } a.button.secondary href="/library" { "Go to library" } }
        }
    };
    respond_with(request, status, Section::Library, "Save a page · Library", &content)
}
