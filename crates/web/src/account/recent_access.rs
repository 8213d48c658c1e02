//! Keys and apps that can access the account, with the time of their last use.

use identity::keys;
use identity::oauth;
use kernel::AccountId;
use maud::{Markup, html};

use crate::page::parts::{quoted, scope_label, time};
use http_kit::app::App;

/// Renders the table of keys and apps, most recently used first.
pub(super) async fn table(app: &App, account_id: AccountId) -> kernel::Result<Markup> {
    let (keys, grants) =
        (keys::list(&app.domain, account_id).await?, oauth::list(&app.domain, account_id).await?);
    let now = app.domain.now();
    let keys = keys.into_iter().map(|key| AccessRow {
        kind: "Key",
        name: html! { bdi { (key.name) } },
        may: scope_label(key.scopes),
        at: key.last_used_at,
        from: None,
    });
    let grants = grants.into_iter().filter(|grant| grant.ended.is_none()).map(|grant| AccessRow {
        kind: "App",
        name: html! { (quoted(&grant.client_name)) " at " bdi { (grant.client_host) } },
        may: scope_label(grant.scopes),
        at: grant.last_used_at,
        from: grant.last_used_from,
    });
    let mut uses: Vec<AccessRow> = keys.chain(grants).collect();
    uses.sort_by_key(|used| std::cmp::Reverse(used.at));
    Ok(html! {
        @if uses.is_empty() {
            p.soft { "Only you can use this account: it has no keys and no connected apps." }
        } @else {
            table.cards {
                caption.soft { "Keys and apps, most recently used first" }
                thead { tr { th scope="col" { "Key or app" } th scope="col" { "Permissions" } th scope="col" { "Last used" } th scope="col" { "From" } } }
                tbody { @for used in &uses { (row(used, now)) } }
            }
            p { a href="/settings/apps" { "Revoke a key or remove an app" } }
        }
    })
}

/// Table row: a key or an app.
struct AccessRow {
    kind: &'static str,
    name: Markup,
    may: &'static str,
    at: Option<kernel::Millis>,
    from: Option<String>,
}

fn row(used: &AccessRow, now: kernel::Millis) -> Markup {
    html! {
        tr {
            th scope="row" { span.soft { (used.kind) } " " (used.name) }
            td data-label="Permissions" { (used.may) }
            td data-label="Last used" { @match used.at { Some(at) => (time(at, now)), None => "never" } }
            td data-label="From" { @match &used.from { Some(from) => (from), None => "\u{2013}" } }
        }
    }
}
