//! Default tools: names, descriptions, and input schemas, read from `tools.json`. Their list is what a model
//! reads before its first question, so its size is limited by tests.

use kernel::Scope;
use serde_json::{Map, Value, json};

/// Definitions in list order.
const DEFINITIONS: &str = include_str!("tools.json");

/// Default tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::tools) enum Task {
    Search,
    Fetch,
    Read,
    Find,
    Save,
    Annotate,
    Organize,
    ListUpdates,
    Mark,
    Follow,
    Watch,
    ListFollowing,
    Account,
    MoreTools,
}

/// All default tools.
const ALL: [(&str, Task); 14] = [
    ("search", Task::Search),
    ("fetch", Task::Fetch),
    ("read", Task::Read),
    ("find", Task::Find),
    ("save", Task::Save),
    ("annotate", Task::Annotate),
    ("organize", Task::Organize),
    ("list_updates", Task::ListUpdates),
    ("mark", Task::Mark),
    ("follow", Task::Follow),
    ("watch", Task::Watch),
    ("list_following", Task::ListFollowing),
    ("account", Task::Account),
    ("more_tools", Task::MoreTools),
];

/// Definition of a default tool.
#[derive(Clone, Debug)]
pub(in crate::tools) struct TaskTool {
    pub task: Task,
    pub name: &'static str,
    pub scope: Scope,
    /// True if the tool does not change the person's data.
    pub reads_only: bool,
    /// Schema of the arguments.
    pub input: Value,
    /// JSON of the tool in `tools/list`, without an output schema.
    pub listing: Value,
}

impl TaskTool {
    /// All default tools, in list order.
    pub(in crate::tools) fn all() -> Vec<Self> {
        let definitions: Vec<Value> = serde_json::from_str(DEFINITIONS).unwrap_or_default();
        definitions.into_iter().filter_map(Self::of).collect()
    }

    fn of(mut definition: Value) -> Option<Self> {
        let (name, task) = ALL.into_iter().find(|(name, _)| definition["name"] == *name)?;
        let scope = if definition["scope"] == "read" { Scope::Read } else { Scope::Write };
        let members = definition.as_object_mut()?;
        members.remove("scope");
        members.insert("securitySchemes".into(), json!([{ "type": "oauth2", "scopes": [scope.as_str()] }]));
        Some(Self {
            task,
            name,
            scope,
            reads_only: definition["annotations"]["readOnlyHint"] == true,
            input: definition["inputSchema"].clone(),
            listing: definition,
        })
    }

    /// Example arguments in the description.
    pub(super) fn example(&self) -> Option<Map<String, Value>> {
        let (_, example) = self.listing["description"].as_str()?.rsplit_once("Example: ")?;
        serde_json::from_str(example).ok()
    }
}

/// Schema of the structured content of all default tools.
pub(in crate::tools) fn output_schema() -> Value {
    json!({ "type": "object" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn definitions_are_complete_and_their_examples_match_their_schemas() {
        let tools = TaskTool::all();
        let names: Vec<&str> = tools.iter().map(|tool| tool.name).collect();
        assert_eq!(names, ALL.map(|(name, _)| name));
        for tool in tools {
            assert_eq!(tool.reads_only, tool.scope == Scope::Read, "{}", tool.name);
            let example = tool.example().unwrap_or_else(|| panic!("{} has no example", tool.name));
            super::super::arguments::Arguments::of(&tool.input, example).unwrap();
            let has_dry_run = tool.input["properties"].get("dryRun").is_some();
            assert_eq!(has_dry_run, !tool.reads_only, "{}", tool.name);
        }
    }

    #[test]
    fn list_has_at_most_fourteen_tools_and_four_thousand_tokens() {
        let listings: Vec<Value> = TaskTool::all().into_iter().map(|tool| tool.listing).collect();
        assert!(listings.len() <= 14);
        let tokens = extract::tokens::count(&json!({ "tools": listings }).to_string());
        assert!(tokens <= 4_000, "{tokens} tokens");
    }
}
