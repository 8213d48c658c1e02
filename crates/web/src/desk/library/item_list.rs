//! List of library items, by status, kind, and tag, or the results of a search, with actions on several
//! items.

use kernel::{Error, ItemId, Millis};
use library::{
    BoundedCount, ContentKind, ItemFilter, ItemStatus, ListPosition, ObjectKind, PendingDeletions,
    StatusCounts,
};
use maud::{Markup, html};
use poem::http::StatusCode;
use poem::{Response, handler};

use super::super::appearance::density_choice;
use super::super::frame::{self, ROWS, Section, Tab, link, pager, respond_with, tabs};
use super::super::row_pictures::RowPictures;
use super::super::undo::notice;
use super::item_rows::{ItemList, STATUSES, kind_name, row, snippet};
use super::meaning_search;
use crate::page::form::{FormError, FormToken};
use crate::page::parts::{time, with_thousands_separators};
use crate::page::request::{PageRequest, PageResult, User};

/// Messages about actions on the list.
const DONE: [(&str, &str); 11] = [
    ("undone", "Undone."),
    ("late", "Some of the items were already deleted permanently."),
    ("saved", "Saved. Its text is ready, or will be soon."),
    ("kept", "Already in your library."),
    ("moved", "Items moved."),
    ("tagged", "Tag added to the items."),
    ("deleted", "Items deleted."),
    ("none", "Nothing was selected. Select items, then choose an action."),
    ("read", "Items marked as read."),
    ("renamed", "Tag renamed everywhere."),
    ("untagged", "Tag removed from all items."),
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
        let mut words = vec![self.query.clone()];
        words.extend(self.status.map(|status| format!("status:{status}")));
        words.extend(self.kind.map(|kind| format!("kind:{kind}")));
        if !self.tag.is_empty() {
            words.push(format!("tag:\"{}\"", self.tag.replace('"', "")));
        }
        words.join(" ")
    }
}

#[handler]
pub(in crate::desk) async fn show(request: PageRequest, user: User) -> PageResult {
    page(&request, &user, StatusCode::OK, "", &FormError::default()).await
}

/// Renders the list with the field for an address. `typed` is the value of the field.
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
    let rows = async {
        if scope.query.is_empty() {
            listed_items(request, user, &scope, &deleted, now).await
        } else {
            search_results(request, user, &scope, &deleted, now).await
        }
    };
    let (rows, counts, tags) = tokio::try_join!(
        rows,
        library::count_by_status(domain, account_id),
        library::list_tags(domain, account_id, None, None, TAGS)
    )?;
    let by_meaning = meaning_search::link_from(request, user).await?;
    let content = html! {
        div.sides {
            (side(&scope, &tags))
            div {
                h1 { "Library" }
                (notice(request, &token, &DONE, "/library/undo"))
                (form_error.summary())
                (save_box(&token, typed, form_error))
                (tabs("Status", &status_tabs(&scope, &counts, &deleted)))
                form.seek role="search" aria-label="Library" action="/library" method="get" {
                    input type="hidden" name="shelf" value=(scope.status_value());
                    input type="search" name="q" value=(scope.query) maxlength="500" aria-label="Search titles, texts and tags" placeholder="Search these items";
                    button.secondary type="submit" { "Search" }
                }
                (by_meaning)
                (rows.heading)
                @if rows.is_empty {
                    (nothing(&scope, counts.total().count <= deleted.len() as u64))
                } @else {
                    (density_choice(request, &token))
                    form method="post" action="/library/bulk" {
                        (token.field()) (frame::back_field(request))
                        (choices())
                        h2.hidden { "Items" }
                        ul.rows.picks { (rows.list) }
                    }
                    (pager(rows.next.as_deref(), "Older items"))
                }
            }
        }
    };
    Ok(answer(request, status, &content))
}

fn answer(request: &PageRequest, status: StatusCode, content: &Markup) -> Response {
    respond_with(request, status, Section::Library, "Library", content)
}

/// Rows of one page of the list.
struct Rows {
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
) -> Result<Rows, Error> {
    let after = position_of(&request.parameter("after"));
    let mut page = library::list(&request.app.domain, user.account.id, &scope.filter(), after, ROWS).await?;
    page.items.retain(|item| !deleted.contains_key(&item.id));
    let ids: Vec<ItemId> = page.items.iter().map(|item| item.id).collect();
    let previews = library::previews(&request.app.domain, user.account.id, &ids).await?;
    let pictures = RowPictures::of_items(request, user.account.id, &page.items, &previews).await?;
    let list =
        ItemList { pictures: &pictures, previews: &previews, density: request.appearance.density(), now };
    Ok(Rows {
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
) -> Result<Rows, Error> {
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
    let hit = |object: &library::ObjectSummary| {
        html! {
            li {
                input.pick type="checkbox" name="item" value=(object.id.as_uuid()) aria-label={ "Select “" (object.title) "”" };
                h3 { a href={ "/library/" (object.id.as_uuid()) } { bdi { (object.title) } } }
                (snippet(&object.snippet))
                p.meta.dots {
                    @if let Some(host) = object.source_url.as_deref().and_then(frame::host) { span { bdi { (host) } } }
                    span { "changed " (time(object.updated_at, now)) }
                }
            }
        }
    };
    Ok(Rows {
        heading: html! { p.small.soft {
            (amount) @if page.partial { " or more" } " results for “" bdi { (scope.query) } "”. "
            @if page.approximate { "These contain similar words. " }
            @if scope.status.is_some() { a href=(scope.on("all")) { "Search the whole library" } " " }
            a href=(link("/library", &[("shelf", scope.status_value())])) { "Clear" }
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
    let tab = |word: &str, name: &str, amount: BoundedCount| Tab {
        href: scope.on(word),
        name: format!(
            "{name} {}{}",
            with_thousands_separators(amount.count.saturating_sub(hidden(deleted, word))),
            if amount.partial { "+" } else { "" }
        ),
        is_current: scope.status_value() == word,
    };
    let mut all: Vec<Tab> =
        STATUSES.iter().map(|(status, name)| tab(status.as_str(), name, counts.of(*status))).collect();
    all.push(tab("all", "All", counts.total()));
    all
}

/// Returns the number of pending deletions with the status `word`, or of all for any other word.
fn hidden(deleted: &PendingDeletions, word: &str) -> u64 {
    let status = ItemStatus::parse(word);
    deleted.values().filter(|own| status.is_none_or(|status| **own == status)).count() as u64
}

fn side(scope: &ItemScope, tags: &[library::TagCount]) -> Markup {
    let status = scope.status_value();
    let of_kind = |kind: &str| link("/library", &[("shelf", status), ("kind", kind), ("tag", &scope.tag)]);
    let of_tag = |tag: &str| link("/library", &[("shelf", "all"), ("tag", tag)]);
    let current = |is: bool| is.then_some("true");
    html! {
        details.drawer {
            summary { "Kinds and tags" }
            nav.side aria-label="Kinds and tags" {
                h2 { "Kinds" }
                ul.sections {
                    li { a href=(of_kind("")) aria-current=[current(scope.kind.is_none())] { "Everything" } }
                    @for kind in ContentKind::ALL {
                        li { a href=(of_kind(kind.as_str())) aria-current=[current(scope.kind == Some(*kind))] { (kind_name(*kind).1) } }
                    }
                }
                @if !tags.is_empty() {
                    h2 { "Tags" }
                    ul.sections { @for tag in tags {
                        li { a href=(of_tag(&tag.name)) aria-current=[current(tag.name == scope.tag)] { bdi { (tag.name) } span.count { (tag.count) } } }
                    } }
                }
                p.small { a href="/library/tags" { "Manage tags" } " · " a href="/library/shared" { "Shared with me" } " · " a href="/library/import" { "Import" } " · " a href="/library/export" { "Export" } }
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
                label for="url" { "Save a page" }
                input #url name="url" type="text" inputmode="url" value=(typed) required maxlength=(kernel::bounds::URL_CHARS)
                    placeholder="https://example.com/article" autocapitalize="off" spellcheck="false"
                    aria-invalid=[wrong.map(|_| "true")] aria-describedby=[wrong.map(|_| "url-error")];
                @if let Some(message) = wrong { p.error #url-error { (message) } }
            }
            button type="submit" { "Save" }
        }
    }
}

/// Renders the actions on several items. They are collapsed on phones, so that the items are visible first.
fn choices() -> Markup {
    html! {
        details.drawer.bulk {
            summary { "Selected items" }
            div.tools role="group" aria-label="Selected items" {
                span.soft aria-hidden="true" { "Selected items" }
                // Pressing Enter in the tag field submits the form with its first button.
                span.seek {
                    input type="text" name="tag" maxlength=(kernel::bounds::TAG_CHARS) aria-label="Tag for the selected items" placeholder="a tag";
                    button.secondary type="submit" name="act" value="tag" { "Tag" }
                }
                @for (word, label) in [("inbox", "Move to inbox"), ("later", "Later"), ("archive", "Archive"), ("read", "Mark as read"), ("delete", "Delete…")] {
                    button.secondary type="submit" name="act" value=(word) { (label) }
                }
            }
        }
    }
}

fn nothing(scope: &ItemScope, is_new: bool) -> Markup {
    html! {
        @if is_new {
            p { "Your library is empty. Save a page with the box above, with " a href="/settings/look#ways" { "a bookmark in your browser" }
                ", from any reading page, or " a href="/library/import" { "import" } " your items from another service." }
        } @else if scope.query.is_empty() {
            p { "No items here." }
        } @else {
            p { "No items match your search. Try fewer words, or the beginning of a word with a star: " code { "harb*" } "." }
        }
    }
}
