//! Job that searches a library, feed entries, or both by meaning: computes missing vectors, ranks the texts by vectors
//! and by words, and merges both rankings.

use async_recursion::async_recursion as boxed;
use entities::ids::{EntryId, ItemId};
use entities::meaning_search::{ActiveModel, Entity, Model, SearchedTexts};
use entities::model_task::ModelTaskState;
use feeds::{EntryQuery, QueryOrder};
use fetch::model_server::{ModelEndpoint, ModelServer};
use jobs::{Claimed, JobError, JobOutcome};
use kernel::error::not_found;
use kernel::{Domain, Error, Result};
use library::ItemFilter;
use sea_orm::ActiveValue::Set;

use crate::answer::malformed;
use crate::embedding::Embedding;
use crate::entry_index::EntryIndex;
use crate::item_index::ItemIndex;
use crate::vector_index::{self, IndexState, Nearest, RequestBounds};
use crate::{consent, exchange, model_task, reciprocal_rank};

/// Maximum number of texts of the ranking by words.
const RANKED_BY_WORDS: u32 = 20;
/// Maximum number of results of each kind.
const MAX_RESULTS: usize = 30;

/// Texts of one kind that match a query.
struct Matches<Id> {
    /// Best first.
    ids: Vec<Id>,
    compared: usize,
    index: IndexState,
}

impl<Id> Default for Matches<Id> {
    fn default() -> Self {
        Self { ids: Vec::new(), compared: 0, index: IndexState::default() }
    }
}

#[derive(Default)]
struct SearchResult {
    items: Matches<ItemId>,
    entries: Matches<EntryId>,
    /// True if the account has more entries than a search compares.
    entries_cut: bool,
}

/// Query of a search, with its vector.
struct VectorSearch<'a> {
    domain: &'a Domain,
    server: Option<&'a ModelServer>,
    row: &'a Model,
    /// Name of the embedding model.
    model: &'a str,
    vector: Embedding,
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
    consent::require_consent(domain, row.account_id).await?;
    let model = domain.policy().model.as_ref().and_then(ModelEndpoint::embeddings);
    let model = model.ok_or_else(|| not_found("search by meaning"))?;
    let vectors = exchange::embed(domain, server, row.account_id, vec![row.query.clone()]).await?;
    let vector = vectors.into_iter().next().ok_or_else(malformed)?;
    let search = VectorSearch { domain, server, row, model, vector };
    let mut bounds = RequestBounds::new(domain);
    let mut result = SearchResult::default();
    if row.searched != SearchedTexts::Entries {
        result.items = search.items(&mut bounds).await?;
    }
    if row.searched != SearchedTexts::Items {
        (result.entries, result.entries_cut) = search.entries(&mut bounds).await?;
    }
    Ok(result)
}

impl VectorSearch<'_> {
    async fn items(&self, bounds: &mut RequestBounds) -> Result<Matches<ItemId>> {
        let (domain, account_id) = (self.domain, self.row.account_id);
        let items = ItemIndex { account_id, model: self.model.to_owned() };
        let index = vector_index::fill(domain, self.server, &items, bounds).await?;
        let Nearest { ids, compared } = vector_index::nearest(domain, &items, &self.vector).await?;
        let filter = ItemFilter { query: Some(self.row.query.clone()), ..ItemFilter::default() };
        let by_words = library::list(domain, account_id, &filter, None, RANKED_BY_WORDS).await?;
        let by_words: Vec<ItemId> = by_words.items.iter().map(|item| item.id).collect();
        let ids = reciprocal_rank::merge(&[ids, by_words], MAX_RESULTS);
        Ok(Matches { ids, compared, index })
    }

    /// Returns the matching entries. True if older entries were not compared.
    async fn entries(&self, bounds: &mut RequestBounds) -> Result<(Matches<EntryId>, bool)> {
        let (domain, account_id) = (self.domain, self.row.account_id);
        let entries = EntryIndex::load(domain, account_id, self.model).await?;
        let mut index = vector_index::fill(domain, self.server, &entries, bounds).await?;
        index.unindexed += entries.without_text;
        let Nearest { ids, compared } = vector_index::nearest(domain, &entries, &self.vector).await?;
        let query = EntryQuery {
            text: Some(self.row.query.clone()),
            order: QueryOrder::Relevance,
            ..EntryQuery::default()
        };
        let by_words = feeds::query_entries(domain, account_id, &query, None, RANKED_BY_WORDS).await?;
        let by_words: Vec<EntryId> = by_words.items.iter().map(|entry| entry.id).collect();
        let ids = reciprocal_rank::merge(&[ids, by_words], MAX_RESULTS);
        Ok((Matches { ids, compared, index }, entries.is_cut))
    }
}

fn ready(domain: &Domain, result: &SearchResult) -> Result<ActiveModel> {
    let SearchResult { items, entries, entries_cut } = result;
    let count = |number: usize| i32::try_from(number).unwrap_or(i32::MAX);
    let error = entries.index.error.as_ref().or(items.index.error.as_ref());
    Ok(ActiveModel {
        state: Set(ModelTaskState::Ready),
        results: Set(serde_json::to_string(&items.ids).map_err(Error::internal)?),
        compared: Set(count(items.compared)),
        unindexed: Set(count(items.index.unindexed)),
        entry_results: Set(serde_json::to_string(&entries.ids).map_err(Error::internal)?),
        entries_compared: Set(count(entries.compared)),
        entries_unindexed: Set(count(entries.index.unindexed)),
        entries_cut: Set(*entries_cut),
        reason: Set(error.map(|error| error.code.as_str().to_owned())),
        finished_at: Set(Some(domain.now())),
        ..Default::default()
    })
}
