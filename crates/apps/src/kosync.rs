//! Progress synchronization of `KOReader`, below `/kosync`. E-readers store their position in a document, and
//! read the position that another e-reader stored.
//!
//! The e-reader sends the account's e-mail address and the MD5 digest of its password. The password must be
//! an API key for apps, whose digest is stored when the key is created. MD5 does not protect a password that
//! a person chose, so account passwords are not accepted. Digests sent over plain HTTP are refused.

use std::sync::Arc;

use identity::caller::Caller;
use identity::keys::feed_apps::AppCredential;
use kernel::{Class, Code, Error, Scope};
use library::ReadingPosition;
use percent_encoding::percent_decode_str;
use poem::http::{Method, StatusCode};
use poem::{IntoResponse, Request, RequestBody, Response};
use serde_json::json;

use super::admission::{admit, is_plain};
use super::answers::json_answer;
use super::fault::{self, unknown_path};
use super::parameters::Parameters;
use http_kit::app::App;

/// Path prefix of the protocol.
const ROOT: &str = "/kosync";
/// Error code of the protocol for an unexpected error.
const UNKNOWN: u32 = 2000;
const UNAUTHORIZED: u32 = 2001;
const INVALID: u32 = 2003;
const NO_DOCUMENT: u32 = 2004;
const NO_REGISTRATION: u32 = 2005;

pub(super) async fn answer(
    app: &Arc<App>,
    request: &Request,
    body: &mut RequestBody,
    path: &str,
) -> Response {
    let path = path.strip_prefix(ROOT).unwrap_or(path).trim_end_matches('/');
    let answered = match (request.method(), path) {
        (&Method::GET, "/healthcheck") => json_answer(&json!({ "state": "OK" })),
        (&Method::POST, "/users/create") => Ok(registration_refused()),
        (&Method::GET, "/users/auth") => authorize(app, request).await,
        (&Method::PUT, "/syncs/progress") => put_progress(app, request, body).await,
        (&Method::GET, path) => match path.strip_prefix("/syncs/progress/") {
            Some(document) => get_progress(app, request, document).await,
            None => Err(unknown_path()),
        },
        _ => Err(unknown_path()),
    };
    answered.unwrap_or_else(|error| error_response(&error))
}

/// Returns the protocol's error for an account that cannot be created.
fn registration_refused() -> Response {
    let message = "Accounts are created on the pages of this server. Sign in with your e-mail address, and an API \
                   key with access for apps as the password.";
    let body = json!({ "code": NO_REGISTRATION, "message": message }).to_string();
    let response = body.with_content_type("application/json; charset=utf-8");
    response.with_status(StatusCode::PAYMENT_REQUIRED).into_response()
}

async fn authorize(app: &Arc<App>, request: &Request) -> Result<Response, Error> {
    caller_of(app, request, Scope::Read).await?;
    json_answer(&json!({ "authorized": "OK" }))
}

async fn put_progress(app: &Arc<App>, request: &Request, body: &mut RequestBody) -> Result<Response, Error> {
    let caller = caller_of(app, request, Scope::Write).await?;
    let sent = Parameters::of_object(request, body).await?;
    let text = |name: &str| sent.get(name).unwrap_or_default().to_owned();
    let percentage =
        sent.get("percentage").ok_or_else(|| Error::invalid_field("percentage", "is missing"))?;
    let fraction: f64 =
        percentage.parse().map_err(|_| Error::invalid_field("percentage", "must be a number"))?;
    let position = ReadingPosition {
        document: text("document"),
        progress: text("progress"),
        fraction,
        device: text("device"),
        device_id: text("device_id"),
    };
    let document = position.document.clone();
    let changed_at = library::put_reading_position(&app.domain, caller.account_id, position).await?;
    json_answer(&json!({ "document": document, "timestamp": changed_at / 1000 }))
}

/// Returns the stored position in a document. For an unknown document, returns an empty object, as e-readers
/// expect.
async fn get_progress(app: &Arc<App>, request: &Request, document: &str) -> Result<Response, Error> {
    let caller = caller_of(app, request, Scope::Read).await?;
    let document = percent_decode_str(document).decode_utf8().map_err(|_| unknown_path())?;
    let stored = library::get_reading_position(&app.domain, caller.account_id, &document).await?;
    let answer = match stored {
        Some((position, changed_at)) => json!({
            "document": position.document,
            "progress": position.progress,
            "percentage": position.fraction,
            "device": position.device,
            "device_id": position.device_id,
            "timestamp": changed_at / 1000,
        }),
        None => json!({}),
    };
    json_answer(&answer)
}

async fn caller_of(app: &Arc<App>, request: &Request, scope: Scope) -> Result<Caller, Error> {
    let header = |name: &str| request.header(name).filter(|value| !value.is_empty());
    let sent = header("x-auth-user").zip(header("x-auth-key")).filter(|_| !is_plain(app, request));
    let (email, digest) = sent.ok_or_else(|| Error::new(Code::MissingCredential, "Unauthorized"))?;
    let caller = admit(app, request, AppCredential::KeyDigest { email, digest }).await?;
    caller.require(scope)?;
    Ok(caller)
}

/// Returns an error response with the error code of the protocol.
fn error_response(error: &Error) -> Response {
    let number = match error.class() {
        Class::Unauthenticated => UNAUTHORIZED,
        Class::Invalid if error.field().is_some_and(|field| field.path.words() == "document") => NO_DOCUMENT,
        Class::Invalid => INVALID,
        _ => UNKNOWN,
    };
    fault::json(error, |_, message| json!({ "code": number, "message": message }))
}
