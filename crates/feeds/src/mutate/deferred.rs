//! Addresses of a committed mutation that must be fetched before they can be followed. A job discovers their
//! feeds, follows them, and records the outcome of each address.
//!
//! An address is followed in the transaction that writes its outcome, and only while its outcome is pending.
//! If the job is killed, the next attempt continues with the remaining addresses, and nothing is counted
//! twice.

use async_recursion::async_recursion as boxed;
use entities::ids::AccountId;
use sea_orm::{ConnectionTrait, DatabaseTransaction};
use serde::{Deserialize, Serialize};

use super::super::discovery::Discovered;
use super::super::discovery_request::{PendingFeeds, request_discovery};
use super::super::follow::{Follow, Followed, follow_in};
use super::super::follow_request::choose_best;
use super::commits::{self, Commit};
use super::outcome::{MutationOutcome, MutationResult};
use super::plan::collection_of;
use articles::{Address, Payer};
use identity::accounts;
use jobs::{Claimed, JobKind, JobOutcome, NewJob, Pending, Progress, Submitted, WaitOutcome};
use kernel::{Class, Code, Domain, Error, Result};

/// Arguments of a follow job.
#[derive(Serialize, Deserialize)]
struct FollowArgs {
    account_id: AccountId,
}

/// A commit with pending items.
#[derive(Debug)]
pub struct PendingCommit {
    account_id: AccountId,
    record: i64,
}

impl Pending for PendingCommit {
    type Answer = MutationResult;

    /// Returns the current result of the commit, even if the job has not finished.
    async fn resume(self, domain: &Domain, _outcome: WaitOutcome) -> Result<MutationResult> {
        commits::result(domain.db().write(), self.account_id, self.record).await
    }
}

/// Returns the result of a commit. Submits a job if items are pending.
pub(super) async fn progress(
    transaction: &DatabaseTransaction,
    domain: &Domain,
    account_id: AccountId,
    record: i64,
    result: MutationResult,
) -> Result<Progress<PendingCommit>> {
    if !result.is_pending() {
        return Ok(Progress::Done(result));
    }
    let job = submit(transaction, domain, account_id, record).await?;
    Ok(Progress::Waiting { job, pending: PendingCommit { account_id, record } })
}

async fn submit(
    transaction: &DatabaseTransaction,
    domain: &Domain,
    account_id: AccountId,
    record: i64,
) -> Result<Submitted> {
    let job = NewJob::new(JobKind::FeedFollow, record.to_string())
        .payload(&FollowArgs { account_id })?
        .owner(account_id);
    jobs::submit(transaction, domain, job).await
}

/// Pending addresses of a commit.
#[derive(Debug)]
pub struct DeferredFollows {
    payer: Payer,
    record: i64,
    /// Pending addresses with the indexes of their outcomes.
    urls: Vec<(usize, String)>,
}

impl DeferredFollows {
    /// Returns the remaining work of the claimed job. `None` if the commit or its account was deleted.
    #[boxed]
    pub async fn start(domain: &Domain, claimed: &Claimed) -> Result<Option<Self>> {
        let FollowArgs { account_id } = claimed.arguments()?;
        let record = record_of(&claimed.key)?;
        let transaction = domain.db().begin().await?;
        let tier = match accounts::lock(&transaction, account_id).await {
            Ok(tier) => tier,
            Err(error) if error.code == Code::NotFound => return Ok(None),
            Err(error) => return Err(error),
        };
        let Some(Commit { result: Some(result), .. }) =
            commits::load(&transaction, account_id, record).await?
        else {
            return Ok(None);
        };
        let pending = result.outcomes.iter().enumerate().filter(|(_, outcome)| outcome.is_pending());
        let urls = pending.filter_map(|(index, outcome)| Some((index, outcome.url.clone()?))).collect();
        Ok(Some(Self { payer: Payer { account_id, tier }, record, urls }))
    }

    /// Returns the pending addresses with the indexes of their outcomes.
    pub fn urls(&self) -> &[(usize, String)] {
        &self.urls
    }

    /// Requests the feeds at an address.
    ///
    /// # Errors
    /// The errors of [`request_discovery`].
    #[boxed]
    pub async fn request(&self, domain: &Domain, url: &str) -> Result<Progress<PendingFeeds>> {
        let address = Address::parse(domain, url)?;
        request_discovery(domain, self.payer, &address).await
    }

    /// Follows the best discovered feed for one outcome and records the result. If discovery failed because
    /// of this service, the outcome remains pending.
    ///
    /// # Errors
    /// Returns an error if another worker has claimed the job.
    #[boxed]
    pub async fn settle(
        &self,
        domain: &Domain,
        claimed: &Claimed,
        index: usize,
        discovered: Result<Discovered>,
    ) -> Result<()> {
        if discovered.as_ref().is_err_and(|error| error.class() == Class::Unavailable) {
            return Ok(());
        }
        let account_id = self.payer.account_id;
        let transaction = domain.db().begin().await?;
        accounts::lock(&transaction, account_id).await?;
        jobs::lock_claim_in(&transaction, claimed).await?;
        let loaded = commits::load(&transaction, account_id, self.record).await?;
        let Some(Commit { mutation, result: Some(mut result), .. }) = loaded else { return Ok(()) };
        let Some(outcome) = result.outcomes.get_mut(index).filter(|outcome| outcome.is_pending()) else {
            return Ok(());
        };
        let url = outcome.url.clone().unwrap_or_default();
        let followed = match (discovered, collection_of(&transaction, account_id, &mutation).await) {
            (Ok(discovered), Ok(collection_id)) => {
                let new = Follow { collection_id, ..Follow::default() };
                follow_best(&transaction, domain, account_id, discovered, new).await
            }
            (Err(error), _) | (Ok(_), Err(error)) => Err(error),
        };
        *outcome = match followed {
            Ok(followed) => {
                result.affected += i64::from(!followed.already_followed);
                MutationOutcome::done(followed.subscription.feed_id.as_i64()).of_url(&url)
            }
            Err(error) if error.class() == Class::Unavailable => return Err(error),
            Err(error) => MutationOutcome::refused(None, error.code).of_url(&url),
        };
        commits::update_result(&transaction, self.record, &result).await?;
        transaction.commit().await?;
        Ok(())
    }

    /// Completes the job if nothing is pending. Otherwise retries the job or, after the last attempt, refuses
    /// the remaining addresses.
    ///
    /// # Errors
    /// Returns an error if another worker has claimed the job.
    #[boxed]
    pub async fn finish(self, domain: &Domain, claimed: &Claimed) -> Result<JobOutcome> {
        let account_id = self.payer.account_id;
        let transaction = domain.db().begin().await?;
        accounts::lock(&transaction, account_id).await?;
        let loaded = commits::load(&transaction, account_id, self.record).await?;
        let result = loaded.and_then(|commit| commit.result).filter(MutationResult::is_pending);
        let outcome = match result {
            Some(_) if !claimed.is_last_attempt() => {
                let why = (Code::ServiceUnavailable, "Some addresses could not be checked yet.");
                jobs::retry_in(&transaction, domain, claimed, None, why).await?
            }
            Some(result) => {
                refuse_rest(&transaction, self.record, result).await?;
                jobs::complete_in(&transaction, domain, claimed).await?;
                JobOutcome::Completed
            }
            None => {
                jobs::complete_in(&transaction, domain, claimed).await?;
                JobOutcome::Completed
            }
        };
        transaction.commit().await?;
        Ok(outcome)
    }
}

/// Refuses the pending addresses of a commit whose job is dead.
#[boxed]
pub async fn give_up_following(domain: &Domain, key: &str) -> Result<()> {
    let record = record_of(key)?;
    let transaction = domain.db().begin().await?;
    let Some(account_id) = commits::owner(&transaction, record).await? else { return Ok(()) };
    accounts::lock(&transaction, account_id).await?;
    let loaded = commits::load(&transaction, account_id, record).await?;
    if let Some(result) = loaded.and_then(|commit| commit.result).filter(MutationResult::is_pending) {
        refuse_rest(&transaction, record, result).await?;
    }
    transaction.commit().await?;
    Ok(())
}

async fn refuse_rest(
    connection: &impl ConnectionTrait,
    record: i64,
    mut result: MutationResult,
) -> Result<()> {
    for outcome in result.outcomes.iter_mut().filter(|outcome| outcome.is_pending()) {
        let url = outcome.url.take().unwrap_or_default();
        *outcome = MutationOutcome::refused(None, Code::ServiceUnavailable).of_url(&url);
    }
    commits::update_result(connection, record, &result).await
}

async fn follow_best(
    transaction: &DatabaseTransaction,
    domain: &Domain,
    account_id: AccountId,
    discovered: Discovered,
    new: Follow,
) -> Result<Followed> {
    let (new, _) = choose_best(discovered, new)?;
    follow_in(transaction, domain, account_id, new).await
}

fn record_of(key: &str) -> Result<i64> {
    key.parse().map_err(|_| Error::internal("the job key is not a commit id"))
}
