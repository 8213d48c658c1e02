//! Reception of messages. When a reception is confirmed, the message is durable: its bytes are a blob, and its
//! row has a job.

use async_recursion::async_recursion as boxed;
use entities::ids::{AccountId, InboxAddressId, InboxMessageId};
use entities::inbox_message::InboxMessageState;
use entities::{inbox_address, inbox_message};
use identity::accounts;
use identity::limits::AccountLimits;
use identity::limits::window::RatePolicy;
use jobs::{JobKind, NewJob, Submitted};
use kernel::clock::DAY;
use kernel::error::not_found;
use kernel::statement::execute;
use kernel::tiers::TierLimits;
use kernel::{Code, Domain, Error, Result, Used};
use library::{LibraryTransaction, files};
use sea_orm::{
    ActiveValue::Set, ColumnTrait, ConnectionTrait, EntityTrait, IntoActiveModel, QueryFilter, QueryOrder,
    QuerySelect,
};
use sha2::{Digest, Sha256};
use tokio::time::Instant;

use crate::local_part;
use crate::messages::InboxMessage;

/// Maximum size of a message in bytes.
pub const MAX_MESSAGE_BYTES: usize = 25 * 1024 * 1024;
/// Bytes of a message that are hashed without a pause.
const HASHED_BYTES: usize = 1024 * 1024;
/// Maximum characters of the sender of an envelope that are stored.
const SENDER_CHARS: usize = 320;

/// Address that accepts messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recipient {
    pub id: InboxAddressId,
    pub account_id: AccountId,
    /// True if messages are discarded.
    pub is_muted: bool,
}

/// Result of a reception that is not confirmed yet.
struct StoredMessage {
    row: inbox_message::Model,
    job: Option<Submitted>,
    /// True if the blob belongs to the row.
    owns_blob: bool,
}

/// Finds the address of any account.
#[boxed]
pub async fn find_recipient(domain: &Domain, address: &str) -> Result<Option<Recipient>> {
    let Some(local) = local_part::of_address(address, &domain.policy().mail_domain()) else {
        return Ok(None);
    };
    let row = inbox_address::Entity::find().filter(inbox_address::Column::Local.eq(local));
    let row = row.one(domain.db().read()).await?;
    Ok(row.map(|row| Recipient { id: row.id, account_id: row.account_id, is_muted: row.muted }))
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
/// storage is used up. A refusal is counted at the address.
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
    let plan = &accounts::limits(domain.db().read(), domain, recipient.account_id).await?;
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
fn measure(received: &Result<(inbox_message::Model, Option<Submitted>)>, bytes: usize, begin: Instant) {
    metrics::histogram!("carrel_inbox_receive_duration_seconds").record(begin.elapsed().as_secs_f64());
    count(match received {
        Ok((_, Some(_))) => "accepted",
        Ok((row, None)) if row.state == InboxMessageState::Muted => "muted",
        Ok((_, None)) => "duplicate",
        Err(error) => outcome_of(error.code),
    });
    if matches!(received, Ok((_, Some(_)))) {
        let bytes = u64::try_from(bytes).unwrap_or(u64::MAX);
        metrics::counter!("carrel_inbox_received_bytes_total").increment(bytes);
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
    message: &[u8],
) -> Result<(InboxMessage, Option<Submitted>)> {
    let begin = Instant::now();
    let received = store(domain, recipient, envelope_sender, message).await;
    measure(&received, message.len(), begin);
    if let Err(error) = &received
        && error.code != Code::NotFound
    {
        record_refusal(domain, recipient, error.code).await?;
    }
    let (row, job) = received?;
    Ok((row.into(), job))
}

async fn store(
    domain: &Domain,
    recipient: Recipient,
    envelope_sender: &str,
    message: &[u8],
) -> Result<(inbox_message::Model, Option<Submitted>)> {
    let account_id = recipient.account_id;
    let plan = &accounts::limits(domain.db().read(), domain, account_id).await?;
    check_size(plan, message.len())?;
    let content_hash = hash_of(message).await;
    if let Some(row) = delivered_before(domain.db().read(), account_id, &content_hash).await? {
        return Ok((row, None));
    }
    charge(domain, account_id, plan).await?;
    let address = address_of(domain.db().read(), recipient).await?;
    let blob = if address.muted { None } else { Some(upload(domain, account_id, message).await?) };
    let row = inbox_message::Model {
        envelope_sender: envelope_sender.chars().take(SENDER_CHARS).collect(),
        blob: blob.clone(),
        bytes: i64::try_from(message.len()).unwrap_or(i64::MAX),
        content_hash,
        ..new_row(domain, recipient, address.muted)
    };
    let stored = write(domain, recipient, row).await;
    // After a transient error, the row may have been committed. If it was not, the blob expires.
    let is_unused = match &stored {
        Ok(stored) => !stored.owns_blob,
        Err(error) => !error.is_transient(),
    };
    if let Some(blob) = blob.filter(|_| is_unused) {
        files::give_up(domain, account_id, &blob).await;
    }
    stored.map(|stored| (stored.row, stored.job))
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
fn new_row(domain: &Domain, recipient: Recipient, is_muted: bool) -> inbox_message::Model {
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

/// Counts a message against the limit of the plan.
async fn charge(domain: &Domain, account_id: AccountId, plan: &TierLimits) -> Result<()> {
    let policies = [RatePolicy::day("inbox-messages", plan.inbox_messages_per_day, 0)];
    let key = format!("inbox-messages:{account_id}");
    let decision = domain.limits().windows().check(&key, &policies, domain.now()).await;
    if decision.allowed {
        return Ok(());
    }
    let message = "This account has received the messages that its plan allows in a day.";
    Err(Error::new(Code::RateLimited, message).retry_after(decision.retry_after()))
}

/// Stores the bytes of a message. The blob is deleted after a day unless it gets a row.
async fn upload(domain: &Domain, account_id: AccountId, message: &[u8]) -> Result<String> {
    let (blob, mut upload) = files::begin_unassigned(domain, account_id, DAY).await?;
    if let Err(error) = upload.push(message).await {
        files::abandon(domain, account_id, &blob, upload);
        return Err(error);
    }
    match upload.finish().await {
        Ok(_) => Ok(blob),
        Err(error) => {
            files::give_up(domain, account_id, &blob).await;
            Err(error)
        }
    }
}

/// Writes the row of a message with its job, unless the account has received the message in the meantime.
async fn write(
    domain: &Domain,
    recipient: Recipient,
    mut row: inbox_message::Model,
) -> Result<StoredMessage> {
    let account_id = recipient.account_id;
    let mut transaction = LibraryTransaction::begin(domain, account_id).await?;
    if let Some(row) = delivered_before(transaction.db(), account_id, &row.content_hash).await? {
        return Ok(StoredMessage { row, job: None, owns_blob: false });
    }
    address_of(transaction.db(), recipient).await?;
    if let Some(blob) = &row.blob {
        files::retain_unassigned(&mut transaction, blob, row.bytes).await?;
    }
    row.id = id_after_newest(&transaction, row.id).await?;
    let new = row.clone().into_active_model();
    inbox_message::Entity::insert(new).exec_without_returning(transaction.db()).await?;
    inbox_address::Entity::update_many()
        .set(inbox_address::ActiveModel {
            last_received_at: Set(Some(row.received_at)),
            ..Default::default()
        })
        .filter(inbox_address::Column::Id.eq(recipient.id))
        .filter(inbox_address::Column::AccountId.eq(account_id))
        .exec(transaction.db())
        .await?;
    let job = match &row.blob {
        Some(_) => {
            let job = NewJob::new(JobKind::InboxMessage, row.id.to_string()).owner(account_id);
            Some(jobs::submit(transaction.db(), domain, job).await?)
        }
        None => None,
    };
    transaction.commit().await?;
    Ok(StoredMessage { row, job, owns_blob: true })
}

/// Returns the id of a new message: `id`, or the successor of the newest id of the account if `id` is less, so that
/// messages of one millisecond are also listed newest first.
async fn id_after_newest(transaction: &LibraryTransaction, id: InboxMessageId) -> Result<InboxMessageId> {
    let newest: Option<InboxMessageId> = inbox_message::Entity::owned_by(transaction.account_id)
        .order_by_desc(inbox_message::Column::Id)
        .select_only()
        .column(inbox_message::Column::Id)
        .into_tuple()
        .one(transaction.db())
        .await?;
    let successor = |newest: InboxMessageId| InboxMessageId::from_u128(newest.as_u128().saturating_add(1));
    Ok(newest.map_or(id, |newest| id.max(successor(newest))))
}

/// Returns the message with the same bytes that the account has received. A failed message does not count, so
/// it may be sent again.
async fn delivered_before(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    content_hash: &[u8],
) -> Result<Option<inbox_message::Model>> {
    let row = inbox_message::Entity::owned_by(account_id)
        .filter(inbox_message::Column::ContentHash.eq(content_hash.to_vec()))
        .filter(inbox_message::Column::State.ne(InboxMessageState::Failed))
        .order_by_asc(inbox_message::Column::Id)
        .one(connection)
        .await?;
    Ok(row)
}

async fn address_of(connection: &impl ConnectionTrait, recipient: Recipient) -> Result<inbox_address::Model> {
    let row = inbox_address::Entity::owned_by(recipient.account_id)
        .filter(inbox_address::Column::Id.eq(recipient.id))
        .one(connection)
        .await?;
    row.ok_or_else(|| not_found("inbox address"))
}

/// Counts a refused message at its address, for the owner.
async fn record_refusal(domain: &Domain, recipient: Recipient, code: Code) -> Result<()> {
    let sql = "UPDATE inbox_address SET refusals = refusals + 1, refused_at = $1, refused_reason = $2 \
               WHERE id = $3 AND account_id = $4";
    let values =
        [domain.now().into(), code.as_str().into(), recipient.id.into(), recipient.account_id.into()];
    execute(domain.db().write(), sql, values).await?;
    Ok(())
}
