//! `carrel after-restore`: the last step of putting a backup of the database back.

use library::sync;

use http_kit::config::Settings;

/// Begins a new history for every library: clients that knew changes which the backup does not hold read anew.
pub(super) async fn run(settings: &Settings) -> anyhow::Result<()> {
    let domain = super::account::open(settings).await?;
    sync::begin_new_history(&domain).await?;
    eprintln!(
        "cursors of /v1/library/sync from before are answered 410 cursor_expired: clients read their library anew"
    );
    Ok(())
}
