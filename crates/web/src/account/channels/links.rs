//! Pages behind links in messages: confirming an address, unsubscribing, and snoozing a monitor. They need no
//! session. Opening a link changes nothing, because programs such as link scanners open links too.

use kernel::Class;
use maud::{Markup, html};
use notices::{Snooze, SnoozeChoice, UnsubscribedScope};
use poem::http::{HeaderValue, StatusCode, header};
use poem::{Response, handler};

use crate::page::parts::time;
use crate::page::request::{PageRequest, PageResult};

/// Asks whether Carrel may send messages to an address.
#[handler]
pub(crate) async fn show_confirm(request: PageRequest) -> PageResult {
    let link = request.parameter("link");
    let confirmation = notices::find_confirmation(&request.app.domain, &link).await;
    Ok(match valid_link(confirmation)? {
        None => invalid_link_page(&request),
        Some(pending) if pending.is_done => done(&request, &pending.address),
        Some(pending) => respond(
            &request,
            StatusCode::OK,
            "Confirm your address",
            &html! {
                h1 { "Confirm your address" }
                p { "Send messages from Carrel to " strong { bdi { (pending.address) } } "? A user of this service asked for it." }
                (button("/notices/confirm", &link, "Confirm"))
                p.soft { "If this was not you, close this page. Nothing will be sent to you." }
            },
        ),
    })
}

#[handler]
pub(crate) async fn confirm(request: PageRequest) -> PageResult {
    let confirmed = notices::confirm(&request.app.domain, &request.parameter("link")).await;
    Ok(valid_link(confirmed)?
        .map_or_else(|| invalid_link_page(&request), |confirmed| done(&request, &confirmed.address)))
}

fn done(request: &PageRequest, address: &str) -> Response {
    respond(
        request,
        StatusCode::OK,
        "Address confirmed",
        &html! {
            h1 { "Address confirmed" }
            p { "Messages are now sent to " strong { bdi { (address) } } ". Each message has a link to unsubscribe." }
        },
    )
}

/// Asks for confirmation before a channel is unsubscribed.
#[handler]
pub(crate) async fn show_stop(request: PageRequest) -> PageResult {
    let link = request.parameter("link");
    let stop_link = notices::find_unsubscription(&request.app.domain, &link).await;
    Ok(valid_link(stop_link)?.map_or_else(
        || invalid_link_page(&request),
        |stop_link| {
            respond(
                &request,
                StatusCode::OK,
                "Unsubscribe",
                &html! {
                    h1 { "Unsubscribe?" }
                    p {
                        @match &stop_link.scope {
                            UnsubscribedScope::Monitor(name) => { "Messages about the monitor " strong { (name) } },
                            UnsubscribedScope::Monitors => "Messages about all monitors",
                            UnsubscribedScope::Account => "Account messages (credits, sign-ins, keys and apps)",
                            UnsubscribedScope::Everything => "Messages about monitors and the account",
                        }
                        " go to " strong { bdi { (stop_link.address) } } "."
                    }
                    (button("/notices/stop", &link, "Unsubscribe"))
                },
            )
        },
    ))
}

/// Unsubscribes a channel. Mail programs send this `POST` directly when a person unsubscribes (RFC 8058).
#[handler]
pub(crate) async fn stop(request: PageRequest) -> PageResult {
    let stopped = notices::unsubscribe(&request.app.domain, &request.parameter("link")).await;
    Ok(valid_link(stopped)?.map_or_else(
        || invalid_link_page(&request),
        |ended| respond(&request, StatusCode::OK, "Unsubscribed", &html! {
            h1 { "You are unsubscribed" }
            p {
                @match &ended.scope {
                    UnsubscribedScope::Monitor(name) => { "Messages about the monitor " strong { (name) } },
                    UnsubscribedScope::Monitors => "Messages about monitors",
                    UnsubscribedScope::Account => "Account messages",
                    UnsubscribedScope::Everything => "Messages",
                }
                " are no longer sent to " strong { bdi { (ended.address) } } "."
                @if ended.scope == UnsubscribedScope::Everything { " To get messages again, confirm the address again." }
            }
        }),
    ))
}

/// Asks how long to snooze a monitor.
#[handler]
pub(crate) async fn show_snooze(request: PageRequest) -> PageResult {
    let link = request.parameter("link");
    let current = notices::find_snooze(&request.app.domain, &link).await;
    Ok(valid_link(current)?.map_or_else(
        || invalid_link_page(&request),
        |current| {
            let content = html! {
                h1 { "Snooze " bdi { (current.monitor) } "?" }
                p { "Messages about this monitor go to the channel " strong { bdi { (current.channel) } } "." }
                (snoozed(&request, &current))
                p.soft { "Changes found meanwhile come in one message afterwards. They stay complete in the feed and on the page of the monitor." }
                @for (word, choice) in SnoozeChoice::ALL.iter().filter(|(_, choice)| *choice != SnoozeChoice::Resume || current.until.is_some()) {
                    (button(&format!("/notices/snooze?choice={word}"), &link, &label(*choice)))
                }
            };
            respond(&request, StatusCode::OK, "Snooze", &content)
        },
    ))
}

/// Snoozes or mutes a monitor for a channel.
#[handler]
pub(crate) async fn snooze(request: PageRequest) -> PageResult {
    let Some(choice) = SnoozeChoice::parse(&request.parameter("choice")) else {
        return Ok(invalid_link_page(&request));
    };
    let done = notices::snooze(&request.app.domain, &request.parameter("link"), choice).await;
    Ok(valid_link(done)?.map_or_else(
        || invalid_link_page(&request),
        |current| {
            let content = html! {
                @if choice == SnoozeChoice::Mute {
                    h1 { "Muted" }
                    p { "Messages about " strong { bdi { (current.monitor) } } " are no longer sent to " strong { bdi { (current.channel) } } ". Select the channel on the page of the monitor to get them again." }
                } @else if current.until.is_some() {
                    h1 { "Snoozed" }
                    (snoozed(&request, &current))
                } @else {
                    h1 { "Messages are sent again" }
                    p { "Messages about " strong { bdi { (current.monitor) } } " are sent to " strong { bdi { (current.channel) } } "." }
                }
            };
            respond(&request, StatusCode::OK, "Snooze", &content)
        },
    ))
}

/// Renders the time until which messages are snoozed.
fn snoozed(request: &PageRequest, current: &Snooze) -> Markup {
    let now = request.app.domain.now();
    html! { @if let Some(until) = current.until { p.notice { "No messages until " (time(until, now)) "." } } }
}

fn label(choice: SnoozeChoice) -> String {
    match choice {
        SnoozeChoice::Days(1) => "For a day".to_owned(),
        SnoozeChoice::Days(days) => format!("For {days} days"),
        SnoozeChoice::Resume => "Send messages again".to_owned(),
        SnoozeChoice::Mute => "Mute this monitor here".to_owned(),
    }
}

/// Returns the value behind a link. `None` if the link is invalid.
fn valid_link<T>(result: kernel::Result<T>) -> kernel::Result<Option<T>> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(error) if error.class() == Class::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Renders a button that submits the link with `POST`.
fn button(path: &str, link: &str, label: &str) -> Markup {
    let link: String = url::form_urlencoded::byte_serialize(link.as_bytes()).collect();
    let separator = if path.contains('?') { "&" } else { "?" };
    html! { form method="post" action={ (path) (separator) "link=" (link) } { button type="submit" { (label) } } }
}

fn invalid_link_page(request: &PageRequest) -> Response {
    respond(
        request,
        StatusCode::NOT_FOUND,
        "Link not valid",
        &html! {
            h1 { "This link is no longer valid" }
            p { "A newer link was sent, or its subject no longer exists." }
        },
    )
}

/// Responds with `Referrer-Policy: no-referrer`, because the address contains the link's secret.
fn respond(request: &PageRequest, status: StatusCode, title: &str, content: &Markup) -> Response {
    let mut response = request.respond(status, title, content);
    response.headers_mut().insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    response
}
