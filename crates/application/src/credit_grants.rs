//! Operator commands for credits: display the credits of an account for the current month, and grant or
//! withdraw credits.

use async_recursion::async_recursion as boxed;
use entities::{credit_entry, credit_month};
use sea_orm::{ActiveModelTrait, ActiveValue::Set, ColumnTrait, QueryFilter, QueryOrder, QuerySelect};

use identity::accounts;
use identity::credits::{CreditBalance, LedgerEntry, Movement, balance, month_key, open_month, write};
use kernel::{Domain, Error, Result};

/// Maximum number of credits per grant.
pub const MAX_GRANTED: i64 = 1_000_000_000;

/// Maximum length of a note in characters.
const MAX_NOTE: usize = 200;

/// Returns this month's balance of the account with `email`, and its newest `max_entries` ledger entries.
///
/// # Errors
/// `not_found` if no account has this e-mail address.
#[boxed]
pub async fn show(
    domain: &Domain,
    email: &str,
    max_entries: u64,
) -> Result<(CreditBalance, Vec<LedgerEntry>)> {
    let account = accounts::find(domain, email).await?;
    let allowance = i64::from(account.limits(domain).web_monitor_monthly_credits);
    let balance = balance(domain.db().read(), domain.now(), account.id, allowance).await?;
    let rows = credit_entry::Entity::owned_by(account.id)
        .filter(credit_entry::Column::Month.eq(balance.month))
        .order_by_desc(credit_entry::Column::Id)
        .limit(max_entries)
        .all(domain.db().read())
        .await?;
    let entries = rows.into_iter().map(|row| LedgerEntry {
        id: row.id,
        kind: row.kind,
        amount: row.amount,
        run_id: row.run_id,
        note: row.note,
        made_at: row.made_at,
    });
    Ok((balance, entries.collect()))
}

/// Grants credits for this month to the account with `email`, or withdraws credits if `amount` is negative.
/// Monitors that are waiting for credits resume.
///
/// # Errors
/// `not_found` if no account has this e-mail address; `invalid_request` if the amount is 0 or too large, or
/// if the note is too long.
#[boxed]
pub async fn grant(domain: &Domain, email: &str, amount: i64, note: &str) -> Result<CreditBalance> {
    if amount == 0 || amount.abs() > MAX_GRANTED {
        return Err(Error::invalid_field("amount", "must not be 0, and at most 1,000,000,000"));
    }
    if note.chars().count() > MAX_NOTE || note.chars().any(char::is_control) {
        return Err(Error::invalid_field("note", "must have at most 200 characters on one line"));
    }
    let account = accounts::find(domain, email).await?;
    let now = domain.now();
    let transaction = domain.db().begin().await?;
    let plan = accounts::lock_limits(&transaction, domain, account.id).await?;
    let allowance = i64::from(plan.web_monitor_monthly_credits);
    let before = open_month(&transaction, now, account.id, allowance).await?;
    let granted = before.granted + amount;
    let change = credit_month::ActiveModel { granted: Set(granted), ..month_key(account.id, before.month) };
    change.update(&transaction).await?;
    let note = Some(note.trim()).filter(|note| !note.is_empty());
    let entry = Movement { kind: "grant", amount, note, ..Movement::default() };
    write(&transaction, now, account.id, entry).await?;
    let balance = CreditBalance { granted, ..before };
    monitors::credits_changed(&transaction, domain, account.id, balance).await?;
    transaction.commit().await?;
    Ok(balance)
}

#[cfg(test)]
mod tests;
