//! Operations on the account and its API keys.

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

use self::schema::{AccountCapabilities, ApiKeyCreated, ApiKeyList, ApiKeyResponse};
use super::answers::{Errors, NoContent, Single};
use super::authorize::{Authorized, Read};
use super::body::Body;
use super::error::ApiError;
use super::tag::ApiTag;
use http_kit::app::App;
use http_kit::http::params::{Integer, Text};
use http_kit::http::request::request;
use http_kit::http::value::{List, words};

pub(super) struct AccountApi;

#[derive(ApiResponse)]
pub enum KeyCreated {
    /// The new key with its secret. The secret is returned only in this response.
    #[oai(status = 201)]
    Created(Json<ApiKeyCreated>),
}

/// Permission of an API key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum)]
pub(super) enum ApiScope {
    /// Read access.
    #[oai(rename = "svc:read")]
    Read,
    /// Read and write access.
    #[oai(rename = "svc:write")]
    Write,
}

words!(ApiScope);

request! {
    /// API key to create.
    pub(super) struct ApiKeyRequest in camelCase {
        /// Display name of the key.
        name: Text<1, KEY_NAME_CHARS> = "laptop",
        /// `svc:read`, `svc:write`, or both. Default: both.
        scopes: List<ApiScope, 1, 2> = ["svc:read"] => List(vec![ApiScope::Read, ApiScope::Write]),
        /// Days until the key expires. Default: never.
        expires_in_days: Option<Integer<1, { KEY_DAYS as i64 }>> = 90,
    }
}

#[OpenApi(tag = "ApiTag::Account")]
impl AccountApi {
    /// Get account capabilities
    ///
    /// Returns the plan, its limits, and the current usage.
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
    /// Returns all keys that are not revoked, newest first, without their secrets.
    #[oai(path = "/v1/keys", method = "get", operation_id = "listApiKeys")]
    async fn list(
        &self,
        caller: Authorized<Read>,
        app: Data<&Arc<App>>,
    ) -> Result<Json<ApiKeyList>, ApiError> {
        let keys = keys::list(&app.domain, caller.0.account_id).await?;
        Ok(Json(ApiKeyList { keys: keys.into_iter().map(ApiKeyResponse::from).collect() }))
    }

    /// Create an API key
    ///
    /// Requires a signed-in browser session: keys and tokens cannot create keys. The secret is returned once,
    /// in this response.
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
    /// Takes effect immediately and cannot be undone. A signed-in browser session can revoke any key of the
    /// account; a key can revoke only itself, by its id or as `self`.
    #[oai(path = "/v1/keys/:id", method = "delete", operation_id = "revokeApiKey")]
    async fn revoke(
        &self,
        caller: Authorized<Read>,
        app: Data<&Arc<App>>,
        /// Id of the key (UUID), or `self` for the key that authenticates this request.
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

fn own_key() -> String {
    "self".to_owned()
}

fn unknown_key() -> ApiError {
    ApiError::new(Code::NotFound, "This key does not exist.")
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
