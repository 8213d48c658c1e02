//! Host politeness for feeds and monitors: pauses that a host requests are respected, and the due rows of a
//! host are fetched one at a time.
//!
//! Queues are per registrable domain, or per IP address with port (`extract::feed::site`). Pauses are per
//! host that requested them. Pauses are rows, so that all processes respect them. The gap between two
//! requests of one process is enforced by `fetch`.

mod host_queue;

use std::collections::HashMap;

use entities::ids::AccountId;
use sea_orm::{ConnectionTrait, Value};

use kernel::clock::{DAY, FUTURE_LIMIT, HOUR, MINUTE};
use kernel::hash::hash64;
use kernel::statement::{execute, placeholders, statement};
use kernel::{Millis, Result};

use host_queue::MAX_QUEUE;
pub use host_queue::{DueReason, HostQueue, QueueDecision};

/// Maximum pause of a URL.
const MAX_PAUSE: Millis = DAY;
/// Pause after a 429 response without `Retry-After`.
const DEFAULT_PAUSE: Millis = 15 * MINUTE;
/// Maximum pause of a host that a single URL can cause: many accounts may have URLs on one host, and a single
/// URL must not block the host for all accounts. The URL itself is paused for the requested time.
const MAX_SINGLE_PAUSE: Millis = 15 * MINUTE;
/// Maximum time between the pause requests of two accounts' URLs, for a pause to apply to the whole host in
/// full.
const AGREEMENT_WINDOW: Millis = HOUR;

/// A pause that a server requested in its response to a URL.
#[derive(Clone, Copy, Debug)]
pub struct Pause<'a> {
    pub url: &'a str,
    /// Length of the pause.
    pub length: Millis,
    /// Account that owns the URL. `None` if several accounts have the URL.
    pub account_id: Option<AccountId>,
}

/// Returns the pause that the response requests. `None` if it requests none. A 503 requests a pause only with
/// `Retry-After`; without it, the 503 is an ordinary failure.
pub fn pause_after(error: &fetch::Error) -> Option<Millis> {
    let requested_delay = error.retry_after().and_then(|after| Millis::try_from(after.as_millis()).ok());
    let pause = match error {
        fetch::Error::RateLimited { .. } | fetch::Error::Status { status: 429, .. } => {
            Some(requested_delay.unwrap_or(DEFAULT_PAUSE))
        }
        fetch::Error::Status { status: 503, .. } => requested_delay,
        _ => None,
    };
    pause.map(|pause| pause.clamp(MINUTE, MAX_PAUSE))
}

/// Records a pause of a URL, which also pauses its host for a while. If the URL already has a longer pause, that pause
/// is retained.
pub async fn pause(connection: &impl ConnectionTrait, now: Millis, pause: Pause<'_>) -> Result<()> {
    let Some(host) = host_of(pause.url) else { return Ok(()) };
    let sql = "INSERT INTO host_pause (host, url_hash, asked_at, paused_until, witness_id) \
                VALUES ($1, $2, $3, $4, $5) ON CONFLICT (host, url_hash) DO UPDATE SET asked_at = excluded.asked_at, \
                paused_until = excluded.paused_until, witness_id = excluded.witness_id \
                WHERE host_pause.paused_until < excluded.paused_until";
    let until = now + pause.length;
    let url_hash = hash64(pause.url.as_bytes());
    let values = [host.into(), url_hash.into(), now.into(), until.into(), pause.account_id.into()];
    execute(connection, sql, values).await?;
    Ok(())
}

/// Returns the host of a URL, with the port unless it is the default port. Pauses apply to this host.
pub fn host_of(url: &str) -> Option<String> {
    let url = fetch::Url::parse(url).ok()?;
    let host = url.host_str()?;
    Some(url.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}")))
}

/// Returns the hosts among `hosts` that are paused now, each with the end of its pause.
pub async fn paused(
    connection: &impl ConnectionTrait,
    hosts: impl IntoIterator<Item = String>,
    now: Millis,
) -> Result<HashMap<String, Millis>> {
    let mut values: Vec<Value> = vec![now.into()];
    values.extend(hosts.into_iter().map(Value::from));
    if values.len() == 1 {
        return Ok(HashMap::new());
    }
    let sql = format!(
        "SELECT host, asked_at, paused_until, witness_id FROM host_pause WHERE paused_until > $1 AND host IN ({})",
        placeholders(2, values.len() - 1)
    );
    let mut pauses: HashMap<String, Vec<RequestedPause>> = HashMap::new();
    for row in connection.query_all_raw(statement(connection, &sql, values)).await? {
        let (at, until) = (row.try_get_by_index(1)?, row.try_get_by_index(2)?);
        let pause = RequestedPause { at, until, account_id: row.try_get_by_index(3)? };
        pauses.entry(row.try_get_by_index(0)?).or_default().push(pause);
    }
    let until_by_host = pauses.into_iter().map(|(host, pauses)| (host, pause_end(pauses)));
    Ok(until_by_host.filter(|(_, pause_end)| *pause_end > now).collect())
}

/// Returns, for each of these URLs, the end of the pause that the server requested in its response. URLs without a
/// current pause are omitted.
pub async fn paused_urls<'a>(
    connection: &impl ConnectionTrait,
    urls: impl IntoIterator<Item = &'a str>,
    now: Millis,
) -> Result<HashMap<String, Millis>> {
    let urls: HashMap<i64, &str> = urls.into_iter().map(|url| (hash64(url.as_bytes()), url)).collect();
    let hosts: Vec<String> = urls.values().filter_map(|url| host_of(url)).collect();
    if hosts.is_empty() {
        return Ok(HashMap::new());
    }
    let sql = format!(
        "SELECT url_hash, paused_until FROM host_pause WHERE paused_until > $1 AND url_hash IN ({}) AND host IN ({})",
        placeholders(2, urls.len()),
        placeholders(2 + urls.len(), hosts.len())
    );
    let hashes = urls.keys().map(|hash| Value::from(*hash));
    let values: Vec<Value> =
        std::iter::once(now.into()).chain(hashes).chain(hosts.into_iter().map(Value::from)).collect();
    let mut pauses = HashMap::new();
    for row in connection.query_all_raw(statement(connection, &sql, values)).await? {
        let hash: i64 = row.try_get_by_index(0)?;
        if let Some(url) = urls.get(&hash) {
            pauses.insert((*url).to_owned(), row.try_get_by_index(1)?);
        }
    }
    Ok(pauses)
}

/// A pause that was requested in response to one URL of a host.
#[derive(Clone, Copy, Debug)]
struct RequestedPause {
    at: Millis,
    until: Millis,
    account_id: Option<AccountId>,
}

impl RequestedPause {
    /// True if the pauses were requested within an hour of each other and are not known to come from the same
    /// account.
    fn agrees_with(&self, other: &Self) -> bool {
        let is_same_account = self.account_id.is_some() && self.account_id == other.account_id;
        !is_same_account && (self.at - other.at).abs() <= AGREEMENT_WINDOW
    }
}

/// Returns the end of a host's pause. A pause that only one account's URLs requested is shortened to the
/// maximum; a pause that URLs of two accounts agree on is not.
fn pause_end(mut pauses: Vec<RequestedPause>) -> Millis {
    pauses.sort_unstable_by_key(|pause| std::cmp::Reverse(pause.until));
    pauses.truncate(100);
    let by_one = pauses.iter().map(|pause| pause.until.min(pause.at + MAX_SINGLE_PAUSE)).max();
    // Two pauses that agree apply to the host until the end of the shorter one. The pauses are sorted by end,
    // longest first.
    let agreed = pauses
        .iter()
        .enumerate()
        .filter(|(at, pause)| pauses[..*at].iter().any(|longer| longer.agrees_with(pause)))
        .map(|(_, pause)| pause.until)
        .max();
    by_one.max(agreed).unwrap_or(0)
}

/// Deletes expired pauses and empty host queues, and those that were saved while the clock was wrong: they are longer
/// than the maximum. Clocks of machines may differ by [`FUTURE_LIMIT`].
pub async fn delete_expired(connection: &impl ConnectionTrait, now: Millis) -> Result<u64> {
    let sql = "DELETE FROM host_turn WHERE next_at <= $1 OR next_at > $2";
    execute(connection, sql, [now.into(), (now + MAX_QUEUE + FUTURE_LIMIT).into()]).await?;
    let sql = "DELETE FROM host_pause WHERE paused_until <= $1 OR paused_until > $2";
    execute(connection, sql, [now.into(), (now + MAX_PAUSE + FUTURE_LIMIT).into()]).await
}

#[cfg(test)]
mod tests;
