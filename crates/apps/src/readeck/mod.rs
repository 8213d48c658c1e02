//! The part of Readeck's API, below `/readeck/api/`, that apps need to save, list, read, and change bookmarks. A
//! bookmark is a library item. The token of an app is an API key, or the token that `POST auth` returns in exchange
//! for an API key.

mod bookmark;
mod bookmarks;
mod call;

use std::sync::Arc;

use identity::accounts;
use identity::keys::feed_apps::{self, AppCredential};
use kernel::{Code, Error, Scope, Secret, SecretKind, rfc3339};
use poem::http::{Method, StatusCode};
use poem::{IntoResponse, Request, RequestBody, Response};
use serde_json::json;

use self::call::{API, ReadeckCall, item_id};
use super::admission::{admit, credentials};
use super::answers::json_answer;
use super::book::epub_of;
use super::fault::{self, unknown_path};
use super::parameters::Parameters;
use http_kit::app::App;
use http_kit::http::conditional;

/// Readeck version whose API is implemented.
const VERSION: &str = "0.19.2";

pub(super) async fn answer(
    app: &Arc<App>,
    request: &Request,
    body: &mut RequestBody,
    path: &str,
) -> Response {
    let operation = path.strip_prefix(API).unwrap_or_default().trim_end_matches('/');
    let answered = match (request.method(), operation) {
        // Apps call this operation before they sign in.
        (&Method::GET, "info") => json_answer(&json!({
            "version": { "canonical": VERSION, "release": VERSION, "build": "" }, "features": []
        })),
        (&Method::POST, "auth") => sign_in(app, request, body).await,
        _ => call(app, request, body, operation).await,
    };
    answered.unwrap_or_else(|error| error_response(&error))
}

fn error_response(error: &Error) -> Response {
    let response =
        fault::json(error, |status, message| json!({ "status": status.as_u16(), "message": message }));
    fault::with_challenge(response, fault::BEARER)
}

/// `POST auth`: exchanges an e-mail address and an API key for a token.
async fn sign_in(app: &Arc<App>, request: &Request, body: &mut RequestBody) -> Result<Response, Error> {
    let sent = Parameters::of_object(request, body).await?;
    let (email, key) = (sent.get("username").unwrap_or_default(), sent.get("password").unwrap_or_default());
    let caller = admit(app, request, AppCredential::Password { email, key }).await?;
    let token = feed_apps::token(&app.domain, &caller, key).await?;
    let body = json!({ "id": caller.account_id.to_string(), "token": token.expose() }).to_string();
    let response = body.with_content_type("application/json; charset=utf-8");
    Ok(response.with_status(StatusCode::CREATED).into_response())
}

async fn call(
    app: &Arc<App>,
    request: &Request,
    body: &mut RequestBody,
    operation: &str,
) -> Result<Response, Error> {
    let sent = credentials(request, "Bearer").ok_or_else(missing_credential)?;
    let credential = match Secret::parse(sent, SecretKind::Key) {
        Some(_) => AppCredential::Key(sent),
        None => AppCredential::Token(sent),
    };
    let caller = admit(app, request, credential).await?;
    let in_body = Parameters::of_object(request, body).await?;
    let parameters = in_body.merged_with(Parameters::of_query(request)?);
    let call = ReadeckCall { app, caller, parameters, if_none_match: conditional::if_none_match(request) };
    let segments: Vec<&str> = operation.split('/').collect();
    if request.method() == Method::GET {
        call.caller.require(Scope::Read)?;
        let _permit = app.limit_long_answers(call.caller.account_id).await;
        return call.read(&segments).await;
    }
    call.caller.require(Scope::Write)?;
    call.write(request.method(), &segments).await
}

impl ReadeckCall<'_> {
    async fn read(&self, segments: &[&str]) -> Result<Response, Error> {
        match segments {
            ["profile"] => self.profile().await,
            ["bookmarks"] => self.list_bookmarks().await,
            ["bookmarks", id] => self.get_bookmark(item_id(id)?).await,
            ["bookmarks", id, "article"] => self.article(item_id(id)?).await,
            ["bookmarks", id, "article.epub"] => {
                let if_none_match = self.if_none_match.as_deref();
                epub_of(self.app, self.caller.account_id, item_id(id)?, if_none_match).await
            }
            _ => Err(unknown_path()),
        }
    }

    async fn write(&self, method: &Method, segments: &[&str]) -> Result<Response, Error> {
        match (method, segments) {
            (&Method::POST, ["bookmarks"]) => self.add_bookmark().await,
            (&Method::PATCH, ["bookmarks", id]) => self.change_bookmark(item_id(id)?).await,
            (&Method::DELETE, ["bookmarks", id]) => self.remove_bookmark(item_id(id)?).await,
            _ => Err(unknown_path()),
        }
    }

    async fn profile(&self) -> Result<Response, Error> {
        let account = accounts::get(&self.app.domain, self.caller.account_id).await?;
        let created_at = rfc3339(account.created_at);
        json_answer(&json!({
            "provider": { "name": "bearer token", "application": "api", "roles": [], "permissions": [] },
            "user": {
                "username": account.email, "email": account.email, "created": created_at,
                "updated": created_at, "settings": {},
            },
        }))
    }
}

fn missing_credential() -> Error {
    Error::new(Code::MissingCredential, "Send an API key as Authorization: Bearer …")
}
