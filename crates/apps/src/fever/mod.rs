//! The Fever API. It has one URL. The body contains a digest of e-mail address and key, and the names of the
//! parameters select the content. If the digest is wrong, the response is `auth: 0` with status 200.

mod call;
mod favicons;
mod groups;
mod items;
mod marks;

use std::sync::Arc;

use identity::keys::feed_apps::AppCredential;
use kernel::{Class, Error, Scope};
use poem::{Request, RequestBody, Response};
use serde_json::{Map, Value, json};

use self::call::FeverCall;
use super::admission::{admit, is_plain};
use super::answers::json_answer;
use super::fault;
use super::parameters::Parameters;
use http_kit::app::App;

/// Version of the protocol.
const VERSION: u32 = 3;

pub(super) async fn answer(app: &Arc<App>, request: &Request, body: &mut RequestBody) -> Response {
    call(app, request, body).await.unwrap_or_else(|error| fault::response(&error))
}

async fn call(app: &Arc<App>, request: &Request, body: &mut RequestBody) -> Result<Response, Error> {
    let parameters = Parameters::of_body(request, body).await?;
    // Both are ignored: digests in a query, because queries are logged, and digests sent over plain HTTP,
    // because third parties may have read them.
    let digest = parameters.get("api_key").filter(|_| !is_plain(app, request));
    let Some(digest) = digest else { return unauthenticated() };
    let caller = match admit(app, request, AppCredential::Digest(digest)).await {
        Ok(caller) if caller.scopes.allow(Scope::Read) => caller,
        Ok(_) => return unauthenticated(),
        Err(error) if error.class() == Class::Unauthenticated => return unauthenticated(),
        Err(error) => return Err(error),
    };
    let _permit = app.limit_long_answers(caller.account_id).await;
    let call = FeverCall { app, caller, parameters: parameters.merged_with(Parameters::of_query(request)?) };
    call.answer().await
}

fn unauthenticated() -> Result<Response, Error> {
    json_answer(&json!({ "api_version": VERSION, "auth": 0 }))
}

impl FeverCall<'_> {
    /// Applies the changes, then returns the requested content.
    async fn answer(&self) -> Result<Response, Error> {
        let mut answer = Map::new();
        answer.insert("api_version".into(), VERSION.into());
        answer.insert("auth".into(), 1.into());
        let refreshed = feeds::last_refreshed(&self.app.domain, self.caller.account_id).await?;
        answer.insert("last_refreshed_on_time".into(), (refreshed / 1000).to_string().into());
        if self.parameters.has("mark") && self.caller.scopes.allow(Scope::Write) {
            self.mark().await?;
        }
        let requested = |name: &str| self.parameters.has(name);
        let is_marked = |state: &str| requested("mark") && self.parameters.get("as") == Some(state);
        if requested("groups") || requested("feeds") {
            self.add_feeds(&mut answer).await?;
        }
        if requested("favicons") {
            answer.insert("favicons".into(), self.favicons().await?.into());
        }
        if requested("items") {
            self.add_items(&mut answer).await?;
        }
        if requested("links") {
            answer.insert("links".into(), Value::Array(Vec::new()));
        }
        if requested("unread_item_ids") || is_marked("read") || is_marked("unread") {
            answer.insert("unread_item_ids".into(), self.unread_ids().await?.into());
        }
        if requested("saved_item_ids") || is_marked("saved") || is_marked("unsaved") {
            answer.insert("saved_item_ids".into(), self.saved_ids().await?.into());
        }
        json_answer(&answer.into())
    }
}
