//! The operator's settings for single sign-on.

use std::fmt;
use std::str::FromStr;

use url::Url;

use super::super::external_sign_in::AutomaticSignUp;

/// Maximum length of an issuer identifier, in bytes.
const MAX_ISSUER_BYTES: usize = 500;
/// Path of the metadata document (OpenID Connect Discovery 1.0, 4).
const METADATA_PATH: &str = "/.well-known/openid-configuration";

/// Issuer identifier of a provider, exactly as its metadata states it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OidcIssuer {
    text: String,
    url: Url,
}

impl OidcIssuer {
    pub fn as_str(&self) -> &str {
        &self.text
    }

    pub fn host(&self) -> &str {
        self.url.host_str().unwrap_or_default()
    }

    /// Address of the metadata document.
    pub(super) fn metadata_url(&self) -> Url {
        let mut url = self.url.clone();
        url.set_path(&format!("{}{METADATA_PATH}", self.url.path().trim_end_matches('/')));
        url
    }
}

impl FromStr for OidcIssuer {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const RULE: &str = "must be the issuer of an OpenID provider such as https://id.example.org/realms/family, without a query; http \
                            only at a loopback address";
        let url = Url::parse(text).map_err(|_| RULE)?;
        let is_plain = url.has_host()
            && url.query().is_none()
            && url.fragment().is_none()
            && url.username().is_empty()
            && url.password().is_none();
        let is_accepted = is_plain && text.len() <= MAX_ISSUER_BYTES && fetch::is_confidential(text);
        is_accepted.then(|| Self { text: text.to_owned(), url }).ok_or(RULE)
    }
}

/// Policy for signing in with a password.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PasswordSignIn {
    #[default]
    Allowed,
    /// People sign in at the provider or with a passkey, and pages have no form for sign-up or reset.
    Refused,
}

/// Settings of single sign-on. `Debug` does not print the secret.
#[derive(Clone, PartialEq, Eq)]
pub struct OidcSettings {
    pub issuer: OidcIssuer,
    pub client_id: String,
    /// `None` for a public client, which is protected by PKCE only.
    pub client_secret: Option<String>,
    /// Name of the provider, as buttons display it.
    pub name: String,
    /// Policy for an unknown person whose e-mail address the provider has verified.
    pub sign_up: AutomaticSignUp,
    pub passwords: PasswordSignIn,
}

impl fmt::Debug for OidcSettings {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("OidcSettings")
            .field("issuer", &self.issuer.as_str())
            .field("client_id", &self.client_id)
            .field("name", &self.name)
            .field("sign_up", &self.sign_up)
            .field("passwords", &self.passwords)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn issuer_is_https_or_loopback_and_is_stored_unchanged() {
        for (text, address) in [
            ("https://id.example.org", "https://id.example.org/.well-known/openid-configuration"),
            (
                "https://id.example.org/o/carrel/",
                "https://id.example.org/o/carrel/.well-known/openid-configuration",
            ),
            ("http://127.0.0.1:9000", "http://127.0.0.1:9000/.well-known/openid-configuration"),
        ] {
            let issuer: OidcIssuer = text.parse().unwrap();
            assert_eq!((issuer.as_str(), issuer.metadata_url().as_str()), (text, address));
        }
        let long = format!("https://id.example.org/{}", "a".repeat(MAX_ISSUER_BYTES));
        for refused in [
            "id.example.org",
            "http://id.example.org",
            "http://10.0.0.7",
            "https://me@id.example.org",
            "https://id.example.org/?a=b",
            "https://id.example.org/#a",
            long.as_str(),
        ] {
            assert!(refused.parse::<OidcIssuer>().is_err(), "{refused}");
        }
    }
}
