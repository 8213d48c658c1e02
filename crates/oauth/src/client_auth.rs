//! How an app says which one it is, and proves it: in the form, or by `Basic` (RFC 6749, 2.3.1).

use std::time::Duration;

use data_encoding::BASE64;
use identity::oauth::{self, Client, OAuthCode, OAuthError, Presented};
use poem::Request;
use poem::http::header;
use tokio::time::Instant;

use super::fault::Refusal;
use super::form::{Form, decoded};
use http_kit::app::App;

/// How long an app waits while its newest keys are fetched.
const WAIT: Duration = Duration::from_secs(12);

/// What an app sent about itself.
pub(super) struct SentClient {
    id: String,
    secret: Option<String>,
    assertion: Option<String>,
    by_basic: Basic,
}

/// Whether an app used `Basic`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Basic {
    Used,
    Unused,
}

impl SentClient {
    /// Reads what was sent; nothing when nothing was.
    ///
    /// # Errors
    /// `invalid_request` for two that differ or two proofs; `invalid_client` for a `Basic` that cannot be read.
    pub(super) fn read(request: &Request, form: &Form) -> Result<Option<Self>, Refusal> {
        let (in_form, secret) = (form.get("client_id"), form.get("client_secret"));
        let assertion = assertion_of(form)?;
        if assertion.is_some() && (secret.is_some() || request.headers().contains_key(header::AUTHORIZATION))
        {
            return Err(Refusal::malformed("An app proves itself once: by a secret or by an assertion."));
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
            return Err(Refusal::malformed("An app proves itself once: by Basic or in the form."));
        }
        if in_form.is_some_and(|in_form| in_form != id) {
            return Err(Refusal::malformed("The client_id differs from that of the Authorization header."));
        }
        let secret = (!password.is_empty()).then_some(password);
        Ok(Some(Self { id, secret, assertion: None, by_basic: Basic::Used }))
    }

    /// The app, proven.
    ///
    /// # Errors
    /// `invalid_client`; what is no fault of the app.
    pub(super) async fn prove(&self, app: &App) -> Result<Client, Refusal> {
        let presented = Presented {
            client_id: &self.id,
            secret: self.secret.as_deref(),
            assertion: self.assertion.as_deref(),
        };
        let progress = oauth::prove_client(&app.domain, presented).await?;
        let proven = app.engine.await_result(progress, Instant::now() + WAIT).await?;
        proven.map_err(|error| match self.by_basic {
            Basic::Used => Refusal::from(error).with_basic(),
            Basic::Unused => error.into(),
        })
    }
}

/// The app that sent this, proven.
///
/// # Errors
/// `invalid_client` also for one that says nothing of itself.
pub(super) async fn proven(app: &App, request: &Request, form: &Form) -> Result<Client, Refusal> {
    let missing = || OAuthError::new(OAuthCode::InvalidClient, "The client_id is missing.");
    SentClient::read(request, form)?.ok_or_else(missing)?.prove(app).await
}

/// What an app signed to prove itself (RFC 7523, 2.2).
fn assertion_of(form: &Form) -> Result<Option<&str>, Refusal> {
    const KIND: &str = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
    match (form.get("client_assertion_type"), form.get("client_assertion")) {
        (None, None) => Ok(None),
        (Some(KIND), Some(assertion)) => Ok(Some(assertion)),
        (_, _) => Err(Refusal::malformed("An assertion comes with its type, which is that of a JWT.")),
    }
}

/// Id and password of an `Authorization: Basic`. What stands round the last colon was encoded as in a form, so neither
/// holds one.
fn basic_of(request: &Request) -> Result<Option<(String, String)>, Refusal> {
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
        let error = OAuthError::new(OAuthCode::InvalidClient, "The credentials in Basic cannot be read.");
        Refusal::from(error).with_basic()
    };
    read().ok_or_else(unreadable).map(Some)
}
