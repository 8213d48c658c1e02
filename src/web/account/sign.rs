//! Signing up, in and out.

#![expect(clippy::unused_async, reason = "handlers are asynchronous, also those that wait for nothing")]

use domain::accounts::{self, SignIn, SignUp, Signups};
use domain::limits::Tier;
use maud::html;
use poem::http::StatusCode;
use poem::{Response, handler};

use super::form::{Field, FormError, FormToken};
use super::parts::{Refusal, current_password, email_field, new_password};
use super::{Answer, Form, PageRequest, cookies, redirect};
use crate::surface::Surface;

/// The sign-up page.
#[handler]
pub(super) async fn show_sign_up(request: PageRequest) -> Answer {
    if request.session.is_some() {
        return Ok(redirect("/settings/keys"));
    }
    // An invitation may come in the address that was sent to somebody.
    let invite = request.parameter("invite");
    Ok(sign_up_page(&request, StatusCode::OK, "", &invite, &FormError::default()))
}

/// Makes the account.
#[handler]
pub(super) async fn sign_up(request: PageRequest, form: Form) -> Answer {
    let app = &request.app;
    let new = SignUp {
        email: form.get("email"),
        password: form.get("password"),
        invite: Some(form.get("invite")),
        network: &request.network,
    };
    let signups = app.settings.accounts.signups;
    let made = accounts::sign_up(&app.domain, &app.passwords, signups, new).await;
    match made {
        Ok((account, opened)) => {
            // Without an invitation the first account alone is anything but free.
            let is_first = account.tier == Tier::Pro && signups == Signups::Open;
            let next = if is_first { "/settings/plan?first" } else { "/settings/keys" };
            Ok(cookies::open_session(app, redirect(next), &opened))
        }
        Err(error) => {
            let refusal = Refusal::of(error)?;
            let (email, invite) = (form.get("email"), form.get("invite"));
            Ok(refusal.write(sign_up_page(&request, refusal.status, email, invite, &refusal.form_error)))
        }
    }
}

fn sign_up_page(
    request: &PageRequest,
    status: StatusCode,
    email: &str,
    invite: &str,
    form_error: &FormError,
) -> Response {
    let token = FormToken::of(request);
    let signups = request.app.settings.accounts.signups;
    let content = html! {
        h1 { "Create an account" }
        @if signups == Signups::Closed {
            p.notice { "Nobody can sign up here. Ask whoever runs this service for an account." }
        } @else {
            p { "An account gives you API keys, feeds and monitors. The free plan needs only an e-mail address and a password." }
            (form_error.summary())
            form.stack method="post" action="/sign-up" {
                (token.field())
                (email_field(email).show(form_error))
                (new_password("password", "Password").show(form_error))
                @if signups == Signups::Invite {
                    (Field {
                        name: "invite", label: "Invitation", rule: "The code that was sent to you. It works once.",
                        kind: "text", value: invite, autocomplete: "off", required: true,
                    }.show(form_error))
                }
                div { button type="submit" { "Create account" } }
            }
        }
        p { "Already have an account? " a href="/sign-in" { "Sign in" } "." }
    };
    token.keep(&request.app, request.respond(status, "Sign up", &content))
}

/// The sign-in page.
#[handler]
pub(super) async fn show_sign_in(request: PageRequest) -> Answer {
    let next = request.parameter("next");
    let next = local_path(&next);
    if request.session.is_some() {
        return Ok(redirect(next));
    }
    Ok(sign_in_page(&request, StatusCode::OK, "", next, &FormError::default()))
}

/// Opens a session.
#[handler]
pub(super) async fn sign_in(request: PageRequest, form: Form) -> Answer {
    let app = &request.app;
    let sent = SignIn {
        email: form.get("email"),
        password: form.get("password"),
        network: &request.network,
        previous: request.session.as_ref().map(|session| &session.secret),
        browser: request.browser.as_deref(),
    };
    let opened = accounts::sign_in(&app.domain, &app.passwords, sent).await;
    match opened {
        Ok(opened) => Ok(cookies::open_session(app, redirect(local_path(form.get("next"))), &opened)),
        Err(error) => {
            let refusal = Refusal::of(error)?;
            let next = local_path(form.get("next"));
            let page = sign_in_page(&request, refusal.status, form.get("email"), next, &refusal.form_error);
            Ok(refusal.write(page))
        }
    }
}

fn sign_in_page(
    request: &PageRequest,
    status: StatusCode,
    email: &str,
    next: &str,
    form_error: &FormError,
) -> Response {
    let token = FormToken::of(request);
    let content = html! {
        h1 { "Sign in" }
        @if next.starts_with("/monitors") {
            p { "A monitor looks at a web page again and again, and writes an entry into a feed of its own for each real change. Sign in to see yours." }
        }
        (form_error.summary())
        form.stack method="post" action="/sign-in" {
            (token.field())
            input type="hidden" name="next" value=(next);
            (email_field(email).show(form_error))
            (current_password("password", "Password").show(form_error))
            div { button type="submit" { "Sign in" } }
        }
        p { a href="/forgot" { "Forgot your password?" } }
        @if request.app.settings.accounts.signups != Signups::Closed {
            p { "No account yet? " a href="/sign-up" { "Create one" } "." }
        }
    };
    token.keep(&request.app, request.respond(status, "Sign in", &content))
}

/// Ends the session.
#[handler]
pub(super) async fn sign_out(request: PageRequest, _form: Form) -> Answer {
    if let Some(session) = &request.session {
        accounts::sign_out(&request.app.domain, &session.secret).await?;
    }
    Ok(cookies::close_session(&request.app, redirect("/sign-in")))
}

/// A path of ours to go on to; whatever could lead elsewhere leads to the keys.
fn local_path(next: &str) -> &str {
    let plain = next.bytes().all(|byte| (0x21..0x7f).contains(&byte) && byte != b'\\');
    let local = next.starts_with('/')
        && !next.starts_with("//")
        && Surface::of(next.split('?').next().unwrap_or(next)) == Surface::Account;
    if plain && local { next } else { "/settings/keys" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signing_in_leads_to_our_own_pages_only() {
        assert_eq!(local_path("/settings/plan"), "/settings/plan");
        assert_eq!(local_path("/settings/keys?x=1"), "/settings/keys?x=1");
        for elsewhere in [
            "",
            "https://evil.example/",
            "//evil.example",
            "/\\evil.example",
            "/settings/\r\nx",
            "/https://evil.example",
        ] {
            assert_eq!(local_path(elsewhere), "/settings/keys", "{elsewhere}");
        }
    }
}
