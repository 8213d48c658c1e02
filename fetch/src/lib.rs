//! HTTP client for third-party servers.
//!
//! All requests to third-party servers pass through [`Fetcher::fetch`]. The address guard, the redirect loop,
//! the caps on time and size, robots.txt, and the host budgets are implemented only in this crate. The
//! exceptions are servers configured by the operator, namely another Carrel server ([`carrel_server`]), a
//! trace collector ([`collector`]), a language model ([`model_server`]), and an OpenID provider
//! ([`oidc_server`]), and the requests of a browser, which pass the guard in [`PageProxy`]. No other crate
//! links an HTTP client. Decoding of bodies (charset, markup) belongs to `extract`, except for a
//! `<meta http-equiv=refresh>` that redirects a page. The crate `articles` decides how bodies are used and
//! charged.

mod address;
mod body_memory;
mod budget;
pub mod carrel_server;
mod client;
mod client_error;
pub mod collector;
mod cookies;
mod decode;
mod deliver;
mod error;
mod fetcher;
pub mod model_server;
mod mqtt;
pub mod oidc_server;
mod operator_client;
mod page_proxy;
mod proxy;
mod proxy_client;
mod refresh;
mod request;
mod resolve;
mod response;
mod robots;
mod settings;
mod tls;
mod url_check;

#[cfg(test)]
mod tests;

pub use bytes::Bytes;
pub use permits::Pace;
pub use url::Url;

pub use crate::body_memory::LargeBodyPermit;
pub use crate::budget::is_same_site;
pub use crate::cookies::Cookie;
pub use crate::deliver::{Delivery, DeliveryMethod, DeliveryResponse, check_delivery_url};
pub use crate::error::{Error, NO_TLS, SetupError};
pub use crate::fetcher::Fetcher;
pub use crate::mqtt::{MqttBroker, MqttError, MqttMessage};
pub use crate::page_proxy::{PageAccess, PageLimits, PageProxy, PageTraffic};
pub use crate::proxy::{MAX_PROXY_NAME_CHARS, Proxies, ProxyError};
pub use crate::request::{
    Accept, Authorization, BodyMethod, CookieState, Fetched, OutgoingBody, PICTURE_CAP_BYTES, Request,
    RequestHeader, StoredCookies,
};
pub use crate::settings::{AllowRule, AllowRuleError, FetcherSettings, RobotsRule};
pub use crate::url_check::{
    CREDENTIAL_PREFIXES, MAX_URL_BYTES, UrlError, check_url, is_confidential, is_local_name,
};
