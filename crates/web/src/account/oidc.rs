//! Single sign-on: sign-in at the operator's OpenID provider, and connecting an account to it.

use identity::accounts::{
    self, CompletedOidc, OidcCallback, OidcConnection, OidcProvider, OidcStep, StartedOidc,
};
use kernel::{Class, Error};
use maud::{Markup, html};
use poem::{Request, Response, handler};

use super::link_form::without_referrer;
use super::sign_in::{
    OIDC_PATH, accepts_passwords, continue_sign_in, local_path, needs_no_sign_in, origin, refused_page,
};
use super::{authorize, owner_proof};
use crate::language::text::Text;
use crate::page::cookies;
use crate::page::form::{Form, FormToken};
use crate::page::parts::{FormRejection, settings_tabs, settings_title, success, time};
use crate::page::request::{PageRequest, PageResult, User};
use crate::page::response::redirect;

/// Path of the settings page.
const PATH: &str = "/settings/oidc";

/// Redirects the browser to the provider.
#[handler]
pub(super) async fn start(request: PageRequest) -> PageResult {
    let provider = provider_of(&request)?;
    let next = request.parameter("next");
    let next = local_path(&next);
    if needs_no_sign_in(&request) {
        return Ok(redirect(next));
    }
    match accounts::start_oidc(&request.app.domain, provider, next).await {
        Ok(started) => Ok(to_provider(&request, &started)),
        Err(error) => refused_by(&request, provider, error),
    }
}

/// Receives the response of the provider, which the browser delivers.
#[handler]
pub(super) async fn callback(request: PageRequest, raw: &Request) -> PageResult {
    let provider = provider_of(&request)?;
    let app = &request.app;
    let [state, code, error, issuer] =
        ["state", "code", "error", "iss"].map(|parameter| request.parameter(parameter));
    let received = OidcCallback {
        cookie: cookies::oidc_flow(app, raw).unwrap_or_default(),
        state: &state,
        code: &code,
        error: &error,
        issuer: &issuer,
        account_id: request.session.as_ref().map(|session| session.account.id),
        origin: origin(&request),
    };
    match accounts::complete_oidc(&app.domain, provider, received).await {
        Ok(completed) => {
            let response = continue_after(&request, completed).await;
            Ok(without_referrer(cookies::clear_oidc_flow(app, response)))
        }
        Err(error) => refused_by(&request, provider, error).map(without_referrer),
    }
}

/// Responds to a completed sign-in.
async fn continue_after(request: &PageRequest, completed: CompletedOidc) -> Response {
    let next = local_path(&completed.next);
    match completed.step {
        OidcStep::SignIn(signed_in) => continue_sign_in(request, signed_in, next).await,
        OidcStep::Connected => redirect("/settings/oidc?connected"),
    }
}

/// Shows whether the account is connected, with the form that connects or disconnects it.
#[handler]
pub(super) async fn show(request: PageRequest, user: User) -> PageResult {
    settings_page(&request, &user, &FormRejection::default()).await
}

/// Redirects the browser to the provider, at which the person signs in to connect the account.
#[handler]
pub(super) async fn connect(request: PageRequest, user: User, form: Form) -> PageResult {
    let provider = provider_of(&request)?;
    let app = &request.app;
    let proof = owner_proof::proof(&form, &user);
    let started =
        accounts::connect_oidc(&app.domain, (provider, &app.passwords), user.account.id, proof).await;
    match started {
        Ok(started) => Ok(to_provider(&request, &started)),
        Err(error) if error.class() == Class::Unavailable => refused_by(&request, provider, error),
        Err(error) => settings_page(&request, &user, &FormRejection::of(error)?).await,
    }
}

/// Disconnects the account.
#[handler]
pub(super) async fn disconnect(request: PageRequest, user: User, _form: Form) -> PageResult {
    let provider = provider_of(&request)?;
    match accounts::disconnect_oidc(&request.app.domain, provider, user.account.id).await {
        Ok(()) => Ok(redirect("/settings/oidc?disconnected")),
        Err(error) => settings_page(&request, &user, &FormRejection::of(error)?).await,
    }
}

/// Renders the section of the account page. Empty if there is no provider.
pub(super) fn section(request: &PageRequest) -> Markup {
    html! {
        @if let Some(provider) = &request.app.oidc {
            h2 { (Text("oidc-heading")) }
            p { (Text("oidc-words").with("name", provider.name())) }
            p { a.button.secondary href=(PATH) { (Text("oidc-manage")) } }
        }
    }
}

/// Renders the note that removing all access also disconnects the provider. Empty if there is no provider.
pub(super) fn included(request: &PageRequest) -> Markup {
    html! {
        @if let Some(provider) = &request.app.oidc { p { (Text("oidc-included").with("name", provider.name())) } }
    }
}

async fn settings_page(request: &PageRequest, user: &User, rejection: &FormRejection) -> PageResult {
    let provider = provider_of(request)?;
    let connection = accounts::oidc_connection(&request.app.domain, provider, user.account.id).await?;
    let token = FormToken::of(request);
    let form = match &connection {
        Some(connection) => disconnect_form(request, (provider, connection), rejection, &token),
        None => connect_form(request, (provider, user), rejection, &token).await?,
    };
    let content = html! {
        (settings_tabs("/settings", &token))
        h1 { (Text("oidc-heading")) }
        @match (request.uri.query(), &connection) {
            (Some("connected"), Some(_)) => (success(&Text("oidc-connected").with("name", provider.name()))),
            (Some("disconnected"), None) => (success(&Text("oidc-disconnected").with("name", provider.name()))),
            _ => {},
        }
        p { (Text("oidc-words").with("name", provider.name())) }
        (form)
        p { a.button.secondary href="/settings" { (Text("settings-back")) } }
    };
    let title = settings_title(&[Text("oidc-heading"), Text("nav-account")]);
    let page = request.respond(rejection.status, &title, &content);
    Ok(rejection.add_retry_after(authorize::allow_redirect(page)))
}

fn disconnect_form(
    request: &PageRequest,
    (provider, connection): (&OidcProvider, &OidcConnection),
    rejection: &FormRejection,
    token: &FormToken,
) -> Markup {
    let now = request.app.domain.now();
    html! {
        dl.facts {
            @if let Some(label) = &connection.label { dt { (Text("oidc-label")) } dd { bdi { (label) } } }
            dt { (Text("passkeys-added-at")) } dd { (time(connection.created_at, now)) }
            dt { (Text("settings-last-used")) } dd { @match connection.last_used_at { Some(at) => (time(at, now)), None => (Text("settings-never")) } }
        }
        (rejection.form_error.summary())
        form.stack method="post" action="/settings/oidc/disconnect" {
            (token.field())
            div { button.danger type="submit" { (Text("oidc-disconnect").with("name", provider.name())) } }
        }
    }
}

async fn connect_form(
    request: &PageRequest,
    (provider, user): (&OidcProvider, &User),
    rejection: &FormRejection,
    token: &FormToken,
) -> kernel::Result<Markup> {
    let proof_fields = owner_proof::fields(request, user, PATH, &rejection.form_error).await?;
    Ok(html! {
        (rejection.form_error.summary())
        form.stack method="post" action=(PATH) {
            (token.field())
            (proof_fields)
            div { button type="submit" { (Text("oidc-connect").with("name", provider.name())) } }
        }
    })
}

/// Returns the provider.
///
/// # Errors
/// `not_found` if the operator has configured none.
fn provider_of(request: &PageRequest) -> kernel::Result<&OidcProvider> {
    request.app.oidc.as_ref().ok_or_else(|| kernel::error::not_found("page"))
}

/// Redirects to the provider, and stores the state of the sign-in in the browser.
fn to_provider(request: &PageRequest, started: &StartedOidc) -> Response {
    let response = without_referrer(redirect(&started.address));
    cookies::set_oidc_flow(&request.app, response, &started.cookie)
}

/// Renders the page for a refused sign-in or connection.
fn refused_by(request: &PageRequest, provider: &OidcProvider, error: Error) -> PageResult {
    let links = html! {
        @if request.session.is_some() {
            p { a.button.secondary href=(PATH) { (Text("settings-back")) } }
        } @else {
            p { a.button href=(OIDC_PATH) { (Text("oidc-again")) } }
            @if accepts_passwords(request) {
                p { a href="/sign-in" { (Text("passkeys-by-password")) } }
            } @else if accounts::accepts_passkeys(&request.app.domain) {
                p { a href="/sign-in/passkey" { (Text("sign-in-passkey")) } }
            }
        }
    };
    refused_page(request, &Text("oidc-failed").with("name", provider.name()).get(), error, &links)
}
