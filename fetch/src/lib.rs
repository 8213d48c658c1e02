//! The only door to other people's servers.
//!
//! Every request this product makes on somebody's behalf passes through [`Fetcher::fetch`]: the address
//! guard, the redirect loop, the caps on time and size, robots.txt and the budget of each host stand here and
//! nowhere else; [`own`] alone asks a server of ours, and [`collector`] one that takes traces, both of which the operator named.
//! No other room links an HTTP client. What a body means (its charset, its markup) is left to `extract`; whether it is wanted
//! at all, and what it costs, to `domain`.

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
