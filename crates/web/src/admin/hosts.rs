//! Servers that are left alone, why, and until when.

use application::operators;
use maud::html;
use poem::handler;

use super::operator::{Operator, respond, time_or};
use crate::account::parts::time;
use crate::account::request::{Answer, PageRequest};

/// Servers of one page.
const PAGE: u32 = 100;

/// The list, by name.
#[handler]
pub(super) async fn show(request: PageRequest, _operator: Operator) -> Answer {
    let domain = &request.app.domain;
    let (found, now) =
        (operators::paused_hosts(domain, &request.parameter("after"), PAGE).await?, domain.now());
    let content = html! {
        h1 { "Hosts" }
        p { "These servers answered “too many requests” (429), or “unavailable” (503) with a time to come back. The address that was told so is left alone for as long as it said. The whole server rests a quarter of an hour at most, and longer only when addresses of two accounts were told so within an hour." }
        @if found.is_empty() { p { "No server is left alone at the moment." } } @else {
            table.cards {
                thead { tr { @for name in ["Server", "Addresses that were told so", "Last told", "They rest until", "The server rests until"] { th scope="col" { (name) } } } }
                tbody { @for one in &found {
                    tr {
                        th scope="row" { bdi { (one.host) } }
                        td.n data-label="Addresses" { (one.addresses) }
                        td data-label="Last told" { (time(one.asked_at, now)) }
                        td data-label="They rest until" { (time(one.addresses_until, now)) }
                        td data-label="The server rests until" { (time_or(one.until, now, "it is asked again")) }
                    }
                } }
            }
            @if let Some(last) = found.last().filter(|_| found.len() == PAGE as usize) {
                p { a.button.quiet href=(format!("/admin/hosts?after={}", last.host)) rel="next" { "More servers" } }
            }
        }
    };
    Ok(respond(&request, "/admin/hosts", "Hosts", &content))
}
