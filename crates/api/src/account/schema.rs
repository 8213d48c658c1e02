//! Answers of the account operation and of the operations on keys.

use std::borrow::Cow;
use std::sync::OnceLock;

use application::capabilities::{CapabilityLimits, MonthlyCredits};
use application::usage::Usage;
use identity::keys;
use kernel::rfc3339;
use kernel::tiers::{Tier, Tiers};
use poem_openapi::Object;
use poem_openapi::registry::{MetaSchema, MetaSchemaRef, Registry};
use poem_openapi::types::{Example, ParseError, ParseFromJSON, ParseResult, ToJSON, Type};
use serde_json::Value;

use http_kit::http::request::camel_case;
use http_kit::http::word::Word;

/// An account's plan, its limits and its use.
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct AccountCapabilities {
    /// The account's id.
    pub user_id: String,
    /// Its plan.
    pub tier: Word<Tier>,
    /// The numbers.
    pub limits: AccountLimits,
}

/// A personal API key. Its text is shown once, when it is made.
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase")]
pub struct ApiKey {
    /// Its id.
    pub id: String,
    /// What its owner calls it.
    pub name: String,
    /// The first 12 characters of its text.
    pub prefix: String,
    /// What it may be used for.
    pub scopes: Vec<String>,
    /// When it was created.
    pub created_at: String,
    /// When it was last used, to the minute.
    pub last_used_at: Option<String>,
    /// When it expires; null when it does not.
    pub expires_at: Option<String>,
}

/// The keys of an account.
#[derive(Debug, Object)]
#[oai(example)]
pub struct ApiKeyList {
    /// Newest first; revoked ones are left out.
    pub keys: Vec<ApiKey>,
}

/// A key that was created.
#[derive(Debug, Object)]
#[oai(example)]
pub struct ApiKeyCreated {
    /// The key.
    pub key: ApiKey,
    /// Its text. It is shown here and never again.
    pub secret: String,
}

/// What an account may have, and what it has.
#[derive(Debug)]
pub struct AccountLimits(CapabilityLimits);

impl AccountLimits {
    /// The names of the numbers as callers see them.
    fn names() -> &'static [String] {
        static NAMES: OnceLock<Vec<String>> = OnceLock::new();
        NAMES.get_or_init(|| CapabilityLimits::FIELDS.iter().map(|(name, _)| camel_case(name)).collect())
    }
}

impl Type for AccountLimits {
    const IS_REQUIRED: bool = true;
    type RawValueType = Self;
    type RawElementValueType = Self;

    fn name() -> Cow<'static, str> {
        "AccountLimits".into()
    }

    fn schema_ref() -> MetaSchemaRef {
        MetaSchemaRef::Reference(Self::name().into_owned())
    }

    fn register(registry: &mut Registry) {
        registry.create_schema::<Self, _>(Self::name().into_owned(), |_| {
            let number = |(name, (_, about)): (&'static String, &(&str, &'static str))| {
                let schema = MetaSchema::new_with_format("integer", "uint64");
                let schema = MetaSchema { description: Some(*about), ..schema };
                (name.as_str(), MetaSchemaRef::Inline(Box::new(schema)))
            };
            MetaSchema {
                title: Some(Self::name().into_owned()),
                description: Some("What an account may have, and what it has."),
                required: Self::names().iter().map(String::as_str).collect(),
                properties: Self::names().iter().zip(CapabilityLimits::FIELDS).map(number).collect(),
                ..MetaSchema::new("object")
            }
        });
    }

    fn as_raw_value(&self) -> Option<&Self> {
        Some(self)
    }

    fn raw_element_iter<'a>(&'a self) -> Box<dyn Iterator<Item = &'a Self> + 'a> {
        Box::new(std::iter::once(self))
    }
}

impl ToJSON for AccountLimits {
    fn to_json(&self) -> Option<Value> {
        let values = self.0.values().map(Value::from);
        Some(Self::names().iter().cloned().zip(values).collect::<serde_json::Map<_, _>>().into())
    }
}

/// The framework wants it of every part of an answer; no caller sends one.
impl ParseFromJSON for AccountLimits {
    fn parse_from_json(_value: Option<Value>) -> ParseResult<Self> {
        Err(ParseError::custom("limits are not sent"))
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

impl From<application::capabilities::Capabilities> for AccountCapabilities {
    fn from(capabilities: application::capabilities::Capabilities) -> Self {
        Self {
            user_id: capabilities.account_id.to_string(),
            tier: Word(capabilities.tier),
            limits: AccountLimits(capabilities.limits),
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
            tier: Word(Tier::Free),
            limits: AccountLimits(CapabilityLimits::of(plan.of(Tier::Free), &used, credits)),
        }
    }
}

impl Example for ApiKey {
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
        Self { keys: vec![ApiKey::example()] }
    }
}

impl Example for ApiKeyCreated {
    fn example() -> Self {
        Self { key: ApiKey::example(), secret: "svc_… (shown once)".into() }
    }
}
