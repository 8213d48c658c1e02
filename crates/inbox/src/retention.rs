//! Deletes old rows of received messages, and submits jobs for messages whose job was lost. The items of messages
//! remain.

use async_recursion::async_recursion as boxed;
use entities::ids::InboxMessageId;
use entities::inbox_message::{Column, Entity};
use jobs::{JobKind, NewJob};
use kernel::clock::DAY;
use kernel::retention::ExpiredRows;
use kernel::{Domain, Millis, Result};
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect};

/// Time for which processed messages are listed. Also the maximum time for which a message waits for storage.
pub(crate) const RETENTION: Millis = 90 * DAY;
const OLD: ExpiredRows = ExpiredRows { table: "inbox_message", key: "id", condition: "finished_at <= $1" };
/// Number of messages that are checked at a time.
const BATCH: u64 = 500;

/// Deletes the rows of messages that were processed long ago. Returns their number.
#[boxed]
pub async fn remove_old(domain: &Domain) -> Result<u64> {
    OLD.delete(domain.db().write(), &[(domain.now() - RETENTION).into()]).await
}

/// Submits a job for each message that has waited for a day and has no job, for example because the database
/// was unavailable when its last job failed. Returns their number.
#[boxed]
pub async fn submit_lost(domain: &Domain) -> Result<u64> {
    let (mut after, mut submitted) = (InboxMessageId::from_u128(0), 0);
    loop {
        let rows = Entity::find()
            .filter(Column::FinishedAt.is_null())
            .filter(Column::ReceivedAt.lt(domain.now() - DAY))
            .filter(Column::Id.gt(after))
            .order_by_asc(Column::Id)
            .limit(BATCH)
            .all(domain.db().read())
            .await?;
        let Some(last) = rows.last() else { return Ok(submitted) };
        after = last.id;
        let keys: Vec<String> = rows.iter().map(|row| row.id.to_string()).collect();
        let live = jobs::live_keys(domain.db().write(), JobKind::InboxMessage, &keys).await?;
        for (row, key) in rows.iter().zip(keys).filter(|(_, key)| !live.contains(key)) {
            let job = NewJob::new(JobKind::InboxMessage, key).owner(row.account_id);
            jobs::submit(domain.db().write(), domain, job).await?;
            submitted += 1;
        }
    }
}
