//! Installation with a single process: `carrel serve` on an empty SQLite database.

use super::servers::{Process, free_port};
use super::{TestApp, eventually};

/// Running installation. Its data is deleted on drop.
pub(crate) struct Installation {
    pub(crate) process: Process,
    pub(crate) origin: String,
    pub(crate) data: tempfile::TempDir,
}

impl Installation {
    /// Starts an installation with additional settings and waits until it answers. Uses the HTTP client of
    /// `app`.
    pub(crate) async fn start(app: &TestApp, settings: &[(&'static str, &str)]) -> Self {
        let (port, data) = (free_port(), tempfile::tempdir().expect("create a temporary folder"));
        let mut all = vec![
            ("DATABASE_URL", format!("sqlite://{}/carrel.db?mode=rwc", data.path().display())),
            ("CARREL_LISTEN", format!("127.0.0.1:{port}")),
        ];
        all.extend(settings.iter().map(|(name, value)| (*name, (*value).to_owned())));
        let process = Process::start(&["serve"], &all);
        process.wait_for_log("no account exists yet").await;
        let origin = format!("http://127.0.0.1:{port}");
        let healthy = format!("{origin}/healthz");
        eventually("it answers", async || app.get(&healthy).await.status, |status| *status == 200).await;
        Self { process, origin, data }
    }
}
