//! Settings of the requests of a page. Headers and credentials are sent only to the origin of its URL, and only by
//! documents of this origin: not to other origins from which the page loads files, not after a redirect to another
//! origin, and not for frames of other origins.

use data_encoding::BASE64;
use fetch::{CookieState, RequestHeader, Url};
use serde_json::{Value, json};

/// Minimum number of characters of a cookie's value that is masked. Shorter values are often words, such as `dark`.
const MIN_MASKED_COOKIE_CHARS: usize = 8;

/// Settings of the requests of a page.
#[derive(Debug, Clone, Default)]
pub struct PageRequestSettings {
    /// Headers for the origin of the page. They replace those of the browser.
    pub headers: Vec<RequestHeader>,
    /// Header with credentials for the origin of the page. A header `Cookie` becomes cookies that scripts cannot read.
    /// Secrets are masked in the document.
    pub credentials: Option<RequestHeader>,
    /// Replaces the user agent of the browser.
    pub user_agent: Option<String>,
    /// Cookies of earlier pages. `None` starts without cookies and returns none.
    pub cookies: Option<CookieState>,
}

impl PageRequestSettings {
    /// Names and values of the cookies of the credentials.
    pub(crate) fn own_cookies(&self) -> Vec<(&str, &str)> {
        let Some(header) = self.credentials.as_ref().filter(|header| is_cookie(header)) else {
            return Vec::new();
        };
        let texts = header.value.split(';').map(str::trim).filter(|text| !text.is_empty());
        let pairs = texts.map(|text| text.split_once('=').unwrap_or(("", text)));
        pairs.map(|(name, value)| (name.trim(), value.trim())).collect()
    }

    /// Texts that are masked in the document.
    pub(crate) fn secret_texts(&self) -> Vec<String> {
        let Some(header) = &self.credentials else { return Vec::new() };
        if is_cookie(header) {
            let is_masked = |value: &str| value.chars().count() >= MIN_MASKED_COOKIE_CHARS;
            let values = self.own_cookies().into_iter().map(|(_, value)| value);
            return values.filter(|value| is_masked(value)).map(str::to_owned).collect();
        }
        let mut texts = vec![header.value.clone()];
        if !header.name.eq_ignore_ascii_case("authorization") {
            return texts;
        }
        let (scheme, token) = header.value.split_once(' ').unwrap_or_default();
        let login = BASE64.decode(token.as_bytes()).ok().filter(|_| scheme.eq_ignore_ascii_case("basic"));
        let login = login.and_then(|login| String::from_utf8(login).ok());
        let password = login.and_then(|login| login.split_once(':').map(|(_, password)| password.to_owned()));
        texts.extend(password);
        texts.push(token.to_owned());
        texts
    }
}

/// Origin of a page, and the headers for it.
pub(crate) struct OwnOrigin {
    url: Option<Url>,
    headers: Vec<RequestHeader>,
    pub(crate) user_agent: Option<String>,
}

/// Relation of a request to the origin of the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RequestOrigin {
    Own,
    /// Another origin, to which a server of the page's origin redirected.
    Left,
    Other,
}

impl OwnOrigin {
    pub(crate) fn of(url: &str, settings: &PageRequestSettings) -> Self {
        let credentials = settings.credentials.iter().filter(|header| !is_cookie(header));
        Self {
            url: Url::parse(url).ok(),
            headers: settings.headers.iter().chain(credentials).cloned().collect(),
            user_agent: settings.user_agent.clone(),
        }
    }

    /// True if requests to `url` from documents of the page's origin get the headers.
    pub(crate) fn has_headers_for(&self, url: &str) -> bool {
        let Some(own) = self.url.as_ref().filter(|_| !self.headers.is_empty()) else { return false };
        Url::parse(url).is_ok_and(|url| url.origin() == own.origin())
    }

    /// Parameters of `Fetch.continueRequest` for a paused request. A request that was redirected to another origin is
    /// restarted without the headers, because not every browser removes them after a redirect.
    pub(crate) fn continuation(&self, paused: &Value, origin: RequestOrigin) -> Value {
        let mut parameters = json!({ "requestId": paused.get("requestId") });
        let own: &[RequestHeader] = match origin {
            RequestOrigin::Other => return parameters,
            RequestOrigin::Own => &self.headers,
            RequestOrigin::Left => {
                parameters["url"] = json!(paused.pointer("/request/url"));
                &[]
            }
        };
        let sent = paused.pointer("/request/headers").and_then(Value::as_object);
        let is_retained = |name: &str| {
            // The browser adds the cookies of the new URL.
            !name.eq_ignore_ascii_case("cookie")
                && !self.headers.iter().any(|header| header.name.eq_ignore_ascii_case(name))
        };
        let sent = sent.into_iter().flatten().filter(|(name, _)| is_retained(name));
        let sent = sent.map(|(name, value)| json!({ "name": name, "value": value }));
        let own = own.iter().map(|header| json!({ "name": header.name, "value": header.value }));
        parameters["headers"] = sent.chain(own).collect();
        parameters
    }
}

fn is_cookie(header: &RequestHeader) -> bool {
    header.name.eq_ignore_ascii_case("cookie")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header(name: &str, value: &str) -> RequestHeader {
        RequestHeader { name: name.to_owned(), value: value.to_owned() }
    }

    fn with_credentials(name: &str, value: &str) -> PageRequestSettings {
        PageRequestSettings { credentials: Some(header(name, value)), ..PageRequestSettings::default() }
    }

    #[test]
    fn headers_are_added_for_the_origin_of_the_page_and_removed_after_a_redirect_to_another() {
        let settings = PageRequestSettings {
            headers: vec![header("Accept-Language", "de")],
            ..with_credentials("Authorization", "Bearer opened")
        };
        let own = OwnOrigin::of("https://a.example/page", &settings);
        for (url, expected) in [
            ("https://a.example:443/other", true),
            ("https://a.example:8443/", false),
            ("http://a.example/", false),
            ("https://b.a.example/", false),
            ("data:text/plain,a", false),
        ] {
            assert_eq!(own.has_headers_for(url), expected, "{url}");
        }
        let paused = json!({ "requestId": "1", "request": { "url": "https://a.example/x",
            "headers": { "accept-language": "en", "Accept": "*/*", "Cookie": "a=b" } } });
        let continuation = |origin| own.continuation(&paused, origin);
        let accept = json!({ "name": "Accept", "value": "*/*" });
        let language = json!({ "name": "Accept-Language", "value": "de" });
        let credentials = json!({ "name": "Authorization", "value": "Bearer opened" });
        let expected = json!({ "requestId": "1", "headers": [accept, language, credentials] });
        assert_eq!(continuation(RequestOrigin::Own), expected);
        let left = json!({ "requestId": "1", "url": "https://a.example/x", "headers": [accept] });
        assert_eq!(continuation(RequestOrigin::Left), left);
        assert_eq!(continuation(RequestOrigin::Other), json!({ "requestId": "1" }));
        let plain = OwnOrigin::of("https://a.example/page", &PageRequestSettings::default());
        assert!(!plain.has_headers_for("https://a.example/page"));
    }

    #[test]
    fn cookies_of_credentials_are_not_sent_as_a_header() {
        let settings = with_credentials("cookie", "id=12345678; theme=dark;token");
        assert_eq!(settings.own_cookies(), [("id", "12345678"), ("theme", "dark"), ("", "token")]);
        assert!(!OwnOrigin::of("https://a.example/", &settings).has_headers_for("https://a.example/"));
        assert_eq!(settings.secret_texts(), ["12345678"]);
        assert!(with_credentials("X-Key", "id=1").own_cookies().is_empty());
    }

    #[test]
    fn secrets_of_credentials_are_masked() {
        let login = format!("Basic {}", BASE64.encode(b"ada:oil:lamp"));
        let texts = with_credentials("Authorization", &login).secret_texts();
        assert_eq!(texts, [login.as_str(), "oil:lamp", login.strip_prefix("Basic ").unwrap()]);
        let bearer = with_credentials("authorization", "Bearer YTpsYW1w").secret_texts();
        assert_eq!(bearer, ["Bearer YTpsYW1w", "YTpsYW1w"]);
        assert_eq!(with_credentials("X-Key", "brass lamp").secret_texts(), ["brass lamp"]);
        assert!(!format!("{:?}", with_credentials("X-Key", "brass lamp")).contains("lamp"));
    }
}
