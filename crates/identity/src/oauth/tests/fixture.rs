//! Test fixture: a signed-in person, an app, and the requests between them.

use std::sync::Arc;

use entities::ids::AccountId;

use super::super::*;
use crate::caller::Caller;
use crate::limits::Network;
use crate::testing::signed_in;
use kernel::error::Result as Answer;
use kernel::testing::{TestDatabase, person};
use kernel::tiers::Tier;
use kernel::{Backend, Domain, FixedClock, Millis, Scopes};

pub(super) const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
pub(super) const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
pub(super) const REDIRECT_URI: &str = "http://localhost:3118/callback";
pub(super) const MINUTE: Millis = 60_000;
pub(super) const DAY: Millis = 86_400_000;

/// One person and one app.
pub(super) struct Fixture {
    pub(super) test: TestDatabase,
    pub(super) owner: AccountId,
    pub(super) session: crate::accounts::Session,
    pub(super) client: Client,
}

pub(super) fn network() -> Network {
    Network::of("192.0.2.7".parse().unwrap())
}

impl Fixture {
    pub(super) async fn on(backend: Backend) -> Self {
        let test = TestDatabase::create(backend).await;
        let owner = person(&test.domain, Tier::Pro).await;
        let session = signed_in(&test.domain, owner).await;
        let client = app(&test.domain, "Reader").await;
        Self { test, owner, session, client }
    }

    pub(super) fn domain(&self) -> &Domain {
        &self.test.domain
    }

    pub(super) fn clock(&self) -> &Arc<FixedClock> {
        &self.test.clock
    }

    /// Creates a grant and returns its code.
    pub(super) async fn code(&self, audience: Audience) -> String {
        let page = self.page().await;
        let approval =
            Approval { session: &self.session, network: &network(), may_change: true, page: &page };
        let request = validated(&self.client, audience);
        approve(self.domain(), &request, approval).await.unwrap().code.expose().to_owned()
    }

    /// Opens a new consent page.
    pub(super) async fn page(&self) -> ConsentPage {
        let (domain, secret) = (self.domain(), &self.session.secret);
        let token = page_token(domain, secret, "request").await.unwrap();
        open_page(domain, secret, "request", &token).await.unwrap()
    }

    /// Creates a grant and returns its tokens.
    pub(super) async fn tokens(&self) -> Tokens {
        let code = self.code(Audience::Everywhere).await;
        self.exchange(&code).await.unwrap()
    }

    pub(super) async fn exchange(&self, code: &str) -> Result<Tokens, OAuthCode> {
        exchange(self.domain(), self.exchange_request(code)).await.map_err(|error| error.code)
    }

    pub(super) fn exchange_request<'a>(&'a self, code: &'a str) -> CodeExchange<'a> {
        let (client, redirect_uri) = (&self.client, Some(REDIRECT_URI));
        CodeExchange { client, code, redirect_uri, verifier: VERIFIER, audience: None }
    }

    /// Refreshes with all granted scopes.
    pub(super) async fn refresh(&self, token: &str) -> Result<Tokens, OAuthCode> {
        self.refresh_for(token, None).await
    }

    pub(super) async fn refresh_for(&self, token: &str, scopes: Option<Scopes>) -> Result<Tokens, OAuthCode> {
        let network = network();
        let exchange_request =
            RefreshRequest { client: &self.client, token, scopes, audience: None, network: &network };
        refresh(self.domain(), exchange_request).await.map_err(|error| error.code)
    }

    /// Identifies the caller of an access token at the Developer API.
    pub(super) async fn identify(&self, token: &str) -> Answer<Caller> {
        self.identify_at(token, Resource::Api).await
    }

    pub(super) async fn identify_at(&self, token: &str, resource: Resource) -> Answer<Caller> {
        authenticate(self.domain(), token, resource, Some(&network())).await
    }

    /// Lists the person's grants.
    pub(super) async fn grants(&self) -> Vec<Grant> {
        list(self.domain(), self.owner).await.unwrap()
    }

    /// Uses an access token and waits until the use is recorded.
    pub(super) async fn use_and_wait(&self, token: &str) {
        self.identify(token).await.unwrap();
        let now = self.domain().now();
        let recorded = async {
            while !self.grants().await.iter().any(|grant| grant.last_used_at == Some(now)) {
                tokio::task::yield_now().await;
            }
        };
        let recorded = tokio::time::timeout(std::time::Duration::from_mins(1), recorded).await;
        recorded.expect("the use of the token is recorded");
    }
}

/// Registers a public app with this name.
pub(super) async fn app(domain: &Domain, name: &str) -> Client {
    let new = NewClient {
        name: Some(name.to_owned()),
        redirect_uris: vec!["http://localhost/callback".to_owned()],
        auth_method: Some("none".to_owned()),
        ..NewClient::default()
    };
    Clients::of(domain).await.unwrap().register(&new, &[]).unwrap().client
}

/// Builds a valid request of this app.
pub(super) fn validated(client: &Client, audience: Audience) -> ValidatedRequest {
    let back = RedirectTarget {
        redirect_uri: REDIRECT_URI.to_owned(),
        state: None,
        issuer: "https://carrel.example".to_owned(),
    };
    ValidatedRequest {
        client: client.clone(),
        scopes: RequestedScopes(Scopes::WRITE),
        audience,
        challenge: CHALLENGE.to_owned(),
        redirect: back,
    }
}
