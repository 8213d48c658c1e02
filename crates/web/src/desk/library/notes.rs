//! Notes and highlights. They are created with a form, with the button of a picture or, if scripts run, by selecting
//! text. They can be edited, deleted, and opened from search results.

use application::highlight_review;
use kernel::bounds::{HIGHLIGHT_CHARS, NOTE_CHARS};
use kernel::{AccountId, HighlightId, ItemId, NoteId};
use library::{
    Highlight, HighlightColor, HighlightTarget, HighlightUpdate, NewHighlight, NewNote, Note, NoteUpdate,
};
use maud::html;
use poem::http::StatusCode;
use poem::web::Path;
use poem::{Response, handler};

use super::super::frame::{Section, notice, redirect_done, respond_with};
use super::fields::{color_field, require_length, words_field};
use super::{highlight_card, highlight_picture, item};
use crate::language::text::Text;
use crate::page::form::{Form, FormError, FormToken};
use crate::page::form_id::{self, FORM_ID};
use crate::page::request::{PageRequest, PageResult, User};
use crate::page::response::redirect;

/// Notices on the page of a highlight whose item was deleted.
const DONE: [(&str, Text); 1] = [("resumed", Text("item-highlight-resumed"))];

/// Highlights a quoted text or a picture of an item.
#[handler]
pub(in crate::desk) async fn mark_words(
    request: PageRequest,
    user: User,
    form: Form,
    Path(id): Path<ItemId>,
) -> PageResult {
    let text = |name: &str| Some(form.get(name).trim().to_owned()).filter(|text| !text.is_empty());
    let quote = form.get("quote").trim();
    let target = match form.get("picture") {
        "" => HighlightTarget::Quote(quote.to_owned()),
        url => HighlightTarget::Picture(url.to_owned()),
    };
    let new = NewHighlight {
        item_id: id,
        target,
        prefix: text("prefix"),
        suffix: text("suffix"),
        anchor: form.get("anchor").parse().ok(),
        note: text("note"),
        color: HighlightColor::parse(form.get("color")),
        tags: Vec::new(),
        external_id: None,
    };
    let checked = require_length("quote", quote, HIGHLIGHT_CHARS)
        .and_then(|()| require_length("note", form.get("note").trim(), NOTE_CHARS));
    let made = match checked {
        Ok(()) => library::create_highlight(&request.app.domain, user.account.id, new).await,
        Err(error) => Err(error),
    };
    match made {
        Ok((made, _)) => Ok(redirect(&format!("/library/{id}?done=marked#mark-{}", made.row.id))),
        Err(error) => {
            let form_error = FormError::of(error)?;
            let typed = item::ItemFormInput { quote: form.get("quote"), note: form.get("note"), text: "" };
            item::page(&request, &user, id, StatusCode::UNPROCESSABLE_ENTITY, typed, &form_error).await
        }
    }
}

/// Changes the note of a highlight, deletes the highlight, or includes it in reviews again.
#[handler]
pub(in crate::desk) async fn change_highlight(
    request: PageRequest,
    user: User,
    form: Form,
    Path(id): Path<HighlightId>,
) -> PageResult {
    let (domain, account_id) = (&request.app.domain, user.account.id);
    let highlight = library::get_highlight(domain, account_id, id).await?;
    let item_id = highlight.row.item_id;
    let target = item_id.map_or_else(|| "/library".to_owned(), |item| format!("/library/{item}"));
    if form.get("act") == "delete" {
        library::delete_highlight(domain, account_id, id, None).await?;
        return Ok(redirect_done(&target, "unmarked"));
    }
    if form.get("act") == "review" {
        highlight_review::resume(domain, account_id, id).await?;
        let target = if item_id.is_some() { target } else { format!("/library/highlights/{id}") };
        return Ok(redirect_done(&target, "resumed"));
    }
    let note = form.get("note").trim();
    let update = HighlightUpdate {
        note: Some(Some(note.to_owned()).filter(|note| !note.is_empty())),
        color: HighlightColor::parse(form.get("color")),
        ..HighlightUpdate::default()
    };
    let changed = match require_length("note", note, NOTE_CHARS) {
        Ok(()) => library::update_highlight(domain, account_id, id, update).await,
        Err(error) => Err(error),
    };
    match changed {
        Ok(_) => Ok(redirect_done(&target, "noted")),
        Err(error) => {
            let form_error = FormError::of(error)?;
            refused_change(&request, account_id, &highlight, &form, &form_error).await
        }
    }
}

/// Renders the form of a highlight with the typed values and their error. The page of the item lists only some of its
/// highlights, and the item may be deleted, so the form has its own page.
async fn refused_change(
    request: &PageRequest,
    account_id: AccountId,
    highlight: &Highlight,
    form: &Form,
    form_error: &FormError,
) -> PageResult {
    let token = FormToken::of(request);
    let picture = highlight_picture::of_highlight(request, account_id, highlight).await?;
    let color = HighlightColor::parse(form.get("color")).unwrap_or(highlight.row.color);
    let target = format!("/library/highlights/{}", highlight.row.id);
    let content = html! {
        p.soft { a href=(target) { (Text("quote-back")) } }
        h1 { (Text("search-highlight")) }
        (form_error.summary())
        (picture)
        blockquote { p { bdi { (highlight.row.quote) } } }
        form.stack method="post" action=(target) {
            (token.field())
            (words_field("note", &Text("highlight-note"), form.get("note"), 8, form_error))
            (color_field(color))
            div.row {
                button type="submit" { (Text("form-save")) }
                button.secondary type="submit" name="act" value="delete" { (Text("form-delete")) }
                a.button.secondary href=(target) { (Text("feed-cancel")) }
            }
        }
    };
    let title = format!("{} · {}", Text("search-highlight").get(), Text("nav-library").get());
    Ok(respond_with(request, StatusCode::UNPROCESSABLE_ENTITY, Section::Library, &title, &content))
}

/// Redirects to the text that a highlight marks. If its item was deleted, the page displays only the
/// highlight.
#[handler]
pub(in crate::desk) async fn show_highlight(
    request: PageRequest,
    user: User,
    Path(id): Path<HighlightId>,
) -> PageResult {
    let highlight = library::get_highlight(&request.app.domain, user.account.id, id).await?;
    if let Some(item) = highlight.row.item_id {
        return Ok(redirect(&format!("/library/{item}#mark-{id}")));
    }
    let token = FormToken::of(&request);
    let picture = highlight_picture::of_highlight(&request, user.account.id, &highlight).await?;
    let content = html! {
        p.soft { a href="/library" { (Text("nav-library")) } }
        h1 { (Text("search-highlight")) }
        (notice(&request, &DONE))
        p { @match &highlight.item_title {
            Some(title) => { (Text("note-item-deleted-titled").markup(&[("title", html! { bdi { (title) } })])) },
            None => { (Text("note-item-deleted")) },
        } }
        (picture)
        blockquote { p { bdi { (highlight.row.quote) } } }
        @if let Some(note) = &highlight.row.note { p { bdi { (note) } } }
        p { a href={ "/library/highlights/" (id) "/quote" } { (Text("quote-share")) } " · " (highlight_card::link(&highlight)) }
        form method="post" action={ "/library/highlights/" (id) } {
            (token.field())
            button.secondary type="submit" name="act" value="delete" { (Text("note-delete-highlight")) }
            @if highlight.row.review_day.is_none() { " " button.secondary type="submit" name="act" value="review" { (Text("highlight-review-again")) } }
        }
    };
    let title = format!("{} · {}", Text("search-highlight").get(), Text("nav-library").get());
    Ok(respond_with(&request, StatusCode::OK, Section::Library, &title, &content))
}

/// Adds a note to an item.
#[handler]
pub(in crate::desk) async fn write(
    request: PageRequest,
    user: User,
    form: Form,
    Path(id): Path<ItemId>,
) -> PageResult {
    let text = form.get("text").trim().to_owned();
    let made = match require_length("text", &text, NOTE_CHARS) {
        Ok(()) => {
            let external_id = form_id::client_id(form.get(FORM_ID), &format!("{id}\n{text}"));
            let new = NewNote { text, item_id: Some(id), external_id, ..NewNote::default() };
            library::create_note(&request.app.domain, user.account.id, new).await
        }
        Err(error) => Err(error),
    };
    match made {
        Ok((made, _)) => Ok(redirect(&format!("/library/{id}?done=noted#note-{}", made.row.id))),
        Err(error) => {
            let form_error = FormError::of(error)?;
            let typed = item::ItemFormInput { quote: "", note: "", text: form.get("text") };
            item::page(&request, &user, id, StatusCode::UNPROCESSABLE_ENTITY, typed, &form_error).await
        }
    }
}

/// Renders a note with a form that edits it.
#[handler]
pub(in crate::desk) async fn show_note(
    request: PageRequest,
    user: User,
    Path(id): Path<NoteId>,
) -> PageResult {
    let note = library::get_note(&request.app.domain, user.account.id, id).await?;
    let text = note.row.text.clone();
    Ok(note_page(&request, StatusCode::OK, &note, &text, &FormError::default()))
}

/// Edits or deletes a note.
#[handler]
pub(in crate::desk) async fn change_note(
    request: PageRequest,
    user: User,
    form: Form,
    Path(id): Path<NoteId>,
) -> PageResult {
    let (domain, account_id) = (&request.app.domain, user.account.id);
    let note = library::get_note(domain, account_id, id).await?;
    let target = note.row.item_id.map_or_else(|| "/library".to_owned(), |item| format!("/library/{item}"));
    if form.get("act") == "delete" {
        library::delete_note(domain, account_id, id, None).await?;
        return Ok(redirect_done(&target, "unnoted"));
    }
    let text = form.get("text").trim().to_owned();
    let update = NoteUpdate { text: Some(text.clone()), ..NoteUpdate::default() };
    let changed = match require_length("text", &text, NOTE_CHARS) {
        Ok(()) => library::update_note(domain, account_id, id, update).await,
        Err(error) => Err(error),
    };
    match changed {
        Ok(_) => Ok(redirect_done(&target, "noted")),
        Err(error) => {
            let form_error = FormError::of(error)?;
            Ok(note_page(&request, StatusCode::UNPROCESSABLE_ENTITY, &note, &text, &form_error))
        }
    }
}

fn note_page(
    request: &PageRequest,
    status: StatusCode,
    note: &Note,
    text: &str,
    form_error: &FormError,
) -> Response {
    let token = FormToken::of(request);
    let target = note.row.item_id.map_or_else(|| "/library".to_owned(), |item| format!("/library/{item}"));
    let content = html! {
        p.soft { a href=(target) { @if note.row.item_id.is_some() { (Text("note-back")) } @else { (Text("nav-library")) } } }
        h1 { @match &note.row.title { Some(title) => { bdi { (title) } }, None => { (Text("search-note")) } } }
        (form_error.summary())
        form.stack method="post" action={ "/library/notes/" (note.row.id) } {
            (token.field())
            (words_field("text", &Text("search-note"), text, 8, form_error))
            div.row {
                button type="submit" { (Text("form-save")) }
                button.secondary type="submit" name="act" value="delete" formnovalidate { (Text("note-delete")) }
                a.button.secondary href=(target) { (Text("feed-cancel")) }
            }
        }
    };
    let title = format!("{} · {}", Text("search-note").get(), Text("nav-library").get());
    respond_with(request, status, Section::Library, &title, &content)
}
