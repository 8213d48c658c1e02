//! Responses of the account operation and the API key operations.

use std::sync::OnceLock;

use application::capabilities::{CapabilityLimits, MonthlyCredits};
use application::usage::Usage;
use identity::keys;
use kernel::rfc3339;
use kernel::tiers::{Tier, Tiers};
use poem_openapi::Object;
use poem_openapi::registry::{MetaSchema, MetaSchemaRef};
use poem_openapi::types::{Example, ToJSON};
use serde_json::Value;

use http_kit::http::enum_param::EnumParam;
use http_kit::http::openapi_type::{inline, openapi_type, response_only};
use http_kit::http::request::camel_case;

/// Plan, limits and usage of an account.
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase", example)]
pub(super) struct AccountCapabilities {
    /// Id of the account (UUID).
    pub user_id: String,
    /// Plan of the account.
    pub tier: EnumParam<Tier>,
    /// Limits of the plan with their current usage.
    pub limits: AccountLimitsResponse,
}

/// Personal API key. Its secret is returned only when the key is created.
#[derive(Debug, Object)]
#[oai(rename = "ApiKey", rename_all = "camelCase")]
pub struct ApiKeyResponse {
    /// Id of the key (UUID).
    pub id: String,
    /// Display name of the key.
    pub name: String,
    /// First 12 characters of the secret.
    pub prefix: String,
    /// Scopes of the key: `svc:read`, `svc:write`.
    pub scopes: Vec<String>,
    /// Creation time, RFC 3339 UTC.
    pub created_at: String,
    /// Time of the last use, RFC 3339 UTC, accurate to a minute; null if the key was never used.
    pub last_used_at: Option<String>,
    /// Expiry time, RFC 3339 UTC; null if the key does not expire.
    pub expires_at: Option<String>,
}

/// API keys of an account.
#[derive(Debug, Object)]
#[oai(example)]
pub(super) struct ApiKeyList {
    /// Keys, newest first. Revoked keys are omitted.
    pub keys: Vec<ApiKeyResponse>,
}

/// Created API key with its secret.
#[derive(Debug, Object)]
#[oai(example)]
pub struct ApiKeyCreated {
    /// The created key.
    pub key: ApiKeyResponse,
    /// Secret of the key. It is returned only in this response.
    pub secret: String,
}

/// Limits of an account with their current usage.
#[derive(Debug)]
pub(super) struct AccountLimitsResponse(CapabilityLimits);

impl AccountLimitsResponse {
    /// Returns the field names in camel case, as callers see them.
    fn names() -> &'static [String] {
        static NAMES: OnceLock<Vec<String>> = OnceLock::new();
        NAMES.get_or_init(|| CapabilityLimits::FIELDS.iter().map(|(name, _)| camel_case(name)).collect())
    }
}

openapi_type!(
    [] AccountLimitsResponse,
    "AccountLimits",
    MetaSchemaRef::Reference(Self::name().into_owned()),
    |registry| {
        registry.create_schema::<Self, _>(Self::name().into_owned(), |_| {
            let number = |(name, (_, about)): (&'static String, &(&str, &'static str))| {
                let schema = MetaSchema::new_with_format("integer", "uint64");
                (name.as_str(), inline(MetaSchema { description: Some(*about), ..schema }))
            };
            MetaSchema {
                title: Some(Self::name().into_owned()),
                description: Some("Limits of an account with their current usage."),
                required: Self::names().iter().map(String::as_str).collect(),
                properties: Self::names().iter().zip(CapabilityLimits::FIELDS).map(number).collect(),
                ..MetaSchema::new("object")
            }
        });
    }
);
response_only!([] AccountLimitsResponse);

impl ToJSON for AccountLimitsResponse {
    fn to_json(&self) -> Option<Value> {
        let values = self.0.values().map(Value::from);
        Some(Self::names().iter().cloned().zip(values).collect::<serde_json::Map<_, _>>().into())
    }
}

impl From<keys::ApiKey> for ApiKeyResponse {
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

impl From<application::capabilities::Capabilities> for AccountCapabilities {
    fn from(capabilities: application::capabilities::Capabilities) -> Self {
        Self {
            user_id: capabilities.account_id.to_string(),
            tier: EnumParam(capabilities.tier),
            limits: AccountLimitsResponse(capabilities.limits),
        }
    }
}

impl Example for AccountCapabilities {
    fn example() -> Self {
        let used = Usage {
            active_api_keys: 1,
            rss_subscriptions: 3,
            rss_collections: 1,
            feed_consumers: 0,
            notification_channels: 0,
            web_monitors: 1,
            library_storage_bytes: 1024,
        };
        let plan = Tiers::default();
        let credits = MonthlyCredits { limit: 100, used: 12 };
        Self {
            user_id: "019c2b6f-0000-7000-8000-000000000000".into(),
            tier: EnumParam(Tier::Free),
            limits: AccountLimitsResponse(CapabilityLimits::of(plan.of(Tier::Free), &used, credits)),
        }
    }
}

impl Example for ApiKeyResponse {
    fn example() -> Self {
        Self {
            id: "019c2b6f-0000-7000-8000-000000000001".into(),
            name: "laptop".into(),
            prefix: "svc_4fJ8s2Kd".into(),
            scopes: vec!["svc:read".into()],
            created_at: "2026-11-20T12:00:00.000Z".into(),
            last_used_at: None,
            expires_at: Some("2027-02-18T12:00:00.000Z".into()),
        }
    }
}

impl Example for ApiKeyList {
    fn example() -> Self {
        Self { keys: vec![ApiKeyResponse::example()] }
    }
}

impl Example for ApiKeyCreated {
    fn example() -> Self {
        Self { key: ApiKeyResponse::example(), secret: "svc_… (shown once)".into() }
    }
}
