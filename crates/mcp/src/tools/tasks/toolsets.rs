//! `more_tools`: adds a group of operations to the list of the agent's connection, for a day.

use http_kit::mcp_address::ToolGroup;
use identity::agents::{self, ConnectionName};
use serde_json::{Value, json};

use super::arguments::Arguments;
use super::charges::Calls;
use super::page::TaskResult;
use crate::session::{AgentRequest, Refusal};

/// Name of the tool.
pub(crate) const LOADING_TOOL: &str = "more_tools";

/// Name and title of a tool.
pub(in crate::tools) type NamedTool = (String, String);

/// Loads a set that has these tools.
///
/// # Errors
/// A refusal because of the account's limits.
pub(super) async fn run(
    calls: &mut Calls<'_>,
    arguments: &Arguments,
    tools: &[NamedTool],
) -> Result<TaskResult, Refusal> {
    calls.charge_alone(kernel::Scope::Read).await?;
    let session = calls.session();
    let name = arguments.required("set");
    if let Some(connection) = ConnectionName::of(&session.caller) {
        agents::load_toolset(&session.app.domain, session.caller.account_id, &connection, name).await?;
    }
    let mut page = TaskResult::new(
        format!(
            "The list of tools now has the set {name} as well. If it does not appear, call these tools by name, or connect to /mcp/x/{name}."
        ),
        json!({}),
    );
    for (name, title) in tools {
        page.say(format!("- {name}: {title}"));
    }
    let tools: Vec<Value> =
        tools.iter().map(|(name, title)| json!({ "name": name, "title": title })).collect();
    page.data = json!({ "set": name, "tools": tools });
    Ok(page)
}

/// Groups that the connection of a request loaded. They extend the default set only.
///
/// # Errors
/// `Unavailable` if the database does not respond.
pub(crate) async fn loaded(session: &AgentRequest) -> Result<Vec<ToolGroup>, Refusal> {
    let connection = ConnectionName::of(&session.caller).filter(|_| session.selection.has_default_set);
    let Some(connection) = connection else { return Ok(Vec::new()) };
    let domain = &session.app.domain;
    let names = agents::loaded_toolsets(domain, session.caller.account_id, &connection).await?;
    Ok(names.iter().filter_map(|name| ToolGroup::parse(name)).collect())
}
