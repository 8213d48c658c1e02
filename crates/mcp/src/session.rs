//! Who asks at which address, and the operations of the Developer API that are called for them within this process:
//! the same endpoints that answer from outside, with the same checks, charges and errors.

use std::sync::Arc;

use identity::caller::Caller;
use identity::limits::Shown;
use kernel::Scope;
use poem::endpoint::BoxEndpoint;
use poem::http::{Method, StatusCode, Uri, header};
use poem::{Body, Endpoint, Request, Response};
use poem_openapi::types::ToJSON;
use serde_json::{Value, json};

use api::authorize;
use api::error::ApiError;
use http_kit::app::App;
use http_kit::auth::{Charge, Identified};
use http_kit::http::fault::Fault;
use http_kit::http::request_id::RequestId;
use http_kit::mcp_address::Address;

/// The operations of the Developer API.
pub(super) type Operations = Arc<BoxEndpoint<'static>>;

/// One request of an agent: who sent it, and where.
#[derive(Clone)]
pub(super) struct Session {
    /// What the process has opened.
    pub app: Arc<App>,
    /// Who asks.
    pub caller: Caller,
    /// The address that was asked.
    pub address: Address,
    /// The id of the HTTP request.
    pub request_id: RequestId,
    /// What is called for them.
    pub operations: Operations,
}

/// What an operation answered that was not done: its status, and the error as every caller gets it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Refusal {
    /// The status.
    pub status: StatusCode,
    /// `{error, code, retryAfter?, details?}`.
    pub error: Value,
}

impl Refusal {
    /// The error's stable word.
    pub(super) fn code(&self) -> &str {
        self.error["code"].as_str().unwrap_or_default()
    }

    /// The sentence for people.
    pub(super) fn message(&self) -> &str {
        self.error["error"].as_str().unwrap_or_default()
    }

    /// Seconds until a retry may help.
    pub(super) fn retry_after(&self) -> Option<u64> {
        self.error["retryAfter"].as_u64()
    }

    async fn of(response: Response) -> Self {
        let status = response.status();
        let bytes = response.into_body().into_bytes().await.unwrap_or_default();
        let error = serde_json::from_slice(&bytes).unwrap_or_else(|_| {
            json!({ "error": "The operation could not be carried out.", "code": kernel::Code::ServiceUnavailable.as_str() })
        });
        Self { status, error }
    }
}

impl<E: Into<ApiError>> From<E> for Refusal {
    fn from(error: E) -> Self {
        let error: ApiError = error.into();
        let status = poem::error::ResponseError::status(&error);
        Self { status, error: error.plain().to_json().unwrap_or_default() }
    }
}

impl Session {
    /// Calls an operation.
    ///
    /// # Errors
    /// What the operation answers when it is not done.
    pub(super) async fn send(&self, mut request: Request, charge: Charge) -> Result<Response, Refusal> {
        request.set_data(Identified { caller: self.caller.clone(), charge });
        request.set_data(self.request_id.clone());
        let response = match self.operations.call(request).await {
            Ok(response) => response,
            Err(error) => error.into_response(),
        };
        if response.status().is_success() { Ok(response) } else { Err(Refusal::of(response).await) }
    }

    /// What an operation answers that reads.
    ///
    /// # Errors
    /// As for [`Session::send`].
    pub(super) async fn get(&self, path: &str, charge: Charge) -> Result<Value, Refusal> {
        let request = Request::builder().method(Method::GET).uri(uri_of(path)?).finish();
        json_of(self.send(request, charge).await?).await
    }

    /// What an operation answers to a body.
    ///
    /// # Errors
    /// As for [`Session::send`].
    pub(super) async fn post(&self, path: &str, body: &Value, charge: Charge) -> Result<Value, Refusal> {
        let request = Request::builder().method(Method::POST).uri(uri_of(path)?);
        json_of(self.send(with_json(request, body), charge).await?).await
    }

    /// Charges what has no operation of its own, and asks for the scope.
    ///
    /// # Errors
    /// The refusal of the account's limits, or of the credential.
    pub(super) async fn charge(&self, scope: Scope) -> Result<(), Refusal> {
        let (_, refusal) = authorize::charge(&self.app, &self.caller, Shown::Operations).await?;
        if let Some(refusal) = refusal {
            return Err(refusal.into());
        }
        Ok(self.caller.require(scope)?)
    }
}

/// A path with its query as the target of a request.
///
/// # Errors
/// When it is too long for one.
pub(super) fn uri_of(path: &str) -> Result<Uri, Refusal> {
    path.parse().map_err(|_| Refusal::from(Fault::new("too long for an address")))
}

/// A request with a JSON body.
pub(super) fn with_json(request: poem::RequestBuilder, body: &Value) -> Request {
    let text = body.to_string();
    request
        .content_type("application/json")
        .header(header::CONTENT_LENGTH, text.len())
        .body(Body::from_string(text))
}

/// The JSON of a response; null where there is none.
pub(super) async fn json_of(response: Response) -> Result<Value, Refusal> {
    let bytes = response.into_body().into_bytes().await.map_err(|error| broken(&error))?;
    if bytes.is_empty() {
        return Ok(Value::Null);
    }
    serde_json::from_slice(&bytes).map_err(|error| broken(&error))
}

/// An answer that broke off.
pub(super) fn broken(error: &impl ToString) -> Refusal {
    kernel::Error::internal(error.to_string()).into()
}
