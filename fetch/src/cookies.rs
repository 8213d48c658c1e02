//! Cookies of one fetch (RFC 6265): set by a response of a redirect chain and sent with its next requests.
//!
//! A jar belongs to one fetch, unless the caller stores it and continues with it. It is never shared.

use std::fmt;

use chrono::DateTime;
use reqwest::header::{DATE, HeaderMap, HeaderValue, SET_COOKIE};
use url::{Host, Url};

use crate::request::{CookieState, StoredCookies};
use crate::response;

/// Maximum number of cookies. Further cookies are ignored.
const MAX_COOKIES: usize = 50;
/// Maximum number of bytes of a name and its value. Longer cookies are ignored.
const MAX_COOKIE_BYTES: usize = 4096;
/// Maximum number of bytes of a `Cookie` header. Cookies that do not fit are not sent.
const MAX_HEADER_BYTES: usize = 16 * 1024;
/// Prefix of the line of a cookie that scripts cannot read.
const HTTP_ONLY: &str = "#HttpOnly_";

/// Cookies of one fetch.
#[derive(Debug, Default)]
pub(crate) struct CookieJar {
    cookies: Vec<Cookie>,
    /// Seconds since the Unix epoch; 0 if the jar is not stored.
    now: i64,
}

/// Stored cookie. Its value is never printed.
#[derive(Clone, PartialEq, Eq)]
pub struct Cookie {
    pub name: String,
    pub value: String,
    /// Host that set the cookie, or the domain that it named.
    pub domain: String,
    /// True if subdomains of `domain` receive the cookie.
    pub is_for_subdomains: bool,
    pub path: String,
    pub is_secure: bool,
    /// True if scripts cannot read the cookie.
    pub is_http_only: bool,
    /// Seconds since the Unix epoch, if the cookie expires.
    pub expires_at: Option<i64>,
}

impl fmt::Debug for Cookie {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.name)
    }
}

impl StoredCookies {
    /// Stores cookies within the limits of a jar. Cookies beyond the limits are ignored.
    pub fn of(cookies: impl IntoIterator<Item = Cookie>) -> Self {
        let fits = |cookie: &Cookie| cookie.name.len() + cookie.value.len() <= MAX_COOKIE_BYTES;
        let cookies = cookies.into_iter().filter(fits).take(MAX_COOKIES).collect();
        CookieJar { cookies, now: 0 }.stored()
    }
}

impl CookieState {
    /// Returns the stored cookies that have not expired.
    pub fn cookies(&self) -> Vec<Cookie> {
        CookieJar::restored(self).cookies
    }
}

impl Cookie {
    fn is_same(&self, other: &Self) -> bool {
        self.name == other.name && self.domain == other.domain && self.path == other.path
    }

    /// True if the host of a URL receives the cookie.
    pub fn is_for_host_of(&self, url: &Url) -> bool {
        let Some(host) = url.host_str() else { return false };
        host == self.domain || self.is_for_subdomains && is_subdomain(host, &self.domain) && !is_address(url)
    }

    fn is_for(&self, url: &Url) -> bool {
        self.is_for_host_of(url)
            && path_matches(url.path(), &self.path)
            && (!self.is_secure || url.scheme() == "https")
    }

    /// Line of a cookie file; `None` if a part of the cookie contains a control character.
    fn line(&self) -> Option<String> {
        let flag = |flag: bool| if flag { "TRUE" } else { "FALSE" };
        let (subdomains, secure) = (flag(self.is_for_subdomains), flag(self.is_secure));
        let expires_at = self.expires_at.unwrap_or(0).to_string();
        let (path, name, value) = (&*self.path, &*self.name, &*self.value);
        let domain = format!("{}{}", if self.is_http_only { HTTP_ONLY } else { "" }, self.domain);
        let parts = [domain.as_str(), subdomains, path, secure, expires_at.as_str(), name, value];
        let is_clean = !parts.iter().any(|part| part.contains(|c: char| c.is_control()));
        is_clean.then(|| parts.join("\t"))
    }

    fn of_line(line: &str) -> Option<Self> {
        let parts: Vec<&str> = line.split('\t').collect();
        let [domain, subdomains, path, secure, expires_at, name, value] = parts.as_slice() else {
            return None;
        };
        let hidden = domain.strip_prefix(HTTP_ONLY);
        Some(Self {
            name: (*name).to_owned(),
            value: (*value).to_owned(),
            domain: hidden.unwrap_or(domain).to_owned(),
            is_for_subdomains: *subdomains == "TRUE",
            path: (*path).to_owned(),
            is_secure: *secure == "TRUE",
            is_http_only: hidden.is_some(),
            expires_at: expires_at.parse().ok().filter(|at| *at != 0),
        })
    }
}

impl CookieJar {
    /// Jar with the stored cookies that have not expired.
    pub(crate) fn restored(state: &CookieState) -> Self {
        let is_alive = |cookie: &Cookie| cookie.expires_at.is_none_or(|at| at > state.now);
        let cookies = state.stored.0.lines().filter_map(Cookie::of_line).filter(is_alive);
        Self { cookies: cookies.take(MAX_COOKIES).collect(), now: state.now }
    }

    /// Cookies to continue with in another fetch.
    pub(crate) fn stored(&self) -> StoredCookies {
        StoredCookies(self.cookies.iter().filter_map(Cookie::line).collect::<Vec<_>>().join("\n"))
    }

    /// Stores the cookies of a response from `url`.
    pub(crate) fn store(&mut self, url: &Url, headers: &HeaderMap) {
        let response_date = response::header_text(headers, DATE);
        for line in headers.get_all(SET_COOKIE) {
            let Some(line) = std::str::from_utf8(line.as_bytes()).ok() else { continue };
            let Some((mut cookie, lifetime)) = parse(line, url, response_date.as_deref()) else { continue };
            let is_expired = lifetime.is_some_and(|seconds| seconds <= 0);
            cookie.expires_at = lifetime.map(|seconds| self.now.saturating_add(seconds));
            let known = self.cookies.iter().position(|known| known.is_same(&cookie));
            match known {
                Some(at) if is_expired => {
                    self.cookies.remove(at);
                }
                Some(at) => self.cookies[at] = cookie,
                None if !is_expired && self.cookies.len() < MAX_COOKIES => self.cookies.push(cookie),
                None => {}
            }
        }
    }

    /// `Cookie` header of a request. Cookies with longer paths come first, and cookies with paths of equal
    /// length are in the order of their creation.
    pub(crate) fn header(&self, url: &Url) -> Option<HeaderValue> {
        let mut cookies: Vec<&Cookie> = self.cookies.iter().filter(|cookie| cookie.is_for(url)).collect();
        cookies.sort_by_key(|cookie| std::cmp::Reverse(cookie.path.len()));
        let mut header = String::new();
        for Cookie { name, value, .. } in cookies {
            if header.len() + name.len() + value.len() + 3 > MAX_HEADER_BYTES {
                break;
            }
            if !header.is_empty() {
                header.push_str("; ");
            }
            header.push_str(name);
            // A cookie without a name is sent as its value.
            header.push_str(if name.is_empty() { "" } else { "=" });
            header.push_str(value);
        }
        let mut header =
            HeaderValue::from_bytes(header.as_bytes()).ok().filter(|header| !header.is_empty())?;
        header.set_sensitive(true);
        Some(header)
    }
}

/// Parses a `Set-Cookie` line. Returns the cookie and its lifetime in seconds, which is `None` if it is
/// unlimited; a lifetime of 0 or less deletes the cookie. Returns `None` if the line is invalid or the host
/// may not set the cookie.
fn parse(line: &str, url: &Url, response_date: Option<&str>) -> Option<(Cookie, Option<i64>)> {
    let host = url.host_str()?;
    let mut parts = line.split(';');
    let pair = parts.next()?.trim();
    let (name, value) = pair.split_once('=').unwrap_or(("", pair));
    let (name, value) = (name.trim(), value.trim());
    let is_valid = name.len() + value.len() <= MAX_COOKIE_BYTES
        && !(name.is_empty() && value.is_empty())
        && !pair.contains(|c: char| c.is_control());
    if !is_valid {
        return None;
    }
    let mut cookie = Cookie {
        name: name.to_owned(),
        value: value.to_owned(),
        domain: host.to_owned(),
        is_for_subdomains: false,
        path: default_path(url.path()).to_owned(),
        is_secure: false,
        is_http_only: false,
        expires_at: None,
    };
    let (mut max_age, mut until_date, mut names_path) = (None, None, false);
    for part in parts {
        let (attribute, value) = part.split_once('=').unwrap_or((part, ""));
        let value = value.trim();
        match attribute.trim().to_ascii_lowercase().as_str() {
            "domain" if !value.is_empty() => set_domain(&mut cookie, value, url)?,
            "path" => {
                let is_absolute = value.starts_with('/');
                let path = if is_absolute { value } else { default_path(url.path()) };
                path.clone_into(&mut cookie.path);
                names_path = is_absolute;
            }
            "secure" => cookie.is_secure = true,
            "httponly" => cookie.is_http_only = true,
            "max-age" => max_age = value.parse::<i64>().ok(),
            "expires" => until_date = seconds_until(value, response_date),
            _ => {}
        }
    }
    let is_allowed = follows_security_rules(&cookie, url, names_path);
    is_allowed.then_some((cookie, max_age.or(until_date)))
}

/// Applies the `Domain` attribute. `None` if the host does not belong to the domain, or if the domain is a
/// public suffix.
fn set_domain(cookie: &mut Cookie, value: &str, url: &Url) -> Option<()> {
    let domain = value.trim_start_matches('.').to_ascii_lowercase();
    let host = url.host_str()?;
    if domain == host {
        cookie.is_for_subdomains = !is_address(url) && sites::registrable_domain(host).is_some();
        return Some(());
    }
    let may_name = is_subdomain(host, &domain) && !is_address(url);
    if !may_name || sites::registrable_domain(&domain).is_none() {
        return None;
    }
    cookie.domain = domain;
    cookie.is_for_subdomains = true;
    Some(())
}

/// True if a cookie follows the rules for secure cookies and for the prefixes of cookie names.
fn follows_security_rules(cookie: &Cookie, url: &Url, names_path: bool) -> bool {
    let is_https = url.scheme() == "https";
    let has_prefix = |prefix: &str| {
        cookie.name.get(..prefix.len()).is_some_and(|start| start.eq_ignore_ascii_case(prefix))
    };
    if cookie.is_secure && !is_https || has_prefix("__Secure-") && !cookie.is_secure {
        return false;
    }
    let is_whole_host = names_path && cookie.path == "/" && Some(cookie.domain.as_str()) == url.host_str();
    !has_prefix("__Host-") || cookie.is_secure && is_whole_host && !cookie.is_for_subdomains
}

/// Seconds from the response to a date. `None` if one of the two dates is missing or invalid.
fn seconds_until(value: &str, response_date: Option<&str>) -> Option<i64> {
    let spaced = value.replace('-', " ");
    let date = spaced.split_once(", ").map_or(spaced.as_str(), |(_weekday, date)| date);
    let expires = DateTime::parse_from_rfc2822(date).ok()?;
    // Servers delete a cookie with a date far in the past, so no clock is needed for a response without
    // `Date`.
    if expires.timestamp() <= 0 {
        return Some(0);
    }
    let response = DateTime::parse_from_rfc2822(response_date?).ok()?;
    Some(expires.timestamp() - response.timestamp())
}

/// Directory of a path (RFC 6265 section 5.1.4).
fn default_path(path: &str) -> &str {
    match path.rfind('/') {
        Some(at) if at > 0 && path.starts_with('/') => &path[..at],
        _ => "/",
    }
}

fn path_matches(path: &str, cookie_path: &str) -> bool {
    path.strip_prefix(cookie_path)
        .is_some_and(|rest| rest.is_empty() || cookie_path.ends_with('/') || rest.starts_with('/'))
}

fn is_subdomain(host: &str, domain: &str) -> bool {
    host.strip_suffix(domain).is_some_and(|rest| rest.ends_with('.') && rest.len() > 1)
}

fn is_address(url: &Url) -> bool {
    matches!(url.host(), Some(Host::Ipv4(_) | Host::Ipv6(_)))
}

#[cfg(test)]
mod tests;
