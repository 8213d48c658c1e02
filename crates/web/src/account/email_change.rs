//! Change of the e-mail address: the form, and the pages behind the links that confirm and revert a change.

use identity::accounts::{self, ChangeEmail, EmailChange};
use kernel::{Class, Error};
use maud::{Markup, html};
use poem::http::StatusCode;
use poem::{Response, handler};

use super::link_form::{LinkForm, expired_link_page, without_referrer};
use super::{oidc, owner_proof};
use crate::language::text::Text;
use crate::page::form::{Form, FormError, FormToken};
use crate::page::parts::{FormRejection, RequiredField, new_password, settings_tabs, settings_title, time};
use crate::page::request::{PageRequest, PageResult, User};
use crate::page::response::redirect;

const PATH: &str = "/settings/email";

/// Renders the form, and the change that is waiting for confirmation.
#[handler]
pub(super) async fn show(request: PageRequest, user: User) -> PageResult {
    form_page(&request, &user, ("", &FormRejection::default())).await
}

/// Mails a link to the new address. The response does not reveal whether another account has it.
#[handler]
pub(super) async fn start(request: PageRequest, user: User, form: Form) -> PageResult {
    let app = &request.app;
    let change = ChangeEmail { proof: owner_proof::proof(&form, &user), new: form.get("email") };
    let written = accounts::request_email_change(&app.domain, &app.passwords, user.account.id, change).await;
    match written {
        Ok(job) => {
            app.engine.push_all(job.as_slice()).await;
            Ok(redirect(PATH))
        }
        Err(error) => {
            let rejection = FormRejection::of(error)?;
            form_page(&request, &user, (form.get("email"), &rejection)).await
        }
    }
}

/// Cancels the change that is waiting for confirmation.
#[handler]
pub(super) async fn cancel(request: PageRequest, user: User, _form: Form) -> PageResult {
    accounts::cancel_email_change(&request.app.domain, user.account.id).await?;
    Ok(redirect(PATH))
}

async fn form_page(
    request: &PageRequest,
    user: &User,
    (entered, rejection): (&str, &FormRejection),
) -> PageResult {
    let domain = &request.app.domain;
    let pending = accounts::pending_email_change(domain, user.account.id).await?;
    let proof_fields = owner_proof::fields(request, user, PATH, &rejection.form_error).await?;
    let token = FormToken::of(request);
    let now = domain.now();
    let sends_mail = request.app.settings.accounts.mailer.is_some();
    let content = html! {
        (settings_tabs("/settings", &token))
        h1 { (Text("email-heading")) }
        p { (Text("email-current").markup(&[("email", strong(&user.account.email))])) }
        @if let Some(change) = &pending {
            div.notice {
                p { (Text("email-pending").markup(&[("email", strong(&change.new_email)), ("time", time(change.expires_at, now))])) }
                form method="post" action="/settings/email/cancel" {
                    (token.field())
                    button.secondary type="submit" { (Text("email-cancel")) }
                }
            }
        }
        @if sends_mail {
            (rejection.form_error.summary())
            form.stack method="post" action=(PATH) {
                (token.field())
                (new_address(entered).show(&rejection.form_error))
                (proof_fields)
                div.row { button type="submit" { (Text("email-send-link")) } a.button.secondary href="/settings" { (Text("settings-back")) } }
            }
            p.soft { (Text("email-revert")) }
        } @else {
            p { (Text("email-no-mail").markup(&[("command", html! { code { "carrel account set-email " (user.account.email) " new@example.org" } })])) }
        }
        p.soft { (Text("email-apps")) }
    };
    let title = settings_title(&[Text("email-heading"), Text("nav-account")]);
    let page = request.respond(rejection.status, &title, &content);
    Ok(rejection.add_retry_after(page))
}

fn new_address(entered: &str) -> RequiredField<'_> {
    RequiredField {
        name: "email",
        label: Text("email-new"),
        hint: Some(Text("email-new-hint")),
        kind: "email",
        value: entered,
        autocomplete: "email",
    }
}

/// Renders an address in bold.
fn strong(email: &str) -> Markup {
    html! { strong { (email) } }
}

/// Renders the page behind the link to the new address. Opening it changes nothing.
#[handler]
pub(super) async fn show_confirm(request: PageRequest) -> PageResult {
    let link = request.parameter("link");
    match accounts::find_email_change(&request.app.domain, &link).await {
        Ok(change) => Ok(confirm_page(&request, StatusCode::OK, (&change, &link), &FormError::default())),
        Err(error) => expired_page_or_error(&request, error),
    }
}

/// Changes the address.
#[handler]
pub(super) async fn confirm(request: PageRequest, form: Form) -> PageResult {
    let app = &request.app;
    let link = form.get("link");
    match accounts::confirm_email_change(&app.domain, link).await {
        Ok((change, job)) => {
            app.engine.push_all(job.as_slice()).await;
            let content = html! {
                h1 { (Text("email-changed")) }
                p { (Text("email-changed-words").markup(&[("email", strong(&change.new_email))])) }
                p { (Text("email-apps")) }
                p { a.button href="/settings" { (Text("email-to-account")) } }
            };
            let title = Text("email-changed").get();
            Ok(without_referrer(request.respond(StatusCode::OK, &title, &content)))
        }
        Err(error) if error.class() == Class::Conflict => {
            let change = accounts::find_email_change(&app.domain, link).await?;
            let form_error = FormError::of(error)?;
            Ok(confirm_page(&request, StatusCode::UNPROCESSABLE_ENTITY, (&change, link), &form_error))
        }
        Err(error) => expired_page_or_error(&request, error),
    }
}

fn confirm_page(
    request: &PageRequest,
    status: StatusCode,
    (change, link): (&EmailChange, &str),
    form_error: &FormError,
) -> Response {
    let form = LinkForm {
        title: &Text("email-confirm").get(),
        effect: Text("email-confirm-words")
            .markup(&[("old", strong(&change.old_email)), ("new", strong(&change.new_email))]),
        action: "/settings/email/confirm",
        link,
        fields: html! {},
        button: &Text("email-change").get(),
    };
    form.respond(request, status, form_error)
}

/// Renders the page behind the link to the old address. Opening it changes nothing.
#[handler]
pub(super) async fn show_undo(request: PageRequest) -> PageResult {
    let link = request.parameter("link");
    match accounts::find_email_undo(&request.app.domain, &link).await {
        Ok(change) => Ok(undo_page(&request, StatusCode::OK, (&change, &link), &FormError::default())),
        Err(error) => expired_page_or_error(&request, error),
    }
}

/// Restores the old address, and sets a new password.
#[handler]
pub(super) async fn undo(request: PageRequest, form: Form) -> PageResult {
    let app = &request.app;
    let link = form.get("link");
    match accounts::undo_email_change(&app.domain, &app.passwords, link, form.get("new")).await {
        Ok(change) => {
            let content = html! {
                h1 { (Text("email-reverted")) }
                p { (Text("email-reverted-words").markup(&[("email", strong(&change.old_email))])) }
                (oidc::included(&request))
                p { a.button href="/sign-in" { (Text("sign-in")) } }
            };
            let title = Text("email-reverted").get();
            Ok(without_referrer(request.respond(StatusCode::OK, &title, &content)))
        }
        Err(error) if matches!(error.class(), Class::Invalid | Class::Conflict) => {
            let change = accounts::find_email_undo(&app.domain, link).await?;
            let form_error = FormError::of(error)?.renamed("password", "new");
            Ok(undo_page(&request, StatusCode::UNPROCESSABLE_ENTITY, (&change, link), &form_error))
        }
        Err(error) => expired_page_or_error(&request, error),
    }
}

fn undo_page(
    request: &PageRequest,
    status: StatusCode,
    (change, link): (&EmailChange, &str),
    form_error: &FormError,
) -> Response {
    let form = LinkForm {
        title: &Text("email-undo").get(),
        effect: Text("email-undo-words")
            .markup(&[("old", strong(&change.old_email)), ("new", strong(&change.new_email))]),
        action: "/settings/email/undo",
        link,
        fields: html! {
            (oidc::included(request))
            (new_password("new", Text("field-new-password")).show(form_error))
        },
        button: &Text("email-undo-button").get(),
    };
    form.respond(request, status, form_error)
}

/// Renders the page of an expired link, or returns another error.
fn expired_page_or_error(request: &PageRequest, error: Error) -> PageResult {
    if error.class() != Class::NotFound {
        return Err(error.into());
    }
    Ok(expired_link_page(request, &error, (PATH, &Text("email-change-link").get())))
}
