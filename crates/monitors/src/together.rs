//! Commits runs of a batch that finished at about the same time: in one transaction, with one statement per
//! kind of row. A run of an address that other monitors watch is committed alone, after the others. So is a
//! run that would make the others wait: for the row of a paused host, for rules of its owner, or for many
//! feed entries. If the shared transaction fails, the runs are committed account by account, and runs that
//! fail then get jobs of their own.

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

/// Number of consecutive writes that found the database unavailable, after which the other runs are left.
const GIVEN_UP: u32 = 2;

/// Result of each run.
pub(super) type Done = Vec<(MonitorRunArgs, Result<()>)>;

/// Commits the runs, whose job continues, and returns the result of each. A run is written only once, because
/// there is one run per due time.
pub(super) async fn commit_all(domain: &Domain, seen: Vec<Seen>) -> Done {
    let owners: HashSet<AccountId> = seen.iter().map(|seen| seen.context.row.account_id).collect();
    // Evaluating the rules of one account takes time, during which the rows of other accounts would stay
    // locked.
    let takes_time = match pushed::accounts_with_rules(domain.db().read(), &owners).await {
        Ok(accounts) => accounts,
        Err(error) => return seen.into_iter().map(|seen| (seen.context.asked, Err(again(&error)))).collect(),
    };
    let mut addresses = HashSet::new();
    let (mut group, mut apart): (Vec<Seen>, Vec<Seen>) = seen.into_iter().partition(|seen| {
        // Most runs that need a transaction of their own are known in advance.
        !is_more_than_its_own(seen.looked.failure())
            && !seen.context.is_of_a_shared_address()
            && !takes_time.contains(&seen.context.row.account_id)
            && addresses.insert(seen.context.row.url_key.clone())
    });
    // Other monitors may watch an address by now; every transaction that writes several targets uses this
    // order.
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

/// Commits a run in its own transaction.
async fn alone(domain: &Domain, seen: Seen) -> (MonitorRunArgs, Result<()>) {
    let Seen { context, looked } = seen;
    let asked = context.asked;
    (asked, Box::pin(one::weigh_and_commit(domain, None, context, &looked)).await)
}

/// Progress of committing a batch.
struct Written {
    done: Done,
    /// Runs to be committed alone: their monitors changed meanwhile, or they need a transaction of their own.
    apart: Vec<Seen>,
    /// Number of consecutive writes that found the database unavailable, and the last of these errors.
    given_up: u32,
    last: Option<Error>,
}

impl Written {
    /// Records the result of a write.
    fn note(&mut self, error: Option<&Error>) {
        let away = error.filter(|error| error.code == Code::ServiceUnavailable);
        self.given_up = away.map_or(0, |_| self.given_up + 1);
        self.last = away.map(again);
    }

    /// The error, if further attempts are useless. One write may have waited too long for a locked row; two
    /// in a row mean that the database is unavailable.
    fn hopeless(&self) -> Option<Error> {
        self.last.as_ref().filter(|_| self.given_up >= GIVEN_UP).map(again)
    }

    /// Commits the runs in one transaction. Returns them if that failed.
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

    /// Commits runs account by account after their shared transaction failed. Runs of an account that fails
    /// are left, and all runs are while the database is unavailable.
    async fn write_by_account(&mut self, domain: &Domain, error: Error, group: Vec<Seen>) {
        let mut by_account: BTreeMap<AccountId, Vec<Seen>> = BTreeMap::new();
        for seen in group {
            by_account.entry(seen.context.row.account_id).or_default().push(seen);
        }
        if by_account.len() == 1 {
            return by_account.into_values().for_each(|group| self.leave(&error, group));
        }
        tracing::warn!(%error, accounts = by_account.len(), "shared commit failed, committing runs by account");
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

/// Copy of an error, for another run.
fn again(error: &Error) -> Error {
    Error::new(error.code, error.message.clone())
}

/// Commits the runs in one transaction. For each run that must be committed alone, returns the current row of
/// its monitor.
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
