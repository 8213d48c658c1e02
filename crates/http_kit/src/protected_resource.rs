//! Protected resources: the Developer API, the MCP endpoint, and its groups of tools. Each has its own
//! metadata document (RFC 9728).

use crate::mcp_address::McpAddress;
pub use identity::public_address::METADATA;

/// Protected resource, named by its path. The empty path is the whole origin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProtectedResource(String);

impl ProtectedResource {
    /// Returns the Developer API: the whole origin.
    pub const fn api() -> Self {
        Self(String::new())
    }

    /// Returns the resource at a path. `None` if no resource has the path. A trailing slash is ignored.
    pub fn of_path(path: &str) -> Option<Self> {
        let path = path.strip_suffix('/').unwrap_or(path);
        if path.is_empty() {
            return Some(Self::api());
        }
        McpAddress::of(path).map(Self::mcp)
    }

    /// Returns the resource of an address of the MCP endpoint.
    pub fn mcp(address: McpAddress) -> Self {
        Self(address.path())
    }

    /// Returns the resource that the metadata document at a path describes. `None` if no document is at the
    /// path.
    pub fn of_metadata_path(path: &str) -> Option<Self> {
        path.strip_prefix(METADATA).and_then(Self::of_path)
    }

    /// Returns the URL of the resource.
    pub fn address(&self, base_url: &str) -> String {
        format!("{base_url}{}", self.0)
    }

    /// Returns the URL of the resource's metadata document.
    pub fn metadata_address(&self, base_url: &str) -> String {
        format!("{base_url}{METADATA}{}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn resource_is_named_by_its_path() {
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
