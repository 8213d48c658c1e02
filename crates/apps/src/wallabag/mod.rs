//! wallabag's API, version 2, as `KOReader` and the apps for Android and iOS use it: a token endpoint, and
//! operations below `/api/`. An entry is a library item. An archived entry has the status `archive`, and a
//! starred entry has the tag `favorite`. Entries have numbers, because apps store numbers.

mod annotations;
mod call;
mod entries;
mod entry;
mod entry_list;
mod tags;
mod token;

use std::sync::Arc;

use identity::accounts;
use identity::keys::feed_apps::AppCredential;
use kernel::{Code, Error, Scope};
use poem::http::{Method, StatusCode};
use poem::{Request, RequestBody, Response};
use serde_json::{Value, json};

use self::call::{API, WallabagCall};
use super::admission::{admit, credentials};
use super::answers::json_answer;
use super::book::epub_of;
use super::fault::{self, unknown_path};
use super::parameters::Parameters;
use http_kit::app::App;
use http_kit::http::conditional;

/// wallabag version whose API is implemented. Apps use it to determine which operations are available.
const VERSION: &str = "2.6.9";

pub(super) async fn answer(
    app: &Arc<App>,
    request: &Request,
    body: &mut RequestBody,
    path: &str,
) -> Response {
    if path == token::PATH {
        return token::answer(app, request, body).await;
    }
    let path = path.strip_prefix(API).unwrap_or_default().trim_end_matches('/');
    let operation = path.strip_suffix(".json").unwrap_or(path);
    let answered = match operation {
        // Apps call these operations before they sign in.
        "version" => json_answer(&VERSION.into()),
        "info" => json_answer(&json!({
            "appname": "wallabag", "version": VERSION, "allowed_registration": false
        })),
        _ => answer_call(app, request, body, operation).await,
    };
    answered.unwrap_or_else(|error| error_response(&error))
}

fn error_response(error: &Error) -> Response {
    let response = fault::json(error, |status, message| {
        if status == StatusCode::UNAUTHORIZED {
            return json!({ "error": "invalid_grant", "error_description": message });
        }
        json!({ "error": { "code": status.as_u16(), "message": message } })
    });
    fault::with_challenge(response, fault::BEARER)
}

async fn answer_call(
    app: &Arc<App>,
    request: &Request,
    body: &mut RequestBody,
    operation: &str,
) -> Result<Response, Error> {
    let token = credentials(request, "Bearer").ok_or_else(missing_credential)?;
    let caller = admit(app, request, AppCredential::Token(token)).await?;
    let in_body = Parameters::of_object(request, body).await?;
    let parameters = in_body.merged_with(Parameters::of_query(request)?);
    let call = WallabagCall { app, caller, parameters, if_none_match: conditional::if_none_match(request) };
    if request.method() == Method::GET {
        call.caller.require(Scope::Read)?;
        let _permit = app.limit_long_answers(call.caller.account_id).await;
        return call.read(operation).await;
    }
    call.caller.require(Scope::Write)?;
    let value = call.write(request.method(), operation).await?;
    json_answer(&value)
}

impl WallabagCall<'_> {
    async fn read(&self, operation: &str) -> Result<Response, Error> {
        let segments: Vec<&str> = operation.split('/').collect();
        let value = match segments.as_slice() {
            ["user"] => self.user().await?,
            ["entries"] => self.list_entries().await?,
            ["entries", "exists"] => self.find_entries().await?,
            ["entries", number] => self.get_entry(number).await?,
            ["entries", number, "tags"] => self.tags_of_entry(number).await?,
            ["entries", number, file] => return self.export(number, file).await,
            ["annotations", number] => self.list_annotations(number).await?,
            ["tags"] => self.list_tags().await?,
            _ => return Err(unknown_path()),
        };
        json_answer(&value)
    }

    async fn write(&self, method: &Method, operation: &str) -> Result<Value, Error> {
        let segments: Vec<&str> = operation.split('/').collect();
        match (method, segments.as_slice()) {
            (&Method::POST, ["entries"]) => self.save_entry().await,
            (&Method::PATCH | &Method::PUT, ["entries", number]) => self.change_entry(number).await,
            (&Method::DELETE, ["entries", number]) => self.delete_entry(number).await,
            (&Method::PATCH, ["entries", number, "reload"]) => self.reload_entry(number).await,
            (&Method::POST, ["entries", number, "tags"]) => self.add_tags(number).await,
            (&Method::DELETE, ["entries", number, "tags", tag]) => self.remove_tag(number, tag).await,
            (&Method::POST, ["annotations", number]) => self.add_annotation(number).await,
            _ => Err(Error::new(Code::NotFound, "There is no such operation.")),
        }
    }

    /// `entries/NUMBER/export.epub`: an entry as an EPUB book. Other formats are refused.
    async fn export(&self, number: &str, file: &str) -> Result<Response, Error> {
        match file {
            "export.epub" => {
                let id = self.item_of(number).await?;
                epub_of(self.app, self.caller.account_id, id, self.if_none_match.as_deref()).await
            }
            name if name.starts_with("export.") => {
                Err(fault::malformed("Entries are exported as EPUB: export.epub."))
            }
            _ => Err(unknown_path()),
        }
    }

    async fn user(&self) -> Result<Value, Error> {
        let account = accounts::get(&self.app.domain, self.caller.account_id).await?;
        let created_at = entry::time(account.created_at);
        Ok(json!({
            "id": entry::USER_NUMBER,
            "username": account.email,
            "email": account.email,
            "name": account.email,
            "created_at": created_at,
            "updated_at": created_at,
            "default_client": null,
        }))
    }
}

fn missing_credential() -> Error {
    Error::new(Code::MissingCredential, "Sign in at /oauth/v2/token and send Authorization: Bearer …")
}
