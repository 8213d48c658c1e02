//! Messages that are kept no longer: a cause is remembered for longer than it could be written down again.

use crate::clock::{DAY, Millis};
use crate::error::Result;
use crate::handle::Domain;
use crate::retention::OldRows;

/// How long messages are listed, and known by their causes.
const KEPT: Millis = 60 * DAY;
const OLD: OldRows = OldRows { table: "notice", key: "id", condition: "created_at <= $1" };

/// Removes messages that are older. Returns how many rows went.
///
/// # Errors
/// What the database said.
pub async fn remove_old(domain: &Domain) -> Result<u64> {
    OLD.delete(domain.db().write(), &[(domain.now() - KEPT).into()]).await
}
