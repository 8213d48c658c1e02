//! Page of one item: its text with highlights, its status, tags, notes, and file, and its actions.

use application::listening::ListenedText;
use articles::Render;
use kernel::error::not_found;
use kernel::{AccountId, Domain, Error, HighlightId, ItemId, Millis};
use library::{AdjacentItems, AnnotationFilter, Highlight, Item, ItemStatus, MessageFiles, Note, StoredText};
use maud::{Markup, PreEscaped, html};
use poem::handler;
use poem::http::StatusCode;
use poem::web::Path;

use super::super::frame::{Section, cut, link, notice, respond_with, with_limited_reload};
use super::super::listening::position_form;
use super::super::passages::{self, PassageSection};
use super::super::question_parts::question_section;
use super::fields::{color_field, words_field};
use super::item_rows::{STATUSES, kind_name, path, progress, status_name, tag_links, text_state, title};
use super::{highlight_card, highlight_markup, highlight_picture, item_question, item_summary};
use crate::language::text::Text;
use crate::layout::hosts;
use crate::page::form::{FormError, FormToken};
use crate::page::form_id;
use crate::page::parts::time;
use crate::page::request::{PageRequest, PageResult, User};
use crate::pictures::Pictures;
use crate::reading_bar::menu_buttons;
use crate::text_format::{direction, minutes};
use crate::videos::{self, VideoPlayers};

const DONE: [(&str, Text); 15] = [
    ("saved", Text("done-item-saved")),
    ("kept", Text("done-item-known")),
    ("moved", Text("item-moved")),
    ("marked", Text("item-done")),
    ("noted", Text("item-note-saved")),
    ("unmarked", Text("item-highlight-deleted")),
    ("resumed", Text("item-highlight-resumed")),
    ("unnoted", Text("item-note-deleted")),
    ("edited", Text("item-details-saved")),
    ("asked", Text("item-fetching-again")),
    ("summarizing", Text("item-summarizing")),
    ("answering", Text("question-requested")),
    ("tagged", Text("item-tagged")),
    ("untagged", Text("item-model-tags-removed")),
    ("none", Text("item-unchanged")),
];
/// Maximum number of highlights, and of notes, on the page.
const ANNOTATIONS: u32 = 200;
/// Maximum length of the title in a link to another item, in characters.
const LINKED_TITLE_CHARS: usize = 80;
/// Maximum number of reloads while the text is pending.
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

/// Returns true if the item has no text yet, and one is awaited.
fn is_text_coming(item: &Item, has_text: bool) -> bool {
    !has_text && text_state(item).is_some() && item.article_error.is_none()
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
    let item = open_item(domain, account_id, id).await?;
    let text = library::stored_text(domain, account_id, id).await?;
    let filter = AnnotationFilter { item_id: Some(id), ..AnnotationFilter::default() };
    let marked = library::list_highlights(domain, account_id, &filter, None, ANNOTATIONS).await?;
    let (highlights, has_more) = (marked.annotations, marked.next.is_some());
    let noted = library::list_notes(domain, account_id, &filter, None, ANNOTATIONS).await?;
    let (notes, has_more_notes) = (noted.annotations, noted.next.is_some());
    let adjacent = library::adjacent(domain, account_id, &item).await?;
    let markup =
        text.as_ref().map(|text| highlight_markup::text(&text.document, &highlights)).unwrap_or_default();
    let pictures = Pictures::for_person(request, account_id, &markup).await?;
    let pictures = pictures.of_message(format!("{}/files", path(&item)));
    let mut players = VideoPlayers::default();
    let video = players.add_to(&videos::paragraph(&item.url, title(&item), None));
    let markup = players.add_to(&pictures.replace_in(&highlight_picture::with_buttons(&markup)));
    let token = FormToken::of(request);
    let summary = item_summary::section(request, &item, text.as_ref(), &token).await?;
    let text_page = item_question::text_page(&item, text.as_ref());
    let question = question_section(request, &text_page, &token).await?;
    let passage = passages::section(request, &text_page, marked_words(request, &highlights), &token).await?;
    let listening = position_form(request, user, ListenedText::Item(id)).await?;
    let content = html! {
        p.soft { a href="/library" { (Text("nav-library")) } " › " a href=(link("/library", &[("shelf", item.status.as_str())])) { (status_name(item.status)) } }
        (notice(request, &DONE)) (notice(request, &passages::DONE))
        (form_error.summary())
        div.reading data-item=(id) {
            div {
                (head(request, &item, text.as_ref(), domain.now()))
                (buttons(&item, &token))
                (summary.markup)
                (question.markup)
                (PreEscaped(video))
                (body(&item, text.as_ref(), &markup, &highlights))
                (end(&item, text.as_ref(), &token, domain.policy().renders_pages))
                (adjacent_links(&adjacent))
                (listening)
            }
            aside.side-notes aria-label=(Text("item-annotations")) {
                (passage.answer)
                (marks(&highlights, &MarkTools { pictures: &pictures, has_text: text.is_some(), passage: &passage, path: path(&item), token: &token }))
                @if has_more { p.soft { (Text("item-first-highlights").with("count", highlights.len()).linked(&["/library/export"])) } }
                (note_list(&notes, domain.now()))
                @if has_more_notes { p.soft { (Text("item-newest-notes").with("count", notes.len()).linked(&["/library/export"])) } }
                @if let Some(form) = &passage.form { (form) }
                @if text.is_some() { (mark_form(&item, &token, typed, form_error)) (highlight_picture::form(&path(&item), &token)) }
                (note_form(request, &item, &token, typed, form_error))
            }
        }
    };
    let title = format!("{} · {}", title(&item), Text("nav-library").get());
    let response = players.allow_in(respond_with(request, status, Section::Library, &title, &content));
    let is_pending = summary.is_pending || question.is_pending || passage.is_pending;
    if (is_pending || is_text_coming(&item, text.is_some())) && status == StatusCode::OK {
        let fragment = if passage.is_pending { passages::ANSWER } else { "" };
        return Ok(with_limited_reload(request, response, &path(&item), fragment, MAX_RELOADS));
    }
    Ok(response)
}

/// Opens an item that is not being deleted.
async fn open_item(domain: &Domain, account_id: AccountId, id: ItemId) -> Result<Item, Error> {
    let item = library::open(domain, account_id, id).await?;
    if library::pending_deletions(domain, account_id).await?.contains_key(&id) {
        return Err(not_found("item"));
    }
    Ok(item)
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
                span { (Text("items-saved").markup(&[("time", time(item.saved_at, now))])) }
                @if let Some(text) = text { span { (Text("item-text-from").markup(&[("time", time(text.cached_at, now))])) } }
                @if item.finished_at.is_some() { span { (Text("items-read")) } }
                @if is_web { span { a href={ (reader) "/" (item.url) } { (Text("item-current")) } } }
            }
            (progress(item))
            (tag_links(&item.tags))
            @if is_web { p.only-print { (Text("item-source").markup(&[("address", html! { bdi { (item.url) } })])) } }
        }
    }
}

/// Renders the reading time of a text, or the remaining time if the text was started.
fn reading_time(item: &Item, text: &StoredText) -> Markup {
    let whole = text.document.reading_minutes();
    let started = item.read_progress.filter(|percent| *percent > 0 && item.finished_at.is_none());
    let left = started.and_then(|percent| u32::try_from(100 - percent).ok());
    html! {
        @match left {
            Some(left) => { span { (Text("item-time-left").with("time", minutes(whole.saturating_mul(left).div_ceil(100)))) } },
            None => { span { (minutes(whole)) } },
        }
    }
}

/// Renders the links to the adjacent items of the same list.
fn adjacent_links(adjacent: &AdjacentItems) -> Markup {
    let titled = |text: Text, item: &Item| {
        text.markup(&[("title", html! { bdi { (cut(title(item), LINKED_TITLE_CHARS)) } })])
    };
    html! {
        @if adjacent.newer.is_some() || adjacent.older.is_some() {
            nav.pager.row.noprint aria-label=(Text("item-others")) {
                @if let Some(item) = &adjacent.newer { a.button.secondary rel="prev" href=(path(item)) { (titled(Text("previous-titled"), item)) } }
                @if let Some(item) = &adjacent.older { a.button.secondary rel="next" href=(path(item)) { (titled(Text("next-titled"), item)) } }
            }
        }
    }
}

fn buttons(item: &Item, token: &FormToken) -> Markup {
    let (mark, label) = if item.finished_at.is_some() {
        ("unread", Text("item-mark-unread"))
    } else {
        ("read", Text("items-mark-read"))
    };
    html! {
        div.bar.noprint {
            form.tools method="post" action={ (path(item)) "/change" } {
                (token.field())
                @for (status, name) in STATUSES.iter().filter(|(status, _)| *status != item.status) {
                    button.secondary type="submit" name="status" value=(status) {
                        @if *status == ItemStatus::Inbox { (Text("item-to-inbox")) } @else { (name) }
                    }
                }
                button.secondary type="submit" name="mark" value=(mark) { (label) }
            }
            details name="bar" { summary.button.secondary { (Text("reading-more")) } div.sheet { ul {
                li { a href={ (path(item)) "/edit" } { (Text("item-edit")) } }
                @if item.url.starts_with("http") { li { a href=(item.url) rel="noopener nofollow external" { (Text("reading-original")) } } li { a href={ (path(item)) "/copies" } { (Text("item-copies")) } } }
                li { a href="/settings/look" { (Text("foot-reading-settings")) } }
                li { a href={ (path(item)) "/delete" } { (Text("items-delete")) } }
            } (menu_buttons(&item.url)) } }
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
                p.notice { (Text("item-highlights-only")) }
            } @else if item.asset_blob.is_none() {
                p.notice { (Text("item-text-state").with("state", text_state(item).unwrap_or_else(|| Text("item-no-text").get()))) }
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
            figcaption { (Text("item-file").markup(&[("file", html! { a href=(at) download { bdi { (name) } } })])) }
        }
    }
}

/// Renders links to the files of a message.
fn message_files(item: &Item) -> Markup {
    let MessageFiles { files, further, tracking_pixels } = library::message_files(item);
    html! {
        @if !files.is_empty() {
            details.noprint {
                summary { (Text("message-files").with("count", files.len())) }
                ul { @for file in &files {
                    li { a href={ (path(item)) "/files/" (file.number) } download { bdi { (file.name) } } " " span.soft.small { (Text("message-file-bytes").with("count", file.bytes)) } }
                } }
                @if further > 0 { p.soft { (Text("message-files-further").with("count", further)) } }
            }
        }
        @if tracking_pixels > 0 { p.soft.small.noprint { (Text("message-pixels").with("count", tracking_pixels)) } }
    }
}

/// Renders the tools below the text. If `is_rendered` is true, they include a button that renders the page in a
/// browser.
fn end(item: &Item, text: Option<&StoredText>, token: &FormToken, is_rendered: bool) -> Markup {
    let read = item.read_progress.unwrap_or(0).to_string();
    html! {
        div.tools.noprint {
            form.seek method="post" action={ (path(item)) "/change" } {
                (token.field())
                label for="progress" { (Text("item-percent")) }
                input #progress type="number" name="progress" min="0" max="100" value=(read);
                button.secondary type="submit" { (Text("form-save")) }
            }
            @if has_source(item, text) { form method="post" action={ (path(item)) "/refresh" } {
                (token.field())
                button.secondary type="submit" { (Text("item-fetch-again")) }
                @if is_rendered && item.url.starts_with("http") {
                    " " button.secondary type="submit" name="render" value=(Render::Always.as_str()) { (Text("item-fetch-rendered")) }
                }
            } }
            a.button.secondary href={ (path(item)) "/markdown" } download { (Text("reading-markdown")) }
        }
    }
}

/// Returns the quote of the highlight that the address selects, to fill in the passage form. Empty if there is none.
fn marked_words<'a>(request: &PageRequest, highlights: &'a [Highlight]) -> &'a str {
    let id = request.parameter("highlight").parse::<HighlightId>().ok();
    let marked = highlights.iter().find(|highlight| Some(highlight.row.id) == id);
    marked.map(|highlight| highlight.row.quote.as_str()).unwrap_or_default()
}

/// Parts of the page that the list of highlights uses.
struct MarkTools<'a> {
    pictures: &'a Pictures,
    has_text: bool,
    passage: &'a PassageSection,
    /// Path of the item.
    path: String,
    token: &'a FormToken,
}

fn marks(highlights: &[Highlight], tools: &MarkTools<'_>) -> Markup {
    let MarkTools { pictures, has_text, passage, path, token } = tools;
    html! { @if !highlights.is_empty() {
        h2 { (Text("item-highlights")) }
        ul.rows { @for highlight in highlights {
            @let row = &highlight.row;
            li {
                (highlight_picture::framed(pictures, highlight))
                p.say dir="auto" {
                    @if row.anchor.is_some() { a href={ "#mark-" (row.id) } { mark { (row.quote) } } }
                    @else { mark { (row.quote) } }
                }
                @if let Some(page) = row.page { p.meta { (Text("highlight-page").with("number", page)) } }
                @if row.anchor.is_none() && *has_text { p.meta { (Text("highlight-lost")) } }
                details {
                    summary { @match &row.note { Some(note) => { bdi { (note) } }, None => (Text("highlight-change")) } }
                    form.stack method="post" action={ "/library/highlights/" (row.id) } {
                        (token.field())
                        textarea.words name="note" rows="2" aria-label=(Text("highlight-note")) { (row.note.as_deref().unwrap_or_default()) }
                        (color_field(row.color))
                        div.row {
                            button.secondary type="submit" { (Text("form-save")) }
                            button.secondary type="submit" name="act" value="delete" { (Text("form-delete")) }
                            @if row.review_day.is_none() { button.secondary type="submit" name="act" value="review" { (Text("highlight-review-again")) } }
                        }
                    }
                }
                p.meta.share { a href={ "/library/highlights/" (row.id) "/quote" } { (Text("highlight-share")) } " · " (highlight_card::link(highlight))
                    @if passage.form.is_some() && row.picture_url.is_none() { " · " a href={ (path) "?highlight=" (row.id) "#passage-form" } rel="nofollow" { (Text("passage-of-highlight")) } }
                }
            }
        } }
    } }
}

fn note_list(notes: &[Note], now: Millis) -> Markup {
    html! { @if !notes.is_empty() {
        h2 { (Text("item-notes")) }
        ul.rows { @for note in notes {
            li id={ "note-" (note.row.id) } {
                p.words { bdi { (note.row.text) } }
                p.meta.dots { span { (time(note.row.created_at, now)) } span { a href={ "/library/notes/" (note.row.id) } { (Text("form-edit")) } } }
            }
        } }
    } }
}

fn mark_form(item: &Item, token: &FormToken, typed: ItemFormInput<'_>, form_error: &FormError) -> Markup {
    html! {
        details.noprint #mark open[!typed.quote.is_empty()] {
            summary { (Text("highlight-words")) }
            form.stack method="post" action={ (path(item)) "/highlights" } {
                (token.field())
                p.rule { (Text("highlight-words-rule")) }
                (words_field("quote", &Text("highlight-quote"), typed.quote, 3, form_error))
                (words_field("note", &Text("note-optional"), typed.note, 2, form_error))
                div { button type="submit" { (Text("highlight-add")) } }
            }
        }
    }
}

fn note_form(
    request: &PageRequest,
    item: &Item,
    token: &FormToken,
    typed: ItemFormInput<'_>,
    form_error: &FormError,
) -> Markup {
    html! {
        details.noprint open[!typed.text.is_empty()] {
            summary { (Text("note-add")) }
            form.stack method="post" action={ (path(item)) "/notes" } {
                (token.field())
                (form_id::field(request))
                (words_field("text", &Text("note-on-item"), typed.text, 4, form_error))
                div { button type="submit" { (Text("note-save")) } }
            }
        }
    }
}
