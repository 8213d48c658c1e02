//! Daily limit of an agent's tool calls, which the owner sets for each connection. Without one, only the limits of the
//! plan apply. A day is a UTC calendar day, as for plan limits, because the size of such a counter does not depend on
//! the limit.

use std::collections::HashMap;

use async_recursion::async_recursion as boxed;
use entities::agent_limit;
use entities::ids::AccountId;
use sea_orm::sea_query::OnConflict;
use sea_orm::{ActiveValue::Set, ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter};

use super::connection::ConnectionName;
use crate::limits::AccountLimits;
use crate::limits::window::RatePolicy;
use kernel::{Code, Domain, Error, Result};

/// Largest limit.
pub const MAX_CALLS_PER_DAY: u32 = 1_000_000;

/// Returns the limits of an account, by name of the connection.
#[boxed]
pub async fn daily_limits(domain: &Domain, account_id: AccountId) -> Result<HashMap<String, u32>> {
    let rows = agent_limit::Entity::owned_by(account_id).all(domain.db().read()).await?;
    let limits = rows.into_iter().map(|row| (row.connection, u32::try_from(row.calls_per_day).unwrap_or(0)));
    Ok(limits.collect())
}

/// Sets the limit of a connection; `None` removes it.
///
/// # Errors
/// `invalid_request` unless the limit is from 1 to [`MAX_CALLS_PER_DAY`].
#[boxed]
pub async fn set_daily_limit(
    domain: &Domain,
    account_id: AccountId,
    connection: &ConnectionName,
    calls_per_day: Option<u32>,
) -> Result<()> {
    let Some(calls_per_day) = calls_per_day else {
        agent_limit::Entity::delete_many()
            .filter(agent_limit::Column::AccountId.eq(account_id))
            .filter(agent_limit::Column::Connection.eq(connection.as_str()))
            .exec(domain.db().write())
            .await?;
        return Ok(());
    };
    let allowed = i32::try_from(calls_per_day).ok();
    let allowed = allowed.filter(|_| (1..=MAX_CALLS_PER_DAY).contains(&calls_per_day));
    let allowed =
        allowed.ok_or_else(|| Error::invalid_field("calls_per_day", "must be from 1 to 1,000,000"))?;
    let row = agent_limit::ActiveModel {
        account_id: Set(account_id),
        connection: Set(connection.to_string()),
        calls_per_day: Set(allowed),
    };
    let key = [agent_limit::Column::AccountId, agent_limit::Column::Connection];
    let on_conflict = OnConflict::columns(key).update_column(agent_limit::Column::CallsPerDay).to_owned();
    agent_limit::Entity::insert(row)
        .on_conflict(on_conflict)
        .exec_without_returning(domain.db().write())
        .await?;
    Ok(())
}

/// Copies the limit of a connection to its replacement, so that a reconnected app retains the limit.
pub(crate) async fn inherit_daily_limit(
    transaction: &impl ConnectionTrait,
    account_id: AccountId,
    previous: &ConnectionName,
    connection: &ConnectionName,
) -> Result<()> {
    let limit = agent_limit::Entity::owned_by(account_id)
        .filter(agent_limit::Column::Connection.eq(previous.as_str()))
        .one(transaction)
        .await?;
    let Some(limit) = limit else { return Ok(()) };
    let row = agent_limit::ActiveModel {
        account_id: Set(account_id),
        connection: Set(connection.to_string()),
        calls_per_day: Set(limit.calls_per_day),
    };
    agent_limit::Entity::insert(row).exec_without_returning(transaction).await?;
    Ok(())
}

/// Counts a call of a connection.
///
/// # Errors
/// `daily_limit_reached`, with the seconds to wait, if the day's limit that the owner set is reached.
#[boxed]
pub async fn count_call(domain: &Domain, account_id: AccountId, connection: &ConnectionName) -> Result<()> {
    let limit = agent_limit::Entity::owned_by(account_id)
        .filter(agent_limit::Column::Connection.eq(connection.as_str()))
        .one(domain.db().read())
        .await?;
    let Some(limit) = limit else { return Ok(()) };
    let limit = u32::try_from(limit.calls_per_day).unwrap_or(0);
    let policy = RatePolicy::day("agent-day", limit, 0);
    let limits = domain.limits();
    let counter = format!("agent:{connection}");
    let decision = limits.windows().check(&counter, &[policy], domain.now()).await;
    if decision.allowed {
        return Ok(());
    }
    let message = format!("The person allows this connection {limit} calls a day, and they are used up.");
    Err(Error::new(Code::DailyLimitReached, message).retry_after(decision.retry_after().max(60)))
}
