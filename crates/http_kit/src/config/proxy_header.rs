//! Settings of the sign-in by a header of a trusted proxy.

use std::str::FromStr;

use identity::accounts::AutomaticSignUp;
use ipnet::IpNet;
use poem::http::HeaderName;

use super::sources::Variables;

const NAME: &str = "CARREL_AUTH_HEADER";
const SIGN_UP: &str = "CARREL_AUTH_HEADER_SIGN_UP";
const PROXIES: &str = "CARREL_TRUSTED_PROXIES";
/// Headers that clients send with another meaning, in lower case.
const OTHER_HEADERS: &[&str] = &[
    "accept", "accept-language", "authorization", "connection", "content-length", "content-type", "cookie",
    "forwarded", "from", "host", "idempotency-key", "if-match", "if-none-match", "mcp-session-id", "origin",
    "range", "referer", "transfer-encoding", "user-agent", "x-api-key", "x-forwarded-for",
    "x-forwarded-host", "x-forwarded-proto", "x-real-ip",
];

/// Header in which a trusted proxy sends the e-mail address of the signed-in person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProxyHeader {
    pub name: HeaderName,
    /// Determines whether an unknown person gets an account.
    pub sign_up: AutomaticSignUp,
}

struct NameSetting(HeaderName);

impl FromStr for NameSetting {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const RULE: &str = "must be the name of a header that only the proxy sends, such as Remote-Email";
        let name = HeaderName::from_bytes(text.as_bytes()).map_err(|_| RULE)?;
        if OTHER_HEADERS.contains(&name.as_str()) { Err(RULE) } else { Ok(Self(name)) }
    }
}

/// Reads the header. It requires trusted proxies that do not include all addresses: otherwise, anyone could sign in
/// as anyone.
pub(super) fn read(variables: &mut Variables, trusted_proxies: &[IpNet]) -> Option<ProxyHeader> {
    let name = variables.optional::<NameSetting>(NAME);
    let sign_up = variables.automatic_sign_up(SIGN_UP);
    let NameSetting(name) = name?;
    if !variables.has(PROXIES) {
        variables.fault(PROXIES, &format!("is required if {NAME} is set"));
    }
    if trusted_proxies.iter().any(|network| network.prefix_len() == 0) {
        let rule = format!("must name only the addresses of the proxy if {NAME} is set");
        variables.fault(PROXIES, &rule);
    }
    Some(ProxyHeader { name, sign_up })
}

#[cfg(test)]
mod tests {
    use identity::accounts::Signups;

    use super::super::Settings;
    use super::*;

    #[test]
    fn header_needs_a_trusted_proxy_and_closes_sign_up() {
        let read = |pairs: &[(&str, &str)]| Settings::read(&mut Variables::of_pairs(pairs.iter().copied()));
        let proxy = (PROXIES, "10.0.0.7");
        let accounts = read(&[(NAME, "Remote-Email"), proxy, (SIGN_UP, "on")]).unwrap().accounts;
        let header = accounts.proxy_header.unwrap();
        assert_eq!((header.name.as_str(), header.sign_up), ("remote-email", AutomaticSignUp::Allowed));
        assert_eq!(accounts.signups, Signups::Closed);
        assert!(read(&[proxy]).unwrap().accounts.proxy_header.is_none());
        for proxies in [&[(PROXIES, "")][..], &[(PROXIES, "0.0.0.0/0")], &[(PROXIES, "10.0.0.7,::/0")]] {
            let faults = read(&[&[(NAME, "Remote-Email")][..], proxies].concat()).unwrap_err();
            assert!(faults.0.len() == 1 && faults.0[0].starts_with(PROXIES), "{faults}");
        }
        for wrong in ["Remote User", "Cookie", "From", "X-Forwarded-For", "Remote-User:"] {
            let faults = read(&[(NAME, wrong), proxy]).unwrap_err();
            assert!(faults.0[0].starts_with(NAME), "{wrong}: {faults}");
        }
    }
}
