//! Runs of a batch that ended at about the same time, written together. Each of them holds its account until its end, so
//! those of one account would wait for each other's commits: they share one. A run that may wait for what others hold, and
//! would have all of them wait with it, is written alone after them.

use std::collections::BTreeMap;

use entities::ids::AccountId;
use futures_util::future::join_all;

use super::asked::MonitorRunArgs;
use super::commit::{Committed, Company, FinishedRun, is_more_than_its_own, links_of, write_run};
use super::look::Seen;
use super::one;
use super::result;
use crate::error::{Error, Result};
use crate::handle::Domain;

/// Writes the runs, whose job goes on; tells of each what became of it. That each is one for its due time sees to it that
/// it is written once.
pub(super) async fn commit_all(domain: &Domain, seen: Vec<Seen>) -> Vec<(MonitorRunArgs, Result<()>)> {
    let mut by_account: BTreeMap<AccountId, Vec<Seen>> = BTreeMap::new();
    let (mut done, mut apart) = (Vec::with_capacity(seen.len()), Vec::new());
    for seen in seen {
        // Most that are not for company are known before.
        if is_more_than_its_own(&seen.context.row, seen.looked.failure()) {
            apart.push(seen);
        } else {
            by_account.entry(seen.context.row.account_id).or_default().push(seen);
        }
    }
    for mut group in by_account.into_values() {
        if group.len() == 1 {
            apart.append(&mut group);
            continue;
        }
        // Addresses are shared with other accounts: whoever writes several takes them in one order.
        group.sort_by(|a, b| a.context.row.url_key.cmp(&b.context.row.url_key));
        let asked: Vec<MonitorRunArgs> = group.iter().map(|seen| seen.context.asked).collect();
        match Box::pin(commit_group(domain, group)).await {
            Ok(mut written) => {
                done.append(&mut written.done);
                apart.append(&mut written.apart);
            }
            Err(error) => {
                let same = || Error::new(error.code, error.message.clone());
                done.extend(asked.into_iter().map(|asked| (asked, Err(same()))));
            }
        }
    }
    for seen in apart {
        done.push(alone(domain, seen).await);
    }
    done
}

/// Writes a run in a transaction of its own.
async fn alone(domain: &Domain, seen: Seen) -> (MonitorRunArgs, Result<()>) {
    let Seen { context, mut looked } = seen;
    let asked = context.asked;
    (asked, Box::pin(one::weigh_and_commit(domain, None, context, &mut looked)).await)
}

/// What became of a group.
#[derive(Default)]
struct Written {
    done: Vec<(MonitorRunArgs, Result<()>)>,
    /// Those whose monitors were changed meanwhile, or that are not to be written in company.
    apart: Vec<Seen>,
}

/// Writes the runs of one account in one transaction.
async fn commit_group(domain: &Domain, mut group: Vec<Seen>) -> Result<Written> {
    let weighed = join_all(group.iter().map(|seen| result::weigh(domain, &seen.context, &seen.looked))).await;
    let mut written = Written::default();
    let (mut apart, mut outcomes) = (Vec::new(), Vec::new());
    let mut all_links = Vec::with_capacity(group.len());
    for seen in &group {
        all_links.push(links_of(domain, &seen.context).await?);
    }
    let transaction = domain.db().begin().await?;
    for (place, ((seen, result), links)) in group.iter_mut().zip(weighed).zip(&all_links).enumerate() {
        let Seen { context, looked } = seen;
        let result = match result {
            Ok(result) => result,
            Err(error) => {
                written.done.push((context.asked, Err(error)));
                continue;
            }
        };
        let run = FinishedRun { claimed: None, context, looked, result };
        match Box::pin(write_run(&transaction, domain, run, (links, Company::Others))).await? {
            Committed::Written(outcome) => {
                written.done.push((context.asked, Ok(())));
                outcomes.extend(outcome);
            }
            Committed::Apart(row) => apart.push((place, row)),
        }
    }
    transaction.commit().await?;
    for outcome in outcomes {
        outcome.count(1);
    }
    for (place, row) in apart.into_iter().rev() {
        let Seen { context, looked } = group.swap_remove(place);
        let asked = context.asked;
        match context.on(*row) {
            Ok(context) => written.apart.push(Seen { context, looked }),
            Err(error) => written.done.push((asked, Err(error))),
        }
    }
    Ok(written)
}

#[cfg(test)]
mod tests;
