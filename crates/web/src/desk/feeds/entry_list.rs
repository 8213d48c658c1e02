//! Entry list: unread, all, read, or starred entries of all feeds, a collection, or a feed, or the results of
//! a search.

use feeds::{EntryFilter, EntryPage, Subscription};
use kernel::EntryId;
use library::SearchTarget;
use maud::{Markup, html};
use model::SearchedTexts;
use poem::handler;

use super::super::appearance::density_choice;
use super::super::frame::{self, ROWS, Section, Tab, pager, respond, tabs};
use super::super::meaning_link::link_from;
use super::super::query_fault::fault_of;
use super::super::saved_searches::save_form;
use super::super::undo::notice;
use super::briefing;
use super::entry_rows::{DONE, EntryListOptions, story_rows};
use super::entry_scope::{EntryListScope, EntryTab};
use super::feed_pictures::FeedPictures;
use super::new_entries;
use super::sidebar::side;
use crate::language::order::sort_by_name;
use crate::language::text::Text;
use crate::page::form::FormToken;
use crate::page::parts::with_thousands_separators;
use crate::page::request::{PageRequest, PageResult, User};
use crate::reading_bar::listen_all_button;

/// Maximum number of feeds listed next to the entries of their collection.
const FEEDS: u32 = 50;

#[handler]
pub(in crate::desk) async fn show(request: PageRequest, user: User) -> PageResult {
    let (domain, account_id) = (&request.app.domain, user.account.id);
    let scope = EntryListScope::of(&request);
    let after = request.parameter("after").parse::<i64>().ok().map(EntryId::new);
    let fault = fault_of(scope.query());
    let page = page_of(&request, &user, &scope, after).await?;
    let mut searches = library::list_saved_searches(domain, account_id).await?;
    sort_by_name(&mut searches, |search| &search.name);
    let mut collections = feeds::collection_summaries(domain, account_id).await?;
    sort_by_name(&mut collections, |collection| &collection.name);
    let followed_page = feeds::list_subscriptions(domain, account_id, scope.collection, None, FEEDS).await?;
    let feeds = &followed_page.subscriptions;
    let (followed, listed): (Vec<_>, Vec<_>) = (feeds.iter().collect(), page.entries.iter().collect());
    let (pictures, rows) = FeedPictures::with_rows(&request, account_id, &followed, &listed).await?;
    let name = name_of(&request, &user, &scope, &collections).await?;
    let stories = feeds::group_stories(domain, page.entries.clone()).await?;
    let token = FormToken::of(&request);
    let briefing = briefing::link_from(&request, &user, &scope).await?;
    let by_meaning = link_from(&request, &user, SearchedTexts::Entries, &request.parameter("q")).await?;
    // All pages of a list contain only entries that existed when its first page was displayed.
    let through = after.and_then(|_| request.parameter("through").parse().ok().map(EntryId::new));
    let through = through.unwrap_or(page.as_of_id);
    let next = page.next_after.map(|id| {
        let current = scope.at("/entries", scope.tab_value());
        format!("{current}{}after={id}&through={through}", if current.contains('?') { '&' } else { '?' })
    });
    let list = EntryListOptions { through, pictures: &rows, now: domain.now() };
    let content = html! {
        div.sides {
            (side(&scope, &collections, &followed_page, &pictures, &searches))
            div {
                div.line.mid { h1 { bdi { (name) } } a.button.push href="/subscriptions/new" { (Text("entries-follow")) } }
                (feed_links(&scope, feeds))
                (notice(&request, &token, &DONE, "/entries/undo"))
                (briefing)
                (by_meaning)
                (tabs(&Text("entries-filter").get(), &entry_tabs(&scope, &page)))
                @if let Some(fault) = &fault { (fault) }
                @if after.is_none() { (new_entries::notice(&scope, through)) }
                @if feeds.is_empty() && collections.iter().all(|one| one.feeds == 0) && scope.tab() != EntryTab::Starred {
                    p { (Text("entries-none-followed").linked(&["/subscriptions/new", "/subscriptions/opml"])) }
                } @else {
                    (tools(&request, &token, &scope, &page, through))
                    @if page.entries.is_empty() { @if fault.is_none() { (nothing(&scope)) } } @else { h2.hidden { (Text("entries-heading")) }
                        (story_rows(&request, &token, &stories, &list)) }
                    (pager(next.as_deref(), &Text("entries-older")))
                }
            }
        }
    };
    Ok(respond(&request, Section::Feeds, &format!("{name} · {}", Text("nav-feeds").get()), &content))
}

/// Loads one page of entries.
async fn page_of(
    request: &PageRequest,
    user: &User,
    scope: &EntryListScope,
    after: Option<EntryId>,
) -> kernel::Result<EntryPage> {
    let (domain, account_id) = (&request.app.domain, user.account.id);
    if fault_of(scope.query()).is_some() {
        let counted = feeds::list_entries(domain, account_id, &EntryFilter::default(), None, 1).await?;
        return Ok(EntryPage { entries: Vec::new(), next_after: None, ..counted });
    }
    if !scope.is_all_starred() {
        return feeds::list_entries(domain, account_id, &scope.filter(), after, ROWS).await;
    }
    let counted = feeds::list_entries(domain, account_id, &EntryFilter::default(), None, 1).await?;
    let starred = feeds::list_starred(domain, account_id, after, ROWS).await?;
    Ok(EntryPage { entries: starred.entries, next_after: starred.next_after, ..counted })
}

/// Returns the title of the list: the feed, the collection, or all feeds.
async fn name_of(
    request: &PageRequest,
    user: &User,
    scope: &EntryListScope,
    collections: &[feeds::CollectionSummary],
) -> kernel::Result<String> {
    let missing =
        |what: &str| kernel::Error::new(kernel::Code::NotFound, format!("This {what} does not exist."));
    if let Some(feed_id) = scope.feed {
        let title = feeds::title_of(&request.app.domain, user.account.id, feed_id).await?;
        return title.ok_or_else(|| missing("feed"));
    }
    match scope.collection {
        Some(id) => {
            let collection = collections.iter().find(|collection| collection.id == id);
            collection.map(|collection| collection.name.clone()).ok_or_else(|| missing("collection"))
        }
        None => Ok(Text("entries-all-feeds").get()),
    }
}

fn entry_tabs(scope: &EntryListScope, page: &EntryPage) -> Vec<Tab> {
    let more = if page.unread_partial { "+" } else { "" };
    let amount = format!("{}{more}", with_thousands_separators(page.unread_total.unsigned_abs()));
    let tab = |entry_tab: EntryTab, name: String| Tab {
        href: scope.at("/entries", entry_tab.query_value()),
        name,
        is_current: entry_tab == scope.tab(),
    };
    vec![
        tab(EntryTab::Unread, Text("entries-tab-unread").with("amount", amount).get()),
        tab(EntryTab::All, Text("entries-tab-all").get()),
        tab(EntryTab::Read, Text("entries-tab-read").get()),
        tab(EntryTab::Starred, Text("entries-tab-starred").get()),
    ]
}

/// Renders links to the settings of the listed feed. Empty if several feeds are listed.
fn feed_links(scope: &EntryListScope, feeds: &[Subscription]) -> Markup {
    let feed = feeds.iter().find(|feed| scope.feed == Some(feed.feed_id));
    html! {
        @if let Some(feed) = feed {
            p.meta.dots {
                span { a href={ "/subscriptions/" (feed.id) } { (Text("entries-feed-settings")) } }
                span { a href={ "/subscriptions/" (feed.id) "/delete" } data-key="#" { (Text("entries-unfollow")) } }
            }
        }
    }
}

/// Renders a search field for these entries, and a button that marks all of them.
fn tools(
    request: &PageRequest,
    token: &FormToken,
    scope: &EntryListScope,
    page: &EntryPage,
    through: EntryId,
) -> Markup {
    html! {
        div.tools {
            form.seek role="search" aria-label=(Text("entries-these")) action="/entries" method="get" {
                @if let Some(feed) = scope.feed { input type="hidden" name="feed" value=(feed); }
                @if let Some(collection) = scope.collection { input type="hidden" name="collection" value=(collection); }
                @if scope.tab() != EntryTab::Unread { input type="hidden" name="show" value=(scope.tab_value()); }
                input type="search" name="q" value=(scope.query()) maxlength="500" aria-label=(Text("entries-search")) placeholder=(Text("entries-search"));
                button.secondary type="submit" { (Text("find")) }
            }
            @if page.unread_total > 0 && scope.query().is_empty() && matches!(scope.tab(), EntryTab::Unread | EntryTab::All) {
                form.push method="post" action="/entries/mark-all" {
                    (token.field()) (frame::back_field(request))
                    input type="hidden" name="through" value=(through);
                    button.secondary type="submit" { (Text("entries-mark-all")) }
                }
            }
            form method="post" action="/subscriptions/refresh" {
                (token.field()) (frame::back_field(request))
                button.secondary type="submit" { (Text("entries-fetch-now")) }
            }
            (listen_all_button())
        }
        @if !scope.query().is_empty() && fault_of(scope.query()).is_none() {
            (save_form(request, token, SearchTarget::Entries, scope.query()))
        }
        (density_choice(request, token))
    }
}

fn nothing(scope: &EntryListScope) -> Markup {
    html! {
        @if !scope.query().is_empty() { p { (Text("entries-no-match")) } }
        @else {
            @match scope.tab() {
                EntryTab::All => { p { (Text("entries-none")) } },
                EntryTab::Read => { p { (Text("entries-none-read")) } },
                EntryTab::Unread => { p { (Text("entries-none-unread").linked(&[&scope.at("/entries", "all")])) } },
                EntryTab::Starred => { p { (Text("entries-none-starred")) } },
            }
        }
    }
}
