//! Summaries and tags of library items: the stored answer, and requests for one.

use async_recursion::async_recursion as boxed;
use entities::ids::{AccountId, ItemId};
use entities::item_summary::{Column, Entity, Model, SummaryParts};
use entities::library_item;
use entities::model_task::ModelTaskState;
use identity::accounts;
use jobs::{JobKind, NewJob, Priority, Submitted};
use kernel::error::not_found;
use kernel::statement::scalar_optional;
use kernel::{Code, Domain, Millis, Result};
use library::IS_IMPORTED;
use sea_orm::{ColumnTrait, ConnectionTrait, EntityTrait, IntoActiveModel, QueryFilter};

use crate::model_task::{ModelTask, load_task};
use crate::{budget, consent};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ItemSummary {
    pub item_id: ItemId,
    pub state: ModelTaskState,
    /// At most three sentences. `None` unless the state is `ready` and a summary was requested.
    pub text: Option<String>,
    /// Suggested tags: existing tags of the account, and new tags if the account allows them.
    pub tags: Vec<String>,
    /// Error code of a failed request.
    pub reason: Option<String>,
    /// Name of the model that answered.
    pub model: Option<String>,
    /// Time at which the summarized text was fetched or supplied.
    pub text_at: Option<Millis>,
    /// True if only the beginning of the text was sent.
    pub is_partial: bool,
    pub requested_at: Millis,
    pub finished_at: Option<Millis>,
    /// True if the request results from the choices of the account, not from a person's request for this item.
    pub is_automatic: bool,
    /// Requested parts.
    pub parts: SummaryParts,
}

impl ItemSummary {
    /// Returns true for a request of the person that has no result yet.
    fn is_requested_by_person(&self) -> bool {
        self.state == ModelTaskState::Requested && !self.is_automatic
    }

    /// Returns true if tags will be attached to the item.
    fn awaits_tags(&self) -> bool {
        self.state == ModelTaskState::Requested && self.parts.attaches_tags()
    }
}

impl ModelTask for ItemSummary {
    const KIND: JobKind = JobKind::Summary;

    fn state(&self) -> ModelTaskState {
        self.state
    }

    fn cancelled(self) -> Self {
        Self { state: ModelTaskState::Failed, reason: Some(Code::Cancelled.as_str().to_owned()), ..self }
    }
}

impl From<Model> for ItemSummary {
    fn from(row: Model) -> Self {
        Self {
            item_id: row.item_id,
            state: row.state,
            text: row.summary,
            tags: serde_json::from_str(&row.tags).unwrap_or_default(),
            reason: row.reason,
            model: row.model,
            text_at: row.text_at,
            is_partial: row.is_partial,
            requested_at: row.requested_at,
            finished_at: row.finished_at,
            is_automatic: row.is_automatic,
            parts: row.parts,
        }
    }
}

/// Returns the summary of an item. `None` if none was requested.
#[boxed]
pub async fn get_summary(
    domain: &Domain,
    account_id: AccountId,
    item_id: ItemId,
) -> Result<Option<ItemSummary>> {
    load(domain.db().read(), account_id, item_id).await
}

async fn load(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    item_id: ItemId,
) -> Result<Option<ItemSummary>> {
    let query = Entity::owned_by(account_id).filter(Column::ItemId.eq(item_id));
    load_task(connection, query, &item_id.to_string()).await
}

/// Returns the time at which tags of imported items were last requested automatically. `None` if they never were.
pub(crate) async fn last_import_request(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
) -> Result<Option<Millis>> {
    let sql = format!(
        "SELECT MAX(s.requested_at) FROM item_summary s JOIN library_item i ON i.id = s.item_id \
         WHERE s.account_id = $1 AND s.is_automatic AND s.parts = $2 AND {IS_IMPORTED}"
    );
    scalar_optional(connection, &sql, [account_id.into(), SummaryParts::Tags.as_str().into()]).await
}

/// Requests a summary of an item. It replaces an earlier summary and a pending automatic request. A pending request of
/// the person is not repeated. The caller pushes the job.
///
/// # Errors
/// `not_found` if the item does not exist, or this installation has no model; `owner_required` without consent;
/// `plan_required` or `rate_limited`; if the item has no text, the error states the reason.
#[boxed]
pub async fn request_summary(
    domain: &Domain,
    account_id: AccountId,
    item_id: ItemId,
) -> Result<(ItemSummary, Option<Submitted>)> {
    consent::require_model(domain)?;
    library::text_of(domain, account_id, item_id).await?;
    consent::require_consent(domain, account_id).await?;
    let present = get_summary(domain, account_id, item_id).await?;
    if let Some(summary) = present.filter(ItemSummary::is_requested_by_person) {
        return Ok((summary, None));
    }
    budget::charge_submission(domain, account_id, submit(domain, account_id, item_id)).await
}

/// Writes a waiting summary and its job, unless a simultaneous request has written them.
async fn submit(
    domain: &Domain,
    account_id: AccountId,
    item_id: ItemId,
) -> Result<(ItemSummary, Option<Submitted>)> {
    let transaction = domain.db().begin().await?;
    accounts::lock(&transaction, account_id).await?;
    let item = library_item::Entity::owned_by(account_id).filter(library_item::Column::Id.eq(item_id));
    if item.one(&transaction).await?.is_none() {
        return Err(not_found("item"));
    }
    let present = load(&transaction, account_id, item_id).await?;
    // The tags that the replaced request would have attached are attached by this one.
    let attaches_tags = present.as_ref().is_some_and(ItemSummary::awaits_tags);
    let parts = if attaches_tags { SummaryParts::SummaryAndTags } else { SummaryParts::Summary };
    if let Some(summary) = present.filter(ItemSummary::is_requested_by_person) {
        return Ok((summary, None));
    }
    let row = Model { parts, ..new_row(domain, account_id, item_id) };
    Entity::delete_many()
        .filter(Column::ItemId.eq(item_id))
        .filter(Column::AccountId.eq(account_id))
        .exec(&transaction)
        .await?;
    Entity::insert(row.clone().into_active_model()).exec_without_returning(&transaction).await?;
    // Automatic summaries have a low priority, so that they neither delay nor displace this one.
    let job = NewJob::new(JobKind::Summary, item_id.to_string()).owner(account_id).priority(Priority::Normal);
    let job = jobs::submit(&transaction, domain, job).await?;
    transaction.commit().await?;
    Ok((row.into(), Some(job)))
}

/// Creates the row of a summary that waits for its job.
pub(crate) fn new_row(domain: &Domain, account_id: AccountId, item_id: ItemId) -> Model {
    Model {
        item_id,
        account_id,
        state: ModelTaskState::Requested,
        summary: None,
        tags: "[]".to_owned(),
        reason: None,
        model: None,
        text_at: None,
        is_partial: false,
        requested_at: domain.now(),
        finished_at: None,
        is_automatic: false,
        parts: SummaryParts::Summary,
    }
}
