//! Relying party: this service as browsers know it, derived from its configured address.

use sha2::{Digest, Sha256};
use url::{Host, Url};

use kernel::Domain;

/// This service as browsers identify it: its host name, and the origin of its pages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in super::super) struct RelyingParty {
    /// Host name, to which passkeys are bound.
    pub(in super::super) id: String,
    pub(in super::super) origin: String,
}

impl RelyingParty {
    /// Returns the relying party of this installation. `None` if browsers refuse passkeys at its address:
    /// they need a host name, and https except for `localhost`.
    pub(in super::super) fn of(domain: &Domain) -> Option<Self> {
        Self::at(&domain.policy().account_url)
    }

    fn at(address: &str) -> Option<Self> {
        let url = Url::parse(address).ok()?;
        let Some(Host::Domain(host)) = url.host() else { return None };
        let is_local = host == "localhost" || host.ends_with(".localhost");
        let is_secure = url.scheme() == "https" || (url.scheme() == "http" && is_local);
        is_secure.then(|| Self { id: host.to_owned(), origin: url.origin().ascii_serialization() })
    }

    /// Returns the SHA-256 of the id, which is the first field of authenticator data.
    pub(in super::super) fn id_hash(&self) -> [u8; 32] {
        Sha256::digest(self.id.as_bytes()).into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passkeys_need_a_host_name_and_a_secure_origin() {
        let party = RelyingParty::at("https://carrel.example.org:8443").unwrap();
        assert_eq!(
            (party.id.as_str(), party.origin.as_str()),
            ("carrel.example.org", "https://carrel.example.org:8443")
        );
        assert_eq!(RelyingParty::at("http://localhost:8080").unwrap().id, "localhost");
        for refused in
            ["http://carrel.example.org", "http://127.0.0.1:8080", "https://192.0.2.1", "https://[::1]"]
        {
            assert_eq!(RelyingParty::at(refused), None, "{refused}");
        }
    }
}
