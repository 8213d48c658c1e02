//! Offline reading: the setting that makes a browser store texts, the service worker that stores them, the list of
//! texts, and the texts themselves. Stored pages contain no forms, form tokens, or settings. Their script queues the
//! actions of the person.

#![expect(clippy::unused_async, reason = "handlers are asynchronous, even if they await nothing")]

use application::offline::{self, OfflineTexts};
use articles::pictures::PictureWidth;
use feeds::{Entry, EntryText};
use http_kit::page_language;
use kernel::error::not_found;
use kernel::{AccountId, Class, Code, EntryId, Error, ItemId, Millis};
use library::{AnnotationFilter, Item};
use maud::{Markup, PreEscaped, html};
use poem::http::{StatusCode, header};
use poem::{IntoResponse, Response, handler};
use serde_json::{Value, json};

use super::feeds::entry::{entry_markup, entry_text};
use super::feeds::entry_rows::{at, path as entry_path};
use super::frame::host;
use super::library::highlight_markup;
use super::library::item_rows::{path as item_path, title as item_title};
use crate::assets::{Asset, icon_path, style_paths};
use crate::language::text::Text;
use crate::layout::{OFFLINE_POLICY, Shell, Visitor, page_under, shell_for};
use crate::offline_state::{OfflineChoice, OfflineSize, OfflineState, account_key};
use crate::page::cookies::{remove_offline_texts, set_offline_cookie};
use crate::page::form::{Form, FormToken};
use crate::page::parts::time;
use crate::page::request::{PageRequest, PageResult, User};
use crate::page::response::{keep_private, private_json, redirect};
use crate::pictures::Pictures;
use crate::site_icon::IconFormat;
use crate::text_format::{direction, minutes};

/// Script of the service worker, with the queue of actions. Its settings are inserted before it.
const WORKER: &str = concat!(include_str!("../offline_queue.js"), include_str!("../offline_worker.js"));
/// Script of the service worker of browsers that store no texts. It removes the texts and itself.
const REMOVAL: &str = include_str!("../offline_removal.js");
/// Content security policy of the service worker: requests to this host only.
const WORKER_POLICY: &str = "default-src 'none'; connect-src 'self'; script-src 'self'";
/// One MiB, in bytes.
const MIB: u32 = 1024 * 1024;
/// Minimum time between two refreshes of the texts in a browser, in seconds.
const REFRESH_SECONDS: u32 = 600;
/// Time after which a stored text is fetched again, in seconds.
const TEXT_SECONDS: u32 = 86_400;
/// Maximum number of texts in a response.
const RESPONSE_TEXTS: usize = 10;
/// Maximum size of one text, in bytes. A longer text is not stored.
const MAX_PAGE_BYTES: usize = 1024 * 1024;
/// Size in bytes from which a response omits its remaining texts. The service worker requests them again.
const RESPONSE_BYTES: usize = 2 * 1024 * 1024;
/// Maximum width of the pictures of stored texts.
const STORED_WIDTH: PictureWidth = PictureWidth::MEDIUM;
/// Maximum number of highlights in a stored text.
const HIGHLIGHTS: u32 = 200;

/// Text that a browser can store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TextId {
    Item(ItemId),
    Entry(EntryId),
}

impl TextId {
    /// Parses the name of a text in a request: `item.` or `entry.`, and the id.
    pub(super) fn parse(name: &str) -> Option<Self> {
        match name.split_once('.')? {
            ("item", id) => id.parse().ok().map(Self::Item),
            ("entry", id) => id.parse().ok().map(Self::Entry),
            _ => None,
        }
    }

    fn name(self) -> String {
        match self {
            Self::Item(id) => format!("item.{id}"),
            Self::Entry(id) => format!("entry.{id}"),
        }
    }

    /// Returns the path of the text's page.
    fn path(self) -> String {
        match self {
            Self::Item(id) => format!("/library/{id}"),
            Self::Entry(id) => entry_path(id),
        }
    }
}

/// Renders the setting on the settings page.
pub(super) fn choice(request: &PageRequest, token: &FormToken) -> Markup {
    let is_on = request.offline_state() == OfflineState::On;
    html! {
        h2 #offline { (Text("offline-heading")) }
        p { (Text("offline-words")) }
        p.soft { (Text("offline-own-browser")) }
        form.stack method="post" action="/settings/offline" {
            (token.field())
            (amount(OfflineChoice::of_cookie(request.offline_cookie.as_deref())))
            div.row {
                button.secondary type="submit" name="store" value="on" { @if is_on { (Text("offline-save-amount")) } @else { (Text("offline-switch-on")) } }
                @if is_on {
                    a.button.secondary href="/offline" { (Text("offline-stored")) }
                    button.secondary type="submit" name="store" value="off" { (Text("offline-switch-off")) }
                }
            }
        }
    }
}

/// Renders the fields that select how many texts are stored, and whether all their pictures are stored.
fn amount(choice: OfflineChoice) -> Markup {
    html! {
        fieldset {
            legend { (Text("offline-amount")) }
            @for size in OfflineSize::ALL {
                label.choice {
                    input type="radio" name="size" value=(size.as_str()) checked[size == choice.size];
                    span { (Text("offline-size").with("texts", size.texts()).with("size", size.text_mib() + size.picture_mib())) }
                }
            }
            label.choice {
                input type="checkbox" name="pictures" value=(OfflineChoice::ALL_PICTURES) checked[choice.has_all_pictures];
                span { (Text("offline-all-pictures")) }
            }
        }
    }
}

/// Switches offline storage of texts on or off in this browser.
#[handler]
pub(super) async fn save(request: PageRequest, user: User, form: Form) -> PageResult {
    match form.get("store") {
        "on" => {
            let choice = OfflineChoice::parse(form.get("size"), form.get("pictures"));
            Ok(set_offline_cookie(&request.app, redirect("/offline"), &choice.cookie(user.account.id)))
        }
        "off" => Ok(remove_offline_texts(&request.app, redirect("/settings/look?done=offline-off#offline"))),
        _ => Err(Error::new(Code::InvalidRequest, "Choose whether this browser stores texts.").into()),
    }
}

/// Serves the service worker. A browser that stores no texts of the signed-in account gets a worker that
/// removes the texts and itself.
#[handler]
pub(super) async fn worker(request: PageRequest) -> Response {
    let script = match &request.session {
        Some(session) if request.offline_state() == OfflineState::On => {
            let OfflineChoice { size, has_all_pictures } =
                OfflineChoice::of_cookie(request.offline_cookie.as_deref());
            let settings = json!({
                "account": account_key(session.account.id),
                "policy": OFFLINE_POLICY,
                "textBytes": size.text_mib() * MIB,
                "pictureBytes": size.picture_mib() * MIB,
                "allPictures": has_all_pictures,
                "refreshSeconds": REFRESH_SECONDS,
                "textSeconds": TEXT_SECONDS,
            });
            format!("const SETTINGS = {settings};\n{WORKER}")
        }
        Some(_) | None => REMOVAL.to_owned(),
    };
    let response = script
        .with_content_type("text/javascript; charset=utf-8")
        .with_header("service-worker-allowed", "/")
        .with_header(header::CONTENT_SECURITY_POLICY, WORKER_POLICY);
    keep_private(response.into_response())
}

/// Renders the list of stored texts. The browser shows it if there is no connection.
#[handler]
pub(super) async fn show(request: PageRequest, user: User) -> PageResult {
    if request.offline_state() != OfflineState::On {
        return Ok(switched_off(&request));
    }
    let OfflineTexts { items, entries } = selected(&request, &user).await?;
    let now = request.app.domain.now();
    let content = html! {
        h1 { (Text("offline-stored")) }
        p #offline-state role="status" { (Text("offline-storing")) }
        p.soft { (Text("offline-list-words")) }
        section #offline-queue hidden { h2 { (Text("offline-queue")) } ul.plain {} }
        @if items.is_empty() && entries.is_empty() {
            p { (Text("offline-nothing")) }
        }
        @if !items.is_empty() { h2 { (Text("nav-library")) } ul.rows { @for item in &items { (item_row(item, now)) } } }
        @if !entries.is_empty() { h2 { (Text("today-unread-heading")) } ul.rows { @for entry in &entries { (entry_row(entry, now)) } } }
        p.small { a href="/settings/look#offline" { (Text("offline-settings")) } }
    };
    Ok(stored_page(&request, &Text("offline-stored").get(), &content))
}

/// Selects the texts that the browser stores.
async fn selected(request: &PageRequest, user: &User) -> Result<OfflineTexts, Error> {
    let max_texts = OfflineChoice::of_cookie(request.offline_cookie.as_deref()).size.texts();
    offline::select(&request.app.domain, user.account.id, max_texts).await
}

/// Responds that this browser stores no texts.
fn switched_off(request: &PageRequest) -> Response {
    let content = html! {
        h1 { (Text("offline-off")) }
        p { (Text("offline-off-words").linked(&["/settings/look#offline"])) }
    };
    request.respond(StatusCode::OK, &Text("offline-heading").get(), &content)
}

fn item_row(item: &Item, now: Millis) -> Markup {
    html! {
        li data-text=(item_path(item)) {
            h3 { a href=(item_path(item)) { bdi { (item_title(item)) } } }
            p.meta.dots { span { bdi { (item.domain) } } span { (Text("items-saved").markup(&[("time", time(item.saved_at, now))])) } }
        }
    }
}

fn entry_row(entry: &Entry, now: Millis) -> Markup {
    html! {
        li data-text=(entry_path(entry.id)) {
            h3 { a href=(entry_path(entry.id)) { bdi { (entry.title) } } }
            p.meta.dots { span { bdi { (entry.feed_title) } } span { (time(at(entry), now)) } }
        }
    }
}

/// Renders the page that the browser shows if an action without a connection cannot be queued.
#[handler]
pub(super) async fn refuse(request: PageRequest, _user: User) -> PageResult {
    require_on(&request)?;
    let content = html! {
        h1 { (Text("offline-refused")) }
        p { (Text("offline-refused-words")) }
        p { a.button.secondary href="/offline" { (Text("offline-stored")) } }
    };
    Ok(stored_page(&request, &Text("offline-refused").get(), &content))
}

/// Responds with the texts and files that the browser stores.
#[handler]
pub(super) async fn list(request: PageRequest, user: User) -> PageResult {
    require_on(&request)?;
    let OfflineTexts { items, entries } = selected(&request, &user).await?;
    // Stored pages contain the path of the script and texts, so a new script or language requires new pages.
    let language = page_language::current().content.tag();
    let page = format!("{}.{language}.{}", request.appearance.cookie(), Asset::Offline.path());
    let text = |id: TextId, version: Millis| json!({ "id": id.name(), "path": id.path(), "version": format!("{version}.{page}") });
    let items = items.iter().map(|item| text(TextId::Item(item.id), item.updated_at));
    let entries = entries.iter().map(|entry| text(TextId::Entry(entry.id), entry.discovered_at));
    let stored: Vec<Value> = items.chain(entries).collect();
    let scripts = [Asset::Offline.path(), icon_path(&request.app, IconFormat::Svg)];
    let files: Vec<String> = style_paths(&request.app).into_iter().chain(scripts).collect();
    Ok(private_json(&json!({ "account": account_key(user.account.id), "texts": stored, "files": files })))
}

/// Responds with the pages of some texts. A text that does not exist, or is too long, has no page.
#[handler]
pub(super) async fn texts(request: PageRequest, user: User) -> PageResult {
    require_on(&request)?;
    let query = request.uri.query().unwrap_or_default();
    let named = url::form_urlencoded::parse(query.as_bytes()).filter(|(name, _)| name == "text");
    let ids: Vec<TextId> = named.filter_map(|(_, id)| TextId::parse(&id)).take(RESPONSE_TEXTS).collect();
    let mut texts = Vec::with_capacity(ids.len());
    let mut total = 0;
    for id in ids {
        let page = page_of(&request, user.account.id, id).await?.filter(|page| page.len() <= MAX_PAGE_BYTES);
        total += page.as_ref().map_or(0, String::len);
        texts.push(json!({ "path": id.path(), "html": page }));
        if total >= RESPONSE_BYTES {
            break;
        }
    }
    Ok(private_json(&json!({ "texts": texts })))
}

/// Renders the page of a text. `None` if the text does not exist.
async fn page_of(request: &PageRequest, account_id: AccountId, id: TextId) -> Result<Option<String>, Error> {
    let page = match id {
        TextId::Item(id) => item_page(request, account_id, id).await,
        TextId::Entry(id) => entry_page(request, account_id, id).await,
    };
    match page {
        Err(error) if matches!(error.class(), Class::NotFound | Class::Gone) => Ok(None),
        other => other,
    }
}

async fn item_page(
    request: &PageRequest,
    account_id: AccountId,
    id: ItemId,
) -> Result<Option<String>, Error> {
    let domain = &request.app.domain;
    let item = library::get(domain, account_id, id).await?;
    let Some(text) = library::stored_text(domain, account_id, id).await? else { return Ok(None) };
    let filter = AnnotationFilter { item_id: Some(id), ..AnnotationFilter::default() };
    let marked = library::list_highlights(domain, account_id, &filter, None, HIGHLIGHTS).await?;
    let markup = highlight_markup::text(&text.document, &marked.annotations);
    let pictures = Pictures::for_person(request, account_id, &markup).await?.only_of(STORED_WIDTH);
    let markup = pictures.of_message(format!("{}/files", item_path(&item))).replace_in(&markup);
    let language = text.document.language.as_deref().unwrap_or("en");
    let source = item.url.starts_with("http").then_some(item.url.as_str());
    let meta = html! {
        @if let Some(author) = &item.author { span { bdi { (author) } } }
        (source_link(source))
        span { (minutes(text.document.reading_minutes())) }
    };
    let article = html! { article.text lang=(language) dir=(direction(language)) { (PreEscaped(markup)) } };
    Ok(Some(text_page(request, TextId::Item(id), item_title(&item), &meta, &article)))
}

async fn entry_page(
    request: &PageRequest,
    account_id: AccountId,
    id: EntryId,
) -> Result<Option<String>, Error> {
    let domain = &request.app.domain;
    let view = feeds::view_entry(domain, account_id, id, EntryText::Preferred).await?;
    let entry = &view.entry;
    let markup = entry_markup(&view.body);
    let pictures = Pictures::for_person(request, account_id, &markup).await?.only_of(STORED_WIDTH);
    let markup = pictures.replace_in(&markup);
    let source = entry.url.starts_with("http").then_some(entry.url.as_str());
    let meta = html! {
        span { bdi { (entry.feed_title) } }
        @if let Some(author) = &entry.author { span { bdi { (author) } } }
        (source_link(source))
        span { (time(at(entry), domain.now())) }
    };
    Ok(Some(text_page(request, TextId::Entry(id), &entry.title, &meta, &entry_text(&view, &markup))))
}

fn source_link(url: Option<&str>) -> Markup {
    html! { @if let Some(url) = url { span { a href=(url) rel="noopener nofollow external" { bdi { (host(url).unwrap_or_default()) } } } } }
}

/// Renders the page of a text.
fn text_page(request: &PageRequest, id: TextId, title: &str, meta: &Markup, article: &Markup) -> String {
    let content = html! {
        p.soft { a href="/offline" { (Text("offline-stored")) } }
        div.reading {
            div {
                header.head { h1 { bdi { (title) } } p.meta.dots { (meta) } }
                p.notice.small { (Text("offline-text-words")) }
                div.tools #offline-actions data-text=(id.name()) {}
                (article)
            }
        }
    };
    stored_shell(request, title, &content).into_string()
}

fn stored_shell(request: &PageRequest, title: &str, content: &Markup) -> Markup {
    let visitor = Visitor::Stored { appearance: request.appearance };
    shell_for(&request.app, visitor, Shell::titled(title), content)
}

/// Responds with a page that the browser stores.
fn stored_page(request: &PageRequest, title: &str, content: &Markup) -> Response {
    let page = page_under(OFFLINE_POLICY, StatusCode::OK, stored_shell(request, title, content));
    keep_private(page)
}

/// Rejects a browser that does not store texts of this account. Its worker then deletes its stored texts.
///
/// # Errors
/// `not_found` if the browser does not store texts of this account.
pub(super) fn require_on(request: &PageRequest) -> Result<(), Error> {
    if request.offline_state() == OfflineState::On { Ok(()) } else { Err(not_found("stored text")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_texts_round_trip() {
        for id in [TextId::Item(ItemId::from_u128(7)), TextId::Entry(EntryId::new(12))] {
            assert_eq!(TextId::parse(&id.name()), Some(id));
        }
        assert_eq!(TextId::Entry(EntryId::new(12)).path(), "/entries/12");
        for invalid in ["", "item", "item.x", "entry.1x", "feed.1", "entry."] {
            assert_eq!(TextId::parse(invalid), None, "{invalid}");
        }
    }
}
