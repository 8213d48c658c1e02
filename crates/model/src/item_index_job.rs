//! Job that updates the index of an account's items in the background: sends passages without a vector to the embedding
//! model. The number of requests per run is bounded, so that other accounts do not wait; the account is then due again.

use async_recursion::async_recursion as boxed;
use entities::ids::AccountId;
use entities::model_item_index::{Entity, Model};
use fetch::model_server::{ModelEndpoint, ModelServer};
use identity::accounts;
use identity::limits::AccountLimits;
use jobs::{Claimed, JobKind};
use kernel::clock::{DAY, MINUTE, SECOND};
use kernel::statement::execute;
use kernel::tiers::TierLimits;
use kernel::{Code, Domain, Error, Millis, Result};
use sea_orm::Value;

use crate::choice;
use crate::embedding::Embedding;
use crate::item_index::{ItemIndex, ItemPassages, MAX_PASSAGES, UnindexedItem};
use crate::{budget, consent, exchange};

/// Maximum number of passages per request.
const PASSAGES_PER_REQUEST: usize = 16;
/// Number of requests after which a run does not start further items.
const MAX_REQUESTS: usize = 20;
/// Time after which a run does not start further items.
const MAX_DURATION: Millis = 5 * MINUTE;
/// Time after which a complete index is checked again, for example because the operator has changed the model.
const CHECK_INTERVAL: Millis = DAY;
/// Number of consecutive failed runs after which a failure of the model may be due to one text, for example if it has
/// more tokens than the model server processes at a time.
const PERSISTENT_FAILURES: i32 = 5;
/// Text that every model accepts.
const PROBE: &str = "text";

/// Result of a run.
enum IndexRunResult {
    /// Every item that may be sent to the model is indexed.
    Complete,
    /// Further items are not indexed yet.
    Partial,
    /// The plan allows no further passages.
    Full,
    Failed(Error),
}

/// Updates the index of the account of a job.
#[boxed]
pub(crate) async fn run(domain: &Domain, server: Option<&ModelServer>, claimed: &Claimed) -> Result<()> {
    let account_id: AccountId =
        claimed.key.parse().map_err(|_| Error::internal("the job key is not an account id"))?;
    let row = Entity::owned_by(account_id).one(domain.db().write()).await?;
    let model = domain.policy().model.as_ref().and_then(ModelEndpoint::embeddings);
    let Some((row, model)) = row.zip(model) else {
        return jobs::complete(domain, claimed).await;
    };
    let index = ItemIndex { account_id, model: model.to_owned() };
    let mut update =
        IndexUpdate { domain, server, index, started_at: domain.now(), requests: 0, failures: row.failures };
    let result = update.run().await?;
    record(domain, &row, result, claimed).await
}

/// Records the result of a run and completes its job, in one transaction. A due time that was changed during the run is
/// retained, because an item that was stored meanwhile may not be indexed.
async fn record(domain: &Domain, row: &Model, result: IndexRunResult, claimed: &Claimed) -> Result<()> {
    let (mut failures, mut error, mut is_full) = (0, None, false);
    let delay = match result {
        IndexRunResult::Partial => 0,
        IndexRunResult::Complete => CHECK_INTERVAL,
        IndexRunResult::Full => {
            is_full = true;
            CHECK_INTERVAL
        }
        IndexRunResult::Failed(failure) => {
            tracing::warn!(error = %failure, account = %row.account_id, "item index not updated");
            failures = row.failures.saturating_add(1);
            is_full = row.is_full;
            let delay = retry_delay(domain, &failure, failures);
            error = Some(failure.code.as_str().to_owned());
            delay
        }
    };
    let transaction = domain.db().begin().await?;
    let sql = "UPDATE model_item_index SET due_at = CASE WHEN due_at = $2 THEN $3 ELSE due_at END, \
        failures = $4, reason = $5, is_full = $6 WHERE account_id = $1";
    let values: [Value; 6] = [
        row.account_id.into(),
        row.due_at.into(),
        (domain.now() + delay).into(),
        failures.into(),
        error.into(),
        is_full.into(),
    ];
    execute(&transaction, sql, values).await?;
    jobs::complete_in(&transaction, domain, claimed).await?;
    transaction.commit().await?;
    Ok(())
}

/// Returns the delay after `failures` consecutive failed runs: until the daily number of requests is reset, or else a
/// growing back-off.
fn retry_delay(domain: &Domain, error: &Error, failures: i32) -> Millis {
    let requested = error.retry_after.map_or(0, |seconds| Millis::from(seconds) * SECOND).min(DAY);
    if matches!(error.code, Code::RateLimited | Code::PlanRequired) {
        return if requested > 0 { requested } else { DAY };
    }
    let [jitter] = domain.random::<1>();
    let failures = u32::try_from(failures).unwrap_or_default();
    requested.max(JobKind::ItemIndex.rules().backoff_ms(failures, jitter))
}

/// Run that updates an index.
struct IndexUpdate<'a> {
    domain: &'a Domain,
    server: Option<&'a ModelServer>,
    index: ItemIndex,
    started_at: Millis,
    /// Number of requests so far.
    requests: usize,
    /// Number of consecutive failed runs before this run.
    failures: i32,
}

impl IndexUpdate<'_> {
    async fn run(&mut self) -> Result<IndexRunResult> {
        let domain = self.domain;
        let choice = choice::get_choice(domain, self.index.account_id).await?;
        if choice.is_unreadable {
            return Ok(IndexRunResult::Complete);
        }
        let plan = accounts::get(domain, self.index.account_id).await?.limits(domain);
        let limit = i64::from(plan.indexed_passages);
        self.index.delete_surplus(domain, &choice).await?;
        self.index.trim(domain, limit).await?;
        let result = self.index_items(&plan).await?;
        self.index.trim(domain, limit).await?;
        Ok(result)
    }

    async fn index_items(&mut self, plan: &TierLimits) -> Result<IndexRunResult> {
        let domain = self.domain;
        let limit = i64::from(plan.indexed_passages);
        let requests_per_day = usize::try_from(plan.model_requests_per_day).unwrap_or(usize::MAX);
        // No item needs more requests than the plan allows per day.
        let max_passages = requests_per_day.saturating_mul(PASSAGES_PER_REQUEST).clamp(1, MAX_PASSAGES);
        let mut last: Option<UnindexedItem> = None;
        loop {
            // Tags that were excluded or renamed during the run apply to the next page.
            let choice = choice::get_choice(domain, self.index.account_id).await?;
            if choice.is_unreadable {
                return Ok(IndexRunResult::Complete);
            }
            let page = self.index.unindexed(domain, &choice, last.as_ref()).await?;
            if page.is_empty() {
                return Ok(IndexRunResult::Complete);
            }
            last = page.last().cloned();
            let items = self.index.load(domain, page, max_passages).await?;
            let (items, is_full) = self.within_plan(items, limit).await?;
            for group in groups(items) {
                if self.requests >= MAX_REQUESTS || domain.now() - self.started_at > MAX_DURATION {
                    return Ok(IndexRunResult::Partial);
                }
                if let Err(error) = self.index_group(group).await? {
                    return Ok(IndexRunResult::Failed(error));
                }
            }
            if is_full {
                return Ok(IndexRunResult::Full);
            }
        }
    }

    /// Returns the first items of a page that the plan allows in addition to all newer items, and true if it does not
    /// allow the next item.
    async fn within_plan(&self, page: Vec<ItemPassages>, limit: i64) -> Result<(Vec<ItemPassages>, bool)> {
        let indexed = self.index.passages(self.domain).await?;
        let (mut items, mut added) = (Vec::with_capacity(page.len()), 0);
        for item in page {
            added += i64::try_from(item.texts.len()).unwrap_or_default();
            // Counting the newer items is slow, and needed only if the plan does not allow all items.
            if indexed + added > limit && self.index.newer_passages(self.domain, &item).await? + added > limit
            {
                return Ok((items, true));
            }
            items.push(item);
        }
        Ok((items, false))
    }

    /// Stores the vectors of some items. The inner error is an error of the model.
    async fn index_group(&mut self, group: Vec<ItemPassages>) -> Result<Result<()>> {
        let texts: Vec<String> = group.iter().flat_map(|item| item.texts.iter().cloned()).collect();
        let mut vectors = match self.vectors_of(&texts).await {
            Ok(vectors) => vectors.into_iter(),
            Err(error) => return Ok(Err(error)),
        };
        let with_vectors = |item: ItemPassages| {
            let own: Vec<Option<Embedding>> = vectors.by_ref().take(item.texts.len()).collect();
            (item, own)
        };
        let indexed: Vec<_> = group.into_iter().map(with_vectors).collect();
        self.index.store(self.domain, indexed).await.map(Ok)
    }

    /// Returns the vectors of texts, in the order of the texts. `None` for a text that the model refuses. A request is
    /// counted against the plan unless the model fails.
    async fn vectors_of(&mut self, texts: &[String]) -> Result<Vec<Option<Embedding>>> {
        let (domain, account_id) = (self.domain, self.index.account_id);
        let mut vectors = Vec::with_capacity(texts.len());
        for part in texts.chunks(PASSAGES_PER_REQUEST) {
            consent::require_consent(domain, account_id).await?;
            let charges = budget::charge_index(domain, account_id).await?;
            let parsed: Result<Vec<Option<Embedding>>> = match self.embed(part).await {
                Ok(parsed) => Ok(parsed.into_iter().map(Some).collect()),
                Err(error) if self.may_be_of_text(error.code) => self.vectors_one_by_one(part).await,
                Err(error) => Err(error),
            };
            if parsed.is_err() {
                domain.limits().windows().refund_each(&charges).await;
            }
            vectors.extend(parsed?);
        }
        Ok(vectors)
    }

    /// Sends the texts of a refused request one by one, so that only refused texts have no vector. The requests are
    /// not counted against the plan again.
    ///
    /// # Errors
    /// Returns an error if the model refuses every text, for example because its key is wrong.
    async fn vectors_one_by_one(&mut self, texts: &[String]) -> Result<Vec<Option<Embedding>>> {
        self.embed(&[PROBE.to_owned()]).await?;
        if texts.len() == 1 {
            return Ok(vec![None]);
        }
        let mut vectors = Vec::with_capacity(texts.len());
        for text in texts {
            match self.embed(std::slice::from_ref(text)).await {
                Ok(parsed) => vectors.push(parsed.into_iter().next()),
                Err(error) if exchange::is_of_text(error.code) => vectors.push(None),
                Err(error) if self.may_be_of_text(error.code) => {
                    self.embed(&[PROBE.to_owned()]).await?;
                    vectors.push(None);
                }
                Err(error) => return Err(error),
            }
        }
        Ok(vectors)
    }

    /// Returns true if the model may answer requests with other texts. Some servers report a text that is too long as
    /// an internal error, which must not block the other items forever.
    fn may_be_of_text(&self, code: Code) -> bool {
        exchange::is_of_text(code) || code == Code::SourceError && self.failures >= PERSISTENT_FAILURES
    }

    async fn embed(&mut self, texts: &[String]) -> Result<Vec<Embedding>> {
        self.requests += 1;
        exchange::embed(self.domain, self.server, self.index.account_id, texts.to_vec()).await
    }
}

/// Groups items so that each group needs one request, or has only one item.
fn groups(items: Vec<ItemPassages>) -> Vec<Vec<ItemPassages>> {
    let (mut groups, mut passages): (Vec<Vec<ItemPassages>>, usize) = (Vec::new(), 0);
    for item in items {
        passages += item.texts.len();
        if let Some(group) = groups.last_mut().filter(|_| passages <= PASSAGES_PER_REQUEST) {
            group.push(item);
        } else {
            passages = item.texts.len();
            groups.push(vec![item]);
        }
    }
    groups
}
