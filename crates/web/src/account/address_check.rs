//! Check whether the address of this service can be reached from outside, as hosted agents need.

use std::time::Duration;

use identity::public_address::{self, CheckedAddress};
use maud::{Markup, html};
use poem::handler;
use poem::http::StatusCode;
use tokio::time::Instant;

use crate::page::form::{Form, FormToken};
use crate::page::parts::{settings_tabs, success, time};
use crate::page::request::{PageRequest, PageResult, User};
use crate::page::response::redirect;
use kernel::Millis;

const PATH: &str = "/settings/apps/address";
/// Maximum wait for the check.
const CHECK_TIMEOUT: Duration = Duration::from_secs(14);

/// The address with the result of its last check.
#[handler]
pub(super) async fn show(request: PageRequest, _user: User) -> PageResult {
    let app = &request.app;
    let last = public_address::last_check(&app.domain).await?;
    let base = app.settings.origins.base.as_str();
    let token = FormToken::of(&request);
    let content = html! {
        (settings_tabs("/settings/apps", &token))
        h1 { "Address for apps" }
        @if request.uri.query() == Some("pending") { p.notice { "The check is not finished. Open this page again in a minute." } }
        p.secret tabindex="0" role="textbox" aria-readonly="true" aria-label="Address for apps" { (base) "/mcp" }
        p { "Apps on your machine and in your network can use this address if they reach it. Hosted apps, such as Claude or ChatGPT, need a public name and https." }
        @match &last {
            Some(check) => (result(base, check, app.domain.now())),
            None => p { "The address was not checked." },
        }
        form method="post" action=(PATH) {
            (token.field())
            div.row { button type="submit" { "Check from outside" } a.button.secondary href="/settings/apps" { "Back" } }
        }
        p.soft.small { "The check requests the address by its public name and without exceptions for this service. It runs on the service itself: it cannot detect a firewall that blocks other networks only, and some routers do not let a machine reach its own public address." }
    };
    Ok(request.respond(StatusCode::OK, "Address · Connected apps · Settings", &content))
}

/// Checks the address.
#[handler]
pub(super) async fn start(request: PageRequest, user: User, _form: Form) -> PageResult {
    let app = &request.app;
    let progress = public_address::request_check(&app.domain, user.account.id).await?;
    let check = app.engine.await_result(progress, Instant::now() + CHECK_TIMEOUT).await?;
    Ok(redirect(if check.is_some() { PATH } else { "/settings/apps/address?pending" }))
}

fn result(base: &str, check: &CheckedAddress, now: Millis) -> Markup {
    html! {
        @match check.fault {
            None => (success("This address can be reached from outside.")),
            Some(fault) => p.notice.bad {
                strong { "This address cannot be reached from outside." } " " (fault.reason()) " " (fault.remedy())
                @if !check.detail.is_empty() { " Details: " (check.detail) "." }
            },
        }
        p.soft { "Checked " (time(check.checked_at, now)) ": " code { (base) } }
    }
}
