//! URLs of items: validation, key for deduplication, and domain for display.

use std::borrow::Cow;

use url::{Host, Url};

use crate::bounds::URL_CHARS;
use crate::code::Code;
use crate::error::{Error, Result};
use crate::secret_text::looks_like_a_secret;

/// Parses and checks the URL of an item. Does not check whether the URL may be fetched, because an item may refer to a
/// URL in a private network.
///
/// # Errors
/// `invalid_url`.
pub fn parse(text: &str) -> Result<Url> {
    let invalid = |message: &str| Error::new(Code::InvalidUrl, message).at("url", message);
    if text.chars().count() > URL_CHARS {
        return Err(invalid("The URL is longer than 4096 characters."));
    }
    if looks_like_a_secret(text) {
        return Err(invalid(
            "The URL contains an API key or token. Revoke it, because others may have seen it.",
        ));
    }
    let Ok(url) = Url::parse(text.trim()) else {
        return Err(invalid("The URL is not an absolute http or https address."));
    };
    let has_host = url.host_str().is_some_and(|host| !host.is_empty());
    if !matches!(url.scheme(), "http" | "https") || !has_host {
        return Err(invalid("The URL is not an absolute http or https address."));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(invalid("The URL contains a user name or password. Remove it."));
    }
    if url.as_str().chars().count() > URL_CHARS {
        return Err(invalid("The URL is longer than 4096 characters."));
    }
    Ok(url)
}

/// True if a URL contains a user name or password.
pub fn has_user_info(text: &str) -> bool {
    Url::parse(text.trim()).is_ok_and(|url| !url.username().is_empty() || url.password().is_some())
}

/// Removes user names and passwords from the web and FTP URLs in a text. Valid JSON stays valid.
pub fn without_user_info(text: &str) -> Cow<'_, str> {
    let is_after_host = |character: char| {
        matches!(character, '/' | '?' | '#' | '\\' | '"' | '<' | '>') || character.is_whitespace()
    };
    let has_web_scheme = |front: &str| {
        ["http://", "https://", "ftp://"].iter().any(|scheme| {
            let start = front.len().checked_sub(scheme.len());
            start.and_then(|at| front.get(at..)).is_some_and(|end| end.eq_ignore_ascii_case(scheme))
        })
    };
    if !text.contains("://") || !text.contains('@') {
        return Cow::Borrowed(text);
    }
    let (mut clean, mut rest) = (String::with_capacity(text.len()), text);
    while let Some(at) = rest.find("://") {
        let (front, after) = rest.split_at(at + 3);
        let authority = &after[..after.find(is_after_host).unwrap_or(after.len())];
        let host_at = authority.rfind('@').filter(|_| has_web_scheme(front)).map_or(0, |at| at + 1);
        clean.push_str(front);
        rest = &after[host_at..];
    }
    clean.push_str(rest);
    Cow::Owned(clean)
}

/// Key by which URLs of the same page are matched. Ignores the scheme, tracking parameters, and a fragment
/// that does not start with `/` or `!` (client-side route).
pub fn key(url: &Url) -> String {
    let mut key = url.host_str().unwrap_or_default().to_owned();
    if let Some(port) = url.port() {
        key.push(':');
        key.push_str(&port.to_string());
    }
    key.push_str(url.path());
    let params = url.query().unwrap_or_default().split('&');
    let params: Vec<&str> =
        params.filter(|pair| !pair.is_empty() && !extract::feed::is_tracking(pair)).collect();
    if !params.is_empty() {
        key.push('?');
        key.push_str(&params.join("&"));
    }
    if let Some(fragment) = url.fragment().filter(|fragment| fragment.starts_with(['/', '!'])) {
        key.push('#');
        key.push_str(fragment);
    }
    key
}

/// Host for display: without `www.`, and in Unicode unless its letters could be mistaken for Latin letters.
pub fn domain(url: &Url) -> String {
    let host = match url.host() {
        Some(Host::Domain(name)) => name.trim_end_matches('.').to_ascii_lowercase(),
        Some(host) => host.to_string(),
        None => String::new(),
    };
    let host = host.strip_prefix("www.").unwrap_or(&host);
    let unicode = url::quirks::domain_to_unicode(host);
    if !unicode.is_empty() && is_safe_to_show(&unicode) { unicode } else { host.to_owned() }
}

/// True if two URLs have the same registrable domain.
pub fn is_same_site(one: &str, other: &str) -> bool {
    extract::feed::site(one).is_some_and(|site| extract::feed::site(other).is_some_and(|next| site == next))
}

/// True if no label of the host can be mistaken for a Latin label. A label with letters that resemble Latin letters
/// (Greek, Cyrillic, Armenian, Cherokee) is accepted only if it has no other letters and the top-level domain is not
/// ASCII.
fn is_safe_to_show(host: &str) -> bool {
    let own_ending = host.rsplit('.').next().is_some_and(|ending| !ending.is_ascii());
    host.split('.').all(|label| {
        let letters = label.chars().filter(|character| character.is_alphabetic());
        let looks_latin =
            |character: char| matches!(character, '\u{370}'..='\u{58f}' | '\u{13a0}'..='\u{13ff}');
        let (mut latin, mut other, mut lookalike) = (false, false, false);
        for letter in letters {
            if looks_latin(letter) {
                lookalike = true;
            } else if letter <= '\u{24f}' {
                latin = true;
            } else {
                other = true;
            }
        }
        !label.chars().any(char::is_control) && !(lookalike && (latin || other || !own_ending))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key_of(text: &str) -> String {
        key(&parse(text).unwrap())
    }

    #[test]
    fn urls_of_one_page_have_equal_keys() {
        let plain = key_of("https://example.org/a?id=7");
        for same in [
            "http://EXAMPLE.org/a?id=7",
            "https://example.org:443/a?UTM_source=x&id=7&fbclid=2#part",
            "https://example.org/a?id=7&",
        ] {
            assert_eq!(key_of(same), plain, "{same}");
        }
        for other in [
            "https://example.org/a/?id=7",
            "https://example.org/a?id=8",
            "https://www.example.org/a?id=7",
            "https://example.org:8443/a?id=7",
            "https://example.org/a?id=7#/doc/1",
            "https://example.org/a?id=7#!x",
        ] {
            assert_ne!(key_of(other), plain, "{other}");
        }
        assert_ne!(key_of("https://example.org/#/doc/1"), key_of("https://example.org/#/doc/2"));
        assert_eq!(key_of("https://example.org/a?"), key_of("https://example.org/a"));
    }

    #[test]
    fn domain_is_displayed_in_unicode_without_www() {
        let domain_of = |text: &str| domain(&parse(text).unwrap());
        assert_eq!(domain_of("https://WWW.Example.org/a"), "example.org");
        assert_eq!(domain_of("https://xn--bcher-kva.example/"), "bücher.example");
        assert_eq!(
            domain_of("https://xn--80ak6aa92e.com/"),
            "xn--80ak6aa92e.com",
            "Cyrillic that looks like Latin"
        );
        assert_eq!(domain_of("http://127.0.0.1:80/"), "127.0.0.1");
    }

    #[test]
    fn invalid_urls_are_refused() {
        for bad in
            ["", "example.org", "ftp://example.org/", "https://user@example.org/", "javascript:alert(1)"]
        {
            let result = parse(bad).map(|url| url.to_string());
            assert!(result.as_ref().is_err_and(|error| error.code == Code::InvalidUrl), "{bad}: {result:?}");
        }
    }

    #[test]
    fn user_info_is_removed_from_urls_only() {
        for (text, clean) in [
            ("https://me:secret@a.example/x", "https://a.example/x"),
            ("HTTP://me@a.example", "HTTP://a.example"),
            ("ftp://u:p%40@a.example/?q=b@c", "ftp://a.example/?q=b@c"),
            (
                "see https://u:p@w@a.example, or https://b.example/@me",
                "see https://a.example, or https://b.example/@me",
            ),
            (r#"{"u":"https://u:p@a.example","m":"x@y"}"#, r#"{"u":"https://a.example","m":"x@y"}"#),
            ("ssh://git@a.example/x", "ssh://git@a.example/x"),
            ("me@a.example", "me@a.example"),
            ("://@", "://@"),
        ] {
            assert_eq!(without_user_info(text), clean);
        }
        for text in ["https:me:pw@a.example/", " https:/\\me:pw@a.example", "https://me@a.example"] {
            assert!(has_user_info(text), "{text}");
        }
        assert!(!has_user_info("https://a.example/@me"));
    }
}
