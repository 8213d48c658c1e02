//! The account operation and the operations on keys.

mod schema;

use std::sync::Arc;

use identity::caller::Credential;
use identity::keys::{self, AppAccess, NewKey};
use kernel::bounds::{KEY_DAYS, KEY_NAME_CHARS};
use kernel::{Code, KeyId, Scopes};
use poem::web::Data;
use poem_openapi::param::Path;
use poem_openapi::payload::Json;
use poem_openapi::{ApiResponse, Enum, OpenApi};

use self::schema::{AccountCapabilities, ApiKey, ApiKeyCreated, ApiKeyList};
use super::answers::{Errors, NoContent, Single};
use super::authorize::{Authorized, Read};
use super::body::Body;
use super::error::ApiError;
use super::tag::Tag;
use http_kit::app::App;
use http_kit::http::params::{Integer, Text};
use http_kit::http::request::request;
use http_kit::http::value::{List, words};

/// The account and its keys.
pub(super) struct AccountApi;

/// A key was created.
#[derive(ApiResponse)]
pub enum KeyCreated {
    /// The key and its text, which is shown here and never again.
    #[oai(status = 201)]
    Created(Json<ApiKeyCreated>),
}

/// What a key may be used for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum)]
pub(super) enum ApiScope {
    /// Reading.
    #[oai(rename = "svc:read")]
    Read,
    /// Reading and changing.
    #[oai(rename = "svc:write")]
    Write,
}

words!(ApiScope);

request! {
    /// A key to create.
    pub(super) struct ApiKeyRequest in camelCase {
        /// What to call it.
        name: Text<1, KEY_NAME_CHARS> = "laptop",
        /// `svc:read`, `svc:write`, or both (the default).
        scopes: List<ApiScope, 1, 2> = ["svc:read"] => List(vec![ApiScope::Read, ApiScope::Write]),
        /// Days until it expires. Default: it does not expire.
        expires_in_days: Option<Integer<1, { KEY_DAYS as i64 }>> = 90,
    }
}

#[OpenApi(tag = "Tag::Account")]
impl AccountApi {
    /// Get account capabilities
    ///
    /// The plan, every limit of it, and how much of the counted limits is in use.
    #[oai(path = "/v1/me", method = "get", operation_id = "getAccountCapabilities")]
    async fn me(
        &self,
        caller: Authorized<Read>,
        app: Data<&Arc<App>>,
    ) -> Result<Single<AccountCapabilities>, ApiError> {
        let caller = caller.0;
        let capabilities =
            application::capabilities::capabilities(&app.domain, caller.account_id, caller.tier).await?;
        Ok(Single::of(capabilities.into()))
    }

    /// List API keys
    ///
    /// All keys of the account that are not revoked, newest first, without their texts.
    #[oai(path = "/v1/keys", method = "get", operation_id = "listApiKeys")]
    async fn list(
        &self,
        caller: Authorized<Read>,
        app: Data<&Arc<App>>,
    ) -> Result<Json<ApiKeyList>, ApiError> {
        let keys = keys::list(&app.domain, caller.0.account_id).await?;
        Ok(Json(ApiKeyList { keys: keys.into_iter().map(ApiKey::from).collect() }))
    }

    /// Create an API key
    ///
    /// Only the signed-in person may, in a browser; keys and tokens may not make keys. The text of the key
    /// is in the answer and is not shown again.
    #[oai(path = "/v1/keys", method = "post", operation_id = "createApiKey")]
    async fn create(
        &self,
        caller: Authorized<Read>,
        app: Data<&Arc<App>>,
        body: Body<ApiKeyRequest>,
    ) -> Result<KeyCreated, Errors<422>> {
        caller.0.require_session()?;
        let (key, secret) = keys::create(&app.domain, caller.0.account_id, body.0.into()).await?;
        let made = ApiKeyCreated { key: key.into(), secret: secret.expose().to_owned() };
        Ok(KeyCreated::Created(Json(made)))
    }

    /// Revoke an API key
    ///
    /// At once and for good. The signed-in person may revoke any key; a key may revoke itself, by its id or
    /// as `self`.
    #[oai(path = "/v1/keys/:id", method = "delete", operation_id = "revokeApiKey")]
    async fn revoke(
        &self,
        caller: Authorized<Read>,
        app: Data<&Arc<App>>,
        /// The key's id, or `self` for the key that this request is sent with.
        #[oai(example = "own_key")]
        id: Path<String>,
    ) -> Result<NoContent, Errors<404>> {
        let caller = caller.0;
        let id = match (id.0.as_str(), caller.credential) {
            ("self", Credential::Key(own)) => own,
            (text, credential) => {
                let id = text.parse::<KeyId>().map_err(|_| unknown_key())?;
                if credential != Credential::Key(id) {
                    caller.require_session()?;
                }
                id
            }
        };
        keys::revoke(&app.domain, caller.account_id, id).await?;
        Ok(NoContent::Done)
    }
}

/// The key in the examples.
fn own_key() -> String {
    "self".to_owned()
}

fn unknown_key() -> ApiError {
    ApiError::new(Code::NotFound, "There is no such key.")
}

impl From<ApiKeyRequest> for NewKey {
    fn from(request: ApiKeyRequest) -> Self {
        let has = |scope| request.scopes.0.contains(&scope);
        let scopes = match (has(ApiScope::Read), has(ApiScope::Write)) {
            (true, true) => Scopes::ALL,
            (false, true) => Scopes::WRITE,
            (_, false) => Scopes::READ,
        };
        let expires_in_days = request.expires_in_days.map(Integer::get);
        Self { name: request.name.0, scopes, expires_in_days, app_access: AppAccess::KeyOnly }
    }
}
