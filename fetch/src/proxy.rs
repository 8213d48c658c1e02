//! Named proxies that the operator offers for requests.
//!
//! A request through a proxy is never sent directly: an unknown name is an error. The guard checks targets in
//! the same way as without a proxy. A SOCKS proxy gets the checked address. An HTTP proxy resolves the name
//! of the target itself, after our check, so a name whose addresses change can lead to any server that the
//! proxy can reach.

use std::fmt;
use std::str::FromStr;

use url::Url;

/// Maximum number of proxies. Each has its own client.
const MAX_PROXIES: usize = 50;
/// Maximum length of a name, in characters.
pub const MAX_PROXY_NAME_CHARS: usize = 40;
const SCHEMES: [&str; 3] = ["http", "https", "socks5"];

/// Proxies by name, in the order of the setting. Written as `name=url`, separated by commas or spaces.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Proxies(Vec<NamedProxy>);

/// Proxy with its address, which may contain a password.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct NamedProxy {
    pub(crate) name: String,
    pub(crate) url: Url,
}

/// Prints the name only.
impl fmt::Debug for NamedProxy {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.name)
    }
}

/// Error of an invalid list of proxies. Does not repeat the text, which may contain a password.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("proxy {position}: {reason}")]
pub struct ProxyError {
    /// Position in the list, starting at 1.
    position: usize,
    reason: &'static str,
}

impl Proxies {
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|proxy| proxy.name.as_str())
    }

    pub fn contains(&self, name: &str) -> bool {
        self.names().any(|known| known == name)
    }

    pub(crate) fn all(&self) -> &[NamedProxy] {
        &self.0
    }
}

impl FromStr for Proxies {
    type Err = ProxyError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut proxies = Self::default();
        let entries = text.split([',', ' ']).filter(|entry| !entry.is_empty());
        for (position, entry) in (1..).zip(entries) {
            let fault = |reason| ProxyError { position, reason };
            if position > MAX_PROXIES {
                return Err(fault("there are more than 50"));
            }
            let proxy = parse(entry).map_err(fault)?;
            if proxies.contains(&proxy.name) {
                return Err(fault("the name occurs twice"));
            }
            proxies.0.push(proxy);
        }
        Ok(proxies)
    }
}

fn parse(entry: &str) -> Result<NamedProxy, &'static str> {
    let (name, address) = entry.split_once('=').ok_or("write name=url")?;
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    if !(1..=MAX_PROXY_NAME_CHARS).contains(&name.len()) || !name.bytes().all(is_name) {
        return Err("the name must have 1 to 40 letters, digits, - and _");
    }
    let url = Url::parse(address).map_err(|_| "the URL is invalid")?;
    if !SCHEMES.contains(&url.scheme()) || url.host_str().is_none_or(str::is_empty) {
        return Err("the URL must begin with http://, https:// or socks5://");
    }
    if !matches!(url.path(), "" | "/") || url.query().is_some() || url.fragment().is_some() {
        return Err("the URL must end with its host and port; encode special characters of the password");
    }
    // The HTTP client ignores a proxy whose address it cannot parse, and would send requests directly.
    if !url.as_str().parse::<hyper::Uri>().is_ok_and(|uri| uri.authority().is_some()) {
        return Err("the host of the URL is invalid");
    }
    Ok(NamedProxy { name: name.to_owned(), url })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn list_of_proxies_has_unique_names_and_hides_passwords() {
        let text = "north=http://me:hidden@proxy.example:3128,south=socks5://10.0.0.1 tls=https://p.example/";
        let proxies: Proxies = text.parse().unwrap();
        assert_eq!(proxies.names().collect::<Vec<_>>(), ["north", "south", "tls"]);
        assert!(!format!("{proxies:?}").contains("hidden"));
        assert!(proxies.all().iter().all(|proxy| proxy.reqwest_proxy().is_ok()));
        for bad in [
            "proxy.example:3128",
            "=http://hidden.example",
            "a b=http://hidden.example",
            "a=hidden.example",
            "a=ftp://hidden.example",
            "a=http://hidden.example/path",
            "a=http://hidden.example?x",
            "a=socks4://hidden.example",
            "a=http://",
            "a=",
            "a=http://x.example,a=http://hidden.example",
            "é=http://hidden.example",
            "a=socks5://é.hidden.example",
            "a=socks5://hidden%41.example",
            "a=http://hidden\"x.example",
            "a=https://hidden{x}.example",
        ] {
            let error = bad.parse::<Proxies>().unwrap_err().to_string();
            assert!(!error.contains("hidden") && error.starts_with("proxy "), "{bad}: {error}");
        }
        let entry = |number| format!("p{number}=http://p.example");
        let list = |count: usize| (0..count).map(entry).collect::<Vec<_>>().join(",");
        assert!(list(MAX_PROXIES).parse::<Proxies>().is_ok());
        assert!(list(MAX_PROXIES + 1).parse::<Proxies>().is_err());
    }
}
