//! Errors as apps read them: a status and one line of plain text.

use kernel::{Class, Code, Error};
use poem::http::{HeaderValue, StatusCode, header};
use poem::{IntoResponse, Response};

pub(super) fn response(error: &Error) -> Response {
    let status = status_of(error);
    if status.is_server_error() {
        tracing::warn!(error = error.report(), "failed to answer an app request");
    }
    let mut response = text(status, &error.message);
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
