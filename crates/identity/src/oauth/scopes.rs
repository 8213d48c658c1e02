//! Scopes that an app requests.

use super::fault::{OAuthCode, OAuthError};
use kernel::scope::{Scope, Scopes};

/// Scopes of `OpenID` Connect. Many apps request them by default; they are ignored.
const FOREIGN: [&str; 6] = ["openid", "profile", "email", "address", "phone", "offline_access"];

/// Requested scopes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Asked(pub Scopes);

impl Asked {
    /// Parses the `scope` parameter of an authorization request. Without a supported scope, reading is
    /// requested.
    ///
    /// # Errors
    /// `invalid_scope` for an unknown name.
    pub fn parse(scope: Option<&str>) -> Result<Self, OAuthError> {
        Ok(Self(named(scope)?.unwrap_or(Scopes::READ)))
    }

    /// The scopes that the person grants: reading always, changing if ticked. Keeps the requested scope
    /// names.
    pub fn given(self, may_change: bool) -> Scopes {
        match (may_change, self.0.allow(Scope::Write)) {
            (true, true) => self.0,
            (true, false) => Scopes::ALL,
            (false, _) => Scopes::READ,
        }
    }
}

/// Parses the supported scopes in the `scope` parameter; `None` if it has none.
///
/// # Errors
/// `invalid_scope` for an unknown name.
pub fn named(scope: Option<&str>) -> Result<Option<Scopes>, OAuthError> {
    let names: Vec<&str> = scope
        .unwrap_or_default()
        .split(' ')
        .filter(|name| !name.is_empty() && !FOREIGN.contains(name))
        .collect();
    if names.is_empty() {
        return Ok(None);
    }
    let known = "The supported scopes are svc:read and svc:write.";
    Scopes::parse(names).map(Some).ok_or_else(|| OAuthError::new(OAuthCode::InvalidScope, known))
}

/// True if `whole` allows everything that `part` allows.
pub(super) fn holds(whole: Scopes, part: Scopes) -> bool {
    [Scope::Read, Scope::Write].into_iter().all(|scope| whole.allow(scope) || !part.allow(scope))
}

/// Scopes as stored and on the wire.
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
        let asked = |scope| Asked::parse(scope).map(|asked| asked.0).map_err(|error| error.code);
        assert_eq!(asked(None), Ok(Scopes::READ));
        assert_eq!(asked(Some("openid email profile offline_access")), Ok(Scopes::READ));
        assert_eq!(asked(Some("svc:write offline_access")), Ok(Scopes::WRITE));
        assert_eq!(asked(Some(" svc:read  svc:write")), Ok(Scopes::ALL));
        for odd in ["svc:all", "svc:read admin", "SVC:READ"] {
            assert_eq!(asked(Some(odd)), Err(OAuthCode::InvalidScope), "{odd}");
        }
    }

    #[test]
    fn person_decides_about_write_access() {
        assert_eq!(Asked(Scopes::WRITE).given(true), Scopes::WRITE);
        assert_eq!(Asked(Scopes::ALL).given(false), Scopes::READ);
        assert_eq!(Asked(Scopes::READ).given(true), Scopes::ALL);
        assert!(holds(Scopes::WRITE, Scopes::READ) && !holds(Scopes::READ, Scopes::WRITE));
    }
}
