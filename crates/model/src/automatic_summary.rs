//! Automatic summaries and tags. If the account has chosen them, a request is written when the text of a new item is
//! stored. The index of the items is updated soon after.

use entities::item_summary::{Column, Entity, Model, SummaryParts};
use entities::model_task::ModelTaskState;
use futures_util::future::BoxFuture;
use jobs::{JobKind, NewJob, Priority};
use kernel::{Code, Domain, Result};
use library::{StoredTextHook, TextedItem};
use sea_orm::{ColumnTrait, DatabaseTransaction, EntityTrait, IntoActiveModel, QueryFilter};

use crate::{choice, consent, item_index_queue, summary};

/// Requests summaries and tags of new items, and updates of the index.
#[derive(Clone, Copy, Debug)]
pub struct AutomaticSummaries;

impl StoredTextHook for AutomaticSummaries {
    fn text_stored<'a>(
        &'a self,
        transaction: &'a DatabaseTransaction,
        domain: &'a Domain,
        item: TextedItem<'a>,
    ) -> BoxFuture<'a, Result<()>> {
        Box::pin(async move {
            item_index_queue::update_soon(transaction, domain, item.account_id).await?;
            request(transaction, domain, item).await
        })
    }
}

/// Writes the request for a new item, unless the item already has one. The job has a low priority, and counts against
/// the daily budget when it runs. If too many jobs wait, the text is stored without a request, and the reason is
/// recorded.
async fn request(transaction: &DatabaseTransaction, domain: &Domain, item: TextedItem<'_>) -> Result<()> {
    if consent::model_info(domain).is_none() || item.is_imported {
        return Ok(());
    }
    let choice = choice::load(transaction, item.account_id).await?;
    let (saved_at, tags) = (item.saved_at, item.tags);
    let parts = SummaryParts::of(choice.summarizes(saved_at, tags), choice.tags(saved_at, tags));
    let Some(parts) = parts else { return Ok(()) };
    let known = Entity::owned_by(item.account_id).filter(Column::ItemId.eq(item.item_id));
    if known.one(transaction).await?.is_some() {
        return Ok(());
    }
    // The caller that commits cannot push the job, so the next tick pushes it.
    let job = NewJob::new(JobKind::Summary, item.item_id.to_string())
        .owner(item.account_id)
        .priority(Priority::Low)
        .run_at(domain.now() + 1);
    let row = summary::new_row(domain, item.account_id, item.item_id);
    let mut row = Model { is_automatic: true, parts, ..row };
    match jobs::submit(transaction, domain, job).await {
        Ok(_) => {}
        Err(error) if error.code == Code::CapacityExhausted => {
            tracing::warn!(item = %item.item_id, "queue full, skipping automatic summary");
            row.state = ModelTaskState::Failed;
            row.reason = Some(error.code.as_str().to_owned());
            row.finished_at = Some(domain.now());
        }
        Err(error) => return Err(error),
    }
    Entity::insert(row.into_active_model()).exec_without_returning(transaction).await?;
    Ok(())
}
