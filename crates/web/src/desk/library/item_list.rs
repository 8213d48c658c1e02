//! List of library items, by status, kind, and tag, or the results of a search, with actions on several
//! items.

use articles::{Render, require_browser};
use kernel::search::query::Query;
use kernel::{Domain, Error, ItemId, Millis};
use library::{
    BoundedCount, ContentKind, ItemFilter, ItemStatus, ListPosition, ObjectKind, PendingDeletions,
    SavedSearch, SearchTarget, StatusCounts,
};
use maud::{Markup, html};
use model::SearchedTexts;
use poem::http::StatusCode;
use poem::{Response, handler};

use super::super::appearance::density_choice;
use super::super::frame::{self, ROWS, Section, Tab, is_web, link, pager, respond_with, tabs};
use super::super::meaning_link::link_from;
use super::super::query_fault::fault_of;
use super::super::row_pictures::RowPictures;
use super::super::saved_searches;
use super::super::undo::notice;
use super::bulk_copies;
use super::file_upload;
use super::item_rows::{ItemList, STATUSES, kind_name, row, snippet};
use crate::language::order::sort_by_name;
use crate::language::text::Text;
use crate::page::form::{FormError, FormToken};
use crate::page::parts::{time, with_thousands_separators};
use crate::page::request::{PageRequest, PageResult, User};
use crate::reading_bar::listen_all_button;

/// Messages about actions on the list.
const DONE: [(&str, Text); 15] = [
    ("undone", Text("done-undone")),
    ("late", Text("done-items-late")),
    ("saved", Text("done-item-saved")),
    ("kept", Text("done-item-known")),
    ("moved", Text("done-items-moved")),
    ("tagged", Text("done-items-tagged")),
    ("deleted", Text("done-items-deleted")),
    ("none", Text("done-items-none")),
    ("read", Text("done-items-read")),
    ("unread", Text("done-items-unread")),
    ("copying", Text("done-items-copying")),
    ("uncopied", Text("done-items-not-copied")),
    ("renamed", Text("done-tag-renamed")),
    ("untagged", Text("done-tag-removed")),
    saved_searches::SAVED,
];
/// Action on the selected items that needs a browser.
const COPY: &str = "copy";
/// Actions on the selected items, with their labels.
const ACTIONS: [(&str, Text); 7] = [
    ("inbox", Text("items-to-inbox")),
    ("later", Text("status-later")),
    ("archive", Text("items-archive")),
    ("read", Text("items-mark-read")),
    ("unread", Text("item-mark-unread")),
    (COPY, Text("items-copy")),
    ("delete", Text("items-delete")),
];
/// Maximum number of tags next to the list.
const TAGS: u32 = 60;
/// Results per page of a search. Each is displayed with a snippet of its text.
const HITS: u32 = 20;

/// Filters and search query of the list.
struct ItemScope {
    status: Option<ItemStatus>,
    kind: Option<ContentKind>,
    tag: String,
    query: String,
}

impl ItemScope {
    fn of(request: &PageRequest) -> Self {
        let status = request.parameter("shelf");
        let tag = request.parameter("tag");
        let query = request.parameter("q").trim().to_owned();
        let kind = ContentKind::parse(&request.parameter("kind"));
        Self {
            status: if status == "all" {
                None
            } else {
                Some(ItemStatus::parse(&status).unwrap_or(ItemStatus::Inbox))
            },
            kind,
            tag,
            query,
        }
    }

    fn status_value(&self) -> &'static str {
        self.status.map_or("all", ItemStatus::as_str)
    }

    /// Returns the address of this scope with another status.
    fn on(&self, status: &str) -> String {
        let kind = self.kind.map_or("", ContentKind::as_str);
        link("/library", &[("shelf", status), ("kind", kind), ("tag", &self.tag), ("q", &self.query)])
    }

    fn filter(&self) -> ItemFilter {
        ItemFilter {
            tag: Some(self.tag.clone()).filter(|tag| !tag.is_empty()),
            status: self.status,
            content_kind: self.kind,
            ..ItemFilter::default()
        }
    }

    /// Returns the search query with the filters of the scope, in the query language.
    fn full_query(&self) -> String {
        let has_alternatives = Query::parse(&self.query).is_ok_and(|query| !query.groups.is_empty());
        let is_filtered = self.status.is_some() || self.kind.is_some() || !self.tag.is_empty();
        let mut words = vec![self.query.clone()];
        if has_alternatives && is_filtered {
            words = vec![format!("({})", self.query)];
        }
        words.extend(self.status.map(|status| format!("status:{status}")));
        words.extend(self.kind.map(|kind| format!("kind:{kind}")));
        if !self.tag.is_empty() {
            words.push(format!("tag:\"{}\"", self.tag.replace('"', "")));
        }
        words.join(" ")
    }

    /// Renders the message about a faulty query. `None` if the query is valid, including its filters.
    fn fault(&self) -> Option<Markup> {
        fault_of(&self.query).or_else(|| fault_of(&self.full_query()))
    }
}

#[handler]
pub(in crate::desk) async fn show(request: PageRequest, user: User) -> PageResult {
    page(&request, &user, StatusCode::OK, "", &FormError::default()).await
}

/// Renders the list, and the field for the address of a page to save. `typed` is the value of the field.
pub(super) async fn page(
    request: &PageRequest,
    user: &User,
    status: StatusCode,
    typed: &str,
    form_error: &FormError,
) -> PageResult {
    let (domain, account_id) = (&request.app.domain, user.account.id);
    let scope = ItemScope::of(request);
    let now = domain.now();
    let token = FormToken::of(request);
    let deleted = library::pending_deletions(domain, account_id).await?;
    let fault = scope.fault();
    let rows = async {
        if fault.is_some() {
            Ok(ItemListRows { heading: html! {}, list: html! {}, is_empty: true, next: None })
        } else if scope.query.is_empty() {
            listed_items(request, user, &scope, &deleted, now).await
        } else {
            search_results(request, user, &scope, &deleted, now).await
        }
    };
    let (rows, mut searches, counts, mut tags) = tokio::try_join!(
        rows,
        library::list_saved_searches(domain, account_id),
        library::count_by_status(domain, account_id),
        library::list_tags(domain, account_id, None, None, TAGS + 1)
    )?;
    let has_more_tags = tags.len() > TAGS as usize;
    tags.truncate(TAGS as usize);
    sort_by_name(&mut searches, |search| &search.name);
    sort_by_name(&mut tags, |tag| &tag.name);
    let by_meaning = link_from(request, user, SearchedTexts::Items, &scope.query).await?;
    let content = html! {
        div.sides {
            (side(&scope, (&tags, has_more_tags), &searches))
            div {
                h1 { (Text("nav-library")) }
                (notice(request, &token, &DONE, "/library/undo"))
                (bulk_copies::refusals(request))
                (form_error.summary())
                (save_box(&token, typed, form_error))
                (file_upload::section(&token))
                (tabs(&Text("items-status").get(), &status_tabs(&scope, &counts, &deleted)))
                (search_form(&scope))
                (by_meaning)
                @if fault.is_none() { (save_form(request, &token, &scope)) }
                (rows.heading)
                @if let Some(fault) = &fault { (fault) } @else if rows.is_empty {
                    (nothing(&scope, counts.total().count <= deleted.len() as u64))
                } @else {
                    div.tools { (listen_all_button()) }
                    (density_choice(request, &token))
                    form method="post" action="/library/bulk" {
                        (token.field()) (frame::back_field(request))
                        (choices(domain))
                        h2.hidden { (Text("items-heading")) }
                        ul.rows.picks { (rows.list) }
                    }
                    (pager(rows.next.as_deref(), &Text("items-older")))
                }
            }
        }
    };
    Ok(answer(request, status, &content))
}

fn search_form(scope: &ItemScope) -> Markup {
    html! {
        form.seek role="search" aria-label=(Text("nav-library")) action="/library" method="get" {
            input type="hidden" name="shelf" value=(scope.status_value());
            input type="search" name="q" value=(scope.query) maxlength="500" aria-label=(Text("items-search-label")) placeholder=(Text("items-search"));
            button.secondary type="submit" { (Text("find")) }
        }
    }
}

/// Renders the form that saves the search with the filters of the list. Empty if there is no search.
fn save_form(request: &PageRequest, token: &FormToken, scope: &ItemScope) -> Markup {
    html! { @if !scope.query.is_empty() {
        (saved_searches::save_form(request, token, SearchTarget::Library, &scope.full_query()))
    } }
}

fn answer(request: &PageRequest, status: StatusCode, content: &Markup) -> Response {
    respond_with(request, status, Section::Library, &Text("nav-library").get(), content)
}

/// Rows of one page of the list.
struct ItemListRows {
    heading: Markup,
    list: Markup,
    is_empty: bool,
    next: Option<String>,
}

async fn listed_items(
    request: &PageRequest,
    user: &User,
    scope: &ItemScope,
    deleted: &PendingDeletions,
    now: Millis,
) -> Result<ItemListRows, Error> {
    let after = position_of(&request.parameter("after"));
    let mut page = library::list(&request.app.domain, user.account.id, &scope.filter(), after, ROWS).await?;
    page.items.retain(|item| !deleted.contains_key(&item.id));
    let ids: Vec<ItemId> = page.items.iter().map(|item| item.id).collect();
    let previews = library::previews(&request.app.domain, user.account.id, &ids).await?;
    let pictures = RowPictures::of_items(request, user.account.id, &page.items, &previews).await?;
    let list =
        ItemList { pictures: &pictures, previews: &previews, density: request.appearance.density(), now };
    Ok(ItemListRows {
        heading: html! {},
        is_empty: page.items.is_empty() && page.next.is_none(),
        list: html! { @for item in &page.items { (row(item, &list)) } },
        next: page.next.map(|position| next_page(scope, position)),
    })
}

async fn search_results(
    request: &PageRequest,
    user: &User,
    scope: &ItemScope,
    deleted: &PendingDeletions,
    now: Millis,
) -> Result<ItemListRows, Error> {
    let after = position_of(&request.parameter("after"));
    let full_query = scope.full_query();
    let mut page = library::list_objects(
        &request.app.domain,
        user.account.id,
        &[ObjectKind::Item],
        Some(&full_query),
        after,
        HITS,
    )
    .await?;
    page.hide(deleted);
    let amount = with_thousands_separators(page.total.into());
    let heading = if page.partial { Text("items-results-partial") } else { Text("items-results") };
    let hit = |object: &library::ObjectSummary| {
        html! {
            li data-original=[object.source_url.as_deref().filter(|url| is_web(url))] {
                input.pick type="checkbox" name="item" value=(object.id.as_uuid()) aria-label=(Text("select-titled").with("title", object.title.as_str()));
                h3 { a href={ "/library/" (object.id.as_uuid()) } { bdi { (object.title) } } }
                (snippet(&object.snippet))
                p.meta.dots {
                    @if let Some(host) = object.source_url.as_deref().and_then(frame::host) { span { bdi { (host) } } }
                    span { (Text("items-changed").markup(&[("time", time(object.updated_at, now))])) }
                }
            }
        }
    };
    Ok(ItemListRows {
        heading: html! { p.small.soft {
            (heading.with("count", page.total).with("amount", amount).markup(&[("query", html! { bdi { (scope.query) } })])) " "
            @if page.approximate { (Text("items-similar")) " " }
            @if scope.status.is_some() { a href=(scope.on("all")) { (Text("items-search-all")) } " " }
            a href=(link("/library", &[("shelf", scope.status_value())])) { (Text("items-clear")) }
        } },
        is_empty: page.objects.is_empty() && page.next.is_none(),
        list: html! { @for object in &page.objects { (hit(object)) } },
        next: page.next.map(|position| next_page(scope, position)),
    })
}

/// Returns the address of the page after a position.
fn next_page(scope: &ItemScope, position: ListPosition) -> String {
    let current = scope.on(scope.status_value());
    format!("{current}&after={}", data_encoding::BASE64URL_NOPAD.encode(&position.to_bytes()))
}

/// Parses the position after which a page begins. `None` means the beginning. Invalid values are treated as
/// `None`.
pub(super) fn position_of(text: &str) -> Option<ListPosition> {
    let bytes = data_encoding::BASE64URL_NOPAD.decode(text.as_bytes()).ok()?;
    bytes.as_slice().try_into().ok().map(ListPosition::from_bytes)
}

fn status_tabs(scope: &ItemScope, counts: &StatusCounts, deleted: &PendingDeletions) -> Vec<Tab> {
    let tab = |word: &str, name: Text, amount: BoundedCount| Tab {
        href: scope.on(word),
        name: format!(
            "{} {}{}",
            name.get(),
            with_thousands_separators(amount.count.saturating_sub(hidden(deleted, word))),
            if amount.partial { "+" } else { "" }
        ),
        is_current: scope.status_value() == word,
    };
    let mut all: Vec<Tab> =
        STATUSES.iter().map(|(status, name)| tab(status.as_str(), *name, counts.of(*status))).collect();
    all.push(tab("all", Text("items-all"), counts.total()));
    all
}

/// Returns the number of items with the status `word` whose deletion is pending. If `word` is not a status, counts the
/// items of every status.
fn hidden(deleted: &PendingDeletions, word: &str) -> u64 {
    let status = ItemStatus::parse(word);
    deleted.values().filter(|own| status.is_none_or(|status| **own == status)).count() as u64
}

/// Renders the kinds, the tags, and the saved searches. The flag states whether there are further tags.
fn side(
    scope: &ItemScope,
    (tags, has_more_tags): (&[library::TagCount], bool),
    searches: &[SavedSearch],
) -> Markup {
    let status = scope.status_value();
    let of_kind = |kind: &str| link("/library", &[("shelf", status), ("kind", kind), ("tag", &scope.tag)]);
    let of_tag = |tag: &str| link("/library", &[("shelf", "all"), ("tag", tag)]);
    let current = |is: bool| is.then_some("true");
    html! {
        details.drawer {
            summary { (Text("items-kinds-and-tags")) }
            nav.side aria-label=(Text("items-kinds-and-tags")) {
                h2 { (Text("items-kinds")) }
                ul.sections {
                    li { a href=(of_kind("")) aria-current=[current(scope.kind.is_none())] { (Text("items-everything")) } }
                    @for kind in ContentKind::ALL {
                        li { a href=(of_kind(kind.as_str())) aria-current=[current(scope.kind == Some(*kind))] { (kind_name(*kind).1) } }
                    }
                }
                @if !tags.is_empty() {
                    h2 { (Text("items-tags")) }
                    ul.sections {
                        @for tag in tags {
                            li { a href=(of_tag(&tag.name)) aria-current=[current(tag.name == scope.tag)] { bdi { (tag.name) } span.count { (tag.count) } } }
                        }
                        @if has_more_tags { li { a href="/library/tags" { (Text("tags-more")) } } }
                    }
                }
                (saved_searches::links(searches, SearchTarget::Library, &scope.full_query()))
                p.small { a href="/library/tags" { (Text("items-manage-tags")) } " · " a href="/library/rules" { (Text("feeds-rules")) } " · " a href="/library/shared" { (Text("items-shared")) } " · " a href="/library/import" { (Text("items-import")) } " · " a href="/library/export" { (Text("items-export")) } }
            }
        }
    }
}

fn save_box(token: &FormToken, typed: &str, form_error: &FormError) -> Markup {
    let wrong = form_error.at("url");
    html! {
        form.ask method="post" action="/library" {
            (token.field())
            div {
                label for="url" { (Text("begin-save")) }
                input #url name="url" type="text" inputmode="url" value=(typed) required maxlength=(kernel::bounds::URL_CHARS)
                    placeholder="https://example.com/article" autocapitalize="off" spellcheck="false"
                    aria-invalid=[wrong.map(|_| "true")] aria-describedby=[wrong.map(|_| "url-error")];
                (form_error.on_group("url"))
            }
            button type="submit" { (Text("items-save")) }
        }
    }
}

/// Renders the actions on several items. They are collapsed on phones, so that the items are visible first.
fn choices(domain: &Domain) -> Markup {
    let has_browser = require_browser(domain, Render::Always).is_ok();
    let is_possible = |word: &str| word != COPY || has_browser;
    html! {
        details.drawer.bulk {
            summary { (Text("items-selected")) }
            div.tools role="group" aria-label=(Text("items-selected")) {
                span.soft aria-hidden="true" { (Text("items-selected")) }
                // Pressing Enter in the tag field submits the form with its first button.
                span.seek {
                    input type="text" name="tag" maxlength=(kernel::bounds::TAG_CHARS) aria-label=(Text("items-tag-label")) placeholder=(Text("items-tag-example"));
                    button.secondary type="submit" name="act" value="tag" { (Text("items-tag")) }
                }
                @for (word, label) in ACTIONS.iter().filter(|(word, _)| is_possible(word)) {
                    button.secondary type="submit" name="act" value=(word) { (label) }
                }
            }
        }
    }
}

fn nothing(scope: &ItemScope, is_new: bool) -> Markup {
    html! {
        @if is_new {
            p { (Text("items-empty").linked(&["/settings/look#ways", "/library/import"])) }
        } @else if scope.query.is_empty() {
            p { (Text("items-none")) }
        } @else {
            p { (Text("items-no-match").markup(&[("example", html! { code { "harb*" } })])) }
        }
    }
}
