//! Second factor: set-up with an authenticator app, recovery codes, and removal.

use identity::accounts::{self, AuthenticatorKey, SecondFactor};
use kernel::Class;
use maud::{Markup, html};
use poem::http::StatusCode;
use poem::{Response, handler};

use super::owner_proof::{APP_OR_RECOVERY_CODE, proof};
use super::sign_in_code::code_field;
use crate::language::text::Text;
use crate::page::form::{Form, FormError, FormToken};
use crate::page::parts::{FormRejection, current_password, settings_tabs, success, time};
use crate::page::request::{PageRequest, PageResult, User};
use crate::page::response::redirect;

const PATH: &str = "/settings/second-factor";
const TITLE: &str = "Second factor · Account · Settings";
/// Number of unused recovery codes from which the page asks for new ones.
const FEW_CODES: u64 = 3;

/// Renders the state of the second factor, and the forms that change it.
#[handler]
pub(super) async fn show(request: PageRequest, user: User) -> PageResult {
    overview(&request, &user, &FormRejection::default()).await
}

/// Creates a key for an authenticator app.
#[handler]
pub(super) async fn start(request: PageRequest, user: User, form: Form) -> PageResult {
    let app = &request.app;
    let password = form.get("current");
    match accounts::start_second_factor(&app.domain, &app.passwords, user.account.id, password).await {
        Ok(key) => Ok(key_page(&request, &key, &FormRejection::default())),
        Err(error) => overview(&request, &user, &FormRejection::of(error)?).await,
    }
}

/// Activates the second factor with the first code.
#[handler]
pub(super) async fn finish(request: PageRequest, user: User, form: Form) -> PageResult {
    let domain = &request.app.domain;
    match accounts::finish_second_factor(domain, user.account.id, form.get("code")).await {
        Ok(codes) => Ok(codes_page(&request, "The second factor is on.", &codes)),
        Err(error) if error.class() == Class::NotFound => Ok(redirect(PATH)),
        Err(error) => {
            let rejection = FormRejection::of(error)?;
            match accounts::pending_second_factor(domain, user.account.id).await? {
                Some(key) => Ok(rejection.add_retry_after(key_page(&request, &key, &rejection))),
                None => Ok(redirect(PATH)),
            }
        }
    }
}

/// Replaces the recovery codes.
#[handler]
pub(super) async fn renew_codes(request: PageRequest, user: User, form: Form) -> PageResult {
    let app = &request.app;
    let renewed =
        accounts::renew_recovery_codes(&app.domain, &app.passwords, user.account.id, proof(&form)).await;
    match renewed {
        Ok(codes) => Ok(codes_page(&request, "The earlier recovery codes no longer work.", &codes)),
        Err(error) => overview(&request, &user, &FormRejection::of(error)?).await,
    }
}

/// Removes the second factor.
#[handler]
pub(super) async fn remove(request: PageRequest, user: User, form: Form) -> PageResult {
    let app = &request.app;
    let removed =
        accounts::remove_second_factor(&app.domain, &app.passwords, user.account.id, proof(&form)).await;
    match removed {
        Ok(()) => Ok(redirect(PATH)),
        Err(error) => overview(&request, &user, &FormRejection::of(error)?).await,
    }
}

async fn overview(request: &PageRequest, user: &User, rejection: &FormRejection) -> PageResult {
    let state = accounts::second_factor(&request.app.domain, user.account.id).await?;
    let token = FormToken::of(request);
    let content = html! {
        (settings_tabs("/settings", &token))
        h1 { "Second factor" }
        @match &state {
            Some(state) => (manage(request, state, &rejection.form_error, &token)),
            None => (set_up(&rejection.form_error, &token)),
        }
        p.soft { "API keys, app passwords, and connected apps are unaffected: they need no code. " a href="/settings/apps" { "Revoke those that you do not use" } "." }
        p { a.button.secondary href="/settings" { "Back" } }
    };
    Ok(rejection.add_retry_after(request.respond(rejection.status, TITLE, &content)))
}

fn set_up(form_error: &FormError, token: &FormToken) -> Markup {
    html! {
        p { "With a second factor, sign-in asks for a code after the password. An authenticator app on your phone or in your password manager displays the code. A stolen password alone is then not enough to sign in." }
        (form_error.summary())
        form.stack method="post" action=(PATH) {
            (token.field())
            (current_password("current", Text("field-password")).show(form_error))
            div { button type="submit" { "Set up" } }
        }
    }
}

fn manage(request: &PageRequest, state: &SecondFactor, form_error: &FormError, token: &FormToken) -> Markup {
    html! {
        dl.facts {
            dt { "State" } dd { "on, set up " (time(state.since, request.app.domain.now())) }
            dt { "Recovery codes" } dd { (state.recovery_codes) " unused" }
        }
        @if state.recovery_codes < FEW_CODES { p.notice { "Few recovery codes are left. Create new ones before you need them." } }
        p { "Sign-in asks for a code of your authenticator app after the password, also after a password reset. A change of your e-mail address and a new passkey need a code, too." }
        (form_error.summary())
        form.stack method="post" action="/settings/second-factor/recovery-codes" {
            (token.field())
            (current_password("current", Text("field-password")).show(form_error))
            (code_field(APP_OR_RECOVERY_CODE).show(form_error))
            div.row {
                button type="submit" { "Create new recovery codes" }
                button.danger type="submit" formaction="/settings/second-factor/remove" { "Turn off" }
            }
        }
    }
}

fn key_page(request: &PageRequest, key: &AuthenticatorKey, rejection: &FormRejection) -> Response {
    let token = FormToken::of(request);
    let uri = key.uri(&request.app.settings.site.name);
    let content = html! {
        (settings_tabs("/settings", &token))
        h1 { "Set up the second factor" }
        ol {
            li { p { "Add this key to your authenticator app (time-based, 6 digits):" }
                p.secret tabindex="0" role="textbox" aria-readonly="true" aria-label="Key" { (key.grouped()) } }
            li { p { "Or give the app this address, which contains the key:" }
                p.secret.small tabindex="0" role="textbox" aria-readonly="true" aria-label="Address with the key" { (uri) } }
            li { p { "Enter the code that the app displays." } }
        }
        (rejection.form_error.summary())
        form.stack method="post" action="/settings/second-factor/finish" {
            (token.field())
            (code_field("").show(&rejection.form_error))
            div.row { button type="submit" { "Turn on" } a.button.secondary href=(PATH) { "Cancel" } }
        }
        p.soft { "The key is displayed only now and for 15 minutes." }
    };
    request.respond(rejection.status, TITLE, &content)
}

fn codes_page(request: &PageRequest, message: &str, codes: &[String]) -> Response {
    let token = FormToken::of(request);
    let content = html! {
        (settings_tabs("/settings", &token))
        h1 { "Recovery codes" }
        (success(message))
        p { "Each of these codes replaces a code of the app one time. Store them away from your phone: they are displayed only now." }
        pre.secret tabindex="0" aria-label="Recovery codes" { @for code in codes { (code) "\n" } }
        p { a.button href=(PATH) { "I stored the codes" } }
    };
    request.respond(StatusCode::OK, TITLE, &content)
}
