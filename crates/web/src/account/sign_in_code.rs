//! Second page of the sign-in: the code of the second factor.

#![expect(clippy::unused_async, reason = "handlers are asynchronous, even if they await nothing")]

use identity::accounts::{self, CompleteSignIn};
use kernel::Class;
use maud::html;
use poem::http::StatusCode;
use poem::{Request, Response, handler};

use super::sign_in::{CODE_PATH, local_path, origin, with_next};
use super::{authorize, sessions};
use crate::page::cookies;
use crate::page::form::{Field, Form, FormError, FormToken};
use crate::page::parts::FormRejection;
use crate::page::request::{PageRequest, PageResult};
use crate::page::response::redirect;

/// Renders the form. A browser that did not enter a password is sent to the sign-in page.
#[handler]
pub(super) async fn show(request: PageRequest, raw: &Request) -> PageResult {
    let next = request.parameter("next");
    let next = local_path(&next);
    if cookies::pending_sign_in(&request.app, raw).is_none() {
        return Ok(redirect(&with_next("/sign-in", next)));
    }
    Ok(page(&request, StatusCode::OK, next, &FormError::default()))
}

/// Opens a session if the code is correct.
#[handler]
pub(super) async fn enter(request: PageRequest, form: Form, raw: &Request) -> PageResult {
    let app = &request.app;
    let next = local_path(form.get("next"));
    let state = cookies::pending_sign_in(app, raw).unwrap_or_default();
    let sent = CompleteSignIn { state, code: form.get("code"), origin: origin(&request) };
    match accounts::complete_sign_in(&app.domain, sent).await {
        Ok(opened) => {
            let response = sessions::open(&request, redirect(next), &opened).await;
            Ok(cookies::clear_pending_sign_in(app, response))
        }
        Err(error) if error.class() == Class::Unauthenticated => {
            Ok(cookies::clear_pending_sign_in(app, redirect(&with_next("/sign-in", next))))
        }
        Err(error) => {
            let rejection = FormRejection::of(error)?;
            let page = page(&request, rejection.status, next, &rejection.form_error);
            Ok(rejection.add_retry_after(page))
        }
    }
}

fn page(request: &PageRequest, status: StatusCode, next: &str, form_error: &FormError) -> Response {
    let token = FormToken::of(request);
    let content = html! {
        h1 { "Enter your code" }
        p { "Your password is correct. Enter the code that your authenticator app displays for this account." }
        (form_error.summary())
        form.stack method="post" action=(CODE_PATH) {
            (token.field())
            input type="hidden" name="next" value=(next);
            (code_field("").show(form_error))
            div { button type="submit" { "Sign in" } }
        }
        p.soft { "No app at hand? Enter one of your recovery codes instead. Without both, ask the operator of this service to remove the second factor." }
        p { a href=(with_next("/sign-in", next)) { "Use another account" } }
    };
    let page = request.respond(status, "Enter your code", &content);
    authorize::allow_redirect_to_app(next, token.keep(&request.app, page))
}

/// Returns the field for a code.
pub(super) fn code_field(hint: &str) -> Field<'_> {
    Field {
        name: "code",
        label: "Code",
        hint,
        kind: "text",
        value: "",
        autocomplete: "one-time-code",
        required: true,
    }
}
