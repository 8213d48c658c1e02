//! Log of agents' tool calls: tool, object, time, outcome, and, for the newest calls, the data that undoes them.

use std::ops::Range;

use async_recursion::async_recursion as boxed;
use entities::agent_call;
use entities::ids::{AccountId, AgentCallId};
use sea_orm::{ActiveValue::Set, ColumnTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect, Select};

use super::connection::ConnectionName;
use super::{approvals, subscriptions, toolsets};
use kernel::clock::DAY;
use kernel::error::not_found;
use kernel::retention::ExpiredRows;
use kernel::statement::execute;
use kernel::{Domain, Millis, Result};

/// Retention of calls.
const RETENTION: Millis = 7 * DAY;
/// Maximum length of the name and the target of a call, in characters.
const MAX_CHARS: usize = 200;
/// Number of newest calls of a connection that can be undone.
const MAX_UNDOABLE: u64 = 100;
const EXPIRED: ExpiredRows = ExpiredRows { table: "agent_call", key: "id", condition: "called_at <= $1" };

#[derive(Clone, Copy, Debug)]
pub struct CallRecord<'a> {
    /// Name of the tool.
    pub tool: &'a str,
    /// Object of the call; empty if there is none.
    pub target: &'a str,
    /// Code of the error; `None` if the call succeeded.
    pub error: Option<&'a str>,
    /// Data that undoes the call, as JSON; `None` if it cannot be undone.
    pub undo: Option<&'a str>,
}

/// A recorded call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AgentCall {
    pub id: AgentCallId,
    pub tool: String,
    pub target: String,
    /// Code of the error; `None` if the call succeeded.
    pub error: Option<String>,
    pub called_at: Millis,
    /// Data that undoes the call, as JSON; `None` if it cannot be undone.
    pub undo: Option<String>,
    /// Time at which the owner undid the call.
    pub undone_at: Option<Millis>,
}

/// Outcome of a successful call.
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
        undo: Set(call.undo.map(str::to_owned)),
        undone_at: Set(None),
    };
    agent_call::Entity::insert(row).exec_without_returning(domain.db().write()).await?;
    if call.undo.is_some() {
        forget_old_undos(domain, account_id, connection).await?;
    }
    Ok(())
}

/// Deletes the undo data of calls, except for the newest calls of a connection.
async fn forget_old_undos(domain: &Domain, account_id: AccountId, connection: &ConnectionName) -> Result<()> {
    let undoable = "account_id = $1 AND connection = $2 AND undo IS NOT NULL";
    let sql = format!(
        "UPDATE agent_call SET undo = NULL WHERE {undoable} AND called_at < (SELECT called_at FROM agent_call \
         WHERE {undoable} ORDER BY called_at DESC LIMIT 1 OFFSET {})",
        MAX_UNDOABLE - 1
    );
    execute(domain.db().write(), &sql, [account_id.into(), connection.as_str().into()]).await?;
    Ok(())
}

/// Returns one call of a connection.
///
/// # Errors
/// `not_found`.
#[boxed]
pub async fn find_call(
    domain: &Domain,
    account_id: AccountId,
    connection: &ConnectionName,
    id: AgentCallId,
) -> Result<AgentCall> {
    let row = of_connection(account_id, connection).filter(agent_call::Column::Id.eq(id));
    let row = row.one(domain.db().read()).await?.ok_or_else(|| not_found("call"))?;
    Ok(AgentCall::of(row))
}

/// Records that a call was undone.
#[boxed]
pub async fn record_undone(
    domain: &Domain,
    account_id: AccountId,
    connection: &ConnectionName,
    id: AgentCallId,
) -> Result<()> {
    let undone = agent_call::ActiveModel { undone_at: Set(Some(domain.now())), ..Default::default() };
    agent_call::Entity::update_many()
        .set(undone)
        .filter(agent_call::Column::AccountId.eq(account_id))
        .filter(agent_call::Column::Connection.eq(connection.as_str()))
        .filter(agent_call::Column::Id.eq(id))
        .exec(domain.db().write())
        .await?;
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
    Ok(rows.into_iter().map(AgentCall::of).collect())
}

impl AgentCall {
    fn of(row: agent_call::Model) -> Self {
        Self {
            id: row.id,
            tool: row.tool,
            target: row.target,
            error: Some(row.outcome).filter(|outcome| outcome != DONE),
            called_at: row.called_at,
            undo: row.undo,
            undone_at: row.undone_at,
        }
    }
}

/// Deletes calls, loaded sets of tools, and subscriptions past their retention, and returns their number.
#[boxed]
pub async fn delete_expired(domain: &Domain) -> Result<u64> {
    let calls = EXPIRED.delete(domain.db().write(), &[(domain.now() - RETENTION).into()]).await?;
    let toolsets = toolsets::delete_expired(domain).await?;
    let approvals = approvals::delete_expired(domain).await?;
    Ok(calls + toolsets + approvals + subscriptions::delete_expired(domain).await?)
}
