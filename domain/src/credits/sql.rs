//! Statements of the ledger that no entity can say.

/// Opens a month that is not open yet.
pub(super) const OPEN_MONTH: &str = "INSERT INTO credit_month (account_id, month, allowance, granted, used) VALUES ($1, $2, 0, 0, 0) \
     ON CONFLICT (account_id, month) DO NOTHING";

/// Each month's balance, and what its entries add up to.
pub(super) const SUMS: &str = "SELECT m.account_id, m.month, m.allowance + m.granted - m.used AS balance, \
     CAST(COALESCE((SELECT SUM(e.amount) FROM credit_entry e WHERE e.account_id = m.account_id \
     AND e.month = m.month), 0) AS BIGINT) AS entries FROM credit_month m";

/// Forgets `$2` entries of months before `$1`.
pub(super) const DELETE_OLD_ENTRIES: &str =
    "DELETE FROM credit_entry WHERE id IN (SELECT id FROM credit_entry WHERE month < $1 LIMIT $2)";

/// Forgets months before `$1` that have no entries any more.
pub(super) const DELETE_OLD_MONTHS: &str = "DELETE FROM credit_month WHERE month < $1 AND NOT EXISTS \
     (SELECT 1 FROM credit_entry e WHERE e.account_id = credit_month.account_id AND e.month = credit_month.month)";
