//! State of a process for its operator endpoints.

use std::sync::{Arc, OnceLock};

use tokio_util::sync::CancellationToken;

use http_kit::app::App;
use http_kit::config::{SecretSetting, Settings};

/// State of a process: starting, serving, or shutting down.
#[derive(Clone)]
pub struct Ops {
    token: Option<SecretSetting>,
    app: Arc<OnceLock<Arc<App>>>,
    shutdown: CancellationToken,
}

impl Ops {
    /// Creates the state of a process that has not opened its app yet.
    pub fn starting(settings: &Settings, shutdown: CancellationToken) -> Self {
        Self { token: settings.admin_token.clone(), app: Arc::default(), shutdown }
    }

    /// Creates the state of a process whose app is open.
    pub fn working(app: &Arc<App>) -> Self {
        let ops = Self::starting(&app.settings, CancellationToken::new());
        ops.set_app(app);
        ops
    }

    /// Records the app after it was opened.
    pub fn set_app(&self, app: &Arc<App>) {
        // Only the first call has an effect.
        let _ = self.app.set(Arc::clone(app));
    }

    /// Returns the app. `None` while the process starts.
    pub fn app(&self) -> Option<&Arc<App>> {
        self.app.get()
    }

    /// Returns the token for operator-only endpoints. `None` if no token is configured.
    pub(crate) fn token(&self) -> Option<&SecretSetting> {
        self.token.as_ref()
    }

    /// Returns the reasons why the process is not ready: the names of unavailable dependencies, `stopping`,
    /// or `migrations`. Empty if the process is ready.
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
