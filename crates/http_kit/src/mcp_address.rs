//! The addresses at which agents connect: all tools, a group of them, and either without what changes anything.

/// A group of tools, for clients that take only so many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// What most agents need.
    Core,
    /// Public sources.
    Articles,
    /// The library.
    Library,
    /// Subscriptions and entries.
    Rss,
    /// Sources and what changed in them, for agents.
    Feeds,
    /// Monitors of web pages.
    Monitors,
}

impl Group {
    /// All of them, in the order in which they are named to callers.
    pub const ALL: [Self; 6] =
        [Self::Core, Self::Articles, Self::Library, Self::Rss, Self::Feeds, Self::Monitors];

    /// Its name in a path.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Core => "core",
            Self::Articles => "articles",
            Self::Library => "library",
            Self::Rss => "rss",
            Self::Feeds => "feeds",
            Self::Monitors => "monitors",
        }
    }

    /// The group of the operations with a tag of the API description.
    pub fn of_tag(tag: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|group| group.as_str().eq_ignore_ascii_case(tag))
    }
}

/// What the tools of an address may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Whatever the credential allows.
    Full,
    /// Read only, whatever the credential allows.
    ReadOnly,
}

/// One address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Address {
    /// Its tools; all of them without a group.
    pub group: Option<Group>,
    /// What they may do.
    pub access: Access,
}

impl Address {
    /// The address of a path, with or without a slash at its end.
    pub fn of(path: &str) -> Option<Self> {
        let path = path.strip_suffix('/').unwrap_or(path);
        Self::all().find(|address| address.path() == path)
    }

    /// Its path, without a slash at the end.
    pub fn path(self) -> String {
        let group = self.group.map(|group| format!("/x/{}", group.as_str())).unwrap_or_default();
        let access = match self.access {
            Access::Full => "",
            Access::ReadOnly => "/readonly",
        };
        format!("/mcp{group}{access}")
    }

    /// Every address there is. Each of them is a protected resource with metadata of its own.
    pub fn all() -> impl Iterator<Item = Self> {
        let groups = std::iter::once(None).chain(Group::ALL.map(Some));
        groups.flat_map(|group| [Access::Full, Access::ReadOnly].map(|access| Self { group, access }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_names_its_group_and_what_may_be_done() {
        for address in Address::all() {
            assert_eq!(Address::of(&address.path()), Some(address));
            assert_eq!(Address::of(&format!("{}/", address.path())), Some(address));
        }
        assert_eq!(Address::of("/mcp/x/core/readonly").map(Address::path).unwrap(), "/mcp/x/core/readonly");
        for unknown in ["/mcp//", "/mcp/x", "/mcp/x/", "/mcp/x/nothing", "/mcp/core", "/MCP", "/mcp/x/core/x"]
        {
            assert_eq!(Address::of(unknown), None, "{unknown}");
        }
    }
}
