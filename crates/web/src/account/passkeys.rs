//! Passkeys: the list in the settings, and the sign-in with a passkey. Only scripts can ask the browser for a
//! passkey, so these pages state that they need scripts; the other sign-in methods work without scripts.

use identity::accounts::{
    self, NewPasskey, Passkey, PasskeyAssertion, PasskeySignInOptions, RegistrationOptions,
};
use kernel::{Class, Millis, PasskeyId};
use maud::{Markup, html};
use poem::http::{HeaderValue, header};
use poem::web::Path;
use poem::{Response, handler};

use super::sign_in::{
    accepts_passwords, local_path, needs_no_sign_in, origin, provider_button, sign_in_path, sign_in_servers,
};
use super::{owner_proof, sessions};
use crate::language::text::Text;
use crate::page::form::{Form, FormError, FormToken};
use crate::page::parts::{FormRejection, RequiredField, settings_tabs, settings_title, success, time};
use crate::page::request::{PageRequest, PageResult, User};
use crate::page::response::redirect;
use crate::scripts::passkey_script;

const PATH: &str = "/settings/passkeys";
const SIGN_IN_PATH: &str = "/sign-in/passkey";
/// Content security policy of the pages. It has no `form-action`, because the sign-in may redirect to an app.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; base-uri 'none'; \
    frame-ancestors 'none'";

/// Lists the passkeys of the account, with the form that adds one.
#[handler]
pub(super) async fn show(request: PageRequest, user: User) -> PageResult {
    settings_page(&request, &user, ("", &FormRejection::default())).await
}

/// Adds a passkey.
#[handler]
pub(super) async fn add(request: PageRequest, user: User, form: Form) -> PageResult {
    let app = &request.app;
    let new = NewPasskey {
        proof: owner_proof::proof(&form, &user),
        name: form.get("name"),
        client_data: form.get("clientData"),
        attestation: form.get("attestation"),
    };
    match accounts::register_passkey(&app.domain, &app.passwords, user.account.id, new).await {
        Ok(_) => Ok(redirect("/settings/passkeys?added")),
        Err(error) => {
            let rejection = FormRejection::of(error)?;
            settings_page(&request, &user, (form.get("name"), &rejection)).await
        }
    }
}

/// Removes a passkey.
#[handler]
pub(super) async fn remove(
    request: PageRequest,
    user: User,
    Path(id): Path<String>,
    _form: Form,
) -> PageResult {
    let id: PasskeyId = id.parse().map_err(|_| kernel::error::not_found("passkey"))?;
    let app = &request.app;
    match accounts::remove_passkey(&app.domain, user.account.id, id, sign_in_servers(&request)).await {
        Ok(()) => Ok(redirect(PATH)),
        Err(error) => {
            let rejection = FormRejection::of(error)?;
            settings_page(&request, &user, ("", &rejection)).await
        }
    }
}

async fn settings_page(
    request: &PageRequest,
    user: &User,
    (name, rejection): (&str, &FormRejection),
) -> PageResult {
    let domain = &request.app.domain;
    let passkeys = accounts::list_passkeys(domain, user.account.id).await?;
    let options = accounts::registration_options(domain, user.account.id).await?;
    let proof_fields = owner_proof::fields(request, user, PATH, &rejection.form_error).await?;
    let token = FormToken::of(request);
    let content = html! {
        (settings_tabs("/settings", &token))
        h1 { (Text("account-passkeys")) }
        @if request.uri.query() == Some("added") { (success(&Text("passkeys-added"))) }
        (rejection.form_error.summary())
        p { (Text("passkeys-words")) }
        (table(&passkeys, &token, domain.now()))
        @match &options {
            Some(options) => (add_form(request, user, options, (name, &rejection.form_error, &proof_fields))),
            None => (unavailable()),
        }
        p { a.button.secondary href="/settings" { (Text("settings-back")) } }
        (passkey_script())
    };
    let title = settings_title(&[Text("account-passkeys"), Text("nav-account")]);
    let page = request.respond(rejection.status, &title, &content);
    Ok(rejection.add_retry_after(with_script(page)))
}

fn table(passkeys: &[Passkey], token: &FormToken, now: Millis) -> Markup {
    html! {
        @if passkeys.is_empty() {
            p.soft { (Text("passkeys-none")) }
        } @else {
            table.cards {
                caption.soft { (Text("account-passkeys")) }
                thead { tr { th scope="col" { (Text("settings-name")) } th scope="col" { (Text("passkeys-added-at")) } th scope="col" { (Text("settings-last-used")) } th scope="col" { span.hidden { (Text("settings-actions")) } } } }
                tbody { @for passkey in passkeys { tr {
                    th scope="row" { bdi { (passkey.name) } }
                    td data-label=(Text("passkeys-added-at")) { (time(passkey.created_at, now)) }
                    td data-label=(Text("settings-last-used")) { @match passkey.last_used_at { Some(at) => (time(at, now)), None => (Text("settings-never")) } }
                    td {
                        form method="post" action={ (PATH) "/" (passkey.id) "/remove" } {
                            (token.field())
                            button.secondary type="submit" aria-label=(Text("passkeys-remove-named").with("name", passkey.name.as_str())) { (Text("passkeys-remove")) }
                        }
                    }
                } } }
            }
        }
    }
}

fn add_form(
    request: &PageRequest,
    user: &User,
    options: &RegistrationOptions,
    (name, form_error, proof_fields): (&str, &FormError, &Markup),
) -> Markup {
    let token = FormToken::of(request);
    let algorithms = options.algorithms.map(|algorithm| algorithm.to_string()).join(" ");
    let name_field = RequiredField {
        name: "name",
        label: Text("settings-name"),
        hint: Some(Text("passkeys-name-hint")),
        kind: "text",
        value: name,
        autocomplete: "off",
    };
    html! {
        h2 { (Text("passkeys-add-heading")) }
        (script_notice())
        form.stack method="post" action=(PATH) data-challenge=(options.challenge) data-party=(options.party_id)
            data-service=(request.app.settings.site.name) data-user=(options.user_handle) data-account=(user.account.email)
            data-algorithms=(algorithms) data-excluded=(options.excluded.join(" ")) {
            (token.field())
            input type="hidden" name="clientData" value="";
            input type="hidden" name="attestation" value="";
            (name_field.show(form_error))
            (proof_fields)
            div { button type="submit" { (Text("passkeys-add")) } }
        }
    }
}

/// Renders the page that asks for a passkey.
#[handler]
pub(super) async fn show_sign_in(request: PageRequest) -> PageResult {
    let next = request.parameter("next");
    let next = local_path(&next);
    if needs_no_sign_in(&request) {
        return Ok(redirect(next));
    }
    sign_in_page(&request, next, &FormRejection::default()).await
}

/// Opens a session for a passkey.
#[handler]
pub(super) async fn sign_in(request: PageRequest, form: Form) -> PageResult {
    let next = local_path(form.get("next"));
    let assertion = PasskeyAssertion {
        credential_id: form.get("credentialId"),
        client_data: form.get("clientData"),
        authenticator_data: form.get("authenticatorData"),
        signature: form.get("signature"),
        user_handle: form.get("userHandle"),
        origin: origin(&request),
    };
    match accounts::sign_in_with_passkey(&request.app.domain, assertion).await {
        Ok(opened) => Ok(sessions::open(&request, redirect(next), &opened).await),
        Err(error) if matches!(error.class(), Class::Unauthenticated | Class::Limited) => {
            let rejection = FormRejection::of(error)?;
            sign_in_page(&request, next, &rejection).await
        }
        Err(error) => Err(error.into()),
    }
}

async fn sign_in_page(request: &PageRequest, next: &str, rejection: &FormRejection) -> PageResult {
    let options = accounts::passkey_sign_in_options(&request.app.domain).await?;
    let token = FormToken::of(request);
    let content = html! {
        h1 { (Text("sign-in-passkey")) }
        (rejection.form_error.summary())
        @match &options {
            Some(options) => (sign_in_form(options, next, &token)),
            None => (unavailable()),
        }
        @if accepts_passwords(request) { p { a href=(sign_in_path(request, "/sign-in", next)) { (Text("passkeys-by-password")) } } }
        @else { (provider_button(request, next)) }
        (passkey_script())
    };
    let page = request.respond(rejection.status, &Text("sign-in-passkey").get(), &content);
    Ok(rejection.add_retry_after(with_script(token.keep(&request.app, page))))
}

fn sign_in_form(options: &PasskeySignInOptions, next: &str, token: &FormToken) -> Markup {
    html! {
        p { (Text("passkeys-sign-in-words")) }
        (script_notice())
        form.stack method="post" action=(SIGN_IN_PATH) data-challenge=(options.challenge) data-party=(options.party_id) {
            (token.field())
            input type="hidden" name="next" value=(next);
            @for name in ["credentialId", "clientData", "authenticatorData", "signature", "userHandle"] {
                input type="hidden" name=(name) value="";
            }
            div { button type="submit" { (Text("passkeys-use")) } }
        }
    }
}

/// Renders the notice that passkeys need scripts, and an empty notice for messages of the script.
fn script_notice() -> Markup {
    html! {
        noscript { p.notice.bad { (Text("passkeys-need-scripts")) } }
        p.notice.bad #passkey-notice role="alert" hidden {}
    }
}

/// Renders the reason why browsers refuse passkeys at the address of this service.
fn unavailable() -> Markup {
    html! { p.notice { (Text("passkeys-unavailable")) } }
}

/// Allows the page's script by a content security policy.
fn with_script(mut response: Response) -> Response {
    let policy = HeaderValue::from_static(POLICY);
    response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, policy);
    response
}
