//! Pages behind links in messages: confirming an address, unsubscribing, and snoozing a monitor. They need no
//! session. Opening a link changes nothing, because programs such as link scanners open links too.

use kernel::Class;
use maud::{Markup, html};
use notices::{Snooze, SnoozeChoice, StoppedMessages};
use poem::http::{HeaderValue, StatusCode, header};
use poem::{Response, handler};

use crate::language::text::Text;
use crate::page::parts::time;
use crate::page::request::{PageRequest, PageResult};

/// Asks whether Carrel may send messages to an address.
#[handler]
pub(crate) async fn show_confirmation(request: PageRequest) -> PageResult {
    let link = request.parameter("link");
    let confirmation = notices::find_confirmation(&request.app.domain, &link).await;
    Ok(match valid_link(confirmation)? {
        None => invalid_link_page(&request),
        Some(pending) if pending.is_done => confirmed_page(&request, &pending.address),
        Some(pending) => respond(
            &request,
            StatusCode::OK,
            Text("notice-confirm"),
            &html! {
                h1 { (Text("notice-confirm")) }
                p { (Text("notice-confirm-words").markup(&[("address", strong(&pending.address))])) }
                (button("/notices/confirm", &link, &Text("notice-confirm-button").get()))
                p.soft { (Text("notice-confirm-not-you")) }
            },
        ),
    })
}

#[handler]
pub(crate) async fn confirm(request: PageRequest) -> PageResult {
    let confirmed = notices::confirm(&request.app.domain, &request.parameter("link")).await;
    Ok(valid_link(confirmed)?.map_or_else(
        || invalid_link_page(&request),
        |confirmed| confirmed_page(&request, &confirmed.address),
    ))
}

fn confirmed_page(request: &PageRequest, address: &str) -> Response {
    respond(
        request,
        StatusCode::OK,
        Text("notice-confirmed"),
        &html! {
            h1 { (Text("notice-confirmed")) }
            p { (Text("notice-confirmed-words").markup(&[("address", strong(address))])) }
        },
    )
}

/// Asks for confirmation before an address is unsubscribed.
#[handler]
pub(crate) async fn show_unsubscribe(request: PageRequest) -> PageResult {
    let link = request.parameter("link");
    let unsubscription = notices::find_unsubscription(&request.app.domain, &link).await;
    Ok(valid_link(unsubscription)?.map_or_else(
        || invalid_link_page(&request),
        |unsubscription| {
            respond(
                &request,
                StatusCode::OK,
                Text("notice-stop"),
                &html! {
                    h1 { (Text("notice-stop-question")) }
                    p { (sent_messages_text(&unsubscription.scope, &unsubscription.address)) }
                    (button("/notices/stop", &link, &Text("notice-stop").get()))
                },
            )
        },
    ))
}

/// Unsubscribes an address. Mail programs send this `POST` directly when a person unsubscribes (RFC 8058).
#[handler]
pub(crate) async fn unsubscribe(request: PageRequest) -> PageResult {
    let unsubscribed = notices::unsubscribe(&request.app.domain, &request.parameter("link")).await;
    Ok(valid_link(unsubscribed)?.map_or_else(
        || invalid_link_page(&request),
        |unsubscription| {
            let content = html! {
                h1 { (Text("notice-stopped")) }
                p { (stopped_messages_text(&unsubscription.scope, &unsubscription.address)) }
            };
            respond(&request, StatusCode::OK, Text("notice-stopped-title"), &content)
        },
    ))
}

/// Describes the messages that are sent to an address.
fn sent_messages_text(scope: &StoppedMessages, address: &str) -> Markup {
    let address = ("address", strong(address));
    match scope {
        StoppedMessages::Monitor(name) => {
            Text("notice-stop-monitor").markup(&[("monitor", html! { strong { (name) } }), address])
        }
        StoppedMessages::Feed(title) => Text("notice-stop-feed").markup(&[("feed", strong(title)), address]),
        StoppedMessages::Monitors => Text("notice-stop-monitors").markup(&[address]),
        StoppedMessages::DailyDigest => Text("notice-stop-daily").markup(&[address]),
        StoppedMessages::SavedItems => Text("notice-stop-saved").markup(&[address]),
        StoppedMessages::Account => Text("notice-stop-account").markup(&[address]),
        StoppedMessages::Everything => Text("notice-stop-everything").markup(&[address]),
    }
}

/// Describes the messages that are no longer sent to an address.
fn stopped_messages_text(scope: &StoppedMessages, address: &str) -> Markup {
    let address = ("address", strong(address));
    match scope {
        StoppedMessages::Monitor(name) => {
            Text("notice-stopped-monitor").markup(&[("monitor", html! { strong { (name) } }), address])
        }
        StoppedMessages::Feed(title) => {
            Text("notice-stopped-feed").markup(&[("feed", strong(title)), address])
        }
        StoppedMessages::Monitors => Text("notice-stopped-monitors").markup(&[address]),
        StoppedMessages::DailyDigest => Text("notice-stopped-daily").markup(&[address]),
        StoppedMessages::SavedItems => Text("notice-stopped-saved").markup(&[address]),
        StoppedMessages::Account => Text("notice-stopped-account").markup(&[address]),
        StoppedMessages::Everything => Text("notice-stopped-everything").markup(&[address]),
    }
}

/// Renders an address or a name in bold.
fn strong(name: &str) -> Markup {
    html! { strong { bdi { (name) } } }
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
                h1 { (Text("notice-snooze-question").markup(&[("monitor", html! { bdi { (current.monitor) } })])) }
                p { (Text("notice-snooze-channel").markup(&[("channel", strong(&current.channel))])) }
                (snoozed(&request, &current))
                p.soft { (Text("notice-snooze-words")) }
                @for (name, choice) in SnoozeChoice::ALL.iter().filter(|(_, choice)| *choice != SnoozeChoice::Resume || current.until.is_some()) {
                    (button(&format!("/notices/snooze?choice={name}"), &link, &label(*choice)))
                }
            };
            respond(&request, StatusCode::OK, Text("notice-snooze"), &content)
        },
    ))
}

/// Snoozes or mutes a monitor for a channel.
#[handler]
pub(crate) async fn snooze(request: PageRequest) -> PageResult {
    let Some(choice) = SnoozeChoice::parse(&request.parameter("choice")) else {
        return Ok(invalid_link_page(&request));
    };
    let current = notices::snooze(&request.app.domain, &request.parameter("link"), choice).await;
    Ok(valid_link(current)?.map_or_else(
        || invalid_link_page(&request),
        |current| {
            let names = [("monitor", strong(&current.monitor)), ("channel", strong(&current.channel))];
            let content = html! {
                @if choice == SnoozeChoice::Mute {
                    h1 { (Text("notice-muted")) }
                    p { (Text("notice-muted-words").markup(&names)) }
                } @else if current.until.is_some() {
                    h1 { (Text("notice-snoozed")) }
                    (snoozed(&request, &current))
                } @else {
                    h1 { (Text("notice-resumed")) }
                    p { (Text("notice-resumed-words").markup(&names)) }
                }
            };
            respond(&request, StatusCode::OK, Text("notice-snooze"), &content)
        },
    ))
}

/// Renders the time until which messages are snoozed.
fn snoozed(request: &PageRequest, current: &Snooze) -> Markup {
    let now = request.app.domain.now();
    html! { @if let Some(until) = current.until { p.notice { (Text("notice-snoozed-until").markup(&[("time", time(until, now))])) } } }
}

fn label(choice: SnoozeChoice) -> String {
    match choice {
        SnoozeChoice::Days(days) => Text("notice-for-days").with("count", days).get(),
        SnoozeChoice::Resume => Text("notice-resume").get(),
        SnoozeChoice::Mute => Text("notice-mute").get(),
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
        Text("notice-invalid-title"),
        &html! {
            h1 { (Text("notice-invalid")) }
            p { (Text("notice-invalid-words")) }
        },
    )
}

/// Responds with `Referrer-Policy: no-referrer`, because the address contains the link's secret.
fn respond(request: &PageRequest, status: StatusCode, title: Text, content: &Markup) -> Response {
    let mut response = request.respond(status, &title.get(), content);
    response.headers_mut().insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    response
}
