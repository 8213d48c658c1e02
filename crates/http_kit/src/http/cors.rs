//! Cross-origin requests: which origins may call a surface, and which headers they may send and read.

use poem::http::{HeaderMap, HeaderValue, StatusCode, header};
use poem::{IntoResponse, Request, Response};

use crate::config::Origin;

/// One day, in seconds.
pub const A_DAY: &str = "86400";

/// CORS headers of a surface.
#[derive(Debug, Clone, Copy)]
pub struct Cors {
    /// Request headers that scripts may send.
    pub allowed: &'static str,
    /// Response headers that scripts may read.
    pub exposed: &'static str,
    /// Lifetime of a preflight response in the browser's cache, in seconds.
    pub max_age_s: &'static str,
}

/// Origins whose scripts may read a response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AllowedOrigin {
    /// Any origin, because the response contains nothing private.
    Anyone,
    /// The origin that sent the request.
    Sender(HeaderValue),
    /// Same-origin pages only. No CORS headers are sent.
    SameOrigin,
}

impl AllowedOrigin {
    /// Allows the sender of the request if its origin is in `origins`.
    pub fn from_list(request: &Request, origins: &[Origin]) -> Self {
        let sender = request.header(header::ORIGIN);
        let allowed = sender.filter(|sender| origins.iter().any(|origin| origin.as_str() == *sender));
        allowed.and_then(|origin| HeaderValue::from_str(origin).ok()).map_or(Self::SameOrigin, Self::Sender)
    }
}

impl Cors {
    /// Returns the response to a preflight request.
    pub fn preflight(self, grant: &AllowedOrigin, methods: &'static str) -> Response {
        let mut response = StatusCode::NO_CONTENT.into_response();
        let headers = response.headers_mut();
        if *grant != AllowedOrigin::SameOrigin {
            headers.insert(header::ACCESS_CONTROL_ALLOW_METHODS, HeaderValue::from_static(methods));
            headers.insert(header::ACCESS_CONTROL_ALLOW_HEADERS, HeaderValue::from_static(self.allowed));
            headers.insert(header::ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static(self.max_age_s));
        }
        self.add(grant, headers);
        response
    }

    /// Adds the CORS headers to a response.
    pub fn add(self, grant: &AllowedOrigin, headers: &mut HeaderMap) {
        let origin = match grant {
            AllowedOrigin::Anyone => Some(HeaderValue::from_static("*")),
            AllowedOrigin::Sender(origin) => Some(origin.clone()),
            AllowedOrigin::SameOrigin => None,
        };
        if *grant != AllowedOrigin::Anyone {
            headers.append(header::VARY, HeaderValue::from_static("Origin"));
        }
        let Some(origin) = origin else { return };
        headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
        if !self.exposed.is_empty() {
            let exposed = HeaderValue::from_static(self.exposed);
            headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, exposed);
        }
    }
}

/// CORS headers of public documents: no extra headers.
pub const DOCUMENT: Cors = Cors { allowed: "", exposed: "", max_age_s: A_DAY };

/// CORS headers for agents that run in a browser, at the authorization server and at the endpoints that they
/// call with its tokens.
pub const AGENTS: Cors = Cors {
    allowed: "Authorization, Content-Type, Accept, MCP-Protocol-Version, Mcp-Method, Mcp-Name, Mcp-Session-Id, \
        Last-Event-ID, X-API-Key",
    exposed: "WWW-Authenticate, MCP-Protocol-Version, Retry-After, X-Request-Id",
    max_age_s: "3600",
};
