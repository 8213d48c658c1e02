//! Messages that are kept no longer: a cause is remembered for longer than it could be written down again, and nothing is
//! told of a monitor that is gone.

use entities::ids::{AccountId, MonitorId};
use entities::notice::{self, NoticeState};
use sea_orm::{ColumnTrait, DatabaseTransaction, EntityTrait, QueryFilter};

use kernel::clock::{DAY, Millis};
use kernel::error::Result;
use kernel::handle::Domain;
use kernel::retention::OldRows;

/// How long messages are listed, and known by their causes.
const KEPT: Millis = 60 * DAY;
const OLD: OldRows = OldRows { table: "notice", key: "id", condition: "created_at <= $1" };

/// Forgets what was to be told of a monitor, in the transaction that deletes it: what waits, what is held, and what was
/// given up, which a later message would tell. What arrived stays listed, and counted among the mails of its day.
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

/// Removes messages that are older. Returns how many rows went.
///
/// # Errors
/// What the database said.
pub async fn remove_old(domain: &Domain) -> Result<u64> {
    OLD.delete(domain.db().write(), &[(domain.now() - KEPT).into()]).await
}
