//! Monitor credits: the monthly allowance of an account's plan, grants by operators, and charges for runs. Every grant
//! and charge is an immutable ledger entry. An account's balance is the sum of the month's entries, and is updated in
//! the transaction that writes an entry.
//!
//! A month is opened when it is first needed, with the plan's allowance as its first entry. If the plan
//! changes within the month, the difference becomes another entry. Unused credits are not transferred to the
//! next month.

mod charges;
mod sql;

use async_recursion::async_recursion as boxed;
use std::collections::{HashMap, HashSet};
use std::hash::BuildHasher;

use chrono::{DateTime, Datelike, NaiveDate, Utc};
use entities::ids::{AccountId, CreditEntryId, MonitorId, MonitorRunId};
use entities::{credit_entry, credit_month};
use sea_orm::{
    ActiveModelTrait,
    ActiveValue::{NotSet, Set},
    ColumnTrait, ConnectionTrait, DatabaseTransaction, EntityTrait, QueryFilter, QueryResult, QuerySelect,
    Select,
};

use kernel::retention::{ExpiredRows, repeat_in_steps};
use kernel::statement::{execute, statement};
use kernel::{Domain, Error, Millis, Result, Used};

pub use charges::{AcceptedCharges, Charge};

/// Number of months retained in the ledger, in addition to the current month.
pub const RETAINED_MONTHS: i32 = 13;
/// Number of rows per deletion statement.
const STEP: u32 = 1_000;
/// Months past their retention that have no entries.
const OLD_MONTHS: ExpiredRows = ExpiredRows {
    table: "credit_month",
    key: "account_id, month",
    condition: "month < $1 AND NOT EXISTS (SELECT 1 FROM credit_entry e \
        WHERE e.account_id = credit_month.account_id AND e.month = credit_month.month)",
};

/// Credits of an account in one month.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CreditBalance {
    /// UTC month as `YYYYMM`, for example 202611.
    pub month: i32,
    /// Allowance of the plan.
    pub allowance: i64,
    /// Credits granted by operators; negative if they were withdrawn.
    pub granted: i64,
    /// Credits spent on runs.
    pub used: i64,
}

impl From<CreditBalance> for Used {
    fn from(balance: CreditBalance) -> Self {
        let count = |credits: i64| u64::try_from(credits).unwrap_or(0);
        Self { limit: count(balance.limit()), used: count(balance.used), policy: None }
    }
}

impl CreditBalance {
    /// Reads the balance from the columns `allowance`, `granted` and `used` of a row. `None` if they are NULL
    /// because the month is not open.
    pub fn of_row(row: &QueryResult, month: i32) -> Result<Option<Self>> {
        let number = |name: &str| row.try_get::<Option<i64>>("", name);
        let numbers = (number("allowance")?, number("granted")?, number("used")?);
        let (Some(allowance), Some(granted), Some(used)) = numbers else { return Ok(None) };
        Ok(Some(Self { month, allowance, granted, used }))
    }

    /// Sum of the month's entries. Negative after a downgrade in the middle of a month.
    pub fn total(self) -> i64 {
        self.allowance + self.granted - self.used
    }

    /// Credits that can still be spent; 0 if the total is negative.
    pub fn remaining(self) -> i64 {
        self.total().max(0)
    }

    /// Credits of the month before any were spent: allowance and grants.
    pub fn limit(self) -> i64 {
        (self.allowance + self.granted).max(0)
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LedgerEntry {
    /// Number of the entry, from 1.
    pub id: CreditEntryId,
    /// `allowance`, `grant` or `run`.
    pub kind: String,
    /// Amount of credits: positive if they were given, negative if they were spent or withdrawn.
    pub amount: i64,
    /// Run that was charged, if any.
    pub run_id: Option<MonitorRunId>,
    /// Note of the operator.
    pub note: Option<String>,
    /// Time of the entry.
    pub made_at: Millis,
}

/// Month whose entries do not add up to the balance in its row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    pub account_id: AccountId,
    /// UTC month as `YYYYMM`, for example 202611.
    pub month: i32,
    /// Sum of the entries.
    pub entries: i64,
    /// Balance of the row.
    pub balance: i64,
}

/// UTC calendar month of an instant as `YYYYMM`, for example 202611.
pub fn month_of(at: Millis) -> i32 {
    let date = date_of(at);
    date.year() * 100 + i32::try_from(date.month()).unwrap_or(1)
}

/// Start of the UTC calendar month that follows the month of `at`.
pub fn next_month(at: Millis) -> Millis {
    let date = date_of(at);
    let (year, month) =
        if date.month() == 12 { (date.year() + 1, 1) } else { (date.year(), date.month() + 1) };
    let first = NaiveDate::from_ymd_opt(year, month, 1).and_then(|date| date.and_hms_opt(0, 0, 0));
    first.map_or(at, |instant| instant.and_utc().timestamp_millis())
}

fn date_of(at: Millis) -> NaiveDate {
    DateTime::<Utc>::from_timestamp_millis(at).unwrap_or(DateTime::UNIX_EPOCH).date_naive()
}

/// Current balance of an account, without opening the month. `allowance` is the allowance of its plan.
pub async fn balance(
    connection: &impl ConnectionTrait,
    now: Millis,
    account_id: AccountId,
    allowance: i64,
) -> Result<CreditBalance> {
    let month = month_of(now);
    let row = month_of_account(account_id, month).one(connection).await?;
    let (granted, used) = row.map_or((0, 0), |row| (row.granted, row.used));
    Ok(CreditBalance { month, allowance, granted, used })
}

/// Balances of the accounts whose month is open, with the allowance stored in the row.
pub async fn open_months(
    connection: &impl ConnectionTrait,
    now: Millis,
    owners: &HashSet<AccountId, impl BuildHasher + Sync>,
) -> Result<HashMap<AccountId, CreditBalance>> {
    if owners.is_empty() {
        return Ok(HashMap::new());
    }
    let month = month_of(now);
    let rows = credit_month::Entity::find()
        .filter(credit_month::Column::AccountId.is_in(owners.iter().copied()))
        .filter(credit_month::Column::Month.eq(month));
    let months = rows.all(connection).await?.into_iter().map(|row| {
        let (allowance, granted, used) = (row.allowance, row.granted, row.used);
        (row.account_id, CreditBalance { month, allowance, granted, used })
    });
    Ok(months.collect())
}

/// Opens the month if necessary and returns its balance. Locks the month's row until the end of the
/// transaction. The caller must have locked the account.
#[boxed]
pub async fn open_month(
    transaction: &DatabaseTransaction,
    now: Millis,
    account_id: AccountId,
    allowance: i64,
) -> Result<CreditBalance> {
    let month = month_of(now);
    execute(transaction, sql::OPEN_MONTH, [account_id.into(), month.into()]).await?;
    let row = month_of_account(account_id, month).lock_exclusive().one(transaction).await?;
    let row = row.ok_or_else(|| Error::internal("an opened month is missing"))?;
    let balance = CreditBalance { month, allowance, granted: row.granted, used: row.used };
    if row.allowance != allowance {
        let amount = allowance - row.allowance;
        let change = credit_month::ActiveModel { allowance: Set(allowance), ..row.into() };
        change.update(transaction).await?;
        write(transaction, now, account_id, Movement { kind: "allowance", amount, ..Movement::default() })
            .await?;
    }
    Ok(balance)
}

#[derive(Default)]
pub struct Movement<'a> {
    pub kind: &'a str,
    pub amount: i64,
    pub run_id: Option<MonitorRunId>,
    pub monitor_id: Option<MonitorId>,
    pub note: Option<&'a str>,
}

pub async fn write(
    transaction: &DatabaseTransaction,
    now: Millis,
    account_id: AccountId,
    movement: Movement<'_>,
) -> Result<()> {
    let entry = movement.entry(now, account_id);
    credit_entry::Entity::insert(entry).exec_without_returning(transaction).await?;
    Ok(())
}

impl Movement<'_> {
    /// Ledger entry of the movement.
    fn entry(self, now: Millis, account_id: AccountId) -> credit_entry::ActiveModel {
        credit_entry::ActiveModel {
            id: NotSet,
            account_id: Set(account_id),
            month: Set(month_of(now)),
            kind: Set(self.kind.to_owned()),
            amount: Set(self.amount),
            run_id: Set(self.run_id),
            monitor_id: Set(self.monitor_id),
            note: Set(self.note.map(str::to_owned)),
            made_at: Set(now),
        }
    }
}

fn month_of_account(account_id: AccountId, month: i32) -> Select<credit_month::Entity> {
    credit_month::Entity::owned_by(account_id).filter(credit_month::Column::Month.eq(month))
}

/// Returns the active model of a month's row, with only its key set. The transaction must have locked the row.
pub fn month_key(account_id: AccountId, month: i32) -> credit_month::ActiveModel {
    credit_month::ActiveModel { account_id: Set(account_id), month: Set(month), ..Default::default() }
}

/// Returns every month whose entries do not add up to its balance. If the result is not empty, there is a
/// bug.
#[boxed]
pub async fn audit(domain: &Domain) -> Result<Vec<Mismatch>> {
    let connection = domain.db().write();
    let rows = connection.query_all_raw(statement(connection, sql::SUMS, [])).await?;
    let mut mismatches = Vec::new();
    for row in rows {
        let (balance, entries): (i64, i64) = (row.try_get("", "balance")?, row.try_get("", "entries")?);
        if balance != entries {
            let (account_id, month) = (row.try_get("", "account_id")?, row.try_get("", "month")?);
            mismatches.push(Mismatch { account_id, month, entries, balance });
        }
    }
    Ok(mismatches)
}

/// Deletes months that are more than a year old, entries first. Returns the number of deleted rows.
#[boxed]
pub async fn delete_old_months(domain: &Domain) -> Result<u64> {
    let present = month_of(domain.now());
    let (year, month) = (present / 100, present % 100);
    let count = year * 12 + month - 1 - RETAINED_MONTHS;
    let oldest = count / 12 * 100 + count % 12 + 1;
    let connection = domain.db().write();
    let entries = repeat_in_steps(connection, &sql::delete_old_entries(STEP), &[oldest.into()], STEP).await?;
    let months = OLD_MONTHS.delete(connection, &[oldest.into()]).await?;
    Ok(entries + months)
}
