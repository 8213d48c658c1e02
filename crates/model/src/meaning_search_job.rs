//! Job that searches a library by meaning: computes missing vectors, ranks the items by vectors and by words, and
//! merges both rankings.

use async_recursion::async_recursion as boxed;
use entities::ids::{AccountId, ItemId};
use entities::meaning_search::{ActiveModel, Column, Entity, Model};
use entities::model_task::ModelTaskState;
use fetch::model_server::{ModelEndpoint, ModelServer};
use jobs::{Claimed, JobError, JobOutcome};
use kernel::error::not_found;
use kernel::{Code, Domain, Error, Millis, Result};
use library::ItemFilter;
use sea_orm::{ActiveValue::Set, ColumnTrait, Condition, Select};

use crate::answer::malformed;
use crate::embedding_index::{self, IndexState, Nearest};
use crate::model_task::{self, TaskTable};
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
    let Some(row) = model_task::requested::<Entity>(domain, &claimed.key).await? else {
        return Ok(jobs::complete(domain, claimed).await?.into());
    };
    let change = match search(domain, server, &row).await {
        Ok(result) => ready(domain, &result)?,
        Err(error) => model_task::failed::<Entity>(domain, claimed, error)?,
    };
    model_task::complete::<Entity>(domain, &row, change, claimed).await?;
    Ok(JobOutcome::Completed)
}

/// Records that a search was given up because its job was stopped.
#[boxed]
pub(crate) async fn give_up(domain: &Domain, key: &str) -> Result<()> {
    model_task::give_up::<Entity>(domain, key).await
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

impl TaskTable for Entity {
    type Change = ActiveModel;

    fn of_key(key: &str) -> Option<Select<Self>> {
        key.parse::<AccountId>().ok().map(Self::owned_by)
    }

    fn state(row: &Model) -> ModelTaskState {
        row.state
    }

    fn waiting(row: &Model) -> Condition {
        Condition::all()
            .add(Column::AccountId.eq(row.account_id))
            .add(Column::State.eq(ModelTaskState::Requested))
    }

    fn failed(code: Code, at: Millis) -> ActiveModel {
        ActiveModel {
            state: Set(ModelTaskState::Failed),
            reason: Set(Some(code.as_str().to_owned())),
            finished_at: Set(Some(at)),
            ..Default::default()
        }
    }
}
