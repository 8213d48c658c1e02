//! Being a good guest, for feeds and monitors alike: a server that asks for a pause gets it, and of what is
//! due at one server one thing is asked for at a time.
//!
//! Turns are taken by registrable domain, or address with its port (`extract::feed::site`), pauses belong to the very
//! host that asked. Pauses are rows, so that all processes keep them; the gap between two requests of one process is
//! `fetch`'s own.

mod turns;

use std::collections::HashMap;

use entities::ids::AccountId;
use sea_orm::{ConnectionTrait, Value};

use kernel::clock::{DAY, HOUR, MINUTE, Millis};
use kernel::error::Result;
use kernel::hash::hash64;
use kernel::statement::{execute, placeholders, statement};

pub use turns::{Came, Place, Turns};

/// A server that says 429 without saying for how long is left alone for this long.
const UNSAID_PAUSE: Millis = 15 * MINUTE;
/// One address closes its host for no longer than this: a host may belong to many, and one of them must not be able
/// to close it to everybody. The address itself is left alone for as long as it said.
const LONGEST_BY_ONE: Millis = 15 * MINUTE;
/// Within this time addresses of two accounts must ask for a pause, to be taken for the host itself.
const AGREEMENT: Millis = HOUR;

/// A pause that an address asked for.
#[derive(Clone, Copy, Debug)]
pub struct Pause<'a> {
    /// The address.
    pub url: &'a str,
    /// For how long.
    pub length: Millis,
    /// Whose address it is; `None` where several accounts have it.
    pub account_id: Option<AccountId>,
}

/// The pause that a server asks for with this answer. A 503 is one only when it says for how long: without
/// that it is a failure like others.
pub fn pause_after(error: &fetch::Error) -> Option<Millis> {
    let said = error.retry_after().and_then(|after| Millis::try_from(after.as_millis()).ok());
    let pause = match error {
        fetch::Error::RateLimited { .. } | fetch::Error::Status { status: 429, .. } => {
            Some(said.unwrap_or(UNSAID_PAUSE))
        }
        fetch::Error::Status { status: 503, .. } => said,
        _ => None,
    };
    pause.map(|pause| pause.clamp(MINUTE, DAY))
}

/// Leaves an address alone, and its host for a while. A longer pause that the same address asked for before stays.
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

/// The host of an address, with its port where that is not the usual one: what a pause closes.
pub fn host_of(url: &str) -> Option<String> {
    let url = fetch::Url::parse(url).ok()?;
    let host = url.host_str()?;
    Some(url.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}")))
}

/// Which of these hosts want to be left alone now, and until when.
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
    let mut pauses: HashMap<String, Vec<Asked>> = HashMap::new();
    for row in connection.query_all_raw(statement(connection, &sql, values)).await? {
        let (at, until) = (row.try_get_by_index(1)?, row.try_get_by_index(2)?);
        let pause = Asked { at, until, account_id: row.try_get_by_index(3)? };
        pauses.entry(row.try_get_by_index(0)?).or_default().push(pause);
    }
    let ends = pauses.into_iter().map(|(host, pauses)| (host, end(pauses)));
    Ok(ends.filter(|(_, end)| *end > now).collect())
}

/// A pause that one address of a host asked for.
#[derive(Clone, Copy, Debug)]
struct Asked {
    at: Millis,
    until: Millis,
    account_id: Option<AccountId>,
}

impl Asked {
    /// Whether two addresses, which are not one account's alone, asked for it within the hour.
    fn agrees_with(&self, other: &Self) -> bool {
        let is_one = self.account_id.is_some() && self.account_id == other.account_id;
        !is_one && (self.at - other.at).abs() <= AGREEMENT
    }
}

/// When a host may be asked again: a while after what one of its addresses asked for, or when the pause that
/// addresses of two accounts agree on is over.
fn end(mut pauses: Vec<Asked>) -> Millis {
    pauses.sort_unstable_by_key(|pause| std::cmp::Reverse(pause.until));
    pauses.truncate(100);
    let by_one = pauses.iter().map(|pause| pause.until.min(pause.at + LONGEST_BY_ONE)).max();
    // Each with those that ask for longer: the shorter of the two is what they agree on.
    let agreed = pauses
        .iter()
        .enumerate()
        .filter(|(at, pause)| pauses[..*at].iter().any(|longer| longer.agrees_with(pause)))
        .map(|(_, pause)| pause.until)
        .max();
    by_one.max(agreed).unwrap_or(0)
}

/// Forgets pauses that are over, and lines in which nobody waits.
pub async fn delete_ended(connection: &impl ConnectionTrait, now: Millis) -> Result<u64> {
    execute(connection, "DELETE FROM host_turn WHERE next_at <= $1", [now.into()]).await?;
    execute(connection, "DELETE FROM host_pause WHERE paused_until <= $1", [now.into()]).await
}

#[cfg(test)]
mod tests;
