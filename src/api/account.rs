//! The account operation and the operations on keys.

use std::sync::Arc;

use domain::Code;
use domain::KeyId;
use domain::Scopes;
use domain::accounts;
use domain::caller::Credential;
use domain::keys::{self, NewKey};
use domain::limits::Tier;
use domain::rfc3339;
use poem::web::Data;
use poem_openapi::param::Path;
use poem_openapi::payload::Json;
use poem_openapi::{ApiResponse, OpenApi};
use serde_json::Value;

use super::Tag;
use super::body::Input;
use super::error::ApiError;
use super::guard::{Allowed, Read};
use super::schema::{
    AccountCapabilities, AccountLimits, ApiKey, ApiKeyCreated, ApiKeyList, ApiKeyRequest, TierName,
};
use crate::app::App;
use crate::http::fields::{Fault, Fields};

/// The account and its keys.
pub struct AccountApi;

/// A key was made.
#[derive(ApiResponse)]
pub(crate) enum KeyMade {
    /// The key and its text, which is shown here and never again.
    #[oai(status = 201)]
    Created(Json<ApiKeyCreated>),
}

/// It is gone.
#[derive(ApiResponse)]
pub enum Gone {
    /// Done; there is nothing to say.
    #[oai(status = 204)]
    NoContent,
}

#[OpenApi(tag = "Tag::Account")]
impl AccountApi {
    /// Tell what the account may do
    ///
    /// The plan, every limit of it, and how much of the counted limits is in use.
    #[oai(path = "/v1/me", method = "get", operation_id = "getAccountCapabilities")]
    async fn me(
        &self,
        caller: Allowed<Read>,
        app: Data<&Arc<App>>,
    ) -> Result<Json<AccountCapabilities>, ApiError> {
        let caller = caller.0;
        let told = accounts::capabilities(&app.domain, &app.limits, caller.account_id, caller.tier).await?;
        Ok(Json(told.into()))
    }

    /// List API keys
    ///
    /// All keys of the account that are not revoked, newest first, without their texts.
    #[oai(path = "/v1/keys", method = "get", operation_id = "listApiKeys")]
    async fn list(&self, caller: Allowed<Read>, app: Data<&Arc<App>>) -> Result<Json<ApiKeyList>, ApiError> {
        let keys = keys::list(&app.domain, caller.0.account_id).await?;
        Ok(Json(ApiKeyList { keys: keys.into_iter().map(ApiKey::from).collect() }))
    }

    /// Make an API key
    ///
    /// Only the signed-in person may, in a browser; keys and tokens may not make keys. The text of the key
    /// is in the answer and is never shown again.
    #[oai(path = "/v1/keys", method = "post", operation_id = "createApiKey")]
    async fn create(
        &self,
        caller: Allowed<Read>,
        app: Data<&Arc<App>>,
        body: Input<ApiKeyRequest>,
    ) -> Result<KeyMade, ApiError> {
        caller.0.require_person()?;
        let new = new_key(&body.0)?;
        let (key, secret) = keys::create(&app.domain, &app.limits, caller.0.account_id, new).await?;
        let made = ApiKeyCreated { key: key.into(), secret: secret.expose().to_owned() };
        Ok(KeyMade::Created(Json(made)))
    }

    /// Revoke an API key
    ///
    /// At once and for good. The signed-in person may revoke any key; a key may revoke itself, by its id or
    /// as `self`.
    #[oai(path = "/v1/keys/:id", method = "delete", operation_id = "revokeApiKey")]
    async fn revoke(
        &self,
        caller: Allowed<Read>,
        app: Data<&Arc<App>>,
        /// The key's id, or `self` for the key that this request is sent with.
        id: Path<String>,
    ) -> Result<Gone, ApiError> {
        let caller = caller.0;
        let id = match (id.0.as_str(), caller.credential) {
            ("self", Credential::Key(own)) => own,
            (text, credential) => {
                let id = text.parse::<KeyId>().map_err(|_| unknown_key())?;
                if credential != Credential::Key(id) {
                    caller.require_person()?;
                }
                id
            }
        };
        keys::revoke(&app.domain, caller.account_id, id).await?;
        Ok(Gone::NoContent)
    }
}

fn unknown_key() -> ApiError {
    ApiError::new(Code::NotFound, "There is no such key.")
}

fn new_key(body: &Value) -> Result<NewKey, Fault> {
    let mut fields = Fields::of(body, "")?;
    let name = super::articles::required(&mut fields, "name", 1, 80)?;
    let scopes = match fields.value("scopes") {
        None => Scopes::ALL,
        Some(value) => scopes_of(value)
            .ok_or_else(|| fields.fault("scopes", "must be a list of svc:read and svc:write"))?,
    };
    let days = super::articles::integer(&mut fields, "expiresInDays", 1, 365)?;
    fields.finish()?;
    let expires_in_days = days.and_then(|days| u32::try_from(days).ok());
    Ok(NewKey { name: name.to_owned(), scopes, expires_in_days })
}

/// A list of names; a form sends one name as a text.
fn scopes_of(value: &Value) -> Option<Scopes> {
    match value {
        Value::String(name) => Scopes::parse([name.as_str()]),
        Value::Array(names) if names.len() <= 2 => {
            let names: Option<Vec<&str>> = names.iter().map(Value::as_str).collect();
            Scopes::parse(names?)
        }
        _ => None,
    }
}

impl From<keys::ApiKey> for ApiKey {
    fn from(key: keys::ApiKey) -> Self {
        Self {
            id: key.id.to_string(),
            name: key.name,
            prefix: key.prefix,
            scopes: key.scopes.names().into_iter().map(str::to_owned).collect(),
            created_at: rfc3339(key.created_at),
            last_used_at: key.last_used_at.map(rfc3339),
            expires_at: key.expires_at.map(rfc3339),
        }
    }
}

impl From<accounts::Capabilities> for AccountCapabilities {
    fn from(told: accounts::Capabilities) -> Self {
        let limits = told.limits;
        Self {
            user_id: told.account_id.to_string(),
            tier: match told.tier {
                Tier::Free => TierName::Free,
                Tier::Premium => TierName::Premium,
                Tier::Pro => TierName::Pro,
            },
            limits: AccountLimits {
                active_api_keys: limits.active_api_keys,
                rss_subscriptions: limits.rss_subscriptions,
                rss_subscriptions_used: limits.rss_subscriptions_used,
                rss_collections: limits.rss_collections,
                rss_collections_used: limits.rss_collections_used,
                web_monitors: limits.web_monitors,
                web_monitors_used: limits.web_monitors_used,
                web_monitors_remaining: limits.web_monitors_remaining,
                web_monitor_minimum_interval_minutes: limits.web_monitor_minimum_interval_minutes,
                web_monitor_monthly_credits: limits.web_monitor_monthly_credits,
                web_monitor_monthly_credits_used: limits.web_monitor_monthly_credits_used,
                web_monitor_monthly_credits_remaining: limits.web_monitor_monthly_credits_remaining,
                library_storage_bytes: limits.library_storage_bytes,
                library_storage_used_bytes: limits.library_storage_used_bytes,
                library_storage_remaining_bytes: limits.library_storage_remaining_bytes,
                operations_per_minute: limits.operations_per_minute,
                operations_per_day: limits.operations_per_day,
                fresh_extractions_per_minute: limits.fresh_extractions_per_minute,
                fresh_extractions_per_day: limits.fresh_extractions_per_day,
            },
        }
    }
}
