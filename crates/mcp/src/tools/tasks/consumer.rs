//! Consumers of the event log by name.

use serde_json::Value;

use super::charges::Calls;
use crate::session::Refusal;
use api::error::ApiError;
use kernel::Code;

/// Id of the consumer with a name, regardless of case.
///
/// # Errors
/// The error response of the operation.
pub(super) async fn find(calls: &mut Calls<'_>, name: &str) -> Result<Option<u64>, Refusal> {
    let answer = calls.get("/v1/feeds/consumers").await?;
    let name = name.trim().to_lowercase();
    let consumers = answer["consumers"].as_array();
    let known = consumers
        .into_iter()
        .flatten()
        .find(|known| known["name"].as_str().is_some_and(|known| known.trim().to_lowercase() == name));
    Ok(known.and_then(|known: &Value| known["id"].as_u64()))
}

/// Refusal of an unknown name.
pub(super) fn unknown(name: &str) -> Refusal {
    let name: String = name.chars().take(80).collect();
    let message = format!("There is no consumer named {name}. Call mark with this consumer to create it.");
    ApiError::new(Code::NotFound, message).into()
}
