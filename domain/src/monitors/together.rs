//! Runs of a batch that ended at about the same time, written together. Each of them holds its account until its end, so
//! those of one account would wait for each other's commits: they share one.

use std::collections::BTreeMap;

use entities::ids::AccountId;
use futures_util::future::join_all;

use super::asked::MonitorRunArgs;
use super::commit::{Committed, FinishedRun, links_of, write_run};
use super::look::Seen;
use super::one;
use super::result;
use crate::error::{Error, Result};
use crate::handle::Domain;

/// Writes the runs, whose job goes on; tells of each what became of it. That each is one for its due time sees to it that
/// it is written once.
pub(super) async fn commit_all(domain: &Domain, seen: Vec<Seen>) -> Vec<(MonitorRunArgs, Result<()>)> {
    let mut by_account: BTreeMap<AccountId, Vec<Seen>> = BTreeMap::new();
    let mut done = Vec::with_capacity(seen.len());
    for seen in seen {
        // Who hands out entries of feeds waits for others who do, and must not hold what those may want.
        if seen.context.row.feed_id.is_some() {
            done.push(alone(domain, seen).await);
        } else {
            by_account.entry(seen.context.row.account_id).or_default().push(seen);
        }
    }
    for mut group in by_account.into_values() {
        if group.len() == 1 {
            done.extend(Box::pin(async { Some(alone(domain, group.pop()?).await) }).await);
            continue;
        }
        // Addresses are shared with other accounts: whoever writes several takes them in one order.
        group.sort_by(|a, b| a.context.row.url_key.cmp(&b.context.row.url_key));
        let asked: Vec<MonitorRunArgs> = group.iter().map(|seen| seen.context.asked).collect();
        match Box::pin(commit_group(domain, group)).await {
            Ok(written) => done.extend(written),
            Err(error) => {
                let same = || Error::new(error.code, error.message.clone());
                done.extend(asked.into_iter().map(|asked| (asked, Err(same()))));
            }
        }
    }
    done
}

/// Writes a run in a transaction of its own.
async fn alone(domain: &Domain, seen: Seen) -> (MonitorRunArgs, Result<()>) {
    let Seen { context, mut looked } = seen;
    let asked = context.asked;
    (asked, Box::pin(one::weigh_and_commit(domain, None, context, &mut looked)).await)
}

/// Writes the runs of one account in one transaction; those whose monitors were changed meanwhile come after it, alone.
async fn commit_group(domain: &Domain, mut group: Vec<Seen>) -> Result<Vec<(MonitorRunArgs, Result<()>)>> {
    let weighed = join_all(group.iter().map(|seen| result::weigh(domain, &seen.context, &seen.looked))).await;
    let mut done = Vec::with_capacity(group.len());
    let mut moved = Vec::new();
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
                done.push((context.asked, Err(error)));
                continue;
            }
        };
        let run = FinishedRun { claimed: None, context, looked, result };
        match Box::pin(write_run(&transaction, domain, run, links)).await? {
            Committed::Written => done.push((context.asked, Ok(()))),
            Committed::Moved(row) => moved.push((place, row)),
        }
    }
    transaction.commit().await?;
    for (place, row) in moved.into_iter().rev() {
        let Seen { context, looked } = group.swap_remove(place);
        let asked = context.asked;
        let written = match context.on(*row) {
            Ok(context) => alone(domain, Seen { context, looked }).await,
            Err(error) => (asked, Err::<(), Error>(error)),
        };
        done.push(written);
    }
    Ok(done)
}
