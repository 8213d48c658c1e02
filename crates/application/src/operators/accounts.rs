//! Accounts with their plans and usage.

use async_recursion::async_recursion as boxed;
use entities::account;
use sea_orm::{ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect};

use identity::accounts::Account;
use identity::credits;
use kernel::statement::{placeholders, scalar, statement};
use kernel::tiers::Tier;
use kernel::{Domain, Result};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AccountUsage {
    pub account: Account,
    /// Number of followed feeds.
    pub feeds: u64,
    /// Number of monitors.
    pub monitors: u64,
    /// Credits that monitors used this month.
    pub credits_used: u64,
    /// Size of the library in bytes.
    pub library_bytes: u64,
}

/// Returns the number of accounts per plan.
#[boxed]
pub async fn accounts_by_plan(domain: &Domain) -> Result<Vec<(Tier, u64)>> {
    let connection = domain.db().read();
    let mut counts = Vec::with_capacity(Tier::ALL.len());
    for tier in Tier::ALL {
        let sql = "SELECT COUNT(*) FROM account WHERE tier = $1";
        counts.push((tier, scalar(connection, sql, [tier.as_str().into()]).await?.unsigned_abs()));
    }
    Ok(counts)
}

/// Returns up to `limit` accounts whose e-mail addresses start with `prefix`, ordered by e-mail address. The
/// list starts after the address `after`.
#[boxed]
pub async fn accounts(domain: &Domain, prefix: &str, after: &str, limit: u32) -> Result<Vec<AccountUsage>> {
    let connection = domain.db().read();
    let prefix = prefix.trim().to_lowercase();
    let mut query = account::Entity::find()
        .filter(account::Column::Email.gt(after))
        .order_by_asc(account::Column::Email)
        .limit(u64::from(limit));
    if !prefix.is_empty() {
        query = query.filter(account::Column::Email.starts_with(prefix));
    }
    let accounts: Vec<Account> = query.all(connection).await?.into_iter().map(Account::from).collect();
    if accounts.is_empty() {
        return Ok(Vec::new());
    }
    let sql = format!(
        "SELECT a.id, (SELECT COUNT(*) FROM rss_subscription s WHERE s.account_id = a.id), \
         (SELECT COUNT(*) FROM monitor m WHERE m.account_id = a.id), \
         COALESCE((SELECT c.used FROM credit_month c WHERE c.account_id = a.id AND c.month = $1), 0), \
         COALESCE((SELECT l.stored_bytes FROM library_account l WHERE l.account_id = a.id), 0) \
         FROM account a WHERE a.id IN ({})",
        placeholders(2, accounts.len())
    );
    let mut values = vec![credits::month_of(domain.now()).into()];
    values.extend(accounts.iter().map(|account| account.id.into()));
    let mut all: Vec<AccountUsage> = Vec::with_capacity(accounts.len());
    let rows = connection.query_all_raw(statement(connection, &sql, values)).await?;
    for account in accounts {
        let mut one = AccountUsage { account, feeds: 0, monitors: 0, credits_used: 0, library_bytes: 0 };
        for row in &rows {
            if row.try_get_by_index::<kernel::AccountId>(0)? == one.account.id {
                let number = |at| Ok::<u64, sea_orm::DbErr>(row.try_get_by_index::<i64>(at)?.unsigned_abs());
                (one.feeds, one.monitors) = (number(1)?, number(2)?);
                (one.credits_used, one.library_bytes) = (number(3)?, number(4)?);
            }
        }
        all.push(one);
    }
    Ok(all)
}
