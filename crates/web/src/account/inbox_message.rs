//! Received message: its sender, its outcome, and the resulting item or entry.

use ::inbox::{InboxMessage, InboxMessageState, UnsubscribeState};
use kernel::{InboxMessageId, Millis};
use maud::{Markup, html};
use poem::handler;
use poem::http::StatusCode;
use poem::web::Path;

use crate::language::text::Text;
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
    let subject = message.subject.clone().unwrap_or_else(|| Text("inbox-no-subject").get());
    let content = html! {
        (settings_tabs(LIST, &token))
        p.soft { a href=(LIST) { (Text("settings-inbox")) } }
        h1 { bdi { (subject) } }
        (facts(&message, address.map(|address| address.name.as_str()), now))
        (confirmation(&message))
        (authentication(&message))
        (files(&message))
        (unsubscribing(&message, &token, now))
    };
    let title = format!("{} · {}", Text("channel-message").get(), Text("settings-inbox").get());
    Ok(request.respond(StatusCode::OK, &title, &content))
}

/// Submits a job that unsubscribes from the newsletter of a message.
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
    let address = html! { @match address { Some(name) => { strong { (name) } }, None => (Text("inbox-deleted-address")) } };
    let received = Text("inbox-received")
        .with("bytes", message.bytes.to_string())
        .markup(&[("time", time(message.received_at, now)), ("address", address)]);
    html! {
        @if let Some(sender) = &message.sender { p { (Text("inbox-from").markup(&[("sender", html! { bdi { (sender) } })])) } }
        p.soft { (received) }
        p { (state(message)) @if let Some(code) = &message.reason { ": " (reason(code)) } "." }
        @if let Some(id) = message.item_id { p { a href={ "/library/" (id) } { (Text("inbox-open-item")) } } }
        @if let Some(list_id) = &message.list_id { p.soft { (Text("inbox-newsletter").markup(&[("list", html! { bdi { (list_id) } })])) } }
        @if message.tracking_pixels > 0 { p.soft { (Text("message-pixels").with("count", message.tracking_pixels)) } }
    }
}

/// Renders the link that confirms a subscription. Carrel never opens it; the person decides.
fn confirmation(message: &InboxMessage) -> Markup {
    html! { @if let Some(url) = &message.confirmation_url {
        p.notice { (Text("inbox-confirm-words")) }
        p {
            a.button href=(url) rel="noopener noreferrer nofollow external" { (Text("notice-confirm-button")) }
            " " span.soft.small { (Text("inbox-opens").markup(&[("address", html! { bdi { (url) } })])) }
        }
    } }
}

/// Renders the results of the sender checks of the operator's mail server.
fn authentication(message: &InboxMessage) -> Markup {
    let checks = message.authentication_checks();
    html! { @if let Some(results) = &message.authentication {
        h2 { (Text("inbox-sender")) }
        @if checks.iter().any(|check| check.method == "dmarc" && check.result == "fail") {
            p.notice { (Text("inbox-forged")) }
        }
        @if !checks.is_empty() {
            p.dots { @for check in &checks { span { (check.method.to_uppercase()) " " (check.result) } } }
        }
        details { summary { (Text("inbox-server-result")) } p.soft.small { (results) } }
    } }
}

fn files(message: &InboxMessage) -> Markup {
    html! { @if !message.attachments.is_empty() {
        h2 { (Text("inbox-files")) }
        ul { @for name in &message.attachments { li { bdi { (name) } } } }
        @if message.item_id.is_some() { p.soft { (Text("inbox-files-words")) } }
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
        h2 { (Text("notice-stop")) }
        @match message.unsubscribe_state {
            Some(UnsubscribeState::Requested) => { p { (Text("inbox-unsubscribe-sent")) } },
            Some(UnsubscribeState::Completed) => { p { (Text("inbox-unsubscribe-done")) " " @if let Some(at) = &at { (at) } } },
            Some(UnsubscribeState::Failed) => {
                p.notice { @match &message.unsubscribe_reason {
                    Some(code) => (Text("inbox-unsubscribe-failed-code").with("code", code.as_str())),
                    None => (Text("inbox-unsubscribe-failed")),
                } }
            },
            None => {},
        }
        @if is_offered {
            form.row method="post" action={ (LIST) "/messages/" (message.id) "/unsubscribe" } {
                (token.field())
                button type="submit" { (Text("notice-stop")) }
            }
        }
        p { a href=(url) rel="noopener noreferrer nofollow external" { (Text("inbox-sender-page")) } }
    }
}

/// Describes the state of a message.
pub(super) fn state(message: &InboxMessage) -> Text {
    match message.state {
        InboxMessageState::Received => Text("inbox-state-waiting"),
        InboxMessageState::Saved if message.item_id.is_none() => Text("inbox-state-feeds"),
        InboxMessageState::Saved if message.feed_id.is_some() => Text("inbox-state-both"),
        InboxMessageState::Saved => Text("inbox-state-saved"),
        InboxMessageState::Duplicate => Text("inbox-state-duplicate"),
        InboxMessageState::Muted => Text("inbox-state-muted"),
        InboxMessageState::Failed => Text("inbox-state-failed"),
    }
}

/// Describes why a message waits or was refused.
pub(super) fn reason(code: &str) -> Text {
    match code {
        "storage_limit_reached" => Text("inbox-reason-storage"),
        "limit_reached" => Text("inbox-reason-feeds"),
        "payload_too_large" => Text("inbox-reason-large"),
        "rate_limited" => Text("inbox-reason-many"),
        "store_full" | "service_unavailable" => Text("inbox-reason-unavailable"),
        _ => Text("inbox-reason-unreadable"),
    }
}
