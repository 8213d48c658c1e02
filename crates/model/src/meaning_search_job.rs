//! Job that searches a library by meaning: computes missing vectors, ranks the items by vectors and by words, and
//! merges both rankings.

use async_recursion::async_recursion as boxed;
use entities::ids::{AccountId, ItemId};
use entities::meaning_search::{ActiveModel, Column, Entity, Model};
use entities::model_task::ModelTaskState;
use fetch::model_server::{ModelEndpoint, ModelServer};
use jobs::{Claimed, JobError, JobOutcome};
use kernel::error::not_found;
use kernel::{Code, Domain, Error, Result};
use library::ItemFilter;
use sea_orm::{ActiveValue::Set, ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter};

use crate::answer::malformed;
use crate::embedding_index::{self, IndexState, Nearest};
use crate::{consent, exchange, reciprocal_rank};

/// Maximum number of items of the ranking by words.
const RANKED_BY_WORDS: u32 = 20;
/// Maximum number of results.
const MAX_RESULTS: usize = 30;

/// Result of a search.
struct SearchResult {
    ids: Vec<ItemId>,
    compared: usize,
    index: IndexState,
}

/// Carries out the search of a job.
#[boxed]
pub(crate) async fn run(
    domain: &Domain,
    server: Option<&ModelServer>,
    claimed: &Claimed,
) -> Result<JobOutcome, JobError> {
    let Some(row) = requested(domain, &claimed.key).await? else {
        return Ok(jobs::complete(domain, claimed).await?.into());
    };
    let change = match search(domain, server, &row).await {
        Ok(result) => ready(domain, &result)?,
        Err(error) if error.is_transient() && !claimed.is_last_attempt() => return Err(error.into()),
        Err(error) => failed(domain, error.code),
    };
    complete(domain, &row, change, claimed).await?;
    Ok(JobOutcome::Completed)
}

async fn complete(domain: &Domain, row: &Model, change: ActiveModel, claimed: &Claimed) -> Result<()> {
    let transaction = domain.db().begin().await?;
    update(&transaction, row, change).await?;
    jobs::complete_in(&transaction, domain, claimed).await?;
    transaction.commit().await?;
    Ok(())
}

/// Records that a search was given up because its job was stopped.
#[boxed]
pub(crate) async fn give_up(domain: &Domain, key: &str) -> Result<()> {
    let Some(row) = requested(domain, key).await? else { return Ok(()) };
    update(domain.db().write(), &row, failed(domain, Code::SourceTimeout)).await
}

/// Returns the search of the account with this id, if it has no result yet.
async fn requested(domain: &Domain, key: &str) -> Result<Option<Model>> {
    let Ok(id) = key.parse::<AccountId>() else { return Ok(None) };
    let row = Entity::owned_by(id).one(domain.db().write()).await?;
    Ok(row.filter(|row| row.state == ModelTaskState::Requested))
}

async fn search(domain: &Domain, server: Option<&ModelServer>, row: &Model) -> Result<SearchResult> {
    let account_id = row.account_id;
    consent::require_consent(domain, account_id).await?;
    let model = domain.policy().model.as_ref().and_then(ModelEndpoint::embeddings);
    let model = model.ok_or_else(|| not_found("search by meaning"))?;
    let query = exchange::embed(domain, server, account_id, vec![row.query.clone()]).await?;
    let query = query.first().ok_or_else(malformed)?;
    let index = embedding_index::fill(domain, server, account_id, model).await?;
    let Nearest { ids, compared } = embedding_index::nearest(domain, account_id, model, query).await?;
    let filter = ItemFilter { query: Some(row.query.clone()), ..ItemFilter::default() };
    let by_words = library::list(domain, account_id, &filter, None, RANKED_BY_WORDS).await?;
    let by_words: Vec<ItemId> = by_words.items.iter().map(|item| item.id).collect();
    Ok(SearchResult { ids: reciprocal_rank::merge(&[ids, by_words], MAX_RESULTS), compared, index })
}

fn ready(domain: &Domain, result: &SearchResult) -> Result<ActiveModel> {
    Ok(ActiveModel {
        state: Set(ModelTaskState::Ready),
        results: Set(serde_json::to_string(&result.ids).map_err(Error::internal)?),
        compared: Set(i32::try_from(result.compared).unwrap_or(i32::MAX)),
        unindexed: Set(i32::try_from(result.index.unindexed).unwrap_or(i32::MAX)),
        reason: Set(result.index.error.as_ref().map(|error| error.code.as_str().to_owned())),
        finished_at: Set(Some(domain.now())),
        ..Default::default()
    })
}

fn failed(domain: &Domain, code: Code) -> ActiveModel {
    ActiveModel {
        state: Set(ModelTaskState::Failed),
        reason: Set(Some(code.as_str().to_owned())),
        finished_at: Set(Some(domain.now())),
        ..Default::default()
    }
}

/// Records the result of a search that has none yet.
async fn update(connection: &impl ConnectionTrait, row: &Model, change: ActiveModel) -> Result<()> {
    Entity::update_many()
        .set(change)
        .filter(Column::AccountId.eq(row.account_id))
        .filter(Column::State.eq(ModelTaskState::Requested))
        .exec(connection)
        .await?;
    Ok(())
}
