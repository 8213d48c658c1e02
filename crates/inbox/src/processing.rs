//! Processing of a received message: a child process parses it, and one transaction writes its item or its entry,
//! its result, and the completion of its job.

use async_recursion::async_recursion as boxed;
use data_encoding::HEXLOWER;
use entities::ids::{CollectionId, FeedId, InboxMessageId, ItemId};
use entities::inbox_address::{self, InboxDestination};
use entities::inbox_message::{self, InboxMessageState};
use entities::library_words;
use extract::sandbox::Pool;
use extract::{ExtractionOutcome, ExtractionSource, MailFields, MailFile, MailMessage};
use jobs::{Claimed, JobError, JobKind, JobOutcome, NewJob};
use kernel::clock::{DAY, HOUR};
use kernel::{Code, Domain, Error, Millis, Result, rfc3339};
use library::draft::Save;
use library::{
    LibraryTransaction, MessageFile, MessageItem, WrittenMessage, files, prepare_message, write_message,
};
use sea_orm::{ActiveValue::Set, ColumnTrait, EntityTrait, QueryFilter, QueryOrder};
use serde_json::json;
use sha2::{Digest, Sha256};

use crate::addresses::tags_of;
use crate::authentication::is_dkim_invalid;
use crate::newsletter::{self, EntryFacts, MessageEntry};
use crate::retention::RETENTION;

/// Maximum time by which the date of a message may be after its reception.
const MAX_CLOCK_ERROR: Millis = DAY;
/// Maximum number of names of attachments in the metadata of an item.
const METADATA_NAMES: usize = 20;

/// Message with its parsed fields and its text.
struct ParsedMessage {
    row: inbox_message::Model,
    blob: String,
    fields: MailFields,
    extracted: Result<ExtractionOutcome>,
}

/// Message that is ready to be written to its destinations.
struct MessageDelivery {
    item: MessageItem,
    /// True if the message becomes an item.
    is_item: bool,
    entry: Option<MessageEntry>,
    collection_id: Option<CollectionId>,
}

/// Result that is recorded for a message.
struct ProcessingOutcome {
    state: InboxMessageState,
    reason: Option<Code>,
    item_id: Option<ItemId>,
    feed_id: Option<FeedId>,
    /// True if the blob of the message is the file of the item.
    has_file: bool,
}

impl ProcessingOutcome {
    /// Creates the result for a message that the account had already received, with the item and the feed of
    /// the first message.
    fn duplicate(item_id: Option<ItemId>, feed_id: Option<FeedId>) -> Self {
        Self { state: InboxMessageState::Duplicate, reason: None, item_id, feed_id, has_file: false }
    }
}

/// Saves the message of a job as an item. While the storage of the account is full, the message waits with its blob,
/// and its attempts are not counted.
#[boxed]
pub(crate) async fn process(
    domain: &Domain,
    sandbox: &Pool,
    claimed: &Claimed,
) -> Result<JobOutcome, JobError> {
    let Some((row, blob)) = waiting(domain, &claimed.key).await? else {
        return Ok(jobs::complete(domain, claimed).await?.into());
    };
    let bytes = domain.blobs().read_all(&blob).await?;
    let sandbox = sandbox.for_caller(Some(row.account_id.to_string()));
    let (fields, extracted) = match sandbox.read_mail(bytes.to_vec()).await {
        Ok(MailMessage { fields, outcome }) => (fields, Ok(outcome)),
        Err(fault) => (MailFields::default(), Err(Error::from(articles::of_sandbox_error(&fault)))),
    };
    let (id, received_at) = (row.id, row.received_at);
    let parsed = ParsedMessage { row, blob, fields, extracted };
    let Err(error) = save(domain, parsed, Some(claimed)).await else { return Ok(JobOutcome::Completed) };
    let Some(delay) = storage_delay(&error, domain.now() - received_at) else { return Err(error.into()) };
    record_reason(domain, id, error.code).await?;
    Ok(jobs::snooze_in(domain.db().write(), domain, claimed, delay).await?)
}

/// Returns the delay before the next attempt if a message was not saved because the storage of its account is full: an
/// hour during the first day, then a day. `None` if another attempt would not help, or if the message has waited
/// for the whole retention.
fn storage_delay(error: &Error, waited: Millis) -> Option<Millis> {
    if error.code != Code::StorageLimitReached || waited >= RETENTION {
        return None;
    }
    Some(if waited < DAY { HOUR } else { DAY })
}

/// Saves a message whose parsing was given up, as an item without a text. If the storage of the account is full, the
/// message waits with a new job. If the item cannot be saved for another reason, the message has failed.
#[boxed]
pub(crate) async fn give_up(domain: &Domain, key: &str) -> Result<()> {
    let Some((row, blob)) = waiting(domain, key).await? else { return Ok(()) };
    let (id, account_id, received_at) = (row.id, row.account_id, row.received_at);
    let unread = Error::new(Code::UnsupportedContent, "The message cannot be read.");
    let (fields, file) = (MailFields::default(), blob.clone());
    let parsed = ParsedMessage { row, blob: file, fields, extracted: Err(unread) };
    let Err(error) = save(domain, parsed, None).await else { return Ok(()) };
    if error.is_transient() {
        return Err(error);
    }
    if let Some(delay) = storage_delay(&error, domain.now() - received_at) {
        record_reason(domain, id, error.code).await?;
        let job = NewJob::new(JobKind::InboxMessage, key).owner(account_id);
        jobs::submit(domain.db().write(), domain, job.run_at(domain.now() + delay)).await?;
        return Ok(());
    }
    let transaction = LibraryTransaction::begin(domain, account_id).await?;
    files::discard_unassigned(&transaction, &blob).await?;
    let change = inbox_message::ActiveModel {
        state: Set(InboxMessageState::Failed),
        reason: Set(Some(error.code.as_str().to_owned())),
        blob: Set(None),
        finished_at: Set(Some(transaction.now)),
        ..Default::default()
    };
    update(&transaction, id, change).await?;
    transaction.commit().await
}

/// Returns the message with this id and its blob. `None` if it was processed or deleted.
async fn waiting(domain: &Domain, key: &str) -> Result<Option<(inbox_message::Model, String)>> {
    let Ok(id) = key.parse::<InboxMessageId>() else { return Ok(None) };
    let row = inbox_message::Entity::of_any_owner(id).one(domain.db().write()).await?;
    let row = row.filter(|row| row.state == InboxMessageState::Received);
    Ok(row.and_then(|row| {
        let blob = row.blob.clone()?;
        Some((row, blob))
    }))
}

async fn save(domain: &Domain, parsed: ParsedMessage, claimed: Option<&Claimed>) -> Result<()> {
    let ParsedMessage { row, blob, mut fields, extracted } = parsed;
    let key = message_key(&fields, &row.content_hash);
    let authentication = trusted_authentication(domain, &fields);
    if authentication.as_deref().is_some_and(is_dkim_invalid) {
        fields.is_one_click = false;
    }
    let address = address_of(domain, &row).await?;
    let destination = address.as_ref().map(|address| address.destination).unwrap_or_default();
    let request = request_of(&row, &fields, authentication.as_deref(), address.as_ref(), &key);
    let entry = match (destination, &extracted) {
        (InboxDestination::Feed | InboxDestination::Both, Ok(ExtractionOutcome::Document(document))) => {
            Some(newsletter::entry_of(&fields, document, entry_facts(domain, &row, &fields, &key)).await?)
        }
        _ => None,
    };
    let is_item = needs_item(destination, entry.as_ref(), &fields);
    let format = format_of(extracted.as_ref().ok());
    let file = MessageFile {
        blob: blob.clone(),
        name: format!("{}.eml", fields.subject.as_deref().unwrap_or("message")),
        bytes: row.bytes,
        checksum: format!("sha256:{}", HEXLOWER.encode(&row.content_hash)),
    };
    let item = prepare_message(domain, Save { format: Some(format), ..request }, extracted, file).await?;
    let collection_id = address.and_then(|address| address.collection_id);
    let delivery = MessageDelivery { item, is_item, entry, collection_id };
    let mut transaction = LibraryTransaction::begin(domain, row.account_id).await?;
    let outcome = match delivered_with_key(&transaction, row.id, &key).await? {
        Some(first) => ProcessingOutcome::duplicate(first.item_id, first.feed_id),
        None => deliver(domain, &mut transaction, delivery).await?,
    };
    if !outcome.has_file {
        files::discard_unassigned(&transaction, &blob).await?;
    }
    let change = inbox_message::ActiveModel {
        state: Set(outcome.state),
        reason: Set(outcome.reason.map(|code| code.as_str().to_owned())),
        message_key: Set(Some(key)),
        authentication: Set(authentication),
        item_id: Set(outcome.item_id),
        feed_id: Set(outcome.feed_id),
        finished_at: Set(Some(transaction.now)),
        ..change_of(fields)?
    };
    update(&transaction, row.id, change).await?;
    if let Some(claimed) = claimed {
        jobs::complete_in(transaction.db(), domain, claimed).await?;
    }
    transaction.commit().await
}

/// Returns the address that received a message. `None` if it was deleted.
async fn address_of(domain: &Domain, row: &inbox_message::Model) -> Result<Option<inbox_address::Model>> {
    let address = inbox_address::Entity::owned_by(row.account_id)
        .filter(inbox_address::Column::Id.eq(row.address_id))
        .one(domain.db().read())
        .await?;
    Ok(address)
}

/// Returns true if a message becomes an item, because its address is configured for items, or because an
/// entry would not contain the whole message.
fn needs_item(destination: InboxDestination, entry: Option<&MessageEntry>, fields: &MailFields) -> bool {
    let is_whole = entry.is_some_and(|entry| !entry.is_cut && fields.files.is_empty());
    destination != InboxDestination::Feed || !is_whole
}

fn entry_facts<'a>(
    domain: &Domain,
    row: &inbox_message::Model,
    fields: &MailFields,
    message_key: &'a [u8],
) -> EntryFacts<'a> {
    let sent_at = chrono::DateTime::parse_from_rfc3339(&sent_at(fields, row.received_at));
    EntryFacts {
        message_key,
        url: format!("{}/messages/{}", newsletter::inbox_page(domain.policy()), row.id),
        published_at: sent_at.map_or(row.received_at, |time| time.timestamp_millis()),
    }
}

/// Writes the item of a message, the entry of its newsletter, or both. If the plan allows no further newsletter,
/// the message becomes an item. The entry is written last, because writers of entries wait for each other.
async fn deliver(
    domain: &Domain,
    transaction: &mut LibraryTransaction,
    delivery: MessageDelivery,
) -> Result<ProcessingOutcome> {
    let MessageDelivery { item, is_item, entry, collection_id } = delivery;
    let feed_id = match &entry {
        Some(entry) => newsletter::feed_of(domain, transaction, &entry.newsletter, collection_id).await?,
        None => None,
    };
    let is_over_limit = entry.is_some() && feed_id.is_none();
    let written =
        if is_item || is_over_limit { Some(write_message(domain, transaction, item).await?) } else { None };
    if let (Some(feed_id), Some(entry)) = (feed_id, entry) {
        newsletter::append(transaction, feed_id, entry.entry).await?;
    }
    if let Some(WrittenMessage { item_id, already_saved: true }) = written {
        return Ok(ProcessingOutcome::duplicate(Some(item_id), feed_id));
    }
    Ok(ProcessingOutcome {
        state: InboxMessageState::Saved,
        reason: is_over_limit.then_some(Code::LimitReached),
        item_id: written.map(|written| written.item_id),
        feed_id,
        has_file: written.is_some(),
    })
}

/// Returns the columns of a processed message that are set from its fields.
fn change_of(fields: MailFields) -> Result<inbox_message::ActiveModel> {
    let names: Vec<&str> = fields.files.iter().map(|file| file.name.as_str()).collect();
    Ok(inbox_message::ActiveModel {
        blob: Set(None),
        subject: Set(fields.subject),
        sender: Set(fields.sender),
        list_id: Set(fields.list_id),
        unsubscribe_url: Set(fields.unsubscribe_url),
        one_click: Set(fields.is_one_click),
        confirmation_url: Set(fields.confirmation_url),
        attachments: Set(serde_json::to_string(&names).map_err(Error::internal)?),
        tracking_pixels: Set(i32::try_from(fields.tracking_pixels).unwrap_or(i32::MAX)),
        ..Default::default()
    })
}

/// Returns the identity of a message within its account: the hash of its `Message-ID`, or of its bytes if it
/// has none.
fn message_key(fields: &MailFields, content_hash: &[u8]) -> Vec<u8> {
    match &fields.message_id {
        Some(id) => Sha256::digest(id.as_bytes()).to_vec(),
        None => content_hash.to_vec(),
    }
}

/// Returns another processed message of the account with this key.
async fn delivered_with_key(
    transaction: &LibraryTransaction,
    id: InboxMessageId,
    key: &[u8],
) -> Result<Option<inbox_message::Model>> {
    let row = inbox_message::Entity::owned_by(transaction.account_id)
        .filter(inbox_message::Column::MessageKey.eq(key.to_vec()))
        .filter(inbox_message::Column::Id.ne(id))
        // If the messages were ordered by their ids alone, SQLite would read all messages of the account in
        // this order instead of using the index of keys.
        .order_by_asc(inbox_message::Column::ReceivedAt)
        .order_by_asc(inbox_message::Column::Id)
        .one(transaction.db())
        .await?;
    Ok(row)
}

/// Builds the request for the item of a message.
fn request_of(
    row: &inbox_message::Model,
    fields: &MailFields,
    authentication: Option<&str>,
    address: Option<&inbox_address::Model>,
    key: &[u8],
) -> Save {
    let names: Vec<&str> = fields.files.iter().take(METADATA_NAMES).map(|file| file.name.as_str()).collect();
    let file = |file: &MailFile| {
        json!({
            "number": file.number,
            "name": file.name,
            "mediaType": file.media_type,
            "size": file.bytes,
        })
    };
    let files: Vec<serde_json::Value> = fields.files.iter().map(file).collect();
    let mail = json!({
        "from": fields.sender,
        "messageId": fields.message_id,
        "listId": fields.list_id,
        "unsubscribeUrl": fields.unsubscribe_url,
        "oneClickUnsubscribe": fields.is_one_click,
        "authentication": authentication,
        "attachments": names,
        "files": files,
        "furtherFiles": fields.further_files,
        "trackingPixels": fields.tracking_pixels,
    });
    Save {
        title: fields.subject.clone(),
        published_at: Some(sent_at(fields, row.received_at)),
        tags: address.map(|address| tags_of(&address.tags)).unwrap_or_default(),
        capture_method: Some(library_words::CaptureMethod::EmailInbox),
        external_id: Some(format!("mail:{}", HEXLOWER.encode(key))),
        metadata: Some(json!({ "mail": mail }).to_string()),
        saved_at: Some(row.received_at),
        ..Save::default()
    }
}

/// Returns the date of a message. A missing date, or one in the future, is replaced by the time of reception.
fn sent_at(fields: &MailFields, received_at: Millis) -> String {
    let is_plausible = |date: &&String| match chrono::DateTime::parse_from_rfc3339(date) {
        Ok(time) => time.timestamp_millis() <= received_at + MAX_CLOCK_ERROR,
        Err(_) => true,
    };
    fields.sent_at.as_ref().filter(is_plausible).cloned().unwrap_or_else(|| rfc3339(received_at))
}

/// Returns the authentication results of the operator's mail server. Results of a server with another name may have
/// been added by the sender.
fn trusted_authentication(domain: &Domain, fields: &MailFields) -> Option<String> {
    let trusted = domain.policy().inbox_authentication.as_deref()?;
    let is_trusted = |results: &&String| {
        let name = results.split(';').next().unwrap_or_default();
        name.split_whitespace().next().is_some_and(|name| name.eq_ignore_ascii_case(trusted))
    };
    fields.authentication_results.iter().find(is_trusted).cloned()
}

fn format_of(extracted: Option<&ExtractionOutcome>) -> library_words::ItemFormat {
    match extracted {
        Some(ExtractionOutcome::Document(document)) if document.source == ExtractionSource::Html => {
            library_words::ItemFormat::Html
        }
        Some(_) | None => library_words::ItemFormat::PlainText,
    }
}

/// Records why a message waits.
async fn record_reason(domain: &Domain, id: InboxMessageId, code: Code) -> Result<()> {
    let reason = Set(Some(code.as_str().to_owned()));
    inbox_message::Entity::update_many()
        .set(inbox_message::ActiveModel { reason, ..Default::default() })
        .filter(inbox_message::Column::Id.eq(id))
        .exec(domain.db().write())
        .await?;
    Ok(())
}

async fn update(
    transaction: &LibraryTransaction,
    id: InboxMessageId,
    change: inbox_message::ActiveModel,
) -> Result<()> {
    inbox_message::Entity::update_many()
        .set(change)
        .filter(inbox_message::Column::Id.eq(id))
        .filter(inbox_message::Column::AccountId.eq(transaction.account_id))
        .exec(transaction.db())
        .await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn message_waits_for_storage_until_the_retention_is_over() {
        let full = Error::new(Code::StorageLimitReached, "The storage is used up.");
        let delays = [0, DAY - 1, DAY, RETENTION - 1, RETENTION].map(|waited| storage_delay(&full, waited));
        assert_eq!(delays, [Some(HOUR), Some(HOUR), Some(DAY), Some(DAY), None]);
        assert_eq!(storage_delay(&Error::internal("broken"), 0), None);
    }

    #[test]
    fn date_in_the_future_is_replaced_by_the_time_of_reception() {
        let fields = |date: &str| MailFields { sent_at: Some(date.to_owned()), ..MailFields::default() };
        let received_at = 1_700_000_000_000;
        assert_eq!(sent_at(&fields("2023-11-14T22:00:00+00:00"), received_at), "2023-11-14T22:00:00+00:00");
        assert_eq!(sent_at(&fields("2099-01-01T00:00:00+00:00"), received_at), rfc3339(received_at));
        assert_eq!(sent_at(&MailFields::default(), received_at), rfc3339(received_at));
    }
}
