//! Commit tokens of dry runs, and the results of committed mutations.

use async_recursion::async_recursion as boxed;
use entities::feed_commit::{ActiveModel, Column, Entity, Model};
use entities::ids::AccountId;
use sea_orm::ActiveValue::{NotSet, Set};
use sea_orm::{
    ActiveModelTrait, ColumnTrait, Condition, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder,
    QuerySelect,
};
use sha2::{Digest, Sha256};

use super::mutation::{Mutation, MutationOp};
use super::outcome::MutationResult;
use super::plan::Plan;
use kernel::clock::{DAY, MINUTE};
use kernel::error::not_found;
use kernel::retention::ExpiredRows;
use kernel::{Code, Domain, Error, Millis, Result};

/// Lifetime of a commit token in milliseconds.
const TOKEN_TTL_MS: Millis = 10 * MINUTE;
/// Retention of the result of a committed mutation, in milliseconds.
const RESULT_TTL_MS: Millis = DAY;
/// Maximum number of tokens per account. The oldest tokens are deleted first.
const MAX_TOKENS: u64 = 100;
/// `LIKE` pattern of results with pending items.
const PENDING: &str = "%\"code\":\"pending\"%";

/// Stored dry run with its mutation.
pub(super) struct Commit {
    pub(super) row: Model,
    pub(super) mutation: Mutation,
    pub(super) plan: Plan,
    /// Result of the mutation. `None` if it was not committed yet.
    pub(super) result: Option<MutationResult>,
}

/// Commit token of a stored dry run.
pub(super) struct DryRun {
    pub(super) id: i64,
    pub(super) token: String,
    /// Expiry time of the token.
    pub(super) expires_at: Millis,
}

/// Stores a dry run.
pub(super) async fn store(
    connection: &impl ConnectionTrait,
    domain: &Domain,
    account_id: AccountId,
    mutation: &Mutation,
    plan: &Plan,
) -> Result<DryRun> {
    // Results that a job still updates are not deleted.
    let is_settled = Condition::any().add(Column::Result.is_null()).add(Column::Result.not_like(PENDING));
    let beyond = Entity::owned_by(account_id)
        .order_by_desc(Column::Id)
        .offset(MAX_TOKENS - 1)
        .limit(1)
        .one(connection)
        .await?;
    if let Some(beyond) = beyond {
        Entity::delete_many()
            .filter(Column::AccountId.eq(account_id))
            .filter(Column::Id.lte(beyond.id))
            .filter(is_settled)
            .exec(connection)
            .await?;
    }
    let token = data_encoding::BASE64URL_NOPAD.encode(&domain.random::<32>());
    let expires_at = domain.now() + TOKEN_TTL_MS;
    let row = ActiveModel {
        id: NotSet,
        account_id: Set(account_id),
        token_hash: Set(hash(&token)),
        op: Set(mutation.op.as_str().to_owned()),
        asked: Set(serde_json::to_string(mutation).map_err(Error::internal)?),
        plan: Set(serde_json::to_string(plan).map_err(Error::internal)?),
        result: Set(None),
        expires_at: Set(expires_at),
        committed_at: Set(None),
    };
    let id = row.insert(connection).await?.id;
    Ok(DryRun { id, token, expires_at })
}

/// Returns the dry run of a token. The caller must have locked the account, so that the mutation is not
/// committed twice.
///
/// # Errors
/// `not_found` if the token is unknown or belongs to another account; `commit_conflict` if the token has
/// expired, or was issued for another operation or mutation.
pub(super) async fn find(
    connection: &impl ConnectionTrait,
    domain: &Domain,
    account_id: AccountId,
    token: &str,
    op: MutationOp,
    repeated: Option<&Mutation>,
) -> Result<Commit> {
    let row = Entity::owned_by(account_id).filter(Column::TokenHash.eq(hash(token))).one(connection).await?;
    let row = row.filter(|row| row.committed_at.is_none_or(|at| domain.now() - at <= RESULT_TTL_MS));
    let row = row.ok_or_else(|| not_found("commit token"))?;
    let conflict = |message: &str, reason: &str| {
        Err(Error::new(Code::CommitConflict, message).at("commit_token", reason))
    };
    if row.op != op.as_str() {
        return conflict("This token was given for another operation.", "is of another operation");
    }
    let commit = Commit::try_from(row)?;
    if repeated.is_some_and(|repeated| *repeated != commit.mutation) {
        let message = "This token was given for another `where` or `set`. Commit with the token alone.";
        return conflict(message, "belongs to another request");
    }
    if commit.result.is_none() && domain.now() > commit.row.expires_at {
        return conflict("This token has expired. Repeat the dry run.", "expired");
    }
    Ok(commit)
}

impl TryFrom<Model> for Commit {
    type Error = Error;

    fn try_from(row: Model) -> Result<Self> {
        let mutation = serde_json::from_str(&row.asked).map_err(Error::internal)?;
        let result = row.result.as_deref().map(serde_json::from_str).transpose().map_err(Error::internal)?;
        let plan = serde_json::from_str(&row.plan).map_err(Error::internal)?;
        Ok(Self { row, mutation, plan, result })
    }
}

pub(super) async fn load(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    id: i64,
) -> Result<Option<Commit>> {
    let row = Entity::owned_by(account_id).filter(Column::Id.eq(id)).one(connection).await?;
    row.map(Commit::try_from).transpose()
}

/// Returns the account of a commit.
pub(super) async fn owner(connection: &impl ConnectionTrait, id: i64) -> Result<Option<AccountId>> {
    Ok(Entity::find_by_id(id).one(connection).await?.map(|row| row.account_id))
}

/// Returns the current result of a commit.
///
/// # Errors
/// `not_found` if the commit was deleted.
pub(super) async fn result(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    id: i64,
) -> Result<MutationResult> {
    let loaded = load(connection, account_id, id).await?;
    loaded.and_then(|commit| commit.result).ok_or_else(|| not_found("commit"))
}

/// Records the result of a mutation and marks it as committed.
pub(super) async fn record(
    connection: &impl ConnectionTrait,
    domain: &Domain,
    id: i64,
    result: &MutationResult,
) -> Result<()> {
    let committed = ActiveModel {
        id: Set(id),
        result: Set(Some(serde_json::to_string(result).map_err(Error::internal)?)),
        committed_at: Set(Some(domain.now())),
        ..Default::default()
    };
    committed.update(connection).await?;
    Ok(())
}

/// Updates the result of a committed mutation.
pub(super) async fn update_result(
    connection: &impl ConnectionTrait,
    id: i64,
    result: &MutationResult,
) -> Result<()> {
    let result = Set(Some(serde_json::to_string(result).map_err(Error::internal)?));
    ActiveModel { id: Set(id), result, ..Default::default() }.update(connection).await?;
    Ok(())
}

/// Deletes expired tokens, and results that were committed more than a day ago. Returns the number of deleted
/// rows.
#[boxed]
pub async fn delete_old_commits(domain: &Domain) -> Result<u64> {
    let old = ExpiredRows { table: "feed_commit", key: "id", condition: "expires_at < $1" };
    old.delete(domain.db().write(), &[(domain.now() - TOKEN_TTL_MS - RESULT_TTL_MS).into()]).await
}

fn hash(token: &str) -> Vec<u8> {
    Sha256::digest(token.as_bytes()).to_vec()
}
