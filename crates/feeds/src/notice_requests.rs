//! Requests for messages about new entries. The transaction that stores the entries writes one request for each feed
//! whose followers notify channels, by settings or by rules. A claim postpones the request, so a lost job delays its
//! messages but never loses them.

use async_recursion::async_recursion as boxed;
use entities::feed_notice_request::{ActiveModel, Column, Entity};
use entities::ids::{EntryId, FeedId};
use sea_orm::ActiveValue::Set;
use sea_orm::{ColumnTrait, ConnectionTrait, DatabaseTransaction, EntityTrait, QueryFilter, Value};
use serde::{Deserialize, Serialize};

use super::sql::value_rows;
use jobs::due;
use jobs::{JobKind, NewJob, Submitted};
use kernel::clock::HOUR;
use kernel::statement::{execute, skip_locked, statement};
use kernel::{Domain, Millis, Result};

/// Time after which the request of a lost job is claimed again, in milliseconds.
const LEASE: Millis = HOUR;
/// Maximum number of requests claimed per tick.
const STEP: u32 = 100;

/// Arguments of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct NoticeClaim {
    pub(super) feed_id: FeedId,
    /// Time until which the request is claimed. Also identifies the claim.
    pub(super) until: Millis,
}

/// Requests messages about new entries of feeds. `arrived` contains each feed with the last entry before the
/// new entries. Writes nothing for a feed if none of its followers notifies a channel.
pub(super) async fn request(
    transaction: &DatabaseTransaction,
    now: Millis,
    arrived: &[(FeedId, EntryId)],
) -> Result<()> {
    if arrived.is_empty() {
        return Ok(());
    }
    // A pending request retains its entry, which is older.
    let sql = format!(
        "INSERT INTO feed_notice_request (feed_id, after_id, due_at) \
         SELECT v.column1, v.column2, CAST($1 AS bigint) FROM (VALUES {}) v WHERE EXISTS \
         (SELECT 1 FROM rss_subscription s WHERE s.feed_id = v.column1 AND s.notify <> '[]') OR EXISTS \
         (SELECT 1 FROM rss_rule_notice n WHERE n.feed_id = v.column1) \
         ON CONFLICT (feed_id) DO UPDATE SET due_at = excluded.due_at",
        value_rows(2, arrived.len(), &["bigint", "bigint"])
    );
    let mut values: Vec<Value> = vec![now.into()];
    values.extend(arrived.iter().flat_map(|(feed_id, after)| [Value::from(*feed_id), Value::from(*after)]));
    execute(transaction, &sql, values).await?;
    Ok(())
}

/// Submits a job for each request that is due.
#[boxed]
pub async fn claim_notice_requests(domain: &Domain) -> Result<Vec<Submitted>> {
    let transaction = domain.db().begin().await?;
    let now = due::current_time(&transaction, domain).await?;
    let until = now + LEASE;
    let sql = format!(
        "UPDATE feed_notice_request SET due_at = $2 WHERE feed_id IN (SELECT r.feed_id FROM feed_notice_request r \
         WHERE r.due_at <= $1 ORDER BY r.due_at LIMIT {STEP} {}) AND due_at <= $1 RETURNING feed_id",
        skip_locked(transaction.get_database_backend())
    );
    let rows = transaction.query_all_raw(statement(&transaction, &sql, [now.into(), until.into()])).await?;
    let mut submitted = Vec::with_capacity(rows.len());
    for row in rows {
        let claim = NoticeClaim { feed_id: row.try_get_by_index(0)?, until };
        let job = NewJob::new(JobKind::EntryNotices, format!("{}-{until}", claim.feed_id));
        submitted.push(jobs::submit(&transaction, domain, job.payload(&claim)?).await?);
    }
    transaction.commit().await?;
    Ok(submitted)
}

/// Returns the entry after which the new entries of a feed begin. `None` if nothing is requested.
pub(super) async fn first_after(
    connection: &impl ConnectionTrait,
    feed_id: FeedId,
) -> Result<Option<EntryId>> {
    Ok(Entity::find_by_id(feed_id).one(connection).await?.map(|request| request.after_id))
}

/// Deletes the request of a claim, or postpones it to `next`. A request that was repeated after the claim is
/// retained, because the job may have missed its entries.
pub(super) async fn finish(
    transaction: &DatabaseTransaction,
    claim: NoticeClaim,
    next: Option<Millis>,
) -> Result<()> {
    let (of_feed, of_claim) = (Column::FeedId.eq(claim.feed_id), Column::DueAt.eq(claim.until));
    if let Some(next) = next {
        let postponed = ActiveModel { due_at: Set(next), ..Default::default() };
        let requests = Entity::update_many().set(postponed).filter(of_feed).filter(of_claim);
        requests.exec(transaction).await?;
    } else {
        Entity::delete_many().filter(of_feed).filter(of_claim).exec(transaction).await?;
    }
    Ok(())
}
