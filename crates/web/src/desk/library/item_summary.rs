//! The language model's summary of an item, and the tags that it suggests. Nothing is rendered without a model.

use kernel::error::not_found;
use kernel::{ItemId, Millis};
use library::{Item, ItemChanges, ItemUpdate, StoredText};
use maud::{Markup, html};
use model::{ItemSummary, MAX_TEXT_CHARS, ModelTaskState};
use poem::handler;
use poem::web::Path;

use super::super::frame::redirect_done;
use super::item_rows::path;
use crate::language::text::Text;
use crate::page::error_text::message_text;
use crate::page::form::{Form, FormToken};
use crate::page::parts::with_thousands_separators;
use crate::page::request::{PageRequest, PageResult, User};

/// Rendered summary.
pub(super) struct SummarySection {
    pub(super) markup: Markup,
    /// True if the model has not answered yet.
    pub(super) is_pending: bool,
}

/// Requests a summary of an item.
#[handler]
pub(in crate::desk) async fn summarize(
    request: PageRequest,
    user: User,
    _form: Form,
    Path(id): Path<ItemId>,
) -> PageResult {
    let app = &request.app;
    let (_, job) = model::request_summary(&app.domain, user.account.id, id).await?;
    app.engine.push_all(job.as_slice()).await;
    Ok(redirect_done(&format!("/library/{id}"), "summarizing"))
}

/// Adds a suggested tag to an item.
#[handler]
pub(in crate::desk) async fn add_tag(
    request: PageRequest,
    user: User,
    form: Form,
    Path(id): Path<ItemId>,
) -> PageResult {
    let (domain, account_id) = (&request.app.domain, user.account.id);
    let summary = model::get_summary(domain, account_id, id).await?;
    let tag = form.get("tag");
    let is_suggested = summary.is_some_and(|summary| summary.tags.iter().any(|known| known == tag));
    if !is_suggested {
        return Err(not_found("suggestion").into());
    }
    let changes = ItemChanges { add_tags: vec![tag.to_owned()], ..ItemChanges::default() };
    library::update(domain, account_id, id, ItemUpdate { changes, ..ItemUpdate::default() }).await?;
    Ok(redirect_done(&format!("/library/{id}"), "tagged"))
}

/// Renders the summary of an item, and the button that requests one.
pub(super) async fn section(
    request: &PageRequest,
    item: &Item,
    text: Option<&StoredText>,
    token: &FormToken,
) -> kernel::Result<SummarySection> {
    let domain = &request.app.domain;
    if model::model_info(domain).is_none() {
        return Ok(SummarySection { markup: html! {}, is_pending: false });
    }
    let answer = model::get_summary(domain, item.account_id, item.id).await?;
    let attached = library::model_tags_of(domain, item.account_id, item.id).await?;
    let summary = answer.as_ref().filter(|answer| answer.parts.has_summary());
    let is_pending = summary.is_some_and(|summary| summary.state == ModelTaskState::Requested);
    let may_request = !is_pending && text.is_some() && model::has_consent(domain, item.account_id).await?;
    let text_at = text.map(|text| text.cached_at);
    let markup = html! { @if answer.is_some() || may_request || !attached.is_empty() {
        section aria-label=(Text("summary")) {
            @match (summary, &answer) {
                (Some(summary), _) => { h2 { (Text("summary")) } (outcome(summary, text_at)) },
                (None, Some(answer)) => (outcome_of_tags(answer)),
                (None, None) => {},
            }
            (attached_tags(item, &attached, token))
            @if let Some(answer) = &answer { (suggestions(item, answer, token)) }
            @if may_request {
                form.noprint method="post" action={ (path(item)) "/summary" } {
                    (token.field())
                    button.secondary type="submit" { @if summary.is_some() { (Text("summary-repeat")) } @else { (Text("summary-create")) } }
                }
            }
        }
    } };
    Ok(SummarySection { markup, is_pending })
}

/// Renders the state of a request that only attaches tags.
fn outcome_of_tags(answer: &ItemSummary) -> Markup {
    html! {
        @match answer.state {
            ModelTaskState::Requested => { p.soft { (Text("summary-tags-pending")) } },
            ModelTaskState::Failed => { p.soft { (Text("summary-tags-none").markup(&[("reason", message_text(model::reason_words(answer.reason.as_deref())))])) } },
            ModelTaskState::Ready => {},
        }
    }
}

/// Renders the tags that the model attached, with a button that removes them.
fn attached_tags(item: &Item, attached: &[String], token: &FormToken) -> Markup {
    html! { @if !attached.is_empty() {
        form.row.noprint method="post" action={ (path(item)) "/model-tags" } {
            (token.field())
            span.soft { (Text("summary-tags-attached")) }
            @for tag in attached { span.tag { bdi { (tag) } } }
            button.secondary type="submit" { (Text("summary-tags-remove")) }
        }
    } }
}

/// Removes the tags that the model attached to an item.
#[handler]
pub(in crate::desk) async fn remove_model_tags(
    request: PageRequest,
    user: User,
    _form: Form,
    Path(id): Path<ItemId>,
) -> PageResult {
    let (domain, account_id) = (&request.app.domain, user.account.id);
    library::get(domain, account_id, id).await?;
    library::remove_model_tags(domain, account_id, id).await?;
    Ok(redirect_done(&format!("/library/{id}"), "untagged"))
}

/// Renders the text of a summary, or the reason why there is none.
fn outcome(summary: &ItemSummary, text_at: Option<Millis>) -> Markup {
    let Some(text) = &summary.text else {
        return html! {
            p.soft {
                @if summary.state == ModelTaskState::Requested { (Text("summary-pending")) }
                @else { (Text("summary-none").markup(&[("reason", message_text(model::reason_words(summary.reason.as_deref())))])) }
            }
        };
    };
    let most = with_thousands_separators(u64::try_from(MAX_TEXT_CHARS).unwrap_or(u64::MAX));
    html! {
        p { bdi { (text) } }
        p.soft.small {
            @match &summary.model {
                Some(name) => (Text("summary-by-named").markup(&[("name", html! { bdi { (name) } })])),
                None => (Text("summary-by")),
            }
            @if summary.is_partial { " " (Text("summary-partial").with("count", most)) }
            @if summary.text_at != text_at { " " (Text("summary-outdated")) }
        }
    }
}

/// Renders a button for each suggested tag that the item does not have.
fn suggestions(item: &Item, summary: &ItemSummary, token: &FormToken) -> Markup {
    let new: Vec<&String> = summary.tags.iter().filter(|tag| !item.tags.contains(tag)).collect();
    html! { @if !new.is_empty() {
        form.row.noprint method="post" action={ (path(item)) "/summary/tag" } {
            (token.field())
            span.soft { (Text("summary-tags")) }
            @for tag in new { button.secondary type="submit" name="tag" value=(tag) { (Text("summary-add-tag").markup(&[("tag", html! { bdi { (tag) } })])) } }
        }
    } }
}
