//! Second page of the sign-in: the code of the second factor.

#![expect(clippy::unused_async, reason = "handlers are asynchronous, even if they await nothing")]

use identity::accounts::{self, CompleteSignIn};
use kernel::Class;
use maud::html;
use poem::http::StatusCode;
use poem::{Request, Response, handler};

use super::sign_in::{CODE_PATH, local_path, origin, with_next};
use super::{authorize, sessions};
use crate::language::text::Text;
use crate::page::cookies;
use crate::page::form::{Form, FormError, FormToken};
use crate::page::parts::{FormRejection, RequiredField};
use crate::page::request::{PageRequest, PageResult};
use crate::page::response::redirect;

/// Renders the form. A browser without a first step is sent to the sign-in page.
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
        h1 { (Text("code-enter")) }
        p { (Text("code-enter-words")) }
        (form_error.summary())
        form.stack method="post" action=(CODE_PATH) {
            (token.field())
            input type="hidden" name="next" value=(next);
            (code_field(None).show(form_error))
            div { button type="submit" { (Text("sign-in")) } }
        }
        p.soft { (Text("code-no-app")) }
        p { a href=(with_next("/sign-in", next)) { (Text("consent-other-account")) } }
    };
    let page = request.respond(status, &Text("code-enter").get(), &content);
    authorize::allow_redirect_to_app(next, token.keep(&request.app, page))
}

pub(super) fn code_field(hint: Option<Text>) -> RequiredField<'static> {
    let (label, autocomplete) = (Text("code"), "one-time-code");
    RequiredField { name: "code", label, hint, kind: "text", value: "", autocomplete }
}
