//! Job that searches a library, feed entries, or both by meaning: ranks the texts by vectors and by words, and merges
//! both rankings. The search computes missing vectors of entries. Missing vectors of items are computed in the
//! background.

use async_recursion::async_recursion as boxed;
use entities::ids::{EntryId, ItemId};
use entities::meaning_search::{ActiveModel, Entity, Model, SearchedTexts};
use entities::model_task::ModelTaskState;
use entities::{entry_embedding, item_embedding};
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
use crate::vector_index::{self, Nearest};
use crate::{choice, consent, exchange, item_index_queue, model_task, reciprocal_rank};

/// Maximum number of texts in the ranking by words.
const RANKED_BY_WORDS: u32 = 20;
/// Maximum number of results per kind.
const MAX_RESULTS: usize = 30;

/// Texts of one kind that match a query.
struct Matches<Id> {
    /// Best first.
    ids: Vec<Id>,
    compared: usize,
    /// Number of texts that have no vector yet.
    unindexed: usize,
    /// True if there are more texts than may be compared.
    is_cut: bool,
    /// Number of texts of which only some passages were compared.
    partial: usize,
    /// Error code of a request that left texts without a vector.
    reason: Option<String>,
}

impl<Id> Default for Matches<Id> {
    fn default() -> Self {
        Self { ids: Vec::new(), compared: 0, unindexed: 0, is_cut: false, partial: 0, reason: None }
    }
}

#[derive(Default)]
struct SearchResult {
    items: Matches<ItemId>,
    entries: Matches<EntryId>,
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

/// Runs the search of a job.
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
    let mut result = SearchResult::default();
    if row.searched != SearchedTexts::Entries {
        result.items = search.items().await?;
    }
    if row.searched != SearchedTexts::Items {
        result.entries = search.entries().await?;
    }
    Ok(result)
}

impl VectorSearch<'_> {
    async fn items(&self) -> Result<Matches<ItemId>> {
        let (domain, account_id, model) = (self.domain, self.row.account_id, self.model);
        let nearest =
            vector_index::nearest::<item_embedding::Entity>(domain, account_id, model, &self.vector);
        let Nearest { ids, compared } = nearest.await?;
        let choice = choice::get_choice(domain, account_id).await?;
        let index = ItemIndex { account_id, model: model.to_owned() };
        let coverage = index.coverage(domain, &choice).await?;
        let unindexed = coverage.with_text.saturating_sub(compared);
        if coverage.to_index > compared {
            start_index(domain, &index, &self.vector).await?;
        }
        let filter = ItemFilter { query: Some(self.row.query.clone()), ..ItemFilter::default() };
        let by_words = library::list(domain, account_id, &filter, None, RANKED_BY_WORDS).await?;
        let by_words: Vec<ItemId> = by_words.items.iter().map(|item| item.id).collect();
        let ids = reciprocal_rank::merge(&[ids, by_words], MAX_RESULTS);
        let (is_cut, partial, reason) = (coverage.is_full, coverage.partial, coverage.reason);
        Ok(Matches { ids, compared, unindexed, is_cut, partial, reason })
    }

    async fn entries(&self) -> Result<Matches<EntryId>> {
        let (domain, account_id, model) = (self.domain, self.row.account_id, self.model);
        let entries = EntryIndex::load(domain, account_id, model, &self.vector).await?;
        let filled = entries.fill(domain, self.server).await?;
        let nearest =
            vector_index::nearest::<entry_embedding::Entity>(domain, account_id, model, &self.vector);
        let Nearest { ids, compared } = nearest.await?;
        let query = EntryQuery {
            text: Some(self.row.query.clone()),
            order: QueryOrder::Relevance,
            ..EntryQuery::default()
        };
        let by_words = feeds::query_entries(domain, account_id, &query, None, RANKED_BY_WORDS).await?;
        let by_words: Vec<EntryId> = by_words.items.iter().map(|entry| entry.id).collect();
        let ids = reciprocal_rank::merge(&[ids, by_words], MAX_RESULTS);
        let unindexed = filled.unindexed + entries.without_text;
        let reason = filled.error.map(|error| error.code.as_str().to_owned());
        Ok(Matches { ids, compared, unindexed, is_cut: entries.is_cut, partial: 0, reason })
    }
}

/// Indexes the items of an account, even if its person consented before items were indexed in the background, and again
/// if their vectors cannot be compared with that of the query. Does nothing if the consent has been withdrawn since.
async fn start_index(domain: &Domain, index: &ItemIndex, query: &Embedding) -> Result<()> {
    if let Some(transaction) = consent::begin_with_consent(domain, index.account_id).await? {
        index.delete_incomparable(&transaction, query).await?;
        item_index_queue::start(&transaction, domain, index.account_id).await?;
        transaction.commit().await?;
    }
    Ok(())
}

fn ready(domain: &Domain, result: &SearchResult) -> Result<ActiveModel> {
    let SearchResult { items, entries } = result;
    let count = |number: usize| i32::try_from(number).unwrap_or(i32::MAX);
    Ok(ActiveModel {
        state: Set(ModelTaskState::Ready),
        results: Set(serde_json::to_string(&items.ids).map_err(Error::internal)?),
        compared: Set(count(items.compared)),
        unindexed: Set(count(items.unindexed)),
        items_partial: Set(count(items.partial)),
        items_cut: Set(items.is_cut),
        entry_results: Set(serde_json::to_string(&entries.ids).map_err(Error::internal)?),
        entries_compared: Set(count(entries.compared)),
        entries_unindexed: Set(count(entries.unindexed)),
        entries_cut: Set(entries.is_cut),
        reason: Set(entries.reason.as_ref().or(items.reason.as_ref()).cloned()),
        finished_at: Set(Some(domain.now())),
        ..Default::default()
    })
}
