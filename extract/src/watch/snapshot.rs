//! Snapshot of a watched source in its stored form: plain data, a version byte, and zstd.

use std::{cell::RefCell, io::Read};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use zstd::bulk::Compressor;

use super::operation::Kind;

/// First byte of an encoded snapshot. A new data format gets a new number. Old formats can still be decoded.
const VERSION: u8 = 1;
/// Maximum number of bytes of a decoded snapshot. The limit applies because stored data is not trusted.
const MAX_DECODED_BYTES: u64 = 96 * 1024 * 1024;
/// Compression level of zstd. Level 1 is fast, and its results are only a few percent larger than those of
/// higher levels for texts of this size.
const LEVEL: i32 = 1;

/// Snapshot of a watched source.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Snapshot {
    /// Texts of a page, in reading order.
    Blocks(Vec<SnapshotBlock>),
    /// URLs of a sitemap, sorted and unique.
    Urls(Vec<UrlEntry>),
    /// Named values of one or many items, in the order of the source.
    Items(Vec<ExtractedItem>),
}

/// Text of a page.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct SnapshotBlock {
    #[serde(rename = "k", default, skip_serializing_if = "Kind::is_paragraph")]
    pub kind: Kind,
    /// Text on one line, in NFC with collapsed white space.
    #[serde(rename = "t")]
    pub text: String,
    /// Absolute URLs of the block's links, in order.
    #[serde(rename = "l", default, skip_serializing_if = "Vec::is_empty")]
    pub links: Vec<String>,
    /// Position in the structure of the page: a hash of the tags, ids and classes from the root.
    #[serde(rename = "p", default)]
    pub position: u32,
    /// Number of the list or table that contains the block, counted from 1. 0 if there is none.
    #[serde(rename = "g", default, skip_serializing_if = "is_zero")]
    pub list: u32,
    /// True for controls and asides of a page. They are compared only if a selector or the text of a trigger
    /// requires them.
    #[serde(rename = "m", default, skip_serializing_if = "std::ops::Not::not")]
    pub is_marginal: bool,
}

/// URL of a sitemap.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct UrlEntry {
    /// Absolute http(s) URL.
    pub url: String,
    /// Date as written in the sitemap.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lastmod: Option<String>,
}

/// Item with named values.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExtractedItem {
    /// Identity of the item: its key fields, or else its link, or else its values. Unique within the
    /// snapshot.
    pub key: String,
    /// Title for display. Empty if the whole source is the item.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub title: String,
    /// First link of the item.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub link: Option<String>,
    /// Values in the order of the target's fields.
    pub fields: Vec<FieldValue>,
}

/// Named value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FieldValue {
    /// Name of the field in the target.
    pub name: String,
    /// Value in NFC with collapsed white space. `None` if the item lacks the field.
    pub value: Option<String>,
}

/// Reason why stored bytes cannot be decoded.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DecodeError {
    /// The snapshot was written by a newer version of the program.
    #[error("unknown snapshot version {0}")]
    Version(u8),
    /// The bytes are truncated, modified, or longer than any snapshot.
    #[error("the snapshot is damaged: {0}")]
    Damaged(String),
}

/// Error for a snapshot that cannot be stored because it would be too long to decode.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the snapshot cannot be encoded: {0}")]
pub struct SnapshotError(String);

thread_local! {
    /// Compressor that is reused, because creating one costs more than compressing a page of ordinary size.
    static COMPRESSOR: RefCell<Option<Compressor<'static>>> = const { RefCell::new(None) };
}

impl Snapshot {
    /// Encodes the snapshot for storage. Within one version of the program, equal snapshots have equal bytes.
    pub fn encode(&self) -> Result<Vec<u8>, SnapshotError> {
        let snapshot_error = |error: &dyn std::fmt::Display| SnapshotError(error.to_string());
        let json = serde_json::to_vec(self).map_err(|error| snapshot_error(&error))?;
        if u64::try_from(json.len()).unwrap_or(u64::MAX) > MAX_DECODED_BYTES {
            return Err(snapshot_error(&"it exceeds the maximum size"));
        }
        let packed = COMPRESSOR.with_borrow_mut(|slot| {
            let mut compressor = match slot.take() {
                Some(compressor) => compressor,
                None => Compressor::new(LEVEL)?,
            };
            let packed = compressor.compress(&json)?;
            *slot = Some(compressor);
            Ok::<_, std::io::Error>(packed)
        });
        let packed = packed.map_err(|error| snapshot_error(&error))?;
        let mut bytes = Vec::with_capacity(packed.len() + 1);
        bytes.push(VERSION);
        bytes.extend(packed);
        Ok(bytes)
    }

    /// Decodes stored bytes.
    pub fn decode(bytes: &[u8]) -> Result<Self, DecodeError> {
        let damaged = |error: &dyn std::fmt::Display| DecodeError::Damaged(error.to_string());
        let Some((&version, packed)) = bytes.split_first() else {
            return Err(damaged(&"it is empty"));
        };
        if version != VERSION {
            return Err(DecodeError::Version(version));
        }
        let unpacked = zstd::stream::read::Decoder::new(packed).map_err(|error| damaged(&error))?;
        let mut json = Vec::new();
        unpacked.take(MAX_DECODED_BYTES).read_to_end(&mut json).map_err(|error| damaged(&error))?;
        serde_json::from_slice(&json).map_err(|error| damaged(&error))
    }

    /// SHA-256 of the content, independent of the encoding. Equal snapshots have equal hashes.
    pub fn content_hash(&self) -> [u8; 32] {
        let mut digest = Sha256::new();
        let mut put = |text: &str| {
            digest.update(u64::try_from(text.len()).unwrap_or(u64::MAX).to_le_bytes());
            digest.update(text.as_bytes());
        };
        match self {
            Self::Blocks(blocks) => {
                put("blocks");
                for block in blocks {
                    put(block.kind.as_str());
                    put(&block.text);
                    put(&format!("{} {} {}", block.position, block.list, block.links.len()));
                    block.links.iter().for_each(|link| put(link));
                    if block.is_marginal {
                        put("marginal");
                    }
                }
            }
            Self::Urls(urls) => {
                put("urls");
                for entry in urls {
                    put(&entry.url);
                    put(entry.lastmod.as_deref().unwrap_or("\0"));
                }
            }
            Self::Items(items) => {
                put("items");
                for item in items {
                    put(&item.key);
                    put(&item.title);
                    put(item.link.as_deref().unwrap_or("\0"));
                    put(&item.fields.len().to_string());
                    for field in &item.fields {
                        put(&field.name);
                        put(field.value.as_deref().unwrap_or("\0"));
                    }
                }
            }
        }
        digest.finalize().into()
    }

    /// Number of blocks, URLs or items.
    pub fn len(&self) -> usize {
        match self {
            Self::Blocks(blocks) => blocks.len(),
            Self::Urls(urls) => urls.len(),
            Self::Items(items) => items.len(),
        }
    }

    /// True if the snapshot has no blocks, URLs or items.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero(number: &u32) -> bool {
    *number == 0
}
