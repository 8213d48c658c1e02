//! Reception of messages. When a reception is confirmed, the message is durable: its bytes are a blob, and its
//! row has a job.
//!
//! The bytes of each message are stored first. The row and the job of the message are then written in a batch
//! (`batch`). If the process is killed in between, only a blob without a row remains, which the sweep deletes after a
//! day.

mod batch;
#[cfg(test)]
mod tests;

use async_recursion::async_recursion as boxed;
use bytes::Bytes;
use entities::ids::{AccountId, InboxAddressId};
use entities::inbox_message::{self, InboxMessageState};
use identity::accounts::{LIMIT_COLUMNS, limits_of_row};
use identity::limits::AccountLimits;
use identity::limits::window::{LimitDecision, RatePolicy};
use jobs::Submitted;
use kernel::error::not_found;
use kernel::statement::{execute, statement};
use kernel::tiers::TierLimits;
use kernel::{Code, Domain, Error, Result, Used, request_id};
use library::files;
use sea_orm::{ConnectionTrait, QueryResult};
use sha2::{Digest, Sha256};
use tokio::time::Instant;

use self::batch::{NewMessage, StoredMessage};
use crate::local_part;
use crate::messages::InboxMessage;

/// Maximum size of a message in bytes.
pub const MAX_MESSAGE_BYTES: usize = 25 * 1024 * 1024;
/// Number of bytes of a message that are hashed without a pause.
const HASHED_BYTES: usize = 1024 * 1024;
/// Maximum length of the stored sender of an envelope, in characters.
const SENDER_CHARS: usize = 320;

/// Address that accepts messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recipient {
    pub id: InboxAddressId,
    pub account_id: AccountId,
    /// True if messages are discarded.
    pub is_muted: bool,
    /// Limits of the account.
    pub plan: TierLimits,
}

/// Finds the address of any account.
#[boxed]
pub async fn find_recipient(domain: &Domain, address: &str) -> Result<Option<Recipient>> {
    let Some(local) = local_part::of_address(address, &domain.policy().mail_domain()) else {
        return Ok(None);
    };
    let sql = format!(
        "SELECT i.id, i.account_id, i.muted, {LIMIT_COLUMNS} FROM inbox_address i \
         JOIN account a ON a.id = i.account_id WHERE i.local = $1"
    );
    let connection = domain.db().read();
    let row = connection.query_one_raw(statement(connection, &sql, [local.into()])).await?;
    row.map(|row| read_recipient(domain, &row)).transpose()
}

fn read_recipient(domain: &Domain, row: &QueryResult) -> Result<Recipient> {
    Ok(Recipient {
        id: row.try_get_by_index(0)?,
        account_id: row.try_get_by_index(1)?,
        is_muted: row.try_get_by_index(2)?,
        plan: limits_of_row(domain, row)?,
    })
}

/// Finds an address of this account.
///
/// # Errors
/// `not_found`.
#[boxed]
pub async fn find_own_recipient(domain: &Domain, account_id: AccountId, address: &str) -> Result<Recipient> {
    let recipient = find_recipient(domain, address).await?;
    recipient.filter(|recipient| recipient.account_id == account_id).ok_or_else(|| not_found("inbox address"))
}

/// Checks the limits of a recipient that are known before its message arrives: the declared size, and whether the
/// storage is full. Refusals are counted per address.
///
/// # Errors
/// `payload_too_large`; `storage_limit_reached`; `service_unavailable`.
pub(crate) async fn admit(domain: &Domain, recipient: Recipient, declared: Option<u64>) -> Result<()> {
    let admitted = check_limits(domain, recipient, declared.unwrap_or_default()).await;
    if let Err(error) = &admitted {
        count(outcome_of(error.code));
        if !error.is_transient() {
            record_refusal(domain, recipient, error.code).await?;
        }
    }
    admitted
}

async fn check_limits(domain: &Domain, recipient: Recipient, declared: u64) -> Result<()> {
    let plan = &recipient.plan;
    check_size(plan, usize::try_from(declared).unwrap_or(usize::MAX))?;
    if recipient.is_muted {
        return Ok(());
    }
    let used = library::stored_bytes(domain.db().read(), recipient.account_id).await?;
    let limit = plan.library_storage_bytes;
    if used.saturating_add(declared.max(1)) <= limit {
        return Ok(());
    }
    let error = Error::new(Code::StorageLimitReached, "The storage of the account is used up.");
    Err(error.limit(Used { limit, used, policy: None }))
}

/// Counts a message, or a refused recipient, by its outcome.
pub(crate) fn count(outcome: &'static str) {
    metrics::counter!("carrel_inbox_messages_total", "outcome" => outcome).increment(1);
}

fn outcome_of(code: Code) -> &'static str {
    match code {
        Code::NotFound => "unknown_address",
        Code::PayloadTooLarge => "too_large",
        Code::RateLimited => "daily_limit",
        Code::StorageLimitReached => "storage",
        _ => "unavailable",
    }
}

/// Records the outcome, the size, and the duration of a reception.
fn measure(received: &Result<StoredMessage>, bytes: usize, begin: Instant) {
    metrics::histogram!("carrel_inbox_receive_duration_seconds").record(begin.elapsed().as_secs_f64());
    count(outcome(received));
    if matches!(received, Ok(StoredMessage { job: Some(_), .. })) {
        let bytes = u64::try_from(bytes).unwrap_or(u64::MAX);
        metrics::counter!("carrel_inbox_received_bytes_total").increment(bytes);
    }
}

fn outcome(received: &Result<StoredMessage>) -> &'static str {
    match received {
        Ok(stored) if stored.is_duplicate => "duplicate",
        Ok(StoredMessage { job: Some(_), .. }) => "accepted",
        Ok(_) => "muted",
        Err(error) => outcome_of(error.code),
    }
}

/// Receives a message. A message that the account has already received is confirmed and not stored again. The
/// caller pushes the job.
///
/// # Errors
/// `payload_too_large`; `rate_limited`; `storage_limit_reached`; `not_found` if the address was deleted;
/// `store_full` or `service_unavailable`.
#[boxed]
pub async fn receive(
    domain: &Domain,
    recipient: Recipient,
    envelope_sender: &str,
    message: &Bytes,
) -> Result<(InboxMessage, Option<Submitted>)> {
    let begin = Instant::now();
    let received = store(domain, recipient, envelope_sender, message).await;
    measure(&received, message.len(), begin);
    if let Err(error) = &received
        && error.code != Code::NotFound
    {
        record_refusal(domain, recipient, error.code).await?;
    }
    let StoredMessage { row, job, .. } = received?;
    Ok((row.into(), job))
}

async fn store(
    domain: &Domain,
    recipient: Recipient,
    envelope_sender: &str,
    message: &Bytes,
) -> Result<StoredMessage> {
    let account_id = recipient.account_id;
    let plan = &recipient.plan;
    check_size(plan, message.len())?;
    let content_hash = hash_of(message).await;
    let received = batch::received(domain.db().read(), account_id, vec![content_hash.clone()]).await?;
    if let Some(row) = received.into_values().next() {
        return Ok(StoredMessage::duplicate(row));
    }
    let charge = charge(domain, account_id, plan).await?;
    let blob = if recipient.is_muted {
        None
    } else {
        Some(files::write_unassigned(domain, account_id, message.clone()).await?)
    };
    let row = inbox_message::Model {
        envelope_sender: envelope_sender.chars().take(SENDER_CHARS).collect(),
        blob,
        bytes: i64::try_from(message.len()).unwrap_or(i64::MAX),
        content_hash,
        ..new_row(domain, recipient)
    };
    let new = NewMessage { row, request_id: request_id::current() };
    write_row(domain, new, (recipient.plan, charge)).await
}

/// Writes the row of a message. If the message is refused or was received before, deletes its blob, even if
/// the caller is cancelled, and refunds the charge of a message that was received before.
async fn write_row(
    domain: &Domain,
    new: NewMessage,
    (plan, charge): (TierLimits, LimitDecision),
) -> Result<StoredMessage> {
    let domain = domain.clone();
    let writing = tokio::spawn(async move {
        let (account_id, blob) = (new.row.account_id, new.row.blob.clone());
        let stored = batch::write(&domain, new).await;
        if let Some(blob) = blob.filter(|blob| is_unused(blob, &stored)) {
            delete_blob(&domain, &blob).await;
        }
        if stored.as_ref().is_ok_and(|stored| stored.is_duplicate) {
            let policies = daily_limit(&plan);
            domain.limits().windows().refund(&counter_of(account_id), &policies, &charge).await;
        }
        stored
    });
    writing.await.map_err(Error::internal)?
}

/// Returns true if a blob certainly has no row. After other errors, the row may have been committed. If it was not,
/// the sweep deletes the blob.
fn is_unused(blob: &str, stored: &Result<StoredMessage>) -> bool {
    match stored {
        Ok(stored) => stored.row.blob.as_deref() != Some(blob),
        Err(error) => matches!(error.code, Code::StorageLimitReached | Code::NotFound),
    }
}

/// Deletes a blob without a row. If the deletion fails, the sweep retries it.
async fn delete_blob(domain: &Domain, blob: &str) {
    if let Err(error) = domain.blobs().delete(blob).await {
        tracing::warn!(error = error.report(), "blob of a refused message left to the sweep");
    }
}

/// Computes the hash of a message. Other tasks run between its parts.
async fn hash_of(message: &[u8]) -> Vec<u8> {
    let mut hash = Sha256::new();
    for part in message.chunks(HASHED_BYTES) {
        hash.update(part);
        tokio::task::yield_now().await;
    }
    hash.finalize().to_vec()
}

/// Creates the row of a message that waits for its job, or that is discarded.
fn new_row(domain: &Domain, recipient: Recipient) -> inbox_message::Model {
    let is_muted = recipient.is_muted;
    let now = domain.now();
    inbox_message::Model {
        id: domain.new_id(),
        account_id: recipient.account_id,
        address_id: recipient.id,
        envelope_sender: String::new(),
        blob: None,
        bytes: 0,
        content_hash: Vec::new(),
        message_key: None,
        state: if is_muted { InboxMessageState::Muted } else { InboxMessageState::Received },
        reason: None,
        subject: None,
        sender: None,
        list_id: None,
        unsubscribe_url: None,
        one_click: false,
        authentication: None,
        attachments: "[]".to_owned(),
        item_id: None,
        received_at: now,
        finished_at: is_muted.then_some(now),
        feed_id: None,
        tracking_pixels: 0,
        confirmation_url: None,
        unsubscribe_state: None,
        unsubscribe_reason: None,
        unsubscribe_at: None,
    }
}

fn check_size(plan: &TierLimits, bytes: usize) -> Result<()> {
    let used = u64::try_from(bytes).unwrap_or(u64::MAX);
    let limit = plan.file_bytes.min(u64::try_from(MAX_MESSAGE_BYTES).unwrap_or(u64::MAX));
    if used <= limit {
        return Ok(());
    }
    let message = format!("A message has at most {limit} bytes.");
    Err(Error::new(Code::PayloadTooLarge, message).limit(Used { limit, used, policy: None }))
}

/// Counts a message against the limit of the plan. Returns the charge.
async fn charge(domain: &Domain, account_id: AccountId, plan: &TierLimits) -> Result<LimitDecision> {
    let policies = daily_limit(plan);
    let decision = domain.limits().windows().check(&counter_of(account_id), &policies, domain.now()).await;
    if decision.allowed {
        return Ok(decision);
    }
    let message = "This account has received the messages that its plan allows in a day.";
    Err(Error::new(Code::RateLimited, message).retry_after(decision.retry_after()))
}

fn daily_limit(plan: &TierLimits) -> [RatePolicy; 1] {
    [RatePolicy::day("inbox-messages", plan.inbox_messages_per_day, 0)]
}

fn counter_of(account_id: AccountId) -> String {
    format!("inbox-messages:{account_id}")
}

/// Counts a refused message in the row of its address, for the owner.
async fn record_refusal(domain: &Domain, recipient: Recipient, code: Code) -> Result<()> {
    let sql = "UPDATE inbox_address SET refusals = refusals + 1, refused_at = $1, refused_reason = $2 \
               WHERE id = $3 AND account_id = $4";
    let values =
        [domain.now().into(), code.as_str().into(), recipient.id.into(), recipient.account_id.into()];
    execute(domain.db().write(), sql, values).await?;
    Ok(())
}
