//! Approval of calls that the owner of a connection wants to see first.

use std::collections::BTreeMap;

use identity::agents::{self, ApprovalRequest, ConnectionName};
use identity::caller::Credential;
use kernel::{Code, Scope};
use serde_json::{Map, Value};

use super::session::{AgentRequest, Refusal};
use super::tools::{Tool, asks_dry_run};
use api::error::ApiError;

/// Checks that a call needs no approval, or uses its approval up. Dry runs need none. Returns the request for
/// the call: a call with an approval is charged first, so that a limit does not use the approval up.
///
/// # Errors
/// The refusal of the account's limits; `approval_required` with the page on which the person approves the
/// call; `limit_reached`.
pub(super) async fn require(
    session: &AgentRequest,
    tool: &Tool,
    arguments: &Map<String, Value>,
) -> Result<AgentRequest, Refusal> {
    let Some(rule) = tool.approval_rule().filter(|_| !is_dry_run(tool, arguments)) else {
        return Ok(session.clone());
    };
    require_by_rule(session, rule, (&tool.name, tool.scope), arguments).await
}

/// Checks a method that changes something and is not a call of a tool. The rule for other operations applies.
/// The method is charged already.
///
/// # Errors
/// As for [`require`].
pub(super) async fn require_for_method(
    session: &AgentRequest,
    method: (&str, Scope),
    arguments: &Map<String, Value>,
) -> Result<(), Refusal> {
    require_by_rule(&session.charged(), agents::OPERATIONS, method, arguments).await?;
    Ok(())
}

async fn require_by_rule(
    session: &AgentRequest,
    rule: &str,
    (tool, scope): (&str, Scope),
    arguments: &Map<String, Value>,
) -> Result<AgentRequest, Refusal> {
    // A call without the scope is refused anyway, so it needs no approval.
    if session.caller.require(scope).is_err() {
        return Ok(session.clone());
    }
    let Some(connection) = ConnectionName::of(&session.caller) else { return Ok(session.clone()) };
    let (domain, account_id) = (&session.app.domain, session.caller.account_id);
    if !agents::needs_approval(domain, account_id, &connection, rule).await? {
        return Ok(session.clone());
    }
    session.charge(scope).await?;
    let arguments = canonical(arguments);
    let request = ApprovalRequest { tool, arguments: &arguments };
    if agents::use_approval(domain, account_id, &connection, request).await? {
        return Ok(session.charged());
    }
    let message = format!("The person must approve this call at {}.", page(session));
    Err(ApiError::new(Code::ApprovalRequired, message).into())
}

/// True if a default tool only states what it would do.
fn is_dry_run(tool: &Tool, arguments: &Map<String, Value>) -> bool {
    tool.approval_rule() != Some(agents::OPERATIONS) && asks_dry_run(arguments)
}

/// Arguments as JSON with sorted names. The order of names means nothing.
fn canonical(arguments: &Map<String, Value>) -> String {
    let sorted: BTreeMap<&String, &Value> = arguments.iter().collect();
    serde_json::to_string(&sorted).unwrap_or_default()
}

/// Page on which the person approves calls of the connection.
fn page(session: &AgentRequest) -> String {
    let origin = session.app.settings.origins.auth.as_str();
    match session.caller.credential {
        Credential::Key(id) => format!("{origin}/settings/keys/{id}/activity"),
        Credential::Token { grant, client: _ } => format!("{origin}/settings/apps/{grant}/activity"),
        Credential::Session => format!("{origin}/settings/apps"),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn order_of_arguments_does_not_matter() {
        let of = |arguments: Value| canonical(arguments.as_object().unwrap());
        assert_eq!(of(json!({"b": 1, "a": ["x"]})), r#"{"a":["x"],"b":1}"#);
        assert_eq!(of(json!({"a": 1, "b": 2})), of(json!({"b": 2, "a": 1})));
        assert_ne!(of(json!({"a": 1})), of(json!({"a": 2})));
    }
}
