//! Tags for imported items: each day, the newest imported items that the model has not read are chosen, up to a maximum
//! number.

use entities::ids::{AccountId, ItemId};
use entities::item_summary::{self, SummaryParts};
use entities::model_import_tagging::{ActiveModel, Column, Entity};
use entities::model_task::ModelTaskState;
use identity::accounts;
use jobs::{Engine, JobKind, NewJob, Priority, Submitted};
use kernel::clock::DAY;
use kernel::statement::statement;
use kernel::{Code, Domain, Result};
use library::IS_IMPORTED;
use sea_orm::{
    ActiveValue::Set, ColumnTrait, ConnectionTrait, EntityTrait, IntoActiveModel, QueryFilter, QueryOrder,
    QuerySelect, Value,
};

use crate::choice::{self, ModelChoice};
use crate::{consent, summary};

/// Maximum number of imported items of an account that are chosen per day. The maximum is lower if the plan has fewer
/// than twice as many requests, so that half of the requests remain.
pub const MAX_IMPORTED_PER_DAY: u32 = 100;
/// Maximum number of accounts per tick.
const ACCOUNTS_PER_TICK: u64 = 20;

/// Chooses items of the accounts that are due, and submits their jobs. Returns the number of jobs.
pub(crate) async fn claim_due(engine: &Engine) -> Result<u64> {
    let domain = engine.domain();
    if consent::model_info(domain).is_none() {
        return Ok(0);
    }
    let due = Entity::find()
        .filter(Column::DueAt.lte(domain.now()))
        .order_by_asc(Column::DueAt)
        .limit(ACCOUNTS_PER_TICK)
        .all(domain.db().read())
        .await?;
    let mut pushed = 0;
    for row in due {
        match choose_items(domain, row.account_id).await {
            Ok(submitted) => pushed += engine.push_all(&submitted).await,
            // The account was deleted.
            Err(error) if error.code == Code::NotFound => {}
            // A failure does not stop the other accounts. This account is still due on the next tick.
            Err(error) => {
                tracing::error!(%error, account = %row.account_id, "failed to choose imported items for tags");
            }
        }
    }
    Ok(pushed)
}

/// Writes the requests of an account for a day, unless another process has done so.
async fn choose_items(domain: &Domain, account_id: AccountId) -> Result<Vec<Submitted>> {
    let transaction = domain.db().begin().await?;
    let plan = accounts::lock_limits(&transaction, domain, account_id).await?;
    let due = Entity::owned_by(account_id).filter(Column::DueAt.lte(domain.now()));
    if due.one(&transaction).await?.is_none() {
        return Ok(Vec::new());
    }
    let next = ActiveModel { due_at: Set(domain.now() + DAY), ..Default::default() };
    Entity::update_many().set(next).filter(Column::AccountId.eq(account_id)).exec(&transaction).await?;
    let choice = choice::load(&transaction, account_id).await?;
    let limit = MAX_IMPORTED_PER_DAY.min(plan.model_requests_per_day / 2);
    let ids = match choice.tags_since {
        Some(_) => candidates(&transaction, account_id, &choice, limit).await?,
        None => Vec::new(),
    };
    let new =
        |id: &ItemId| NewJob::new(JobKind::Summary, id.to_string()).owner(account_id).priority(Priority::Low);
    let new: Vec<NewJob> = ids.iter().map(new).collect();
    let submitted = jobs::submit_all(&transaction, domain, &new).await?;
    // An item with a live job is chosen on another day.
    let requested: Vec<ItemId> =
        ids.iter().zip(&submitted).filter(|(_, job)| job.is_some()).map(|(id, _)| *id).collect();
    if !requested.is_empty() {
        item_summary::Entity::delete_many()
            .filter(item_summary::Column::AccountId.eq(account_id))
            .filter(item_summary::Column::ItemId.is_in(requested.clone()))
            .exec(&transaction)
            .await?;
        let row = |id: &ItemId| item_summary::Model {
            is_automatic: true,
            parts: SummaryParts::Tags,
            ..summary::new_row(domain, account_id, *id)
        };
        let rows = requested.iter().map(|id| row(id).into_active_model());
        item_summary::Entity::insert_many(rows).exec_without_returning(&transaction).await?;
    }
    transaction.commit().await?;
    Ok(submitted.into_iter().flatten().collect())
}

/// Returns imported items with a text, the most recently saved first, without items that have an excluded tag.
/// Automatic requests that failed because a limit or the queue was exhausted are repeated. Other items with a request
/// are left out.
async fn candidates(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    choice: &ModelChoice,
    limit: u32,
) -> Result<Vec<ItemId>> {
    let without_excluded = choice.without_excluded(5);
    let sql = format!(
        "SELECT i.id FROM library_item i WHERE i.account_id = $1 AND i.content_hash IS NOT NULL \
         AND {IS_IMPORTED} \
         AND NOT EXISTS (SELECT 1 FROM item_summary s WHERE s.item_id = i.id \
         AND NOT (s.is_automatic AND s.state = $2 AND s.reason IN ($3, $4))) \
         AND NOT EXISTS (SELECT 1 FROM library_pending_deletion d WHERE d.item_id = i.id) AND {without_excluded} \
         ORDER BY i.saved_at DESC, i.id DESC LIMIT {limit}"
    );
    let mut values: Vec<Value> = vec![
        account_id.into(),
        ModelTaskState::Failed.as_str().into(),
        Code::RateLimited.as_str().into(),
        Code::CapacityExhausted.as_str().into(),
    ];
    values.extend(choice.excluded_keys());
    let rows = connection.query_all_raw(statement(connection, &sql, values)).await?;
    rows.iter().map(|row| Ok(row.try_get_by_index(0)?)).collect()
}
