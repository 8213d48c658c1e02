//! Cookies of a page: those with which it starts, and those that are stored for the next page.

use fetch::{Cookie, CookieState, StoredCookies, Url};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::error::RenderError;
use crate::pipe::{COMMAND_TIMEOUT, CommandError, Pipe};
use crate::request_settings::PageRequestSettings;

/// Cookie, as the browser returns it.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct BrowserCookie {
    name: String,
    value: String,
    /// Begins with a dot if subdomains receive the cookie.
    domain: String,
    path: String,
    /// Seconds since the Unix epoch.
    #[serde(default)]
    expires: f64,
    #[serde(default)]
    http_only: bool,
    #[serde(default)]
    secure: bool,
    #[serde(default)]
    session: bool,
    /// Site of the top document to which the cookie is restricted.
    #[serde(default)]
    partition_key: Value,
}

impl BrowserCookie {
    fn into_cookie(self) -> Option<Cookie> {
        if !self.partition_key.is_null() {
            return None;
        }
        #[expect(clippy::cast_possible_truncation, reason = "seconds, and the conversion saturates")]
        let expires_at = (!self.session && self.expires > 0.0).then_some(self.expires as i64);
        let domain = self.domain.strip_prefix('.');
        Some(Cookie {
            is_for_subdomains: domain.is_some(),
            domain: domain.unwrap_or(&self.domain).to_owned(),
            name: self.name,
            value: self.value,
            path: self.path,
            is_secure: self.secure,
            is_http_only: self.http_only,
            expires_at,
        })
    }
}

/// Sets the cookies with which a page starts: those of earlier pages, and then those of its credentials.
///
/// # Errors
/// If the browser does not accept a cookie of the credentials.
pub(crate) async fn set(
    pipe: &Pipe,
    context: &str,
    (page_url, settings): (&str, &PageRequestSettings),
) -> Result<(), RenderError> {
    for cookie in settings.cookies.iter().flat_map(CookieState::cookies) {
        match set_one(pipe, context, stored_cookie(&cookie)).await {
            Ok(()) => {}
            Err(CommandError::Refused(_)) => {
                tracing::warn!(?cookie, "the browser does not accept a stored cookie");
            }
            Err(error) => return Err(error.into()),
        }
    }
    let Ok(url) = Url::parse(page_url) else { return Ok(()) };
    for (name, value) in settings.own_cookies() {
        match set_one(pipe, context, own_cookie(&url, name, value)).await {
            Ok(()) => {}
            Err(CommandError::Refused(_)) => {
                let reason = format!("it does not accept the cookie {name}");
                return Err(RenderError::Load { reason: reason.chars().take(100).collect() });
            }
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}

async fn set_one(pipe: &Pipe, context: &str, cookie: Value) -> Result<(), CommandError> {
    let params = json!({ "cookies": [cookie], "browserContextId": context });
    pipe.call(None, "Storage.setCookies", params, COMMAND_TIMEOUT).await.map(drop)
}

/// Cookie of earlier pages. Without a domain, it is only for the host of its URL.
fn stored_cookie(cookie: &Cookie) -> Value {
    let scheme = if cookie.is_secure { "https" } else { "http" };
    let mut params = json!({
        "name": cookie.name,
        "value": cookie.value,
        "url": format!("{scheme}://{}/", cookie.domain),
        "path": cookie.path,
        "secure": cookie.is_secure,
        "httpOnly": cookie.is_http_only,
    });
    if cookie.is_for_subdomains {
        params["domain"] = json!(format!(".{}", cookie.domain));
    }
    if let Some(at) = cookie.expires_at {
        params["expires"] = json!(at);
    }
    params
}

/// Cookie of the credentials, for the host of the page. Scripts cannot read it.
fn own_cookie(url: &Url, name: &str, value: &str) -> Value {
    let origin = url.origin().ascii_serialization();
    json!({
        "name": name,
        "value": value,
        "url": format!("{origin}/"),
        "path": "/",
        "secure": url.scheme() == "https",
        "httpOnly": true,
    })
}

/// Returns the cookies that the host of the page receives. `None` if they are not stored.
///
/// # Errors
/// If the browser does not respond.
pub(crate) async fn read(
    pipe: &Pipe,
    context: &str,
    (page_url, settings): (&str, &PageRequestSettings),
) -> Result<Option<StoredCookies>, RenderError> {
    let Some(url) = settings.cookies.as_ref().and_then(|_| Url::parse(page_url).ok()) else {
        return Ok(None);
    };
    let params = json!({ "browserContextId": context });
    let mut result = pipe.call(None, "Storage.getCookies", params, COMMAND_TIMEOUT).await?;
    let cookies = result.get_mut("cookies").map(Value::take).unwrap_or_default();
    let unreadable = |_| RenderError::Browser { reason: "its cookies cannot be read".to_owned() };
    let cookies: Vec<BrowserCookie> = serde_json::from_value(cookies).map_err(unreadable)?;
    let own: Vec<(&str, &str)> = settings.own_cookies();
    let is_stored = |cookie: &Cookie| {
        // The credentials are stored with the monitor.
        cookie.is_for_host_of(&url) && !own.contains(&(cookie.name.as_str(), cookie.value.as_str()))
    };
    let cookies = cookies.into_iter().filter_map(BrowserCookie::into_cookie).filter(is_stored);
    Ok(Some(StoredCookies::of(cookies)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cookie(value: Value) -> Option<Cookie> {
        serde_json::from_value::<BrowserCookie>(value).unwrap().into_cookie()
    }

    #[test]
    fn browser_cookie_is_restored_unchanged() {
        let returned = json!({ "name": "id", "value": "1", "domain": ".a.example", "path": "/x", "expires": 1_900_000_000.5,
            "size": 3, "httpOnly": true, "secure": true, "session": false, "priority": "Medium" });
        let set = stored_cookie(&cookie(returned.clone()).unwrap());
        let expected = json!({ "name": "id", "value": "1", "url": "https://a.example/", "domain": ".a.example",
            "path": "/x", "expires": 1_900_000_000, "httpOnly": true, "secure": true });
        assert_eq!(set, expected);
        let of_host = json!({ "name": "id", "value": "1", "domain": "a.example", "path": "/", "expires": -1, "session": true });
        let set = stored_cookie(&cookie(of_host).unwrap());
        assert_eq!(
            (&set["url"], set.get("domain"), set.get("expires")),
            (&json!("http://a.example/"), None, None)
        );
        let mut partitioned = returned;
        partitioned["partitionKey"] =
            json!({ "topLevelSite": "https://b.example", "hasCrossSiteAncestor": true });
        assert_eq!(cookie(partitioned), None);
    }

    #[test]
    fn cookie_of_credentials_is_hidden_from_scripts_and_other_hosts() {
        let url = Url::parse("https://a.example:8443/page?x").unwrap();
        let expected = json!({ "name": "id", "value": "1", "url": "https://a.example:8443/", "path": "/",
            "secure": true, "httpOnly": true });
        assert_eq!(own_cookie(&url, "id", "1"), expected);
    }
}
