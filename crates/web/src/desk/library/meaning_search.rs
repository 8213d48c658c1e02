//! Search by meaning with the language model, and the results of the latest search. Nothing is rendered without an
//! embedding model.

use std::collections::HashMap;

use kernel::{AccountId, ItemId, Millis};
use library::Item;
use maud::{Markup, html};
use model::{MAX_QUERY_CHARS, MeaningSearch, ModelTaskState};
use poem::handler;

use super::super::frame::{Section, notice, redirect_done, respond, with_reload};
use super::item_rows::short_row;
use crate::language::text::Text;
use crate::page::form::{Form, FormToken};
use crate::page::parts::time;
use crate::page::request::{PageRequest, PageResult, User};

const DONE: [(&str, &str); 1] =
    [("requested", "The search is running. This page shows the results when they are ready.")];
/// Path of the page.
const PATH: &str = "/library/meaning";
/// Maximum number of reloads while the search runs.
const MAX_RELOADS: u32 = 100;

/// Renders the link from the library. Empty without an embedding model, or if the person has not switched it on.
pub(super) async fn link_from(request: &PageRequest, user: &User) -> kernel::Result<Markup> {
    let domain = &request.app.domain;
    let is_on =
        model::require_embeddings(domain).is_ok() && model::has_consent(domain, user.account.id).await?;
    Ok(html! { @if is_on { p { a href=(PATH) { (Text("items-by-meaning")) } } } })
}

#[handler]
pub(in crate::desk) async fn show(request: PageRequest, user: User) -> PageResult {
    let (domain, account_id) = (&request.app.domain, user.account.id);
    model::require_embeddings(domain)?;
    let latest = model::latest_search(domain, account_id).await?;
    let is_pending = latest.as_ref().is_some_and(|search| search.state == ModelTaskState::Requested);
    let may_search = model::has_consent(domain, account_id).await?;
    let items = match &latest {
        Some(search) => items_of(&request, account_id, search).await?,
        None => Vec::new(),
    };
    let token = FormToken::of(&request);
    let query = latest.as_ref().map(|search| search.query.as_str()).unwrap_or_default();
    let content = html! {
        p.soft { a href="/library" { "Library" } }
        h1 { "Search by meaning" }
        (notice(&request, &DONE))
        @if may_search && !is_pending {
            p { "Describe what you remember of a text. It does not need to contain these words." }
            form.seek role="search" aria-label="Search the library by meaning" method="post" action=(PATH) {
                (token.field())
                input type="search" name="q" value=(query) maxlength=(MAX_QUERY_CHARS) required aria-label="Description of the text";
                button type="submit" { "Search" }
            }
        } @else if !may_search { p.soft { "The language model is off. " a href="/settings/model" { "Settings" } } }
        @if let Some(search) = &latest { (outcome(search, &items, domain.now())) }
    };
    let response = respond(&request, Section::Library, "Search by meaning · Library", &content);
    let reloads: u32 = request.parameter("reload").parse().unwrap_or(0);
    if is_pending && reloads < MAX_RELOADS {
        return Ok(with_reload(response, &format!("{PATH}?reload={}", reloads + 1)));
    }
    Ok(response)
}

/// Starts a search.
#[handler]
pub(in crate::desk) async fn start(request: PageRequest, user: User, form: Form) -> PageResult {
    let app = &request.app;
    let (_, job) = model::request_search(&app.domain, user.account.id, form.get("q")).await?;
    app.engine.push_all(job.as_slice()).await;
    Ok(redirect_done(PATH, "requested"))
}

/// Loads the results that are still in the library, best first.
async fn items_of(
    request: &PageRequest,
    account_id: AccountId,
    search: &MeaningSearch,
) -> kernel::Result<Vec<Item>> {
    let domain = &request.app.domain;
    let deleted = library::pending_deletions(domain, account_id).await?;
    let items = library::find(domain, account_id, &search.item_ids).await?;
    let mut items: HashMap<ItemId, Item> = items.into_iter().map(|item| (item.id, item)).collect();
    items.retain(|id, _| !deleted.contains_key(id));
    Ok(search.item_ids.iter().filter_map(|id| items.remove(id)).collect())
}

fn outcome(search: &MeaningSearch, items: &[Item], now: Millis) -> Markup {
    html! {
        @match search.state {
            ModelTaskState::Requested => { p.soft { "Searching for " q { bdi { (search.query) } } ". The first search takes longer, because texts are compared for the first time." } },
            ModelTaskState::Failed => { p.notice { "There are no results: " (model::reason_words(search.reason.as_deref())) "." } },
            ModelTaskState::Ready => {
                h2 { "Results for " q { bdi { (search.query) } } }
                @if items.is_empty() { p { "No items match." } }
                ul.rows { @for item in items { (short_row(item, now)) } }
                p.soft.small {
                    "The texts of " (search.compared) " items were compared"
                    @if let Some(at) = search.finished_at { " " (time(at, now)) }
                    "."
                    @if search.unindexed > 0 { " Not compared yet: " (search.unindexed) ". Search again to continue." }
                    @if let Some(reason) = search.reason.as_deref() { " A request failed: " (model::reason_words(Some(reason))) "." }
                }
            },
        }
    }
}
