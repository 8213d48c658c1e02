//! Commits runs of a batch that finished at about the same time, in one transaction with one statement per
//! table. Some runs are committed separately, after the others: runs of a URL that other monitors watch, and
//! runs that would make the others wait for the row of a paused host, for feed rules, or for many feed
//! entries. If the shared transaction fails, the runs are committed per account. Runs that fail again get
//! their own jobs.

use std::collections::{BTreeMap, HashSet};

use entities::ids::AccountId;
use entities::monitor;
use futures_util::future::join_all;

use super::args::MonitorRunArgs;
use super::commit::{Committed, FinishedRun, affects_host, commit_runs};
use super::observation::ObservedRun;
use super::{result, run_single, stored_snapshots};
use feeds::internal_feed;
use kernel::{Code, Domain, Error, Result};

/// Number of consecutive failures of the database after which no more runs are written.
const MAX_UNAVAILABLE: u32 = 2;

/// Result of each run, with the arguments of the run.
pub(super) type CommitResults = Vec<(MonitorRunArgs, Result<()>)>;

/// Commits the runs of a job that continues, and returns their results. No run is written twice, because
/// there is at most one run per due time.
pub(super) async fn commit_all(domain: &Domain, seen: Vec<ObservedRun>) -> CommitResults {
    let owners: HashSet<AccountId> = seen.iter().map(|seen| seen.context.row.account_id).collect();
    // Feed rules of an account take time to evaluate. In a shared transaction, rows of other accounts would
    // be locked during that time.
    let takes_time = match internal_feed::accounts_with_rules(domain.db().read(), &owners).await {
        Ok(accounts) => accounts,
        Err(error) => {
            return seen.into_iter().map(|seen| (seen.context.args, Err(copy_error(&error)))).collect();
        }
    };
    let mut addresses = HashSet::new();
    let (mut group, mut separate): (Vec<ObservedRun>, Vec<ObservedRun>) =
        seen.into_iter().partition(|seen| {
            // Most runs that need their own transaction are known in advance.
            !affects_host(seen.observation.failure())
                && !seen.context.shares_address()
                && !takes_time.contains(&seen.context.row.account_id)
                && addresses.insert(seen.context.row.url_key.clone())
        });
    // Other monitors may watch the same URL in the meantime. All transactions that write several targets use
    // this order.
    group.sort_by(|a, b| a.context.row.url_key.cmp(&b.context.row.url_key));
    let done = CommitResults::with_capacity(group.len() + separate.len());
    let mut batch = BatchCommit { done, separate: Vec::new(), unavailable_count: 0, last_error: None };
    if let Some((error, group)) = batch.commit(domain, group).await {
        batch.commit_by_account(domain, error, group).await;
    }
    separate.append(&mut batch.separate);
    for seen in separate {
        if let Some(error) = batch.abort_error() {
            batch.fail_group(&error, vec![seen]);
            continue;
        }
        let (args, result) = commit_alone(domain, seen).await;
        batch.record(result.as_ref().err());
        batch.done.push((args, result));
    }
    batch.done
}

/// Commits a run in its own transaction.
async fn commit_alone(domain: &Domain, seen: ObservedRun) -> (MonitorRunArgs, Result<()>) {
    let ObservedRun { context, observation } = seen;
    let args = context.args;
    (args, Box::pin(run_single::evaluate_and_commit(domain, None, context, &observation)).await)
}

/// Progress of committing a batch.
struct BatchCommit {
    done: CommitResults,
    /// Runs to commit separately, because their monitor changed or because they need their own transaction.
    separate: Vec<ObservedRun>,
    /// Number of consecutive writes that failed because the database is unavailable, and the last error.
    unavailable_count: u32,
    last_error: Option<Error>,
}

impl BatchCommit {
    /// Records the result of a write.
    fn record(&mut self, error: Option<&Error>) {
        let away = error.filter(|error| error.code == Code::ServiceUnavailable);
        self.unavailable_count = away.map_or(0, |_| self.unavailable_count + 1);
        self.last_error = away.map(copy_error);
    }

    /// Last error, if further attempts would fail, too. `None` after a single failed write, which may have
    /// waited too long for a lock. After two consecutive failures, the database is treated as unavailable.
    fn abort_error(&self) -> Option<Error> {
        self.last_error.as_ref().filter(|_| self.unavailable_count >= MAX_UNAVAILABLE).map(copy_error)
    }

    /// Commits the runs in one transaction. If the transaction fails, returns the error with the runs.
    async fn commit(
        &mut self,
        domain: &Domain,
        mut group: Vec<ObservedRun>,
    ) -> Option<(Error, Vec<ObservedRun>)> {
        if group.len() < 2 {
            self.separate.append(&mut group);
            return None;
        }
        let committed = match Box::pin(commit_group(domain, &group)).await {
            Ok(committed) => committed,
            Err(error) => return Some((error, group)),
        };
        for (seen, committed) in group.into_iter().zip(committed) {
            let ObservedRun { context, observation } = seen;
            let args = context.args;
            match committed {
                Ok(None) => self.done.push((args, Ok(()))),
                Ok(Some(row)) => match context.with_row(*row) {
                    Ok(context) => self.separate.push(ObservedRun { context, observation }),
                    Err(error) => self.done.push((args, Err(error))),
                },
                Err(error) => self.done.push((args, Err(error))),
            }
        }
        None
    }

    /// Commits runs per account after their shared transaction failed. If the transaction of an account
    /// fails, its runs are left for their own jobs. If the database is unavailable, all runs are left for
    /// their own jobs.
    async fn commit_by_account(&mut self, domain: &Domain, error: Error, group: Vec<ObservedRun>) {
        let mut by_account: BTreeMap<AccountId, Vec<ObservedRun>> = BTreeMap::new();
        for seen in group {
            by_account.entry(seen.context.row.account_id).or_default().push(seen);
        }
        if by_account.len() == 1 {
            return by_account.into_values().for_each(|group| self.fail_group(&error, group));
        }
        tracing::warn!(%error, accounts = by_account.len(), "shared commit failed, committing runs by account");
        for group in by_account.into_values() {
            if let Some(error) = self.abort_error() {
                self.fail_group(&error, group);
                continue;
            }
            let is_alone = group.len() == 1;
            let failed = self.commit(domain, group).await;
            if !is_alone {
                self.record(failed.as_ref().map(|(error, _)| error));
            }
            if let Some((error, group)) = failed {
                self.fail_group(&error, group);
            }
        }
    }

    fn fail_group(&mut self, error: &Error, group: Vec<ObservedRun>) {
        self.done.extend(group.into_iter().map(|seen| (seen.context.args, Err(copy_error(error)))));
    }
}

/// Copies an error, so that it can be returned for another run.
fn copy_error(error: &Error) -> Error {
    Error::new(error.code, error.message.clone())
}

/// Commits the runs in one transaction. Returns the current row of the monitor for each run that must be
/// committed separately.
async fn commit_group(
    domain: &Domain,
    group: &[ObservedRun],
) -> Result<Vec<Result<Option<Box<monitor::Model>>>>> {
    let required = |seen: &ObservedRun| seen.observation.required_snapshots(&seen.context.row);
    let monitors: Vec<_> = group.iter().map(|seen| (&seen.context.row, required(seen))).collect();
    let stored = stored_snapshots::load_all(domain, &monitors).await?;
    let weighed = group.iter().zip(stored);
    let weighed =
        weighed.map(|(seen, stored)| result::evaluate_against(&seen.context, &seen.observation, stored));
    let mut runs = Vec::with_capacity(group.len());
    let mut done: Vec<Result<Option<Box<monitor::Model>>>> = Vec::with_capacity(group.len());
    let mut indices = Vec::with_capacity(group.len());
    for (index, (seen, result)) in group.iter().zip(join_all(weighed).await).enumerate() {
        done.push(match result {
            Ok(result) => {
                runs.push(FinishedRun {
                    claimed: None,
                    context: &seen.context,
                    observation: &seen.observation,
                    result,
                });
                indices.push(index);
                Ok(None)
            }
            Err(error) => Err(error),
        });
    }
    let committed = Box::pin(commit_runs(domain, runs)).await?;
    for (index, committed) in indices.into_iter().zip(committed) {
        if let (Committed::Conflict(row), Some(done)) = (committed, done.get_mut(index)) {
            *done = Ok(Some(row));
        }
    }
    Ok(done)
}

#[cfg(test)]
mod tests;
