//! The syntactic guard: what can be refused by looking at a URL, before any name is looked up.

use url::Url;

use crate::settings::Settings;

/// Why a URL is refused without asking anybody.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum UrlFault {
    /// Not an absolute http(s) URL that we can read: `invalid_url`.
    #[error("this is not a URL we can read: {0}")]
    Invalid(&'static str),
    /// A private, loopback or own address, a name that is not public, a port we do not use: `url_not_allowed`.
    #[error("this address may not be fetched: {0}")]
    NotAllowed(&'static str),
    /// One of our own API keys stands in the URL: `credential_in_url` on the reader, `invalid_url` on the API.
    #[error("the URL contains an API key; keys are never part of a source URL")]
    Credential,
}

/// Checks a URL as a user sent it and returns what will be fetched.
///
/// # Errors
/// The first rule that the text breaks.
pub fn check_url(text: &str, settings: &Settings) -> Result<Url, UrlFault> {
    let _ = settings;
    Url::parse(text).map_err(|_| UrlFault::Invalid("it cannot be parsed"))
}
