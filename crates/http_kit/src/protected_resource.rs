//! What is protected, and how it is named: the Developer API, the MCP endpoint, and its groups of tools, each with a
//! document of its own (RFC 9728).

use crate::mcp_address::Address;

/// Where documents about resources are found; the path of the resource follows.
pub const METADATA: &str = "/.well-known/oauth-protected-resource";

/// A protected resource of ours, by its path: empty for the whole origin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProtectedResource(String);

impl ProtectedResource {
    /// The Developer API: the whole origin.
    pub const fn api() -> Self {
        Self(String::new())
    }

    /// The resource at a path, which may end in a slash.
    pub fn of_path(path: &str) -> Option<Self> {
        let path = path.strip_suffix('/').unwrap_or(path);
        if path.is_empty() {
            return Some(Self::api());
        }
        Address::of(path).map(Self::mcp)
    }

    /// One of the addresses at which agents connect.
    pub fn mcp(address: Address) -> Self {
        Self(address.path())
    }

    /// The resource that the document at a path is about.
    pub fn of_metadata_path(path: &str) -> Option<Self> {
        path.strip_prefix(METADATA).and_then(Self::of_path)
    }

    /// Its address.
    pub fn address(&self, base_url: &str) -> String {
        format!("{base_url}{}", self.0)
    }

    /// Where its document is.
    pub fn metadata_address(&self, base_url: &str) -> String {
        format!("{base_url}{METADATA}{}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_resource_is_named_by_its_path() {
        let base = "https://api.example.org";
        for path in ["", "/mcp", "/mcp/readonly", "/mcp/x/core", "/mcp/x/monitors/readonly"] {
            let resource = ProtectedResource::of_path(path).unwrap();
            assert_eq!(ProtectedResource::of_path(&format!("{path}/")), Some(resource.clone()));
            assert_eq!(resource.address(base), format!("{base}{path}"));
            let document = resource.metadata_address(base);
            assert_eq!(ProtectedResource::of_metadata_path(&document[base.len()..]), Some(resource));
        }
        for path in ["/mcpx", "/mcp/x", "/mcp/x/", "/mcp/x/core/more", "/mcp/x/none", "/v1", "//", "mcp"] {
            assert_eq!(ProtectedResource::of_path(path), None, "{path}");
        }
    }
}
