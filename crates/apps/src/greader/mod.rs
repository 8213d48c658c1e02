//! The Google Reader API as current servers and apps implement it. `ClientLogin` exchanges an e-mail address
//! and an API key for a token. Operations are below `/reader/api/0/`, and streams as Atom documents below
//! `/reader/atom/`. Labels are collections, and starring an entry saves it to the library.

mod atom;
mod call;
mod edit;
mod item_id;
mod items;
mod login;
mod stream_id;
mod streams;
mod subscriptions;
mod tags;

use std::sync::Arc;

use identity::accounts;
use identity::keys::feed_apps::{AppCredential, action_token};
use kernel::{Code, Error, Scope};
use poem::http::{HeaderName, Method, StatusCode, header};
use poem::{IntoResponse, Request, RequestBody, Response};
use serde_json::json;

use self::call::GReaderCall;
use super::admission::{admit, credentials};
use super::answers::{json_answer, plain};
use super::fault;
use super::parameters::Parameters;
use http_kit::app::App;

/// Path prefix of the operations.
const API: &str = "/reader/api/0/";
/// Name of the operation whose body is an OPML document.
const IMPORT: &str = "subscription/import";
/// Name of the operation whose response may be of any length.
const CONTENTS: &str = "stream/items/contents";
/// Path prefix of streams as Atom documents.
const ATOM: &str = "/reader/atom/";

pub(super) async fn answer(
    app: &Arc<App>,
    request: &Request,
    body: &mut RequestBody,
    path: &str,
) -> Response {
    let target = match path.strip_prefix(ATOM) {
        Some(stream) => Some(RequestTarget::Atom(stream)),
        None => path.strip_prefix(API).map(|rest| RequestTarget::Operation(rest.trim_end_matches('/'))),
    };
    let answered = match target {
        Some(target) => call(app, request, body, target).await,
        None if path.trim_end_matches('/') == "/accounts/ClientLogin" => {
            login::sign_in(app, request, body).await
        }
        None => return fault::text(StatusCode::NOT_FOUND, "Not found"),
    };
    answered.unwrap_or_else(|error| error_response(&error))
}

/// Target of a request path.
#[derive(Clone, Copy)]
enum RequestTarget<'a> {
    /// An operation, by name.
    Operation(&'a str),
    /// A stream, by name, to be returned as an Atom document.
    Atom(&'a str),
}

fn error_response(error: &Error) -> Response {
    fault::with_challenge(fault::response(error), "GoogleLogin realm=\"carrel\"")
}

async fn call(
    app: &Arc<App>,
    request: &Request,
    body: &mut RequestBody,
    target: RequestTarget<'_>,
) -> Result<Response, Error> {
    let token = token_of(request).ok_or_else(missing_credential)?;
    let caller = admit(app, request, AppCredential::Token(token)).await?;
    let in_body = match target {
        RequestTarget::Operation(IMPORT) => Parameters::default(),
        RequestTarget::Operation(_) | RequestTarget::Atom(_) => Parameters::of_body(request, body).await?,
    };
    let parameters = in_body.merged_with(Parameters::of_query(request)?);
    // An app that has no token may omit it, or send the null value of its programming language as text. Reeder
    // sends `x`.
    let is_wrong =
        |sent: &str| !matches!(sent, "" | "x" | "null" | "undefined") && sent != action_token(token);
    if request.method() == Method::POST && parameters.get("T").map(str::trim).is_some_and(is_wrong) {
        return Ok(bad_action_token());
    }
    let call = GReaderCall { app, caller, parameters };
    let operation = match target {
        RequestTarget::Atom(stream) => {
            call.caller.require(Scope::Read)?;
            let _permit = app.limit_long_answers(call.caller.account_id).await;
            return call.stream_atom(stream).await;
        }
        RequestTarget::Operation("token") => return Ok(plain(action_token(token))),
        RequestTarget::Operation(operation) => operation,
    };
    if is_write(operation) {
        if request.method() != Method::POST {
            let allow = (header::ALLOW, "POST");
            return Ok(StatusCode::METHOD_NOT_ALLOWED.with_header(allow.0, allow.1).into_response());
        }
        call.caller.require(Scope::Write)?;
        return match operation {
            IMPORT => call.import_subscriptions(request, body).await,
            _ => call.answer(operation).await,
        };
    }
    call.caller.require(Scope::Read)?;
    if operation == CONTENTS {
        // Takes a permit for each part of the list.
        return call.item_contents().await;
    }
    let _permit = app.limit_long_answers(call.caller.account_id).await;
    call.answer(operation).await
}

/// Returns true if the operation changes data.
fn is_write(operation: &str) -> bool {
    matches!(
        operation,
        "subscription/edit"
            | "subscription/quickadd"
            | IMPORT
            | "edit-tag"
            | "rename-tag"
            | "disable-tag"
            | "mark-all-as-read"
    )
}

impl GReaderCall<'_> {
    async fn answer(&self, operation: &str) -> Result<Response, Error> {
        match operation {
            "user-info" => self.user_info().await,
            "subscription/list" => self.list_subscriptions().await,
            "subscription/export" => self.export_subscriptions().await,
            "subscribed" => self.is_subscribed().await,
            "subscription/edit" => self.edit_subscriptions().await,
            "subscription/quickadd" => self.quick_add().await,
            "tag/list" => self.list_tags().await,
            "rename-tag" => self.rename_tag().await,
            "disable-tag" => self.disable_tag().await,
            "unread-count" => self.unread_counts().await,
            "stream/items/ids" => self.item_ids().await,
            "stream/items/count" => self.item_count().await,
            "stream/contents" => self.stream_contents(None).await,
            "edit-tag" => self.edit_tags().await,
            "mark-all-as-read" => self.mark_all_as_read().await,
            "preference/list" => json_answer(&preferences()),
            "preference/stream/list" => json_answer(&json!({ "streamprefs": {} })),
            other => match other.strip_prefix("stream/contents/") {
                Some(stream) => self.stream_contents(Some(stream)).await,
                None => Ok(fault::text(StatusCode::NOT_FOUND, "Not found")),
            },
        }
    }

    async fn user_info(&self) -> Result<Response, Error> {
        let account = accounts::get(&self.app.domain, self.caller.account_id).await?;
        // Apps expect a number.
        let number = (self.caller.account_id.as_u128() % 1_000_000_000_000_000_000).to_string();
        json_answer(&json!({
            "userId": number,
            "userName": account.email,
            "userProfileId": number,
            "userEmail": account.email,
        }))
    }
}

/// Returns the preferences that old apps request: folders are sorted by name.
fn preferences() -> serde_json::Value {
    let order = json!({ "subscriptions": { "ssa": "true" } }).to_string();
    json!({ "prefs": [{ "id": "lhn-prefs", "value": order }] })
}

/// Returns the token of an `Authorization: GoogleLogin auth=…` header.
fn token_of(request: &Request) -> Option<&str> {
    let (name, token) = credentials(request, "GoogleLogin")?.split_once('=')?;
    name.trim().eq_ignore_ascii_case("auth").then(|| token.trim())
}

/// Returns the response that makes an app fetch a new action token.
fn bad_action_token() -> Response {
    fault::text(StatusCode::UNAUTHORIZED, "The action token is not valid for this session. Fetch a new one.")
        .with_header(HeaderName::from_static("x-reader-google-bad-token"), "true")
        .into_response()
}

fn missing_credential() -> Error {
    Error::new(
        Code::MissingCredential,
        "Sign in at /accounts/ClientLogin and send Authorization: GoogleLogin auth=…",
    )
}
