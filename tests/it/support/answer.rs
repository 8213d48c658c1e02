//! Completely read HTTP answer, with accessors and assertions for tests.

use reqwest::header::HeaderMap;
use serde_json::Value;

#[derive(Debug, Clone)]
pub(crate) struct HttpAnswer {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Vec<u8>,
}

impl HttpAnswer {
    pub(crate) async fn of(response: reqwest::Response) -> Self {
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        let body = response.bytes().await.expect("the response is received completely").to_vec();
        for cookie in headers.get_all("set-cookie").iter().filter_map(|value| value.to_str().ok()) {
            let value =
                cookie.split(';').next().and_then(|pair| pair.split_once('=')).map_or("", |(_, value)| value);
            if value.len() >= 20 {
                super::secret_scan::record_secret(value);
            }
        }
        Self { status, headers, body }
    }

    /// Returns the value of a header. Empty if the header is missing.
    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().expect("the header is text"))
    }

    /// Returns all values of a header.
    pub(crate) fn header_lines(&self, name: &str) -> Vec<&str> {
        self.headers.get_all(name).iter().map(|value| value.to_str().expect("the header is text")).collect()
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8(self.body.clone()).expect("the body is UTF-8")
    }

    pub(crate) fn json(&self) -> Value {
        let text = self.text();
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {} {text}", self.status))
    }

    /// Asserts the status and returns the answer.
    #[track_caller]
    pub(crate) fn expect(self, status: u16) -> Self {
        assert_eq!(self.status, status, "{:?}\n{}", self.headers, String::from_utf8_lossy(&self.body));
        self
    }

    /// Asserts an `application/problem+json` response with this status and code. Returns the body.
    #[track_caller]
    pub(crate) fn problem(&self, status: u16, code: &str) -> Value {
        let text = String::from_utf8_lossy(&self.body);
        assert_eq!(self.status, status, "{text}");
        assert_eq!(self.header("content-type"), "application/problem+json", "{text}");
        let body = self.json();
        assert_eq!(body["code"], code, "{body}");
        assert_eq!(body["status"], status, "{body}");
        for field in ["type", "title", "detail", "resolution", "request_id"] {
            assert!(
                body[field].as_str().is_some_and(|text| !text.is_empty()),
                "{field} is missing in {body}"
            );
        }
        assert_eq!(body["request_id"], self.header("x-request-id"));
        match body.get("retry_after") {
            Some(seconds) => assert_eq!(self.header("retry-after"), seconds.to_string()),
            None => assert_eq!(self.header("retry-after"), ""),
        }
        body
    }

    /// Returns the target of the `Link` header with this relation. `None` if there is no such link.
    pub(crate) fn link(&self, relation: &str) -> Option<String> {
        let suffix = format!("rel=\"{relation}\"");
        let line = self.header_lines("link").into_iter().find(|line| line.ends_with(&suffix))?;
        Some(line.split_once('<')?.1.split_once('>')?.0.to_owned())
    }

    /// Returns the remaining requests of a policy and the seconds until it is fully restored, from the
    /// `RateLimit` header.
    #[track_caller]
    pub(crate) fn rate_limit(&self, policy: &str) -> (u32, u32) {
        let field = self.header("ratelimit");
        let item = field.split(", ").find(|item| item.starts_with(&format!("\"{policy}\""))).expect(field);
        let number =
            |name: &str| item.split(';').find_map(|part| part.strip_prefix(name)).unwrap().parse().unwrap();
        (number("r="), number("t="))
    }
}
