//! Items that are created from received messages. The message is the file of its item, and its text is extracted before
//! the item is written.

use async_recursion::async_recursion as boxed;
use entities::ids::ItemId;
use entities::library_words::TextOrigin;
use extract::ExtractionOutcome;

use super::content_extraction::text_outcome;
use super::draft::{Save, SaveDraft};
use super::files::{assign_retained, clean_file_name};
use super::text_request::TextOutcome;
use super::transaction::LibraryTransaction;
use super::visible_tags::VisibleTags;
use super::{item, store};
use kernel::error::not_found;
use kernel::{Domain, Error, Result};

/// Media type of messages.
pub const MESSAGE_TYPE: &str = "message/rfc822";

/// Stored blob of a message.
#[derive(Clone, Debug)]
pub struct MessageFile {
    /// Key of the blob, retained with [`retain_unassigned`](super::files::retain_unassigned).
    pub blob: String,
    /// Name of the file.
    pub name: String,
    /// Size in bytes.
    pub bytes: i64,
    /// `sha256:` and the digest as hex.
    pub checksum: String,
}

/// Message whose item is ready to be written.
#[derive(Debug)]
pub struct MessageItem {
    draft: SaveDraft,
    text: TextOutcome,
    file: MessageFile,
}

/// Result of writing a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WrittenMessage {
    pub item_id: ItemId,
    /// True if the item existed. The file is then not assigned to it.
    pub already_saved: bool,
}

/// Prepares the item of a message. If its extraction failed for good, the item has no text.
///
/// # Errors
/// Returns transient errors of the extraction, and `invalid_request` if the save is invalid.
#[boxed]
pub async fn prepare_message(
    domain: &Domain,
    save: Save,
    extracted: Result<ExtractionOutcome>,
    file: MessageFile,
) -> Result<MessageItem> {
    let text = match extracted {
        Ok(extracted) => text_outcome(extracted, TextOrigin::File, domain.now()).await,
        Err(error) if error.is_transient() => return Err(error),
        Err(error) => TextOutcome::of_error(&error),
    };
    let name = clean_file_name(&file.name);
    let save = Save { mime_type: Some(MESSAGE_TYPE.to_owned()), file_name: Some(name.clone()), ..save };
    let draft = SaveDraft::of(domain, save).await?;
    Ok(MessageItem { draft, text, file: MessageFile { name, ..file } })
}

/// Writes the item of a message with its text and its file, without public and shared tags: a sender must not decide
/// that other people see an item.
///
/// # Errors
/// `storage_limit_reached`.
#[boxed]
pub async fn write_message(
    domain: &Domain,
    transaction: &mut LibraryTransaction,
    message: MessageItem,
) -> Result<WrittenMessage> {
    let MessageItem { mut draft, text, file } = message;
    let visible = VisibleTags::load(transaction.db(), transaction.account_id).await?;
    draft.tags.retain(|tag| !visible.contains(tag));
    let written = store::write_draft(domain, transaction, &draft, Some(text)).await?;
    let item_id = written.id;
    if written.already_saved {
        return Ok(WrittenMessage { item_id, already_saved: true });
    }
    assign_retained(transaction, &file.blob, item_id).await?;
    let row = item::row(transaction.db(), transaction.account_id, item_id).await?;
    let mut row = row.ok_or_else(|| not_found("item"))?;
    row.asset_blob = Some(file.blob);
    row.asset_name = Some(file.name);
    row.asset_mime = Some(MESSAGE_TYPE.to_owned());
    row.asset_size = Some(file.bytes);
    row.asset_checksum = Some(file.checksum);
    row.asset_at = Some(transaction.now);
    let stored_bytes = row.stored_bytes.checked_add(file.bytes);
    let stored_bytes = stored_bytes.ok_or_else(|| Error::internal("size of an item overflows"))?;
    transaction.count(row.stored_bytes, stored_bytes);
    row.stored_bytes = stored_bytes;
    transaction.require_fit()?;
    item::write_silently(transaction, row).await?;
    Ok(WrittenMessage { item_id, already_saved: false })
}
