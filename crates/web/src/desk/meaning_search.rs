//! Search by meaning, and the results of the latest search. Nothing is rendered without an embedding model.

use std::collections::HashMap;

use feeds::Entry;
use kernel::tiers::TierLimits;
use kernel::{AccountId, EntryId, Error, ItemId, Millis};
use library::Item;
use maud::{Markup, html};
use model::{
    MAX_INDEXED_STARRED, MAX_INDEXED_UNREAD, MAX_QUERY_CHARS, MeaningSearch, ModelTaskState, SearchedTexts,
};
use poem::handler;

use super::feeds::entry_rows::plain_entry;
use super::frame::{Section, notice, redirect_done, respond, with_reload};
use super::library::item_rows::short_row;
use super::meaning_link::PATH;
use crate::language::text::Text;
use crate::page::error_text::message_text;
use crate::page::form::{Form, FormToken};
use crate::page::parts::{time, with_thousands_separators};
use crate::page::request::{PageRequest, PageResult, User};

const DONE: [(&str, Text); 1] = [("requested", Text("meaning-requested"))];
/// Maximum number of reloads while the search runs.
const MAX_RELOADS: u32 = 100;
/// Choices of the form.
const CHOICES: [(SearchedTexts, Text); 3] = [
    (SearchedTexts::Items, Text("nav-library")),
    (SearchedTexts::Entries, Text("meaning-choice-entries")),
    (SearchedTexts::All, Text("meaning-choice-all")),
];

#[handler]
pub(super) async fn show(request: PageRequest, user: User) -> PageResult {
    let (domain, account_id) = (&request.app.domain, user.account.id);
    model::require_embeddings(domain)?;
    let latest = model::latest_search(domain, account_id).await?;
    let is_pending = latest.as_ref().is_some_and(|search| search.state == ModelTaskState::Requested);
    let may_search = model::has_consent(domain, account_id).await?;
    let results = match &latest {
        Some(search) => results_of(&request, account_id, search).await?,
        None => Results::default(),
    };
    let plan = user.account.limits(domain);
    let content = html! {
        p.soft { a href="/library" { (Text("nav-library")) } " · " a href="/entries" { (Text("nav-feeds")) } }
        h1 { (Text("items-by-meaning")) }
        (notice(&request, &DONE))
        @if may_search && !is_pending { (form(&request, latest.as_ref())) }
        @else if !may_search { p.soft { (Text("meaning-off").linked(&["/settings/model"])) } }
        @if let Some(search) = &latest { (outcome(search, &results, &plan, domain.now())) }
    };
    let title = format!("{} · {}", Text("items-by-meaning").get(), Text("nav-library").get());
    let response = respond(&request, Section::Library, &title, &content);
    let reloads: u32 = request.parameter("reload").parse().unwrap_or(0);
    if is_pending && reloads < MAX_RELOADS {
        return Ok(with_reload(response, &format!("{PATH}?reload={}", reloads + 1)));
    }
    Ok(response)
}

/// Starts a search.
#[handler]
pub(super) async fn start(request: PageRequest, user: User, form: Form) -> PageResult {
    let app = &request.app;
    let searched = match form.get("searched") {
        "" => SearchedTexts::default(),
        word => {
            choice_of(word).ok_or_else(|| Error::invalid_field("searched", "is not one of the choices"))?
        }
    };
    let (_, job) = model::request_search(&app.domain, user.account.id, searched, form.get("q")).await?;
    app.engine.push_all(job.as_slice()).await;
    Ok(redirect_done(PATH, "requested"))
}

fn choice_of(word: &str) -> Option<SearchedTexts> {
    SearchedTexts::ALL.iter().copied().find(|searched| searched.as_str() == word)
}

/// Renders the form with the values from the address or, without them, from the latest search.
fn form(request: &PageRequest, latest: Option<&MeaningSearch>) -> Markup {
    let token = FormToken::of(request);
    let typed = request.parameter("q");
    let latest_query = latest.map(|search| search.query.as_str()).unwrap_or_default();
    let query = if typed.is_empty() { latest_query } else { typed.as_str() };
    let latest_choice = latest.map(|search| search.searched).unwrap_or_default();
    let chosen = choice_of(&request.parameter("searched")).unwrap_or(latest_choice);
    html! {
        p { (Text("meaning-words")) }
        form.seek role="search" aria-label=(Text("items-by-meaning")) method="post" action=(PATH) {
            (token.field())
            input type="search" name="q" value=(query) maxlength=(MAX_QUERY_CHARS) required aria-label=(Text("meaning-query"));
            select name="searched" aria-label=(Text("meaning-choices")) {
                @for (searched, words) in CHOICES {
                    option value=(searched.as_str()) selected[searched == chosen] { (words) }
                }
            }
            button type="submit" { (Text("find")) }
        }
    }
}

/// Results that the account can still see, best first.
#[derive(Default)]
struct Results {
    items: Vec<Item>,
    entries: Vec<Entry>,
}

async fn results_of(
    request: &PageRequest,
    account_id: AccountId,
    search: &MeaningSearch,
) -> kernel::Result<Results> {
    let domain = &request.app.domain;
    let deleted = library::pending_deletions(domain, account_id).await?;
    let items = library::find(domain, account_id, &search.item_ids).await?;
    let mut items: HashMap<ItemId, Item> = items.into_iter().map(|item| (item.id, item)).collect();
    items.retain(|id, _| !deleted.contains_key(id));
    let entries = feeds::visible_entries(domain, account_id, &search.entry_ids).await?;
    let mut entries: HashMap<EntryId, Entry> = entries.into_iter().map(|entry| (entry.id, entry)).collect();
    Ok(Results {
        items: search.item_ids.iter().filter_map(|id| items.remove(id)).collect(),
        entries: search.entry_ids.iter().filter_map(|id| entries.remove(id)).collect(),
    })
}

/// Returns the reason of a failure.
fn reason(search: &MeaningSearch) -> Markup {
    message_text(model::reason_words(search.reason.as_deref()))
}

fn outcome(search: &MeaningSearch, results: &Results, plan: &TierLimits, now: Millis) -> Markup {
    let query = || html! { q { bdi { (search.query) } } };
    html! {
        @match search.state {
            ModelTaskState::Requested => { p.soft { (Text("meaning-searching").markup(&[("query", query())])) } },
            ModelTaskState::Failed => { p.notice { (Text("meaning-failed").markup(&[("reason", reason(search))])) } },
            ModelTaskState::Ready => {
                h2 { (Text("meaning-results").markup(&[("query", query())])) }
                @if search.searched == SearchedTexts::All { h3 { (Text("nav-library")) } }
                @if search.searched != SearchedTexts::Entries { (item_results(search, &results.items, plan, now)) }
                @if search.searched == SearchedTexts::All { h3 { (Text("nav-feeds")) } }
                @if search.searched != SearchedTexts::Items { (entry_results(search, &results.entries, now)) }
                p.soft.small {
                    @if let Some(at) = search.finished_at { (Text("meaning-searched").markup(&[("time", time(at, now))])) }
                    @if search.entries_unindexed > 0 { " " (Text("meaning-further")) }
                    @if search.reason.is_some() { " " (Text("meaning-request-failed").markup(&[("reason", reason(search))])) }
                }
            },
        }
    }
}

fn item_results(search: &MeaningSearch, items: &[Item], plan: &TierLimits, now: Millis) -> Markup {
    let count = |number: i32| with_thousands_separators(u64::try_from(number).unwrap_or_default());
    let total = count(search.compared.saturating_add(search.unindexed));
    let passages = with_thousands_separators(plan.indexed_passages.into());
    html! {
        @if items.is_empty() { p { (Text("meaning-none")) } }
        ul.rows { @for item in items { (short_row(item, now)) } }
        p.soft.small {
            (Text("meaning-compared").with("number", count(search.compared)).with("total", total))
            @if search.items_cut { " " (Text("meaning-items-cut").with("passages", passages)) }
            @else if search.unindexed > 0 { " " (Text("meaning-indexing")) }
            @if search.items_partial > 0 { " " (Text("meaning-items-partial").with("number", count(search.items_partial))) }
        }
    }
}

fn entry_results(search: &MeaningSearch, entries: &[Entry], now: Millis) -> Markup {
    let unread = with_thousands_separators(MAX_INDEXED_UNREAD.into());
    let starred = with_thousands_separators(MAX_INDEXED_STARRED.into());
    html! {
        @if entries.is_empty() { p { (Text("meaning-no-entries")) } }
        ul.rows { @for entry in entries { (plain_entry(entry, now)) } }
        p.soft.small {
            (Text("meaning-entries-compared").with("number", search.entries_compared))
            @if search.entries_unindexed > 0 { " " (Text("meaning-unindexed").with("number", search.entries_unindexed)) }
            @if search.entries_cut { " " (Text("meaning-entries-cut").with("unread", unread).with("starred", starred)) }
        }
    }
}
