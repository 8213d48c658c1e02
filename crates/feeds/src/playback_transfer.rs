//! Exports and imports the playback positions of an account. Entry ids differ between services, so an entry
//! is identified by its feed, and by its guid, URL, or title.

use async_recursion::async_recursion as boxed;
use entities::ids::{AccountId, EntryId};
use entities::rss_playback::{Column, Entity};
use sea_orm::{ColumnTrait, ConnectionTrait, QueryFilter};
use serde::{Deserialize, Serialize};

use super::playback::{Playback, save_playback_at};
use super::source_kind::SourceKind;
use kernel::error::not_found;
use kernel::statement::{scalar_optional, statement};
use kernel::{Domain, Millis, Result};

/// Selects the entry that is identified by the hash `$3` of its guid, its URL `$4`, or its title `$5`, in the
/// feed with the URL `$2` that account `$1` follows.
const NAMED: &str = "SELECT e.id FROM rss_subscription s JOIN feed f ON f.id = s.feed_id \
    JOIN feed_entry e ON e.feed_id = f.id WHERE s.account_id = $1 AND f.url = $2 \
    AND ((e.mark_guid <> 0 AND e.mark_guid = $3) OR e.url = $4 OR e.title = $5) \
    ORDER BY CASE WHEN e.mark_guid = $3 THEN 0 ELSE 1 END, e.id DESC LIMIT 1";

/// Exported playback position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ExportedPlayback {
    pub feed_url: String,
    /// Hash of the guid of the entry. 0 if the entry has none.
    #[serde(default)]
    pub guid_hash: i64,
    #[serde(default)]
    pub entry_url: Option<String>,
    #[serde(default)]
    pub title: Option<String>,
    pub position_seconds: u32,
    /// Speed in percent. 100 is the original speed.
    pub speed_percent: u32,
    /// Time of the last change, in milliseconds since 1970.
    pub updated_at: Millis,
}

/// Returns the statement that selects the playback positions of account `$1`, except in internal feeds, whose
/// addresses are secret.
fn exported() -> String {
    format!(
        "SELECT f.url, e.mark_guid, e.url, e.title, p.position_seconds, p.speed_percent, p.updated_at \
         FROM rss_playback p JOIN feed_entry e ON e.id = p.entry_id JOIN feed f ON f.id = e.feed_id \
         WHERE p.account_id = $1 AND {} ORDER BY p.updated_at, p.entry_id",
        SourceKind::Feed.condition("f")
    )
}

/// Returns the playback positions of an account, oldest first.
#[boxed]
pub async fn export_playback(domain: &Domain, account_id: AccountId) -> Result<Vec<ExportedPlayback>> {
    let connection = domain.db().write();
    let sql = exported();
    let rows = connection.query_all_raw(statement(connection, &sql, [account_id.into()])).await?;
    let mut exported = Vec::with_capacity(rows.len());
    for row in rows {
        let (position_seconds, speed_percent): (i32, i32) =
            (row.try_get_by_index(4)?, row.try_get_by_index(5)?);
        exported.push(ExportedPlayback {
            feed_url: row.try_get_by_index(0)?,
            guid_hash: row.try_get_by_index(1)?,
            entry_url: row.try_get_by_index(2)?,
            title: row.try_get_by_index(3)?,
            position_seconds: u32::try_from(position_seconds).unwrap_or(0),
            speed_percent: u32::try_from(speed_percent).unwrap_or(100),
            updated_at: row.try_get_by_index(6)?,
        });
    }
    Ok(exported)
}

/// Imports a playback position, unless the account has played the recording since.
///
/// # Errors
/// `not_found` if no feed of the account has the entry, for example because the feed was not fetched yet;
/// `invalid_request` for a position or speed out of range.
#[boxed]
pub async fn import_playback(
    domain: &Domain,
    account_id: AccountId,
    exported: &ExportedPlayback,
) -> Result<()> {
    let connection = domain.db().write();
    // A title identifies an entry only if the entry has neither guid nor URL.
    let is_named = exported.guid_hash != 0 || exported.entry_url.is_some();
    let title = exported.title.clone().filter(|_| !is_named);
    let values = [
        account_id.into(),
        exported.feed_url.as_str().into(),
        exported.guid_hash.into(),
        exported.entry_url.clone().into(),
        title.into(),
    ];
    let entry_id: Option<EntryId> = scalar_optional(connection, NAMED, values).await?;
    let entry_id = entry_id.ok_or_else(|| not_found("entry"))?;
    let known = Entity::owned_by(account_id).filter(Column::EntryId.eq(entry_id)).one(connection).await?;
    if known.is_some_and(|known| known.updated_at >= exported.updated_at) {
        return Ok(());
    }
    let playback =
        Playback { position_seconds: exported.position_seconds, speed_percent: exported.speed_percent };
    let changed_at = exported.updated_at.min(domain.now());
    save_playback_at(domain, account_id, entry_id, playback, changed_at).await
}
