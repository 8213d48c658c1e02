//! Client for the language model configured by the operator: a server with an OpenAI-compatible interface.
//! Like [`crate::carrel_server`], it connects to one fixed address, follows no redirects, and is exempt from
//! the guard's check for public addresses: models often run on this machine or in a private network.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use reqwest::Client;
use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderValue, RETRY_AFTER};
use tokio::sync::{Semaphore, SemaphorePermit};
use url::Url;

use crate::error::SetupError;
use crate::operator_client::BodyError;
use crate::{client_error, operator_client};

const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// Timeout of one request, including the answer. Models without a graphics card are slow.
const TIMEOUT: Duration = Duration::from_mins(2);
/// Maximum size of an answer. A larger answer is refused.
const MAX_ANSWER_BYTES: usize = 64 << 10;
/// Maximum size of an answer with vectors, which are long lists of numbers. It is sufficient for 16 vectors
/// of 4,096 numbers with up to 30 characters each.
const MAX_VECTORS_BYTES: usize = 2 << 20;
/// Maximum number of concurrent requests of one process.
const CONCURRENCY: usize = 2;
/// Maximum accepted `Retry-After`, in seconds. A person waits for the answer.
const MAX_RETRY_AFTER_SECONDS: u32 = 3_600;

/// Address of a model, and the credential for it. `Debug` does not print the credential.
#[derive(Clone, PartialEq, Eq)]
pub struct ModelEndpoint {
    address: Url,
    key: Option<String>,
    model: String,
    embeddings: Option<String>,
}

impl ModelEndpoint {
    /// Creates the endpoint of the model named `model`. `address` is the base of the interface, such as
    /// `http://127.0.0.1:11434/v1`.
    pub fn new(address: Url, key: Option<String>, model: String) -> Self {
        Self { address, key, model, embeddings: None }
    }

    /// Sets the name of the model that computes vectors of texts.
    #[must_use]
    pub fn with_embeddings(self, embeddings: Option<String>) -> Self {
        Self { embeddings, ..self }
    }

    pub fn model(&self) -> &str {
        &self.model
    }

    /// Name of the model that computes vectors of texts. `None` if no such model is configured.
    pub fn embeddings(&self) -> Option<&str> {
        self.embeddings.as_deref()
    }

    /// Host to which texts are sent.
    pub fn host(&self) -> &str {
        self.address.host_str().unwrap_or_default()
    }

    /// URL of an operation, such as `chat/completions`.
    fn operation(&self, name: &str) -> Url {
        let mut url = self.address.clone();
        let path = format!("{}/{name}", self.address.path().trim_end_matches('/'));
        url.set_path(&path);
        url
    }
}

impl fmt::Debug for ModelEndpoint {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("ModelEndpoint")
            .field("address", &self.address.as_str())
            .field("model", &self.model)
            .field("embeddings", &self.embeddings)
            .finish_non_exhaustive()
    }
}

/// Error of a request to the model.
#[derive(Debug, thiserror::Error)]
pub enum ModelServerError {
    /// There was no answer, or the connection broke.
    #[error("the model cannot be reached: {0}")]
    Unreachable(String),
    #[error("the model did not answer in time")]
    Timeout,
    /// The server refused the request, or failed.
    #[error("the model answered with status {status}")]
    Status {
        status: u16,
        /// Value of `Retry-After`, in seconds.
        retry_after: Option<u32>,
    },
    #[error("the answer of the model is too large")]
    TooLarge,
}

/// Connection to the model. Clones share their bound on concurrent requests.
#[derive(Clone, Debug)]
pub struct ModelServer {
    client: Client,
    completions: Url,
    embeddings: Url,
    permits: Arc<Semaphore>,
}

/// Right to send one request.
#[derive(Debug)]
pub struct RequestPermit<'a> {
    _permit: SemaphorePermit<'a>,
}

impl ModelServer {
    /// Creates a client for the model at `endpoint`, to which its key is sent as a bearer token.
    ///
    /// # Errors
    /// If the key cannot be sent in a header, or the client cannot be created.
    pub fn new(endpoint: &ModelEndpoint) -> Result<Self, SetupError> {
        let mut headers = HeaderMap::new();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        if let Some(key) = &endpoint.key {
            let mut bearer = HeaderValue::from_str(&format!("Bearer {key}"))
                .map_err(|_| SetupError::Client("the key of the model cannot be sent".to_owned()))?;
            bearer.set_sensitive(true);
            headers.insert(AUTHORIZATION, bearer);
        }
        Ok(Self {
            client: operator_client::client(headers, CONNECT_TIMEOUT, |client| client.timeout(TIMEOUT))?,
            completions: endpoint.operation("chat/completions"),
            embeddings: endpoint.operation("embeddings"),
            permits: Arc::new(Semaphore::new(CONCURRENCY)),
        })
    }

    /// Waits until a request may be sent.
    ///
    /// # Errors
    /// If the process stops.
    pub async fn permit(&self) -> Result<RequestPermit<'_>, ModelServerError> {
        let closed = |_| ModelServerError::Unreachable("the process stops".to_owned());
        let permit = self.permits.acquire().await.map_err(closed)?;
        Ok(RequestPermit { _permit: permit })
    }

    /// Posts a conversation, as JSON. Returns the body of the answer.
    ///
    /// # Errors
    /// If there is no answer within two minutes, or the answer is an error or too large.
    pub async fn complete(&self, permit: RequestPermit<'_>, body: String) -> Result<Bytes, ModelServerError> {
        let answer = self.post(&self.completions, body, MAX_ANSWER_BYTES).await;
        drop(permit);
        answer
    }

    /// Posts texts, as JSON. Returns the body of the answer with their vectors.
    ///
    /// # Errors
    /// The same as for [`complete`](Self::complete).
    pub async fn embed(&self, permit: RequestPermit<'_>, body: String) -> Result<Bytes, ModelServerError> {
        let answer = self.post(&self.embeddings, body, MAX_VECTORS_BYTES).await;
        drop(permit);
        answer
    }

    async fn post(&self, url: &Url, body: String, max_bytes: usize) -> Result<Bytes, ModelServerError> {
        let answer = self.client.post(url.clone()).body(body).send().await;
        let answer = answer.map_err(|error| failure(&error))?;
        if !answer.status().is_success() {
            return Err(ModelServerError::Status {
                status: answer.status().as_u16(),
                retry_after: retry_after(answer.headers()),
            });
        }
        operator_client::read(answer, max_bytes).await.map_err(|error| match error {
            BodyError::Failed(error) => failure(&error),
            BodyError::TooLarge => ModelServerError::TooLarge,
        })
    }
}

fn failure(error: &reqwest::Error) -> ModelServerError {
    if error.is_timeout() {
        return ModelServerError::Timeout;
    }
    ModelServerError::Unreachable(client_error::chain(error))
}

fn retry_after(headers: &HeaderMap) -> Option<u32> {
    let seconds: u32 = headers.get(RETRY_AFTER)?.to_str().ok()?.parse().ok()?;
    Some(seconds.min(MAX_RETRY_AFTER_SECONDS))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn key_is_not_printed_and_the_path_is_appended() {
        let address = Url::parse("https://models.example.org/v1/").unwrap();
        let endpoint = ModelEndpoint::new(address, Some("hush-hush".to_owned()), "small".to_owned());
        assert_eq!(
            endpoint.operation("chat/completions").as_str(),
            "https://models.example.org/v1/chat/completions"
        );
        assert_eq!((endpoint.host(), endpoint.model()), ("models.example.org", "small"));
        let server = ModelServer::new(&endpoint).unwrap();
        assert!(!format!("{endpoint:?}{server:?}").contains("hush"));
        let broken = ModelEndpoint { key: Some("a\nb".to_owned()), ..endpoint };
        assert!(ModelServer::new(&broken).is_err());
    }

    #[test]
    fn wait_before_another_attempt_is_bounded() {
        let after = |value: &'static str| {
            let headers: HeaderMap = [(RETRY_AFTER, HeaderValue::from_static(value))].into_iter().collect();
            retry_after(&headers)
        };
        assert_eq!((after("7"), after("4294967295")), (Some(7), Some(MAX_RETRY_AFTER_SECONDS)));
        assert_eq!((after("4294967296"), after("soon")), (None, None));
    }
}
