//! The account itself: its address, its password, and its end.

use domain::accounts::{self, ChangePassword};
use maud::html;
use poem::http::StatusCode;
use poem::{Response, handler};

use super::form::{self, Fault, Token};
use super::parts::{around, time};
use super::sign::{done, new_password, present_password};
use super::{Answer, Form, PageRequest, User, redirect, respond};

/// Address and password.
#[handler]
pub(super) async fn show(request: PageRequest, user: User) -> Answer {
    let was_changed = request.uri.query() == Some("changed");
    Ok(page(&request, &user, StatusCode::OK, was_changed, &Fault::default()))
}

/// Sets a new password; every other session ends.
#[handler]
pub(super) async fn change_password(request: PageRequest, user: User, form: Form) -> Answer {
    let app = &request.app;
    let change = ChangePassword { current: form.get("current"), new: form.get("new") };
    let changed = accounts::change_password(&app.domain, &app.passwords, user.account.id, change).await;
    match changed {
        Ok(secret) => Ok(form::open_session(app, redirect("/settings?changed"), &secret)),
        Err(error) => {
            let fault = Fault::of(error)?.renamed("password", "new");
            Ok(page(&request, &user, StatusCode::UNPROCESSABLE_ENTITY, false, &fault))
        }
    }
}

fn page(
    request: &PageRequest,
    user: &User,
    status: StatusCode,
    was_changed: bool,
    fault: &Fault,
) -> Response {
    let token = Token::of(request);
    let account = &user.account;
    let now = request.app.domain.now();
    let content = html! {
        (around("/settings", &token))
        h1 { "Account" }
        dl.facts {
            dt { "Address" } dd { (account.email) }
            dt { "Plan" } dd { (account.tier) " · " a href="/settings/plan" { "limits and usage" } }
            dt { "Since" } dd { (time(account.created_at, now)) }
            dt { "Signed in" } dd { (time(user.created_at, now)) }
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
    respond(&request.app, status, "Account · Settings", &content)
}

/// Asks before the account goes.
#[handler]
pub(super) async fn show_delete(request: PageRequest, user: User) -> Answer {
    Ok(delete_page(&request, &user, StatusCode::OK, &Fault::default()))
}

/// Deletes the account and everything it owns.
#[handler]
pub(super) async fn delete(request: PageRequest, user: User, form: Form) -> Answer {
    let app = &request.app;
    let password = form.get("current");
    let gone = accounts::delete(&app.domain, &app.passwords, user.account.id, password).await;
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
            Ok(delete_page(&request, &user, StatusCode::UNPROCESSABLE_ENTITY, &fault))
        }
    }
}

fn delete_page(request: &PageRequest, user: &User, status: StatusCode, fault: &Fault) -> Response {
    let token = Token::of(request);
    let content = html! {
        (around("/settings", &token))
        h1 { "Delete the account?" }
        p.notice.bad {
            "The account " strong { (user.account.email) } " and everything it owns is deleted at once and for good: "
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
    respond(&request.app, status, "Delete · Account · Settings", &content)
}
