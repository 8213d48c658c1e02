//! OAuth clients for tests: registration, consent with the domain's functions, and the token endpoint.

use identity::accounts::Session;
use identity::limits::Network;
use identity::oauth::{Approval, AuthorizeRequest, Clients, approve, open_page, page_token, validate};
use identity::testing::signed_in;
use kernel::{AccountId, Domain};
use reqwest::Method;
use serde_json::{Value, json};

use super::person::Person;
use super::{HttpAnswer, TestApp, secret_scan};

/// Code verifier from the example in RFC 7636, appendix B.
pub(crate) const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
/// Code challenge of [`VERIFIER`].
pub(crate) const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
/// Redirect URI of the clients.
pub(crate) const REDIRECT_URI: &str = "http://localhost:3118/callback";

/// Registered OAuth client.
#[derive(Clone, Debug)]
pub(crate) struct Client {
    pub(crate) id: String,
    pub(crate) secret: Option<String>,
}

/// Tokens of a client for one account.
#[derive(Clone, Debug)]
pub(crate) struct Connection {
    pub(crate) access: String,
    pub(crate) refresh: String,
    pub(crate) scope: String,
}

/// Access that a client requests.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AccessRequest<'a> {
    pub(crate) scope: &'a str,
    /// `None` requests all resources.
    pub(crate) resource: Option<&'a str>,
}

/// Read and write access to all resources.
pub(crate) const FULL_ACCESS: AccessRequest<'static> = AccessRequest { scope: "svc:write", resource: None };
/// Read access to all resources.
pub(crate) const READ_ACCESS: AccessRequest<'static> = AccessRequest { scope: "svc:read", resource: None };

impl Client {
    /// Registers a public client.
    pub(crate) async fn public(app: &TestApp) -> Self {
        Self::register(app, &json!({"client_name": "Reader", "token_endpoint_auth_method": "none"})).await
    }

    /// Registers a client with a secret.
    pub(crate) async fn confidential(app: &TestApp) -> Self {
        Self::register(app, &json!({"client_name": "Server"})).await
    }

    async fn register(app: &TestApp, about: &Value) -> Self {
        let mut about = about.clone();
        about["redirect_uris"] = json!(["http://localhost/callback"]);
        let made = app.post("/oauth/register", &about).await.expect(201).json();
        let secret = made["client_secret"].as_str().map(str::to_owned);
        if let Some(secret) = &secret {
            secret_scan::record_secret(secret);
        }
        Self { id: made["client_id"].as_str().unwrap().to_owned(), secret }
    }

    /// Returns an authorization code with the person's consent.
    pub(crate) async fn code(&self, app: &TestApp, person: &Person, access: AccessRequest<'_>) -> String {
        code(&app.app.domain, person.id, &self.id, access).await
    }

    /// Connects the client to an account.
    pub(crate) async fn connect(
        &self,
        app: &TestApp,
        person: &Person,
        access: AccessRequest<'_>,
    ) -> Connection {
        let code = self.code(app, person, access).await;
        let answer = self.exchange(app, &code).await.expect(200);
        Connection::of(&answer.json())
    }

    /// Exchanges a code for tokens.
    pub(crate) async fn exchange(&self, app: &TestApp, code: &str) -> HttpAnswer {
        self.send(
            app,
            "/oauth/token",
            &[
                ("grant_type", "authorization_code"),
                ("code", code),
                ("code_verifier", VERIFIER),
                ("redirect_uri", REDIRECT_URI),
            ],
        )
        .await
    }

    /// Refreshes with the granted scope.
    pub(crate) async fn refresh(&self, app: &TestApp, token: &str) -> HttpAnswer {
        self.send(app, "/oauth/token", &[("grant_type", "refresh_token"), ("refresh_token", token)]).await
    }

    /// Sends a form with the client's id and secret.
    pub(crate) async fn send(&self, app: &TestApp, path: &str, fields: &[(&str, &str)]) -> HttpAnswer {
        let own = [("client_id", Some(self.id.as_str())), ("client_secret", self.secret.as_deref())];
        let own = own.into_iter().filter_map(|(name, value)| Some((name, value?)));
        let fields: Vec<(&str, &str)> = fields.iter().copied().chain(own).collect();
        post_form(app, path, &[], &fields).await
    }
}

impl Connection {
    /// Parses an answer of the token endpoint.
    pub(crate) fn of(body: &Value) -> Self {
        let text = |name: &str| body[name].as_str().unwrap_or_default().to_owned();
        let (access, refresh, scope) = (text("access_token"), text("refresh_token"), text("scope"));
        secret_scan::record_secret(&access);
        secret_scan::record_secret(&refresh);
        Self { access, refresh, scope }
    }

    /// Sends a `GET` with the access token.
    pub(crate) async fn get(&self, app: &TestApp, path: &str) -> HttpAnswer {
        app.get_with(path, &[("authorization", &format!("Bearer {}", self.access))]).await
    }
}

/// Returns an authorization code with the person's consent, for a client id.
pub(crate) async fn code(
    domain: &Domain,
    account_id: AccountId,
    client_id: &str,
    access: AccessRequest<'_>,
) -> String {
    let session = signed_in(domain, account_id).await;
    let code = approve_request(domain, &session, client_id, access).await;
    secret_scan::record_secret(&code);
    secret_scan::record_secret(VERIFIER);
    code
}

async fn approve_request(
    domain: &Domain,
    session: &Session,
    client_id: &str,
    access: AccessRequest<'_>,
) -> String {
    let mut pairs: Vec<(String, String)> = [
        ("client_id", client_id),
        ("redirect_uri", REDIRECT_URI),
        ("response_type", "code"),
        ("code_challenge", CHALLENGE),
        ("code_challenge_method", "S256"),
        ("scope", access.scope),
    ]
    .map(|(name, value)| (name.to_owned(), value.to_owned()))
    .into();
    pairs.extend(access.resource.map(|resource| ("resource".to_owned(), resource.to_owned())));
    let policy = domain.policy();
    let request = AuthorizeRequest { pairs: &pairs, base_url: &policy.base_url, issuer: &policy.account_url };
    let clients = Clients::of(domain).await.expect("the key for client ids is loaded");
    let checked = validate(clients.find(client_id).expect("the client is known"), &request)
        .expect("the request is valid");
    let network = Network::of("192.0.2.7".parse().unwrap());
    let token = page_token(domain, &session.secret, "request").await.expect("the page token is created");
    let page = open_page(domain, &session.secret, "request", &token).await.expect("the page can be opened");
    let may_change = access.scope.contains("svc:write");
    let approval = Approval { session, network: &network, may_change, page: &page };
    approve(domain, &checked, approval).await.expect("the approval returns a code").code.expose().to_owned()
}

pub(crate) async fn post_form(
    app: &TestApp,
    path: &str,
    headers: &[(&str, &str)],
    fields: &[(&str, &str)],
) -> HttpAnswer {
    let body = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
    let kind = ("content-type", "application/x-www-form-urlencoded");
    let headers: Vec<(&str, &str)> = headers.iter().copied().chain([kind]).collect();
    app.send(Method::POST, path, &headers, Some(body)).await
}

impl HttpAnswer {
    /// Asserts an OAuth error with this status and code. Returns the body.
    #[track_caller]
    pub(crate) fn oauth_error(&self, status: u16, code: &str) -> Value {
        let text = String::from_utf8_lossy(&self.body);
        assert_eq!(self.status, status, "{text}");
        assert_eq!(self.header("content-type"), "application/json", "{text}");
        assert_eq!(self.header("cache-control"), "no-store");
        let body = self.json();
        assert_eq!(body["error"], code, "{body}");
        let description = body["error_description"].as_str().unwrap_or_default();
        assert!(description.is_ascii() && !description.is_empty() && !description.contains('"'), "{body}");
        body
    }
}
