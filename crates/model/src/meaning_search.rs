//! Search by meaning in a library and in feed entries: the latest search of an account, and requests for one.

use async_recursion::async_recursion as boxed;
use entities::ids::{AccountId, EntryId, ItemId};
use entities::meaning_search::{Column, Entity, Model, SearchedTexts};
use entities::model_task::ModelTaskState;
use identity::accounts;
use jobs::{JobKind, NewJob, Submitted};
use kernel::{Code, Domain, Error, Millis, Result};
use sea_orm::{ColumnTrait, ConnectionTrait, EntityTrait, IntoActiveModel, QueryFilter};

use crate::model_task::{ModelTask, load_task};
use crate::{budget, consent};

/// Maximum length of a query in characters.
pub const MAX_QUERY_CHARS: usize = 500;

/// Latest search of an account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MeaningSearch {
    pub query: String,
    pub searched: SearchedTexts,
    pub state: ModelTaskState,
    /// Items, best first. They may have been deleted since.
    pub item_ids: Vec<ItemId>,
    /// Number of items whose texts were compared.
    pub compared: i32,
    /// Number of items that could not be compared yet.
    pub unindexed: i32,
    /// Number of items of which only some passages were compared.
    pub items_partial: i32,
    /// True if items were not compared because the plan does not allow enough passages.
    pub items_cut: bool,
    /// Entries, best first. They may have been deleted since, or their feeds unfollowed.
    pub entry_ids: Vec<EntryId>,
    /// Number of entries whose texts were compared.
    pub entries_compared: i32,
    /// Number of entries that could not be compared, including those with neither title nor summary.
    pub entries_unindexed: i32,
    /// True if older unread or starred entries were not compared, because the account has more than a search compares.
    pub entries_cut: bool,
    /// Error code of a failed request to the model, also of one that indexes items in the background.
    pub reason: Option<String>,
    pub requested_at: Millis,
    pub finished_at: Option<Millis>,
}

impl ModelTask for MeaningSearch {
    const KIND: JobKind = JobKind::MeaningSearch;

    fn state(&self) -> ModelTaskState {
        self.state
    }

    fn cancelled(self) -> Self {
        Self { state: ModelTaskState::Failed, reason: Some(Code::Cancelled.as_str().to_owned()), ..self }
    }
}

impl From<Model> for MeaningSearch {
    fn from(row: Model) -> Self {
        Self {
            query: row.query,
            searched: row.searched,
            state: row.state,
            item_ids: serde_json::from_str(&row.results).unwrap_or_default(),
            compared: row.compared,
            unindexed: row.unindexed,
            items_partial: row.items_partial,
            items_cut: row.items_cut,
            entry_ids: serde_json::from_str(&row.entry_results).unwrap_or_default(),
            entries_compared: row.entries_compared,
            entries_unindexed: row.entries_unindexed,
            entries_cut: row.entries_cut,
            reason: row.reason,
            requested_at: row.requested_at,
            finished_at: row.finished_at,
        }
    }
}

/// Returns the latest search of an account. `None` if there was none.
#[boxed]
pub async fn latest_search(domain: &Domain, account_id: AccountId) -> Result<Option<MeaningSearch>> {
    load(domain.db().read(), account_id).await
}

async fn load(connection: &impl ConnectionTrait, account_id: AccountId) -> Result<Option<MeaningSearch>> {
    let query = Entity::owned_by(account_id);
    load_task(connection, query, &account_id.to_string()).await
}

/// Requests a search, which replaces the latest one. While a search is pending, no other is accepted. The caller
/// pushes the job.
///
/// # Errors
/// `not_found` if this installation has no embedding model; `owner_required` without consent; `plan_required` or
/// `rate_limited`; `invalid_request` if the query is empty or too long.
#[boxed]
pub async fn request_search(
    domain: &Domain,
    account_id: AccountId,
    searched: SearchedTexts,
    query: &str,
) -> Result<(MeaningSearch, Option<Submitted>)> {
    consent::require_embeddings(domain)?;
    consent::require_consent(domain, account_id).await?;
    let query = validated_query("query", query)?;
    let present = latest_search(domain, account_id).await?;
    if let Some(search) = present.filter(|search| search.state == ModelTaskState::Requested) {
        return Ok((search, None));
    }
    let row = new_row(domain, account_id, searched, query);
    budget::charge_submission(domain, account_id, submit(domain, row)).await
}

/// Checks the text of a query field, and returns it trimmed.
///
/// # Errors
/// `invalid_request` if it is empty or too long.
pub(crate) fn validated_query<'a>(field: &'static str, text: &'a str) -> Result<&'a str> {
    let query = text.trim();
    if query.is_empty() || query.chars().count() > MAX_QUERY_CHARS || query.contains('\0') {
        return Err(Error::invalid_field(field, format!("must have 1 to {MAX_QUERY_CHARS} characters")));
    }
    Ok(query)
}

/// Writes a waiting search and its job, unless a simultaneous request has written them.
async fn submit(domain: &Domain, row: Model) -> Result<(MeaningSearch, Option<Submitted>)> {
    let account_id = row.account_id;
    let transaction = domain.db().begin().await?;
    accounts::lock(&transaction, account_id).await?;
    let present = load(&transaction, account_id).await?;
    if let Some(search) = present.filter(|search| search.state == ModelTaskState::Requested) {
        return Ok((search, None));
    }
    Entity::delete_many().filter(Column::AccountId.eq(account_id)).exec(&transaction).await?;
    Entity::insert(row.clone().into_active_model()).exec_without_returning(&transaction).await?;
    let job = NewJob::new(JobKind::MeaningSearch, account_id.to_string()).owner(account_id);
    let job = jobs::submit(&transaction, domain, job).await?;
    transaction.commit().await?;
    Ok((row.into(), Some(job)))
}

/// Creates the row of a search that waits for its job.
fn new_row(domain: &Domain, account_id: AccountId, searched: SearchedTexts, query: &str) -> Model {
    Model {
        account_id,
        query: query.to_owned(),
        state: ModelTaskState::Requested,
        results: "[]".to_owned(),
        compared: 0,
        unindexed: 0,
        items_partial: 0,
        items_cut: false,
        reason: None,
        requested_at: domain.now(),
        finished_at: None,
        searched,
        entry_results: "[]".to_owned(),
        entries_compared: 0,
        entries_unindexed: 0,
        entries_cut: false,
    }
}
