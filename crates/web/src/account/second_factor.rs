//! Second factor: set-up with an authenticator app, recovery codes, and removal.

use identity::accounts::{self, AuthenticatorKey, SecondFactor};
use kernel::Class;
use maud::{Markup, html};
use poem::http::StatusCode;
use poem::{Response, handler};

use super::owner_proof::{APP_OR_RECOVERY_CODE, password_field, proof};
use super::sign_in_code::code_field;
use crate::language::text::Text;
use crate::page::form::{Form, FormError, FormToken};
use crate::page::parts::{FormRejection, settings_tabs, settings_title, success, time};
use crate::page::request::{PageRequest, PageResult, User};
use crate::page::response::redirect;

const PATH: &str = "/settings/second-factor";
/// Number of unused recovery codes at which the page asks for new codes.
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
    let proof = proof(&form, &user);
    match accounts::start_second_factor(&app.domain, &app.passwords, user.account.id, proof).await {
        Ok(key) => Ok(key_page(&request, &key, &FormRejection::default())),
        Err(error) => overview(&request, &user, &FormRejection::of(error)?).await,
    }
}

/// Activates the second factor with the first code.
#[handler]
pub(super) async fn finish(request: PageRequest, user: User, form: Form) -> PageResult {
    let domain = &request.app.domain;
    match accounts::finish_second_factor(domain, user.account.id, form.get("code")).await {
        Ok(codes) => Ok(codes_page(&request, Text("factor-is-on"), &codes)),
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
        accounts::renew_recovery_codes(&app.domain, &app.passwords, user.account.id, proof(&form, &user))
            .await;
    match renewed {
        Ok(codes) => Ok(codes_page(&request, Text("factor-renewed"), &codes)),
        Err(error) => overview(&request, &user, &FormRejection::of(error)?).await,
    }
}

/// Removes the second factor.
#[handler]
pub(super) async fn remove(request: PageRequest, user: User, form: Form) -> PageResult {
    let app = &request.app;
    let removed =
        accounts::remove_second_factor(&app.domain, &app.passwords, user.account.id, proof(&form, &user))
            .await;
    match removed {
        Ok(()) => Ok(redirect(PATH)),
        Err(error) => overview(&request, &user, &FormRejection::of(error)?).await,
    }
}

/// Returns the title of the pages.
fn title() -> String {
    settings_title(&[Text("account-second-factor"), Text("nav-account")])
}

async fn overview(request: &PageRequest, user: &User, rejection: &FormRejection) -> PageResult {
    let state = accounts::second_factor(&request.app.domain, user.account.id).await?;
    let token = FormToken::of(request);
    let form_error = &rejection.form_error;
    let password_field = password_field(request, user, (Text("field-password"), PATH), form_error);
    let content = html! {
        (settings_tabs("/settings", &token))
        h1 { (Text("account-second-factor")) }
        @match &state {
            Some(state) => (manage(request, state, (form_error, &password_field), &token)),
            None => (set_up((form_error, &password_field), &token)),
        }
        p.soft { (Text("factor-unaffected").linked(&["/settings/apps"])) }
        p { a.button.secondary href="/settings" { (Text("settings-back")) } }
    };
    Ok(rejection.add_retry_after(request.respond(rejection.status, &title(), &content)))
}

fn set_up((form_error, password_field): (&FormError, &Markup), token: &FormToken) -> Markup {
    html! {
        p { (Text("factor-words")) }
        (form_error.summary())
        form.stack method="post" action=(PATH) {
            (token.field())
            (password_field)
            div { button type="submit" { (Text("factor-set-up")) } }
        }
    }
}

fn manage(
    request: &PageRequest,
    state: &SecondFactor,
    (form_error, password_field): (&FormError, &Markup),
    token: &FormToken,
) -> Markup {
    html! {
        dl.facts {
            dt { (Text("channel-state")) } dd { (Text("factor-state").markup(&[("time", time(state.since, request.app.domain.now()))])) }
            dt { (Text("factor-recovery-codes")) } dd { (Text("factor-unused").with("count", state.recovery_codes)) }
        }
        @if state.recovery_codes < FEW_CODES { p.notice { (Text("factor-few-codes")) } }
        p { (Text("factor-on-words")) }
        (form_error.summary())
        form.stack method="post" action="/settings/second-factor/recovery-codes" {
            (token.field())
            (password_field)
            (code_field(Some(APP_OR_RECOVERY_CODE)).show(form_error))
            div.row {
                button type="submit" { (Text("factor-new-codes")) }
                button.danger type="submit" formaction="/settings/second-factor/remove" { (Text("factor-turn-off")) }
            }
        }
    }
}

fn key_page(request: &PageRequest, key: &AuthenticatorKey, rejection: &FormRejection) -> Response {
    let token = FormToken::of(request);
    let uri = key.uri(&request.app.settings.site.name);
    let content = html! {
        (settings_tabs("/settings", &token))
        h1 { (Text("factor-set-up-heading")) }
        ol {
            li { p { (Text("factor-add-key")) }
                p.secret tabindex="0" role="textbox" aria-readonly="true" aria-label=(Text("factor-key")) { (key.grouped()) } }
            li { p { (Text("factor-give-address")) }
                p.secret.small tabindex="0" role="textbox" aria-readonly="true" aria-label=(Text("factor-key-address")) { (uri) } }
            li { p { (Text("factor-enter-code")) } }
        }
        (rejection.form_error.summary())
        form.stack method="post" action="/settings/second-factor/finish" {
            (token.field())
            (code_field(None).show(&rejection.form_error))
            div.row { button type="submit" { (Text("factor-turn-on")) } a.button.secondary href=(PATH) { (Text("settings-cancel")) } }
        }
        p.soft { (Text("factor-key-limit")) }
    };
    request.respond(rejection.status, &title(), &content)
}

fn codes_page(request: &PageRequest, message: Text, codes: &[String]) -> Response {
    let token = FormToken::of(request);
    let content = html! {
        (settings_tabs("/settings", &token))
        h1 { (Text("factor-recovery-codes")) }
        (success(&message))
        p { (Text("factor-codes-words")) }
        pre.secret tabindex="0" aria-label=(Text("factor-recovery-codes")) { @for code in codes { (code) "\n" } }
        p { a.button href=(PATH) { (Text("factor-codes-stored")) } }
    };
    request.respond(StatusCode::OK, &title(), &content)
}
