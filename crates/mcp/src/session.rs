//! Request of an agent, and in-process calls of the Developer API's operations for it: the same endpoints as
//! over HTTP, with the same checks, charges and errors.

use std::sync::Arc;

use identity::caller::Caller;
use identity::limits::ExposedLimits;
use kernel::Scope;
use poem::endpoint::BoxEndpoint;
use poem::http::{Method, StatusCode, Uri, header};
use poem::{Body, Endpoint, Request, Response};
use poem_openapi::types::ToJSON;
use serde_json::{Value, json};

use api::authorize;
use api::error::ApiError;
use http_kit::app::App;
use http_kit::auth::{ChargePolicy, Identified};
use http_kit::http::body_memory::IsReserved;
use http_kit::http::fault::Fault;
use http_kit::http::request_id::RequestId;
use http_kit::mcp_address::McpAddress;

use super::selection::ToolSelection;

/// Endpoint of the Developer API.
pub(super) type Operations = Arc<BoxEndpoint<'static>>;

/// Request of an agent: its caller and its address.
#[derive(Clone)]
pub(super) struct AgentRequest {
    pub app: Arc<App>,
    pub caller: Caller,
    /// Address that received the request.
    pub address: McpAddress,
    /// Tools and output that the request selects.
    pub selection: ToolSelection,
    /// Id of the HTTP request.
    pub request_id: RequestId,
    pub operations: Operations,
    /// True if the request itself is charged, so that its operations are not.
    pub is_charged: bool,
}

/// Error response of an operation.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Refusal {
    pub status: StatusCode,
    /// `{error, code, retryAfter?, details?}`.
    pub error: Value,
}

impl Refusal {
    /// Stable error code.
    pub(super) fn code(&self) -> &str {
        self.error["code"].as_str().unwrap_or_default()
    }

    /// Human-readable message.
    pub(super) fn message(&self) -> &str {
        self.error["error"].as_str().unwrap_or_default()
    }

    /// Whole seconds after which a retry may succeed.
    pub(super) fn retry_after(&self) -> Option<u64> {
        self.error["retryAfter"].as_u64()
    }

    async fn of(response: Response) -> Self {
        let status = response.status();
        let bytes = response.into_body().into_bytes().await.unwrap_or_default();
        let error = serde_json::from_slice(&bytes).unwrap_or_else(|_| {
            json!({ "error": "The operation failed.", "code": kernel::Code::ServiceUnavailable.as_str() })
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

impl AgentRequest {
    /// Copy of the request that counts as charged.
    pub(super) fn charged(&self) -> Self {
        Self { is_charged: true, ..self.clone() }
    }

    /// Calls an operation.
    ///
    /// # Errors
    /// The error response of the operation.
    pub(super) async fn send(&self, mut request: Request, charge: ChargePolicy) -> Result<Response, Refusal> {
        let charge = if self.is_charged { ChargePolicy::Paid } else { charge };
        request.set_data(Identified { caller: self.caller.clone(), charge });
        request.set_data(self.request_id.clone());
        request.set_data(IsReserved);
        let response = match self.operations.call(request).await {
            Ok(response) => response,
            Err(error) => error.into_response(),
        };
        if response.status().is_success() { Ok(response) } else { Err(Refusal::of(response).await) }
    }

    /// Calls a read operation with GET.
    ///
    /// # Errors
    /// As for [`AgentRequest::send`].
    pub(super) async fn get(&self, path: &str, charge: ChargePolicy) -> Result<Value, Refusal> {
        let request = Request::builder().method(Method::GET).uri(uri_of(path)?).finish();
        json_of(self.send(request, charge).await?).await
    }

    /// Calls an operation with POST and a JSON body.
    ///
    /// # Errors
    /// As for [`AgentRequest::send`].
    pub(super) async fn post(
        &self,
        path: &str,
        body: &Value,
        charge: ChargePolicy,
    ) -> Result<Value, Refusal> {
        let request = Request::builder().method(Method::POST).uri(uri_of(path)?);
        json_of(self.send(with_json(request, body), charge).await?).await
    }

    /// Calls an operation with DELETE.
    ///
    /// # Errors
    /// As for [`AgentRequest::send`].
    pub(super) async fn delete(&self, path: &str, charge: ChargePolicy) -> Result<(), Refusal> {
        let request = Request::builder().method(Method::DELETE).uri(uri_of(path)?).finish();
        self.send(request, charge).await?;
        Ok(())
    }

    /// Charges one operation for a method that calls no operation, unless the request is already charged, and
    /// checks the scope.
    ///
    /// # Errors
    /// A refusal because of the account's limits or a missing scope.
    pub(super) async fn charge(&self, scope: Scope) -> Result<(), Refusal> {
        if !self.is_charged {
            let (_, refusal) = authorize::charge(&self.app, &self.caller, ExposedLimits::Operations).await?;
            if let Some(refusal) = refusal {
                return Err(refusal.into());
            }
        }
        Ok(self.caller.require(scope)?)
    }
}

/// Parses a path with its query.
///
/// # Errors
/// If the path is too long for a URI.
pub(super) fn uri_of(path: &str) -> Result<Uri, Refusal> {
    path.parse().map_err(|_| Refusal::from(Fault::new("is too long for a URL")))
}

/// Request with a JSON body.
pub(super) fn with_json(request: poem::RequestBuilder, body: &Value) -> Request {
    let text = body.to_string();
    request
        .content_type("application/json")
        .header(header::CONTENT_LENGTH, text.len())
        .body(Body::from_string(text))
}

/// JSON body of a response; null if it is empty.
pub(super) async fn json_of(response: Response) -> Result<Value, Refusal> {
    let bytes = response.into_body().into_bytes().await.map_err(|error| unreadable_response(&error))?;
    if bytes.is_empty() {
        return Ok(Value::Null);
    }
    serde_json::from_slice(&bytes).map_err(|error| unreadable_response(&error))
}

/// Refusal for a response that could not be read.
pub(super) fn unreadable_response(error: &impl ToString) -> Refusal {
    kernel::Error::internal(error.to_string()).into()
}
