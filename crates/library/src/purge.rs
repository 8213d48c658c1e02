//! Purges old tombstones and the keys of deleted items.

use async_recursion::async_recursion as boxed;
use sea_orm::ConnectionTrait;

use super::keys::KEY_RETENTION;
use kernel::statement::{execute, statement};
use kernel::{Domain, Result};

/// Maximum number of rows per table that one transaction deletes.
const STEP: u32 = 1_000;

/// Deletes the tombstones of objects and the keys of items that were deleted more than 180 days ago. Returns the number
/// of deleted rows. A client that has not synchronized since then must synchronize from the beginning.
#[boxed]
pub async fn purge(domain: &Domain) -> Result<u64> {
    let before = domain.now() - KEY_RETENTION;
    let mut removed = 0;
    loop {
        let transaction = domain.db().begin().await?;
        let sql = format!(
            "DELETE FROM library_change WHERE (account_id, object_id) IN (SELECT account_id, object_id \
             FROM library_change WHERE is_deleted AND updated_at < $1 ORDER BY updated_at LIMIT {STEP}) \
             RETURNING account_id, sequence"
        );
        let rows = transaction.query_all_raw(statement(&transaction, &sql, [before.into()])).await?;
        let note =
            "UPDATE library_account SET purged_sequence = $2 WHERE account_id = $1 AND purged_sequence < $2";
        for row in &rows {
            let (account, sequence): (entities::ids::AccountId, i64) =
                (row.try_get_by_index(0)?, row.try_get_by_index(1)?);
            execute(&transaction, note, [account.into(), sequence.into()]).await?;
        }
        let sql = format!(
            "DELETE FROM library_key WHERE (account_id, hash) IN (SELECT account_id, hash FROM library_key \
             WHERE deleted_at < $1 ORDER BY deleted_at LIMIT {STEP})"
        );
        let keys = execute(&transaction, &sql, [before.into()]).await?;
        transaction.commit().await?;
        removed += rows.len() as u64 + keys;
        if rows.is_empty() && keys == 0 {
            return Ok(removed);
        }
    }
}
