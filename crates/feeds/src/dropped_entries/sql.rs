//! SQL statement that remembers stored entries before they are deleted.

use sea_orm::{ConnectionTrait, Value};

use kernel::statement::execute;
use kernel::{Millis, Result};

/// Remembers the stored entries whose ids the statement `chosen` selects with the parameters `values`.
pub(crate) async fn remember_stored(
    connection: &impl ConnectionTrait,
    now: Millis,
    chosen: &str,
    values: &[Value],
) -> Result<()> {
    let sql = format!(
        "INSERT INTO feed_dropped_entry (feed_id, entry_key, mark_guid, mark_url, mark_title, mark_published, \
         mark_text, fingerprint, left_at) SELECT d.feed_id, d.entry_key, d.mark_guid, d.mark_url, \
         d.mark_title, d.mark_published, d.mark_text, d.fingerprint, ${} FROM feed_entry d WHERE d.id IN ({chosen}) \
         ON CONFLICT DO NOTHING",
        values.len() + 1
    );
    let values = values.iter().cloned().chain([now.into()]);
    execute(connection, &sql, values).await?;
    Ok(())
}
