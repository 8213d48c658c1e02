//! Which scopes an app asks for.

use super::fault::{OAuthCode, OAuthError};
use kernel::scope::{Scope, Scopes};

/// What `OpenID` Connect calls scopes: many apps ask for them by habit. They are none of ours, and dropped.
const FOREIGN: [&str; 6] = ["openid", "profile", "email", "address", "phone", "offline_access"];

/// What was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Asked(pub Scopes);

impl Asked {
    /// Reads the parameter `scope` of a request to a person; nothing, or nothing of ours, asks for reading.
    ///
    /// # Errors
    /// `invalid_scope` for a name that nobody knows.
    pub fn parse(scope: Option<&str>) -> Result<Self, OAuthError> {
        Ok(Self(named(scope)?.unwrap_or(Scopes::READ)))
    }

    /// What the person gives of it: reading always, changing as ticked. The words stay those that were asked in.
    pub fn given(self, may_change: bool) -> Scopes {
        match (may_change, self.0.allow(Scope::Write)) {
            (true, true) => self.0,
            (true, false) => Scopes::ALL,
            (false, _) => Scopes::READ,
        }
    }
}

/// The scopes of ours that the parameter `scope` names; nothing when it names none.
///
/// # Errors
/// `invalid_scope` for a name that nobody knows.
pub fn named(scope: Option<&str>) -> Result<Option<Scopes>, OAuthError> {
    let names: Vec<&str> = scope
        .unwrap_or_default()
        .split(' ')
        .filter(|name| !name.is_empty() && !FOREIGN.contains(name))
        .collect();
    if names.is_empty() {
        return Ok(None);
    }
    let known = "The scopes are svc:read and svc:write.";
    Scopes::parse(names).map(Some).ok_or_else(|| OAuthError::new(OAuthCode::InvalidScope, known))
}

/// Whether all that `part` allows is allowed by `whole`.
pub(super) fn holds(whole: Scopes, part: Scopes) -> bool {
    [Scope::Read, Scope::Write].into_iter().all(|scope| whole.allow(scope) || !part.allow(scope))
}

/// Scopes as a row and the wire have them.
pub(super) fn text(scopes: Scopes) -> String {
    scopes.names().join(" ")
}

/// Scopes of a row.
pub(super) fn of_row(text: &str) -> Scopes {
    Scopes::parse(text.split_whitespace()).unwrap_or(Scopes::READ)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scopes_of_others_are_dropped_and_unknown_ones_refused() {
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
    fn the_person_takes_changing_away_or_gives_it() {
        assert_eq!(Asked(Scopes::WRITE).given(true), Scopes::WRITE);
        assert_eq!(Asked(Scopes::ALL).given(false), Scopes::READ);
        assert_eq!(Asked(Scopes::READ).given(true), Scopes::ALL);
        assert!(holds(Scopes::WRITE, Scopes::READ) && !holds(Scopes::READ, Scopes::WRITE));
    }
}
