//! Approval of calls that the owner of a connection wants to check before they run.

use std::collections::BTreeMap;

use identity::agents::{self, ApprovalRequest, ConnectionName, UsedApproval};
use identity::caller::Credential;
use kernel::{Code, Scope};
use poem::http::StatusCode;
use serde_json::{Map, Value};

use super::secret_arguments::displayed;
use super::session::{AgentRequest, Refusal};
use super::tools::{self, Tool, asks_dry_run};
use api::error::ApiError;

/// A call that may run.
pub(super) struct PermittedCall {
    /// Request of the call. If the call has an approval, the request has already been charged.
    pub session: AgentRequest,
    /// Approval that the call used up.
    used: Option<UsedApproval>,
}

impl PermittedCall {
    fn without_approval(session: &AgentRequest) -> Self {
        Self { session: session.clone(), used: None }
    }

    /// Gives the approval back if the operation refused the arguments of the call and therefore changed nothing.
    pub(super) async fn return_if_invalid(self, refusal: &Refusal) {
        let is_invalid = matches!(
            refusal.status,
            StatusCode::BAD_REQUEST | StatusCode::NOT_FOUND | StatusCode::UNPROCESSABLE_ENTITY
        );
        let Some(used) = self.used.filter(|_| is_invalid) else { return };
        if let Err(error) = agents::return_approval(&self.session.app.domain, used).await {
            tracing::warn!(error = error.report(), "approval of an invalid call not returned");
        }
    }
}

/// Checks that a call needs no approval, or uses up its approval. Dry runs need no approval. The call is
/// charged and its arguments are checked before its approval is used up, so that no approval is lost to a
/// limit or a mistake.
///
/// # Errors
/// A refusal because of the account's limits; the fault of an argument; `approval_required` with the page on which
/// the person approves the call; `limit_reached`.
pub(super) async fn require(
    session: &AgentRequest,
    tool: &Tool,
    arguments: &Map<String, Value>,
) -> Result<PermittedCall, Refusal> {
    let Some(rule) = tool.approval_rule().filter(|_| !is_dry_run(tool, arguments)) else {
        return Ok(PermittedCall::without_approval(session));
    };
    let Some(connection) = ruled_connection(session, rule, tool.scope).await? else {
        return Ok(PermittedCall::without_approval(session));
    };
    session.charge(tool.scope).await?;
    tools::check(session, tool, arguments)?;
    let used = use_approval(session, &connection, &tool.name, arguments).await?;
    Ok(PermittedCall { session: session.charged(), used: Some(used) })
}

/// Checks whether a method that changes something, but does not call a tool, needs approval. The rule for
/// other operations applies. The method has already been charged.
///
/// # Errors
/// As for [`require`].
pub(super) async fn require_for_method(
    session: &AgentRequest,
    (method, scope): (&str, Scope),
    arguments: &Map<String, Value>,
) -> Result<(), Refusal> {
    if let Some(connection) = ruled_connection(session, agents::OPERATIONS, scope).await? {
        session.charged().charge(scope).await?;
        use_approval(session, &connection, method, arguments).await?;
    }
    Ok(())
}

/// Connection of a call that needs approval under `rule`; `None` if the call needs no approval.
async fn ruled_connection(
    session: &AgentRequest,
    rule: &str,
    scope: Scope,
) -> Result<Option<ConnectionName>, Refusal> {
    // A call without the scope is refused anyway, so it needs no approval.
    if session.caller.require(scope).is_err() {
        return Ok(None);
    }
    let Some(connection) = ConnectionName::of(&session.caller) else { return Ok(None) };
    let (domain, account_id) = (&session.app.domain, session.caller.account_id);
    let is_ruled = agents::needs_approval(domain, account_id, &connection, rule).await?;
    Ok(Some(connection).filter(|_| is_ruled))
}

async fn use_approval(
    session: &AgentRequest,
    connection: &ConnectionName,
    tool: &str,
    arguments: &Map<String, Value>,
) -> Result<UsedApproval, Refusal> {
    let shown = canonical(&displayed(arguments));
    let arguments = canonical(arguments);
    let request = ApprovalRequest { tool, arguments: &arguments, displayed: &shown };
    let (domain, account_id) = (&session.app.domain, session.caller.account_id);
    agents::use_approval(domain, account_id, connection, request).await?.ok_or_else(|| {
        let message = format!("The person must approve this call at {}.", page(session));
        ApiError::new(Code::ApprovalRequired, message).into()
    })
}

/// True if the call is a dry run of a default tool.
fn is_dry_run(tool: &Tool, arguments: &Map<String, Value>) -> bool {
    tool.approval_rule() != Some(agents::OPERATIONS) && asks_dry_run(arguments)
}

/// Arguments as JSON, sorted by name, so that their order does not matter.
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
    fn canonical_arguments_do_not_depend_on_their_order() {
        let of = |arguments: Value| canonical(arguments.as_object().unwrap());
        assert_eq!(of(json!({"b": 1, "a": ["x"]})), r#"{"a":["x"],"b":1}"#);
        assert_eq!(of(json!({"a": 1, "b": 2})), of(json!({"b": 2, "a": 1})));
        assert_ne!(of(json!({"a": 1})), of(json!({"a": 2})));
    }
}
