//! URLs in feeds: resolution, removal of tracking parameters, and a canonical form for comparison.

use std::borrow::Cow;

use url::{Url, form_urlencoded};

/// Maximum length of an accepted URL, in bytes.
pub(super) const MAX_URL: usize = 4096;

/// Resolves a URL against its base URL. `None` if the result is not an absolute URL.
pub(super) fn join(base: Option<&str>, address: &str) -> Option<String> {
    let address: String = address.trim().chars().filter(|c| !matches!(c, '\n' | '\r' | '\t')).collect();
    if address.is_empty() || address.len() > MAX_URL {
        return None;
    }
    let joined = match Url::parse(&address) {
        Ok(url) => url,
        Err(url::ParseError::RelativeUrlWithoutBase) => Url::parse(base?).ok()?.join(&address).ok()?,
        Err(_) => return None,
    };
    Some(joined.into())
}

/// Removes leading and trailing blanks and the scheme `feed`: `feed://host/path` and `feed:https://host/path`
/// denote the http(s) URL that they contain.
pub fn without_feed_scheme(address: &str) -> Cow<'_, str> {
    let address = address.trim();
    let Some((scheme, rest)) = address.split_once(':') else { return Cow::Borrowed(address) };
    if !["feed", "feeds", "rss"].iter().any(|known| scheme.eq_ignore_ascii_case(known)) {
        return Cow::Borrowed(address);
    }
    let rest = rest.trim_start_matches('/');
    let is_absolute = rest.split(['/', '?', '#']).next().is_some_and(|start| start.ends_with(':'));
    if is_absolute { Cow::Borrowed(rest) } else { Cow::Owned(format!("http://{rest}")) }
}

/// Absolute http(s) URL without tracking parameters. `None` if the address is not an http(s) URL.
pub fn readable(address: &str) -> Option<String> {
    let mut url = Url::parse(address.trim()).ok()?;
    if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none_or(str::is_empty) {
        return None;
    }
    drop_tracking(&mut url);
    let text: String = url.into();
    (text.len() <= MAX_URL).then_some(text)
}

/// True if markup may have a URL that is not absolute.
pub(super) fn has_relative(markup: &str) -> bool {
    ["href=", "src=", "cite="].iter().any(|attribute| {
        memchr::memmem::find_iter(markup.as_bytes(), attribute).any(|at| {
            let value = markup[at + attribute.len()..].trim_start_matches(['"', '\'', ' ']);
            !["http://", "https://", "mailto:"].iter().any(|scheme| value.starts_with(scheme))
        })
    })
}

/// Removes tracking parameters.
fn drop_tracking(url: &mut Url) {
    let Some(query) = url.query() else { return };
    let params: Vec<&str> = query.split('&').filter(|pair| !is_tracking(pair)).collect();
    if params.len() == query.split('&').count() {
        return;
    }
    let params = params.join("&");
    url.set_query(Some(params.as_str()).filter(|params| !params.is_empty()));
}

/// True if the pair `name=value` is a tracking parameter.
pub fn is_tracking(pair: &str) -> bool {
    const NAMES: &[&str] = &[
        "_hsenc", "_hsmi", "dclid", "fbclid", "gclid", "gclsrc", "hsctatracking", "igshid", "mc_cid",
        "mc_eid", "mkt_tok", "msclkid", "oly_anon_id", "oly_enc_id", "pk_campaign", "pk_kwd", "srsltid",
        "twclid", "vero_id", "wbraid", "gbraid", "yclid", "_ga", "s_cid", "at_medium", "at_campaign",
        "ref_src",
    ];
    let name = pair.split('=').next().unwrap_or_default().to_ascii_lowercase();
    name.starts_with("utm_") || NAMES.contains(&name.as_str())
}

/// Canonical form of a URL for comparison: no scheme, no `www.`, no fragment of a single character, no
/// default port, no tracking parameters, no trailing slash, sorted parameters.
pub(super) fn identity(address: &str) -> String {
    let Ok(mut url) = Url::parse(address.trim()) else {
        return address.trim().to_owned();
    };
    if !matches!(url.scheme(), "http" | "https") {
        return url.into();
    }
    drop_tracking(&mut url);
    let mut pairs: Vec<(String, String)> = url
        .query()
        .map(|query| form_urlencoded::parse(query.as_bytes()).into_owned().collect())
        .unwrap_or_default();
    pairs.sort();
    let host = url.host_str().unwrap_or_default();
    let mut text = host.strip_prefix("www.").unwrap_or(host).to_owned();
    if let Some(port) = url.port() {
        text.push(':');
        text.push_str(&port.to_string());
    }
    text.push_str(url.path().trim_end_matches('/'));
    for (at, (name, value)) in pairs.iter().enumerate() {
        text.push(if at == 0 { '?' } else { '&' });
        text.push_str(name);
        text.push('=');
        text.push_str(value);
    }
    if let Some(fragment) = url.fragment().filter(|fragment| fragment.len() > 1) {
        text.push('#');
        text.push_str(fragment);
    }
    text
}

/// Registrable domain of a URL, or its host if there is none. Host budgets and pauses apply to it.
pub fn site(address: &str) -> Option<String> {
    let url = Url::parse(address).ok()?;
    match url.host()? {
        url::Host::Domain(name) => {
            let name = name.trim_end_matches('.');
            Some(sites::registrable_domain(name).unwrap_or(name).to_owned())
        }
        host => Some(match url.port() {
            // An IP address denotes a machine that may run several servers, so the port is included.
            Some(port) => format!("{host}:{port}"),
            None => host.to_string(),
        }),
    }
}

/// Key that identifies a feed: its URL without scheme and fragment.
pub fn feed_key(address: &str) -> Option<String> {
    let mut url = Url::parse(address.trim()).ok()?;
    if !matches!(url.scheme(), "http" | "https") {
        return None;
    }
    url.set_fragment(None);
    let text: String = url.into();
    text.split_once("://").map(|(_, rest)| rest.trim_end_matches('/').to_owned())
}
