//! Approval of tool calls. The owner chooses for each connection which tools need approval. A call of such a tool is
//! refused and listed for the owner; after approval, a call with the same arguments runs once.

use async_recursion::async_recursion as boxed;
use data_encoding::HEXLOWER;
use entities::ids::AccountId;
use entities::{agent_approval, agent_approval_rule};
use sea_orm::sea_query::OnConflict;
use sea_orm::{
    ActiveModelTrait, ActiveValue::Set, ColumnTrait, Condition, ConnectionTrait, EntityTrait,
    IntoActiveModel, PaginatorTrait, QueryFilter, QueryOrder, QuerySelect, Select,
};
use sha2::{Digest, Sha256};

use super::connection::ConnectionName;
use crate::accounts;
use kernel::clock::DAY;
use kernel::error::not_found;
use kernel::retention::ExpiredRows;
use kernel::{Code, Domain, Error, Millis, Result};

/// Tools that a rule can name: the default tools that change something.
pub const APPROVABLE_TOOLS: [&str; 7] =
    ["save", "annotate", "organize", "mark", "follow", "watch", OPERATIONS];
/// Name of a rule for all other tools that change something.
pub const OPERATIONS: &str = "operations";
/// Time within which a call must be approved and repeated.
const LIFETIME: Millis = DAY;
/// Maximum number of calls of a connection that wait for approval.
const MAX_PENDING: u64 = 50;
/// Maximum length of displayed arguments, in characters.
const MAX_ARGUMENTS: usize = 4_000;
const KEY: [agent_approval::Column; 3] =
    [agent_approval::Column::AccountId, agent_approval::Column::Connection, agent_approval::Column::CallHash];
const EXPIRED: ExpiredRows = ExpiredRows {
    table: "agent_approval",
    key: "account_id, connection, call_hash",
    condition: "requested_at <= $1",
};

/// A call to approve.
#[derive(Clone, Copy, Debug)]
pub struct ApprovalRequest<'a> {
    pub tool: &'a str,
    /// Arguments as JSON. Equal arguments result in equal texts.
    pub arguments: &'a str,
    /// Arguments as JSON, without the secrets in them. Only these are stored.
    pub displayed: &'a str,
}

/// A call that waits for approval, or for its repetition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PendingApproval {
    pub call_hash: String,
    pub tool: String,
    /// Arguments as JSON, shortened if they are long.
    pub arguments: String,
    pub requested_at: Millis,
    pub is_approved: bool,
}

/// An approval that a call used up.
#[derive(Clone, Debug)]
pub struct UsedApproval(agent_approval::Model);

/// Decision of the owner on a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ApprovalDecision {
    Approve,
    Deny,
}

/// Tools of a connection that need approval, in alphabetical order.
#[boxed]
pub async fn approval_rules(
    domain: &Domain,
    account_id: AccountId,
    connection: &ConnectionName,
) -> Result<Vec<String>> {
    let rows = rules_of(account_id, connection)
        .order_by_asc(agent_approval_rule::Column::Tool)
        .all(domain.db().read())
        .await?;
    Ok(rows.into_iter().map(|row| row.tool).collect())
}

/// Replaces the list of tools that need approval for a connection.
///
/// # Errors
/// `invalid_request` for a tool that is not one of [`APPROVABLE_TOOLS`].
#[boxed]
pub async fn set_approval_rules(
    domain: &Domain,
    account_id: AccountId,
    connection: &ConnectionName,
    tools: &[String],
) -> Result<()> {
    if tools.iter().any(|tool| !APPROVABLE_TOOLS.contains(&tool.as_str())) {
        return Err(Error::invalid_field("tools", "must be tools that change something"));
    }
    let transaction = domain.db().begin().await?;
    accounts::lock(&transaction, account_id).await?;
    agent_approval_rule::Entity::delete_many()
        .filter(agent_approval_rule::Column::AccountId.eq(account_id))
        .filter(agent_approval_rule::Column::Connection.eq(connection.as_str()))
        .exec(&transaction)
        .await?;
    insert_rules(&transaction, account_id, connection, tools).await?;
    transaction.commit().await?;
    Ok(())
}

/// Copies the rules of a connection to its replacement, so that a reconnected app retains the rules.
pub(crate) async fn inherit_approval_rules(
    transaction: &impl ConnectionTrait,
    account_id: AccountId,
    previous: &ConnectionName,
    connection: &ConnectionName,
) -> Result<()> {
    let rows = rules_of(account_id, previous).all(transaction).await?;
    let tools: Vec<String> = rows.into_iter().map(|row| row.tool).collect();
    insert_rules(transaction, account_id, connection, &tools).await
}

/// Returns whether calls of a connection need approval by `rule`, one of [`APPROVABLE_TOOLS`].
pub async fn needs_approval(
    domain: &Domain,
    account_id: AccountId,
    connection: &ConnectionName,
    rule: &str,
) -> Result<bool> {
    let rules = rules_of(account_id, connection).filter(agent_approval_rule::Column::Tool.eq(rule));
    // Each call that changes something needs this, so it must not wait for writers.
    Ok(rules.one(domain.db().read()).await?.is_some())
}

/// Uses up the owner's approval of a call. Without one, the call is listed for the owner.
///
/// # Errors
/// `limit_reached` if too many calls of the connection wait for approval.
pub async fn use_approval(
    domain: &Domain,
    account_id: AccountId,
    connection: &ConnectionName,
    request: ApprovalRequest<'_>,
) -> Result<Option<UsedApproval>> {
    let writer = domain.db().write();
    let call_hash = hash_of(request);
    let approved = agent_approval::Entity::owned_by(account_id)
        .filter(agent_approval::Column::Connection.eq(connection.as_str()))
        .filter(agent_approval::Column::CallHash.eq(&call_hash))
        .filter(agent_approval::Column::ApprovedAt.gt(domain.now() - LIFETIME))
        .one(writer)
        .await?;
    if let Some(row) = approved {
        let used = agent_approval::Entity::delete_many()
            .filter(agent_approval::Column::AccountId.eq(account_id))
            .filter(agent_approval::Column::Connection.eq(connection.as_str()))
            .filter(agent_approval::Column::CallHash.eq(&call_hash))
            .filter(agent_approval::Column::ApprovedAt.is_not_null())
            .exec(writer)
            .await?;
        // Of several concurrent calls, the call that deletes the row uses up the approval.
        if used.rows_affected > 0 {
            return Ok(Some(UsedApproval(row)));
        }
    }
    let others =
        pending_of(domain, account_id, connection).filter(agent_approval::Column::CallHash.ne(&call_hash));
    if others.count(writer).await? >= MAX_PENDING {
        let message = format!("{MAX_PENDING} calls wait for the person's approval already.");
        return Err(Error::new(Code::LimitReached, message));
    }
    let row = agent_approval::ActiveModel {
        account_id: Set(account_id),
        connection: Set(connection.to_string()),
        call_hash: Set(call_hash),
        tool: Set(request.tool.chars().take(200).collect()),
        arguments: Set(shortened(request.displayed)),
        requested_at: Set(domain.now()),
        approved_at: Set(None),
    };
    // A repeated request renews an expired request. An unused approval is retained.
    let renewed = OnConflict::columns(KEY).update_column(agent_approval::Column::RequestedAt).to_owned();
    agent_approval::Entity::insert(row).on_conflict(renewed).exec_without_returning(writer).await?;
    Ok(None)
}

/// Restores an approval whose call was refused without an effect. Its expiry does not change.
#[boxed]
pub async fn return_approval(domain: &Domain, approval: UsedApproval) -> Result<()> {
    let row = approval.0.into_active_model().reset_all();
    // An equal call may have been listed in the meantime.
    let approved = OnConflict::columns(KEY).update_column(agent_approval::Column::ApprovedAt).to_owned();
    let insert = agent_approval::Entity::insert(row).on_conflict(approved);
    insert.exec_without_returning(domain.db().write()).await?;
    Ok(())
}

/// Calls of a connection that wait for approval or repetition, most recently requested first.
#[boxed]
pub async fn pending_approvals(
    domain: &Domain,
    account_id: AccountId,
    connection: &ConnectionName,
) -> Result<Vec<PendingApproval>> {
    let rows = pending_of(domain, account_id, connection)
        .order_by_desc(agent_approval::Column::RequestedAt)
        .limit(MAX_PENDING)
        .all(domain.db().read())
        .await?;
    let pending = |row: agent_approval::Model| PendingApproval {
        call_hash: row.call_hash,
        tool: row.tool,
        arguments: row.arguments,
        requested_at: row.requested_at,
        is_approved: row.approved_at.is_some_and(|at| at > domain.now() - LIFETIME),
    };
    Ok(rows.into_iter().map(pending).collect())
}

/// Approves a call, or removes it from the list.
///
/// # Errors
/// `not_found` if the call does not wait for approval.
#[boxed]
pub async fn decide(
    domain: &Domain,
    account_id: AccountId,
    connection: &ConnectionName,
    call_hash: &str,
    decision: ApprovalDecision,
) -> Result<()> {
    let writer = domain.db().write();
    let owner = agent_approval::Column::AccountId.eq(account_id);
    let name = agent_approval::Column::Connection.eq(connection.as_str());
    let hash = agent_approval::Column::CallHash.eq(call_hash);
    let affected_rows = match decision {
        ApprovalDecision::Approve => {
            let approved =
                agent_approval::ActiveModel { approved_at: Set(Some(domain.now())), ..Default::default() };
            let recent = agent_approval::Column::RequestedAt.gt(domain.now() - LIFETIME);
            let update = agent_approval::Entity::update_many().set(approved);
            update.filter(owner).filter(name).filter(hash).filter(recent).exec(writer).await?.rows_affected
        }
        ApprovalDecision::Deny => {
            let delete = agent_approval::Entity::delete_many();
            delete.filter(owner).filter(name).filter(hash).exec(writer).await?.rows_affected
        }
    };
    if affected_rows == 0 { Err(not_found("call")) } else { Ok(()) }
}

/// Deletes expired calls, and returns their number.
pub(super) async fn delete_expired(domain: &Domain) -> Result<u64> {
    EXPIRED.delete(domain.db().write(), &[(domain.now() - 2 * LIFETIME).into()]).await
}

fn rules_of(account_id: AccountId, connection: &ConnectionName) -> Select<agent_approval_rule::Entity> {
    agent_approval_rule::Entity::owned_by(account_id)
        .filter(agent_approval_rule::Column::Connection.eq(connection.as_str()))
}

fn pending_of(
    domain: &Domain,
    account_id: AccountId,
    connection: &ConnectionName,
) -> Select<agent_approval::Entity> {
    let oldest = domain.now() - LIFETIME;
    // An approval is valid for its own lifetime after the request expires. The owner can withdraw it.
    let is_live = Condition::any()
        .add(agent_approval::Column::RequestedAt.gt(oldest))
        .add(agent_approval::Column::ApprovedAt.gt(oldest));
    agent_approval::Entity::owned_by(account_id)
        .filter(agent_approval::Column::Connection.eq(connection.as_str()))
        .filter(is_live)
}

async fn insert_rules(
    transaction: &impl ConnectionTrait,
    account_id: AccountId,
    connection: &ConnectionName,
    tools: &[String],
) -> Result<()> {
    let mut names: Vec<&String> = tools.iter().collect();
    names.sort();
    names.dedup();
    for tool in names {
        let row = agent_approval_rule::ActiveModel {
            account_id: Set(account_id),
            connection: Set(connection.to_string()),
            tool: Set(tool.clone()),
        };
        agent_approval_rule::Entity::insert(row).exec_without_returning(transaction).await?;
    }
    Ok(())
}

fn hash_of(request: ApprovalRequest<'_>) -> String {
    HEXLOWER.encode(&Sha256::digest(format!("{}\n{}", request.tool, request.arguments)))
}

/// Arguments for display, with the number of omitted characters.
fn shortened(arguments: &str) -> String {
    match arguments.char_indices().nth(MAX_ARGUMENTS) {
        None => arguments.to_owned(),
        Some((end, _)) => {
            let omitted = arguments[end..].chars().count();
            format!("{}… and {omitted} more characters", &arguments[..end])
        }
    }
}
