//! Keys by which saves are matched to items: an external id, a URL, an imported row, or content.

use entities::library_words::KeyKind;
use sha2::{Digest, Sha256};
use url::Url;

use crate::address;

/// Number of bytes of a key's hash.
const HASH: usize = 16;

/// A key by which a save is matched to an item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ItemKey {
    /// Kind of the value.
    pub kind: KeyKind,
    /// Normalized value for comparison.
    pub value: String,
}

impl ItemKey {
    /// Creates the key of an id that a client assigned.
    pub fn external(id: &str) -> Self {
        Self { kind: KeyKind::External, value: id.to_owned() }
    }

    /// Creates the key of a URL.
    pub fn url(url: &Url) -> Self {
        Self { kind: KeyKind::Url, value: address::key(url) }
    }

    /// Creates the key of an imported row.
    pub fn import(id: &str) -> Self {
        Self { kind: KeyKind::Import, value: id.to_owned() }
    }

    /// Creates the key of content that has neither an id nor a URL.
    pub fn content(title: &str, content: &[u8]) -> Self {
        let mut hash = Sha256::new();
        hash.update((title.len() as u64).to_be_bytes());
        hash.update(title.as_bytes());
        hash.update(content);
        Self { kind: KeyKind::Content, value: data_encoding::HEXLOWER.encode(&hash.finalize()) }
    }

    /// Hash of kind and value, as stored in the table.
    pub fn hash(&self) -> Vec<u8> {
        let mut hash = Sha256::new();
        hash.update(self.kind.as_str().as_bytes());
        hash.update([0]);
        hash.update(self.value.as_bytes());
        hash.finalize()[..HASH].to_vec()
    }
}
