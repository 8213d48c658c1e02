//! Page of the paused servers: why they are paused, and until when.

use application::operators;
use maud::html;
use poem::handler;

use super::operator::{Operator, respond, time_or};
use crate::language::text::Text;
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
    let [addresses, last_answer] = [Text("admin-paused-addresses"), Text("admin-last-answer")];
    let [addresses_until, server_until] = [Text("admin-addresses-until"), Text("admin-server-until")];
    let content = html! {
        h1 { (Text("admin-hosts")) }
        p { (Text("admin-hosts-words")) }
        @if paused.is_empty() { p { (Text("admin-hosts-none")) } } @else {
            table.cards {
                thead { tr { @for name in [Text("admin-server"), addresses, last_answer, addresses_until, server_until] { th scope="col" { (name) } } } }
                tbody { @for one in &paused {
                    tr {
                        th scope="row" { bdi { (one.host) } }
                        td.n data-label=(addresses) { (one.addresses) }
                        td data-label=(last_answer) { (time(one.requested_at, now)) }
                        td data-label=(addresses_until) { (time(one.addresses_until, now)) }
                        td data-label=(server_until) { (time_or(one.until, now, &Text("admin-not-paused"))) }
                    }
                } }
            }
            @if let Some(last) = paused.last().filter(|_| paused.len() == PAGE as usize) {
                p { a.button.secondary href=(format!("/admin/hosts?after={}", last.host)) rel="next" { (Text("admin-more-servers")) } }
            }
        }
    };
    Ok(respond(&request, "/admin/hosts", &Text("admin-hosts").get(), &content))
}
