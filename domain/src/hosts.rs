//! Being a good guest, for feeds and monitors alike: a server that asks for a pause gets it, and of what is
//! due at one server one thing is asked for at a time.
//!
//! A host is a registrable domain, or an address with its port (`extract::feed::site`). Pauses are rows, so
//! that all processes keep them; the gap between two requests of one process is `fetch`'s own.

use std::collections::{BTreeMap, HashMap};

use sea_orm::{ConnectionTrait, Value};

use crate::clock::{DAY, MINUTE, Millis, SECOND};
use crate::error::Result;
use crate::hash::hash64;
use crate::statement::{execute, placeholders, statement};

/// Between two claims of one server: about the time of one answer and the quarter of a second that `fetch`
/// leaves behind it. Less would claim what only waits in line, more would keep a server's feeds from their
/// intervals.
pub(crate) const HOST_GAP: Millis = SECOND / 2;
/// A server that says 429 without saying for how long is left alone for this long.
const UNSAID_PAUSE: Millis = 15 * MINUTE;
/// One page closes its whole server for no longer than this: a server may belong to many, and one of them must not
/// be able to close it to everybody. What asked is left alone itself for as long as it said.
const LONGEST_BY_ONE: Millis = 5 * MINUTE;
/// So many pages of a server that ask for a pause are taken for the server itself.
const WITNESSES: usize = 3;

/// The pause that a server asks for with this answer. A 503 is one only when it says for how long: without
/// that it is a failure like others.
pub(crate) fn pause_after(error: &fetch::Error) -> Option<Millis> {
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

/// Leaves the server of `url` alone for so long. A longer pause that the same page asked for before stays.
pub(crate) async fn pause(
    connection: &impl ConnectionTrait,
    now: Millis,
    url: &str,
    length: Millis,
) -> Result<()> {
    let Some(host) = extract::feed::site(url) else { return Ok(()) };
    let sql = "INSERT INTO host_pause (host, url_hash, asked_at, paused_until) VALUES ($1, $2, $3, $4) \
                ON CONFLICT (host, url_hash) DO UPDATE SET asked_at = excluded.asked_at, \
                paused_until = excluded.paused_until WHERE host_pause.paused_until < excluded.paused_until";
    let values = [host.into(), hash64(url.as_bytes()).into(), now.into(), (now + length).into()];
    execute(connection, sql, values).await?;
    Ok(())
}

/// Which of these hosts want to be left alone now, and until when.
pub(crate) async fn paused<'a>(
    connection: &impl ConnectionTrait,
    hosts: impl IntoIterator<Item = &'a str>,
    now: Millis,
) -> Result<HashMap<String, Millis>> {
    let mut values: Vec<Value> = vec![now.into()];
    values.extend(hosts.into_iter().map(Value::from));
    if values.len() == 1 {
        return Ok(HashMap::new());
    }
    let sql = format!(
        "SELECT host, asked_at, paused_until FROM host_pause WHERE paused_until > $1 AND host IN ({})",
        placeholders(2, values.len() - 1)
    );
    let mut pauses: HashMap<String, Vec<Asked>> = HashMap::new();
    for row in connection.query_all_raw(statement(connection, &sql, values)).await? {
        let pause = Asked { at: row.try_get_by_index(1)?, until: row.try_get_by_index(2)? };
        pauses.entry(row.try_get_by_index(0)?).or_default().push(pause);
    }
    let ends = pauses.into_iter().map(|(host, pauses)| (host, end(pauses)));
    Ok(ends.filter(|(_, end)| *end > now).collect())
}

/// A pause that one page of a server asked for.
#[derive(Clone, Copy, Debug)]
struct Asked {
    at: Millis,
    until: Millis,
}

/// When a server may be asked again: a while after what one of its pages asked for, or when the pauses that
/// several of them agree on are over.
fn end(mut pauses: Vec<Asked>) -> Millis {
    pauses.sort_unstable_by_key(|pause| std::cmp::Reverse(pause.until));
    let by_one = pauses.iter().map(|pause| pause.until.min(pause.at + LONGEST_BY_ONE)).max();
    let agreed = pauses.get(WITNESSES - 1).map(|pause| pause.until);
    by_one.max(agreed).unwrap_or(0)
}

/// Forgets pauses that are over.
pub(crate) async fn delete_ended_pauses(connection: &impl ConnectionTrait, now: Millis) -> Result<u64> {
    execute(connection, "DELETE FROM host_pause WHERE paused_until <= $1", [now.into()]).await
}

/// What is due, parted by whose turn it is.
#[derive(Debug)]
pub(crate) struct Shared<T> {
    /// At most one thing of each server.
    pub(crate) now: Vec<T>,
    /// The others, by the time at which they are due again.
    pub(crate) later: BTreeMap<Millis, Vec<T>>,
}

/// Parts what is due, in its order: one thing of each server now, its others a gap apart from then on, and
/// everything of a paused server from the end of the pause on.
pub(crate) fn share<T>(
    due: Vec<T>,
    host: impl Fn(&T) -> &str,
    paused: &HashMap<String, Millis>,
    now: Millis,
) -> Shared<T> {
    let mut shared = Shared { now: Vec::new(), later: BTreeMap::new() };
    let mut turns: HashMap<String, Millis> = HashMap::new();
    for item in due {
        let turn = turns.entry(host(&item).to_owned()).and_modify(|turn| *turn += 1).or_insert(0);
        match (paused.get(host(&item)), *turn) {
            (Some(until), turn) => shared.later.entry(until + turn * HOST_GAP).or_default().push(item),
            (None, 0) => shared.now.push(item),
            (None, turn) => shared.later.entry(now + turn * HOST_GAP).or_default().push(item),
        }
    }
    shared
}

#[cfg(test)]
mod tests;
