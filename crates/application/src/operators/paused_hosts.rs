//! Paused hosts, with the duration of their pauses.

use async_recursion::async_recursion as boxed;
use sea_orm::ConnectionTrait;

use jobs::hosts;
use kernel::statement::statement;
use kernel::{Domain, Millis, Result};

/// Host with at least one paused address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PausedHost {
    pub host: String,
    /// Number of paused addresses of the host.
    pub addresses: i64,
    /// Time of the most recent pause request.
    pub requested_at: Millis,
    /// End of the last pause among the addresses.
    pub addresses_until: Millis,
    /// End of the pause of the whole host. `None` if the whole host is not paused.
    pub until: Option<Millis>,
}

/// Returns up to `limit` paused hosts, ordered by name. The list starts after the name `after`.
#[boxed]
pub async fn paused_hosts(domain: &Domain, after: &str, limit: u32) -> Result<Vec<PausedHost>> {
    let (connection, now) = (domain.db().read(), domain.now());
    let sql = format!(
        "SELECT host, COUNT(*) AS addresses, MAX(asked_at) AS asked_at, MAX(paused_until) AS until FROM host_pause \
         WHERE paused_until > $1 AND host > $2 GROUP BY host ORDER BY host LIMIT {limit}"
    );
    let mut paused = Vec::new();
    for row in connection.query_all_raw(statement(connection, &sql, [now.into(), after.into()])).await? {
        paused.push(PausedHost {
            host: row.try_get("", "host")?,
            addresses: row.try_get("", "addresses")?,
            requested_at: row.try_get("", "asked_at")?,
            addresses_until: row.try_get("", "until")?,
            until: None,
        });
    }
    let paused_until = hosts::paused(connection, paused.iter().map(|one| one.host.clone()), now).await?;
    for one in &mut paused {
        one.until = paused_until.get(&one.host).copied();
    }
    Ok(paused)
}
