//! The one operation: fetch a URL under every rule.

use std::sync::Arc;

use crate::error::{Error, SetupError};
use crate::request::{Fetched, Request};
use crate::settings::Settings;

/// A shared, cheap to clone handle on the guarded client.
#[derive(Clone)]
pub struct Fetcher {
    settings: Arc<Settings>,
}

impl Fetcher {
    /// Opens the guarded client; nothing is contacted.
    ///
    /// # Errors
    /// When the extra root certificates, TLS, the resolver or the client cannot be set up.
    pub fn new(settings: Settings) -> Result<Self, SetupError> {
        Ok(Self { settings: Arc::new(settings) })
    }

    /// The settings this fetcher was made from.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Fetches a URL: guard, robots.txt, host budget, redirects, caps and deadline included.
    ///
    /// # Errors
    /// See [`Error`]; each maps to one code of the contract.
    pub async fn fetch(&self, request: &Request) -> Result<Fetched, Error> {
        crate::target::check_url(&request.url, &self.settings).map_err(Error::InvalidUrl)?;
        Err(Error::Unreachable { reason: "fetching is not connected yet" })
    }
}
