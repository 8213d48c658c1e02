//! A validated and normalised public URL with its key.

use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};
use url::Url;

use kernel::bounds::URL_CHARS;
use kernel::{Code, Domain, Error, Result};

/// A URL that passed the syntactic checks of the guard.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Address {
    /// URL to fetch: normalised, without a fragment.
    pub url: Url,
    /// SHA-256 of the normalised URL, as hex.
    pub key: String,
}

impl Address {
    /// Validates `text` with the guard's rules for URLs that users send. Does not resolve the host name.
    ///
    /// # Errors
    /// `invalid_url`, `url_not_allowed` or `credential_in_url`.
    pub fn parse(domain: &Domain, text: &str) -> Result<Self> {
        if text.chars().count() > URL_CHARS {
            return Err(Error::new(
                Code::InvalidUrl,
                format!("The URL is longer than {URL_CHARS} characters."),
            ));
        }
        let mut url = fetch::check_url(text, &domain.policy().fetch).map_err(|fault| {
            let code = match &fault {
                fetch::UrlError::Invalid(_) => Code::InvalidUrl,
                fetch::UrlError::NotAllowed(_) => Code::UrlNotAllowed,
                fetch::UrlError::Credential => Code::CredentialInUrl,
            };
            Error::new(code, sentence(&fault.to_string()))
        })?;
        url.set_fragment(None);
        let key = HEXLOWER.encode(&Sha256::digest(url.as_str().as_bytes()));
        Ok(Self { url, key })
    }
}

/// Converts an inner message to a sentence: with an initial capital and a full stop.
pub(super) fn sentence(text: &str) -> String {
    let mut characters = text.chars();
    let first = characters.next().map(|first| first.to_uppercase().to_string()).unwrap_or_default();
    let rest = characters.as_str().trim_end_matches('.');
    format!("{first}{rest}.")
}
