//! Retention of the list of received messages. The items of messages remain.

use async_recursion::async_recursion as boxed;
use kernel::clock::DAY;
use kernel::retention::ExpiredRows;
use kernel::{Domain, Millis, Result};

/// Time for which processed messages are listed, and for which a message waits for storage.
pub(crate) const RETENTION: Millis = 90 * DAY;
const OLD: ExpiredRows = ExpiredRows { table: "inbox_message", key: "id", condition: "finished_at <= $1" };

/// Deletes the rows of messages that were processed long ago. Returns their number.
#[boxed]
pub async fn remove_old(domain: &Domain) -> Result<u64> {
    OLD.delete(domain.db().write(), &[(domain.now() - RETENTION).into()]).await
}
