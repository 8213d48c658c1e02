//! Files of messages: attachments and pictures. They remain part of the message, which is the file of its
//! item, so they count towards the storage once and are deleted with the item.

use async_recursion::async_recursion as boxed;
use data_encoding::HEXLOWER;
use entities::ids::{AccountId, ItemId};
use extract::sandbox::Pool;
use extract::{MailFile, picture};
use sha2::{Digest, Sha256};

use super::item::{self, Item};
use super::messages::MESSAGE_TYPE;
use articles::of_sandbox_error;
use kernel::error::not_found;
use kernel::{Code, Domain, Error, Result};

/// Maximum size of a message whose files are read, in bytes.
const MAX_MESSAGE_BYTES: i64 = 32 * 1024 * 1024;

/// Files of a message, from the metadata of its item.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MessageFiles {
    pub files: Vec<MailFile>,
    /// Number of further files, which are not listed.
    pub further: u64,
    /// Number of tracking pixels that were left out.
    pub tracking_pixels: u64,
}

/// File of a message with its bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MessageFileContent {
    pub name: String,
    /// Media type of a picture as identified from its bytes, or else as declared by the sender.
    pub media_type: String,
    pub bytes: Vec<u8>,
    /// `sha256:` and the digest as hex.
    pub checksum: String,
}

/// Lists the files of the message of an item. Empty if the item is not a message.
pub fn message_files(item: &Item) -> MessageFiles {
    if item.asset_mime.as_deref() != Some(MESSAGE_TYPE) {
        return MessageFiles::default();
    }
    let metadata = item.metadata.as_deref().and_then(|text| serde_json::from_str(text).ok());
    let metadata: serde_json::Value = metadata.unwrap_or_default();
    let mail = &metadata["mail"];
    let file = |value: &serde_json::Value| {
        Some(MailFile {
            number: u32::try_from(value["number"].as_u64()?).ok()?,
            name: value["name"].as_str()?.to_owned(),
            media_type: value["mediaType"].as_str()?.to_owned(),
            bytes: value["size"].as_u64()?,
        })
    };
    MessageFiles {
        files: mail["files"].as_array().into_iter().flatten().filter_map(file).collect(),
        further: mail["furtherFiles"].as_u64().unwrap_or_default(),
        tracking_pixels: mail["trackingPixels"].as_u64().unwrap_or_default(),
    }
}

/// Reads a file of the message of an item in a child process.
///
/// # Errors
/// `not_found` if the item does not exist, is not a message, or has no such file; `content_too_large` if the
/// message is too large; `unsupported_content` if it cannot be read.
#[boxed]
pub async fn read_message_file(
    domain: &Domain,
    sandbox: &Pool,
    account_id: AccountId,
    item_id: ItemId,
    number: u32,
) -> Result<MessageFileContent> {
    let row = item::row(domain.db().read(), account_id, item_id).await?.ok_or_else(|| not_found("item"))?;
    let is_message = row.asset_mime.as_deref() == Some(MESSAGE_TYPE);
    let blob = row.asset_blob.filter(|_| is_message).ok_or_else(|| not_found("file"))?;
    if row.asset_size.unwrap_or_default() > MAX_MESSAGE_BYTES {
        return Err(Error::new(Code::ContentTooLarge, "The message is too large. Download it as a whole."));
    }
    let message = domain.blobs().read_all(&blob).await?;
    let sandbox = sandbox.for_caller(Some(account_id.to_string()));
    let read = sandbox.read_mail_file(message.to_vec(), number).await;
    let content = read.map_err(|fault| Error::from(of_sandbox_error(&fault)))?;
    let content = content.ok_or_else(|| not_found("file"))?;
    let bytes = content.bytes().ok_or_else(|| Error::internal("the file of a message is not encoded"))?;
    let media_type = match picture::identify(&bytes) {
        Ok(info) => info.media_type.to_owned(),
        Err(_) if content.file.media_type.starts_with("image/") => "application/octet-stream".to_owned(),
        Err(_) => content.file.media_type.clone(),
    };
    let checksum = format!("sha256:{}", HEXLOWER.encode(&Sha256::digest(&bytes)));
    Ok(MessageFileContent { name: content.file.name, media_type, bytes, checksum })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_listed_only_for_messages() {
        let (account_id, id) = (AccountId::from_u128(1), ItemId::from_u128(2));
        let mut row = item::blank(id, account_id, 0);
        let file = r#"{"number": 1, "name": "plan.pdf", "mediaType": "application/pdf", "size": 5}"#;
        row.metadata = Some(format!(
            r#"{{"mail": {{"files": [{file}, {{"number": -1}}], "furtherFiles": 3, "trackingPixels": 2}}}}"#
        ));
        let mut item = Item { row, tags: Vec::new() };
        assert_eq!(message_files(&item), MessageFiles::default());
        item.row.asset_mime = Some(MESSAGE_TYPE.to_owned());
        let listed = message_files(&item);
        assert_eq!((listed.files.len(), listed.further, listed.tracking_pixels), (1, 3, 2));
        assert_eq!((listed.files[0].name.as_str(), listed.files[0].bytes), ("plan.pdf", 5));
        item.row.metadata = Some("[]".to_owned());
        assert!(message_files(&item).files.is_empty());
    }
}
