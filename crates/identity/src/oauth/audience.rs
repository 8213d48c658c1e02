//! Audience of a token (RFC 8707): a URL of this service. The token is valid at this URL and at every URL
//! below it.

use url::Url;

use super::oauth_error::{OAuthCode, OAuthError};

/// A protected resource of this service.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resource {
    /// The Developer API.
    Api,
    /// The MCP endpoint and everything under it.
    Mcp,
}

/// Audience of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Audience {
    /// `{base_url}`: every resource.
    Everywhere,
    /// `{base_url}/mcp` only.
    Mcp,
}

impl Audience {
    /// Parses the `resource` parameters of a request. `None` if there are none; the token is then valid
    /// everywhere.
    ///
    /// # Errors
    /// `invalid_target` for a URL of another service.
    pub fn parse<'a>(
        base_url: &str,
        resources: impl IntoIterator<Item = &'a str>,
    ) -> Result<Option<Self>, OAuthError> {
        let mut audience = None;
        // A parameter without a value counts as omitted (RFC 6749, 3.1).
        for resource in resources.into_iter().filter(|resource| !resource.is_empty()) {
            let requested = Self::of(base_url, resource).ok_or_else(|| {
                OAuthError::new(OAuthCode::InvalidTarget, "The resource does not belong to this service.")
            })?;
            audience = match (audience, requested) {
                (Some(Self::Everywhere), _) | (_, Self::Everywhere) => Some(Self::Everywhere),
                (None | Some(Self::Mcp), Self::Mcp) => Some(Self::Mcp),
            };
        }
        Ok(audience)
    }

    /// Returns the audience of a URL. A trailing slash, the case of scheme and host, the default port, and a
    /// query are ignored.
    fn of(base_url: &str, resource: &str) -> Option<Self> {
        let url = Url::parse(resource).ok()?;
        let base = Url::parse(base_url).ok()?;
        let is_plain = url.fragment().is_none()
            && url.username().is_empty()
            && url.password().is_none()
            && !resource.contains('#');
        if !is_plain || url.origin() != base.origin() {
            return None;
        }
        match url.path().strip_suffix('/').unwrap_or_else(|| url.path()) {
            "" => Some(Self::Everywhere),
            path if path == "/mcp" || path.starts_with("/mcp/") => Some(Self::Mcp),
            _ => None,
        }
    }

    /// True if a token for this audience is valid at `resource`.
    pub const fn covers(self, resource: Resource) -> bool {
        match (self, resource) {
            (Self::Everywhere, Resource::Api | Resource::Mcp) | (Self::Mcp, Resource::Mcp) => true,
            (Self::Mcp, Resource::Api) => false,
        }
    }

    /// Narrows this audience to the one requested at the token endpoint.
    pub(super) fn narrowed(self, requested: Option<Self>) -> Result<Self, OAuthError> {
        match (self, requested) {
            (whole, None) => Ok(whole),
            (Self::Everywhere, Some(requested)) => Ok(requested),
            (Self::Mcp, Some(Self::Mcp)) => Ok(Self::Mcp),
            (Self::Mcp, Some(Self::Everywhere)) => {
                Err(OAuthError::new(OAuthCode::InvalidTarget, "The resource was not granted."))
            }
        }
    }

    /// Name in the database.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Everywhere => "base",
            Self::Mcp => "mcp",
        }
    }

    /// Parses the name in a row. An unknown name becomes the narrowest audience.
    pub(super) fn of_row(word: &str) -> Self {
        if word == Self::Everywhere.as_str() { Self::Everywhere } else { Self::Mcp }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BASE: &str = "https://api.example.org";

    fn parse(resources: &[&str]) -> Result<Option<Audience>, OAuthCode> {
        Audience::parse(BASE, resources.iter().copied()).map_err(|error| error.code)
    }

    #[test]
    fn resource_is_recognised_in_every_spelling() {
        assert_eq!((parse(&[]), parse(&[""])), (Ok(None), Ok(None)));
        for spelling in ["", "/", "?a=b"] {
            assert_eq!(parse(&[&format!("{BASE}{spelling}")]), Ok(Some(Audience::Everywhere)), "{spelling}");
        }
        assert_eq!(parse(&["HTTPS://API.Example.org:443/"]), Ok(Some(Audience::Everywhere)));
        for path in ["/mcp", "/mcp/", "/mcp/x/core", "/mcp/x/core/readonly", "/mcp?x"] {
            assert_eq!(parse(&[&format!("{BASE}{path}")]), Ok(Some(Audience::Mcp)), "{path}");
        }
        assert_eq!(parse(&[&format!("{BASE}/mcp"), BASE]), Ok(Some(Audience::Everywhere)));
        for invalid in [
            "https://other.example", "http://api.example.org", "https://api.example.org/v1", "mcp",
            "https://api.example.org//", "https://api.example.org/#", "https://a@api.example.org/",
            "https://api.example.org/mcpx",
        ] {
            assert_eq!(parse(&[invalid]), Err(OAuthCode::InvalidTarget), "{invalid}");
        }
    }

    #[test]
    fn audience_can_be_narrowed_but_not_widened() {
        assert_eq!(Audience::Everywhere.narrowed(Some(Audience::Mcp)).unwrap(), Audience::Mcp);
        assert_eq!(Audience::Mcp.narrowed(None).unwrap(), Audience::Mcp);
        assert!(Audience::Mcp.narrowed(Some(Audience::Everywhere)).is_err());
        assert!(Audience::Everywhere.covers(Resource::Api) && !Audience::Mcp.covers(Resource::Api));
    }
}
