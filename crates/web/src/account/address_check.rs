//! Page that checks whether hosted agents can reach this service at its public address.

use std::time::Duration;

use identity::public_address::{self, CheckedAddress};
use maud::{Markup, html};
use poem::handler;
use poem::http::StatusCode;
use tokio::time::Instant;

use crate::language::text::Text;
use crate::page::error_text::message_text;
use crate::page::form::{Form, FormToken};
use crate::page::parts::{settings_tabs, settings_title, success, time};
use crate::page::request::{PageRequest, PageResult, User};
use crate::page::response::redirect;
use kernel::Millis;

const PATH: &str = "/settings/apps/address";
/// Maximum wait for the check.
const CHECK_TIMEOUT: Duration = Duration::from_secs(14);

/// Renders the address with the result of its last check.
#[handler]
pub(super) async fn show(request: PageRequest, _user: User) -> PageResult {
    let app = &request.app;
    let last = public_address::last_check(&app.domain).await?;
    let base = app.settings.origins.base.as_str();
    let token = FormToken::of(&request);
    let content = html! {
        (settings_tabs("/settings/apps", &token))
        h1 { (Text("apps-address")) }
        @if request.uri.query() == Some("pending") { p.notice { (Text("apps-address-pending")) } }
        p.secret tabindex="0" role="textbox" aria-readonly="true" aria-label=(Text("apps-address")) { (base) "/mcp" }
        p { (Text("apps-address-words")) }
        @match &last {
            Some(check) => (result(base, check, app.domain.now())),
            None => p { (Text("apps-address-unchecked")) },
        }
        form method="post" action=(PATH) {
            (token.field())
            div.row { button type="submit" { (Text("apps-address-check")) } a.button.secondary href="/settings/apps" { (Text("settings-back")) } }
        }
        p.soft.small { (Text("apps-address-limits")) }
    };
    let title = settings_title(&[Text("apps-address-title"), Text("settings-connected-apps")]);
    Ok(request.respond(StatusCode::OK, &title, &content))
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
            None => (success(&Text("apps-address-reachable"))),
            Some(fault) => p.notice.bad {
                strong { (Text("apps-address-unreachable")) } " "
                (message_text(fault.reason())) " " (message_text(fault.remedy()))
                @if !check.detail.is_empty() { " " (Text("apps-address-details").markup(&[("details", html! { bdi { (message_text(&check.detail)) } })])) }
            },
        }
        p.soft { (Text("apps-address-checked").markup(&[("time", time(check.checked_at, now)), ("address", html! { code { (base) } })])) }
    }
}
