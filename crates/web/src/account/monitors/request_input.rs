//! Form fields of a monitor's request and credentials. Typed secrets are never displayed again.

use kernel::{Code, Error, FieldPath};
use maud::{Markup, html};
use monitors::{CustomHeader, PostMethod, RequestSettings};
use serde_json::{Value, json};

use super::text_fields::{area, line};
use crate::language::text::Text;
use crate::page::form::{Form, FormError, FormField};

/// Form value that keeps the stored credentials.
const KEEP: &str = "keep";

/// Checkboxes of the form.
#[derive(Default)]
struct RequestFlags {
    post: bool,
    any_status: bool,
    cookies: bool,
}

/// Form values as typed.
#[derive(Default)]
pub(super) struct RequestInput {
    body: String,
    content_type: String,
    /// Method of a request with a body. Empty for the default.
    method: String,
    user_agent: String,
    /// Name of a proxy. Empty for a direct request.
    proxy: String,
    /// One header per line, as `Name: value`.
    headers: String,
    flags: RequestFlags,
    /// Kind of the credentials. [`KEEP`] for the stored credentials.
    credentials: String,
    /// User name, or name of the header.
    credential_name: String,
    /// Password, token, or value of the header.
    credential_secret: String,
    pub(super) has_stored_credentials: bool,
}

impl RequestInput {
    /// Reads the values of a submitted form.
    pub(super) fn of(form: &Form) -> Self {
        let text = |name: &str| form.get(name).trim().to_owned();
        Self {
            body: form.get("body").to_owned(),
            content_type: text("contentType"),
            method: text("method"),
            user_agent: text("userAgent"),
            proxy: text("proxy"),
            headers: text("headers"),
            flags: RequestFlags {
                post: form.get("post") == "1",
                any_status: form.get("anyStatus") == "1",
                cookies: form.get("cookies") == "1",
            },
            credentials: text("credentials"),
            credential_name: text("credentialName"),
            credential_secret: form.get("credentialSecret").to_owned(),
            has_stored_credentials: false,
        }
    }

    /// Returns the values of an existing monitor.
    pub(super) fn of_settings(request: &RequestSettings) -> Self {
        let header = |header: &CustomHeader| format!("{}: {}", header.name, header.value);
        let post = request.post.as_ref();
        let has_stored_credentials = request.credential_kind().is_some();
        Self {
            body: post.map(|post| post.body.clone()).unwrap_or_default(),
            content_type: post.map(|post| post.content_type.clone()).unwrap_or_default(),
            method: post.map(|post| post.method.as_str().to_owned()).unwrap_or_default(),
            user_agent: request.user_agent.clone().unwrap_or_default(),
            proxy: request.proxy.clone().unwrap_or_default(),
            headers: request.headers.iter().map(header).collect::<Vec<_>>().join("\n"),
            flags: RequestFlags {
                post: post.is_some(),
                any_status: request.any_status,
                cookies: request.cookies,
            },
            credentials: if has_stored_credentials { KEEP.to_owned() } else { String::new() },
            has_stored_credentials,
            ..Self::default()
        }
    }

    /// Returns true if any setting differs from a plain `GET`.
    fn is_set(&self) -> bool {
        let has_credentials = !matches!(self.credentials.as_str(), "" | "none");
        let texts = [&self.user_agent, &self.proxy, &self.headers];
        let has_texts = texts.into_iter().any(|text| !text.is_empty());
        self.flags.post || self.flags.any_status || self.flags.cookies || has_credentials || has_texts
    }

    /// Returns true if credentials are selected but their secret was not typed.
    pub(super) fn lacks_secret(&self) -> bool {
        matches!(self.credentials.as_str(), "basic" | "bearer" | "header")
            && self.credential_secret.is_empty()
    }

    /// Returns true if the stored credentials are selected.
    pub(super) fn keeps_credentials(&self) -> bool {
        self.has_stored_credentials && self.credentials == KEEP
    }

    /// Returns the request settings for the API. Empty fields are omitted.
    pub(super) fn settings(&self) -> Result<Value, Error> {
        let header = |line: &str| {
            let Some((name, value)) = line.split_once(':') else {
                let message = "Enter each header as: Name: value.";
                let path = FieldPath::of_pointer("/request/headers");
                return Err(Error::new(Code::InvalidRequest, message).at(path, message));
            };
            Ok(json!({ "name": name.trim(), "value": value.trim() }))
        };
        let lines = self.headers.lines().map(str::trim).filter(|line| !line.is_empty());
        let headers = lines.map(header).collect::<Result<Vec<_>, Error>>()?;
        let mut request =
            json!({ "headers": headers, "anyStatus": self.flags.any_status, "cookies": self.flags.cookies });
        if !self.user_agent.is_empty() {
            request["userAgent"] = json!(self.user_agent);
        }
        if !self.proxy.is_empty() {
            request["proxy"] = json!(self.proxy);
        }
        if self.flags.post {
            request["post"] = json!({ "body": self.body });
            if !self.method.is_empty() {
                request["post"]["method"] = json!(self.method);
            }
            if !self.content_type.is_empty() {
                request["post"]["contentType"] = json!(self.content_type);
            }
        }
        Ok(request)
    }

    /// Returns the credentials for the API. `None` leaves the stored credentials unchanged.
    pub(super) fn credentials(&self) -> Option<Value> {
        let (name, secret) = (&self.credential_name, &self.credential_secret);
        match self.credentials.as_str() {
            "basic" => Some(json!({ "basic": { "username": name, "password": secret } })),
            "bearer" => Some(json!({ "bearer": secret })),
            "header" => Some(json!({ "header": { "name": name, "value": secret } })),
            "none" => Some(json!({ "remove": true })),
            _ => None,
        }
    }
}

/// Kinds of credentials: form value and label. [`KEEP`] is offered only if credentials are stored.
const CREDENTIALS: [(&str, Text); 5] = [
    (KEEP, Text("credentials-keep")),
    ("none", Text("credentials-none")),
    ("basic", Text("credentials-basic")),
    ("bearer", Text("credentials-bearer")),
    ("header", Text("credentials-header")),
];

/// Renders the field that selects one of the operator's proxies. Empty if there are none. A removed proxy stays
/// selected until another proxy is chosen.
fn proxy_field(input: &RequestInput, proxies: &[&str], form_error: &FormError) -> Markup {
    let chosen = input.proxy.as_str();
    let is_removed = !chosen.is_empty() && !proxies.contains(&chosen);
    html! {
        @if is_removed || !proxies.is_empty() {
            div {
                label for="proxy" { (Text("request-proxy")) }
                select #proxy name="proxy" {
                    option value="" selected[chosen.is_empty()] { (Text("credentials-none")) }
                    @for name in proxies { option value=(name) selected[chosen == *name] { (name) } }
                    @if is_removed { option value=(chosen) selected[true] { (Text("request-proxy-removed").with("name", chosen)) } }
                }
                (form_error.on_group("proxy"))
            }
        }
    }
}

/// Renders the fields for the request to the source, and for its credentials. `proxies` are the names that
/// the operator offers.
pub(super) fn request_fields(input: &RequestInput, proxies: &[&str], form_error: &FormError) -> Markup {
    let names =
        ["headers", "userAgent", "proxy", "contentType", "body", "credentialName", "credentialSecret"];
    let is_wrong = names.iter().any(|name| form_error.at(name).is_some());
    let (label, hint) = (Text("request-secret").get(), Text("request-secret-hint").get());
    let secret = FormField { kind: "password", ..line("credentialSecret", &label, &hint, "") };
    html! {
        details open[is_wrong || input.is_set()] { summary { (Text("request")) }
            (line("userAgent", &Text("request-agent").get(), &Text("request-agent-hint").get(), &input.user_agent).show(form_error))
            (proxy_field(input, proxies, form_error))
            (area("headers", &Text("monitor-headers").get(), &Text("request-headers-hint").get(), &input.headers, form_error))
            label.choice { input type="checkbox" name="post" value="1" checked[input.flags.post]; span { (Text("request-post")) } }
            div {
                label for="method" { (Text("request-method")) }
                select #method name="method" {
                    @for method in PostMethod::ALL {
                        option value=(method.as_str()) selected[input.method == method.as_str()] { (method.as_str().to_ascii_uppercase()) }
                    }
                }
            }
            (area("body", &Text("request-body").get(), &Text("request-body-hint").get(), &input.body, form_error))
            (line("contentType", &Text("request-media").get(), &Text("request-media-hint").get(), &input.content_type).show(form_error))
            label.choice { input type="checkbox" name="cookies" value="1" checked[input.flags.cookies]; span { (Text("request-cookies")) } }
            label.choice { input type="checkbox" name="anyStatus" value="1" checked[input.flags.any_status]; span { (Text("request-any-status")) " " span.soft { (Text("request-any-status-words")) } } }
            div {
                label for="credentials" { (Text("request-credentials")) }
                select #credentials name="credentials" {
                    @for (word, label) in CREDENTIALS {
                        @if word != KEEP || input.has_stored_credentials { option value=(word) selected[input.credentials == word || word == "none" && input.credentials.is_empty()] { (label) } }
                    }
                }
            }
            (line("credentialName", &Text("request-user").get(), &Text("request-user-hint").get(), &input.credential_name).show(form_error))
            (secret.show(form_error))
        }
    }
}
