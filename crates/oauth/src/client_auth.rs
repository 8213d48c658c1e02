//! Client authentication, with form parameters or with `Basic` (RFC 6749, section 2.3.1).

use std::time::Duration;

use data_encoding::BASE64;
use identity::oauth::{self, Client, ClientCredentials, OAuthCode, OAuthError};
use poem::Request;
use poem::http::header;
use tokio::time::Instant;

use super::fault::OAuthRefusal;
use super::form::{RequestForm, decoded};
use http_kit::app::App;

/// Maximum wait for the client's current keys.
const KEY_FETCH_TIMEOUT: Duration = Duration::from_secs(12);

/// Credentials that a client sent.
pub(super) struct SentClient {
    id: String,
    secret: Option<String>,
    assertion: Option<String>,
    by_basic: Basic,
}

/// Records whether the client authenticated with `Basic`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Basic {
    Used,
    Unused,
}

impl SentClient {
    /// Reads the credentials of a request. Returns `None` if there are none.
    ///
    /// # Errors
    /// `invalid_request` if the request contains two different client ids or more than one authentication
    /// method; `invalid_client` for a malformed `Basic` header.
    pub(super) fn read(request: &Request, form: &RequestForm) -> Result<Option<Self>, OAuthRefusal> {
        let (in_form, secret) = (form.get("client_id"), form.get("client_secret"));
        let assertion = assertion_of(form)?;
        if assertion.is_some() && (secret.is_some() || request.headers().contains_key(header::AUTHORIZATION))
        {
            return Err(OAuthRefusal::malformed(
                "Use one way to authenticate the client: a secret or an assertion.",
            ));
        }
        let Some((id, password)) = basic_of(request)? else {
            return Ok(match (in_form, secret, assertion) {
                (None, None, None) => None,
                (id, secret, assertion) => Some(Self {
                    id: id.unwrap_or_default().to_owned(),
                    secret: secret.map(str::to_owned),
                    assertion: assertion.map(str::to_owned),
                    by_basic: Basic::Unused,
                }),
            });
        };
        if secret.is_some() {
            return Err(OAuthRefusal::malformed(
                "Use one way to authenticate the client: Basic or the form.",
            ));
        }
        if in_form.is_some_and(|in_form| in_form != id) {
            return Err(OAuthRefusal::malformed(
                "The client_id differs from the one in the Authorization header.",
            ));
        }
        let secret = (!password.is_empty()).then_some(password);
        Ok(Some(Self { id, secret, assertion: None, by_basic: Basic::Used }))
    }

    /// Authenticates the client.
    ///
    /// # Errors
    /// `invalid_client` if the credentials are invalid; other errors if the server fails.
    pub(super) async fn prove(&self, app: &App) -> Result<Client, OAuthRefusal> {
        let presented = ClientCredentials {
            client_id: &self.id,
            secret: self.secret.as_deref(),
            assertion: self.assertion.as_deref(),
        };
        let progress = oauth::authenticate_client(&app.domain, presented).await?;
        let authenticated = app.engine.await_result(progress, Instant::now() + KEY_FETCH_TIMEOUT).await?;
        authenticated.map_err(|error| match self.by_basic {
            Basic::Used => OAuthRefusal::from(error).with_basic(),
            Basic::Unused => error.into(),
        })
    }
}

/// Reads the credentials of a request and authenticates the client.
///
/// # Errors
/// `invalid_client` if the credentials are missing or invalid.
pub(super) async fn authenticate(
    app: &App,
    request: &Request,
    form: &RequestForm,
) -> Result<Client, OAuthRefusal> {
    let missing = || OAuthError::new(OAuthCode::InvalidClient, "The client_id is missing.");
    SentClient::read(request, form)?.ok_or_else(missing)?.prove(app).await
}

/// Reads the client assertion of a form (RFC 7523, section 2.2). Returns `None` if the form has no assertion.
fn assertion_of(form: &RequestForm) -> Result<Option<&str>, OAuthRefusal> {
    const KIND: &str = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
    match (form.get("client_assertion_type"), form.get("client_assertion")) {
        (None, None) => Ok(None),
        (Some(KIND), Some(assertion)) => Ok(Some(assertion)),
        (_, _) => {
            Err(OAuthRefusal::malformed("A client_assertion needs the client_assertion_type of a JWT."))
        }
    }
}

/// Reads the client id and secret of an `Authorization: Basic` header. Returns `None` if the header is
/// missing or has another scheme. Both parts are form-encoded, so neither contains a colon.
fn basic_of(request: &Request) -> Result<Option<(String, String)>, OAuthRefusal> {
    let Some(sent) = request.headers().get(header::AUTHORIZATION) else { return Ok(None) };
    let Some((scheme, credentials)) = sent.to_str().ok().and_then(|sent| sent.trim().split_once(' ')) else {
        return Ok(None);
    };
    if !scheme.eq_ignore_ascii_case("basic") {
        return Ok(None);
    }
    let read = || {
        let text = String::from_utf8(BASE64.decode(credentials.trim().as_bytes()).ok()?).ok()?;
        let (id, password) = text.rsplit_once(':')?;
        Some((decoded(id)?, decoded(password)?))
    };
    let unreadable = || {
        let error = OAuthError::new(OAuthCode::InvalidClient, "The Basic credentials cannot be read.");
        OAuthRefusal::from(error).with_basic()
    };
    read().ok_or_else(unreadable).map(Some)
}
