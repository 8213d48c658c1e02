//! Page of one entry: the extracted article if the person requested full text, and otherwise the content of
//! the feed. Opening an entry marks it as read.

use application::listening::ListenedText;
use extract::feed::{Categories, Enclosure, plain_text};
use feeds::{ArticleState, Entry, EntryBody, EntryText, EntryView, SourceKind};
use kernel::search::property::CategoryName;
use kernel::{AccountId, EntryId};
use maud::{Markup, PreEscaped, html};
use poem::http::{HeaderValue, header};
use poem::web::Path;
use poem::{Response, handler};

use super::super::frame::{self, Section, link, notice, respond, with_limited_reload};
use super::super::listening::position_form;
use super::super::passages;
use super::super::question_parts::question_section;
use super::entry_question;
use super::entry_rows::{DONE, OPEN, at, opens_original, path, star_act, star_mark};
use super::entry_scope::EntryListScope;
use super::episode::{self, Recording};
use crate::language::text::Text;
use crate::layout::{MEDIA_POLICY, hosts};
use crate::page::form::FormToken;
use crate::page::parts::time;
use crate::page::request::{PageRequest, PageResult, User};
use crate::page::response::redirect;
use crate::pictures::Pictures;
use crate::reading_bar::menu_buttons;
use crate::text_format::{direction, minutes};
use crate::videos::{self, VideoPlayers};

/// Query value that requests the feed's text instead of the article.
const FEED_TEXT: &str = "feed";
/// Maximum number of reloads while a question is answered.
const MAX_RELOADS: u32 = 100;
/// Maximum length of the markup from which the language is detected, in characters.
const LANGUAGE_SAMPLE_CHARS: usize = 16_000;

#[handler]
pub(in crate::desk) async fn show(request: PageRequest, user: User, Path(id): Path<i64>) -> PageResult {
    let (domain, account_id) = (&request.app.domain, user.account.id);
    let id = EntryId::new(id);
    let text = if request.parameter("text") == FEED_TEXT { EntryText::Feed } else { EntryText::Preferred };
    let view = feeds::view_entry(domain, account_id, id, text).await?;
    // The redirect after "Mark as unread" must not mark the entry as read again.
    if view.entry.unread && request.parameter("done") != "unread" {
        feeds::mark_entries(domain, account_id, &[id], false).await?;
    }
    if request.parameter(OPEN.0) == OPEN.1 && opens_original(&view.entry) {
        return Ok(redirect(&view.entry.url));
    }
    let scope = EntryListScope::of(&request);
    let (newer, next) = adjacent_entries(&request, account_id, &scope, id).await?;
    let token = FormToken::of(&request);
    let entry = &view.entry;
    let recording = Recording::load(&request, account_id, entry).await?;
    let markup = entry_markup(&view.body);
    let listening = position_form(&request, &user, ListenedText::Entry(id)).await?;
    let text_page = entry_question::text_page(account_id, &view);
    let question = question_section(&request, &text_page, &token).await?;
    let passage = passages::section(&request, &text_page, "", &token).await?;
    let picture = episode::picture(entry, &markup);
    let markup = markup + &picture;
    let video = videos::paragraph(&entry.url, &entry.title, entry.image_url.as_deref());
    let pictures = Pictures::for_person(&request, account_id, &format!("{video}{markup}")).await?;
    let mut players = VideoPlayers::default();
    let video = players.add_to(&pictures.replace_in(&video));
    let markup = players.add_to(&pictures.replace_in(&markup));
    let content = html! {
        p.soft.noprint { a href=(scope.at("/entries", scope.tab_value())) { (Text("nav-feeds")) } " › "
            a href=(link("/entries", &[("feed", &entry.feed_id.to_string())])) data-key="F" { bdi { (entry.feed_title) } } }
        (notice(&request, &DONE)) (notice(&request, &episode::DONE)) (notice(&request, &entry_question::DONE)) (notice(&request, &passages::DONE))
        div.reading {
            div {
                (head(&view, domain.now()))
                (buttons(&request, &token, &view))
                (question.markup)
                (passage.answer)
                @if let Some(form) = &passage.form { (form) }
                (recording.players(&request, &token))
                (PreEscaped(video))
                (entry_text(&view, &markup))
                (recording.transcripts(&request, &token))
                (adjacent_links(&scope, newer.as_ref(), next.as_ref()))
                (listening)
            }
        }
    };
    let title = format!("{} · {}", frame::cut(&entry.title, 120), Text("nav-feeds").get());
    let response = respond(&request, Section::Feeds, &title, &content);
    let response = players.allow_in(with_media_policy(response, entry));
    if question.is_pending || passage.is_pending {
        let fragment = if passage.is_pending { passages::ANSWER } else { "" };
        return Ok(with_limited_reload(&request, response, &path(id), fragment, MAX_RELOADS));
    }
    Ok(response)
}

/// Returns the entries before and after an entry in its list. The list of starred entries is only read forwards.
async fn adjacent_entries(
    request: &PageRequest,
    account_id: AccountId,
    scope: &EntryListScope,
    id: EntryId,
) -> Result<(Option<Entry>, Option<Entry>), kernel::Error> {
    let domain = &request.app.domain;
    if scope.is_all_starred() {
        return Ok((None, feeds::list_starred(domain, account_id, Some(id), 1).await?.entries.pop()));
    }
    let filter = scope.filter();
    let newer = feeds::entry_before(domain, account_id, &filter, id).await?;
    Ok((newer, feeds::entry_after(domain, account_id, &filter, id).await?))
}

/// Sets the content security policy that allows the page to play the recordings of the entry, if it has any.
fn with_media_policy(mut response: Response, entry: &Entry) -> Response {
    if entry.enclosures.iter().any(Enclosure::is_played) {
        response
            .headers_mut()
            .insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(MEDIA_POLICY));
    }
    response
}

/// Renders the links to the adjacent entries of the list.
fn adjacent_links(scope: &EntryListScope, newer: Option<&Entry>, older: Option<&Entry>) -> Markup {
    let link = |entry: &Entry, relation: &str, label: Text| {
        let title = html! { bdi { (frame::cut(&entry.title, 80)) } };
        html! { a.button.secondary rel=(relation) href=(scope.at(&path(entry.id), scope.tab_value())) { (label.markup(&[("title", title)])) } }
    };
    html! {
        @if newer.is_some() || older.is_some() {
            nav.pager.row.noprint aria-label=(Text("entry-others")) {
                @if let Some(newer) = newer { (link(newer, "prev", Text("previous-titled"))) }
                @if let Some(older) = older { (link(older, "next", Text("next-titled"))) }
            }
        }
    }
}

fn head(view: &EntryView, now: kernel::Millis) -> Markup {
    let entry = &view.entry;
    html! {
        header.head {
            h1 { @if entry.starred { (star_mark()) } bdi { (entry.title) } }
            p.meta.dots {
                span { bdi { (entry.feed_title) } }
                @if let Some(author) = &entry.author { span { bdi { (author) } } }
                span { (time(at(entry), now)) }
                @if let EntryBody::Article(document) = &view.body { span { (minutes(document.reading_minutes())) } }
            }
            (category_links(&entry.categories))
        }
    }
}

/// Renders categories, each with a link to all entries that have it.
fn category_links(categories: &Categories) -> Markup {
    let entries_with = |name: &str| link("/entries", &[("show", "all"), ("q", &CategoryName::query(name))]);
    html! { @if !categories.is_empty() {
        p.tags {
            @for name in &categories.names { a.tag href=(entries_with(name)) { bdi { (name) } } }
            @if categories.omitted > 0 { span.soft { (Text("entry-categories-omitted").with("count", categories.omitted)) } }
        }
    } }
}

fn buttons(request: &PageRequest, token: &FormToken, view: &EntryView) -> Markup {
    let entry = &view.entry;
    let (reader, _) = hosts(&request.app);
    html! {
        div.bar.noprint {
            form.tools method="post" action="/entries/mark" {
                (token.field()) (frame::back_field(request))
                @let (act, label) = star_act(entry);
                button.secondary type="submit" name=(act) value=(entry.id) { (label) }
                @if view.subscription_id.is_some() { button.secondary type="submit" name="unread" value=(entry.id) { (Text("entry-keep-unread")) } }
            }
            details name="bar" { summary.button.secondary { (Text("reading-more")) } div.sheet { ul {
                @if entry.source_kind == SourceKind::Newsletter { li { a href=(entry.url) { (Text("entry-message")) } } }
                @else {
                    li { a href={ (reader) "/" (entry.url) } rel="nofollow" data-key="d" { (Text("entry-read-page")) } }
                    li { a href=(entry.url) rel="noopener nofollow external" { (Text("reading-original")) } }
                }
                @match &view.body {
                    EntryBody::Article(_) if view.subscription_id.is_some() => { li { a href=(link(&path(entry.id), &[("text", FEED_TEXT)])) rel="nofollow" { (Text("entry-feed-text")) } } },
                    EntryBody::Markup(_, ArticleState::Available) => { li { a href=(path(entry.id)) { (Text("entry-full-article")) } } },
                    EntryBody::Article(_) | EntryBody::Markup(..) => {},
                }
                @if let Some(id) = view.subscription_id {
                    li { a href={ "/subscriptions/" (id) } { (Text("entries-feed-settings")) } }
                    li { a href={ "/subscriptions/" (id) "/delete" } data-key="#" { (Text("entry-unfollow")) } }
                }
                li { a href="/settings/look" { (Text("foot-reading-settings")) } }
            } (menu_buttons(shared_url(entry))) } }
        }
    }
}

/// Returns the address of an entry that others can open. Empty for a newsletter, whose address is a page of
/// the person.
fn shared_url(entry: &Entry) -> &str {
    if entry.source_kind == SourceKind::Newsletter { "" } else { &entry.url }
}

/// Returns the markup of an entry. Pictures have their original addresses.
pub(in crate::desk) fn entry_markup(body: &EntryBody) -> String {
    match body {
        EntryBody::Article(document) => extract::render::html_with_pictures(&document.blocks),
        EntryBody::Markup(markup, _) => extract::feed::display_markup_with_pictures(markup),
    }
}

/// Renders the text of an entry. The pictures in `markup` have addresses on this host.
pub(in crate::desk) fn entry_text(view: &EntryView, markup: &str) -> Markup {
    match &view.body {
        EntryBody::Article(document) => {
            let language = document.language.as_deref().unwrap_or("en");
            html! { article.text lang=(language) dir=(direction(language)) data-minutes=(document.reading_minutes()) { (PreEscaped(markup)) } }
        }
        EntryBody::Markup(_, state) => html! {
            @match state {
                ArticleState::Pending => { p.notice { (Text("entry-article-pending")) } },
                ArticleState::NoBrowser => { p.notice { (Text("entry-no-browser")) } },
                ArticleState::Available | ArticleState::None => {},
            }
            (feed_text(&view.entry, markup))
        },
    }
}

/// Detects the language of the text from the feed, for voices and hyphens.
fn feed_language(entry: &Entry, markup: &str) -> Option<String> {
    let sample: String = markup.chars().take(LANGUAGE_SAMPLE_CHARS).collect();
    let text = plain_text(&sample);
    let words = if text.is_empty() { entry.summary.as_deref().unwrap_or_default() } else { text.as_str() };
    extract::language_of(words)
}

/// Renders the text from the feed: its markup, or its summary if there is no markup.
fn feed_text(entry: &Entry, markup: &str) -> Markup {
    let page = || html! { a href=(entry.url) rel="noopener nofollow external" { (Text("entry-open-page")) } };
    html! {
        article.text lang=[feed_language(entry, markup)] dir="auto" {
            @if !markup.trim().is_empty() { (PreEscaped(markup)) }
            @else if let Some(summary) = &entry.summary { p { (summary) } }
            @else { p.soft { (Text("entry-only-title").markup(&[("link", page())])) } }
        }
    }
}
