//! Error responses for apps: a status with one line of plain text, or with the JSON of a protocol.

use kernel::{Class, Code, Error};
use poem::http::{HeaderValue, StatusCode, header};
use poem::{IntoResponse, Response};
use serde_json::Value;

/// Challenge for protocols whose apps send a token.
pub(super) const BEARER: &str = "Bearer realm=\"Carrel\"";

pub(super) fn response(error: &Error) -> Response {
    render(error, text(status_of(error), &error.message))
}

/// Returns an error response in JSON. `body` builds the JSON from the status and the message.
pub(super) fn json(error: &Error, body: impl FnOnce(StatusCode, &str) -> Value) -> Response {
    let status = status_of(error);
    let text = body(status, &error.message).to_string();
    let response = text.with_content_type("application/json; charset=utf-8").with_status(status);
    render(error, response.into_response())
}

/// Adds `WWW-Authenticate` to a response that requests a credential.
pub(super) fn with_challenge(mut response: Response, challenge: &'static str) -> Response {
    if response.status() == StatusCode::UNAUTHORIZED {
        response.headers_mut().insert(header::WWW_AUTHENTICATE, HeaderValue::from_static(challenge));
    }
    response
}

/// Returns the error for a path that does not exist in a protocol.
pub(super) fn unknown_path() -> Error {
    Error::new(Code::NotFound, "There is nothing at this address.")
}

/// Completes an error response, and logs errors of the server.
fn render(error: &Error, mut response: Response) -> Response {
    if response.status().is_server_error() {
        tracing::warn!(error = error.report(), "failed to answer an app request");
    }
    if let Some(seconds) = error.retry_after
        && let Ok(value) = HeaderValue::from_str(&seconds.to_string())
    {
        response.headers_mut().insert(header::RETRY_AFTER, value);
    }
    response
}

pub(super) fn text(status: StatusCode, text: &str) -> Response {
    text.to_owned().with_content_type("text/plain; charset=utf-8").with_status(status).into_response()
}

pub(super) fn malformed(message: &str) -> Error {
    Error::new(Code::InvalidRequest, message)
}

fn status_of(error: &Error) -> StatusCode {
    match error.class() {
        Class::NotFound => StatusCode::NOT_FOUND,
        Class::Invalid | Class::Unreadable => StatusCode::BAD_REQUEST,
        Class::Unauthenticated => StatusCode::UNAUTHORIZED,
        Class::Forbidden => StatusCode::FORBIDDEN,
        Class::Conflict => StatusCode::CONFLICT,
        Class::Gone => StatusCode::GONE,
        Class::Limited => StatusCode::TOO_MANY_REQUESTS,
        Class::Upstream => StatusCode::BAD_GATEWAY,
        Class::Unavailable | Class::Internal => StatusCode::SERVICE_UNAVAILABLE,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn challenge_is_sent_only_with_a_response_that_requests_a_credential() {
        let challenge_of = |code: Code| {
            let answer = with_challenge(response(&Error::new(code, "Refused.")), BEARER);
            answer.header(header::WWW_AUTHENTICATE).map(str::to_owned)
        };
        assert_eq!(challenge_of(Code::MissingCredential).as_deref(), Some(BEARER));
        assert_eq!(challenge_of(Code::InvalidRequest), None);
        assert_eq!(with_challenge(response(&unknown_path()), BEARER).status(), StatusCode::NOT_FOUND);
    }
}
