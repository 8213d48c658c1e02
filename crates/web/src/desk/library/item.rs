//! Page of one item: its text with highlights, its status, tags, notes, and file, and its actions.

use articles::Render;
use kernel::error::not_found;
use kernel::{ItemId, Millis};
use library::{AdjacentItems, AnnotationFilter, Highlight, Item, ItemStatus, MessageFiles, Note, StoredText};
use maud::{Markup, PreEscaped, html};
use poem::handler;
use poem::http::{HeaderValue, StatusCode};
use poem::web::Path;

use super::super::frame::{Section, cut, link, notice, respond_with};
use super::fields::{COLORS, words_field};
use super::item_rows::{STATUSES, kind_name, path, progress, status_name, tag_links, text_state, title};
use super::{highlight_markup, item_summary};
use crate::layout::hosts;
use crate::page::form::{FormError, FormToken};
use crate::page::parts::time;
use crate::page::request::{PageRequest, PageResult, User};
use crate::pictures::Pictures;
use crate::reading_bar::listening;
use crate::text_format::{direction, minutes};

const DONE: [(&str, &str); 12] = [
    ("saved", "Saved. Its text is ready, or will be soon."),
    ("kept", "Already in your library."),
    ("moved", "Moved."),
    ("marked", "Done."),
    ("noted", "Note saved."),
    ("unmarked", "Highlight deleted."),
    ("unnoted", "Note deleted."),
    ("edited", "Details saved."),
    ("asked", "The text is being fetched again. This page shows it when it is ready."),
    ("summarizing", "The summary is being written. This page shows it when it is ready."),
    ("tagged", "Tag added."),
    ("none", "Nothing was changed."),
];
/// Maximum number of highlights, and of notes, on the page.
const ANNOTATIONS: u32 = 200;
/// Maximum length of the title in a link to another item, in characters.
const LINKED_TITLE_CHARS: usize = 80;
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
    if library::pending_deletions(domain, account_id).await?.contains_key(&id) {
        return Err(not_found("item").into());
    }
    let text = library::stored_text(domain, account_id, id).await?;
    let filter = AnnotationFilter { item_id: Some(id), ..AnnotationFilter::default() };
    let marked = library::list_highlights(domain, account_id, &filter, None, ANNOTATIONS).await?;
    let (highlights, has_more) = (marked.annotations, marked.next.is_some());
    let notes = library::list_notes(domain, account_id, &filter, None, ANNOTATIONS).await?.annotations;
    let adjacent = library::adjacent(domain, account_id, &item).await?;
    let markup =
        text.as_ref().map(|text| highlight_markup::text(&text.document, &highlights)).unwrap_or_default();
    let pictures = Pictures::for_person(request, account_id, &markup).await?;
    let markup = pictures.of_message(format!("{}/files", path(&item))).replace_in(&markup);
    let now = domain.now();
    let token = FormToken::of(request);
    let summary = item_summary::section(request, &item, text.as_ref(), &token).await?;
    let content = html! {
        p.soft { a href="/library" { "Library" } " › " a href=(link("/library", &[("shelf", item.status.as_str())])) { (status_name(item.status)) } }
        (notice(request, &DONE))
        (form_error.summary())
        div.reading data-item=(id) {
            div {
                (head(request, &item, text.as_ref(), now))
                (buttons(&item, &token))
                (summary.markup)
                (body(&item, text.as_ref(), &markup, &highlights))
                (end(&item, text.as_ref(), &token, domain.policy().renders_pages))
                (adjacent_links(&adjacent))
            }
            aside.side-notes aria-label="Highlights and notes" {
                (marks(&highlights, text.as_ref(), &token))
                @if has_more { p.soft { "These are the first " (highlights.len()) " highlights. " a href="/library/export" { "An export" } " has all of them." } }
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
    if (is_coming || summary.is_pending) && status == StatusCode::OK && reloads < MAX_RELOADS {
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
                @if let Some(text) = text { (reading_time(item, text)) }
            }
            p.meta.dots.noprint {
                span { "saved " (time(item.saved_at, now)) }
                @if let Some(text) = text { span { "text from " (time(text.cached_at, now)) } }
                @if item.finished_at.is_some() { span { "read" } }
                @if is_web { span { a href={ (reader) "/" (item.url) } { "Current page" } } }
            }
            (progress(item))
            (tag_links(&item.tags))
            @if is_web { p.only-print { "Source: " bdi { (item.url) } } }
        }
    }
}

/// Renders the reading time of a text, or the time that is left of a started text.
fn reading_time(item: &Item, text: &StoredText) -> Markup {
    let whole = text.document.reading_minutes();
    let started = item.read_progress.filter(|percent| *percent > 0 && item.finished_at.is_none());
    let left = started.and_then(|percent| u32::try_from(100 - percent).ok());
    html! {
        @match left {
            Some(left) => { span { (minutes(whole.saturating_mul(left).div_ceil(100))) " left" } },
            None => { span { (minutes(whole)) } },
        }
    }
}

/// Renders the links to the adjacent items of the same list.
fn adjacent_links(adjacent: &AdjacentItems) -> Markup {
    html! {
        @if adjacent.newer.is_some() || adjacent.older.is_some() {
            nav.pager.row.noprint aria-label="Other items" {
                @if let Some(item) = &adjacent.newer { a.button.secondary rel="prev" href=(path(item)) { "Previous: " bdi { (cut(title(item), LINKED_TITLE_CHARS)) } } }
                @if let Some(item) = &adjacent.older { a.button.secondary rel="next" href=(path(item)) { "Next: " bdi { (cut(title(item), LINKED_TITLE_CHARS)) } } }
            }
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
                @if item.url.starts_with("http") { li { a href=(item.url) rel="noopener nofollow external" { "Open the original" } } li { a href={ (path(item)) "/copies" } { "Copies of the page" } } }
                li { a href="/settings/look" { "Reading settings" } }
                li { a href={ (path(item)) "/delete" } { "Delete…" } }
            } (listening()) } }
        }
    }
}

/// Returns true if the text of an item can be fetched or read again.
fn has_source(item: &Item, text: Option<&StoredText>) -> bool {
    text.is_some() || item.asset_blob.is_some() || item.url.starts_with("http")
}

fn body(item: &Item, text: Option<&StoredText>, markup: &str, highlights: &[Highlight]) -> Markup {
    let Some(text) = text else {
        let is_marked_only = !has_source(item, None) && text_state(item).is_none() && !highlights.is_empty();
        return html! {
            @if is_marked_only {
                p.notice { "This item has highlights, but no text." }
            } @else if item.asset_blob.is_none() {
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
        article.text lang=(language) dir=(direction(language)) data-minutes=(text.document.reading_minutes()) { (PreEscaped(markup)) }
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

/// Renders the tools below the text. If `is_rendered` is true, the page can be fetched in a browser.
fn end(item: &Item, text: Option<&StoredText>, token: &FormToken, is_rendered: bool) -> Markup {
    let read = item.read_progress.unwrap_or(0).to_string();
    html! {
        div.tools.noprint {
            form.seek method="post" action={ (path(item)) "/change" } {
                (token.field())
                label for="progress" { "Percent read" }
                input #progress type="number" name="progress" min="0" max="100" value=(read);
                button.secondary type="submit" { "Save" }
            }
            @if has_source(item, text) { form method="post" action={ (path(item)) "/refresh" } {
                (token.field())
                button.secondary type="submit" { "Fetch text again" }
                @if is_rendered && item.url.starts_with("http") {
                    " " button.secondary type="submit" name="render" value=(Render::Always.as_str()) { "Fetch in a browser" }
                }
            } }
            a.button.secondary href={ (path(item)) "/markdown" } download { "Download as Markdown" }
        }
    }
}

fn marks(highlights: &[Highlight], text: Option<&StoredText>, token: &FormToken) -> Markup {
    html! { @if !highlights.is_empty() {
        h2 { "Highlights" }
        ul.rows { @for highlight in highlights {
            @let row = &highlight.row;
            li {
                p.say {
                    @if row.anchor.is_some() { a href={ "#mark-" (row.id) } { mark { bdi { (row.quote) } } } }
                    @else { mark { bdi { (row.quote) } } }
                }
                @if let Some(page) = row.page { p.meta { "Page " (page) } }
                @if row.anchor.is_none() && text.is_some() { p.meta { "Not found in the current text" } }
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
                p.meta.share { a href={ "/library/highlights/" (row.id) "/quote" } { "Share" } }
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
