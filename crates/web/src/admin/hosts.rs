//! Page of the paused servers: why they are paused, and until when.

use application::operators;
use maud::html;
use poem::handler;

use super::operator::{Operator, respond, time_or};
use crate::page::parts::time;
use crate::page::request::{PageRequest, PageResult};

/// Servers per page.
const PAGE: u32 = 100;

/// Lists the paused servers by name.
#[handler]
pub(super) async fn show(request: PageRequest, _operator: Operator) -> PageResult {
    let domain = &request.app.domain;
    let (paused, now) =
        (operators::paused_hosts(domain, &request.parameter("after"), PAGE).await?, domain.now());
    let content = html! {
        h1 { "Hosts" }
        p { "These servers answered 429 (too many requests), or 503 (unavailable) with a time to retry. The address that got this answer is paused for as long as the server asked. The whole server is paused for at most 15 minutes, or longer if addresses of two accounts got this answer within an hour." }
        @if paused.is_empty() { p { "No servers are paused." } } @else {
            table.cards {
                thead { tr { @for name in ["Server", "Paused addresses", "Last answer", "Addresses paused until", "Server paused until"] { th scope="col" { (name) } } } }
                tbody { @for one in &paused {
                    tr {
                        th scope="row" { bdi { (one.host) } }
                        td.n data-label="Addresses" { (one.addresses) }
                        td data-label="Last answer" { (time(one.requested_at, now)) }
                        td data-label="Addresses paused until" { (time(one.addresses_until, now)) }
                        td data-label="Server paused until" { (time_or(one.until, now, "not paused")) }
                    }
                } }
            }
            @if let Some(last) = paused.last().filter(|_| paused.len() == PAGE as usize) {
                p { a.button.secondary href=(format!("/admin/hosts?after={}", last.host)) rel="next" { "More servers" } }
            }
        }
    };
    Ok(respond(&request, "/admin/hosts", "Hosts", &content))
}
