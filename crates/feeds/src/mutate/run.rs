//! Dry runs and commits of mutations.

use async_recursion::async_recursion as boxed;
use std::collections::HashSet;

use entities::ids::AccountId;
use entities::rss_subscription;
use sea_orm::{ColumnTrait, ConnectionTrait, QueryFilter};

use super::super::addresses::find_feed;
use super::super::discovery::is_known_in;
use super::super::unshared_feed;
use super::super::usage::count_subscriptions;
use super::apply::MutationRun;
use super::commits::{self, Commit, DryRun};
use super::deferred::{self, PendingCommit};
use super::mutation::{Mutation, MutationOp, invalid_mutation};
use super::outcome::{MutationOutcome, MutationResult};
use super::plan::{self, Plan, Planned, Sample, matching};
use articles::{Address, Payer};
use identity::accounts;
use jobs::Progress;
use kernel::{Domain, Millis, Result};

/// Maximum number of objects that can be changed without a dry run.
const MAX_WITHOUT_DRY_RUN: usize = 50;

/// Result of a dry run.
#[derive(Clone, Debug)]
pub struct MutationPreview {
    /// Number of objects that would be changed.
    pub would_affect: i64,
    /// Sample of the objects that would be changed.
    pub sample: Vec<Sample>,
    /// Token that commits the mutation.
    pub commit_token: String,
    /// Expiry time of the token.
    pub expires_at: Millis,
}

/// Executes a dry run. Changes and fetches nothing.
///
/// # Errors
/// `conflicting_changes` if the combination of fields is invalid; `not_found` if the mutation contains a
/// collection of another account.
#[boxed]
pub async fn dry_run(domain: &Domain, payer: Payer, mutation: &Mutation) -> Result<MutationPreview> {
    let transaction = domain.db().begin().await?;
    let limits = accounts::lock_limits(&transaction, domain, payer.account_id).await?;
    let mut planned = plan::plan(&transaction, payer.account_id, domain.now(), mutation).await?;
    if mutation.op == MutationOp::SourcesFollow {
        let owner = (payer.account_id, limits.rss_subscriptions);
        let urls = would_follow(&transaction, domain, owner, mutation).await?;
        planned.count = urls.len();
        planned.sample.retain(|sample| urls.contains(&sample.title));
    }
    let stored = commits::store(&transaction, domain, payer.account_id, mutation, &planned.plan).await?;
    transaction.commit().await?;
    let would_affect = i64::try_from(planned.count).unwrap_or(i64::MAX);
    let DryRun { token: commit_token, expires_at, .. } = stored;
    Ok(MutationPreview { would_affect, sample: planned.sample, commit_token, expires_at })
}

/// Commits a dry run. If it was committed before, returns its result. The caller must push the job for
/// pending items, and may wait for it.
///
/// # Errors
/// `not_found` if the token is unknown; `commit_conflict` if the token has expired or was issued for another
/// mutation.
#[boxed]
pub async fn commit(
    domain: &Domain,
    payer: Payer,
    token: &str,
    op: MutationOp,
    repeated: Option<&Mutation>,
) -> Result<Progress<PendingCommit>> {
    let account_id = payer.account_id;
    let transaction = domain.db().begin().await?;
    accounts::lock(&transaction, account_id).await?;
    let stored = commits::find(&transaction, domain, account_id, token, op, repeated).await?;
    let Commit { row, mutation, plan, result } = stored;
    if let Some(result) = result {
        let progress = deferred::progress(&transaction, domain, account_id, row.id, result).await?;
        transaction.commit().await?;
        return Ok(progress);
    }
    if mutation.op == MutationOp::EntriesSave {
        transaction.commit().await?;
        let result = save(domain, payer, &mutation, &plan).await?;
        commits::record(domain.db().write(), domain, row.id, &result).await?;
        return Ok(Progress::Done(result));
    }
    let known = known_urls(&transaction, domain, &mutation).await?;
    let applying = MutationRun { transaction: &transaction, domain, account_id, mutation: &mutation };
    let result = applying.run(&plan, &known).await?;
    commits::record(&transaction, domain, row.id, &result).await?;
    let progress = deferred::progress(&transaction, domain, account_id, row.id, result).await?;
    transaction.commit().await?;
    Ok(progress)
}

/// Commits a small mutation without a dry run.
///
/// # Errors
/// The errors of [`dry_run`]; `conflicting_changes` if the mutation requires a dry run.
#[boxed]
pub async fn commit_directly(
    domain: &Domain,
    payer: Payer,
    mutation: &Mutation,
) -> Result<Progress<PendingCommit>> {
    let account_id = payer.account_id;
    let transaction = domain.db().begin().await?;
    accounts::lock(&transaction, account_id).await?;
    let Planned { plan, count, .. } = plan::plan(&transaction, account_id, domain.now(), mutation).await?;
    if mutation.op.needs_token() || count > MAX_WITHOUT_DRY_RUN {
        let reason = format!(
            "is required: this would change {count} items. Send the request with `dryRun: true` first"
        );
        return Err(invalid_mutation("commit_token", reason));
    }
    if mutation.op == MutationOp::EntriesSave {
        transaction.commit().await?;
        let result = save(domain, payer, mutation, &plan).await?;
        return Ok(Progress::Done(result));
    }
    let known = known_urls(&transaction, domain, mutation).await?;
    let applying = MutationRun { transaction: &transaction, domain, account_id, mutation };
    let result = applying.run(&plan, &known).await?;
    if !result.is_pending() {
        transaction.commit().await?;
        return Ok(Progress::Done(result));
    }
    // The job writes its results to this record. The token of the record is never returned to a caller.
    let record = commits::store(&transaction, domain, account_id, mutation, &plan).await?.id;
    commits::record(&transaction, domain, record, &result).await?;
    let progress = deferred::progress(&transaction, domain, account_id, record, result).await?;
    transaction.commit().await?;
    Ok(progress)
}

/// Returns the addresses that can be followed and are not followed yet, up to the limit of followed feeds.
async fn would_follow(
    connection: &impl ConnectionTrait,
    domain: &Domain,
    (account_id, limit): (AccountId, u32),
    mutation: &Mutation,
) -> Result<Vec<String>> {
    let mut urls = Vec::new();
    for url in &mutation.set.urls {
        let Ok(address) = Address::parse(domain, url) else { continue };
        let followed = match find_feed(connection, address.url.as_str()).await? {
            Some(feed_id) => {
                let own = rss_subscription::Entity::owned_by(account_id);
                own.filter(rss_subscription::Column::FeedId.eq(feed_id)).one(connection).await?
            }
            None => None,
        };
        let rewritten = unshared_feed::find_rewritten(connection, account_id, address.url.as_str()).await?;
        if followed.or(rewritten).is_none() {
            urls.push(url.clone());
        }
    }
    let used = count_subscriptions(connection, account_id).await?;
    let capacity = u64::from(limit).saturating_sub(used);
    urls.truncate(usize::try_from(capacity).unwrap_or(usize::MAX));
    Ok(urls)
}

/// Returns the addresses whose feeds are already known.
async fn known_urls(
    connection: &impl ConnectionTrait,
    domain: &Domain,
    mutation: &Mutation,
) -> Result<HashSet<String>> {
    let mut known = HashSet::new();
    for url in &mutation.set.urls {
        if let Ok(address) = Address::parse(domain, url)
            && is_known_in(connection, &address).await?
        {
            known.insert(url.clone());
        }
    }
    Ok(known)
}

/// Saves the selected entries one by one. Their texts are fetched afterwards.
async fn save(domain: &Domain, payer: Payer, mutation: &Mutation, plan: &Plan) -> Result<MutationResult> {
    let mut result = MutationResult::default();
    let Some(through) = plan.through else { return Ok(result) };
    let ids = matching(domain.db().read(), payer.account_id, domain.now(), mutation, through).await?;
    for id in ids.into_iter().rev() {
        match crate::saved_entries::save_entry(domain, payer.account_id, id).await {
            Ok(()) => result.affected += 1,
            Err(error) if error.is_transient() => return Err(error),
            Err(error) => result.outcomes.push(MutationOutcome::refused(Some(id.as_i64()), error.code)),
        }
    }
    Ok(result)
}
