//! What a run is written to: its account and its monitor, held until the end of the transaction, and what else is to be
//! known before anything is written.

use entities::monitor;
use sea_orm::{ConnectionTrait, DatabaseTransaction, DbBackend, FromQueryResult};

use super::fetch::RunContext;
use super::outcome::Outcome;
use crate::clock::Millis;
use crate::credits::{CreditBalance, month_of};
use crate::error::Result;
use crate::limits::Tier;
use crate::statement::{columns_of, statement};

/// The account and the monitor of a run, which the transaction holds.
pub(super) struct Held {
    /// The plan of the account.
    pub(super) tier: Tier,
    /// The monitor as it is now.
    pub(super) row: monitor::Model,
}

impl Held {
    /// Whether what a run was weighed against is not what it would be weighed against now.
    pub(super) fn is_moved_from(&self, then: &monitor::Model) -> bool {
        let now = &self.row;
        now.definition != then.definition
            || now.baseline_hash != then.baseline_hash
            || now.observed_hash != then.observed_hash
            || now.masks != then.masks
            || now.recent != then.recent
    }
}

/// What is known of a monitor and its account's month, once both are held.
pub(super) struct Known {
    /// Whether there is a run of this due time already.
    pub(super) is_written: bool,
    /// When the last run before this one began that did not fail.
    pub(super) last_good_run: Option<Millis>,
    /// The month's balance, if the month is open.
    pub(super) open_month: Option<CreditBalance>,
}

/// Holds the account, and then the monitor. `None` when either is gone.
pub(super) async fn hold(transaction: &DatabaseTransaction, context: &RunContext) -> Result<Option<Held>> {
    // Rows are locked in the order of these words. What is read beside them is as it was before the wait for a lock, so
    // nothing else is asked here.
    let lock = match transaction.get_database_backend() {
        DbBackend::Postgres => " FOR NO KEY UPDATE OF a FOR UPDATE OF m",
        _ => "",
    };
    let sql = format!(
        "SELECT a.tier AS a_tier, {} FROM account a JOIN monitor m ON m.account_id = a.id \
         WHERE a.id = $1 AND m.id = $2{lock}",
        columns_of::<monitor::Entity>("m")
    );
    let values = [context.row.account_id.into(), context.row.id.into()];
    let Some(row) = transaction.query_one_raw(statement(transaction, &sql, values)).await? else {
        return Ok(None);
    };
    let tier: String = row.try_get("a_", "tier")?;
    let tier = Tier::parse(&tier).unwrap_or_default();
    Ok(Some(Held { tier, row: monitor::Model::from_query_result(&row, "m_")? }))
}

/// What is known now of the monitor and the account that are held.
pub(super) async fn know(
    transaction: &DatabaseTransaction,
    context: &RunContext,
    now: Millis,
) -> Result<Known> {
    let sql = "SELECT (SELECT count(*) FROM monitor_run r WHERE r.monitor_id = m.id AND r.due_at = $1) AS written, \
         (SELECT r.started_at FROM monitor_run r WHERE r.monitor_id = m.id AND r.id <> $2 AND r.outcome <> $3 \
         ORDER BY r.due_at DESC LIMIT 1) AS last_good_run, c.allowance, c.granted, c.used \
         FROM monitor m LEFT JOIN credit_month c ON c.account_id = m.account_id AND c.month = $4 WHERE m.id = $5";
    let (asked, month) = (&context.asked, month_of(now));
    let failed = Outcome::Error.as_str();
    let values =
        [asked.due_at.into(), asked.run_id.into(), failed.into(), month.into(), context.row.id.into()];
    let Some(row) = transaction.query_one_raw(statement(transaction, sql, values)).await? else {
        return Ok(Known { is_written: false, last_good_run: None, open_month: None });
    };
    Ok(Known {
        is_written: row.try_get::<i64>("", "written")? > 0,
        last_good_run: row.try_get("", "last_good_run")?,
        open_month: CreditBalance::of_row(&row, month)?,
    })
}
