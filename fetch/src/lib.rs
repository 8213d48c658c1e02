//! HTTP client for other people's servers.
//!
//! All requests to third-party servers pass through [`Fetcher::fetch`]. The address guard, the redirect loop,
//! the caps on time and size, robots.txt, and the host budgets are implemented only in this crate. Exceptions
//! are two servers configured by the operator: another Carrel server ([`own`]) and a trace collector
//! ([`collector`]). No other crate links an HTTP client. Decoding of bodies (charset, markup) belongs to
//! `extract`; their use and cost belong to `domain`.

mod address;
mod answer;
mod body_memory;
mod budget;
mod client;
pub mod collector;
mod convert;
mod decode;
mod deliver;
mod error;
mod fetcher;
mod lanes;
mod named;
pub mod own;
mod request;
mod resolve;
mod robots;
mod settings;
mod target;
mod tls;

#[cfg(test)]
mod tests;

pub use bytes::Bytes;
pub use url::Url;

pub use crate::body_memory::Permit;
pub use crate::deliver::{Delivered, Delivery, check_delivery_url};
pub use crate::error::{Error, SetupError};
pub use crate::fetcher::Fetcher;
pub use crate::request::{Accept, Fetched, PICTURE_CAP_BYTES, Pace, Request};
pub use crate::settings::{AllowRule, AllowRuleError, RobotsRule, Settings};
pub use crate::target::{CREDENTIAL_PREFIXES, UrlError, check_url};
