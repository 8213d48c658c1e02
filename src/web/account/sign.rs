//! Signing up, in and out.

use std::pin::Pin;

use domain::accounts::{self, SignUp, Signups};
use maud::{Markup, html};
use poem::Response;
use poem::http::StatusCode;

use super::form::{self, Fault, Field, Posted, Token};
use super::{Answer, Visit, redirect, respond};
use crate::http::network::{client_address, network_of};

type Pending = Pin<Box<dyn Future<Output = Answer> + Send>>;

/// The sign-up page.
pub(super) fn show_sign_up(visit: Visit) -> Pending {
    Box::pin(async move {
        if visit.session.is_some() {
            return Ok(redirect("/settings/keys"));
        }
        let invite = invite_in_address(&visit);
        Ok(sign_up_page(&visit, StatusCode::OK, "", &invite, &Fault::default()))
    })
}

/// Makes the account.
pub(super) fn sign_up(mut visit: Visit) -> Pending {
    Box::pin(async move {
        let posted = form::receive(&mut visit).await?;
        let app = &visit.app;
        let address = network(&visit);
        let request = SignUp {
            email: posted.get("email"),
            password: posted.get("password"),
            invite: Some(posted.get("invite")),
            address: &address,
        };
        let signups = app.settings.accounts.signups;
        let made =
            accounts::sign_up(&app.domain, &app.passwords, app.limits.windows(), signups, request).await;
        match made {
            Ok((_, secret)) => Ok(form::open_session(app, redirect("/settings/keys"), &secret)),
            Err(error) => {
                let fault = Fault::of(error)?;
                let status = StatusCode::UNPROCESSABLE_ENTITY;
                Ok(sign_up_page(&visit, status, posted.get("email"), posted.get("invite"), &fault))
            }
        }
    })
}

/// An invitation may come in the address that was sent to somebody.
fn invite_in_address(visit: &Visit) -> String {
    let query = visit.request.uri().query().unwrap_or_default();
    let found = url::form_urlencoded::parse(query.as_bytes()).find(|(name, _)| name == "invite");
    found.map(|(_, value)| value.into_owned()).unwrap_or_default()
}

fn sign_up_page(visit: &Visit, status: StatusCode, email: &str, invite: &str, fault: &Fault) -> Response {
    let token = Token::of(visit);
    let signups = visit.app.settings.accounts.signups;
    let content = html! {
        h1 { "Make an account" }
        @if signups == Signups::Closed {
            p.notice { "Nobody can sign up here. Ask whoever runs this service for an account." }
        } @else {
            p { "An account gives you API keys. The free plan needs nothing but an address and a password." }
            (fault.general())
            form.stack method="post" action="/sign-up" {
                (token.field())
                (email_field(email).show(fault))
                (new_password("password", "Password").show(fault))
                @if signups == Signups::Invite {
                    (Field {
                        name: "invite", label: "Invitation", rule: "The code that was sent to you. It works once.",
                        kind: "text", value: invite, autocomplete: "off", required: true,
                    }.show(fault))
                }
                div { button type="submit" { "Make the account" } }
            }
        }
        p { "You have an account already? " a href="/sign-in" { "Sign in" } "." }
    };
    token.keep(&visit.app, respond(&visit.app, status, "Sign up", &content))
}

/// The sign-in page.
pub(super) fn show_sign_in(visit: Visit) -> Pending {
    Box::pin(async move {
        let query = visit.request.uri().query().unwrap_or_default();
        let next = url::form_urlencoded::parse(query.as_bytes()).find(|(name, _)| name == "next");
        let next = local_path(next.as_ref().map_or("", |(_, value)| value)).to_owned();
        if visit.session.is_some() {
            return Ok(redirect(&next));
        }
        Ok(sign_in_page(&visit, StatusCode::OK, "", &next, &Fault::default()))
    })
}

/// Opens a session.
pub(super) fn sign_in(mut visit: Visit) -> Pending {
    Box::pin(async move {
        let posted = form::receive(&mut visit).await?;
        let app = &visit.app;
        let address = network(&visit);
        let who = (posted.get("email"), posted.get("password"), address.as_str());
        let previous = visit.session.as_ref().map(|session| &session.secret);
        let opened =
            accounts::sign_in(&app.domain, &app.passwords, app.limits.windows(), who, previous).await;
        match opened {
            Ok(secret) => Ok(form::open_session(app, redirect(local_path(posted.get("next"))), &secret)),
            Err(error) => refused(&visit, &posted, error),
        }
    })
}

fn refused(visit: &Visit, posted: &Posted, error: domain::Error) -> Answer {
    let (status, retry_after) = match &error {
        domain::Error::Limited { retry_after, .. } => (StatusCode::TOO_MANY_REQUESTS, Some(*retry_after)),
        _ => (StatusCode::UNPROCESSABLE_ENTITY, None),
    };
    let fault = Fault::of(error)?;
    let next = local_path(posted.get("next"));
    let mut response = sign_in_page(visit, status, posted.get("email"), next, &fault);
    if let Some(seconds) = retry_after {
        response.headers_mut().insert(poem::http::header::RETRY_AFTER, seconds.into());
    }
    Ok(response)
}

fn sign_in_page(visit: &Visit, status: StatusCode, email: &str, next: &str, fault: &Fault) -> Response {
    let token = Token::of(visit);
    let content = html! {
        h1 { "Sign in" }
        (fault.general())
        form.stack method="post" action="/sign-in" {
            (token.field())
            input type="hidden" name="next" value=(next);
            (email_field(email).show(fault))
            (present_password("password", "Password").show(fault))
            div { button type="submit" { "Sign in" } }
        }
        @if visit.app.settings.accounts.signups != Signups::Closed {
            p { "No account yet? " a href="/sign-up" { "Make one" } "." }
        }
    };
    token.keep(&visit.app, respond(&visit.app, status, "Sign in", &content))
}

/// Ends the session.
pub(super) fn sign_out(mut visit: Visit) -> Pending {
    Box::pin(async move {
        form::receive(&mut visit).await?;
        if let Some(session) = &visit.session {
            accounts::sign_out(&visit.app.domain, &session.secret).await?;
        }
        Ok(form::close_session(&visit.app, redirect("/sign-in")))
    })
}

/// A path of ours to go on to; whatever could lead elsewhere leads to the keys.
fn local_path(next: &str) -> &str {
    let plain = next.bytes().all(|byte| (0x21..0x7f).contains(&byte) && byte != b'\\');
    let local = next.starts_with('/')
        && !next.starts_with("//")
        && super::is_account_path(next.split('?').next().unwrap_or(next));
    if plain && local { next } else { "/settings/keys" }
}

/// The network that the visit comes from, for its limits.
fn network(visit: &Visit) -> String {
    network_of(client_address(&visit.request, &visit.app.settings.trusted_proxies))
}

fn email_field(value: &str) -> Field<'_> {
    Field {
        name: "email",
        label: "E-mail address",
        rule: "",
        kind: "email",
        value,
        autocomplete: "username",
        required: true,
    }
}

/// A field for a password that exists.
pub(super) fn present_password<'a>(name: &'a str, label: &'a str) -> Field<'a> {
    Field {
        name,
        label,
        rule: "",
        kind: "password",
        value: "",
        autocomplete: "current-password",
        required: true,
    }
}

/// A field for a password that is made up here.
pub(super) fn new_password<'a>(name: &'a str, label: &'a str) -> Field<'a> {
    Field {
        name,
        label,
        rule: "At least 10 characters. A few words are better than one odd one.",
        kind: "password",
        value: "",
        autocomplete: "new-password",
        required: true,
    }
}

/// The notice that something was done.
pub(super) fn done(message: &str) -> Markup {
    html! { p.notice.good role="status" { (message) } }
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
