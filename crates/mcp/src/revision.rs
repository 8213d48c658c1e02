//! Supported revisions of the protocol, detection of a message's revision, and the check that headers match
//! the body.

use data_encoding::BASE64;
use poem::http::HeaderMap;
use serde_json::Value;

use super::message::{JsonRpcMessage, RpcError};

/// Header with the revision.
const VERSION: &str = "mcp-protocol-version";
/// Key of the revision in `_meta` of the newest revision.
const VERSION_KEY: &str = "io.modelcontextprotocol/protocolVersion";
/// Key of the client capabilities in `_meta`.
pub(super) const CAPABILITIES_KEY: &str = "io.modelcontextprotocol/clientCapabilities";

/// Revision of the protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Revision {
    /// 2024-11-05.
    First,
    /// 2025-03-26; the default for messages that declare no revision.
    Second,
    /// 2025-06-18.
    Third,
    /// 2025-11-25; the last revision with `initialize`.
    Fourth,
    /// 2026-07-28; stateless: every message declares its revision and capabilities.
    Newest,
}

impl Revision {
    /// All revisions, oldest first.
    pub(super) const ALL: [Self; 5] = [Self::First, Self::Second, Self::Third, Self::Fourth, Self::Newest];

    /// Name of the revision in the protocol.
    pub(super) const fn as_str(self) -> &'static str {
        match self {
            Self::First => "2024-11-05",
            Self::Second => "2025-03-26",
            Self::Third => "2025-06-18",
            Self::Fourth => "2025-11-25",
            Self::Newest => "2026-07-28",
        }
    }

    fn parse(text: &str) -> Result<Self, RpcError> {
        let revision = Self::ALL.into_iter().find(|revision| revision.as_str() == text);
        revision.ok_or_else(|| RpcError::unsupported_version(text, &Self::ALL.map(Self::as_str)))
    }

    /// Revision that `initialize` agrees on with a client that requests `requested`.
    pub(super) fn negotiate(requested: &str) -> Self {
        Self::parse(requested).ok().filter(|known| *known < Self::Newest).unwrap_or(Self::Fourth)
    }

    /// True if a client with these headers accepts events without a message. Parsers of older clients fail on
    /// them.
    pub(super) fn accepts_empty_events(headers: &HeaderMap) -> bool {
        let stated = single(headers, VERSION).ok().flatten();
        stated.and_then(|stated| Self::parse(stated).ok()).is_some_and(|revision| revision >= Self::Fourth)
    }

    /// Revision of a message.
    ///
    /// # Errors
    /// If the revision is not supported, or if headers and body do not match.
    pub(super) fn of(headers: &HeaderMap, message: &JsonRpcMessage) -> Result<Self, RpcError> {
        let sent = single(headers, VERSION)?;
        let metadata = message.params.get("_meta");
        let declared = metadata.and_then(|metadata| metadata.get(VERSION_KEY));
        if message.method == "initialize" {
            let requested = message.params.get("protocolVersion").and_then(Value::as_str);
            return handshake(declared.and_then(Value::as_str), sent, requested);
        }
        let revision = match (declared, sent) {
            (Some(Value::String(declared)), Some(sent)) if declared == sent => Self::parse(declared)?,
            (Some(Value::String(_)), _) => return Err(mismatch()),
            (Some(_), _) => return Err(missing(VERSION_KEY)),
            (None, Some(sent)) => match Self::parse(sent)? {
                Self::Newest if message.id.is_some() => return Err(missing(VERSION_KEY)),
                revision => revision,
            },
            (None, None) if message.method == "server/discover" => return Err(missing(VERSION_KEY)),
            (None, None) => Self::Second,
        };
        let says_capabilities =
            metadata.and_then(|metadata| metadata.get(CAPABILITIES_KEY)).is_some_and(Value::is_object);
        if revision == Self::Newest {
            if message.id.is_some() && !says_capabilities {
                return Err(missing(CAPABILITIES_KEY));
            }
            check_routing_headers(headers, message)?;
        }
        Ok(revision)
    }
}

/// Revision of an `initialize` message. The newest revision has no handshake; a message that declares the
/// newest revision, in `_meta` or in the header, is treated as that revision.
fn handshake(
    declared: Option<&str>,
    sent: Option<&str>,
    requested: Option<&str>,
) -> Result<Revision, RpcError> {
    let newest = Revision::Newest.as_str();
    match (sent, requested) {
        _ if declared == Some(newest) => Ok(Revision::Newest),
        (Some(sent), None) if sent == newest => Ok(Revision::Newest),
        (Some(sent), Some(requested)) if requested != sent => Err(mismatch()),
        (Some(_) | None, _) => Ok(Revision::Fourth),
    }
}

/// Checks that the routing headers match the body.
fn check_routing_headers(headers: &HeaderMap, message: &JsonRpcMessage) -> Result<(), RpcError> {
    match single(headers, "mcp-method")? {
        None => return Err(RpcError::header_mismatch("The header Mcp-Method is missing.")),
        Some(method) if method != message.method => return Err(mismatch()),
        Some(_) => {}
    }
    let Some(name) = name_of(message) else { return Ok(()) };
    match single(headers, "mcp-name")? {
        None => Err(RpcError::header_mismatch("The header Mcp-Name is missing.")),
        Some(sent) if decoded(sent).as_deref() != Some(name) => Err(mismatch()),
        Some(_) => Ok(()),
    }
}

/// Headers of a forwarded message; `negotiated` is the revision of the preceding handshake.
pub(super) fn headers_of(message: &JsonRpcMessage, negotiated: Option<&str>) -> Vec<(&'static str, String)> {
    let declared =
        message.params.get("_meta").and_then(|metadata| metadata.get(VERSION_KEY)).and_then(Value::as_str);
    let mut headers = vec![("mcp-method", message.method.clone())];
    if let Some(version) = declared.or(negotiated).filter(|_| message.method != "initialize") {
        headers.push((VERSION, version.to_owned()));
    }
    if let Some(name) = name_of(message) {
        headers.push(("mcp-name", encoded(name)));
    }
    headers
}

/// Header value of a text, base64-wrapped if it contains characters that headers do not allow.
fn encoded(text: &str) -> String {
    let is_plain = text.bytes().all(|byte| (0x20..0x7f).contains(&byte)) && text.trim() == text;
    if is_plain && decoded(text).as_deref() == Some(text) {
        return text.to_owned();
    }
    format!("=?base64?{}?=", BASE64.encode(text.as_bytes()))
}

/// Name of the tool or prompt, URI of the resource, or id of the task, that a message refers to.
fn name_of(message: &JsonRpcMessage) -> Option<&str> {
    let member = match message.method.as_str() {
        "tools/call" | "prompts/get" => "name",
        "resources/read" => "uri",
        "tasks/get" | "tasks/update" | "tasks/cancel" => "taskId",
        _ => return None,
    };
    message.params.get(member)?.as_str()
}

/// Decodes a header value, which may be written as `=?base64?…?=`.
fn decoded(sent: &str) -> Option<String> {
    let wrapped = sent.strip_prefix("=?base64?").and_then(|rest| rest.strip_suffix("?="));
    match wrapped {
        None => Some(sent.to_owned()),
        Some(text) => String::from_utf8(BASE64.decode(text.as_bytes()).ok()?).ok(),
    }
}

/// Value of a header that must not be repeated.
fn single<'a>(headers: &'a HeaderMap, name: &str) -> Result<Option<&'a str>, RpcError> {
    let mut values = headers.get_all(name).iter();
    match (values.next(), values.next()) {
        (None, _) => Ok(None),
        (Some(value), None) => value
            .to_str()
            .map(Some)
            .map_err(|_| RpcError::header_mismatch(format!("The header {name} is invalid."))),
        (Some(_), Some(_)) => {
            Err(RpcError::header_mismatch(format!("The header {name} was sent more than once.")))
        }
    }
}

fn mismatch() -> RpcError {
    RpcError::header_mismatch("Headers and body do not match.")
}

fn missing(key: &str) -> RpcError {
    RpcError::missing_metadata(format!("`_meta` does not contain {key}."))
}

#[cfg(test)]
mod tests {
    use poem::http::HeaderName;
    use serde_json::json;

    use super::*;

    fn of(headers: &[(&'static str, &str)], body: &Value) -> Result<Revision, i64> {
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.append(*name, value.parse().unwrap());
        }
        let mut body = body.clone();
        body["jsonrpc"] = "2.0".into();
        let message = crate::message::parse(body.to_string().as_bytes()).unwrap();
        let code = |error: RpcError| error.answer(None)["error"]["code"].as_i64().unwrap();
        Revision::of(&map, &message).map_err(code)
    }

    fn newest(method: &str, name: &str) -> Value {
        json!({"id": 1, "method": method, "params": {"name": name, "_meta": {
            VERSION_KEY: "2026-07-28", CAPABILITIES_KEY: {},
        }}})
    }

    #[test]
    fn older_revision_is_read_from_the_header_or_defaults() {
        let list = json!({"id": 1, "method": "tools/list"});
        assert_eq!(of(&[], &list), Ok(Revision::Second));
        assert_eq!(of(&[(VERSION, "2025-11-25")], &list), Ok(Revision::Fourth));
        assert_eq!(of(&[(VERSION, "2031-01-01")], &list), Err(-32022));
        assert_eq!(of(&[(VERSION, "2025-11-25"), (VERSION, "2025-11-25")], &list), Err(-32020));
        assert_eq!(of(&[(VERSION, "2026-07-28")], &list), Err(-32602));
        assert_eq!(of(&[], &json!({"id": 1, "method": "server/discover"})), Err(-32602));
    }

    #[test]
    fn empty_events_are_accepted_since_the_fourth_revision() {
        let accepts = |version: &str| {
            Revision::accepts_empty_events(&HeaderMap::from_iter([(
                HeaderName::from_static(VERSION),
                version.parse().unwrap(),
            )]))
        };
        assert!(accepts("2025-11-25") && !accepts("2025-06-18") && !accepts("2031-01-01"));
        assert!(!Revision::accepts_empty_events(&HeaderMap::new()));
    }

    #[test]
    fn newest_revision_requires_matching_headers() {
        let call = newest("tools/call", "read_article");
        let headers =
            |name: &'static str| [(VERSION, "2026-07-28"), ("mcp-method", "tools/call"), ("mcp-name", name)];
        assert_eq!(of(&headers("read_article"), &call), Ok(Revision::Newest));
        assert_eq!(of(&headers("=?base64?cmVhZF9hcnRpY2xl?="), &call), Ok(Revision::Newest));
        assert_eq!(of(&headers("delete_note"), &call), Err(-32020));
        assert_eq!(of(&headers("=?base64?!?="), &call), Err(-32020));
        assert_eq!(of(&headers("read_article")[..2], &call), Err(-32020));
        assert_eq!(of(&headers("read_article")[..1], &call), Err(-32020));
        assert_eq!(of(&headers("read_article")[1..], &call), Err(-32020));
        let twice = [&headers("read_article")[..], &[("mcp-name", "delete_note")]].concat();
        assert_eq!(of(&twice, &call), Err(-32020));
        let mut bare = call.clone();
        bare["params"]["_meta"] = json!({ VERSION_KEY: "2026-07-28" });
        assert_eq!(of(&headers("read_article"), &bare), Err(-32602));
    }

    #[test]
    fn forwarded_headers_match_the_body() {
        for name in ["read_article", " spaced", "äöü", "=?base64?eA==?=", "a\nb", ""] {
            let mut call = newest("tools/call", name);
            call["jsonrpc"] = "2.0".into();
            let message = crate::message::parse(call.to_string().as_bytes()).unwrap();
            let headers = headers_of(&message, Some("2025-06-18"));
            let headers: Vec<(&'static str, &str)> =
                headers.iter().map(|(name, value)| (*name, value.as_str())).collect();
            assert_eq!(of(&headers, &call), Ok(Revision::Newest), "{name}");
        }
    }

    #[test]
    fn initialize_negotiates_a_supported_revision() {
        assert_eq!(Revision::negotiate("2025-03-26"), Revision::Second);
        assert_eq!(Revision::negotiate("2026-07-28"), Revision::Fourth);
        assert_eq!(Revision::negotiate("1999-01-01"), Revision::Fourth);
        let begin = json!({"id": 1, "method": "initialize", "params": {"protocolVersion": "2025-06-18"}});
        assert_eq!(of(&[(VERSION, "2024-11-05")], &begin), Err(-32020));
        assert_eq!(of(&[(VERSION, "2025-06-18")], &begin), Ok(Revision::Fourth));
    }

    #[test]
    fn newest_revision_has_no_handshake() {
        let declared =
            json!({"id": 1, "method": "initialize", "params": {"_meta": {VERSION_KEY: "2026-07-28"}}});
        assert_eq!(of(&[(VERSION, "2026-07-28")], &declared), Ok(Revision::Newest));
        assert_eq!(of(&[], &declared), Ok(Revision::Newest));
        let bare = json!({"id": 1, "method": "initialize"});
        assert_eq!(of(&[(VERSION, "2026-07-28")], &bare), Ok(Revision::Newest));
        let older = json!({"id": 1, "method": "initialize", "params": {"protocolVersion": "2026-07-28"}});
        assert_eq!(of(&[], &older), Ok(Revision::Fourth), "a client of an unknown version may fall back");
    }
}
