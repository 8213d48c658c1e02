//! Password reset: the form that requests a link, and the page behind the link, which is sent by e-mail or
//! created by an operator.

#![expect(clippy::unused_async, reason = "handlers are asynchronous, even if they await nothing")]

use identity::accounts::{self, Account, ResetPassword};
use kernel::{Class, Error};
use maud::html;
use poem::http::StatusCode;
use poem::{Response, handler};

use super::link_form::{LinkForm, expired_link_page};
use super::oidc;
use super::sign_in::{accepts_passwords, local_path, sign_in_servers, with_next};
use crate::language::text::Text;
use crate::page::form::{Form, FormError, FormToken};
use crate::page::parts::{FormRejection, email_field, new_password};
use crate::page::request::{PageRequest, PageResult};

/// Renders the form for a forgotten password. The page does not reveal whether an account exists.
#[handler]
pub(super) async fn show_forgot(request: PageRequest) -> PageResult {
    let next = request.parameter("next");
    Ok(ask_page(&request, StatusCode::OK, ("", local_path(&next)), &FormError::default()))
}

/// Sends a link if an account has this e-mail address. The response is the same if no account has it.
#[handler]
pub(super) async fn ask(request: PageRequest, form: Form) -> PageResult {
    let app = &request.app;
    let next = local_path(form.get("next"));
    if !sends_links(&request) {
        return Ok(ask_page(&request, StatusCode::OK, ("", next), &FormError::default()));
    }
    match accounts::request_reset(&app.domain, form.get("email"), &request.network).await {
        Ok(job) => {
            app.engine.push_all(job.as_slice()).await;
            let content = html! {
                h1 { (Text("reset-check-mail")) }
                p { (Text("reset-sent")) }
                p { (Text("reset-no-mail").linked(&[with_next("/forgot", next).as_str()])) }
                p { (Text("reset-return").linked(&[with_next("/sign-in", next).as_str()])) }
            };
            Ok(request.respond(StatusCode::OK, &Text("reset-sent-title").get(), &content))
        }
        Err(error) => {
            let rejection = FormRejection::of(error)?;
            let page = ask_page(&request, rejection.status, (form.get("email"), next), &rejection.form_error);
            Ok(rejection.add_retry_after(page))
        }
    }
}

/// Returns true if people can request links. Otherwise, only the operator creates links, because the service sends no
/// mail or does not accept passwords at sign-in.
fn sends_links(request: &PageRequest) -> bool {
    request.app.settings.accounts.mailer.is_some() && accepts_passwords(request)
}

fn ask_page(
    request: &PageRequest,
    status: StatusCode,
    (email, next): (&str, &str),
    form_error: &FormError,
) -> Response {
    let token = FormToken::of(request);
    let content = html! {
        h1 { (Text("sign-in-forgot")) }
        @if sends_links(request) {
            p { (Text("reset-ask")) }
            (form_error.summary())
            form.stack method="post" action="/forgot" {
                (token.field())
                input type="hidden" name="next" value=(next);
                (email_field(email).show(form_error))
                div { button type="submit" { (Text("email-send-link")) } }
            }
        } @else {
            @if let Some(provider) = request.app.oidc.as_ref().filter(|_| !accepts_passwords(request)) {
                p { (Text("oidc-only-password").with("name", provider.name())) }
            } @else {
                p { (Text("reset-ask-operator")) }
            }
            p { (Text("reset-operator")) }
            pre tabindex="0" { code { "carrel account reset-link you@example.org" } }
        }
        p { a href=(with_next("/sign-in", next)) { (Text("reset-back")) } }
    };
    token.keep(&request.app, request.respond(status, &Text("sign-in-forgot").get(), &content))
}

/// Renders the page behind a link. Opening it does not use up the link.
#[handler]
pub(super) async fn show(request: PageRequest) -> PageResult {
    let secret = request.parameter("link");
    match accounts::find_reset(&request.app.domain, &secret).await {
        Ok(account) => {
            let effect = ResetEffect::of(&request, account).await?;
            Ok(page(&request, StatusCode::OK, &effect, &secret, &FormError::default()))
        }
        Err(error) if error.class() == Class::NotFound => Ok(expired(&request, &error)),
        Err(error) => Err(error.into()),
    }
}

#[handler]
pub(super) async fn reset(request: PageRequest, form: Form) -> PageResult {
    let app = &request.app;
    let secret = form.get("link");
    let sent = ResetPassword { secret, new: form.get("new"), servers: sign_in_servers(&request) };
    match accounts::reset_password(&app.domain, &app.passwords, sent).await {
        Ok(account) => {
            let effect = ResetEffect::of(&request, account).await?;
            let content = html! {
                h1 { (Text("reset-changed")) }
                @if effect.retains_passkeys { p { (Text("reset-changed-without-passkeys")) } }
                @else { p { (Text("reset-changed-words")) } }
                @if disconnects(&request, &effect.account) { (oidc::included(&request)) }
                p { a.button href="/sign-in" { (Text("sign-in")) } }
            };
            Ok(request.respond(StatusCode::OK, &Text("reset-changed").get(), &content))
        }
        Err(error) if error.class() == Class::NotFound => Ok(expired(&request, &error)),
        Err(error) => {
            let account = accounts::find_reset(&app.domain, secret).await?;
            let form_error = FormError::of(error)?.renamed("password", "new");
            let effect = ResetEffect::of(&request, account).await?;
            Ok(page(&request, StatusCode::UNPROCESSABLE_ENTITY, &effect, secret, &form_error))
        }
    }
}

/// Effect of a reset on the access to an account.
struct ResetEffect {
    account: Account,
    retains_passkeys: bool,
}

impl ResetEffect {
    async fn of(request: &PageRequest, account: Account) -> kernel::Result<Self> {
        let servers = sign_in_servers(request);
        let retains_passkeys =
            accounts::reset_retains_passkeys(&request.app.domain, account.id, servers).await?;
        Ok(Self { account, retains_passkeys })
    }
}

/// Returns true if a reset disconnects single sign-on. It does not if the account has no password yet, or if
/// passwords are not accepted at sign-in.
fn disconnects(request: &PageRequest, account: &Account) -> bool {
    account.has_password && accepts_passwords(request)
}

/// Renders the page of an expired link, with a link to the page that sends a new one.
fn expired(request: &PageRequest, error: &Error) -> Response {
    expired_link_page(request, error, ("/forgot", &Text("sign-in-forgot").get()))
}

fn page(
    request: &PageRequest,
    status: StatusCode,
    effect: &ResetEffect,
    secret: &str,
    form_error: &FormError,
) -> Response {
    let ResetEffect { account, retains_passkeys } = effect;
    let words = if *retains_passkeys { Text("reset-set-without-passkeys") } else { Text("reset-set-words") };
    let form = LinkForm {
        title: &Text("reset-set").get(),
        effect: words.markup(&[("email", html! { strong { (account.email) } })]),
        action: "/reset",
        link: secret,
        fields: html! {
            @if disconnects(request, account) { (oidc::included(request)) }
            (new_password("new", Text("field-new-password")).show(form_error))
        },
        button: &Text("reset-set-button").get(),
    };
    form.respond(request, status, form_error)
}
