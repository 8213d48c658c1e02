//! Due times at which the index of an account's items is updated: when the model is switched on, soon after a text was
//! stored, daily, and after a failed update with growing delays.

use entities::ids::AccountId;
use fetch::model_server::ModelEndpoint;
use jobs::{Engine, JobKind, NewJob, Submitted};
use kernel::clock::{HOUR, MINUTE};
use kernel::statement::{execute, skip_locked, statement};
use kernel::{Domain, Millis, Result};
use sea_orm::{ConnectionTrait, Value};

/// Maximum number of accounts for which one tick submits jobs.
const ACCOUNTS_PER_TICK: u32 = 20;
/// Time after which the index of an account is due again if its job was lost.
const LEASE: Millis = 2 * HOUR;
/// Delay of an update after a text was stored, so that the texts of one import are sent in few requests.
const DELAY: Millis = MINUTE;

/// Indexes the items of an account from now on. An update that waits after a failure is not brought forward. Does
/// nothing without an embedding model.
pub(crate) async fn start(
    connection: &impl ConnectionTrait,
    domain: &Domain,
    account_id: AccountId,
) -> Result<()> {
    let sql = "INSERT INTO model_item_index (account_id, due_at, failures, is_full) VALUES ($1, $2, 0, FALSE) \
        ON CONFLICT (account_id) DO UPDATE SET due_at = excluded.due_at \
        WHERE model_item_index.reason IS NULL AND model_item_index.due_at > excluded.due_at";
    set_due(connection, domain, (account_id, domain.now()), sql).await
}

/// Makes the index of an account due soon, unless it waits after a failure. Does nothing if its items are not indexed.
pub(crate) async fn update_soon(
    connection: &impl ConnectionTrait,
    domain: &Domain,
    account_id: AccountId,
) -> Result<()> {
    let sql = "UPDATE model_item_index SET due_at = $2 \
        WHERE account_id = $1 AND due_at > $2 AND reason IS NULL";
    set_due(connection, domain, (account_id, domain.now() + DELAY), sql).await
}

/// Executes a statement that sets the due time of an account's index, unless there is no embedding model.
async fn set_due(
    connection: &impl ConnectionTrait,
    domain: &Domain,
    (account_id, due_at): (AccountId, Millis),
    sql: &str,
) -> Result<()> {
    if has_embeddings(domain) {
        execute(connection, sql, [account_id.into(), due_at.into()]).await?;
    }
    Ok(())
}

fn has_embeddings(domain: &Domain) -> bool {
    domain.policy().model.as_ref().and_then(ModelEndpoint::embeddings).is_some()
}

/// Submits jobs for the accounts whose index is due. Returns the number of jobs.
pub(crate) async fn claim_due(engine: &Engine) -> Result<u64> {
    if !has_embeddings(engine.domain()) {
        return Ok(0);
    }
    let submitted = claim(engine.domain()).await?;
    Ok(engine.push_all(&submitted).await)
}

async fn claim(domain: &Domain) -> Result<Vec<Submitted>> {
    let now = domain.now();
    let transaction = domain.db().begin().await?;
    let skip_locked = skip_locked(transaction.get_database_backend());
    let sql = format!(
        "UPDATE model_item_index SET due_at = $2 WHERE due_at <= $1 AND account_id IN \
         (SELECT account_id FROM model_item_index WHERE due_at <= $1 ORDER BY due_at \
         LIMIT {ACCOUNTS_PER_TICK} {skip_locked}) RETURNING account_id"
    );
    let values: [Value; 2] = [now.into(), (now + LEASE).into()];
    let rows = transaction.query_all_raw(statement(&transaction, &sql, values)).await?;
    let accounts = rows.iter().map(|row| Ok(row.try_get_by_index(0)?)).collect::<Result<Vec<AccountId>>>()?;
    let new = |id: &AccountId| NewJob::new(JobKind::ItemIndex, id.to_string()).owner(*id);
    let new: Vec<NewJob> = accounts.iter().map(new).collect();
    let submitted = jobs::submit_all(&transaction, domain, &new).await?;
    // A running job may already be past the new text, so the index is due again after the job.
    for (account_id, _) in accounts.iter().zip(&submitted).filter(|(_, job)| job.is_none()) {
        let sql = "UPDATE model_item_index SET due_at = $2 WHERE account_id = $1";
        execute(&transaction, sql, [(*account_id).into(), (now + DELAY).into()]).await?;
    }
    transaction.commit().await?;
    Ok(submitted.into_iter().flatten().collect())
}
