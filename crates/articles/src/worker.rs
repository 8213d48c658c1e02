//! What only a worker has: the door to other servers, and the processes that read what comes from there.

use std::time::Duration;

use extract::sandbox::Pool;
use fetch::Fetcher;

use identity::mail::Mailer;
use kernel::policy::Policy;

/// The tools of a worker. Cheap to clone; all clones share them.
#[derive(Clone)]
pub struct Tools {
    /// The guarded door.
    pub fetcher: Fetcher,
    /// The extraction processes.
    pub sandbox: Pool,
    /// What the operator has set for workers.
    pub settings: Settings,
}

/// What the operator has set for workers.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The longest that one download may take, redirects and all, whatever it is for.
    pub fetch_timeout: Duration,
    /// The most parts of one text that are fetched and joined; 1 takes each page for itself.
    pub max_parts: usize,
    /// Where hubs can call us; none when nobody outside can.
    pub callback_url: Option<String>,
    /// Sends mail; none where the operator has named no mail server.
    pub mailer: Option<Mailer>,
}

impl Default for Settings {
    fn default() -> Self {
        Self { fetch_timeout: Duration::from_secs(20), max_parts: 10, callback_url: None, mailer: None }
    }
}

impl Tools {
    /// Tools that fetch what `policy` allows and read it in `sandbox`.
    ///
    /// # Errors
    /// When the fetcher cannot be set up, as with a certificate file that cannot be read.
    pub fn new(policy: &Policy, sandbox: Pool, settings: Settings) -> Result<Self, fetch::SetupError> {
        Ok(Self { fetcher: Fetcher::new(policy.fetch.clone())?, sandbox, settings })
    }
}
