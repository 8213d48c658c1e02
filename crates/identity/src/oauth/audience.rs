//! Where a token is good (RFC 8707): at the address it was asked for, and at every address under it.

use url::Url;

use super::fault::{OAuthCode, OAuthError};

/// A protected resource of ours, as it is asked for something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resource {
    /// The Developer API.
    Api,
    /// The MCP endpoint and what lies under it.
    Mcp,
}

/// Where a token is good.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Audience {
    /// At `{base_url}`: everywhere.
    Everywhere,
    /// At `{base_url}/mcp`: there alone.
    Mcp,
}

impl Audience {
    /// Reads the parameters `resource` of a request; none asks for everything.
    ///
    /// # Errors
    /// `invalid_target` for an address that is none of ours.
    pub fn parse<'a>(
        base_url: &str,
        resources: impl IntoIterator<Item = &'a str>,
    ) -> Result<Option<Self>, OAuthError> {
        let mut found = None;
        // A parameter without a value counts as left out (RFC 6749, 3.1).
        for resource in resources.into_iter().filter(|resource| !resource.is_empty()) {
            let one = Self::of(base_url, resource).ok_or_else(|| {
                OAuthError::new(OAuthCode::InvalidTarget, "The resource is none of this service.")
            })?;
            found = match (found, one) {
                (Some(Self::Everywhere), _) | (_, Self::Everywhere) => Some(Self::Everywhere),
                (None | Some(Self::Mcp), Self::Mcp) => Some(Self::Mcp),
            };
        }
        Ok(found)
    }

    /// The audience of one address. A trailing slash, the case of scheme and host, the default port and a query make
    /// no difference.
    fn of(base_url: &str, resource: &str) -> Option<Self> {
        let asked = Url::parse(resource).ok()?;
        let base = Url::parse(base_url).ok()?;
        let is_plain = asked.fragment().is_none()
            && asked.username().is_empty()
            && asked.password().is_none()
            && !resource.contains('#');
        if !is_plain || asked.origin() != base.origin() {
            return None;
        }
        match asked.path().strip_suffix('/').unwrap_or_else(|| asked.path()) {
            "" => Some(Self::Everywhere),
            path if path == "/mcp" || path.starts_with("/mcp/") => Some(Self::Mcp),
            _ => None,
        }
    }

    /// Whether a token for this is good at `resource`.
    pub const fn covers(self, resource: Resource) -> bool {
        match (self, resource) {
            (Self::Everywhere, Resource::Api | Resource::Mcp) | (Self::Mcp, Resource::Mcp) => true,
            (Self::Mcp, Resource::Api) => false,
        }
    }

    /// What `asked` makes of this at the token endpoint, where it may be narrowed.
    pub(super) fn narrowed(self, asked: Option<Self>) -> Result<Self, OAuthError> {
        match (self, asked) {
            (whole, None) => Ok(whole),
            (Self::Everywhere, Some(asked)) => Ok(asked),
            (Self::Mcp, Some(Self::Mcp)) => Ok(Self::Mcp),
            (Self::Mcp, Some(Self::Everywhere)) => {
                Err(OAuthError::new(OAuthCode::InvalidTarget, "The resource was not granted."))
            }
        }
    }

    /// The word for it in a row.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Everywhere => "base",
            Self::Mcp => "mcp",
        }
    }

    /// The audience of a row: the narrowest, when the word is unknown.
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
    fn a_resource_is_known_in_every_spelling() {
        assert_eq!((parse(&[]), parse(&[""])), (Ok(None), Ok(None)));
        for spelling in ["", "/", "?a=b"] {
            assert_eq!(parse(&[&format!("{BASE}{spelling}")]), Ok(Some(Audience::Everywhere)), "{spelling}");
        }
        assert_eq!(parse(&["HTTPS://API.Example.org:443/"]), Ok(Some(Audience::Everywhere)));
        for path in ["/mcp", "/mcp/", "/mcp/x/core", "/mcp/x/core/readonly", "/mcp?x"] {
            assert_eq!(parse(&[&format!("{BASE}{path}")]), Ok(Some(Audience::Mcp)), "{path}");
        }
        assert_eq!(parse(&[&format!("{BASE}/mcp"), BASE]), Ok(Some(Audience::Everywhere)));
        for odd in [
            "https://other.example",
            "http://api.example.org",
            "https://api.example.org/v1",
            "mcp",
            "https://api.example.org//",
            "https://api.example.org/#",
            "https://a@api.example.org/",
            "https://api.example.org/mcpx",
        ] {
            assert_eq!(parse(&[odd]), Err(OAuthCode::InvalidTarget), "{odd}");
        }
    }

    #[test]
    fn an_audience_is_narrowed_and_never_widened() {
        assert_eq!(Audience::Everywhere.narrowed(Some(Audience::Mcp)).unwrap(), Audience::Mcp);
        assert_eq!(Audience::Mcp.narrowed(None).unwrap(), Audience::Mcp);
        assert!(Audience::Mcp.narrowed(Some(Audience::Everywhere)).is_err());
        assert!(Audience::Everywhere.covers(Resource::Api) && !Audience::Mcp.covers(Resource::Api));
    }
}
