//! Test accounts with API keys, created with the domain's functions.

use std::sync::atomic::{AtomicU32, Ordering};

use identity::accounts::{self, HashCost, Passwords};
use identity::keys::{self, AppAccess, NewKey};
use kernel::tiers::Tier;
use kernel::{AccountId, Domain, KeyId, Scopes};
use reqwest::Method;
use serde_json::{Value, json};

use super::{HttpAnswer, TestApp};

/// Password of every test account.
pub(crate) const PASSWORD: &str = "correct horse battery";

/// Account with one API key that has all scopes.
#[derive(Clone, Debug)]
pub(crate) struct Person {
    pub(crate) id: AccountId,
    pub(crate) email: String,
    pub(crate) key: String,
    pub(crate) key_id: KeyId,
}

static COUNT: AtomicU32 = AtomicU32::new(0);

impl Person {
    /// Creates an account on the free plan.
    pub(crate) async fn free(app: &TestApp) -> Self {
        Self::on(app, Tier::Free).await
    }

    /// Creates an account on `tier`.
    pub(crate) async fn on(app: &TestApp, tier: Tier) -> Self {
        Self::in_domain(&app.app.domain, tier).await
    }

    /// Creates an account in the database of `domain`.
    pub(crate) async fn in_domain(domain: &Domain, tier: Tier) -> Self {
        let passwords = Passwords::new(domain, HashCost::Least, 1).expect("a pool for passwords");
        let email = format!("person{}@example.org", COUNT.fetch_add(1, Ordering::Relaxed));
        let account =
            accounts::create(domain, &passwords, &email, PASSWORD, tier).await.expect("insert an account");
        let (key, key_id) = create_key(domain, account.id, Scopes::ALL, None).await;
        Self { id: account.id, email, key, key_id }
    }

    /// Creates another API key of this account.
    pub(crate) async fn create_key(
        &self,
        app: &TestApp,
        scopes: Scopes,
        days: Option<u32>,
    ) -> (String, KeyId) {
        create_key(&app.app.domain, self.id, scopes, days).await
    }

    /// Posts JSON with the account's API key.
    pub(crate) async fn post(&self, app: &TestApp, path: &str, body: &Value) -> HttpAnswer {
        let bearer = format!("Bearer {}", self.key);
        app.post_with(path, &[("authorization", &bearer)], body).await
    }

    /// Saves items with the titles `Text 1`, `Text 2` and so on. Returns their ids.
    pub(crate) async fn save_texts(&self, app: &TestApp, count: u32) -> Vec<String> {
        let mut ids = Vec::new();
        for number in 1..=count {
            let url = format!("https://example.org/{number}");
            let body = json!({"url": url, "title": format!("Text {number}"), "content": "Some words."});
            let saved = self.post(app, "/v1/library/items", &body).await.expect(201).json();
            ids.push(saved["item"]["id"].as_str().unwrap().to_owned());
        }
        ids
    }

    /// Sends a `GET` with the account's API key.
    pub(crate) async fn get(&self, app: &TestApp, path: &str) -> HttpAnswer {
        self.send(app, Method::GET, path).await
    }

    /// Sends a request without a body, with the account's API key.
    pub(crate) async fn send(&self, app: &TestApp, method: Method, path: &str) -> HttpAnswer {
        app.send(method, path, &[("x-api-key", &self.key)], None).await
    }
}

async fn create_key(domain: &Domain, owner: AccountId, scopes: Scopes, days: Option<u32>) -> (String, KeyId) {
    let new = NewKey { name: "test".into(), scopes, expires_in_days: days, app_access: AppAccess::KeyOnly };
    let (key, secret) = keys::create(domain, owner, new).await.expect("the key is created");
    super::secret_scan::record_secret(secret.expose());
    (secret.expose().to_owned(), key.id)
}

impl HttpAnswer {
    /// Asserts a Developer API error with this status and code. Returns the body.
    #[track_caller]
    pub(crate) fn api_error(&self, status: u16, code: &str) -> Value {
        let text = String::from_utf8_lossy(&self.body);
        assert_eq!(self.status, status, "{text}");
        assert_eq!(self.header("content-type"), "application/json", "{text}");
        let body = self.json();
        assert_eq!(body["code"], code, "{body}");
        assert!(body["error"].as_str().is_some_and(|text| !text.is_empty()), "{body}");
        let known = ["error", "code", "retryAfter", "details"];
        assert!(
            body.as_object().is_some_and(|map| map.keys().all(|key| known.contains(&key.as_str()))),
            "{body}"
        );
        match body.get("retryAfter") {
            Some(seconds) => assert_eq!(self.header("retry-after"), seconds.to_string()),
            None => assert_eq!(self.header("retry-after"), ""),
        }
        body
    }
}
