//! Allowed hosts and origins of MCP requests. Protects against DNS rebinding: a rebound page sends its own
//! name in `Host` and `Origin`. Origins on loopback addresses are allowed, because their pages come from the
//! caller's own machine.

use identity::oauth::LOOPBACK_HOSTS;
use poem::http::header;
use poem::{Request, Response};

use http_kit::config::{Origin, Origins, Settings};
use http_kit::http::cors::{self, AllowedOrigin};

/// Methods for scripts of allowed origins.
const METHODS: &str = "POST, GET, DELETE, OPTIONS";

/// Checks host and origin; `None` if the request is refused.
pub(super) fn admit(settings: &Settings, request: &Request) -> Option<AllowedOrigin> {
    if !is_our_host(&settings.origins, request.header(header::HOST)?) {
        return None;
    }
    let mut origins = request.headers().get_all(header::ORIGIN).iter();
    match (origins.next(), origins.next()) {
        (None, _) => Some(AllowedOrigin::SameOrigin),
        (Some(origin), None) if is_known(settings, origin.to_str().ok()?) => {
            Some(AllowedOrigin::Sender(origin.clone()))
        }
        (Some(_), None | Some(_)) => None,
    }
}

/// Response to a CORS preflight request.
pub(super) fn preflight(grant: &AllowedOrigin) -> Response {
    cors::AGENTS.preflight(grant, METHODS)
}

/// Adds the CORS headers to a response.
pub(super) fn expose(grant: &AllowedOrigin, response: &mut Response) {
    cors::AGENTS.add(grant, response.headers_mut());
}

/// True for the host of the Developer API, with or without its port. If that host is a loopback name, all
/// loopback names are accepted.
fn is_our_host(origins: &Origins, host: &str) -> bool {
    let own = origins.base.authority();
    let bare = |authority: &str| without_port(authority).to_ascii_lowercase();
    let usual = if origins.base.is_secure() { ":443" } else { ":80" };
    let is_own = host.eq_ignore_ascii_case(own)
        || host.eq_ignore_ascii_case(without_port(own))
        || host.to_ascii_lowercase() == format!("{own}{usual}");
    is_own || (LOOPBACK_HOSTS.contains(&bare(own).as_str()) && LOOPBACK_HOSTS.contains(&bare(host).as_str()))
}

fn without_port(authority: &str) -> &str {
    match authority.rsplit_once(':') {
        Some((host, port)) if port.bytes().all(|digit| digit.is_ascii_digit()) => host,
        Some(_) | None => authority,
    }
}

fn is_known(settings: &Settings, sent: &str) -> bool {
    let origins = &settings.origins;
    let ours = [&origins.base, &origins.reader, &origins.auth].into_iter();
    let known = |origin: &Origin| origin.as_str() == sent;
    if ours.chain(&settings.accounts.mcp_origins).any(known) {
        return true;
    }
    let authority = sent.strip_prefix("http://").or_else(|| sent.strip_prefix("https://"));
    authority.is_some_and(|authority| LOOPBACK_HOSTS.contains(&without_port(authority)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use http_kit::config::Variables;

    fn settings() -> Settings {
        let pairs = [
            ("CARREL_BASE_URL", "https://api.example.org"),
            ("CARREL_READER_URL", "https://read.example.org"),
            ("CARREL_MCP_ORIGINS", "https://chat.example.com"),
        ];
        Settings::read(&mut Variables::of_pairs(pairs)).unwrap()
    }

    fn admits(host: &str, origins: &[&str]) -> bool {
        let mut request = Request::builder().header("host", host);
        for origin in origins {
            request = request.header("origin", *origin);
        }
        admit(&settings(), &request.finish()).is_some()
    }

    #[test]
    fn only_known_hosts_and_origins_are_admitted() {
        for host in ["api.example.org", "API.example.org", "api.example.org:443"] {
            assert!(admits(host, &[]), "{host}");
        }
        for host in [
            "read.example.org", "localhost", "127.0.0.1:8080", "evil.example",
            "api.example.org.evil.example", "api.example.org:8443",
        ] {
            assert!(!admits(host, &[]), "{host}");
        }
        for origin in [
            "https://api.example.org", "https://read.example.org", "https://chat.example.com",
            "http://localhost:6274", "https://localhost", "http://127.0.0.1:5173", "http://[::1]:80",
        ] {
            assert!(admits("api.example.org", &[origin]), "{origin}");
        }
        for origin in [
            "null",
            "https://evil.example",
            "http://localhost.evil.example",
            "http://127.0.0.1.evil.example:80",
            "http://localhost:80@evil.example",
            "https://chat.example.com:8443",
            "http://chat.example.com",
            "",
        ] {
            assert!(!admits("api.example.org", &[origin]), "{origin}");
        }
        assert!(!admits("api.example.org", &["http://localhost:1", "https://evil.example"]));
    }
}
