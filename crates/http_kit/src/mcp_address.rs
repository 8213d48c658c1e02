//! Addresses of the MCP endpoint: the default set of tools or one group of operations, each with full or
//! read-only access.

/// Group of tools, for clients that limit the number of tools.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ToolGroup {
    /// All operations.
    Complete,
    /// Tools that most agents need.
    Core,
    /// Tools for public sources.
    Articles,
    /// Tools for the library.
    Library,
    /// Tools for subscriptions and entries.
    Rss,
    /// Tools for querying sources and their events.
    Feeds,
    /// Tools for monitors of web pages.
    Monitors,
}

impl ToolGroup {
    /// All groups, in the order in which callers see them.
    pub const ALL: [Self; 7] =
        [Self::Complete, Self::Core, Self::Articles, Self::Library, Self::Rss, Self::Feeds, Self::Monitors];

    /// Returns the name of the group in a path.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Complete => "all",
            Self::Core => "core",
            Self::Articles => "articles",
            Self::Library => "library",
            Self::Rss => "rss",
            Self::Feeds => "feeds",
            Self::Monitors => "monitors",
        }
    }

    /// Parses the name of a group.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|group| group.as_str() == name)
    }

    /// Returns the group of the operations with an OpenAPI tag. `None` if no group belongs to the tag.
    pub fn of_tag(tag: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|group| group.as_str().eq_ignore_ascii_case(tag))
    }
}

/// Access that an address allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Everything that the credential allows.
    Full,
    /// Read only, even if the credential allows more.
    ReadOnly,
}

/// Address of the MCP endpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct McpAddress {
    /// Group of operations; `None` means the default set of tools.
    pub group: Option<ToolGroup>,
    pub access: Access,
}

impl McpAddress {
    /// Parses a path, with or without a trailing slash.
    pub fn of(path: &str) -> Option<Self> {
        let path = path.strip_suffix('/').unwrap_or(path);
        Self::all().find(|address| address.path() == path)
    }

    /// Returns the path without a trailing slash.
    pub fn path(self) -> String {
        let group = self.group.map(|group| format!("/x/{}", group.as_str())).unwrap_or_default();
        let access = match self.access {
            Access::Full => "",
            Access::ReadOnly => "/readonly",
        };
        format!("/mcp{group}{access}")
    }

    /// Returns all addresses. Each address is a protected resource with its own metadata.
    pub fn all() -> impl Iterator<Item = Self> {
        let groups = std::iter::once(None).chain(ToolGroup::ALL.map(Some));
        groups.flat_map(|group| [Access::Full, Access::ReadOnly].map(|access| Self { group, access }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mcp_path_determines_group_and_access() {
        for address in McpAddress::all() {
            assert_eq!(McpAddress::of(&address.path()), Some(address));
            assert_eq!(McpAddress::of(&format!("{}/", address.path())), Some(address));
        }
        assert_eq!(
            McpAddress::of("/mcp/x/core/readonly").map(McpAddress::path).unwrap(),
            "/mcp/x/core/readonly"
        );
        for unknown in ["/mcp//", "/mcp/x", "/mcp/x/", "/mcp/x/nothing", "/mcp/core", "/MCP", "/mcp/x/core/x"]
        {
            assert_eq!(McpAddress::of(unknown), None, "{unknown}");
        }
    }
}
