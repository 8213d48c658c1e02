//! The person's decision about an app's request.

use identity::oauth::{self, Approval, OAuthCode};
use poem::{Request, handler};

use super::incoming::{self, Incoming, MAX_BYTES, redirect_to_app, sign_in_first};
use super::{fault, page};
use crate::page::form::Form;
use crate::page::request::{PageRequest, PageResult};
use http_kit::http::request_id;

/// Redirects back to the app, with a code or an error. The request is validated again, and the page that
/// displayed it cannot be submitted a second time.
#[handler]
pub(in super::super) async fn answer(request: PageRequest, form: Form, raw: &Request) -> PageResult {
    let (app, request_id) = (&request.app, request_id::of(raw));
    let query = form.get("request");
    if query.len() >= MAX_BYTES {
        return Ok(fault::too_long(&request, &request_id));
    }
    let Some(session) = &request.session else { return Ok(sign_in_first(query)) };
    let consent_page = oauth::open_page(&app.domain, &session.secret, query, form.get("page")).await?;
    let checked = match incoming::check(app, session.account.id, query).await? {
        Incoming::Valid(checked) => checked,
        Incoming::Unanswerable(sentence) => {
            return Ok(fault::unanswerable(&request, query, sentence, &request_id));
        }
        Incoming::Refused(error) => return Ok(fault::back(&request, &error)),
    };
    match form.get("answer") {
        "allow" => {
            let approval = Approval {
                session,
                network: &request.network,
                may_change: form.get("change") == "on",
                page: &consent_page,
            };
            let approved = oauth::approve(&app.domain, &checked, approval).await?;
            app.engine.push_all(approved.mail.as_slice()).await;
            Ok(redirect_to_app(&checked.redirect.with_code(approved.code.expose())))
        }
        "deny" => {
            oauth::refuse(&app.domain, &consent_page).await?;
            Ok(redirect_to_app(&checked.redirect.with_error(OAuthCode::AccessDenied)))
        }
        _ => Ok(page::ask(&request, session, &checked, query).await?),
    }
}
