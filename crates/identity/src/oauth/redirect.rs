//! Redirect URIs of apps (RFC 8252, RFC 9700 4.1). They are compared exactly as the app sent them.

use url::Url;

/// Maximum length of a redirect URI, in characters.
const MAX_CHARS: usize = 2000;
/// Schemes that do not open an app on the person's machine, or to which a browser cannot be redirected.
const DENIED_SCHEMES: &[&str] = &[
    "javascript", "data", "vbscript", "file", "blob", "filesystem", "about", "view-source", "ftp", "ws",
    "wss", "mailto", "tel", "sms", "intent", "android-app", "jar", "shell", "search", "search-ms",
    "resource", "res", "mhtml", "its", "mk", "ldap", "smb", "ssh", "telnet", "magnet",
];
/// Prefixes of denied schemes.
const DENIED_PREFIXES: &[&str] = &["ms-", "chrome", "edge", "moz-"];
/// Loopback host names, as they appear in URLs.
pub const LOOPBACK_HOSTS: [&str; 3] = ["127.0.0.1", "[::1]", "localhost"];

/// Suffixes of the hosts that Firefox and Chromium-based browsers assign to their extensions. The browser itself
/// handles requests to these hosts.
const EXTENSION_HOSTS: [&str; 2] = [".chromiumapp.org", ".extensions.allizom.org"];

/// Kind of the destination of a redirect URI, with the name that is displayed to the person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RedirectKind {
    /// A website, with its host in ASCII.
    Website(String),
    /// An extension of the person's browser, with the host of its redirect address in ASCII.
    Extension(String),
    /// A program listening on the person's own machine.
    Loopback,
    /// A program that handles this scheme.
    Program(String),
}

impl RedirectKind {
    /// Returns the kind of destination of a validated redirect URI.
    pub fn of(uri: &str) -> Self {
        let scheme = uri.split(':').next().unwrap_or_default().to_ascii_lowercase();
        match scheme.as_str() {
            "http" => Self::Loopback,
            "https" => {
                let host = Url::parse(uri).ok().and_then(|url| url.host_str().map(str::to_owned));
                let host = host.unwrap_or_default();
                if LOOPBACK_HOSTS.contains(&host.as_str()) {
                    Self::Loopback
                } else if EXTENSION_HOSTS.iter().any(|ending| host.ends_with(ending)) {
                    Self::Extension(host)
                } else {
                    Self::Website(host)
                }
            }
            _ => Self::Program(scheme),
        }
    }

    /// The host or scheme, as displayed to the person.
    pub fn name(&self) -> &str {
        match self {
            Self::Website(host) | Self::Extension(host) => host,
            Self::Loopback => "this computer",
            Self::Program(scheme) => scheme,
        }
    }
}

/// Checks that an app may register this redirect URI. `origins` are the origins of this service.
///
/// A redirect URI is checked three times: by this function when an app registers it or its client document lists
/// it, by `matches` when an authorization request names it, and for equality when the code is exchanged, if the
/// app repeats it then.
///
/// # Errors
/// Returns the reason, as a sentence.
pub fn check_redirect(uri: &str, origins: &[&str]) -> Result<(), &'static str> {
    if uri.is_empty() || uri.len() > MAX_CHARS {
        return Err("A redirect URI must have 1 to 2000 characters.");
    }
    // A URI is ASCII (RFC 3986, 2). Other letters could look like ASCII letters when the URI is displayed to
    // the person.
    if !uri.chars().all(|c| c.is_ascii_graphic() && c != '\\') {
        return Err(
            "A redirect URI must not contain spaces, backslashes, control characters or non-ASCII letters.",
        );
    }
    if uri.contains('#') {
        return Err("A redirect URI must not have a fragment.");
    }
    if uri.contains('*') {
        return Err("A redirect URI must not have a wildcard.");
    }
    let Some((scheme, rest)) = uri.split_once(':') else { return Err("A redirect URI must be absolute.") };
    let scheme = scheme.to_ascii_lowercase();
    match scheme.as_str() {
        "http" | "https" => check_web(uri, &scheme, origins),
        _ => check_program(&scheme, rest),
    }
}

fn check_web(uri: &str, scheme: &str, origins: &[&str]) -> Result<(), &'static str> {
    let Ok(url) = Url::parse(uri) else { return Err("A redirect URI must be an absolute URL.") };
    let authority = authority(uri).filter(|authority| !authority.is_empty());
    let Some(authority) = authority else { return Err("A redirect URI must be an absolute URL.") };
    if authority.contains('@') {
        return Err("A redirect URI must not have user information.");
    }
    let is_loopback = LOOPBACK_HOSTS.contains(&host_of(authority));
    if scheme == "http" && !is_loopback {
        return Err("A redirect URI with http must lead to 127.0.0.1, [::1] or localhost.");
    }
    let is_ours = |origin: &&str| Url::parse(origin).is_ok_and(|origin| origin.origin() == url.origin());
    if origins.iter().any(is_ours) {
        return Err("A redirect URI must not lead to this service.");
    }
    Ok(())
}

fn check_program(scheme: &str, rest: &str) -> Result<(), &'static str> {
    let is_scheme = scheme.len() >= 2
        && scheme.len() <= 40
        && scheme.starts_with(|c: char| c.is_ascii_lowercase())
        && scheme.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || "+.-".contains(c));
    let is_denied = DENIED_SCHEMES.contains(&scheme)
        || DENIED_PREFIXES.iter().any(|beginning| scheme.starts_with(beginning));
    if !is_scheme || is_denied || rest.is_empty() {
        return Err("A redirect URI must have a scheme that leads to an app.");
    }
    Ok(())
}

/// Returns whether an app that registered `registered` may be redirected to `requested`: the two must be
/// equal byte for byte, except for the port of a loopback URI (RFC 8252, 7.3).
pub(super) fn matches(registered: &str, requested: &str) -> bool {
    registered == requested
        || match (without_port(registered), without_port(requested)) {
            // The origins were checked when the app registered the URI, from which only the port may differ.
            (Some(left), Some(right)) => left == right && check_redirect(requested, &[]).is_ok(),
            (None, _) | (_, None) => false,
        }
}

/// Splits a loopback URI into the parts before and after its port. `None` for any other URI.
pub(super) fn without_port(uri: &str) -> Option<(&str, &str)> {
    let authority = authority(uri)?;
    let host = host_of(authority);
    if !uri.starts_with("http://") || !LOOPBACK_HOSTS.contains(&host) {
        return None;
    }
    let port = &authority[host.len()..];
    let is_port = port.is_empty() || port.strip_prefix(':').is_some_and(|port| port.parse::<u16>().is_ok());
    is_port.then(|| (&uri[.."http://".len() + host.len()], &uri["http://".len() + authority.len()..]))
}

/// Host and port of a URI, unchanged.
fn authority(uri: &str) -> Option<&str> {
    let (_, rest) = uri.split_once("://")?;
    rest.split(['/', '?', '#']).next()
}

/// Host of an authority, without the port.
fn host_of(authority: &str) -> &str {
    match authority.find(']') {
        Some(end) => &authority[..=end],
        None => authority.split(':').next().unwrap_or_default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OURS: [&str; 1] = ["https://carrel.example"];

    #[test]
    fn websites_loopback_and_app_schemes_are_accepted() {
        for uri in [
            "https://claude.ai/api/mcp/auth_callback",
            "https://www.cursor.com/agents/mcp/oauth/callback",
            "http://localhost/callback",
            "http://localhost:8787/callback",
            "http://127.0.0.1:33418",
            "http://[::1]:1/x?y=z",
            "cursor://anysphere.cursor-mcp/oauth/callback",
            "vscode://vscode.github-authentication/did-authenticate",
            "com.example.app:/back",
        ] {
            assert_eq!(check_redirect(uri, &OURS), Ok(()), "{uri}");
        }
    }

    #[test]
    fn redirect_addresses_of_browser_extensions_are_recognised() {
        for host in [
            "abcdefghijklmnopabcdefghijklmnop.chromiumapp.org",
            "0a1b2c3d4e5f60718293a4b5c6d7e8f901234567.extensions.allizom.org",
        ] {
            let uri = format!("https://{host}/");
            assert_eq!(check_redirect(&uri, &OURS), Ok(()), "{uri}");
            assert_eq!(RedirectKind::of(&uri), RedirectKind::Extension(host.to_owned()));
        }
        for host in ["chromiumapp.org.evil.example", "evilchromiumapp.org", "example.org"] {
            let kind = RedirectKind::of(&format!("https://{host}/x.chromiumapp.org"));
            assert_eq!(kind, RedirectKind::Website(host.to_owned()));
        }
    }

    #[test]
    fn unsafe_redirect_uris_are_refused() {
        for uri in [
            "",
            "callback",
            "/callback",
            "http://example.org/x",
            "http://localhost.evil.example/x",
            "http://127.0.0.1.evil.example/",
            "https://a@example.org/",
            "http://user@localhost/",
            "https://example.org/#x",
            "https://*.example.org/",
            "https://example.org/a b",
            "javascript:alert(1)",
            "JAVASCRIPT:alert(1)",
            "data:text/html,x",
            "ms-settings:x",
            "chrome-extension://x/y",
            "x:",
            "a:b",
            "https://carrel.example/back",
            "https://CARREL.example:443/back",
            "https://example.org\\@evil.example/",
            &format!("https://example.org/{}", "a".repeat(2000)),
            "http://0x7f.1/x",
            "http:/localhost/",
            "https:///example.org/",
            "https://ex\u{e4}mple.org/",
            "https://example.org/\u{202e}",
            "app:/\t",
        ] {
            assert!(check_redirect(uri, &OURS).is_err(), "{uri}");
        }
    }

    #[test]
    fn redirect_uri_may_differ_only_in_the_loopback_port() {
        for (registered, requested) in [
            ("http://localhost/callback", "http://localhost:3118/callback"),
            ("http://127.0.0.1:1/", "http://127.0.0.1/"),
            ("http://[::1]/a?b", "http://[::1]:9/a?b"),
            ("app.x:/a", "app.x:/a"),
        ] {
            assert!(matches(registered, requested), "{registered} {requested}");
        }
        for (registered, requested) in [
            ("http://localhost/callback", "http://127.0.0.1/callback"),
            ("http://localhost/callback", "http://localhost/callback/"),
            ("http://localhost/callback", "http://localhost:80@evil.example/callback"),
            ("http://localhost/callback", "http://localhost:99999/callback"),
            ("http://localhost/callback", "https://localhost/callback"),
            ("http://localhost/callback", "HTTP://localhost/callback"),
            ("https://example.org/a", "https://example.org:444/a"),
            ("https://example.org/a", "https://example.org/A"),
            ("http://localhost/a", "http://localhost.evil.example/a"),
        ] {
            assert!(!matches(registered, requested), "{registered} {requested}");
        }
    }
}
