//! Address of a service and an API key for it, for commands that are clients of the service. The key comes from the
//! environment or a file, because other users of a machine can read the arguments of a process.

use std::path::Path;

use anyhow::{Context, bail};

use http_kit::config::AgentSettings;

/// Service and a key of the person.
pub(super) struct ServiceAccess {
    /// Address without a trailing slash.
    pub(super) url: String,
    pub(super) key: String,
}

impl ServiceAccess {
    /// Returns the access from the arguments, or else from `CARREL_URL` and `CARREL_API_KEY`.
    pub(super) fn of(server: Option<&str>, key_file: Option<&Path>) -> anyhow::Result<Self> {
        let settings = AgentSettings::from_environment()?;
        let Some(url) = server.map(str::to_owned).or(settings.url) else {
            bail!("CARREL_URL is not set: set it to the address of the service")
        };
        let key = match (key_file, &settings.key) {
            (Some(path), _) => {
                std::fs::read_to_string(path).with_context(|| path.display().to_string())?.trim().to_owned()
            }
            (None, Some(key)) => key.reveal().to_owned(),
            (None, None) => bail!("no API key: set CARREL_API_KEY or pass --key-file"),
        };
        Ok(Self { url: url.trim_end_matches('/').to_owned(), key })
    }
}
