//! Tools and output that a request selects by its address and its query: `tools` names sets of tools, for
//! clients that store only one address, and `output=structured` asks for structured content.

use http_kit::http::query;
use http_kit::mcp_address::{Access, McpAddress, ToolGroup};

/// Name of the default set in `tools`.
const DEFAULT_SET: &str = "default";

/// Form of results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ToolOutput {
    /// Default tools answer in Markdown, and no tool lists an output schema.
    Markdown,
    /// All tools answer with structured content and list its schema.
    Structured,
}

/// Tools and output of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ToolSelection {
    /// True if the default set is selected.
    pub has_default_set: bool,
    /// Selected groups of operations.
    pub groups: Vec<ToolGroup>,
    pub access: Access,
    pub output: ToolOutput,
}

impl ToolSelection {
    /// Selection of an address and its query; `None` if the query names an unknown set or output. `tools`
    /// replaces the default set of an address without a group.
    pub(crate) fn of(address: McpAddress, query: &str) -> Option<Self> {
        let output = match query::value(query, "output").as_deref() {
            None | Some("" | "markdown") => ToolOutput::Markdown,
            Some("structured") => ToolOutput::Structured,
            Some(_) => return None,
        };
        let groups = address.group.into_iter().collect();
        let mut selection =
            Self { has_default_set: address.group.is_none(), groups, access: address.access, output };
        let Some(names) = query::value(query, "tools").filter(|_| selection.has_default_set) else {
            return Some(selection);
        };
        selection.has_default_set = false;
        for name in names.split(',').map(str::trim) {
            if name == DEFAULT_SET {
                selection.has_default_set = true;
            } else {
                selection.groups.push(ToolGroup::parse(name)?);
            }
        }
        Some(selection)
    }

    /// The selection with more groups.
    #[must_use]
    pub(crate) fn with(&self, groups: Vec<ToolGroup>) -> Self {
        Self { groups: [self.groups.clone(), groups].concat(), ..self.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(path: &str, query: &str) -> Option<(bool, Vec<ToolGroup>, ToolOutput)> {
        let selection = ToolSelection::of(McpAddress::of(path).unwrap(), query)?;
        Some((selection.has_default_set, selection.groups, selection.output))
    }

    #[test]
    fn query_selects_sets_and_output() {
        use ToolOutput::{Markdown, Structured};
        assert_eq!(of("/mcp", ""), Some((true, vec![], Markdown)));
        assert_eq!(of("/mcp", "output=structured"), Some((true, vec![], Structured)));
        assert_eq!(
            of("/mcp", "tools=library,rss"),
            Some((false, vec![ToolGroup::Library, ToolGroup::Rss], Markdown))
        );
        assert_eq!(
            of("/mcp/readonly", "tools=default,feeds"),
            Some((true, vec![ToolGroup::Feeds], Markdown))
        );
        assert_eq!(of("/mcp/x/all", "tools=rss"), Some((false, vec![ToolGroup::Complete], Markdown)));
        assert_eq!(of("/mcp", "tools=nothing"), None);
        assert_eq!(of("/mcp", "output=xml"), None);
    }
}
