//! Keys and apps that can access the account, with the time of their last use.

use identity::keys;
use identity::oauth::{self, Grant};
use kernel::AccountId;
use maud::{Markup, html};

use crate::language::text::Text;
use crate::page::parts::{quoted, scope_label, time};
use http_kit::app::App;

/// Renders the table of keys and apps, most recently used first.
pub(super) async fn table(app: &App, account_id: AccountId) -> kernel::Result<Markup> {
    let (keys, grants) =
        (keys::list(&app.domain, account_id).await?, oauth::list(&app.domain, account_id).await?);
    let now = app.domain.now();
    let keys = keys.into_iter().map(|key| AccessRow {
        kind: Text("access-key"),
        name: html! { bdi { (key.name) } },
        may: scope_label(key.scopes),
        at: key.last_used_at,
        from: None,
    });
    let grants = grants.into_iter().filter(|grant| grant.ended.is_none()).map(|grant| AccessRow {
        kind: Text("access-app"),
        name: app_at(&grant),
        may: scope_label(grant.scopes),
        at: grant.last_used_at,
        from: grant.last_used_from,
    });
    let mut uses: Vec<AccessRow> = keys.chain(grants).collect();
    uses.sort_by_key(|used| std::cmp::Reverse(used.at));
    Ok(html! {
        @if uses.is_empty() {
            p.soft { (Text("access-none")) }
        } @else {
            table.cards {
                caption.soft { (Text("access-caption")) }
                thead { tr { th scope="col" { (Text("access-key-or-app")) } th scope="col" { (Text("settings-permissions")) } th scope="col" { (Text("settings-last-used")) } th scope="col" { (Text("access-from")) } } }
                tbody { @for used in &uses { (row(used, now)) } }
            }
            p { a href="/settings/apps" { (Text("access-revoke")) } }
        }
    })
}

/// Renders the name of an app with its host.
fn app_at(grant: &Grant) -> Markup {
    Text("access-app-at")
        .markup(&[("app", quoted(&grant.client_name)), ("host", html! { bdi { (grant.client_host) } })])
}

/// Table row: a key or an app.
struct AccessRow {
    kind: Text,
    name: Markup,
    may: Text,
    at: Option<kernel::Millis>,
    from: Option<String>,
}

fn row(used: &AccessRow, now: kernel::Millis) -> Markup {
    html! {
        tr {
            th scope="row" { span.soft { (used.kind) } " " (used.name) }
            td data-label=(Text("settings-permissions")) { (used.may) }
            td data-label=(Text("settings-last-used")) { @match used.at { Some(at) => (time(at, now)), None => (Text("settings-never")) } }
            td data-label=(Text("access-from")) { @match &used.from { Some(from) => (from), None => "\u{2013}" } }
        }
    }
}
