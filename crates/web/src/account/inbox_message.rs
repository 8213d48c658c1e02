//! A received message: its sender, its outcome, and what became of it.

use ::inbox::{InboxMessage, InboxMessageState, UnsubscribeState};
use kernel::{InboxMessageId, Millis};
use maud::{Markup, html};
use poem::handler;
use poem::http::StatusCode;
use poem::web::Path;

use crate::page::form::{Form, FormToken};
use crate::page::parts::{settings_tabs, time};
use crate::page::request::{PageRequest, PageResult, User};
use crate::page::response::redirect;

/// Path of the list of messages.
const LIST: &str = "/settings/inbox";

/// Renders a message.
#[handler]
pub(crate) async fn show(request: PageRequest, user: User, Path(id): Path<InboxMessageId>) -> PageResult {
    let domain = &request.app.domain;
    let message = ::inbox::get_message(domain, user.account.id, id).await?;
    let addresses = ::inbox::list_addresses(domain, user.account.id).await?;
    let address = addresses.iter().find(|address| address.id == message.address_id);
    let token = FormToken::of(&request);
    let now = domain.now();
    let subject = message.subject.as_deref().unwrap_or("No subject");
    let content = html! {
        (settings_tabs(LIST, &token))
        p.soft { a href=(LIST) { "Inbox" } }
        h1 { bdi { (subject) } }
        (facts(&message, address.map(|address| address.name.as_str()), now))
        (confirmation(&message))
        (authentication(&message))
        (files(&message))
        (unsubscribing(&message, &token, now))
    };
    Ok(request.respond(StatusCode::OK, "Message · Inbox", &content))
}

/// Requests to unsubscribe from the newsletter of a message.
#[handler]
pub(crate) async fn unsubscribe(
    request: PageRequest,
    user: User,
    _form: Form,
    Path(id): Path<InboxMessageId>,
) -> PageResult {
    let app = &request.app;
    let (message, job) = ::inbox::unsubscribe(&app.domain, user.account.id, id).await?;
    app.engine.push_all(job.as_slice()).await;
    Ok(redirect(&format!("{LIST}/messages/{}", message.id)))
}

fn facts(message: &InboxMessage, address: Option<&str>, now: Millis) -> Markup {
    html! {
        @if let Some(sender) = &message.sender { p { "From " bdi { (sender) } } }
        p.soft {
            "Received " (time(message.received_at, now)) " at "
            @match address { Some(name) => { strong { (name) } }, None => "a deleted address" }
            ", " (message.bytes) " bytes."
        }
        p { (state(message)) @if let Some(code) = &message.reason { ": " (reason(code)) } "." }
        @if let Some(id) = message.item_id { p { a href={ "/library/" (id) } { "Open in the library" } } }
        @if let Some(list_id) = &message.list_id { p.soft { "Newsletter: " bdi { (list_id) } } }
        @if message.tracking_pixels > 0 { p.soft { "Tracking pixels left out: " (message.tracking_pixels) "." } }
    }
}

/// Renders the link that confirms a subscription. Only the person opens it.
fn confirmation(message: &InboxMessage) -> Markup {
    html! { @if let Some(url) = &message.confirmation_url {
        p.notice { "This message asks you to confirm a subscription. Nothing was confirmed for you." }
        p {
            a.button href=(url) rel="noopener noreferrer nofollow external" { "Confirm" }
            " " span.soft.small { "Opens " bdi { (url) } }
        }
    } }
}

/// Renders the results of the operator's mail server.
fn authentication(message: &InboxMessage) -> Markup {
    let checks = message.authentication_checks();
    html! { @if let Some(results) = &message.authentication {
        h2 { "Sender" }
        @if checks.iter().any(|check| check.method == "dmarc" && check.result == "fail") {
            p.notice { "The address of the sender is probably forged." }
        }
        @if !checks.is_empty() {
            p.dots { @for check in &checks { span { (check.method.to_uppercase()) " " (check.result) } } }
        }
        details { summary { "Result of the mail server" } p.soft.small { (results) } }
    } }
}

fn files(message: &InboxMessage) -> Markup {
    html! { @if !message.attachments.is_empty() {
        h2 { "Files" }
        ul { @for name in &message.attachments { li { bdi { (name) } } } }
        @if message.item_id.is_some() { p.soft { "The page of the item has links to the files." } }
    } }
}

/// Renders the ways to unsubscribe, and the result of the last request.
fn unsubscribing(message: &InboxMessage, token: &FormToken, now: Millis) -> Markup {
    let Some(url) = &message.unsubscribe_url else { return html! {} };
    let at = message.unsubscribe_at.map(|at| time(at, now));
    let is_offered = message.one_click
        && !matches!(
            message.unsubscribe_state,
            Some(UnsubscribeState::Requested | UnsubscribeState::Completed)
        );
    html! {
        h2 { "Unsubscribe" }
        @match message.unsubscribe_state {
            Some(UnsubscribeState::Requested) => { p { "The request is being sent. Reload this page to see its result." } },
            Some(UnsubscribeState::Completed) => { p { "The server of the sender has accepted your request. " @if let Some(at) = &at { (at) } } },
            Some(UnsubscribeState::Failed) => {
                p.notice {
                    "The server of the sender did not accept the request"
                    @if let Some(code) = &message.unsubscribe_reason { " (" (code) ")" }
                    ". Try again, or open its page."
                }
            },
            None => {},
        }
        @if is_offered {
            form.row method="post" action={ (LIST) "/messages/" (message.id) "/unsubscribe" } {
                (token.field())
                button type="submit" { "Unsubscribe" }
            }
        }
        p { a href=(url) rel="noopener noreferrer nofollow external" { "Open the sender's page" } }
    }
}

/// Describes the state of a message.
pub(super) fn state(message: &InboxMessage) -> &'static str {
    match message.state {
        InboxMessageState::Received => "Waiting",
        InboxMessageState::Saved if message.item_id.is_none() => "In your feeds",
        InboxMessageState::Saved if message.feed_id.is_some() => "In your library and feeds",
        InboxMessageState::Saved => "Saved",
        InboxMessageState::Duplicate => "Already saved",
        InboxMessageState::Muted => "Discarded, because the address is muted",
        InboxMessageState::Failed => "Not saved",
    }
}

/// Describes why a message waits or was refused.
pub(super) fn reason(code: &str) -> &'static str {
    match code {
        "storage_limit_reached" => "your storage is full",
        "limit_reached" => "your plan has no more feeds, so it is in the library",
        "payload_too_large" => "the message is too large",
        "rate_limited" => "too many messages in one day",
        "store_full" | "service_unavailable" => "the service was unavailable",
        _ => "the message could not be read",
    }
}
