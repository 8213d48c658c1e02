//! Conversion of tool arguments to the request of an operation. The operation validates them; this module reports
//! only faults that the operation would not see.

use poem::Request;
use poem::http::HeaderValue;
use serde_json::{Map, Value};

use super::file;
use super::operation::{BodyKind, ParameterLocation, ToolOperation, USUAL_LIMIT};
use super::paths::segment;
use super::schema::{set_cleared, set_parsed};
use super::size::MAX_TOKENS;
use crate::session::{Refusal, uri_of, with_json};
use http_kit::http::fault::Fault;
use http_kit::http::request::escaped;

/// Request of an operation, with its path.
///
/// # Errors
/// The fault of an argument.
pub(super) fn request(
    operation: &ToolOperation,
    mut arguments: Map<String, Value>,
    base_url: &str,
) -> Result<(Request, String), Refusal> {
    if let Some(name) = arguments.keys().find(|name| !operation.takes(name)) {
        return Err(Fault::new("there is no such argument").under(escaped(name)).into());
    }
    if arguments.get("maxTokens").and_then(Value::as_u64).is_some_and(|tokens| tokens > MAX_TOKENS.into()) {
        return Err(Fault::new(format!("must be at most {MAX_TOKENS}")).under("maxTokens").into());
    }
    let (mut path, mut query) = (operation.path.clone(), Vec::new());
    let mut builder = Request::builder().method(operation.method.clone());
    for parameter in &operation.parameters {
        let value = arguments.remove(&parameter.argument).filter(|value| !value.is_null());
        let text =
            value.as_ref().map(text_of).transpose().map_err(|fault| fault.under(&parameter.argument))?;
        match (parameter.location, text) {
            (ParameterLocation::Path, Some(text)) if !text.is_empty() => {
                path = path.replace(&format!("{{{}}}", parameter.name), &segment(&text));
            }
            (ParameterLocation::Path, _) => {
                return Err(Fault::new("is missing").under(&parameter.argument).into());
            }
            (ParameterLocation::Query, Some(text)) => {
                query.push(format!("{}={}", parameter.name, segment(&text)));
            }
            (ParameterLocation::Query, None) if parameter.name == "limit" => {
                query.push(format!("limit={USUAL_LIMIT}"));
            }
            (ParameterLocation::Header, Some(text)) => {
                let value = HeaderValue::from_str(&text);
                let value = value
                    .map_err(|_| Fault::new("is not a valid header value").under(&parameter.argument))?;
                builder = builder.header(parameter.name.as_str(), value);
            }
            (ParameterLocation::Query | ParameterLocation::Header, None) => {}
        }
    }
    if !query.is_empty() {
        path = format!("{path}?{}", query.join("&"));
    }
    let builder = builder.uri(uri_of(&path)?);
    let request = match operation.body {
        BodyKind::None => builder.finish(),
        BodyKind::Json => {
            set_parsed(&operation.input, &mut arguments);
            let mut body = Value::Object(arguments);
            set_cleared(&operation.input, &mut body);
            with_json(builder, &body)
        }
        BodyKind::File => file::form(builder, arguments, &format!("{} {base_url}{path}", operation.method))?,
    };
    Ok((request, path))
}

/// Checks that no required argument is missing.
///
/// # Errors
/// The fault of the first missing argument.
pub(super) fn check_required(operation: &ToolOperation, arguments: &Map<String, Value>) -> Result<(), Fault> {
    let mut required = operation.input["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
    match required.find(|name| !arguments.contains_key(*name)) {
        Some(name) => Err(Fault::new("is missing").under(escaped(name))),
        None => Ok(()),
    }
}

/// Text of a value in a path, a query or a header.
fn text_of(value: &Value) -> Result<String, Fault> {
    match value {
        Value::String(text) => Ok(text.clone()),
        Value::Number(number) => Ok(number.to_string()),
        Value::Bool(flag) => Ok(flag.to_string()),
        Value::Null | Value::Array(_) | Value::Object(_) => {
            Err(Fault::new("must be a string, a number or a boolean"))
        }
    }
}
