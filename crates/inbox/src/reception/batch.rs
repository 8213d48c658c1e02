//! Batches of received messages (group commit): the messages of an account that wait at the same time are written in
//! one transaction. Each message is checked on its own and has its own result, so a refused message does not affect
//! the others.
//!
//! Each account has its own batches, which run one after another. An account does not wait for the batches of another
//! account, except for one transaction if the database has a single writer. The bytes of a message are stored before
//! its batch is written, so a large message delays only itself.

use std::collections::{HashMap, HashSet};

use entities::ids::{AccountId, InboxAddressId, InboxMessageId};
use entities::inbox_address;
use entities::inbox_message::{self, InboxMessageState};
use futures_util::future::BoxFuture;
use jobs::{JobKind, NewJob, Submitted};
use kernel::batcher::KeyedBatcher;
use kernel::error::not_found;
use kernel::{Code, Domain, Error, Result};
use library::LibraryTransaction;
use library::files::NewBlobs;
use sea_orm::{
    ActiveValue::Set, ColumnTrait, ConnectionTrait, EntityTrait, IntoActiveModel, QueryFilter, QueryOrder,
    QuerySelect, Select,
};

/// Maximum number of messages in a batch.
const MAX_BATCH: usize = 64;

/// Message whose bytes are stored and whose row is not written yet.
pub(super) struct NewMessage {
    /// Row of the message. A discarded message has no blob. The id is replaced by a greater one if necessary, so
    /// that the newest message has the greatest id.
    pub(super) row: inbox_message::Model,
    pub(super) request_id: Option<String>,
}

/// Result of a confirmed message.
pub(super) struct StoredMessage {
    pub(super) row: inbox_message::Model,
    /// Job of a new message that is not discarded.
    pub(super) job: Option<Submitted>,
    /// True if the account had received the message before. The row is that of the first reception.
    pub(super) is_duplicate: bool,
}

impl StoredMessage {
    pub(super) fn duplicate(row: inbox_message::Model) -> Self {
        Self { row, job: None, is_duplicate: true }
    }
}

struct MessageBatcher(KeyedBatcher<AccountId, NewMessage, Result<StoredMessage>>);

/// Writes the row of a message with its job in the next batch of its account, unless the account has received the
/// message in the meantime.
///
/// # Errors
/// `storage_limit_reached`; `not_found` if the address was deleted; `service_unavailable`.
pub(super) async fn write(domain: &Domain, message: NewMessage) -> Result<StoredMessage> {
    let batches = domain.shared(|| MessageBatcher(KeyedBatcher::new(MAX_BATCH)));
    let result = batches.0.add(message.row.account_id, domain, message, execute);
    result.await.unwrap_or_else(|_| Err(not_stored()))
}

/// Returns the messages with these hashes that the account has received. Failed messages do not count, so they may
/// be sent again.
pub(super) async fn received(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    hashes: Vec<Vec<u8>>,
) -> Result<HashMap<Vec<u8>, inbox_message::Model>> {
    let rows = with_hashes(account_id, hashes).all(connection).await?;
    // The oldest row of a hash comes last, so it replaces the others in the map.
    Ok(rows.into_iter().map(|row| (row.content_hash.clone(), row)).collect())
}

/// Selects the messages with these hashes, newest first. If they were ordered by their ids alone, SQLite would read all
/// messages of the account in this order instead of using the index of hashes.
pub(super) fn with_hashes(account_id: AccountId, hashes: Vec<Vec<u8>>) -> Select<inbox_message::Entity> {
    inbox_message::Entity::owned_by(account_id)
        .filter(inbox_message::Column::ContentHash.is_in(hashes))
        .filter(inbox_message::Column::State.ne(InboxMessageState::Failed))
        .order_by_desc(inbox_message::Column::ReceivedAt)
        .order_by_desc(inbox_message::Column::Id)
}

fn not_stored() -> Error {
    Error::new(Code::ServiceUnavailable, "The message was not stored. Send it again.").retry_after(5)
}

fn execute(domain: Domain, messages: Vec<NewMessage>) -> BoxFuture<'static, Vec<Result<StoredMessage>>> {
    Box::pin(async move {
        match write_all(&domain, &messages).await {
            Ok(results) => results,
            // The error may be caused by one message.
            Err(error) if error.code == Code::Internal && messages.len() > 1 => {
                tracing::warn!(error = error.report(), "batch of messages failed, writing them one by one");
                write_each(&domain, &messages).await
            }
            Err(error) => {
                let others = messages.iter().skip(1).map(|_| Err(same_error(&error)));
                let mut results: Vec<Result<StoredMessage>> = others.collect();
                results.push(Err(error));
                results
            }
        }
    })
}

/// Returns the error for another message of the batch. Only the original error has the cause, so it is logged
/// once.
fn same_error(error: &Error) -> Error {
    let same = Error::new(error.code, error.message.clone());
    Error { detail: error.detail.clone(), retry_after: error.retry_after, ..same }
}

/// Writes each message in its own transaction.
async fn write_each(domain: &Domain, messages: &[NewMessage]) -> Vec<Result<StoredMessage>> {
    let mut results = Vec::with_capacity(messages.len());
    for message in messages {
        let written = write_all(domain, std::slice::from_ref(message)).await;
        results.push(written.and_then(|mut results| results.pop().unwrap_or_else(|| Err(not_stored()))));
    }
    results
}

/// Writes the messages of an account in one transaction. Returns one result for each message.
async fn write_all(domain: &Domain, messages: &[NewMessage]) -> Result<Vec<Result<StoredMessage>>> {
    let Some(account_id) = messages.first().map(|message| message.row.account_id) else {
        return Ok(Vec::new());
    };
    let mut transaction = LibraryTransaction::begin(domain, account_id).await?;
    let mut batch = MessageBatch::load(&transaction, messages).await?;
    let mut results: Vec<Result<StoredMessage>> =
        messages.iter().map(|message| batch.add(&transaction, message)).collect();
    let mut submitted = batch.insert(domain, &mut transaction).await?;
    transaction.commit().await?;
    for stored in results.iter_mut().flatten().filter(|stored| !stored.is_duplicate) {
        stored.job = submitted.remove(&stored.row.id);
    }
    Ok(results)
}

/// New rows of one transaction.
struct MessageBatch {
    /// Received messages by their hash, including those of this batch.
    received: HashMap<Vec<u8>, inbox_message::Model>,
    /// Existing addresses of the messages. The value is true if the address is muted.
    addresses: HashMap<InboxAddressId, bool>,
    newest: Option<InboxMessageId>,
    rows: Vec<inbox_message::Model>,
    blobs: NewBlobs,
    jobs: Vec<(InboxMessageId, NewJob)>,
}

impl MessageBatch {
    async fn load(transaction: &LibraryTransaction, messages: &[NewMessage]) -> Result<Self> {
        let (connection, account_id) = (transaction.db(), transaction.account_id);
        let hashes = messages.iter().map(|message| message.row.content_hash.clone()).collect();
        let ids: HashSet<InboxAddressId> = messages.iter().map(|message| message.row.address_id).collect();
        let addresses = inbox_address::Entity::owned_by(account_id)
            .filter(inbox_address::Column::Id.is_in(ids))
            .all(connection)
            .await?;
        Ok(Self {
            received: received(connection, account_id, hashes).await?,
            addresses: addresses.into_iter().map(|address| (address.id, address.muted)).collect(),
            newest: newest(transaction).await?,
            rows: Vec::with_capacity(messages.len()),
            blobs: NewBlobs::default(),
            jobs: Vec::with_capacity(messages.len()),
        })
    }

    /// Adds a message, unless the account has received it.
    ///
    /// # Errors
    /// `storage_limit_reached`; `not_found` if the address was deleted. In both cases, the message is not added.
    fn add(&mut self, transaction: &LibraryTransaction, message: &NewMessage) -> Result<StoredMessage> {
        let mut row = message.row.clone();
        if let Some(first) = self.received.get(&row.content_hash) {
            return Ok(StoredMessage::duplicate(first.clone()));
        }
        let is_muted = self.addresses.get(&row.address_id).copied();
        if is_muted.ok_or_else(|| not_found("inbox address"))? {
            (row.state, row.blob) = (InboxMessageState::Muted, None);
            row.finished_at = Some(transaction.now);
        }
        if let Some(blob) = &row.blob {
            self.blobs.add(transaction, blob, row.bytes)?;
        }
        row.id = id_after(self.newest, row.id);
        self.newest = Some(row.id);
        if row.blob.is_some() {
            let job = NewJob::new(JobKind::InboxMessage, row.id.to_string()).owner(row.account_id);
            self.jobs.push((row.id, job.for_request(message.request_id.clone())));
        }
        self.received.insert(row.content_hash.clone(), row.clone());
        self.rows.push(row.clone());
        Ok(StoredMessage { row, job: None, is_duplicate: false })
    }

    /// Inserts the rows with their blobs and jobs. Returns the jobs by message.
    async fn insert(
        self,
        domain: &Domain,
        transaction: &mut LibraryTransaction,
    ) -> Result<HashMap<InboxMessageId, Submitted>> {
        if self.rows.is_empty() {
            return Ok(HashMap::new());
        }
        self.blobs.insert(transaction).await?;
        let addresses: HashSet<InboxAddressId> = self.rows.iter().map(|row| row.address_id).collect();
        let rows: Vec<inbox_message::ActiveModel> =
            self.rows.into_iter().map(IntoActiveModel::into_active_model).collect();
        inbox_message::Entity::insert_many(rows).exec_without_returning(transaction.db()).await?;
        inbox_address::Entity::update_many()
            .set(inbox_address::ActiveModel {
                last_received_at: Set(Some(transaction.now)),
                ..Default::default()
            })
            .filter(inbox_address::Column::Id.is_in(addresses))
            .filter(inbox_address::Column::AccountId.eq(transaction.account_id))
            .exec(transaction.db())
            .await?;
        let (ids, new_jobs): (Vec<InboxMessageId>, Vec<NewJob>) = self.jobs.into_iter().unzip();
        let submitted = jobs::submit_all(transaction.db(), domain, &new_jobs).await?;
        Ok(ids.into_iter().zip(submitted).filter_map(|(id, job)| Some((id, job?))).collect())
    }
}

/// Returns the id of the newest message of an account.
async fn newest(transaction: &LibraryTransaction) -> Result<Option<InboxMessageId>> {
    let newest: Option<InboxMessageId> = inbox_message::Entity::owned_by(transaction.account_id)
        .order_by_desc(inbox_message::Column::Id)
        .select_only()
        .column(inbox_message::Column::Id)
        .into_tuple()
        .one(transaction.db())
        .await?;
    Ok(newest)
}

/// Returns the id of a new message: `id`, or the successor of the newest id of the account if `id` is less, so that
/// messages of the same millisecond are also listed newest first.
fn id_after(newest: Option<InboxMessageId>, id: InboxMessageId) -> InboxMessageId {
    let successor = |newest: InboxMessageId| InboxMessageId::from_u128(newest.as_u128().saturating_add(1));
    newest.map_or(id, |newest| id.max(successor(newest)))
}
