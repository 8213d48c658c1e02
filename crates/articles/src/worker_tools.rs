//! Tools that only workers have: the fetcher for other servers, and the extraction processes.

use std::time::Duration;

use extract::feed::FeedLimits;
use extract::sandbox::Pool;
use fetch::Fetcher;

use identity::mail::Mailer;
use kernel::Policy;

/// The tools of a worker. Cheap to clone; clones share them.
#[derive(Clone)]
pub struct Tools {
    /// Fetcher, which applies the guard.
    pub fetcher: Fetcher,
    /// The extraction processes.
    pub sandbox: Pool,
    pub settings: ToolSettings,
}

/// Settings of workers that the operator chooses.
#[derive(Clone, Debug)]
pub struct ToolSettings {
    /// Timeout of one download, including redirects.
    pub fetch_timeout: Duration,
    /// Limits of the body of a feed.
    pub feed_limits: FeedLimits,
    /// Maximum number of parts of one text that are fetched and joined. 1 means that each page is a text of
    /// its own.
    pub max_parts: usize,
    /// Maximum concurrent extractions of one caller.
    pub extractions_per_caller: usize,
    /// Base URL for hub callbacks. `None` if this installation cannot be reached from outside.
    pub callback_url: Option<String>,
    /// Mailer. `None` without a mail server.
    pub mailer: Option<Mailer>,
}

impl Default for ToolSettings {
    fn default() -> Self {
        Self {
            fetch_timeout: Duration::from_secs(20),
            feed_limits: FeedLimits::default(),
            max_parts: 10,
            extractions_per_caller: 32,
            callback_url: None,
            mailer: None,
        }
    }
}

impl Tools {
    /// Creates tools that fetch what `policy` allows and extract in `sandbox`.
    ///
    /// # Errors
    /// If the fetcher cannot be set up, for example because a certificate file cannot be read.
    pub fn new(policy: &Policy, sandbox: Pool, settings: ToolSettings) -> Result<Self, fetch::SetupError> {
        Ok(Self { fetcher: Fetcher::new(policy.fetch.clone())?, sandbox, settings })
    }
}
