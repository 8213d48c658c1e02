//! Tools that only workers have: the fetcher and the pool of extraction processes.

use std::path::PathBuf;
use std::time::Duration;

pub use browser::{
    CapturedFiles, Captures, MAX_SCREENSHOT_HEIGHT, PagePicture, PageRendering, PageRequestSettings,
    PageStep, PartBox, PartLimits, RenderError, RenderRequest, Renderer, RendererSettings, RenderingWarning,
    ScreenshotArea, StepKey, StepKind,
};
use extract::feed::FeedLimits;
use extract::sandbox::Pool;
use fetch::Fetcher;
use fetch::model_server::ModelServer;

use identity::mail::Mailer;
use kernel::Policy;

/// Tools of a worker. Cheap to clone; clones share the same tools.
#[derive(Clone)]
pub struct Tools {
    /// Fetcher for other servers, which applies the guard.
    pub fetcher: Fetcher,
    /// Pool of extraction processes.
    pub sandbox: Pool,
    /// Renderer of pages whose text needs scripts. `None` if there is no browser.
    pub renderer: Option<Renderer>,
    /// Language model of the operator. `None` if none is configured.
    pub model: Option<ModelServer>,
    pub settings: ToolSettings,
}

/// Settings of workers that the operator chooses.
#[derive(Clone, Debug)]
pub struct ToolSettings {
    /// Timeout of one download, including redirects.
    pub fetch_timeout: Duration,
    /// Size limits for the body of a feed.
    pub feed_limits: FeedLimits,
    /// Maximum number of parts of a multi-page text that are fetched and joined. 1 disables joining.
    pub max_parts: usize,
    /// Maximum number of concurrent extractions per caller.
    pub extractions_per_caller: usize,
    /// Base URL for hub callbacks. `None` if this installation cannot be reached from outside.
    pub callback_url: Option<String>,
    /// Mailer. `None` if no mail server is configured.
    pub mailer: Option<Mailer>,
    /// Program of the browser that renders pages. `None` if this worker renders none.
    pub browser: Option<PathBuf>,
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
            browser: None,
        }
    }
}

/// Finds the program of a browser where distributions install it. `None` if none is installed.
pub fn find_browser() -> Option<PathBuf> {
    browser::find_program()
}

impl Tools {
    /// Creates tools that fetch what `policy` allows and extract in `sandbox`.
    ///
    /// # Errors
    /// If the fetcher cannot be set up, for example because a certificate file cannot be read.
    pub fn new(policy: &Policy, sandbox: Pool, settings: ToolSettings) -> Result<Self, fetch::SetupError> {
        let fetcher = Fetcher::new(policy.fetch.clone())?;
        let program = settings.browser.clone();
        let renderer = program.map(|program| Renderer::new(RendererSettings::new(program), fetcher.clone()));
        let model = policy.model.as_ref().map(ModelServer::new).transpose()?;
        Ok(Self { fetcher, sandbox, renderer, model, settings })
    }
}
