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
use crate::language::text::{Text, in_english};
use crate::page::form::{Form, FormToken};
use crate::page::parts::time;
use crate::page::request::{PageRequest, PageResult, User};

const DONE: [(&str, Text); 1] = [("requested", Text("meaning-requested"))];
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
        p.soft { a href="/library" { (Text("nav-library")) } }
        h1 { (Text("items-by-meaning")) }
        (notice(&request, &DONE))
        @if may_search && !is_pending {
            p { (Text("meaning-words")) }
            form.seek role="search" aria-label=(Text("meaning-form")) method="post" action=(PATH) {
                (token.field())
                input type="search" name="q" value=(query) maxlength=(MAX_QUERY_CHARS) required aria-label=(Text("meaning-query"));
                button type="submit" { (Text("find")) }
            }
        } @else if !may_search { p.soft { (Text("meaning-off").linked(&["/settings/model"])) } }
        @if let Some(search) = &latest { (outcome(search, &items, domain.now())) }
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

/// Renders the reason of a failure, which is English.
fn reason(search: &MeaningSearch) -> Markup {
    in_english(model::reason_words(search.reason.as_deref()))
}

fn outcome(search: &MeaningSearch, items: &[Item], now: Millis) -> Markup {
    let query = || html! { q { bdi { (search.query) } } };
    html! {
        @match search.state {
            ModelTaskState::Requested => { p.soft { (Text("meaning-searching").markup(&[("query", query())])) } },
            ModelTaskState::Failed => { p.notice { (Text("meaning-failed").markup(&[("reason", reason(search))])) } },
            ModelTaskState::Ready => {
                h2 { (Text("meaning-results").markup(&[("query", query())])) }
                @if items.is_empty() { p { (Text("meaning-none")) } }
                ul.rows { @for item in items { (short_row(item, now)) } }
                p.soft.small {
                    @let finished_at = search.finished_at.unwrap_or(search.requested_at);
                    (Text("meaning-compared").with("number", search.compared).markup(&[("time", time(finished_at, now))]))
                    @if search.unindexed > 0 { " " (Text("meaning-unindexed").with("number", search.unindexed)) }
                    @if search.reason.is_some() { " " (Text("meaning-request-failed").markup(&[("reason", reason(search))])) }
                }
            },
        }
    }
}
