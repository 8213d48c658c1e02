//! The Nextcloud News API, versions 1-2 and 1-3, below `/index.php/apps/news/api/`. Apps send the e-mail
//! address and an API key with Basic authentication. Folders are the account's own collections, items are
//! entries, and starring an item saves it to the library. Both versions have the same operations. They differ
//! in how an app names the items to star, and in the methods of changes; each form is accepted in both.

mod call;
mod feed_list;
mod folders;
mod item;
mod item_list;
mod items;
mod marks;

use std::sync::Arc;

use identity::accounts;
use identity::keys::feed_apps::AppCredential;
use kernel::{Class, Code, Error, Scope};
use poem::http::{Method, StatusCode};
use poem::{Request, RequestBody, Response};
use serde_json::{Value, json};

use self::call::{NewsCall, empty_response, id_in_path};
use self::marks::MarkChange;
use super::admission::{admit, basic_credentials};
use super::answers::json_answer;
use super::fault::{self, unknown_path};
use super::parameters::Parameters;
use http_kit::app::App;

/// Path at which apps request the versions.
const VERSIONS: &str = "/index.php/apps/news/api";
/// Path prefixes of the versions.
const ROOTS: [&str; 2] = ["/index.php/apps/news/api/v1-2/", "/index.php/apps/news/api/v1-3/"];
/// Version of Nextcloud News whose API is implemented. Apps use it to determine which operations are available.
const VERSION: &str = "25.0.0";
const CHALLENGE: &str = "Basic realm=\"Carrel\"";

pub(super) async fn answer(
    app: &Arc<App>,
    request: &Request,
    body: &mut RequestBody,
    path: &str,
) -> Response {
    if path.trim_end_matches('/') == VERSIONS && request.method() == Method::GET {
        // Apps call this operation before they sign in.
        let versions = json_answer(&json!({ "apiLevels": ["v1-2", "v1-3"] }));
        return versions.unwrap_or_else(|error| error_response(&error));
    }
    call(app, request, body, path).await.unwrap_or_else(|error| error_response(&error))
}

fn error_response(error: &Error) -> Response {
    let response = fault::json(error, |_, message| json!({ "message": message }));
    fault::with_challenge(response, CHALLENGE)
}

async fn call(
    app: &Arc<App>,
    request: &Request,
    body: &mut RequestBody,
    path: &str,
) -> Result<Response, Error> {
    let operation = ROOTS.iter().find_map(|root| path.strip_prefix(root)).ok_or_else(unknown_path)?;
    let credentials = basic_credentials(request);
    let (email, key) = credentials
        .as_ref()
        .map(|(email, key)| (email.as_str(), key.as_str()))
        .ok_or_else(missing_credential)?;
    let caller = admit(app, request, AppCredential::Password { email, key }).await?;
    let parameters = Parameters::of_object(request, body).await?.merged_with(Parameters::of_query(request)?);
    let call = NewsCall { app, caller, parameters };
    let segments: Vec<&str> = operation.trim_end_matches('/').split('/').collect();
    if request.method() == Method::GET {
        call.caller.require(Scope::Read)?;
        return call.read(&segments).await;
    }
    call.caller.require(Scope::Write)?;
    call.write(request.method(), &segments).await
}

impl NewsCall<'_> {
    async fn read(&self, segments: &[&str]) -> Result<Response, Error> {
        let value = match segments {
            ["version"] => json!({ "version": VERSION }),
            ["status"] => json!({
                "version": VERSION,
                "warnings": { "improperlyConfiguredCron": false, "incorrectDbCharset": false },
            }),
            ["user"] => self.user().await?,
            ["folders"] => self.list_folders().await?,
            ["feeds"] => self.list_feeds().await?,
            ["items"] => return self.list_items().await,
            ["items", "updated"] => return self.list_updated_items().await,
            _ => return Err(unknown_path()),
        };
        json_answer(&value)
    }

    async fn write(&self, method: &Method, segments: &[&str]) -> Result<Response, Error> {
        match (method, segments) {
            (&Method::POST, ["folders"]) => {
                Ok(self.create_folder().await.unwrap_or_else(|error| invalid_as_422(&error)))
            }
            (&Method::POST, ["feeds"]) => {
                Ok(self.create_feed().await.unwrap_or_else(|error| invalid_as_422(&error)))
            }
            (&Method::PUT, ["folders", id]) => {
                Ok(self.rename_folder(id_in_path(id)?).await.unwrap_or_else(|error| invalid_as_422(&error)))
            }
            (&Method::DELETE, ["folders", id]) => self.delete_folder(id_in_path(id)?).await,
            (&Method::DELETE, ["feeds", id]) => self.delete_feed(id_in_path(id)?).await,
            (&Method::PUT | &Method::POST, _) => self.change(segments).await,
            _ => Err(unknown_path()),
        }
    }

    /// Handles the operations that are PUT in version 1-2 and POST in version 1-3.
    async fn change(&self, segments: &[&str]) -> Result<Response, Error> {
        match segments {
            ["folders", id, "read"] => self.mark_folder(id_in_path(id)?).await?,
            ["feeds", id, "read"] => self.mark_feed(id_in_path(id)?).await?,
            ["feeds", id, "move"] => self.move_feed(id_in_path(id)?).await?,
            ["feeds", id, "rename"] => self.rename_feed(id_in_path(id)?).await?,
            ["items", "read"] => self.mark_all().await?,
            ["items", state, "multiple"] => {
                self.mark_items(MarkChange::parse(state).ok_or_else(unknown_path)?).await?;
            }
            ["items", id, state] => {
                let change = MarkChange::parse(state).ok_or_else(unknown_path)?;
                self.mark_item(id_in_path(id)?, change).await?;
            }
            ["items", feed_id, guid_hash, state] => {
                let change = MarkChange::parse(state).ok_or_else(unknown_path)?;
                self.mark_guid(id_in_path(feed_id)?, guid_hash, change).await?;
            }
            _ => return Err(unknown_path()),
        }
        empty_response()
    }

    async fn user(&self) -> Result<Value, Error> {
        let account = accounts::get(&self.app.domain, self.caller.account_id).await?;
        Ok(json!({
            "userId": account.email,
            "displayName": account.email,
            "lastLoginTimestamp": self.app.domain.now() / 1000,
            "avatar": null,
        }))
    }
}

/// Returns an error response. As in Nextcloud News, values that cannot be accepted have status 422.
fn invalid_as_422(error: &Error) -> Response {
    let mut response = error_response(error);
    if matches!(error.class(), Class::Invalid | Class::Unreadable) {
        response.set_status(StatusCode::UNPROCESSABLE_ENTITY);
    }
    response
}

fn missing_credential() -> Error {
    Error::new(Code::MissingCredential, "Sign in with your e-mail address and an API key as the password.")
}
