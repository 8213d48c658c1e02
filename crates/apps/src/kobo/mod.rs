//! The part of Kobo's store API that a device needs if its `api_endpoint` is `/kobo/TOKEN`. The device
//! receives items that have a text and are not archived as books, and sends its reading progress. The token
//! belongs to an API key. The other tokens that devices request are constants, because they authenticate
//! nothing.

mod book;
mod call;
mod sync;

use std::sync::Arc;

use identity::keys::feed_apps::AppCredential;
use kernel::{Error, Scope};
use library::{ItemChanges, ItemStatus, change_all, open};
use poem::http::{HeaderName, HeaderValue, Method, StatusCode};
use poem::{IntoResponse, Request, RequestBody, Response};
use serde_json::{Value, json};

use self::book::{metadata, reading_state};
use self::call::{KoboCall, ROOT, item_id};
use super::admission::admit;
use super::answers::json_answer;
use super::book::epub_of;
use super::fault::{self, unknown_path};
use http_kit::app::App;
use http_kit::http::conditional;

pub(super) async fn answer(
    app: &Arc<App>,
    request: &Request,
    body: &mut RequestBody,
    path: &str,
) -> Response {
    call(app, request, body, path).await.unwrap_or_else(|error| {
        fault::json(&error, |status, message| json!({ "Code": status.as_u16(), "Message": message }))
    })
}

async fn call(
    app: &Arc<App>,
    request: &Request,
    body: &mut RequestBody,
    path: &str,
) -> Result<Response, Error> {
    let (token, rest) =
        path.strip_prefix(ROOT).and_then(|path| path.split_once('/')).ok_or_else(unknown_path)?;
    let caller = admit(app, request, AppCredential::Token(token)).await?;
    let address = format!("{}{ROOT}{token}", app.settings.origins.base);
    let call = KoboCall { app, caller, address };
    let segments: Vec<&str> = rest.trim_end_matches('/').split('/').collect();
    match (request.method(), segments.as_slice()) {
        (&Method::PUT, ["v1", "library", _, "state"]) => {
            call.caller.require(Scope::Write)?;
            call.put_state(request, body).await
        }
        (&Method::DELETE, ["v1", "library", id]) => {
            call.caller.require(Scope::Write)?;
            call.archive(id).await
        }
        (method, segments) => {
            call.caller.require(Scope::Read)?;
            let _permit = app.limit_long_answers(call.caller.account_id).await;
            call.read(request, method, segments).await
        }
    }
}

impl KoboCall<'_> {
    async fn read(&self, request: &Request, method: &Method, segments: &[&str]) -> Result<Response, Error> {
        let (domain, account_id) = (&self.app.domain, self.caller.account_id);
        match (method, segments) {
            (&Method::GET, ["v1", "initialization"]) => self.initialization(),
            (&Method::POST, ["v1", "auth", "device" | "refresh"]) => json_answer(&self.device_tokens()),
            (&Method::GET, ["v1", "library", "sync"]) => self.sync(request).await,
            (&Method::GET, ["v1", "library", id, "metadata"]) => {
                let item = open(domain, account_id, item_id(id)?).await?;
                json_answer(&json!([metadata(&self.address, &item)]))
            }
            (&Method::GET, ["v1", "library", id, "state"]) => {
                let item = open(domain, account_id, item_id(id)?).await?;
                json_answer(&json!([reading_state(&item)]))
            }
            (&Method::GET, ["v1", "books", id, "file.epub"]) => {
                let if_none_match = conditional::if_none_match(request);
                epub_of(self.app, account_id, item_id(id)?, if_none_match.as_deref()).await
            }
            (&Method::POST, ["v1", "analytics", "gettests"]) => {
                json_answer(&json!({ "Result": "Success", "TestKey": "", "Tests": {} }))
            }
            // Parts of the store that Carrel does not implement. Without a response, devices stop
            // synchronizing.
            (_, ["v1", "user" | "analytics" | "deals" | "affiliate" | "products" | "configuration", ..]) => {
                json_answer(&json!({}))
            }
            _ => Err(unknown_path()),
        }
    }

    /// Returns the URLs that a device uses instead of those of the store.
    fn initialization(&self) -> Result<Response, Error> {
        let at = |path: &str| format!("{}/v1/{path}", self.address);
        let image = at("books/{ImageId}/thumbnail/{Width}/{Height}/false/image.jpg");
        let image_of_quality =
            at("books/{ImageId}/thumbnail/{Width}/{Height}/{Quality}/{IsGreyscale}/image.jpg");
        let resources = json!({
            "affiliaterequest": at("affiliate"),
            "configuration_data": at("configuration"),
            "delete_entitlement": at("library/{Ids}"),
            "device_auth": at("auth/device"),
            "device_refresh": at("auth/refresh"),
            "get_tests_request": at("analytics/gettests"),
            "image_host": self.app.settings.origins.base.as_str(),
            "image_url_quality_template": image_of_quality,
            "image_url_template": image,
            "library_metadata": at("library/{Ids}/metadata"),
            "library_sync": at("library/sync"),
            "post_analytics_event": at("analytics/event"),
            "reading_state": at("library/{Ids}/state"),
            "user_loyalty_benefits": at("user/loyalty/benefits"),
            "user_profile": at("user/profile"),
            "user_wishlist": at("user/wishlist"),
        });
        let mut response = json_answer(&json!({ "Resources": resources }))?;
        // Empty JSON object in Base64, which devices expect.
        let header = (HeaderName::from_static("x-kobo-apitoken"), HeaderValue::from_static("e30="));
        response.headers_mut().insert(header.0, header.1);
        Ok(response)
    }

    fn device_tokens(&self) -> Value {
        let account = self.caller.account_id.to_string();
        json!({
            "AccessToken": "carrel",
            "RefreshToken": "carrel",
            "TokenType": "Bearer",
            "TrackingId": account,
            "UserKey": account,
        })
    }

    /// `DELETE library/ID`: archives a book that the user removed from a device.
    async fn archive(&self, id: &str) -> Result<Response, Error> {
        let changes = ItemChanges { status: Some(ItemStatus::Archive), ..ItemChanges::default() };
        change_all(&self.app.domain, self.caller.account_id, &[item_id(id)?], &changes).await?;
        Ok(StatusCode::NO_CONTENT.into_response())
    }
}
