//! Account settings: overview, password, and deletion.

#![expect(clippy::unused_async, reason = "handlers are asynchronous, even if they await nothing")]

use articles::{Render, require_browser};
use identity::accounts::{self, ChangePassword, ExistingAccess};
use kernel::{Code, Error, Language};
use maud::{Markup, html};
use poem::http::StatusCode;
use poem::{Response, handler};

use super::sign_in::accepts_passwords;
use super::{model, oidc, owner_proof, recent_access, sessions};
use crate::language::text::Text;
use crate::page::cookies;
use crate::page::form::{Form, FormError, FormToken};
use crate::page::parts::{
    current_password, new_password, remove_sample, settings_tabs, settings_title, success, time,
};
use crate::page::request::{PageRequest, PageResult, User};
use crate::page::response::redirect;

#[handler]
pub(super) async fn show(request: PageRequest, user: User) -> PageResult {
    let was_changed = request.uri.query() == Some("changed");
    page(&request, &user, StatusCode::OK, was_changed, &FormError::default()).await
}

/// Sets a new password and revokes every other session.
#[handler]
pub(super) async fn change_password(request: PageRequest, user: User, form: Form) -> PageResult {
    let app = &request.app;
    accounts::require_passwords(app.oidc.as_ref())?;
    let change =
        ChangePassword { current: form.get("current"), new: form.get("new"), access: access_of(&form) };
    let changed = accounts::change_password(&app.domain, &app.passwords, user.account.id, change).await;
    match changed {
        Ok(opened) => Ok(sessions::open(&request, redirect("/settings?changed"), &opened).await),
        Err(error) => {
            let form_error = FormError::of(error)?.renamed("password", "new");
            page(&request, &user, StatusCode::UNPROCESSABLE_ENTITY, false, &form_error).await
        }
    }
}

/// Returns whether existing keys, apps, and passkeys keep their access.
fn access_of(form: &Form) -> ExistingAccess {
    if form.get("endAccess") == "on" { ExistingAccess::End } else { ExistingAccess::Keep }
}

/// Renders the checkbox that revokes keys, apps, and passkeys when the password changes. It is checked by
/// default, because the old password may have been stolen.
fn access_choice(request: &PageRequest) -> Markup {
    html! {
        label.choice {
            input type="checkbox" name="endAccess" value="on" checked;
            span { (Text("account-end-access")) }
        }
        (oidc::included(request))
    }
}

/// Sets the language of the account's pages.
#[handler]
pub(super) async fn save_language(request: PageRequest, user: User, form: Form) -> PageResult {
    let language = match form.get("language") {
        "" => None,
        tag => Some(Language::parse(tag).ok_or_else(unknown_language)?),
    };
    accounts::set_language(&request.app.domain, user.account.id, language).await?;
    Ok(redirect("/settings?language"))
}

fn unknown_language() -> Error {
    Error::new(
        Code::InvalidRequest,
        "Carrel is not translated into this language. Choose a language from the list.",
    )
}

/// Renders the form that selects the language.
fn language_choice(user: &User, token: &FormToken, was_changed: bool) -> Markup {
    let setting = user.account.language;
    html! {
        section #language {
            h2 { (Text("language")) }
            @if was_changed { (success(&Text("language-saved"))) }
            form.stack method="post" action="/settings/language" {
                (token.field())
                div {
                    label for="language-tag" { (Text("language")) }
                    p.rule #language-rule { (Text("language-hint")) }
                    select #language-tag name="language" aria-describedby="language-rule" {
                        option value="" selected[setting.is_none()] { (Text("language-of-browser")) }
                        @for language in Language::ALL {
                            option value=(language.tag()) lang=(language.tag()) selected[setting == Some(language)] { (language.own_name()) }
                        }
                    }
                }
                div { button type="submit" { (Text("language-save")) } }
            }
        }
    }
}

/// Renders the section about automatic copies of pages. Empty if the service has no browser.
fn copies_section(request: &PageRequest) -> Markup {
    html! { @if require_browser(&request.app.domain, Render::Always).is_ok() {
        h2 { (Text("copies-automatic")) }
        p { (Text("copies-purpose")) }
        p { a.button.secondary href="/library/copies" { (Text("copies-choose")) } }
    } }
}

async fn page(
    request: &PageRequest,
    user: &User,
    status: StatusCode,
    was_changed: bool,
    form_error: &FormError,
) -> PageResult {
    let recent_access = recent_access::table(&request.app, user.account.id).await?;
    let second_factor = accounts::second_factor(&request.app.domain, user.account.id).await?;
    let token = FormToken::of(request);
    let sessions = sessions::table(request, user, &token).await?;
    let account = &user.account;
    let now = request.app.domain.now();
    let content = html! {
        (settings_tabs("/settings", &token))
        h1 { (Text("nav-account")) }
        dl.facts {
            dt { (Text("account-email")) } dd { (account.email) " · " a href="/settings/email" { (Text("account-email-change")) } }
            dt { (Text("account-plan")) } dd { (account.tier) " · " a href="/settings/plan" { (Text("account-plan-usage")) } }
            dt { (Text("account-created")) } dd { (time(account.created_at, now)) }
            @if account.is_admin { dt { (Text("account-administration")) } dd { a href="/admin" { (Text("account-administration-words")) } } }
        }
        (language_choice(user, &token, request.uri.query() == Some("language")))
        h2 { (Text("account-recent-access")) }
        (recent_access)
        h2 #sessions { (Text("account-sessions")) }
        @if request.uri.query() == Some("signed-out") { (success(&Text("account-signed-out"))) }
        (sessions)
        h2 { (Text("account-password")) }
        @if was_changed { (success(&Text("account-password-changed"))) }
        @if let Some(provider) = request.app.oidc.as_ref().filter(|_| !accepts_passwords(request)) {
            @let text = if account.has_password { Text("oidc-only-password") } else { Text("oidc-only-sign-in") };
            p { (text.with("name", provider.name())) }
        } @else if account.has_password {
            (password_form(request, form_error, &token))
        } @else {
            p { (Text("account-no-password")) }
            p { a.button.secondary href="/forgot" { (Text("reset-set")) } }
        }
        (oidc::section(request))
        h2 { (Text("account-passkeys")) }
        p { (Text("account-passkeys-words")) }
        p { a.button.secondary href="/settings/passkeys" { (Text("account-manage-passkeys")) } }
        h2 { (Text("account-second-factor")) }
        p { @if second_factor.is_some() { (Text("account-second-factor-on")) } @else { (Text("account-second-factor-off")) } }
        p { a.button.secondary href="/settings/second-factor" { @if second_factor.is_some() { (Text("account-manage-second-factor")) } @else { (Text("account-set-up-second-factor")) } } }
        (copies_section(request))
        (model::section(request))
        h2 { (Text("account-delete")) }
        @if account.is_sample { (remove_sample(&token)) }
        p { (Text("account-delete-words")) }
        p { a.button.secondary href="/settings/delete" { (Text("account-delete-button")) } }
    };
    Ok(request.respond(status, &settings_title(&[Text("nav-account")]), &content))
}

fn password_form(request: &PageRequest, form_error: &FormError, token: &FormToken) -> Markup {
    html! {
        (form_error.summary())
        form.stack method="post" action="/settings/password" {
            (token.field())
            (current_password("current", Text("field-current-password")).show(form_error))
            (new_password("new", Text("field-new-password")).show(form_error))
            (access_choice(request))
            div { button type="submit" { (Text("account-change-password")) } }
        }
    }
}

/// Deletes a sample account and everything in it, without the password.
#[handler]
pub(super) async fn delete_sample(request: PageRequest, user: User, _form: Form) -> PageResult {
    accounts::delete_sample(&request.app.domain, user.account.id).await?;
    Ok(deleted_page(&request))
}

/// Asks for confirmation before the account is deleted.
#[handler]
pub(super) async fn show_delete(request: PageRequest, user: User) -> PageResult {
    Ok(delete_page(&request, &user, StatusCode::OK, &FormError::default()))
}

/// Deletes the account and everything it owns.
#[handler]
pub(super) async fn delete(request: PageRequest, user: User, form: Form) -> PageResult {
    let app = &request.app;
    let proof = owner_proof::proof(&form, &user);
    let gone = accounts::delete(&app.domain, &app.passwords, user.account.id, proof).await;
    match gone {
        Ok(()) => Ok(deleted_page(&request)),
        Err(error) => {
            let form_error = FormError::of(error)?;
            Ok(delete_page(&request, &user, StatusCode::UNPROCESSABLE_ENTITY, &form_error))
        }
    }
}

/// Renders the page after the deletion of an account.
fn deleted_page(request: &PageRequest) -> Response {
    let content = html! {
        h1 { (Text("account-deleted")) }
        p { (Text("account-deleted-words")) }
        p { a href="/" { (Text("account-to-home")) } }
    };
    let title = Text("account-deleted").get();
    cookies::close_session(&request.app, request.respond(StatusCode::OK, &title, &content))
}

fn delete_page(request: &PageRequest, user: &User, status: StatusCode, form_error: &FormError) -> Response {
    let token = FormToken::of(request);
    let content = html! {
        (settings_tabs("/settings", &token))
        h1 { (Text("account-delete-question")) }
        p.notice.bad { (Text("account-delete-consequence").markup(&[("email", html! { strong { (user.account.email) } })])) }
        (form_error.summary())
        form.stack method="post" action="/settings/delete" {
            (token.field())
            (owner_proof::password_field(request, user, (Text("field-current-password"), "/settings/delete"), form_error))
            div.row {
                button.danger type="submit" { (Text("account-delete-everything")) }
                a.button.secondary href="/settings" { (Text("settings-cancel")) }
            }
        }
    };
    request.respond(status, &settings_title(&[Text("settings-delete-title"), Text("nav-account")]), &content)
}
