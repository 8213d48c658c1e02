//! Password reset: the form that requests a link, and the page behind the link, which is sent by e-mail or
//! created by an operator.

#![expect(clippy::unused_async, reason = "handlers are asynchronous, even if they await nothing")]

use identity::accounts::{self, Account, ResetPassword};
use kernel::Class;
use maud::html;
use poem::http::StatusCode;
use poem::{Response, handler};

use super::link_form::{LinkForm, expired_link_page};
use super::sign_in::{local_path, with_next};
use crate::language::text::Text;
use crate::page::form::{Form, FormError, FormToken};
use crate::page::parts::{FormRejection, email_field, new_password};
use crate::page::request::{PageRequest, PageResult};

/// Path and name of the page that sends a link.
const FORGOT: (&str, &str) = ("/forgot", "Forgot your password?");

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
    if app.settings.accounts.mailer.is_none() {
        return Ok(ask_page(&request, StatusCode::OK, ("", next), &FormError::default()));
    }
    match accounts::request_reset(&app.domain, form.get("email"), &request.network).await {
        Ok(job) => {
            app.engine.push_all(job.as_slice()).await;
            let content = html! {
                h1 { "Check your e-mail" }
                p { "If an account has this e-mail address, a link to set a new password is on its way. It works for one hour, until a new password is set." }
                p { "No e-mail? Check your spam folder, or " a href=(with_next("/forgot", next)) { "request another link" } ". At most three links are sent to an address in half an hour; all of them work." }
                p { "After you set the new password, return to this page and " a href=(with_next("/sign-in", next)) { "sign in" } "." }
            };
            Ok(request.respond(StatusCode::OK, "Link sent", &content))
        }
        Err(error) => {
            let rejection = FormRejection::of(error)?;
            let page = ask_page(&request, rejection.status, (form.get("email"), next), &rejection.form_error);
            Ok(rejection.add_retry_after(page))
        }
    }
}

fn ask_page(
    request: &PageRequest,
    status: StatusCode,
    (email, next): (&str, &str),
    form_error: &FormError,
) -> Response {
    let token = FormToken::of(request);
    let sends_mail = request.app.settings.accounts.mailer.is_some();
    let content = html! {
        h1 { "Forgot your password?" }
        @if sends_mail {
            p { "Enter the e-mail address of your account. You get a link to set a new password." }
            (form_error.summary())
            form.stack method="post" action="/forgot" {
                (token.field())
                input type="hidden" name="next" value=(next);
                (email_field(email).show(form_error))
                div { button type="submit" { "Send link" } }
            }
        } @else {
            p { "This service sends no e-mail. Ask its operator for a link to set a new password." }
            p { "If you are the operator, run this command on the server and open the link that it prints:" }
            pre tabindex="0" { code { "carrel account reset-link you@example.org" } }
        }
        p { a href=(with_next("/sign-in", next)) { "Back to sign in" } }
    };
    token.keep(&request.app, request.respond(status, "Forgot your password?", &content))
}

/// Renders the page behind a link. Opening it does not use up the link.
#[handler]
pub(super) async fn show(request: PageRequest) -> PageResult {
    let secret = request.parameter("link");
    match accounts::find_reset(&request.app.domain, &secret).await {
        Ok(account) => Ok(page(&request, StatusCode::OK, &account, &secret, &FormError::default())),
        Err(error) if error.class() == Class::NotFound => Ok(expired_link_page(&request, &error, FORGOT)),
        Err(error) => Err(error.into()),
    }
}

#[handler]
pub(super) async fn reset(request: PageRequest, form: Form) -> PageResult {
    let app = &request.app;
    let secret = form.get("link");
    let sent = ResetPassword { secret, new: form.get("new") };
    match accounts::reset_password(&app.domain, &app.passwords, sent).await {
        Ok(_) => {
            let content = html! {
                h1 { "Password changed" }
                p { "Every browser was signed out, every passkey was removed, every API key was revoked, and every app was disconnected. Connect your apps again, and create new keys where you need them." }
                p { a.button href="/sign-in" { "Sign in" } }
            };
            Ok(request.respond(StatusCode::OK, "Password changed", &content))
        }
        Err(error) if error.class() == Class::NotFound => Ok(expired_link_page(&request, &error, FORGOT)),
        Err(error) => {
            let account = accounts::find_reset(&app.domain, secret).await?;
            let form_error = FormError::of(error)?.renamed("password", "new");
            Ok(page(&request, StatusCode::UNPROCESSABLE_ENTITY, &account, secret, &form_error))
        }
    }
}

fn page(
    request: &PageRequest,
    status: StatusCode,
    account: &Account,
    secret: &str,
    form_error: &FormError,
) -> Response {
    let form = LinkForm {
        title: "Set a new password",
        effect: html! { "For the account " strong { (account.email) } ". Every browser will be signed out, every passkey removed, every API key revoked, and every app disconnected, so that anyone who knew the old password loses access." },
        action: "/reset",
        link: secret,
        fields: new_password("new", Text("field-new-password")).show(form_error),
        button: "Set password",
    };
    form.respond(request, status, form_error)
}
