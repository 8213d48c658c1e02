//! Page of the accounts with their plans and usage.

use application::operators::{self, AccountUsage};
use kernel::Millis;
use maud::{Markup, html};
use poem::handler;

use super::operator::{Operator, respond};
use crate::language::text::Text;
use crate::page::parts::{time, with_thousands_separators};
use crate::page::request::{PageRequest, PageResult};

/// Accounts per page.
const PAGE: u32 = 50;

/// Lists the accounts, ordered by e-mail address.
#[handler]
pub(super) async fn show(request: PageRequest, _operator: Operator) -> PageResult {
    let domain = &request.app.domain;
    let (beginning, after) = (request.parameter("begins"), request.parameter("after"));
    let plans = operators::accounts_by_plan(domain).await?;
    let rows = operators::accounts(domain, &beginning, &after, PAGE).await?;
    let last = rows.last().filter(|_| rows.len() == PAGE as usize).map(|one| one.account.email.clone());
    let content = html! {
        h1 { (Text("admin-accounts")) }
        dl.tiles { @for (plan, count) in plans { div { dt { (plan) } dd { (with_thousands_separators(count)) } } } }
        form.ask action="/admin/accounts" method="get" {
            div { label for="begins" { (Text("admin-begins")) } input #begins type="text" name="begins" value=(beginning) autocapitalize="off" spellcheck="false"; }
            button type="submit" { (Text("admin-show")) }
        }
        @if rows.is_empty() { p { (Text("admin-no-account")) } } @else { (table(&rows, domain.now())) }
        @if let Some(last) = last { p { a.button.secondary href=(next(&beginning, &last)) rel="next" { (Text("admin-more-accounts")) } } }
        p.soft { (Text("admin-command").markup(&[("command", html! { code { "carrel account" } })])) }
    };
    Ok(respond(&request, "/admin/accounts", &Text("admin-accounts").get(), &content))
}

fn next(beginning: &str, after: &str) -> String {
    let mut query = url::form_urlencoded::Serializer::new(String::new());
    query.append_pair("begins", beginning).append_pair("after", after);
    format!("/admin/accounts?{}", query.finish())
}

fn table(rows: &[AccountUsage], now: Millis) -> Markup {
    let [plan, created, feeds] = [Text("admin-plan"), Text("admin-created"), Text("plan-feeds")];
    let [monitors, credits, library] = [Text("nav-monitors"), Text("admin-credits"), Text("nav-library")];
    html! {
        div.scroll tabindex="0" role="region" aria-label=(Text("admin-accounts")) {
            table.cards {
                thead { tr {
                    @for name in [Text("field-email"), plan, created, feeds, monitors, credits, library] { th scope="col" { (name) } }
                } }
                tbody { @for one in rows {
                    tr {
                        th scope="row" {
                            bdi { (one.account.email) }
                            @if one.account.is_admin { br; span.state.small.good { (Text("admin-administrator")) } }
                            @if one.account.disabled_at.is_some() { br; span.state.small.bad { (Text("admin-disabled")) } }
                        }
                        td data-label=(plan) {
                            (one.account.tier)
                            @if !one.account.quotas.is_empty() { br; span.state.small { (Text("admin-own-quotas")) } }
                            br; a href=(format!("/admin/accounts/{}/quotas", one.account.id)) aria-label=(Text("admin-quotas-of").with("email", one.account.email.as_str())) { (Text("plan-quotas")) }
                        }
                        td data-label=(created) { (time(one.account.created_at, now)) }
                        td.n data-label=(feeds) { (with_thousands_separators(one.feeds)) }
                        td.n data-label=(monitors) { (with_thousands_separators(one.monitors)) }
                        td.n data-label=(credits) { (with_thousands_separators(one.credits_used)) }
                        td.n data-label=(library) { (with_thousands_separators(one.library_bytes / 1_048_576)) " MiB" }
                    }
                } }
            }
        }
    }
}
