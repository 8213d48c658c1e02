//! Position and speed at which an account plays the recording of an entry, synchronized between its devices.
//! The last write wins. A recording that was never played starts at the speed of the recording that was
//! played last.

use async_recursion::async_recursion as boxed;
use entities::ids::{AccountId, EntryId};
use entities::rss_playback::{ActiveModel, Column, Entity};
use sea_orm::ActiveValue::Set;
use sea_orm::sea_query::OnConflict;
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect};

use super::entries::visible_entry;
use kernel::statement::execute;
use kernel::{Domain, Error, Millis, Result};

/// Maximum position in seconds.
const MAX_POSITION: u32 = 30 * 86_400;
/// Accepted speeds in percent.
const SPEEDS: std::ops::RangeInclusive<u32> = 25..=400;
/// Maximum number of recordings of an account whose positions are remembered. The recordings played last are
/// retained.
const MAX_REMEMBERED: u32 = 1_000;

/// Position and speed of a recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Playback {
    pub position_seconds: u32,
    /// Speed in percent. 100 is the original speed.
    pub speed_percent: u32,
}

/// Returns the stored position and speed for an entry. Without a stored position, returns the start of the
/// recording and the speed that the account used last.
#[boxed]
pub async fn playback(domain: &Domain, account_id: AccountId, entry_id: EntryId) -> Result<Playback> {
    let connection = domain.db().read();
    let own = Entity::owned_by(account_id).filter(Column::EntryId.eq(entry_id)).one(connection).await?;
    if let Some(row) = own {
        return Ok(of_columns(row.position_seconds, row.speed_percent));
    }
    let last = Entity::owned_by(account_id)
        .select_only()
        .column(Column::SpeedPercent)
        .order_by_desc(Column::UpdatedAt);
    let speed: Option<i32> = last.into_tuple().one(connection).await?;
    Ok(of_columns(0, speed.unwrap_or(100)))
}

/// Stores the position and speed for an entry.
///
/// # Errors
/// `not_found` if the account cannot see the entry; `invalid_request` if the position or speed is out of
/// range.
#[boxed]
pub async fn save_playback(
    domain: &Domain,
    account_id: AccountId,
    entry_id: EntryId,
    playback: Playback,
) -> Result<()> {
    save_playback_at(domain, account_id, entry_id, playback, domain.now()).await
}

/// Like [`save_playback`], but with the time of the change.
///
/// # Errors
/// The errors of [`save_playback`].
pub(super) async fn save_playback_at(
    domain: &Domain,
    account_id: AccountId,
    entry_id: EntryId,
    playback: Playback,
    changed_at: Millis,
) -> Result<()> {
    if playback.position_seconds > MAX_POSITION {
        return Err(Error::invalid_field("position", "must be at most 30 days"));
    }
    if !SPEEDS.contains(&playback.speed_percent) {
        return Err(Error::invalid_field("speed", "must be between 25 and 400 percent"));
    }
    visible_entry(domain.db().read(), account_id, entry_id).await?;
    let connection = domain.db().write();
    let row = ActiveModel {
        account_id: Set(account_id),
        entry_id: Set(entry_id),
        position_seconds: Set(i32::try_from(playback.position_seconds).unwrap_or(0)),
        speed_percent: Set(i32::try_from(playback.speed_percent).unwrap_or(100)),
        updated_at: Set(changed_at),
    };
    let update = OnConflict::columns([Column::AccountId, Column::EntryId])
        .update_columns([Column::PositionSeconds, Column::SpeedPercent, Column::UpdatedAt])
        .to_owned();
    Entity::insert(row).on_conflict(update).exec_without_returning(connection).await?;
    let sql = format!(
        "DELETE FROM rss_playback WHERE account_id = $1 AND updated_at < (SELECT p.updated_at FROM rss_playback p \
         WHERE p.account_id = $1 ORDER BY p.updated_at DESC LIMIT 1 OFFSET {})",
        MAX_REMEMBERED - 1
    );
    execute(connection, &sql, [account_id.into()]).await?;
    Ok(())
}

fn of_columns(position_seconds: i32, speed_percent: i32) -> Playback {
    Playback {
        position_seconds: u32::try_from(position_seconds).unwrap_or(0),
        speed_percent: u32::try_from(speed_percent).unwrap_or(100),
    }
}
