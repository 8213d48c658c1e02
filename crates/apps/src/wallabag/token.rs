//! `POST /oauth/v2/token`: exchanges e-mail address and API key for a bearer token.
//!
//! The API key is the secret. Client id and client secret identify an app of wallabag's developer page, which
//! Carrel does not have, so any values are accepted. The token of a key is valid as long as the key; a refresh
//! returns the same token.

use std::sync::Arc;

use identity::keys::feed_apps::{self, AppCredential};
use kernel::{Class, Code, Error};
use poem::http::{Method, StatusCode, header};
use poem::{IntoResponse, Request, RequestBody, Response};
use serde_json::{Value, json};

use crate::admission::admit;
use crate::answers::json_answer;
use crate::fault;
use crate::parameters::Parameters;
use http_kit::app::App;

/// Path of the endpoint.
pub(super) const PATH: &str = "/oauth/v2/token";
/// Seconds after which an app requests its token again.
const EXPIRES_IN: u32 = 3_600;

pub(super) async fn answer(app: &Arc<App>, request: &Request, body: &mut RequestBody) -> Response {
    // Queries end up in logs and histories, so a password in the query is refused.
    if request.method() != Method::POST || request.uri().query().is_some() {
        let text = "Send grant_type, username and password in the body of a POST request.";
        let response = fault::text(StatusCode::METHOD_NOT_ALLOWED, text);
        return response.with_header(header::ALLOW, "POST").into_response();
    }
    let answered = match Parameters::of_object(request, body).await {
        Ok(sent) => grant(app, request, &sent).await.and_then(|token| json_answer(&token)),
        Err(error) => Err(error),
    };
    answered.unwrap_or_else(refused)
}

async fn grant(app: &Arc<App>, request: &Request, sent: &Parameters) -> Result<Value, Error> {
    let of = |name: &str| sent.get(name).unwrap_or_default();
    let token = match of("grant_type") {
        "password" => {
            let (email, key) = (of("username"), of("password"));
            let caller = admit(app, request, AppCredential::Password { email, key }).await?;
            feed_apps::token(&app.domain, &caller, key).await?.expose().to_owned()
        }
        "refresh_token" => {
            let token = of("refresh_token");
            admit(app, request, AppCredential::Token(token)).await?;
            token.to_owned()
        }
        _ => {
            let reason = "must be password or refresh_token";
            return Err(Error::invalid_field("grant_type", reason));
        }
    };
    Ok(json!({
        "access_token": token,
        "expires_in": EXPIRES_IN,
        "token_type": "bearer",
        "scope": null,
        "refresh_token": token,
    }))
}

/// Error in the form of OAuth 2, in which a wrong password is an invalid grant with status 400.
fn refused(error: Error) -> Response {
    let is_wrong = error.class() == Class::Unauthenticated;
    let name = match error.class() {
        Class::Unauthenticated => "invalid_grant",
        Class::Invalid if error.field().is_some() => "unsupported_grant_type",
        _ => "invalid_request",
    };
    let error = if is_wrong {
        Error::new(Code::InvalidRequest, "The e-mail address or the API key is wrong.")
    } else {
        error
    };
    fault::json(&error, |_, message| json!({ "error": name, "error_description": message }))
}
