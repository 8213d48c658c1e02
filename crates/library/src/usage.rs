//! Storage use of an account's library.

use entities::ids::AccountId;
use sea_orm::ConnectionTrait;

use kernel::Result;
use kernel::statement::scalar;

/// Returns the stored bytes of texts, files, notes, highlights and metadata. Includes the bytes that are
/// reserved for running uploads, and for replaced and deleted files that still exist.
pub async fn stored_bytes(connection: &impl ConnectionTrait, account_id: AccountId) -> Result<u64> {
    let sql = "SELECT stored_bytes + reserved_bytes FROM library_account WHERE account_id = $1";
    Ok(scalar(connection, sql, [account_id.into()]).await?.max(0).unsigned_abs())
}
