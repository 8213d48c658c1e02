//! Search in the library and in feed entries. If the query is an address, the page at that address opens.

use feeds::{EntryQuery, QueryOrder};
use kernel::Millis;
use library::{ObjectKind, ObjectSummary};
use maud::{Markup, html};
use model::SearchedTexts;
use poem::handler;

use super::feeds::entry_rows::plain_entry;
use super::frame::{Section, host, link, respond};
use super::library::item_rows::snippet;
use super::meaning_link::link_from;
use super::query_fault::fault_of;
use crate::language::text::Text;
use crate::layout::hosts;
use crate::page::parts::{time, with_thousands_separators};
use crate::page::request::{PageRequest, PageResult, User};
use crate::page::response::redirect;

/// Maximum number of results of each kind.
const MAX_RESULTS: u32 = 15;

/// Renders the results of a search.
#[handler]
pub(super) async fn show(request: PageRequest, user: User) -> PageResult {
    let typed = request.parameter("q");
    let query = typed.trim();
    if is_address(query) {
        let (reader, _) = hosts(&request.app);
        return Ok(redirect(&link(&format!("{reader}/read"), &[("url", query)])));
    }
    let (domain, account_id) = (&request.app.domain, user.account.id);
    let now = domain.now();
    let fault = fault_of(query);
    let results = if let Some(fault) = &fault {
        html! { (fault) }
    } else if query.is_empty() {
        html! { p { (help()) } p { (help_with_properties()) } }
    } else {
        let kinds = [ObjectKind::Item, ObjectKind::Note, ObjectKind::Highlight];
        let entry_query = EntryQuery {
            text: Some(query.to_owned()),
            order: QueryOrder::Relevance,
            ..EntryQuery::default()
        };
        let (mut library_page, entries, deleted) = tokio::try_join!(
            library::list_objects(domain, account_id, &kinds, Some(query), None, MAX_RESULTS),
            feeds::query_entries(domain, account_id, &entry_query, None, MAX_RESULTS),
            library::pending_deletions(domain, account_id)
        )?;
        library_page.hide(&deleted);
        html! {
            section aria-labelledby="kept" {
                div.line.mid { h2 #library_page { (Text("nav-library")) } span.soft { (amount(library_page.total.into(), library_page.partial)) }
                    @if library_page.next.is_some() { a.push.small href=(link("/library", &[("shelf", "all"), ("q", query)])) { (Text("search-all-library")) } } }
                @if library_page.approximate { p.soft { (Text("search-similar")) } }
                ul.rows { @for object in &library_page.objects { (object_row(object, now)) } }
            }
            section aria-labelledby="entries" {
                div.line.mid { h2 #entries { (Text("nav-feeds")) } span.soft { (amount(entries.total.unsigned_abs(), entries.partial)) }
                    @if entries.next.is_some() { a.push.small href=(link("/entries", &[("show", "all"), ("q", query)])) { (Text("search-all-feeds")) } } }
                ul.rows { @for entry in &entries.items { (plain_entry(entry, now)) } }
            }
        }
    };
    let by_meaning = link_from(&request, &user, SearchedTexts::All, query).await?;
    let content = html! {
        h1 { (Text("find")) }
        form.seek role="search" aria-label=(Text("search-again")) action="/search" method="get" {
            input type="search" name="q" value=(query) maxlength="500" aria-label=(Text("find-feeds-and-library")) autofocus[query.is_empty()];
            button type="submit" { (Text("find")) }
        }
        (by_meaning)
        (results)
    };
    let search = Text("find").get();
    let title = if query.is_empty() { search } else { format!("{query} · {search}") };
    Ok(respond(&request, Section::Elsewhere, &title, &content))
}

/// Describes what a query can contain.
fn help() -> Markup {
    Text("search-help").markup(&[
        ("phrase", html! { code { (Text("search-whole-phrases")) } }),
        ("without", html! { code { (Text("search-without")) } }),
        ("either", html! { code { (Text("search-either")) } }),
        ("tag", html! { code { "tag:" } }),
        ("domain", html! { code { "domain:" } }),
        ("after", html! { code { "after:2026-02" } }),
    ])
}

/// Describes the filters by properties.
fn help_with_properties() -> Markup {
    const EXAMPLES: [&str; 8] =
        ["title:", "author:", "site:", "feed:", "category:", "is:unread", "has:note", "minutes:<5"];
    let examples = html! { @for example in EXAMPLES { code { (example) } " " } };
    let age = html! { code { "saved:7d" } };
    Text("search-help-properties").markup(&[("examples", examples), ("age", age)])
}

fn is_address(query: &str) -> bool {
    let lower = query.to_ascii_lowercase();
    (lower.starts_with("http://") || lower.starts_with("https://")) && url::Url::parse(query).is_ok()
}

fn amount(count: u64, partial: bool) -> String {
    match (count, partial) {
        (0, _) => Text("search-none").get(),
        (count, true) => Text("search-more-than").with("amount", with_thousands_separators(count)).get(),
        (count, false) => with_thousands_separators(count),
    }
}

/// Renders a result from the library: an item, a note, or a highlight. Notes and highlights link to their
/// item.
fn object_row(object: &ObjectSummary, now: Millis) -> Markup {
    let id = object.id.as_uuid();
    let (href, label) = match object.kind {
        ObjectKind::Item => (format!("/library/{id}"), None),
        ObjectKind::Note => (format!("/library/notes/{id}"), Some(Text("search-note"))),
        ObjectKind::Highlight => (format!("/library/highlights/{id}"), Some(Text("search-highlight"))),
    };
    html! {
        li {
            h3 { a href=(href) { bdi { (object.title) } } }
            (snippet(&object.snippet))
            p.meta.dots {
                @if let Some(label) = label { span { (label) } }
                @if let Some(host) = object.source_url.as_deref().and_then(host) { span { bdi { (host) } } }
                span { (Text("items-changed").markup(&[("time", time(object.updated_at, now))])) }
            }
        }
    }
}
