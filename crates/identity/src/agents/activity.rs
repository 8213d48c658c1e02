//! Log of agents' tool calls: which tool, on what, when, and with which outcome.

use std::ops::Range;

use async_recursion::async_recursion as boxed;
use entities::agent_call;
use entities::ids::AccountId;
use sea_orm::{ActiveValue::Set, ColumnTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect, Select};

use super::connection::ConnectionName;
use super::{approvals, subscriptions, toolsets};
use kernel::clock::DAY;
use kernel::retention::ExpiredRows;
use kernel::{Domain, Millis, Result};

/// Retention of calls.
const RETENTION: Millis = 7 * DAY;
/// Longest name and target of a call, in characters.
const MAX_CHARS: usize = 200;
const EXPIRED: ExpiredRows = ExpiredRows { table: "agent_call", key: "id", condition: "called_at <= $1" };

/// A call to record.
#[derive(Clone, Copy, Debug)]
pub struct CallRecord<'a> {
    /// Name of the tool.
    pub tool: &'a str,
    /// Object of the call; empty if there is none.
    pub target: &'a str,
    /// Code of the error; `None` if the call was done.
    pub error: Option<&'a str>,
}

/// A recorded call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AgentCall {
    pub tool: String,
    pub target: String,
    /// Code of the error; `None` if the call was done.
    pub error: Option<String>,
    pub called_at: Millis,
}

/// Word for the outcome of a call that was done.
const DONE: &str = "done";

/// Records a call.
pub async fn record(
    domain: &Domain,
    account_id: AccountId,
    connection: &ConnectionName,
    call: CallRecord<'_>,
) -> Result<()> {
    let cut =
        |text: &str| text.chars().filter(|letter| !letter.is_control()).take(MAX_CHARS).collect::<String>();
    let row = agent_call::ActiveModel {
        id: Set(domain.new_id()),
        account_id: Set(account_id),
        connection: Set(connection.to_string()),
        tool: Set(cut(call.tool)),
        target: Set(cut(call.target)),
        outcome: Set(cut(call.error.unwrap_or(DONE))),
        called_at: Set(domain.now()),
    };
    agent_call::Entity::insert(row).exec_without_returning(domain.db().write()).await?;
    Ok(())
}

/// The newest calls of a connection.
#[boxed]
pub async fn calls(
    domain: &Domain,
    account_id: AccountId,
    connection: &ConnectionName,
    limit: u64,
) -> Result<Vec<AgentCall>> {
    newest(domain, of_connection(account_id, connection), limit).await
}

/// The newest calls of a connection in a period.
#[boxed]
pub async fn calls_between(
    domain: &Domain,
    account_id: AccountId,
    connection: &ConnectionName,
    period: Range<Millis>,
    limit: u64,
) -> Result<Vec<AgentCall>> {
    let called = of_connection(account_id, connection)
        .filter(agent_call::Column::CalledAt.gte(period.start))
        .filter(agent_call::Column::CalledAt.lt(period.end));
    newest(domain, called, limit).await
}

/// The newest calls of a connection that were refused or failed.
#[boxed]
pub async fn failed_calls(
    domain: &Domain,
    account_id: AccountId,
    connection: &ConnectionName,
    limit: u64,
) -> Result<Vec<AgentCall>> {
    let failed = of_connection(account_id, connection).filter(agent_call::Column::Outcome.ne(DONE));
    newest(domain, failed, limit).await
}

fn of_connection(account_id: AccountId, connection: &ConnectionName) -> Select<agent_call::Entity> {
    agent_call::Entity::owned_by(account_id).filter(agent_call::Column::Connection.eq(connection.as_str()))
}

async fn newest(domain: &Domain, calls: Select<agent_call::Entity>, limit: u64) -> Result<Vec<AgentCall>> {
    let rows = calls
        .order_by_desc(agent_call::Column::CalledAt)
        .order_by_desc(agent_call::Column::Id)
        .limit(limit)
        .all(domain.db().read())
        .await?;
    let call = |row: agent_call::Model| AgentCall {
        tool: row.tool,
        target: row.target,
        error: Some(row.outcome).filter(|outcome| outcome != DONE),
        called_at: row.called_at,
    };
    Ok(rows.into_iter().map(call).collect())
}

/// Deletes calls, loaded sets of tools, and subscriptions beyond their retention, and returns their number.
#[boxed]
pub async fn delete_expired(domain: &Domain) -> Result<u64> {
    let calls = EXPIRED.delete(domain.db().write(), &[(domain.now() - RETENTION).into()]).await?;
    let toolsets = toolsets::delete_expired(domain).await?;
    let approvals = approvals::delete_expired(domain).await?;
    Ok(calls + toolsets + approvals + subscriptions::delete_expired(domain).await?)
}
