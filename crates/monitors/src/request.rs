//! Settings of the request that a monitor sends, and its credentials. Credentials are sealed for their
//! account and for the origin for which they were entered. They cannot be opened for another account or
//! origin, and they are never returned.

use data_encoding::BASE64;
use entities::ids::AccountId;
use fetch::{BodyMethod, OutgoingBody, RequestHeader, Url};
use serde::{Deserialize, Serialize};

use super::sealed::{self, SealedUse, SealedValue};
use kernel::bounds::{
    MONITOR_BODY_CHARS, MONITOR_CREDENTIAL_CHARS, MONITOR_HEADERS, MONITOR_MEDIA_TYPE_CHARS,
    MONITOR_USER_AGENT_CHARS,
};
use kernel::request_header::{SET_BY_SERVICE, header_fault, is_header_value, is_user_agent};
use kernel::vault::Vault;
use kernel::{Code, Domain, Error, Result};

/// Headers that are accepted only as credentials, so that they are not displayed.
const SECRET: [&str; 2] = ["authorization", "cookie"];

/// Request of a monitor. The default is a plain GET.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RequestSettings {
    /// Headers that are only sent to the origin of the monitored URL.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub headers: Vec<CustomHeader>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user_agent: Option<String>,
    /// Name of a proxy that the operator configured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proxy: Option<String>,
    /// Method and body of the request. `None` means a GET request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub post: Option<Post>,
    /// True if a response with an error status is content.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub any_status: bool,
    /// True if the cookies of the site are stored between runs.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub cookies: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub credentials: Option<SealedCredentials>,
}

/// Header that a monitor sends.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CustomHeader {
    pub name: String,
    pub value: String,
}

/// Method of a request with a body.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PostMethod {
    #[default]
    Post,
    Put,
    Patch,
}

impl PostMethod {
    /// All methods, the default first.
    pub const ALL: [Self; 3] = [Self::Post, Self::Put, Self::Patch];

    /// Name in the API.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Post => "post",
            Self::Put => "put",
            Self::Patch => "patch",
        }
    }

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
    fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

/// Body of a request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Post {
    #[serde(default, skip_serializing_if = "PostMethod::is_default")]
    pub method: PostMethod,
    pub content_type: String,
    pub body: String,
}

/// Credentials, as entered by the owner. Never printed.
#[derive(Clone, PartialEq, Eq)]
pub enum Credentials {
    /// HTTP basic authentication.
    Basic { username: String, password: String },
    /// Bearer token.
    Bearer(String),
    /// Another header, such as an API key or a cookie.
    Header(CustomHeader),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CredentialKind {
    Basic,
    Bearer,
    Header,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SealedCredentials {
    pub(super) kind: CredentialKind,
    /// Sealed header.
    #[serde(flatten)]
    pub(super) value: SealedValue,
}

/// Credentials of a run.
pub(super) enum OpenedCredentials {
    None,
    Header(RequestHeader),
    /// The stored credentials cannot be opened. No request is sent, because the source would return other content.
    Unreadable,
}

impl std::fmt::Debug for Credentials {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Credentials")
    }
}

impl CredentialKind {
    /// Name in the API.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Basic => "basic",
            Self::Bearer => "bearer",
            Self::Header => "header",
        }
    }
}

impl RequestSettings {
    /// True if this is the default request of monitors.
    pub fn is_default(&self) -> bool {
        *self == Self::default()
    }

    pub fn credential_kind(&self) -> Option<CredentialKind> {
        self.credentials.as_ref().map(|sealed| sealed.kind)
    }

    /// True if responses to both requests are comparable. A changed password does not change the content.
    pub(super) fn is_comparable_with(&self, other: &Self) -> bool {
        let without_credentials = |settings: &Self| Self { credentials: None, ..settings.clone() };
        without_credentials(self) == without_credentials(other)
            && self.credential_kind() == other.credential_kind()
    }

    /// Returns the settings with only the digest of the credentials.
    pub(super) fn for_fingerprint(&self) -> Self {
        let mut settings = self.clone();
        if let Some(credentials) = &mut settings.credentials {
            credentials.value.sealed.clear();
        }
        settings
    }

    pub(super) fn custom_headers(&self) -> impl Iterator<Item = RequestHeader> {
        self.headers.iter().cloned().map(RequestHeader::from)
    }

    pub(super) fn post_body(&self) -> Option<OutgoingBody> {
        let post = self.post.clone()?;
        let method = match post.method {
            PostMethod::Post => BodyMethod::Post,
            PostMethod::Put => BodyMethod::Put,
            PostMethod::Patch => BodyMethod::Patch,
        };
        Some(OutgoingBody { method, content_type: post.content_type, text: post.body })
    }

    /// Validates the settings without the credentials.
    ///
    /// # Errors
    /// `invalid_request`, with the pointer of the first invalid value, if a setting is invalid.
    pub(super) fn check(&self) -> Result<()> {
        if self.headers.len() > MONITOR_HEADERS {
            let reason = format!("has more than {MONITOR_HEADERS} items");
            return Err(Error::invalid_at("/request/headers", reason));
        }
        for (index, header) in self.headers.iter().enumerate() {
            let fault = header.fault().or_else(|| {
                let name = header.name.to_ascii_lowercase();
                SECRET.contains(&name.as_str()).then_some(("name", "is accepted only as credentials"))
            });
            if let Some((field, reason)) = fault {
                return Err(Error::invalid_at(&format!("/request/headers/{index}/{field}"), reason));
            }
        }
        let user_agent = self.user_agent.as_deref();
        if user_agent.is_some_and(|text| !is_user_agent(text, MONITOR_USER_AGENT_CHARS)) {
            return Err(Error::invalid_at("/request/user_agent", "must be one line of ASCII characters"));
        }
        let Some(post) = &self.post else { return Ok(()) };
        let media_type = &post.content_type;
        if !is_header_value(media_type, MONITOR_MEDIA_TYPE_CHARS) || !media_type.contains('/') {
            return Err(Error::invalid_at(
                "/request/post/content_type",
                "must be a media type such as application/json",
            ));
        }
        if post.body.chars().count() > MONITOR_BODY_CHARS {
            return Err(Error::invalid_at("/request/post/body", format!("longer than {MONITOR_BODY_CHARS}")));
        }
        Ok(())
    }
}

/// Checks that no header of a request is the sign-in header.
///
/// # Errors
/// `invalid_request` if a header is the sign-in header.
pub(super) fn check_headers(domain: &Domain, settings: &RequestSettings) -> Result<()> {
    let fetch = &domain.policy().fetch;
    match settings.headers.iter().position(|header| fetch.is_sign_in_header(&header.name)) {
        Some(index) => Err(Error::invalid_at(&format!("/request/headers/{index}/name"), SET_BY_SERVICE)),
        None => Ok(()),
    }
}

/// Checks that the operator offers the proxy of a request.
///
/// # Errors
/// `invalid_request` if the proxy is unknown.
pub(super) fn check_proxy(domain: &Domain, settings: &RequestSettings) -> Result<()> {
    let Some(name) = &settings.proxy else { return Ok(()) };
    let proxies = &domain.policy().fetch.proxies;
    if proxies.contains(name) {
        return Ok(());
    }
    let reason = if proxies.is_empty() {
        "must be left out, because this service offers no proxies".to_owned()
    } else {
        format!("must be one of: {}", proxies.names().collect::<Vec<_>>().join(", "))
    };
    Err(Error::invalid_at("/request/proxy", reason))
}

impl CustomHeader {
    /// Name of the first invalid field, and the reason. `None` if the header is valid.
    fn fault(&self) -> Option<(&'static str, &'static str)> {
        header_fault(&self.name, &self.value)
    }
}

impl From<CustomHeader> for RequestHeader {
    fn from(header: CustomHeader) -> Self {
        Self { name: header.name, value: header.value }
    }
}

impl Credentials {
    const fn kind(&self) -> CredentialKind {
        match self {
            Self::Basic { .. } => CredentialKind::Basic,
            Self::Bearer(_) => CredentialKind::Bearer,
            Self::Header(_) => CredentialKind::Header,
        }
    }

    /// Header that contains the credentials.
    ///
    /// # Errors
    /// `invalid_request`, with the pointer of the invalid value, if the credentials are invalid.
    fn header(&self) -> Result<CustomHeader> {
        let authorization = |value: String| CustomHeader { name: "Authorization".to_owned(), value };
        match self {
            Self::Basic { username, .. } if username.contains(':') => {
                Err(Error::invalid_at("/credentials/basic/username", "must not contain a colon"))
            }
            Self::Basic { username, password } => {
                let login = format!("{username}:{password}");
                if login.chars().any(char::is_control) || login.len() > MONITOR_CREDENTIAL_CHARS {
                    return Err(Error::invalid_at("/credentials/basic/password", "must be one line"));
                }
                Ok(authorization(format!("Basic {}", BASE64.encode(login.as_bytes()))))
            }
            Self::Bearer(token) => {
                let is_token = !token.is_empty() && token.bytes().all(|byte| byte.is_ascii_graphic());
                if !is_token || token.len() > MONITOR_CREDENTIAL_CHARS {
                    return Err(Error::invalid_at("/credentials/bearer", "must be a token without spaces"));
                }
                Ok(authorization(format!("Bearer {token}")))
            }
            Self::Header(header) => match header.fault() {
                None => Ok(header.clone()),
                Some((field, reason)) => {
                    Err(Error::invalid_at(&format!("/credentials/header/{field}"), reason))
                }
            },
        }
    }
}

/// Seals credentials of the account for the origin of `url`. Must not be called within a transaction.
///
/// # Errors
/// `invalid_request` if the credentials are invalid; database errors.
pub(super) async fn seal(
    domain: &Domain,
    account_id: AccountId,
    url: &Url,
    credentials: &Credentials,
) -> Result<SealedCredentials> {
    let header = credentials.header()?;
    if domain.policy().fetch.is_sign_in_header(&header.name) {
        return Err(Error::invalid_at("/credentials/header/name", SET_BY_SERVICE));
    }
    let header = serde_json::to_vec(&header).map_err(Error::internal)?;
    let value = sealed::seal(domain, account_id, (url, SealedUse::Credentials), header).await?;
    Ok(SealedCredentials { kind: credentials.kind(), value })
}

/// Opens credentials with the vault of [`sealed::load_vault`], for a request of the account to the origin of `url`.
pub(super) fn open(
    vault: &Vault,
    account_id: AccountId,
    url: &str,
    credentials: &SealedCredentials,
) -> OpenedCredentials {
    let opened = || -> Result<CustomHeader> {
        let header = sealed::open(vault, account_id, (url, SealedUse::Credentials), &credentials.value)?;
        serde_json::from_slice(&header).map_err(Error::internal)
    };
    match opened() {
        Ok(header) => OpenedCredentials::Header(header.into()),
        Err(error) => {
            tracing::error!(%error, account = %account_id, "failed to open the credentials of a monitor");
            OpenedCredentials::Unreadable
        }
    }
}

/// Checks that credentials are for the origin of `url`.
///
/// # Errors
/// `invalid_request` if `url` has a different origin.
pub(super) fn check_origin(settings: &RequestSettings, url: &Url) -> Result<()> {
    let is_for_url = |sealed: &SealedCredentials| sealed.value.is_for(url);
    if settings.credentials.as_ref().is_none_or(is_for_url) {
        return Ok(());
    }
    let reason = "belong to the previous site: send them again, or remove them";
    Err(Error::new(Code::InvalidRequest, format!("The credentials of the monitor {reason}."))
        .at("credentials", reason))
}

#[cfg(test)]
mod tests;
