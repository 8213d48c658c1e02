//! Client for the OpenID provider configured by the operator. Like [`crate::model_server`], it follows no
//! redirects and is exempt from the guard's check for public addresses: providers may run in private
//! networks. It connects to the addresses in the provider's own metadata, so it is never used for addresses
//! that users choose.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use reqwest::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderValue};
use reqwest::{Client, RequestBuilder};
use tokio::sync::Semaphore;
use tokio::time::timeout;
use url::Url;

use crate::error::SetupError;
use crate::operator_client::BodyError;
use crate::{client_error, operator_client};

const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
/// Timeout of one request, including the answer. The wait for a permit has the same limit.
const TIMEOUT: Duration = Duration::from_secs(10);
/// Maximum size of an answer. A larger answer is refused.
const MAX_ANSWER_BYTES: usize = 256 << 10;
/// Maximum number of concurrent requests of one process.
const CONCURRENCY: usize = 16;

/// Error of a request to the provider.
#[derive(Debug, thiserror::Error)]
pub enum OidcServerError {
    /// There was no answer, or the connection broke.
    #[error("the provider cannot be reached: {0}")]
    Unreachable(String),
    #[error("the provider did not answer in time")]
    Timeout,
    #[error("the answer of the provider is too large")]
    TooLarge,
    /// A credential contains characters that cannot be sent in a header.
    #[error("the credential cannot be sent")]
    Credential,
}

/// Answer of the provider, with any status.
#[derive(Debug)]
pub struct OidcAnswer {
    pub status: u16,
    pub body: Bytes,
}

/// Connection to the provider. Clones share their bound on concurrent requests.
#[derive(Clone, Debug)]
pub struct OidcServer {
    client: Client,
    permits: Arc<Semaphore>,
}

impl OidcServer {
    /// Creates a client.
    ///
    /// # Errors
    /// If the client cannot be created.
    pub fn new() -> Result<Self, SetupError> {
        let mut headers = HeaderMap::new();
        headers.insert(ACCEPT, HeaderValue::from_static("application/json"));
        let client = operator_client::client(headers, CONNECT_TIMEOUT, |client| client.timeout(TIMEOUT))?;
        Ok(Self { client, permits: Arc::new(Semaphore::new(CONCURRENCY)) })
    }

    /// Requests a document. `authorization` is the value of the `Authorization` header, if it is sent.
    ///
    /// # Errors
    /// If there is no answer within ten seconds, or the answer is too large.
    pub async fn get(&self, url: &Url, authorization: Option<&str>) -> Result<OidcAnswer, OidcServerError> {
        self.send(authorized(self.client.get(url.clone()), authorization)?).await
    }

    /// Posts a form.
    ///
    /// # Errors
    /// The same as for [`get`](Self::get).
    pub async fn post_form(
        &self,
        url: &Url,
        form: String,
        authorization: Option<&str>,
    ) -> Result<OidcAnswer, OidcServerError> {
        let content_type = HeaderValue::from_static("application/x-www-form-urlencoded");
        let request = self.client.post(url.clone()).header(CONTENT_TYPE, content_type).body(form);
        self.send(authorized(request, authorization)?).await
    }

    async fn send(&self, request: RequestBuilder) -> Result<OidcAnswer, OidcServerError> {
        let permit = timeout(TIMEOUT, self.permits.acquire()).await.map_err(|_| OidcServerError::Timeout)?;
        let _permit =
            permit.map_err(|_| OidcServerError::Unreachable("the process is shutting down".to_owned()))?;
        let answer = request.send().await.map_err(|error| failure(&error))?;
        let status = answer.status().as_u16();
        let body = operator_client::read(answer, MAX_ANSWER_BYTES).await.map_err(|error| match error {
            BodyError::Failed(error) => failure(&error),
            BodyError::TooLarge => OidcServerError::TooLarge,
        })?;
        Ok(OidcAnswer { status, body })
    }
}

fn authorized(
    request: RequestBuilder,
    authorization: Option<&str>,
) -> Result<RequestBuilder, OidcServerError> {
    let Some(authorization) = authorization else { return Ok(request) };
    let mut value = HeaderValue::from_str(authorization).map_err(|_| OidcServerError::Credential)?;
    value.set_sensitive(true);
    Ok(request.header(AUTHORIZATION, value))
}

fn failure(error: &reqwest::Error) -> OidcServerError {
    if error.is_timeout() {
        return OidcServerError::Timeout;
    }
    OidcServerError::Unreachable(client_error::chain(error))
}
