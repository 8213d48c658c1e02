//! Retention of messages. The key of an event is retained for longer than the event can recur. Unsent messages
//! about a deleted monitor or an unfollowed feed are deleted.

use async_recursion::async_recursion as boxed;
use entities::ids::{AccountId, MonitorId, SubscriptionId};
use entities::notice::{self, NoticeState};
use sea_orm::{ColumnTrait, ConnectionTrait, DatabaseTransaction, EntityTrait, QueryFilter};

use kernel::clock::DAY;
use kernel::retention::ExpiredRows;
use kernel::{Domain, Millis, Result};

/// Time for which messages are listed and the keys of their events are retained.
const RETENTION: Millis = 60 * DAY;
const OLD: ExpiredRows = ExpiredRows { table: "notice", key: "id", condition: "created_at <= $1" };

/// States of messages that were not sent.
const NOT_SENT: [NoticeState; 4] =
    [NoticeState::Waiting, NoticeState::Held, NoticeState::Gathered, NoticeState::Failed];

/// Deletes the unsent messages about a monitor, in the transaction that deletes the monitor. They include messages that
/// were given up, because the next message would list them again. Sent messages remain in lists and in the count of
/// mails per day.
#[boxed]
pub async fn forget_monitor(
    transaction: &DatabaseTransaction,
    account_id: AccountId,
    monitor_id: MonitorId,
) -> Result<()> {
    notice::Entity::delete_many()
        .filter(notice::Column::AccountId.eq(account_id))
        .filter(notice::Column::MonitorId.eq(monitor_id))
        .filter(notice::Column::State.is_in(NOT_SENT))
        .exec(transaction)
        .await?;
    Ok(())
}

/// Like [`forget_monitor`], but for subscriptions of an account.
pub async fn forget_subscriptions(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    ids: &[SubscriptionId],
) -> Result<()> {
    notice::Entity::delete_many()
        .filter(notice::Column::AccountId.eq(account_id))
        .filter(notice::Column::SubscriptionId.is_in(ids.iter().copied()))
        .filter(notice::Column::State.is_in(NOT_SENT))
        .exec(connection)
        .await?;
    Ok(())
}

/// Deletes old messages and returns their number.
#[boxed]
pub async fn remove_old(domain: &Domain) -> Result<u64> {
    OLD.delete(domain.db().write(), &[(domain.now() - RETENTION).into()]).await
}
