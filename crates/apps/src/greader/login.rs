//! `POST /accounts/ClientLogin`: exchanges an e-mail address and an API key for a token.

use std::sync::Arc;

use identity::keys::feed_apps::{self, AppCredential};
use kernel::{Class, Error};
use poem::http::{Method, StatusCode, header};
use poem::{IntoResponse, Request, RequestBody, Response};
use serde_json::json;

use crate::admission::admit;
use crate::answers::{json_answer, plain};
use crate::fault;
use crate::parameters::Parameters;
use http_kit::app::App;

/// Google Reader's response to a wrong password. Apps compare responses with it.
const WRONG: &str = "Error=BadAuthentication\n";

/// Exchanges the app's e-mail address and API key for a token.
///
/// # Errors
/// If a rate limit is exceeded; `invalid_request` if the parameters are invalid.
pub(super) async fn sign_in(
    app: &Arc<App>,
    request: &Request,
    body: &mut RequestBody,
) -> Result<Response, Error> {
    // A password in the query is refused, because queries are stored in logs and browser histories.
    if request.method() != Method::POST || Parameters::of_query(request)?.has("Passwd") {
        let text = "Send Email and Passwd in the body of a POST request.";
        let response = fault::text(StatusCode::METHOD_NOT_ALLOWED, text);
        return Ok(response.with_header(header::ALLOW, "POST").into_response());
    }
    let parameters = Parameters::of_body(request, body).await?;
    let (email, key) =
        (parameters.get("Email").unwrap_or_default(), parameters.get("Passwd").unwrap_or_default());
    let caller = match admit(app, request, AppCredential::Password { email, key }).await {
        Ok(caller) => caller,
        Err(error) if error.class() == Class::Unauthenticated => {
            return Ok(fault::text(StatusCode::UNAUTHORIZED, WRONG));
        }
        Err(error) => return Err(error),
    };
    let token = feed_apps::token(&app.domain, &caller, key).await?;
    let token = token.expose();
    if parameters.get("output") == Some("json") {
        return json_answer(&json!({ "SID": token, "LSID": token, "Auth": token }));
    }
    Ok(plain(format!("SID={token}\nLSID={token}\nAuth={token}\n")))
}
