//! Scopes of credentials.

/// A named permission of a credential.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scope {
    /// `svc:read`: read library and source content.
    Read,
    /// `svc:write`: read and change library, feeds, files, monitors, reading state.
    Write,
}

impl Scope {
    /// Name on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Read => "svc:read",
            Self::Write => "svc:write",
        }
    }

    /// Parses a scope's name.
    pub fn parse(name: &str) -> Option<Self> {
        [Self::Read, Self::Write].into_iter().find(|scope| scope.as_str() == name)
    }
}

/// A set of scopes. Write includes read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Scopes {
    read: bool,
    write: bool,
}

impl Scopes {
    pub const ALL: Self = Self { read: true, write: true };
    /// `svc:read` only.
    pub const READ: Self = Self { read: true, write: false };
    /// `svc:write` only.
    pub const WRITE: Self = Self { read: false, write: true };

    /// Parses a set of names. `None` if a name is unknown or the set is empty.
    pub fn parse<'a>(names: impl IntoIterator<Item = &'a str>) -> Option<Self> {
        let mut scopes = Self { read: false, write: false };
        for name in names {
            match Scope::parse(name)? {
                Scope::Read => scopes.read = true,
                Scope::Write => scopes.write = true,
            }
        }
        (scopes.read || scopes.write).then_some(scopes)
    }

    /// True if an operation that requires `scope` is allowed.
    pub const fn allow(self, scope: Scope) -> bool {
        match scope {
            Scope::Read => self.read || self.write,
            Scope::Write => self.write,
        }
    }

    /// Names of the scopes, read first.
    pub fn names(self) -> Vec<&'static str> {
        let scopes = [(self.read, Scope::Read), (self.write, Scope::Write)];
        scopes.into_iter().filter(|(is_set, _)| *is_set).map(|(_, scope)| scope.as_str()).collect()
    }
}
