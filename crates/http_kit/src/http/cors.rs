//! Cross-origin requests: whose scripts may call a surface, what they may send, and what they may read.

use poem::http::{HeaderMap, HeaderValue, StatusCode, header};
use poem::{IntoResponse, Request, Response};

use crate::config::Origin;

/// A day, in seconds.
pub const A_DAY: &str = "86400";

/// What the scripts of a surface may send and read.
#[derive(Debug, Clone, Copy)]
pub struct Cors {
    /// Headers that may be sent.
    pub allowed: &'static str,
    /// Headers that may be read.
    pub exposed: &'static str,
    /// How long a browser keeps what a preflight said, in seconds.
    pub kept_s: &'static str,
}

/// Whose scripts may read an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Grant {
    /// Those of any origin: nothing in the answer is anybody's own.
    Anyone,
    /// Those of the origin that sent the request.
    Sender(HeaderValue),
    /// Those of our own pages alone.
    Nobody,
}

impl Grant {
    /// What the sender of a request gets from a surface that lets these origins in.
    pub fn listed(request: &Request, origins: &[Origin]) -> Self {
        let sent = request.header(header::ORIGIN);
        let known = sent.filter(|sent| origins.iter().any(|origin| origin.as_str() == *sent));
        known.and_then(|known| HeaderValue::from_str(known).ok()).map_or(Self::Nobody, Self::Sender)
    }
}

impl Cors {
    /// The answer to a browser that asks beforehand.
    pub fn preflight(self, grant: &Grant, methods: &'static str) -> Response {
        let mut response = StatusCode::NO_CONTENT.into_response();
        let headers = response.headers_mut();
        if *grant != Grant::Nobody {
            headers.insert(header::ACCESS_CONTROL_ALLOW_METHODS, HeaderValue::from_static(methods));
            headers.insert(header::ACCESS_CONTROL_ALLOW_HEADERS, HeaderValue::from_static(self.allowed));
            headers.insert(header::ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static(self.kept_s));
        }
        self.add(grant, headers);
        response
    }

    /// Lets scripts read an answer.
    pub fn add(self, grant: &Grant, headers: &mut HeaderMap) {
        let origin = match grant {
            Grant::Anyone => Some(HeaderValue::from_static("*")),
            Grant::Sender(origin) => Some(origin.clone()),
            Grant::Nobody => None,
        };
        if *grant != Grant::Anyone {
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

/// A document that scripts of any origin may read, with the headers that they may read anyway.
pub const DOCUMENT: Cors = Cors { allowed: "", exposed: "", kept_s: A_DAY };

/// What agents that run in a browser may send and read, of the authorization server and of what they call with its tokens.
pub const AGENTS: Cors = Cors {
    allowed: "Authorization, Content-Type, Accept, MCP-Protocol-Version, Mcp-Method, Mcp-Name, Mcp-Session-Id, \
        Last-Event-ID, X-API-Key",
    exposed: "WWW-Authenticate, MCP-Protocol-Version, Retry-After, X-Request-Id",
    kept_s: "3600",
};
