//! Statements of the ledger that no entity can say.

/// Opens a month that is not open yet.
pub(super) const OPEN_MONTH: &str = "INSERT INTO credit_month (account_id, month, allowance, granted, used) VALUES ($1, $2, 0, 0, 0) \
     ON CONFLICT (account_id, month) DO NOTHING";

/// Each month's balance, and what its entries add up to.
pub(super) const SUMS: &str = "SELECT m.account_id, m.month, m.allowance + m.granted - m.used AS balance, \
     CAST(COALESCE((SELECT SUM(e.amount) FROM credit_entry e WHERE e.account_id = m.account_id \
     AND e.month = m.month), 0) AS BIGINT) AS entries FROM credit_month m";

/// Forgets entries of months before `$1`: of the `step` oldest of all those that are so old. Entries are numbered as
/// time goes on, so the oldest months stand first in the order of the key, and no index by month is needed.
pub(super) fn delete_old_entries(step: u32) -> String {
    format!(
        "DELETE FROM credit_entry WHERE month < $1 AND id IN (SELECT id FROM credit_entry ORDER BY id LIMIT {step})"
    )
}
