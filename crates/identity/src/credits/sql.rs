//! Statements of the ledger that cannot be expressed with entities.

/// Opens a month that is not open yet.
pub(super) const OPEN_MONTH: &str = "INSERT INTO credit_month (account_id, month, allowance, granted, used) VALUES ($1, $2, 0, 0, 0) \
     ON CONFLICT (account_id, month) DO NOTHING";

/// Balance of each month, and the sum of its entries.
pub(super) const SUMS: &str = "SELECT m.account_id, m.month, m.allowance + m.granted - m.used AS balance, \
     CAST(COALESCE((SELECT SUM(e.amount) FROM credit_entry e WHERE e.account_id = m.account_id \
     AND e.month = m.month), 0) AS BIGINT) AS entries FROM credit_month m";

/// Deletes entries of months before `$1`, among the `step` oldest entries. Entry ids grow with time, so the
/// oldest months come first in key order and no index by month is needed.
pub(super) fn delete_old_entries(step: u32) -> String {
    format!(
        "DELETE FROM credit_entry WHERE month < $1 AND id IN (SELECT id FROM credit_entry ORDER BY id LIMIT {step})"
    )
}
