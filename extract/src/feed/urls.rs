//! Addresses in feeds: made absolute, freed of tracking parameters, and brought to one form for telling
//! whether two of them name the same thing.

use url::{Url, form_urlencoded};

/// The longest address kept.
pub(super) const MAX_URL: usize = 4096;

/// Joins an address to its base. `None` when the result is no absolute address.
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

/// An absolute http(s) address without tracking parameters; anything else is no link to follow.
pub fn readable(address: &str) -> Option<String> {
    let mut url = Url::parse(address.trim()).ok()?;
    if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none_or(str::is_empty) {
        return None;
    }
    drop_tracking(&mut url);
    let text: String = url.into();
    (text.len() <= MAX_URL).then_some(text)
}

/// Takes out the parameters that only say where a reader came from.
fn drop_tracking(url: &mut Url) {
    let Some(query) = url.query() else { return };
    let kept: Vec<&str> = query.split('&').filter(|pair| !is_tracking(pair)).collect();
    if kept.len() == query.split('&').count() {
        return;
    }
    let kept = kept.join("&");
    url.set_query(Some(kept.as_str()).filter(|kept| !kept.is_empty()));
}

/// Whether a `name=value` only says where a reader came from.
pub fn is_tracking(pair: &str) -> bool {
    const NAMES: &[&str] = &[
        "_hsenc",
        "_hsmi",
        "dclid",
        "fbclid",
        "gclid",
        "gclsrc",
        "hsctatracking",
        "igshid",
        "mc_cid",
        "mc_eid",
        "mkt_tok",
        "msclkid",
        "oly_anon_id",
        "oly_enc_id",
        "pk_campaign",
        "pk_kwd",
        "srsltid",
        "twclid",
        "vero_id",
        "wbraid",
        "gbraid",
        "yclid",
        "_ga",
        "s_cid",
        "at_medium",
        "at_campaign",
        "ref_src",
    ];
    let name = pair.split('=').next().unwrap_or_default().to_ascii_lowercase();
    name.starts_with("utm_") || NAMES.contains(&name.as_str())
}

/// One form for addresses that name the same thing: no scheme, no `www.`, no fragment but one that holds
/// a path, no default port, no tracking, no slash at the end, parameters in order.
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

/// The registrable domain of an address, or its host where there is none: what a server's budget and its
/// pauses belong to.
pub fn site(address: &str) -> Option<String> {
    let url = Url::parse(address).ok()?;
    match url.host()? {
        url::Host::Domain(name) => {
            let name = name.trim_end_matches('.');
            Some(sites::registrable_domain(name).unwrap_or(name).to_owned())
        }
        host => Some(match url.port() {
            // Numbers name machines, and one machine may hold many servers.
            Some(port) => format!("{host}:{port}"),
            None => host.to_string(),
        }),
    }
}

/// The address as the key under which a feed is known: without scheme and fragment.
pub fn feed_key(address: &str) -> Option<String> {
    let mut url = Url::parse(address.trim()).ok()?;
    if !matches!(url.scheme(), "http" | "https") {
        return None;
    }
    url.set_fragment(None);
    let text: String = url.into();
    text.split_once("://").map(|(_, rest)| rest.trim_end_matches('/').to_owned())
}
