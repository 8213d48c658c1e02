//! `POST /oauth/v2/token`: exchanges an e-mail address and an API key for a bearer token.
//!
//! The API key is the only secret. In wallabag, client id and client secret identify an app that a user
//! registered. Carrel has no such registration and accepts any values. The token is valid as long as its key.
//! A refresh returns the same token.

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

/// Path of the token endpoint.
pub(super) const PATH: &str = "/oauth/v2/token";
/// Time in seconds after which an app requests its token again.
const EXPIRES_IN: u32 = 3_600;

pub(super) async fn answer(app: &Arc<App>, request: &Request, body: &mut RequestBody) -> Response {
    // A password in the query is refused, because queries are stored in logs and browser histories.
    if request.method() != Method::POST || request.uri().query().is_some() {
        let text = "Send grant_type, username and password in the body of a POST request.";
        let response = fault::text(StatusCode::METHOD_NOT_ALLOWED, text);
        return response.with_header(header::ALLOW, "POST").into_response();
    }
    let answered = match Parameters::of_object(request, body).await {
        Ok(parameters) => grant(app, request, &parameters).await.and_then(|token| json_answer(&token)),
        Err(error) => Err(error),
    };
    answered.unwrap_or_else(error_response)
}

async fn grant(app: &Arc<App>, request: &Request, parameters: &Parameters) -> Result<Value, Error> {
    let of = |name: &str| parameters.get(name).unwrap_or_default();
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

/// Returns an error in the format of OAuth 2. A wrong password is reported as `invalid_grant` with status
/// 400.
fn error_response(error: Error) -> Response {
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
