//! Monitor credits: what an account's plan gives in a UTC calendar month, what operators give beside it,
//! and what runs cost. Every movement is an entry that is never changed; where an account stands is the
//! sum of its month's entries, kept beside them in the same transaction.
//!
//! A month is opened when it is first needed, with the plan's allowance as its first entry; when the plan
//! changes within the month, the difference is an entry of its own. What is left does not go over into
//! the next month.

use chrono::{DateTime, Datelike, NaiveDate, Utc};
use entities::ids::{AccountId, CreditEntryId, MonitorId, MonitorRunId};
use entities::{credit_entry, credit_month};
use sea_orm::{
    ColumnTrait, ConnectionTrait, DatabaseTransaction, EntityTrait, FromQueryResult, QueryFilter, QueryOrder,
    QuerySelect, Value,
};

use crate::accounts;
use crate::clock::Millis;
use crate::error::{Error, Result, Used};
use crate::handle::Domain;
use crate::statement::{change, for_update, sql};

/// The most credits that one grant moves.
pub const MOST_GRANTED: i64 = 1_000_000_000;
/// The longest note, in characters.
const MOST_NOTE: usize = 200;
/// Months that stay in the ledger, the present one not counted.
const MONTHS_KEPT: i32 = 13;
/// Rows of one step of housekeeping.
const STEP: i64 = 1_000;

/// Where an account stands in one month.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    /// UTC, as in 202611.
    pub month: i32,
    /// What the plan gives.
    pub allowance: i64,
    /// What operators gave; below nothing when they took.
    pub granted: i64,
    /// What runs cost.
    pub used: i64,
}

impl From<Standing> for Used {
    fn from(standing: Standing) -> Self {
        let count = |credits: i64| u64::try_from(credits).unwrap_or(0);
        Self { limit: count(standing.limit()), used: count(standing.used), policy: None }
    }
}

impl Standing {
    /// The sum of the month's entries. Below nothing after a downgrade in the middle of a month.
    pub fn balance(self) -> i64 {
        self.allowance + self.granted - self.used
    }

    /// What can still be spent.
    pub fn remaining(self) -> i64 {
        self.balance().max(0)
    }

    /// What the month gives in all.
    pub fn limit(self) -> i64 {
        (self.allowance + self.granted).max(0)
    }
}

/// A movement of the ledger.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Counts from 1.
    pub id: CreditEntryId,
    /// `allowance`, `grant` or `run`.
    pub kind: String,
    /// Above nothing for what is given, below for what is taken.
    pub amount: i64,
    /// The run that was paid for.
    pub run_id: Option<MonitorRunId>,
    /// An operator's words.
    pub note: Option<String>,
    /// When it was written.
    pub made_at: Millis,
}

/// A month whose entries do not add up to where its account stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// Whose.
    pub account_id: AccountId,
    /// UTC, as in 202611.
    pub month: i32,
    /// What the entries add up to.
    pub entries: i64,
    /// Where the account stands.
    pub balance: i64,
}

/// A run that is to be paid for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Charge {
    pub(crate) account_id: AccountId,
    pub(crate) run_id: MonitorRunId,
    pub(crate) monitor_id: MonitorId,
    pub(crate) cost: i64,
}

/// The UTC calendar month of an instant, as in 202611.
pub fn month_of(at: Millis) -> i32 {
    let date = date_of(at);
    date.year() * 100 + i32::try_from(date.month()).unwrap_or(1)
}

/// The first instant of the UTC calendar month after the one of `at`.
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

/// Where an account stands now, without opening the month: `allowance` is its plan's.
pub(crate) async fn look(
    connection: &impl ConnectionTrait,
    now: Millis,
    account_id: AccountId,
    allowance: i64,
) -> Result<Standing> {
    let month = month_of(now);
    let row = credit_month::Entity::find_by_id((account_id, month)).one(connection).await?;
    let (granted, used) = row.map_or((0, 0), |row| (row.granted, row.used));
    Ok(Standing { month, allowance, granted, used })
}

/// Where an account stands now, in the month that is open from now on. The row is held until the end of
/// the transaction; the account must be held already.
async fn open(
    transaction: &DatabaseTransaction,
    now: Millis,
    account_id: AccountId,
    allowance: i64,
) -> Result<Standing> {
    let month = month_of(now);
    let text = "INSERT INTO credit_month (account_id, month, allowance, granted, used) VALUES ($1, $2, 0, 0, 0) \
                ON CONFLICT (account_id, month) DO NOTHING";
    change(transaction, text, [account_id.into(), month.into()]).await?;
    let text = format!(
        "SELECT * FROM credit_month m WHERE account_id = $1 AND month = $2{}",
        for_update(transaction, "m")
    );
    let row = transaction.query_one_raw(sql(transaction, &text, [account_id.into(), month.into()])).await?;
    let row = row.ok_or_else(|| Error::internal("a month that was opened is not there"))?;
    let row = credit_month::Model::from_query_result(&row, "")?;
    let standing = Standing { month, allowance, granted: row.granted, used: row.used };
    if row.allowance != allowance {
        let text = "UPDATE credit_month SET allowance = $1 WHERE account_id = $2 AND month = $3";
        change(transaction, text, [allowance.into(), account_id.into(), month.into()]).await?;
        let entry = Movement { kind: "allowance", amount: allowance - row.allowance, ..Movement::default() };
        write(transaction, now, account_id, entry).await?;
    }
    Ok(standing)
}

/// Charges a run, in the transaction that writes it. `None` when too little is left; nothing is charged
/// then.
pub(crate) async fn charge(
    transaction: &DatabaseTransaction,
    now: Millis,
    allowance: i64,
    charge: Charge,
) -> Result<Option<Standing>> {
    let standing = open(transaction, now, charge.account_id, allowance).await?;
    if charge.cost == 0 {
        return Ok(Some(standing));
    }
    if standing.balance() < charge.cost {
        return Ok(None);
    }
    let text = "UPDATE credit_month SET used = used + $1 WHERE account_id = $2 AND month = $3";
    let values = [charge.cost.into(), charge.account_id.into(), standing.month.into()];
    change(transaction, text, values).await?;
    let entry = Movement {
        kind: "run",
        amount: -charge.cost,
        run_id: Some(charge.run_id),
        monitor_id: Some(charge.monitor_id),
        note: None,
    };
    write(transaction, now, charge.account_id, entry).await?;
    Ok(Some(Standing { used: standing.used + charge.cost, ..standing }))
}

#[derive(Default)]
struct Movement<'a> {
    kind: &'a str,
    amount: i64,
    run_id: Option<MonitorRunId>,
    monitor_id: Option<MonitorId>,
    note: Option<&'a str>,
}

async fn write(
    transaction: &DatabaseTransaction,
    now: Millis,
    account_id: AccountId,
    movement: Movement<'_>,
) -> Result<()> {
    let text = "INSERT INTO credit_entry (account_id, month, kind, amount, run_id, monitor_id, note, made_at) \
                VALUES ($1, $2, $3, $4, $5, $6, $7, $8)";
    let values: [Value; 8] = [
        account_id.into(),
        month_of(now).into(),
        movement.kind.into(),
        movement.amount.into(),
        movement.run_id.into(),
        movement.monitor_id.into(),
        movement.note.into(),
        now.into(),
    ];
    change(transaction, text, values).await?;
    Ok(())
}

/// Where the account of `email` stands this month, with the newest `most` entries.
///
/// # Errors
/// `not_found`.
pub async fn show(domain: &Domain, email: &str, most: u64) -> Result<(Standing, Vec<Entry>)> {
    let account = accounts::find(domain, email).await?;
    let allowance = i64::from(domain.policy().tiers.of(account.tier).web_monitor_monthly_credits);
    let standing = look(domain.db().read(), domain.now(), account.id, allowance).await?;
    let rows = credit_entry::Entity::find()
        .filter(credit_entry::Column::AccountId.eq(account.id))
        .filter(credit_entry::Column::Month.eq(standing.month))
        .order_by_desc(credit_entry::Column::Id)
        .limit(most)
        .all(domain.db().read())
        .await?;
    let entries = rows.into_iter().map(|row| Entry {
        id: row.id,
        kind: row.kind,
        amount: row.amount,
        run_id: row.run_id,
        note: row.note,
        made_at: row.made_at,
    });
    Ok((standing, entries.collect()))
}

/// Gives the account of `email` credits for this month, or takes some when `amount` is below nothing. What
/// was waiting for credits goes on.
///
/// # Errors
/// `not_found`; `invalid_request` for no credits or too many, or a note that is too long.
pub async fn grant(domain: &Domain, email: &str, amount: i64, note: &str) -> Result<Standing> {
    if amount == 0 || amount.abs() > MOST_GRANTED {
        return Err(Error::invalid_field("amount", "must be other than 0, and at most a thousand million"));
    }
    if note.chars().count() > MOST_NOTE || note.chars().any(char::is_control) {
        return Err(Error::invalid_field("note", "must have at most 200 characters on one line"));
    }
    let account = accounts::find(domain, email).await?;
    let now = domain.now();
    let transaction = domain.db().begin().await?;
    let tier = accounts::lock(&transaction, account.id).await?;
    let allowance = i64::from(domain.limits().of(tier).web_monitor_monthly_credits);
    let before = open(&transaction, now, account.id, allowance).await?;
    let text = "UPDATE credit_month SET granted = granted + $1 WHERE account_id = $2 AND month = $3";
    change(&transaction, text, [amount.into(), account.id.into(), before.month.into()]).await?;
    let note = Some(note.trim()).filter(|note| !note.is_empty());
    let entry = Movement { kind: "grant", amount, note, ..Movement::default() };
    write(&transaction, now, account.id, entry).await?;
    let standing = Standing { granted: before.granted + amount, ..before };
    crate::monitors::credits_changed(&transaction, now, account.id, standing).await?;
    transaction.commit().await?;
    Ok(standing)
}

/// Every month whose entries do not add up. There is none, or there is a fault.
pub async fn audit(domain: &Domain) -> Result<Vec<Mismatch>> {
    let connection = domain.db().write();
    let text = "SELECT m.account_id, m.month, m.allowance + m.granted - m.used AS balance, \
        CAST(COALESCE((SELECT SUM(e.amount) FROM credit_entry e WHERE e.account_id = m.account_id \
        AND e.month = m.month), 0) AS BIGINT) AS entries FROM credit_month m";
    let rows = connection.query_all_raw(sql(connection, text, [])).await?;
    let mut found = Vec::new();
    for row in rows {
        let (balance, entries): (i64, i64) = (row.try_get("", "balance")?, row.try_get("", "entries")?);
        if balance != entries {
            let (account_id, month) = (row.try_get("", "account_id")?, row.try_get("", "month")?);
            found.push(Mismatch { account_id, month, entries, balance });
        }
    }
    Ok(found)
}

/// Forgets months that are more than a year old, entries first; returns how many rows.
pub async fn delete_old_months(domain: &Domain) -> Result<u64> {
    let present = month_of(domain.now());
    let (year, month) = (present / 100, present % 100);
    let count = year * 12 + month - 1 - MONTHS_KEPT;
    let oldest = count / 12 * 100 + count % 12 + 1;
    let connection = domain.db().write();
    let text = format!(
        "DELETE FROM credit_entry WHERE id IN (SELECT id FROM credit_entry WHERE month < $1 LIMIT {STEP})"
    );
    let mut deleted = change(connection, &text, [oldest.into()]).await?;
    let text = "DELETE FROM credit_month WHERE month < $1 AND NOT EXISTS (SELECT 1 FROM credit_entry e \
                WHERE e.account_id = credit_month.account_id AND e.month = credit_month.month)";
    deleted += change(connection, text, [oldest.into()]).await?;
    Ok(deleted)
}

#[cfg(test)]
mod tests;
