//! `carrel after-restore`: the last step after restoring a backup of the database.

use library::sync;

use http_kit::config::Settings;

/// Starts a new sync history for every library. Clients that have received changes that the backup does not
/// contain must sync from the start.
pub(super) async fn run(settings: &Settings) -> anyhow::Result<()> {
    let domain = crate::installation::open_domain(settings).await?;
    sync::begin_new_history(&domain).await?;
    eprintln!(
        "earlier cursors of /v1/library/sync are now answered 410 cursor_expired: clients sync their library from the start"
    );
    Ok(())
}
