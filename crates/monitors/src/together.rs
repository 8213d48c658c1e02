//! Runs of a batch that ended at about the same time, written together: one transaction, and one statement for each kind
//! of row. A run of an address that others watch too is written alone, after them, and so is one that would have all of them
//! wait with it: for a server's pause, for rules of its owner, or for many entries of a feed. What cannot be written together
//! is tried account by account, and what fails then is left to jobs of its own.

use std::collections::{BTreeMap, HashSet};

use entities::ids::AccountId;
use entities::monitor;
use futures_util::future::join_all;

use super::asked::MonitorRunArgs;
use super::commit::{Committed, FinishedRun, commit_runs, is_more_than_its_own};
use super::look::Seen;
use super::{one, result, stored};
use feeds::pushed;
use kernel::code::Code;
use kernel::error::{Error, Result};
use kernel::handle::Domain;

/// After so many writes in a row that the database could not make the others are left.
const GIVEN_UP: u32 = 2;

/// What became of each run.
pub(super) type Done = Vec<(MonitorRunArgs, Result<()>)>;

/// Writes the runs, whose job goes on; tells of each what became of it. That each is one for its due time sees to it that
/// it is written once.
pub(super) async fn commit_all(domain: &Domain, seen: Vec<Seen>) -> Done {
    let owners: HashSet<AccountId> = seen.iter().map(|seen| seen.context.row.account_id).collect();
    // Rules of one account take their time, in which those of others would be held.
    let takes_time = match pushed::accounts_with_rules(domain.db().read(), &owners).await {
        Ok(accounts) => accounts,
        Err(error) => return seen.into_iter().map(|seen| (seen.context.asked, Err(again(&error)))).collect(),
    };
    let mut addresses = HashSet::new();
    let (mut group, mut apart): (Vec<Seen>, Vec<Seen>) = seen.into_iter().partition(|seen| {
        // Most that are not for company are known before.
        !is_more_than_its_own(seen.looked.failure())
            && !seen.context.is_of_a_shared_address()
            && !takes_time.contains(&seen.context.row.account_id)
            && addresses.insert(seen.context.row.url_key.clone())
    });
    // Others may watch the same address since: whoever writes several takes them in one order.
    group.sort_by(|a, b| a.context.row.url_key.cmp(&b.context.row.url_key));
    let done = Done::with_capacity(group.len() + apart.len());
    let mut written = Written { done, apart: Vec::new(), given_up: 0, last: None };
    if let Some((error, group)) = written.write(domain, group).await {
        written.write_by_account(domain, error, group).await;
    }
    apart.append(&mut written.apart);
    for seen in apart {
        if let Some(error) = written.hopeless() {
            written.leave(&error, vec![seen]);
            continue;
        }
        let (asked, result) = alone(domain, seen).await;
        written.note(result.as_ref().err());
        written.done.push((asked, result));
    }
    written.done
}

/// Writes a run in a transaction of its own.
async fn alone(domain: &Domain, seen: Seen) -> (MonitorRunArgs, Result<()>) {
    let Seen { context, looked } = seen;
    let asked = context.asked;
    (asked, Box::pin(one::weigh_and_commit(domain, None, context, &looked)).await)
}

/// What became of runs that were to be written in company.
struct Written {
    done: Done,
    /// Those that are to be written alone: their monitors were changed meanwhile, or they are more than their own.
    apart: Vec<Seen>,
    /// How often in a row the database could not write, and why the last time.
    given_up: u32,
    last: Option<Error>,
}

impl Written {
    /// Takes note of how a write went.
    fn note(&mut self, error: Option<&Error>) {
        let away = error.filter(|error| error.code == Code::ServiceUnavailable);
        self.given_up = away.map_or(0, |_| self.given_up + 1);
        self.last = away.map(again);
    }

    /// Why there is no use in trying any more: one write may have waited too long for a row that somebody holds, two in a
    /// row say that the database is away.
    fn hopeless(&self) -> Option<Error> {
        self.last.as_ref().filter(|_| self.given_up >= GIVEN_UP).map(again)
    }

    /// Writes the runs in one transaction. Gives them back when that failed.
    async fn write(&mut self, domain: &Domain, mut group: Vec<Seen>) -> Option<(Error, Vec<Seen>)> {
        if group.len() < 2 {
            self.apart.append(&mut group);
            return None;
        }
        let committed = match Box::pin(commit_group(domain, &group)).await {
            Ok(committed) => committed,
            Err(error) => return Some((error, group)),
        };
        for (seen, committed) in group.into_iter().zip(committed) {
            let Seen { context, looked } = seen;
            let asked = context.asked;
            match committed {
                Ok(None) => self.done.push((asked, Ok(()))),
                Ok(Some(row)) => match context.on(*row) {
                    Ok(context) => self.apart.push(Seen { context, looked }),
                    Err(error) => self.done.push((asked, Err(error))),
                },
                Err(error) => self.done.push((asked, Err(error))),
            }
        }
        None
    }

    /// Writes runs that could not be written together, those of one account after those of another. Those of one account
    /// that cannot be written are left, and while the database is away so are all.
    async fn write_by_account(&mut self, domain: &Domain, error: Error, group: Vec<Seen>) {
        let mut by_account: BTreeMap<AccountId, Vec<Seen>> = BTreeMap::new();
        for seen in group {
            by_account.entry(seen.context.row.account_id).or_default().push(seen);
        }
        if by_account.len() == 1 {
            return by_account.into_values().for_each(|group| self.leave(&error, group));
        }
        tracing::warn!(%error, accounts = by_account.len(), "runs are written account by account");
        for group in by_account.into_values() {
            if let Some(error) = self.hopeless() {
                self.leave(&error, group);
                continue;
            }
            let is_alone = group.len() == 1;
            let failed = self.write(domain, group).await;
            if !is_alone {
                self.note(failed.as_ref().map(|(error, _)| error));
            }
            if let Some((error, group)) = failed {
                self.leave(&error, group);
            }
        }
    }

    fn leave(&mut self, error: &Error, group: Vec<Seen>) {
        self.done.extend(group.into_iter().map(|seen| (seen.context.asked, Err(again(error)))));
    }
}

/// The same error for one more run.
fn again(error: &Error) -> Error {
    Error::new(error.code, error.message.clone())
}

/// Writes the runs in one transaction. Tells of each that is to be written alone what its monitor is now.
async fn commit_group(domain: &Domain, group: &[Seen]) -> Result<Vec<Result<Option<Box<monitor::Model>>>>> {
    let looks: Vec<_> = group.iter().map(|seen| (&seen.context.row, &seen.looked)).collect();
    let stored = stored::load_all(domain, &looks).await?;
    let weighed = group.iter().zip(stored);
    let weighed = weighed.map(|(seen, stored)| result::weigh_against(&seen.context, &seen.looked, stored));
    let mut runs = Vec::with_capacity(group.len());
    let mut done: Vec<Result<Option<Box<monitor::Model>>>> = Vec::with_capacity(group.len());
    let mut places = Vec::with_capacity(group.len());
    for (place, (seen, result)) in group.iter().zip(join_all(weighed).await).enumerate() {
        done.push(match result {
            Ok(result) => {
                runs.push(FinishedRun {
                    claimed: None,
                    context: &seen.context,
                    looked: &seen.looked,
                    result,
                });
                places.push(place);
                Ok(None)
            }
            Err(error) => Err(error),
        });
    }
    let committed = Box::pin(commit_runs(domain, runs)).await?;
    for (place, committed) in places.into_iter().zip(committed) {
        if let (Committed::Apart(row), Some(done)) = (committed, done.get_mut(place)) {
            *done = Ok(Some(row));
        }
    }
    Ok(done)
}

#[cfg(test)]
mod tests;
