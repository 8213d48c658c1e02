//! Servers that are left alone, and why.

use sea_orm::ConnectionTrait;

use jobs::hosts;
use kernel::clock::Millis;
use kernel::error::Result;
use kernel::handle::Domain;
use kernel::statement::statement;

/// A server of which an address at least asked for a pause that is not over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PausedHost {
    /// The server.
    pub host: String,
    /// How many of its addresses asked.
    pub addresses: i64,
    /// When the last of them asked.
    pub asked_at: Millis,
    /// Until when the last of them is left alone.
    pub addresses_until: Millis,
    /// Until when the whole server is.
    pub until: Option<Millis>,
}

/// Up to `limit` of them behind the server `after`, by their names.
///
/// # Errors
/// What the database said.
pub async fn paused_hosts(domain: &Domain, after: &str, limit: u32) -> Result<Vec<PausedHost>> {
    let (connection, now) = (domain.db().read(), domain.now());
    let sql = format!(
        "SELECT host, COUNT(*) AS addresses, MAX(asked_at) AS asked_at, MAX(paused_until) AS until FROM host_pause \
         WHERE paused_until > $1 AND host > $2 GROUP BY host ORDER BY host LIMIT {limit}"
    );
    let mut found = Vec::new();
    for row in connection.query_all_raw(statement(connection, &sql, [now.into(), after.into()])).await? {
        found.push(PausedHost {
            host: row.try_get("", "host")?,
            addresses: row.try_get("", "addresses")?,
            asked_at: row.try_get("", "asked_at")?,
            addresses_until: row.try_get("", "until")?,
            until: None,
        });
    }
    let ends = hosts::paused(connection, found.iter().map(|one| one.host.clone()), now).await?;
    for one in &mut found {
        one.until = ends.get(&one.host).copied();
    }
    Ok(found)
}
