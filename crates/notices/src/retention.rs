//! Retention of messages. The key of a cause is retained for longer than the cause can recur. No message
//! about a deleted monitor is sent.

use async_recursion::async_recursion as boxed;
use entities::ids::{AccountId, MonitorId};
use entities::notice::{self, NoticeState};
use sea_orm::{ColumnTrait, DatabaseTransaction, EntityTrait, QueryFilter};

use kernel::clock::DAY;
use kernel::retention::ExpiredRows;
use kernel::{Domain, Millis, Result};

/// Time for which messages are listed and their causes are retained.
const RETENTION: Millis = 60 * DAY;
const OLD: ExpiredRows = ExpiredRows { table: "notice", key: "id", condition: "created_at <= $1" };

/// Deletes the unsent messages about a monitor, in the transaction that deletes the monitor. These are
/// messages that wait, and messages that were given up, because the next message would include them. Sent
/// messages remain in lists and in the count of mails per day.
#[boxed]
pub async fn forget_monitor(
    transaction: &DatabaseTransaction,
    account_id: AccountId,
    monitor_id: MonitorId,
) -> Result<()> {
    let not_sent = [NoticeState::Waiting, NoticeState::Held, NoticeState::Gathered, NoticeState::Failed];
    notice::Entity::delete_many()
        .filter(notice::Column::AccountId.eq(account_id))
        .filter(notice::Column::MonitorId.eq(monitor_id))
        .filter(notice::Column::State.is_in(not_sent))
        .exec(transaction)
        .await?;
    Ok(())
}

/// Deletes old messages and returns their number.
#[boxed]
pub async fn remove_old(domain: &Domain) -> Result<u64> {
    OLD.delete(domain.db().write(), &[(domain.now() - RETENTION).into()]).await
}
