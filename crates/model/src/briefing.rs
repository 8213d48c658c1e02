//! Briefings over the unread entries of a collection: the stored briefing, and requests for one.

use async_recursion::async_recursion as boxed;
use entities::ids::{AccountId, CollectionId, EntryId};
use entities::model_briefing::{Column, Entity, Model};
use entities::model_task::ModelTaskState;
use entities::rss_collection;
use feeds::EntryFilter;
use identity::accounts;
use jobs::{JobKind, NewJob, Submitted};
use kernel::error::not_found;
use kernel::{Code, Domain, Error, Millis, Result};
use sea_orm::{ColumnTrait, ConnectionTrait, EntityTrait, IntoActiveModel, QueryFilter};
use serde::{Deserialize, Serialize};

use crate::model_task::{ModelTask, load_task};
use crate::{budget, consent};

/// Briefing over the entries of a collection that were unread when it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Briefing {
    pub collection_id: CollectionId,
    pub state: ModelTaskState,
    pub lines: Vec<BriefingLine>,
    /// Number of entries that the briefing covers.
    pub entries: i32,
    /// Number of unread entries that the briefing does not cover.
    pub omitted_entries: i32,
    /// Number of sentences that were dropped because they cite no entry.
    pub dropped_sentences: i32,
    /// Error code of a failed request, or of the request that ended the briefing early.
    pub reason: Option<String>,
    /// Name of the model that answered.
    pub model: Option<String>,
    pub requested_at: Millis,
    pub finished_at: Option<Millis>,
}

/// Sentence of a briefing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BriefingLine {
    /// Plain text.
    pub text: String,
    /// Ids of the entries that the sentence cites, at least one.
    entries: Vec<i64>,
}

impl BriefingLine {
    pub(crate) fn new(text: String, entries: Vec<i64>) -> Self {
        Self { text, entries }
    }

    /// Returns the ids of the entries that the sentence cites.
    pub fn entry_ids(&self) -> impl Iterator<Item = EntryId> + '_ {
        self.entries.iter().copied().map(EntryId::new)
    }
}

impl ModelTask for Briefing {
    const KIND: JobKind = JobKind::Briefing;

    fn state(&self) -> ModelTaskState {
        self.state
    }

    fn cancelled(self) -> Self {
        Self { state: ModelTaskState::Failed, reason: Some(Code::Cancelled.as_str().to_owned()), ..self }
    }
}

impl From<Model> for Briefing {
    fn from(row: Model) -> Self {
        Self {
            collection_id: row.collection_id,
            state: row.state,
            lines: serde_json::from_str(&row.lines).unwrap_or_default(),
            entries: row.entries,
            omitted_entries: row.omitted_entries,
            dropped_sentences: row.dropped_sentences,
            reason: row.reason,
            model: row.model,
            requested_at: row.requested_at,
            finished_at: row.finished_at,
        }
    }
}

/// Returns the filter for the entries of a briefing.
pub(crate) fn unread_of(collection_id: CollectionId) -> EntryFilter {
    EntryFilter { collection_id: Some(collection_id), unread: Some(true), ..EntryFilter::default() }
}

/// Returns the briefing of a collection. `None` if none was requested.
#[boxed]
pub async fn get_briefing(
    domain: &Domain,
    account_id: AccountId,
    collection_id: CollectionId,
) -> Result<Option<Briefing>> {
    load(domain.db().read(), account_id, collection_id).await
}

async fn load(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    collection_id: CollectionId,
) -> Result<Option<Briefing>> {
    let query = Entity::owned_by(account_id).filter(Column::CollectionId.eq(collection_id));
    load_task(connection, query, &collection_id.to_string()).await
}

/// Requests a briefing of a collection. It replaces an earlier briefing. A pending request is not repeated. The caller
/// pushes the job.
///
/// # Errors
/// `not_found` if the collection does not exist, or this installation has no model; `owner_required` without consent;
/// `plan_required` or `rate_limited`; `invalid_request` if there are no unread entries.
#[boxed]
pub async fn request_briefing(
    domain: &Domain,
    account_id: AccountId,
    collection_id: CollectionId,
) -> Result<(Briefing, Option<Submitted>)> {
    consent::require_model(domain)?;
    feeds::get_collection(domain, account_id, collection_id).await?;
    consent::require_consent(domain, account_id).await?;
    let present = get_briefing(domain, account_id, collection_id).await?;
    if let Some(briefing) = present.filter(|briefing| briefing.state == ModelTaskState::Requested) {
        return Ok((briefing, None));
    }
    let unread = feeds::list_entries(domain, account_id, &unread_of(collection_id), None, 1).await?;
    if unread.entries.is_empty() {
        let error = Error::new(Code::InvalidRequest, "This collection has no unread entries.");
        return Err(error.at("id", "is a collection without unread entries"));
    }
    budget::charge_submission(domain, account_id, submit(domain, account_id, collection_id)).await
}

/// Writes a waiting briefing and its job, unless a simultaneous request has written them.
async fn submit(
    domain: &Domain,
    account_id: AccountId,
    collection_id: CollectionId,
) -> Result<(Briefing, Option<Submitted>)> {
    let transaction = domain.db().begin().await?;
    accounts::lock(&transaction, account_id).await?;
    let collection = rss_collection::Entity::owned_by(account_id);
    let collection = collection.filter(rss_collection::Column::Id.eq(collection_id));
    if collection.one(&transaction).await?.is_none() {
        return Err(not_found("collection"));
    }
    let present = load(&transaction, account_id, collection_id).await?;
    if let Some(briefing) = present.filter(|briefing| briefing.state == ModelTaskState::Requested) {
        return Ok((briefing, None));
    }
    let row = new_row(domain, account_id, collection_id);
    Entity::delete_many()
        .filter(Column::CollectionId.eq(collection_id))
        .filter(Column::AccountId.eq(account_id))
        .exec(&transaction)
        .await?;
    Entity::insert(row.clone().into_active_model()).exec_without_returning(&transaction).await?;
    let job = NewJob::new(JobKind::Briefing, collection_id.to_string()).owner(account_id);
    let job = jobs::submit(&transaction, domain, job).await?;
    transaction.commit().await?;
    Ok((row.into(), Some(job)))
}

/// Creates the row of a briefing that waits for its job.
fn new_row(domain: &Domain, account_id: AccountId, collection_id: CollectionId) -> Model {
    Model {
        collection_id,
        account_id,
        state: ModelTaskState::Requested,
        lines: "[]".to_owned(),
        entries: 0,
        omitted_entries: 0,
        dropped_sentences: 0,
        reason: None,
        model: None,
        requested_at: domain.now(),
        finished_at: None,
    }
}
