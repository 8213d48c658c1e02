//! A received message: its sender, its outcome, and what became of it.

use ::inbox::{InboxMessage, InboxMessageState};
use kernel::{InboxMessageId, Millis};
use maud::{Markup, html};
use poem::handler;
use poem::http::StatusCode;
use poem::web::Path;

use crate::page::form::FormToken;
use crate::page::parts::{settings_tabs, time};
use crate::page::request::{PageRequest, PageResult, User};

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
    let subject = message.subject.as_deref().unwrap_or("No subject");
    let content = html! {
        (settings_tabs(LIST, &token))
        p.soft { a href=(LIST) { "Inbox" } }
        h1 { bdi { (subject) } }
        (facts(&message, address.map(|address| address.name.as_str()), domain.now()))
    };
    Ok(request.respond(StatusCode::OK, "Message · Inbox", &content))
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
        @if !message.attachments.is_empty() {
            h2 { "Files" }
            ul { @for name in &message.attachments { li { bdi { (name) } } } }
        }
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
