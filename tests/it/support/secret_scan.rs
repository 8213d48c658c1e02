//! Data for the secret scan of `bin/secrets`: databases, logs, and the secrets to search for. Written only if
//! `bin/secrets` requests it.

use std::fs::OpenOptions;
use std::io::Write;
use std::sync::Mutex;

use kernel::testing::artifact_folder;

/// Writes the log of this process into the scan's folder.
pub(crate) fn record_log() {
    let Some(folder) = artifact_folder() else { return };
    let name = format!("tests-{}.log", std::process::id());
    let file =
        OpenOptions::new().create(true).append(true).open(folder.join(name)).expect("open the log file");
    let subscriber = tracing_subscriber::fmt()
        .with_env_filter("info,carrel=debug,domain=debug,jobs=debug,fetch=debug")
        .with_ansi(false)
        .with_writer(Mutex::new(file))
        .finish();
    tracing::subscriber::set_global_default(subscriber).expect("the process has no other subscriber");
}

/// Records a secret that must not occur in logs or databases.
pub(crate) fn record_secret(word: &str) {
    let Some(folder) = artifact_folder() else { return };
    let mut file = OpenOptions::new()
        .create(true)
        .append(true)
        .open(folder.join("secrets"))
        .expect("open the list of secrets");
    writeln!(file, "{word}").expect("write the secret");
}
