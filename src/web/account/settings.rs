//! The account itself: its address, its password, and its end.

use std::pin::Pin;

use domain::accounts::{self, ChangePassword, Session};
use maud::html;
use poem::Response;
use poem::http::StatusCode;

use super::form::{self, Fault, Token};
use super::parts::{around, time};
use super::sign::{done, new_password, present_password};
use super::{Answer, Visit, redirect, respond};

type Pending = Pin<Box<dyn Future<Output = Answer> + Send>>;

/// Address and password.
pub(super) fn show(visit: Visit) -> Pending {
    Box::pin(async move {
        let Some(session) = &visit.session else { return Ok(visit.to_sign_in()) };
        let was_changed = visit.request.uri().query() == Some("changed");
        Ok(page(&visit, session, StatusCode::OK, was_changed, &Fault::default()))
    })
}

/// Sets a new password; every other session ends.
pub(super) fn change_password(mut visit: Visit) -> Pending {
    Box::pin(async move {
        if visit.session.is_none() {
            return Ok(visit.to_sign_in());
        }
        let posted = form::receive(&mut visit).await?;
        let Some(session) = &visit.session else { return Ok(visit.to_sign_in()) };
        let app = &visit.app;
        let change = ChangePassword { current: posted.get("current"), new: posted.get("new") };
        let changed = accounts::change_password(
            &app.domain,
            &app.passwords,
            app.limits.windows(),
            session.account.id,
            change,
        )
        .await;
        match changed {
            Ok(secret) => Ok(form::open_session(app, redirect("/settings?changed"), &secret)),
            Err(error) => {
                let fault = Fault::of(error)?.renamed("password", "new");
                Ok(page(&visit, session, StatusCode::UNPROCESSABLE_ENTITY, false, &fault))
            }
        }
    })
}

fn page(visit: &Visit, session: &Session, status: StatusCode, was_changed: bool, fault: &Fault) -> Response {
    let token = Token::of(visit);
    let account = &session.account;
    let now = visit.app.domain.now();
    let content = html! {
        (around("/settings", &token))
        h1 { "Account" }
        dl.facts {
            dt { "Address" } dd { (account.email) }
            dt { "Plan" } dd { (account.tier) " · " a href="/settings/plan" { "limits and usage" } }
            dt { "Since" } dd { (time(account.created_at, now)) }
            dt { "Signed in" } dd { (time(session.created_at, now)) }
        }
        h2 { "Password" }
        @if was_changed { (done("The password is changed. Every other browser was signed out.")) }
        (fault.general())
        form.stack method="post" action="/settings/password" {
            (token.field())
            (present_password("current", "Present password").show(fault))
            (new_password("new", "New password").show(fault))
            div { button type="submit" { "Change the password" } }
        }
        h2 { "Leave" }
        p { "Deleting the account deletes everything in it. You will be asked once more." }
        p { a.button.quiet href="/settings/delete" { "Delete the account…" } }
    };
    respond(&visit.app, status, "Account · Settings", &content)
}

/// Asks before the account goes.
pub(super) fn show_delete(visit: Visit) -> Pending {
    Box::pin(async move {
        let Some(session) = &visit.session else { return Ok(visit.to_sign_in()) };
        Ok(delete_page(&visit, session, StatusCode::OK, &Fault::default()))
    })
}

/// Deletes the account and everything it owns.
pub(super) fn delete(mut visit: Visit) -> Pending {
    Box::pin(async move {
        if visit.session.is_none() {
            return Ok(visit.to_sign_in());
        }
        let posted = form::receive(&mut visit).await?;
        let Some(session) = &visit.session else { return Ok(visit.to_sign_in()) };
        let app = &visit.app;
        let password = posted.get("current");
        let gone =
            accounts::delete(&app.domain, &app.passwords, app.limits.windows(), session.account.id, password)
                .await;
        match gone {
            Ok(()) => {
                let content = html! {
                    h1 { "The account is deleted" }
                    p { "Everything in it is gone, and its keys work no longer." }
                    p { a href="/" { "To the first page" } }
                };
                Ok(form::close_session(app, respond(app, StatusCode::OK, "Goodbye", &content)))
            }
            Err(error) => {
                let fault = Fault::of(error)?;
                Ok(delete_page(&visit, session, StatusCode::UNPROCESSABLE_ENTITY, &fault))
            }
        }
    })
}

fn delete_page(visit: &Visit, session: &Session, status: StatusCode, fault: &Fault) -> Response {
    let token = Token::of(visit);
    let content = html! {
        (around("/settings", &token))
        h1 { "Delete the account?" }
        p.notice.bad {
            "The account " strong { (session.account.email) } " and everything it owns is deleted at once and for good: "
            "API keys, connected apps, the library with its files, feeds, monitors and their history."
        }
        (fault.general())
        form.stack method="post" action="/settings/delete" {
            (token.field())
            (present_password("current", "Present password").show(fault))
            div.row {
                button.danger type="submit" { "Delete everything" }
                a.button.quiet href="/settings" { "Keep the account" }
            }
        }
    };
    respond(&visit.app, status, "Delete · Account · Settings", &content)
}
