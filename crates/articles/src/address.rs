//! Validated and normalised public URLs, with their cache keys.

use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};
use url::Url;

use jobs::JobKind;
use kernel::bounds::URL_CHARS;
use kernel::{Code, Domain, Error, Result};

/// A URL that passed the syntactic checks of the guard.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Address {
    /// URL to fetch, normalised and without a fragment.
    pub url: Url,
    /// Cache key: SHA-256 of the normalised URL and of the selector, if set, in hexadecimal.
    pub key: String,
    /// CSS selector of the elements to extract, or the text form of `TextParts`. `None` selects the main part of the
    /// page.
    pub selector: Option<String>,
    /// True if the page is rendered in a browser before its text is extracted.
    pub is_rendered: bool,
    /// True if cookie notices of the rendered page are dismissed.
    pub dismisses_cookie_notices: bool,
}

impl Address {
    /// Validates `text` with the guard's rules for URLs from users. Does not resolve the host name.
    ///
    /// # Errors
    /// If the URL is refused, with the code `invalid_url`, `url_not_allowed`, or `credential_in_url`.
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
        Ok(Self { url, key, selector: None, is_rendered: false, dismisses_cookie_notices: false })
    }

    /// Restricts the address to the elements that the CSS selector or the text form of `TextParts` selects, and
    /// changes the key accordingly.
    #[must_use]
    pub fn with_selector(self, selector: &str) -> Self {
        // The line break separates the parts unambiguously, because a normalised URL never contains a line
        // break.
        let key = HEXLOWER.encode(&Sha256::digest(format!("{}\n{selector}", self.url).as_bytes()));
        Self { key, selector: Some(selector.to_owned()), ..self }
    }

    /// Returns the address for the text of the rendered page, which is stored under a separate key.
    #[must_use]
    pub fn rendered(self) -> Self {
        // A normalised URL never begins with this word and a line break.
        let key = HEXLOWER.encode(&Sha256::digest(format!("rendered\n{}", self.key).as_bytes()));
        Self { key, is_rendered: true, ..self }
    }

    /// Returns the address for the text of the rendered page after its cookie notices were dismissed, which is stored
    /// under a key of its own.
    #[must_use]
    pub fn rendered_without_cookie_notices(self) -> Self {
        let text = format!("rendered without cookie notices\n{}", self.key);
        let key = HEXLOWER.encode(&Sha256::digest(text.as_bytes()));
        Self { key, is_rendered: true, dismisses_cookie_notices: true, ..self }
    }

    /// Kind of the jobs that read this address.
    pub(crate) fn job_kind(&self) -> JobKind {
        if self.is_rendered { JobKind::Render } else { JobKind::Extraction }
    }
}

/// Converts an address that a person typed to a URL. Removes surrounding white space and the `feed` scheme, and adds
/// `https://` to a host without a scheme. A handle `@name@host`, as on Mastodon, becomes the URL of its profile.
pub fn typed_address(typed: &str) -> String {
    let typed = extract::feed::without_feed_scheme(typed);
    if let Some(profile) = profile_of_handle(&typed) {
        return profile;
    }
    let is_host = typed.contains('.') && !typed.contains("://") && !typed.contains(char::is_whitespace);
    if is_host { format!("https://{typed}") } else { typed.into_owned() }
}

/// Returns the URL of the profile of the handle `@name@host`. `None` if the text is not such a handle.
fn profile_of_handle(typed: &str) -> Option<String> {
    let (name, host) = typed.strip_prefix('@')?.split_once('@')?;
    let is_part = |part: &str| {
        !part.is_empty() && part.chars().all(|c| c.is_alphanumeric() || matches!(c, '.' | '-' | '_'))
    };
    (is_part(name) && is_part(host) && host.contains('.')).then(|| format!("https://{host}/@{name}"))
}

/// Converts an error message to a sentence with an initial capital and a full stop.
pub(super) fn sentence(text: &str) -> String {
    let mut characters = text.chars();
    let first = characters.next().map(|first| first.to_uppercase().to_string()).unwrap_or_default();
    let rest = characters.as_str().trim_end_matches('.');
    format!("{first}{rest}.")
}

#[cfg(test)]
mod tests {
    use super::typed_address;

    #[test]
    fn typed_addresses_are_converted_to_urls() {
        for (typed, expected) in [
            (" example.org/a ", "https://example.org/a"),
            ("example.org:8080/feed", "https://example.org:8080/feed"),
            ("http://example.org", "http://example.org"),
            ("feed:https://example.org/f", "https://example.org/f"),
            ("feed://example.org/f", "http://example.org/f"),
            ("@ann@social.example", "https://social.example/@ann"),
            ("@ann@social.example/x", "https://@ann@social.example/x"),
            ("@ann", "@ann"),
            ("a word", "a word"),
            ("", ""),
        ] {
            assert_eq!(typed_address(typed), expected, "{typed}");
        }
    }
}
