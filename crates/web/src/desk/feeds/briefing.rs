//! The language model's briefing about the unread entries of a collection. Nothing is rendered without a model.

use std::collections::HashMap;

use feeds::Entry;
use kernel::{AccountId, CollectionId, EntryId, Millis};
use maud::{Markup, html};
use model::{Briefing, BriefingLine, ModelTaskState};
use poem::handler;
use poem::web::Path;

use super::super::frame::{Section, link, notice, redirect_done, respond, with_reload};
use super::entry_rows;
use super::entry_scope::EntryListScope;
use crate::language::text::Text;
use crate::page::error_text::message_text;
use crate::page::form::{Form, FormToken};
use crate::page::parts::time;
use crate::page::request::{PageRequest, PageResult, User};

const DONE: [(&str, Text); 1] = [("requested", Text("briefing-requested"))];
/// Maximum number of reloads while the briefing is written.
const MAX_RELOADS: u32 = 100;

fn path_of(id: CollectionId) -> String {
    format!("/collections/{id}/briefing")
}

/// Renders the link from the entries of a collection. Empty without a model, or if the person has not switched it
/// on.
pub(super) async fn link_from(
    request: &PageRequest,
    user: &User,
    scope: &EntryListScope,
) -> kernel::Result<Markup> {
    let domain = &request.app.domain;
    let collection = scope.collection.filter(|_| scope.feed.is_none());
    let Some(id) = collection.filter(|_| model::model_info(domain).is_some()) else {
        return Ok(html! {});
    };
    let is_on = model::has_consent(domain, user.account.id).await?;
    Ok(html! { @if is_on { p { a href=(path_of(id)) { (Text("entries-briefing")) } } } })
}

#[handler]
pub(in crate::desk) async fn show(request: PageRequest, user: User, Path(id): Path<i64>) -> PageResult {
    let (domain, account_id) = (&request.app.domain, user.account.id);
    model::require_model(domain)?;
    let id = CollectionId::new(id);
    let collection = feeds::get_collection(domain, account_id, id).await?;
    let briefing = model::get_briefing(domain, account_id, id).await?;
    let is_pending = briefing.as_ref().is_some_and(|briefing| briefing.state == ModelTaskState::Requested);
    let may_request = !is_pending && model::has_consent(domain, account_id).await?;
    let entries = cited_entries(&request, account_id, briefing.as_ref()).await?;
    let token = FormToken::of(&request);
    let list = link("/entries", &[("collection", &id.to_string())]);
    let content = html! {
        p.soft { a href="/entries" { (Text("nav-feeds")) } " › " a href=(list) { bdi { (collection.name) } } }
        h1 { (Text("briefing-heading")) }
        (notice(&request, &DONE))
        @match &briefing {
            Some(briefing) => { (outcome(briefing, &entries, domain.now())) },
            None => { p { (Text("briefing-words")) } },
        }
        @if may_request {
            form.noprint method="post" action=(path_of(id)) {
                (token.field())
                button type="submit" { @if briefing.is_some() { (Text("briefing-write-new")) } @else { (Text("briefing-write")) } }
            }
        } @else if !is_pending { p.soft { (Text("meaning-off").linked(&["/settings/model"])) } }
    };
    let title = format!("{} · {}", Text("briefing-heading").get(), Text("nav-feeds").get());
    let response = respond(&request, Section::Feeds, &title, &content);
    let reloads: u32 = request.parameter("reload").parse().unwrap_or(0);
    if is_pending && reloads < MAX_RELOADS {
        return Ok(with_reload(response, &format!("{}?reload={}", path_of(id), reloads + 1)));
    }
    Ok(response)
}

/// Requests a briefing.
#[handler]
pub(in crate::desk) async fn write(
    request: PageRequest,
    user: User,
    _form: Form,
    Path(id): Path<i64>,
) -> PageResult {
    let app = &request.app;
    let id = CollectionId::new(id);
    let (_, job) = model::request_briefing(&app.domain, user.account.id, id).await?;
    app.engine.push_all(job.as_slice()).await;
    Ok(redirect_done(&path_of(id), "requested"))
}

/// Loads the entries that a briefing cites and that the account can still see.
async fn cited_entries(
    request: &PageRequest,
    account_id: AccountId,
    briefing: Option<&Briefing>,
) -> kernel::Result<HashMap<EntryId, Entry>> {
    let lines = briefing.map(|briefing| briefing.lines.as_slice()).unwrap_or_default();
    let mut ids: Vec<EntryId> = lines.iter().flat_map(BriefingLine::entry_ids).collect();
    ids.sort_unstable();
    ids.dedup();
    let entries = feeds::entries_of_ids(request.app.domain.db().read(), account_id, &ids).await?;
    Ok(entries.into_iter().map(|entry| (entry.id, entry)).collect())
}

/// Returns the reason of a failure.
fn reason(briefing: &Briefing) -> Markup {
    message_text(model::reason_words(briefing.reason.as_deref()))
}

fn outcome(briefing: &Briefing, entries: &HashMap<EntryId, Entry>, now: Millis) -> Markup {
    html! {
        @match briefing.state {
            ModelTaskState::Requested => { p.soft { (Text("briefing-pending")) } },
            ModelTaskState::Failed => { p.notice { (Text("briefing-failed").markup(&[("reason", reason(briefing))])) } },
            ModelTaskState::Ready => {
                @if briefing.lines.is_empty() { p { (Text("briefing-empty")) } }
                ul.rows { @for line in &briefing.lines { (sentence(line, entries)) } }
                (coverage(briefing, now))
            },
        }
    }
}

/// Renders a sentence with links to the entries that it cites.
fn sentence(line: &BriefingLine, entries: &HashMap<EntryId, Entry>) -> Markup {
    html! {
        li {
            p { bdi { (line.text) } }
            p.meta.dots {
                @for id in line.entry_ids() {
                    @match entries.get(&id) {
                        Some(entry) => { span { a href=(entry_rows::path(id)) { bdi { (entry.title) } } " · " bdi { (entry.feed_title) } } },
                        None => { span { (Text("briefing-gone")) } },
                    }
                }
            }
        }
    }
}

/// Describes how many entries the briefing covers, what was omitted, and which model wrote it.
fn coverage(briefing: &Briefing, now: Millis) -> Markup {
    html! {
        p.soft.small {
            @match (&briefing.model, briefing.finished_at) {
                (Some(name), Some(at)) => { (Text("briefing-by").markup(&[("name", html! { bdi { (name) } }), ("time", time(at, now))])) },
                _ => { (Text("summary-by")) },
            }
            " " (Text("briefing-covers").with("number", briefing.entries))
            @if briefing.omitted_entries > 0 { " " (Text("briefing-not-covered").with("number", briefing.omitted_entries)) }
            @if briefing.reason.is_some() { " " (Text("meaning-request-failed").markup(&[("reason", reason(briefing))])) }
            @if briefing.dropped_sentences > 0 { " " (Text("briefing-left-out").with("number", briefing.dropped_sentences)) }
        }
    }
}
