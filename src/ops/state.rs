//! What the addresses for operators know of their process.

use std::sync::{Arc, OnceLock};

use tokio_util::sync::CancellationToken;

use http_kit::app::App;
use http_kit::config::{Secret, Settings};

/// A process as its operator asks it: it may still be starting, be at work, or be about to end.
#[derive(Clone)]
pub struct Ops {
    token: Option<Secret>,
    app: Arc<OnceLock<Arc<App>>>,
    shutdown: CancellationToken,
}

impl Ops {
    /// A process that has not opened anything yet.
    pub fn starting(settings: &Settings, shutdown: CancellationToken) -> Self {
        Self { token: settings.admin_token.clone(), app: Arc::default(), shutdown }
    }

    /// A process that is at work.
    pub fn working(app: &Arc<App>) -> Self {
        let ops = Self::starting(&app.settings, CancellationToken::new());
        ops.opened(app);
        ops
    }

    /// The process has opened what it works with.
    pub fn opened(&self, app: &Arc<App>) {
        // The first call alone counts: a process opens its things once.
        let _ = self.app.set(Arc::clone(app));
    }

    /// What the process has opened, once it has.
    pub fn app(&self) -> Option<&Arc<App>> {
        self.app.get()
    }

    /// The token that opens what is for operators alone, where there is one.
    pub(crate) fn token(&self) -> Option<&Secret> {
        self.token.as_ref()
    }

    /// What is missing for doing its work, in words; empty when nothing is.
    pub async fn missing(&self) -> Vec<&'static str> {
        if self.shutdown.is_cancelled() {
            return vec!["stopping"];
        }
        match self.app() {
            Some(app) => app.missing().await,
            None => vec!["migrations"],
        }
    }
}

impl std::fmt::Debug for Ops {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Ops").field("is_open", &self.app.get().is_some()).finish_non_exhaustive()
    }
}
