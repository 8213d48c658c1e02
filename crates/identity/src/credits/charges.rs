//! Charges for the runs of one transaction. They are checked one by one and written in one batch.

use async_recursion::async_recursion as boxed;
use std::collections::BTreeMap;

use entities::credit_entry;
use entities::ids::{AccountId, MonitorId, MonitorRunId};
use sea_orm::{DatabaseTransaction, EntityTrait, Value};

use super::{CreditBalance, Movement, month_of, open_month};
use kernel::statement::rows_of;
use kernel::writes::Writes;
use kernel::{Millis, Result};

/// Charge for one run.
#[derive(Clone, Copy, Debug)]
pub struct Charge {
    pub account_id: AccountId,
    pub run_id: MonitorRunId,
    pub monitor_id: MonitorId,
    pub cost: i64,
}

/// Accepted charges, and the resulting balances of their accounts.
#[derive(Default)]
pub struct AcceptedCharges {
    entries: Vec<credit_entry::ActiveModel>,
    months: BTreeMap<AccountId, CreditBalance>,
}

impl AcceptedCharges {
    /// Charges a run and returns the new balance. If the balance after the earlier charges is too low,
    /// returns `None` and charges nothing. `open` is the month's balance from
    /// [`open_months`](super::open_months), or `None` if the month is not open. The caller must have locked
    /// the account before reading it.
    #[boxed]
    pub async fn charge_run(
        &mut self,
        transaction: &DatabaseTransaction,
        now: Millis,
        (allowance, open): (i64, Option<CreditBalance>),
        charge: Charge,
    ) -> Result<Option<CreditBalance>> {
        let open = self.months.get(&charge.account_id).copied().or(open);
        let balance = match open.filter(|open| open.month == month_of(now) && open.allowance == allowance) {
            Some(open) => open,
            None => open_month(transaction, now, charge.account_id, allowance).await?,
        };
        self.months.insert(charge.account_id, balance);
        if charge.cost == 0 {
            return Ok(Some(balance));
        }
        if balance.total() < charge.cost {
            return Ok(None);
        }
        let movement = Movement {
            kind: "run",
            amount: -charge.cost,
            run_id: Some(charge.run_id),
            monitor_id: Some(charge.monitor_id),
            note: None,
        };
        self.entries.push(movement.entry(now, charge.account_id));
        let balance = CreditBalance { used: balance.used + charge.cost, ..balance };
        self.months.insert(charge.account_id, balance);
        Ok(Some(balance))
    }

    /// Adds the entries and balances to the writes of the transaction.
    pub fn add_to(self, writes: &mut Writes<'_>) {
        if self.entries.is_empty() {
            return;
        }
        let sql = format!(
            "WITH spent (account_id, month, used) AS (VALUES {}) UPDATE credit_month SET used = spent.used FROM spent \
             WHERE credit_month.account_id = spent.account_id AND credit_month.month = spent.month",
            rows_of(1, self.months.len(), 3)
        );
        let months = self.months.into_iter();
        let values = months.flat_map(|(account_id, balance)| -> [Value; 3] {
            [account_id.into(), balance.month.into(), balance.used.into()]
        });
        writes.add_sql(&sql, values);
        writes.add(&credit_entry::Entity::insert_many(self.entries));
    }
}
