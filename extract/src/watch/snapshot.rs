//! One state of what is watched, as it is stored: plain data, one byte of version, zstd.

use std::{cell::RefCell, io::Read};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use zstd::bulk::Compressor;

use super::operation::Kind;

/// First byte of an encoded snapshot. A new shape of the data gets a new number; old ones stay readable.
const VERSION: u8 = 1;
/// Longest text of a snapshot when decoded: what is stored is ours, but it is not believed either.
const MAX_DECODED_BYTES: u64 = 96 * 1024 * 1024;
/// Fast, and within a few per cent of the levels above it on text of this size.
const LEVEL: i32 = 1;

/// One state of what is watched.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Snapshot {
    /// Texts of a page, in reading order.
    Blocks(Vec<Block>),
    /// Addresses of a sitemap, sorted and each once.
    Urls(Vec<UrlEntry>),
    /// Named values of one or many things, in the order of the source.
    Items(Vec<Item>),
}

/// One text of a page.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Block {
    /// What kind of text it is.
    #[serde(rename = "k", default, skip_serializing_if = "Kind::is_paragraph")]
    pub kind: Kind,
    /// One line: NFC, white space folded.
    #[serde(rename = "t")]
    pub text: String,
    /// Absolute addresses linked from it, in order.
    #[serde(rename = "l", default, skip_serializing_if = "Vec::is_empty")]
    pub links: Vec<String>,
    /// Where it stands in the page's structure, as a hash of tags, names and classes above it.
    #[serde(rename = "p", default)]
    pub place: u32,
    /// The list or table it belongs to, counted from 1; 0 is none.
    #[serde(rename = "g", default, skip_serializing_if = "is_zero")]
    pub list: u32,
}

/// One address of a sitemap.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct UrlEntry {
    /// Absolute http(s) address.
    pub url: String,
    /// As the sitemap gives it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lastmod: Option<String>,
}

/// One thing with named values.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Item {
    /// What tells it from the others: its key fields, else its link, else its values. Unique in the snapshot.
    pub key: String,
    /// What a person would call it; empty when the whole source is the item.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub title: String,
    /// Its first link.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub link: Option<String>,
    /// In the order of the target.
    pub fields: Vec<FieldValue>,
}

/// A named value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FieldValue {
    /// As the target names it.
    pub name: String,
    /// NFC, white space folded; `None` when the item has no such field.
    pub value: Option<String>,
}

/// Why stored bytes are no snapshot.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DecodeError {
    /// Written by a later program.
    #[error("the snapshot has the unknown version {0}")]
    Version(u8),
    /// Cut, changed, or longer than any snapshot.
    #[error("the snapshot is damaged: {0}")]
    Damaged(String),
}

/// Why a snapshot cannot be stored: what is too long to be decoded is not encoded.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the snapshot cannot be encoded: {0}")]
pub struct SnapshotError(String);

thread_local! {
    /// Making a compressor costs more than compressing a page of ordinary size.
    static COMPRESSOR: RefCell<Option<Compressor<'static>>> = const { RefCell::new(None) };
}

impl Snapshot {
    /// The bytes to store. Equal snapshots give equal bytes with one version of this program.
    pub fn encode(&self) -> Result<Vec<u8>, SnapshotError> {
        let refused = |error: &dyn std::fmt::Display| SnapshotError(error.to_string());
        let json = serde_json::to_vec(self).map_err(|error| refused(&error))?;
        if u64::try_from(json.len()).unwrap_or(u64::MAX) > MAX_DECODED_BYTES {
            return Err(refused(&"it is longer than any that is read back"));
        }
        let packed = COMPRESSOR.with_borrow_mut(|kept| {
            let mut compressor = match kept.take() {
                Some(compressor) => compressor,
                None => Compressor::new(LEVEL)?,
            };
            let packed = compressor.compress(&json)?;
            *kept = Some(compressor);
            Ok::<_, std::io::Error>(packed)
        });
        let packed = packed.map_err(|error| refused(&error))?;
        let mut bytes = Vec::with_capacity(packed.len() + 1);
        bytes.push(VERSION);
        bytes.extend(packed);
        Ok(bytes)
    }

    /// The snapshot of stored bytes.
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

    /// SHA-256 of everything in it, whatever the encoding: what equal stored snapshots share.
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
                    put(&format!("{} {} {}", block.place, block.list, block.links.len()));
                    block.links.iter().for_each(|link| put(link));
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

    /// Blocks, addresses or items in it.
    pub fn len(&self) -> usize {
        match self {
            Self::Blocks(blocks) => blocks.len(),
            Self::Urls(urls) => urls.len(),
            Self::Items(items) => items.len(),
        }
    }

    /// Whether it holds nothing.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero(number: &u32) -> bool {
    *number == 0
}
