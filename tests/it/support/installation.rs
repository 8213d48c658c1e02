//! An installation for one person: `carrel serve` in a process of its own, on an empty SQLite database.

use super::servers::{Process, free_port};
use super::{TestApp, eventually};

/// The installation. Its data goes with it.
pub(crate) struct Installation {
    pub(crate) process: Process,
    pub(crate) origin: String,
    pub(crate) data: tempfile::TempDir,
}

impl Installation {
    /// Starts one with further settings, and waits until it answers; `app` lends its client for that.
    pub(crate) async fn start(app: &TestApp, settings: &[(&'static str, &str)]) -> Self {
        let (port, data) = (free_port(), tempfile::tempdir().expect("a temporary folder"));
        let mut all = vec![
            ("DATABASE_URL", format!("sqlite://{}/carrel.db?mode=rwc", data.path().display())),
            ("CARREL_LISTEN", format!("127.0.0.1:{port}")),
        ];
        all.extend(settings.iter().map(|(name, value)| (*name, (*value).to_owned())));
        let process = Process::start(&["serve"], &all);
        process.logged("there is no account yet").await;
        let origin = format!("http://127.0.0.1:{port}");
        let healthy = format!("{origin}/healthz");
        eventually("it answers", async || app.get(&healthy).await.status, |status| *status == 200).await;
        Self { process, origin, data }
    }
}
