//! Page of one item: its text with highlights, its status, tags, notes, and file, and its actions.

use kernel::{ItemId, Millis};
use library::{AnnotationFilter, Highlight, Item, ItemStatus, MessageFiles, Note, StoredText};
use maud::{Markup, PreEscaped, html};
use poem::handler;
use poem::http::{HeaderValue, StatusCode};
use poem::web::Path;

use super::super::frame::{Section, link, notice, respond_with};
use super::fields::{COLORS, words_field};
use super::highlight_markup;
use super::item_rows::{STATUSES, kind_name, path, progress, status_name, tag_links, text_state, title};
use crate::layout::hosts;
use crate::page::form::{FormError, FormToken};
use crate::page::parts::time;
use crate::page::request::{PageRequest, PageResult, User};
use crate::pictures::Pictures;
use crate::reading_bar::listening;
use crate::text_format::{direction, minutes};

const DONE: [(&str, &str); 10] = [
    ("saved", "Saved. Its text is ready, or will be soon."),
    ("kept", "Already in your library."),
    ("moved", "Moved."),
    ("marked", "Done."),
    ("noted", "Note saved."),
    ("unmarked", "Highlight deleted."),
    ("unnoted", "Note deleted."),
    ("edited", "Details saved."),
    ("asked", "The text is being fetched again. This page shows it when it is ready."),
    ("none", "Nothing was changed."),
];
/// Maximum number of highlights, and of notes, on the page.
const ANNOTATIONS: u32 = 200;
/// Seconds between reloads while the text is pending, and the maximum number of reloads.
const RELOAD_SECONDS: u32 = 3;
const MAX_RELOADS: u32 = 20;

/// Typed values of the forms on the page.
#[derive(Clone, Copy, Default)]
pub(super) struct ItemFormInput<'a> {
    /// Text to highlight.
    pub(super) quote: &'a str,
    /// Note on the highlight.
    pub(super) note: &'a str,
    /// Note on the whole item.
    pub(super) text: &'a str,
}

#[handler]
pub(in crate::desk) async fn show(request: PageRequest, user: User, Path(id): Path<ItemId>) -> PageResult {
    page(&request, &user, id, StatusCode::OK, ItemFormInput::default(), &FormError::default()).await
}

/// Renders the page, with the typed values of its forms.
pub(super) async fn page(
    request: &PageRequest,
    user: &User,
    id: ItemId,
    status: StatusCode,
    typed: ItemFormInput<'_>,
    form_error: &FormError,
) -> PageResult {
    let (domain, account_id) = (&request.app.domain, user.account.id);
    let item = library::open(domain, account_id, id).await?;
    let text = library::stored_text(domain, account_id, id).await?;
    let filter = AnnotationFilter { item_id: Some(id), ..AnnotationFilter::default() };
    let highlights =
        library::list_highlights(domain, account_id, &filter, None, ANNOTATIONS).await?.annotations;
    let notes = library::list_notes(domain, account_id, &filter, None, ANNOTATIONS).await?.annotations;
    let markup =
        text.as_ref().map(|text| highlight_markup::text(&text.document, &highlights)).unwrap_or_default();
    let pictures = Pictures::for_person(request, account_id, &markup).await?;
    let markup = pictures.of_message(format!("{}/files", path(&item))).replace_in(&markup);
    let now = domain.now();
    let token = FormToken::of(request);
    let content = html! {
        p.soft { a href="/library" { "Library" } " › " a href=(link("/library", &[("shelf", item.status.as_str())])) { (status_name(item.status)) } }
        (notice(request, &DONE))
        (form_error.summary())
        div.reading data-item=(id) {
            div {
                (head(request, &item, text.as_ref(), now))
                (buttons(&item, &token))
                (body(&item, text.as_ref(), &markup))
                (end(&item, &token))
            }
            aside.side-notes aria-label="Highlights and notes" {
                (marks(&highlights, &token))
                (note_list(&notes, now))
                @if text.is_some() { (mark_form(&item, &token, typed, form_error)) }
                (note_form(&item, &token, typed, form_error))
            }
        }
    };
    let title = format!("{} · Library", title(&item));
    let mut response = respond_with(request, status, Section::Library, &title, &content);
    let reloads: u32 = request.parameter("look").parse().unwrap_or(0);
    let is_coming = text.is_none() && text_state(&item).is_some() && item.article_error.is_none();
    if is_coming && status == StatusCode::OK && reloads < MAX_RELOADS {
        let again = format!("{RELOAD_SECONDS}; url={}?look={}", path(&item), reloads + 1);
        if let Ok(value) = HeaderValue::from_str(&again) {
            response.headers_mut().insert("refresh", value);
        }
    }
    Ok(response)
}

fn head(request: &PageRequest, item: &Item, text: Option<&StoredText>, now: Millis) -> Markup {
    let (reader, _) = hosts(&request.app);
    let is_web = item.url.starts_with("http");
    html! {
        header.head {
            h1 { bdi { (title(item)) } }
            p.meta.dots {
                @if let Some(author) = &item.author { span { bdi { (author) } } }
                @if is_web { span { a href=(item.url) rel="noopener nofollow external" { bdi { (item.domain) } } } }
                span { (kind_name(item.content_kind).0) }
                @if let Some(text) = text { span { (minutes(text.document.reading_minutes())) } }
            }
            p.meta.dots.noprint {
                span { "saved " (time(item.saved_at, now)) }
                @if let Some(text) = text { span { "text from " (time(text.cached_at, now)) } }
                @if item.finished_at.is_some() { span { "read" } }
                @if is_web { span { a href={ (reader) "/" (item.url) } { "Current page" } } }
            }
            (progress(item))
            (tag_links(&item.tags))
        }
    }
}

fn buttons(item: &Item, token: &FormToken) -> Markup {
    let (mark, label) =
        if item.finished_at.is_some() { ("unread", "Mark as unread") } else { ("read", "Mark as read") };
    html! {
        div.bar.noprint {
            form.tools method="post" action={ (path(item)) "/change" } {
                (token.field())
                @for (status, name) in STATUSES.iter().filter(|(status, _)| *status != item.status) {
                    button.secondary type="submit" name="status" value=(status) {
                        @if *status == ItemStatus::Inbox { "Back to inbox" } @else { (name) }
                    }
                }
                button.secondary type="submit" name="mark" value=(mark) { (label) }
            }
            details name="bar" { summary.button.secondary { "More" } div.sheet { ul {
                li { a href={ (path(item)) "/edit" } { "Edit details" } }
                @if item.url.starts_with("http") { li { a href=(item.url) rel="noopener nofollow external" { "Open the original" } } }
                li { a href="/settings/look" { "Reading settings" } }
                li { a href={ (path(item)) "/delete" } { "Delete…" } }
            } (listening()) } }
        }
    }
}

fn body(item: &Item, text: Option<&StoredText>, markup: &str) -> Markup {
    let Some(text) = text else {
        return html! {
            @if item.asset_blob.is_none() {
                p.notice { (text_state(item).unwrap_or_else(|| "There is no text".to_owned())) "." }
            }
            (file(item))
            (message_files(item))
        };
    };
    let language = text.document.language.as_deref().unwrap_or("en");
    html! {
        (file(item))
        (message_files(item))
        article.text lang=(language) dir=(direction(language)) { (PreEscaped(markup)) }
    }
}

/// Renders the file of an item if browsers can display it, and otherwise a link to it.
fn file(item: &Item) -> Markup {
    let Some(name) =
        item.asset_name.as_deref().or(item.file_name.as_deref()).filter(|_| item.asset_blob.is_some())
    else {
        return html! {};
    };
    let kind = item.asset_mime.as_deref().unwrap_or_default();
    let at = format!("{}/file", path(item));
    html! {
        figure.file {
            @if kind.starts_with("image/") && !kind.contains("svg") { img src=(at) alt=(title(item)); }
            @else if kind.starts_with("audio/") { audio controls preload="none" src=(at) aria-label=(name) {} }
            @else if kind.starts_with("video/") { video controls preload="none" src=(at) aria-label=(name) {} }
            figcaption { "File: " a href=(at) download { bdi { (name) } } }
        }
    }
}

/// Renders links to the files of a message.
fn message_files(item: &Item) -> Markup {
    let MessageFiles { files, further, tracking_pixels } = library::message_files(item);
    html! {
        @if !files.is_empty() {
            details.noprint {
                summary { "Files of the message: " (files.len()) }
                ul { @for file in &files {
                    li { a href={ (path(item)) "/files/" (file.number) } download { bdi { (file.name) } } " " span.soft.small { (file.bytes) " bytes" } }
                } }
                @if further > 0 { p.soft { (further) " more files are only in the file of the message." } }
            }
        }
        @if tracking_pixels > 0 { p.soft.small.noprint { "Tracking pixels left out: " (tracking_pixels) "." } }
    }
}

/// Renders the tools below the text.
fn end(item: &Item, token: &FormToken) -> Markup {
    let read = item.read_progress.unwrap_or(0).to_string();
    html! {
        div.tools.noprint {
            form.seek method="post" action={ (path(item)) "/change" } {
                (token.field())
                label for="progress" { "Percent read" }
                input #progress type="number" name="progress" min="0" max="100" value=(read);
                button.secondary type="submit" { "Save" }
            }
            form method="post" action={ (path(item)) "/refresh" } { (token.field()) button.secondary type="submit" { "Fetch text again" } }
            a.button.secondary href={ (path(item)) "/markdown" } download { "Download as Markdown" }
        }
    }
}

fn marks(highlights: &[Highlight], token: &FormToken) -> Markup {
    html! { @if !highlights.is_empty() {
        h2 { "Highlights" }
        ul.rows { @for highlight in highlights {
            @let row = &highlight.row;
            li {
                p.say { a href={ "#mark-" (row.id) } { mark { bdi { (row.quote) } } } }
                @if row.anchor.is_none() { p.meta { "Not found in the current text" } }
                details {
                    summary { @match &row.note { Some(note) => { bdi { (note) } }, None => "Add a note, or delete" } }
                    form.stack method="post" action={ "/library/highlights/" (row.id) } {
                        (token.field())
                        textarea.words name="note" rows="2" aria-label="Note on this highlight" { (row.note.as_deref().unwrap_or_default()) }
                        select name="color" aria-label="Colour" {
                            @for (color, name) in COLORS { option value=(color) selected[color == row.color] { (name) } }
                        }
                        div.row { button.secondary type="submit" { "Save" } button.secondary type="submit" name="act" value="delete" { "Delete" } }
                    }
                }
            }
        } }
    } }
}

fn note_list(notes: &[Note], now: Millis) -> Markup {
    html! { @if !notes.is_empty() {
        h2 { "Notes" }
        ul.rows { @for note in notes {
            li id={ "note-" (note.row.id) } {
                p.words { bdi { (note.row.text) } }
                p.meta.dots { span { (time(note.row.created_at, now)) } span { a href={ "/library/notes/" (note.row.id) } { "Edit" } } }
            }
        } }
    } }
}

fn mark_form(item: &Item, token: &FormToken, typed: ItemFormInput<'_>, form_error: &FormError) -> Markup {
    html! {
        details.noprint #mark open[!typed.quote.is_empty()] {
            summary { "Highlight words" }
            form.stack method="post" action={ (path(item)) "/highlights" } {
                (token.field())
                p.rule { "Copy the words from the text." }
                (words_field("quote", "Words to highlight", typed.quote, 3, form_error))
                (words_field("note", "Note (optional)", typed.note, 2, form_error))
                div { button type="submit" { "Highlight" } }
            }
        }
    }
}

fn note_form(item: &Item, token: &FormToken, typed: ItemFormInput<'_>, form_error: &FormError) -> Markup {
    html! {
        details.noprint open[!typed.text.is_empty()] {
            summary { "Add a note" }
            form.stack method="post" action={ (path(item)) "/notes" } {
                (token.field())
                (words_field("text", "Note on the whole item", typed.text, 4, form_error))
                div { button type="submit" { "Save note" } }
            }
        }
    }
}
