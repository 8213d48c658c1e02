//! Texts of items. Each item has its own copy, which is deleted with the item.

use async_recursion::async_recursion as boxed;
use std::collections::HashMap;
use std::sync::Arc;

use entities::ids::{AccountId, ItemId, SnapshotId};
use entities::library_words::TextOrigin;
use entities::{library_item, library_original, library_text};
use extract::Document;
use sea_orm::{ActiveValue::Set, ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QuerySelect};
use sha2::{Digest, Sha256};

use super::computed_anchors::ComputedAnchors;
use super::item_preview::ItemPreview;
use super::transaction::LibraryTransaction;
use articles::{Article, pack, unpack_all};
use kernel::search::words::TextWords;
use kernel::{Code, Error, Millis, Result};

/// Maximum total size of the texts that one operation loads at a time, in bytes of text. A loaded text needs
/// several times as much memory.
pub(crate) const PART_BYTES: i64 = 4 << 20;

/// Text that is to be assigned to an item.
#[derive(Debug, Clone)]
pub struct NewText {
    /// Text with its metadata.
    pub document: Arc<Document>,
    pub origin: TextOrigin,
    /// URL after redirects, if the text was fetched.
    pub final_url: Option<String>,
    pub made_at: Millis,
}

/// Compressed text with its counted words. Both are computed before the transaction that writes the text,
/// because they take a long time for a large text, and other accounts wait for a transaction of an embedded
/// database.
#[derive(Debug)]
pub struct PackedText {
    pub text: NewText,
    pub(crate) words: Arc<TextWords>,
    /// Positions of the item's highlights in the text. Empty until they are computed.
    pub(crate) anchors: ComputedAnchors,
    bytes: Vec<u8>,
}

impl NewText {
    /// Compresses the text and counts its words on blocking threads.
    ///
    /// # Errors
    /// `content_too_large` if the text exceeds the maximum size.
    #[boxed]
    pub async fn pack(self) -> Result<PackedText> {
        let bytes = pack(Box::new(self.document.as_ref().clone())).await?;
        let document = Arc::clone(&self.document);
        let count = move || TextWords::of(&extract::render::text(&document.blocks));
        let words = tokio::task::spawn_blocking(count).await.map_err(Error::internal)?;
        let anchors = ComputedAnchors::default();
        Ok(PackedText { text: self, words: Arc::new(words), anchors, bytes })
    }
}

/// Returns the size of a text in UTF-8 bytes.
pub(crate) fn bytes_of(document: &Document) -> i64 {
    let bytes: usize = document.blocks.iter().map(|block| block.text.len()).sum();
    i64::try_from(bytes + 2 * document.blocks.len().saturating_sub(1)).unwrap_or(i64::MAX)
}

/// Replaces the text of an item.
pub(crate) async fn put(transaction: &LibraryTransaction, item_id: ItemId, packed: PackedText) -> Result<()> {
    let PackedText { text, bytes, .. } = packed;
    remove(transaction, item_id).await?;
    let preview = ItemPreview::of(&text.document);
    let row = library_text::ActiveModel {
        account_id: Set(transaction.account_id),
        item_id: Set(item_id),
        text_bytes: Set(bytes_of(&text.document)),
        document: Set(bytes),
        origin: Set(text.origin),
        final_url: Set(text.final_url),
        cached_at: Set(text.made_at),
        excerpt: Set(preview.excerpt),
        picture_url: Set(preview.picture_url),
    };
    library_text::Entity::insert(row).exec_without_returning(transaction.db()).await?;
    Ok(())
}

pub(crate) async fn remove(transaction: &LibraryTransaction, item_id: ItemId) -> Result<()> {
    library_text::Entity::delete_many()
        .filter(library_text::Column::AccountId.eq(transaction.account_id))
        .filter(library_text::Column::ItemId.eq(item_id))
        .exec(transaction.db())
        .await?;
    Ok(())
}

pub(crate) async fn load(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    item_id: ItemId,
) -> Result<Option<StoredText>> {
    let row = library_text::Entity::owned_by(account_id)
        .filter(library_text::Column::ItemId.eq(item_id))
        .one(connection)
        .await?;
    match row {
        Some(row) => Ok(decode(vec![row]).await?.pop()),
        None => Ok(None),
    }
}

/// Splits ids into parts whose texts fit into memory. The texts of a part have at most [`PART_BYTES`], unless
/// the part consists of a single text.
pub(crate) async fn parts(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    ids: &[ItemId],
) -> Result<Vec<Vec<ItemId>>> {
    if ids.len() < 2 {
        return Ok(ids.iter().map(|id| vec![*id]).collect());
    }
    let sizes = sizes(connection, account_id, ids).await?;
    let mut parts: Vec<Vec<ItemId>> = Vec::new();
    let mut bytes = 0;
    for id in ids {
        let size = sizes.get(id).copied().unwrap_or(0);
        bytes += size;
        if let Some(part) = parts.last_mut().filter(|_| bytes <= PART_BYTES) {
            part.push(*id);
        } else {
            parts.push(vec![*id]);
            bytes = size;
        }
    }
    Ok(parts)
}

/// Returns the sizes of the items' texts in UTF-8 bytes. Items without a text are omitted.
pub(crate) async fn sizes(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    ids: &[ItemId],
) -> Result<HashMap<ItemId, i64>> {
    let sizes = library_text::Entity::owned_by(account_id)
        .filter(library_text::Column::ItemId.is_in(ids.to_vec()))
        .select_only()
        .columns([library_text::Column::ItemId, library_text::Column::TextBytes])
        .into_tuple::<(ItemId, i64)>()
        .all(connection)
        .await?;
    Ok(sizes.into_iter().collect())
}

/// Loads the texts of items. Items without a text are omitted. If there are many items, callers split them
/// with [`parts`] to bound memory.
pub(crate) async fn load_all(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    ids: &[ItemId],
) -> Result<Vec<StoredText>> {
    let rows = library_text::Entity::owned_by(account_id)
        .filter(library_text::Column::ItemId.is_in(ids.to_vec()))
        .all(connection)
        .await?;
    decode(rows).await
}

/// Stored text of an item.
#[derive(Debug, Clone)]
pub struct StoredText {
    pub item_id: ItemId,
    pub document: Arc<Document>,
    pub origin: TextOrigin,
    /// Size in UTF-8 bytes.
    pub bytes: i64,
    /// Time at which the text was extracted or supplied.
    pub cached_at: Millis,
    /// URL after redirects, if the text was fetched.
    pub final_url: Option<String>,
}

impl StoredText {
    /// Returns the text as an article, from which windows and passages are cut.
    pub fn article(&self, item: &library_item::Model) -> Article {
        // Token counts are cached by this id. Equal texts have equal ids.
        let hash = Sha256::digest(self.document.content_hash.as_bytes());
        let snapshot_id = SnapshotId::from_slice(&hash[..16]).unwrap_or(SnapshotId::MAX);
        Article {
            snapshot_id,
            source_key: String::new(),
            final_url: item.url.clone(),
            fetched_at: self.cached_at,
            document: Arc::clone(&self.document),
        }
    }
}

async fn decode(mut rows: Vec<library_text::Model>) -> Result<Vec<StoredText>> {
    if rows.is_empty() {
        return Ok(Vec::new());
    }
    let packed = rows.iter_mut().map(|row| std::mem::take(&mut row.document)).collect();
    let documents = unpack_all(packed).await?;
    let with = |(row, document): (library_text::Model, _)| StoredText {
        item_id: row.item_id,
        document: Arc::new(document),
        origin: row.origin,
        bytes: row.text_bytes,
        cached_at: row.cached_at,
        final_url: row.final_url,
    };
    Ok(rows.into_iter().zip(documents).map(with).collect())
}

/// Supplied content, compressed.
#[derive(Debug, Clone)]
pub struct Original {
    pub body: Vec<u8>,
    pub hash: String,
    pub mime: String,
    packed: Vec<u8>,
}

impl Original {
    /// Creates content that is not compressed, for an item that is never stored, as in a dry run.
    pub(crate) fn unpacked(body: Vec<u8>, mime: &str) -> Self {
        Self { body, hash: String::new(), mime: mime.to_owned(), packed: Vec::new() }
    }

    /// Compresses supplied content on a blocking thread.
    #[boxed]
    pub async fn pack(body: Vec<u8>, mime: &str) -> Result<Self> {
        let mime = mime.to_owned();
        let work = move || {
            // A streaming encoder allocates tables for the largest possible content. In bulk compression, the
            // tables fit the content.
            let packed = zstd::bulk::compress(&body, 3).map_err(Error::internal)?;
            let hash = data_encoding::HEXLOWER.encode(&Sha256::digest(&body));
            Ok(Self { body, hash, mime, packed })
        };
        tokio::task::spawn_blocking(work).await.map_err(Error::internal)?
    }

    /// Returns the bytes of the content that count towards the storage quota.
    pub fn bytes(&self) -> i64 {
        i64::try_from(self.body.len()).unwrap_or(i64::MAX)
    }
}

/// Replaces the supplied content of an item.
pub(crate) async fn put_original(
    transaction: &LibraryTransaction,
    item_id: ItemId,
    original: &Original,
) -> Result<()> {
    remove_original(transaction, item_id).await?;
    let row = library_original::ActiveModel {
        account_id: Set(transaction.account_id),
        item_id: Set(item_id),
        body: Set(original.packed.clone()),
        body_bytes: Set(original.bytes()),
        body_hash: Set(original.hash.clone()),
        mime_type: Set(original.mime.clone()),
    };
    library_original::Entity::insert(row).exec_without_returning(transaction.db()).await?;
    Ok(())
}

pub(crate) async fn remove_original(transaction: &LibraryTransaction, item_id: ItemId) -> Result<()> {
    library_original::Entity::delete_many()
        .filter(library_original::Column::AccountId.eq(transaction.account_id))
        .filter(library_original::Column::ItemId.eq(item_id))
        .exec(transaction.db())
        .await?;
    Ok(())
}

/// Loads the supplied content of an item, and its media type. `None` if the item has no supplied content.
pub(crate) async fn original(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    item_id: ItemId,
) -> Result<Option<(Vec<u8>, String)>> {
    let Some(row) = original_row(connection, account_id, item_id).await? else { return Ok(None) };
    let body = tokio::task::spawn_blocking(move || zstd::decode_all(row.body.as_slice())).await;
    let body = body.map_err(Error::internal)?.map_err(Error::internal)?;
    Ok(Some((body, row.mime_type)))
}

pub(crate) async fn original_row(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    item_id: ItemId,
) -> Result<Option<library_original::Model>> {
    let query =
        library_original::Entity::owned_by(account_id).filter(library_original::Column::ItemId.eq(item_id));
    Ok(query.one(connection).await?)
}

/// Returns the error for a request for a text that the item does not have.
pub(crate) fn missing(item: &library_item::Model) -> Error {
    use entities::library_words::ArticleStatus;
    match item.article_status {
        ArticleStatus::AwaitingUpload | ArticleStatus::Queued | ArticleStatus::Extracting => {
            Error::new(Code::NotReady, "The text of this item is not ready yet.").retry_after(5)
        }
        ArticleStatus::NotApplicable => {
            Error::new(Code::UnsupportedContent, "An item of this kind has no text.")
        }
        ArticleStatus::Failed | ArticleStatus::Ready => {
            let code = item.article_error.as_deref().map_or(Code::NoReadableText, Code::from_stored);
            Error::new(code, "This item has no text.")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn content_is_compressed_except_in_a_dry_run() {
        let body = "words ".repeat(1_000).into_bytes();
        let stored = Original::pack(body.clone(), "text/plain").await.unwrap();
        assert!(stored.packed.len() < 200, "{} bytes", stored.packed.len());
        assert_eq!(zstd::decode_all(stored.packed.as_slice()).unwrap(), body);
        let counted = Original::unpacked(body, "text/plain");
        assert!(counted.packed.is_empty());
        assert_eq!(counted.bytes(), stored.bytes());
    }
}
