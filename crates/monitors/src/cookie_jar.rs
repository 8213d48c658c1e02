//! Cookies that monitors store between their runs. They are sealed for the account, the origin, and the
//! monitor.

use std::collections::HashMap;

use entities::ids::MonitorId;
use entities::{monitor, monitor_cookies};
use fetch::{StoredCookies, Url};
use sea_orm::sea_query::OnConflict;
use sea_orm::{ActiveValue::Set, ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter};

use kernel::vault::Vault;
use kernel::{Domain, Error, Result};

/// Name of the vault in which cookies are sealed.
const VAULT: &str = "monitor_cookies";
/// Maximum size of a stored cookie jar, in bytes. A larger jar is not stored.
const MAX_BYTES: usize = 64 << 10;

fn binding(row: &monitor::Model) -> Result<String> {
    let origin = Url::parse(&row.target_url).map_err(Error::internal)?.origin().ascii_serialization();
    Ok(format!("{} {origin} {}", row.account_id, row.id))
}

/// Stored cookies of these monitors. A jar that cannot be opened, because the monitor now has another origin,
/// is skipped.
pub(super) async fn load(
    domain: &Domain,
    monitors: &[&monitor::Model],
) -> Result<HashMap<MonitorId, StoredCookies>> {
    let mut jars = HashMap::new();
    if monitors.is_empty() {
        return Ok(jars);
    }
    let ids = monitors.iter().map(|row| row.id);
    let rows = monitor_cookies::Entity::find().filter(monitor_cookies::Column::MonitorId.is_in(ids));
    let vault = Vault::of(domain, VAULT).await?;
    for stored in rows.all(domain.db().read()).await? {
        let Some(row) = monitors.iter().find(|row| row.id == stored.monitor_id) else { continue };
        match vault.open(binding(row)?.as_bytes(), &stored.sealed) {
            Ok(jar) => drop(jars.insert(row.id, StoredCookies(String::from_utf8_lossy(&jar).into_owned()))),
            Err(error) => tracing::warn!(%error, monitor = %row.id, "cookies of a monitor dropped"),
        }
    }
    Ok(jars)
}

/// Stores the cookies of a monitor. Must not be called within a transaction.
pub(super) async fn store(domain: &Domain, row: &monitor::Model, cookies: &StoredCookies) -> Result<()> {
    if cookies.0.len() > MAX_BYTES {
        tracing::warn!(monitor = %row.id, size_bytes = cookies.0.len(), "cookies of a monitor too large to store");
        return Ok(());
    }
    let vault = Vault::of(domain, VAULT).await?;
    let sealed = vault.seal(domain, binding(row)?.as_bytes(), cookies.0.clone().into_bytes())?;
    let jar = monitor_cookies::ActiveModel { monitor_id: Set(row.id), sealed: Set(sealed) };
    let newer = OnConflict::column(monitor_cookies::Column::MonitorId)
        .update_column(monitor_cookies::Column::Sealed)
        .to_owned();
    let insert = monitor_cookies::Entity::insert(jar).on_conflict(newer);
    match insert.exec_without_returning(domain.db().write()).await {
        Ok(_) => Ok(()),
        // The monitor was deleted in the meantime.
        Err(error) if is_missing_monitor(&error) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// True if a row could not be written because its monitor was deleted.
pub(super) fn is_missing_monitor(error: &sea_orm::DbErr) -> bool {
    matches!(error.sql_err(), Some(sea_orm::SqlErr::ForeignKeyConstraintViolation(_)))
}

/// Deletes the cookies of a monitor. Its next run starts without cookies.
pub(super) async fn clear(connection: &impl ConnectionTrait, id: MonitorId) -> Result<()> {
    monitor_cookies::Entity::delete_by_id(id).exec(connection).await?;
    Ok(())
}
