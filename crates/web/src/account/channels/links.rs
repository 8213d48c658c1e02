//! The pages behind links in mails: confirming an address, and ending messages. Neither needs a session, and opening one
//! does nothing: programs open links too.

use kernel::Class;
use maud::{Markup, html};
use notices::Ended;
use poem::http::{HeaderValue, StatusCode, header};
use poem::{Response, handler};

use super::super::request::{Answer, PageRequest};

/// Asks whether an address wants messages.
#[handler]
pub async fn show_confirm(request: PageRequest) -> Answer {
    let link = request.parameter("link");
    let found = notices::find_confirmation(&request.app.domain, &link).await;
    Ok(match held(found)? {
        None => void(&request),
        Some(asked) if asked.is_done => done(&request, &asked.address),
        Some(asked) => respond(
            &request,
            StatusCode::OK,
            "Confirm the address",
            &html! {
                h1 { "Confirm the address" }
                p { "Shall messages of Carrel be sent to " strong { bdi { (asked.address) } } "? Somebody with an account here asked for it." }
                (button("/notices/confirm", &link, "Yes, send them"))
                p.soft { "If it was not you, close this page: nothing is sent to you then." }
            },
        ),
    })
}

/// Confirms it.
#[handler]
pub async fn confirm(request: PageRequest) -> Answer {
    let confirmed = notices::confirm(&request.app.domain, &request.parameter("link")).await;
    Ok(held(confirmed)?.map_or_else(|| void(&request), |confirmed| done(&request, &confirmed.address)))
}

fn done(request: &PageRequest, address: &str) -> Response {
    respond(
        request,
        StatusCode::OK,
        "Address confirmed",
        &html! {
            h1 { "The address is confirmed" }
            p { "Messages are sent to " strong { bdi { (address) } } " from now on. Each of them has a link that ends them." }
        },
    )
}

/// Asks before messages end.
#[handler]
pub async fn show_stop(request: PageRequest) -> Answer {
    let link = request.parameter("link");
    let found = notices::find_stop(&request.app.domain, &link).await;
    Ok(held(found)?.map_or_else(
        || void(&request),
        |asked| {
            respond(
                &request,
                StatusCode::OK,
                "End messages",
                &html! {
                    h1 { "End messages?" }
                    p {
                        @match &asked.ended {
                            Ended::Monitor(name) => { "Messages about the monitor " strong { (name) } },
                            Ended::Monitors => "Messages about all monitors",
                            Ended::Account => "News of the account (credits, sign-ins, keys and apps)",
                            Ended::Everything => "Messages about monitors and news of an account",
                        }
                        " go to " strong { bdi { (asked.address) } } "."
                    }
                    (button("/notices/stop", &link, "End them"))
                },
            )
        },
    ))
}

/// Ends them. Mail programs post here by themselves when somebody asks them to (RFC 8058).
#[handler]
pub async fn stop(request: PageRequest) -> Answer {
    let stopped = notices::stop(&request.app.domain, &request.parameter("link")).await;
    Ok(held(stopped)?.map_or_else(
        || void(&request),
        |ended| respond(&request, StatusCode::OK, "Messages ended", &html! {
            h1 { "The messages are ended" }
            p {
                @match &ended.ended {
                    Ended::Monitor(name) => { "Nothing about the monitor " strong { (name) } },
                    Ended::Monitors => "Nothing about monitors",
                    Ended::Account => "No news of the account",
                    Ended::Everything => "Nothing",
                }
                " is sent to " strong { bdi { (ended.address) } } " any more."
                @if ended.ended == Ended::Everything { " Before anything is sent there again, the address has to be confirmed anew." }
            }
        }),
    ))
}

/// What a link stands for; none when it stands for nothing.
fn held<T>(found: kernel::Result<T>) -> kernel::Result<Option<T>> {
    match found {
        Ok(found) => Ok(Some(found)),
        Err(error) if error.class() == Class::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// A button that posts the link.
fn button(path: &str, link: &str, label: &str) -> Markup {
    let link: String = url::form_urlencoded::byte_serialize(link.as_bytes()).collect();
    html! { form method="post" action={ (path) "?link=" (link) } { button type="submit" { (label) } } }
}

fn void(request: &PageRequest) -> Response {
    respond(
        request,
        StatusCode::NOT_FOUND,
        "Link not valid",
        &html! {
            h1 { "This link does not hold any more" }
            p { "A newer one was sent, or what it was about is gone." }
        },
    )
}

/// The link stands in the address: no other page is to learn it.
fn respond(request: &PageRequest, status: StatusCode, title: &str, content: &Markup) -> Response {
    let mut response = request.respond(status, title, content);
    response.headers_mut().insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    response
}
