//! Scopes that an app requests.

use super::oauth_error::{OAuthCode, OAuthError};
use kernel::{Scope, Scopes};

/// Scopes of `OpenID` Connect. Many apps request them by default; they are ignored.
const OPENID_SCOPES: [&str; 6] = ["openid", "profile", "email", "address", "phone", "offline_access"];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RequestedScopes(pub Scopes);

impl RequestedScopes {
    /// Parses the `scope` parameter of an authorization request. If it contains no supported scope, read
    /// access is requested.
    ///
    /// # Errors
    /// `invalid_scope` for an unknown name.
    pub fn parse(scope: Option<&str>) -> Result<Self, OAuthError> {
        Ok(Self(parse_supported(scope)?.unwrap_or(Scopes::READ)))
    }

    /// Returns the scopes that the person grants: read access always, write access if `may_change`. The
    /// requested scope names are retained.
    pub fn granted(self, may_change: bool) -> Scopes {
        match (may_change, self.0.allow(Scope::Write)) {
            (true, true) => self.0,
            (true, false) => Scopes::ALL,
            (false, _) => Scopes::READ,
        }
    }
}

/// Parses the supported scopes in the `scope` parameter; `None` if it contains none.
///
/// # Errors
/// `invalid_scope` for an unknown name.
pub fn parse_supported(scope: Option<&str>) -> Result<Option<Scopes>, OAuthError> {
    let names: Vec<&str> = scope
        .unwrap_or_default()
        .split(' ')
        .filter(|name| !name.is_empty() && !OPENID_SCOPES.contains(name))
        .collect();
    if names.is_empty() {
        return Ok(None);
    }
    let message = "The supported scopes are svc:read and svc:write.";
    Scopes::parse(names).map(Some).ok_or_else(|| OAuthError::new(OAuthCode::InvalidScope, message))
}

/// Returns whether `whole` includes every permission of `part`.
pub(super) fn contains(whole: Scopes, part: Scopes) -> bool {
    [Scope::Read, Scope::Write].into_iter().all(|scope| whole.allow(scope) || !part.allow(scope))
}

/// Text of scopes in the database and in responses.
pub(super) fn text(scopes: Scopes) -> String {
    scopes.names().join(" ")
}

/// Parses the scopes of a row.
pub(super) fn of_row(text: &str) -> Scopes {
    Scopes::parse(text.split_whitespace()).unwrap_or(Scopes::READ)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn openid_scopes_are_ignored_and_unknown_scopes_refused() {
        let requested =
            |scope| RequestedScopes::parse(scope).map(|requested| requested.0).map_err(|error| error.code);
        assert_eq!(requested(None), Ok(Scopes::READ));
        assert_eq!(requested(Some("openid email profile offline_access")), Ok(Scopes::READ));
        assert_eq!(requested(Some("svc:write offline_access")), Ok(Scopes::WRITE));
        assert_eq!(requested(Some(" svc:read  svc:write")), Ok(Scopes::ALL));
        for invalid in ["svc:all", "svc:read admin", "SVC:READ"] {
            assert_eq!(requested(Some(invalid)), Err(OAuthCode::InvalidScope), "{invalid}");
        }
    }

    #[test]
    fn write_scope_is_granted_only_if_the_user_allows_it() {
        assert_eq!(RequestedScopes(Scopes::WRITE).granted(true), Scopes::WRITE);
        assert_eq!(RequestedScopes(Scopes::ALL).granted(false), Scopes::READ);
        assert_eq!(RequestedScopes(Scopes::READ).granted(true), Scopes::ALL);
        assert!(contains(Scopes::WRITE, Scopes::READ) && !contains(Scopes::READ, Scopes::WRITE));
    }
}
