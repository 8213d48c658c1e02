//! JSON-RPC 2.0 messages: parsing of requests and rendering of responses.

use poem::http::StatusCode;
use serde_json::{Map, Value, json};

use super::strict::{self, JsonFault};

/// The body is not JSON.
const PARSE_ERROR: i64 = -32700;
/// The JSON value is not a valid message.
const INVALID_REQUEST: i64 = -32600;
const METHOD_NOT_FOUND: i64 = -32601;
const INVALID_PARAMS: i64 = -32602;
const INTERNAL_ERROR: i64 = -32603;
/// The operation was refused or failed.
const REFUSED: i64 = -32000;
const INSUFFICIENT_SCOPE: i64 = -32003;
/// Headers and body do not match.
const HEADER_MISMATCH: i64 = -32020;
/// The client has not declared a capability that the method needs.
const MISSING_CAPABILITY: i64 = -32021;
/// The protocol revision is not supported.
const UNSUPPORTED_VERSION: i64 = -32022;

/// Request or notification.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct JsonRpcMessage {
    /// Request id; `None` for a notification, which gets no response.
    pub id: Option<Value>,
    pub method: String,
    pub params: Map<String, Value>,
}

/// JSON-RPC error with the HTTP status of its response.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct RpcError {
    code: i64,
    message: String,
    data: Option<Value>,
    pub status: StatusCode,
}

impl RpcError {
    fn new(code: i64, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), data: None, status: StatusCode::OK }
    }

    fn malformed(code: i64, message: impl Into<String>) -> Self {
        Self { status: StatusCode::BAD_REQUEST, ..Self::new(code, message) }
    }

    /// Error for a body that is not a valid message.
    pub(super) fn invalid_request(message: impl Into<String>) -> Self {
        Self::malformed(INVALID_REQUEST, message)
    }

    pub(super) fn unknown_method(method: &str) -> Self {
        let truncated: String = method.chars().take(80).collect();
        Self::new(METHOD_NOT_FOUND, format!("There is no method {truncated}."))
    }

    pub(super) fn invalid_params(message: impl Into<String>) -> Self {
        Self::new(INVALID_PARAMS, message)
    }

    /// Error for a request without the metadata that the revision requires.
    pub(super) fn missing_metadata(message: impl Into<String>) -> Self {
        Self::malformed(INVALID_PARAMS, message)
    }

    /// Error for headers that do not match the body.
    pub(super) fn header_mismatch(message: impl Into<String>) -> Self {
        Self::malformed(HEADER_MISMATCH, message)
    }

    /// Error for a method that needs the capability `required`, which the client has not declared.
    pub(super) fn missing_capability(required: &Value) -> Self {
        Self::malformed(
            MISSING_CAPABILITY,
            "The client has not declared a capability that this method needs.",
        )
        .with_data(json!({ "requiredCapabilities": required }))
    }

    pub(super) fn unsupported_version(requested: &str, supported: &[&str]) -> Self {
        let requested: String = requested.chars().take(40).collect();
        Self::malformed(UNSUPPORTED_VERSION, "This protocol version is not supported.")
            .with_data(json!({ "requested": requested, "supported": supported }))
    }

    pub(super) fn internal() -> Self {
        Self::new(INTERNAL_ERROR, "Internal error.")
    }

    /// Error for an operation that was refused or failed.
    pub(super) fn refused(message: impl Into<String>) -> Self {
        Self::new(REFUSED, message)
    }

    pub(super) fn insufficient_scope(message: impl Into<String>) -> Self {
        Self::new(INSUFFICIENT_SCOPE, message)
    }

    /// Adds `data` to the error.
    #[must_use]
    pub(super) fn with_data(self, data: Value) -> Self {
        Self { data: Some(data), ..self }
    }

    /// Sets the HTTP status.
    #[must_use]
    pub(super) fn with_status(self, status: StatusCode) -> Self {
        Self { status, ..self }
    }

    /// The error as the newest revision reports it: an unknown method gets status 404.
    #[must_use]
    pub(super) fn for_newest_revision(self) -> Self {
        if self.code == METHOD_NOT_FOUND { self.with_status(StatusCode::NOT_FOUND) } else { self }
    }

    /// Error response to the message `id`.
    pub(super) fn answer(&self, id: Option<&Value>) -> Value {
        let mut error = json!({ "code": self.code, "message": self.message });
        if let Some(data) = &self.data {
            error["data"] = data.clone();
        }
        json!({ "jsonrpc": "2.0", "id": id, "error": error })
    }
}

/// Result response to the message `id`.
pub(super) fn answer(id: &Value, result: Value) -> Value {
    let mut answer = json!({ "jsonrpc": "2.0", "id": id });
    answer["result"] = result;
    answer
}

/// Parses the message in a body.
///
/// # Errors
/// The JSON-RPC error, with the message's id if it could be parsed.
pub(super) fn parse(body: &[u8]) -> Result<JsonRpcMessage, (RpcError, Option<Value>)> {
    let value = strict::parse(body).map_err(|fault| {
        let error = match fault {
            JsonFault::NotJson(reason) => {
                RpcError::malformed(PARSE_ERROR, format!("The body is not JSON: {reason}."))
            }
            JsonFault::Ambiguous(reason) => {
                RpcError::invalid_request(format!("The body is refused: {reason}."))
            }
        };
        (error, None)
    })?;
    let Value::Object(mut members) = value else {
        return Err((RpcError::invalid_request("The body must be a single JSON-RPC message object."), None));
    };
    let id = members.remove("id");
    let valid_id = id.clone().filter(is_id);
    let wrong = |reason: &str| (RpcError::invalid_request(reason), valid_id.clone());
    if members.get("jsonrpc").and_then(Value::as_str) != Some("2.0") {
        return Err(wrong("`jsonrpc` must be \"2.0\"."));
    }
    if id.as_ref().is_some_and(|id| !is_id(id)) {
        return Err(wrong("`id` must be a string or an integer."));
    }
    let Some(Value::String(method)) = members.remove("method") else {
        return Err(wrong("`method` is missing, so the message is not a request."));
    };
    let params = match members.remove("params") {
        None => Map::new(),
        Some(Value::Object(params)) => params,
        Some(_) => return Err(wrong("`params` must be an object.")),
    };
    Ok(JsonRpcMessage { id, method, params })
}

fn is_id(id: &Value) -> bool {
    match id {
        Value::String(text) => text.len() <= 512,
        Value::Number(number) => !number.is_f64(),
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invalid_messages_are_refused_with_their_id() {
        let message = parse(br#"{"jsonrpc":"2.0","id":7,"method":"ping"}"#).unwrap();
        assert_eq!((message.id, message.method.as_str(), message.params.len()), (Some(json!(7)), "ping", 0));
        let rejection = |body: &str| {
            let (error, id) = parse(body.as_bytes()).unwrap_err();
            (error.code, error.status.as_u16(), id)
        };
        assert_eq!(rejection("{"), (PARSE_ERROR, 400, None));
        assert_eq!(rejection(r#"[{"jsonrpc":"2.0","id":7,"method":"ping"}]"#), (INVALID_REQUEST, 400, None));
        assert_eq!(
            rejection(r#"{"jsonrpc":"2.0","id":"a","result":{}}"#),
            (INVALID_REQUEST, 400, Some(json!("a")))
        );
        assert_eq!(
            rejection(r#"{"jsonrpc":"1.0","id":7,"method":"ping"}"#),
            (INVALID_REQUEST, 400, Some(json!(7)))
        );
        assert_eq!(rejection(r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#), (INVALID_REQUEST, 400, None));
        assert_eq!(rejection(r#"{"jsonrpc":"2.0","id":7,"method":"ping","method":"x"}"#).0, INVALID_REQUEST);
        assert_eq!(rejection(r#"{"jsonrpc":"2.0","id":7,"method":"ping","params":[]}"#).0, INVALID_REQUEST);
    }
}
