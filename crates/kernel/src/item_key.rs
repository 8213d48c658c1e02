//! Keys that saves are matched by: an external id, a URL, an imported row, or content.

use entities::library_words::KeyKind;
use sha2::{Digest, Sha256};
use url::Url;

use crate::address;

/// Bytes of a key's hash.
const HASH: usize = 16;

/// One thing that saves are matched by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Key {
    /// What it is.
    pub kind: KeyKind,
    /// As it is compared.
    pub value: String,
}

impl Key {
    /// The key of an id that a client gave.
    pub fn external(id: &str) -> Self {
        Self { kind: KeyKind::External, value: id.to_owned() }
    }

    /// The key of an address.
    pub fn url(url: &Url) -> Self {
        Self { kind: KeyKind::Url, value: address::key(url) }
    }

    /// The key of an imported row.
    pub fn import(id: &str) -> Self {
        Self { kind: KeyKind::Import, value: id.to_owned() }
    }

    /// The key of content that has neither id nor address.
    pub fn content(title: &str, content: &[u8]) -> Self {
        let mut hash = Sha256::new();
        hash.update((title.len() as u64).to_be_bytes());
        hash.update(title.as_bytes());
        hash.update(content);
        Self { kind: KeyKind::Content, value: data_encoding::HEXLOWER.encode(&hash.finalize()) }
    }

    /// What stands for it in the table.
    pub fn hash(&self) -> Vec<u8> {
        let mut hash = Sha256::new();
        hash.update(self.kind.as_str().as_bytes());
        hash.update([0]);
        hash.update(self.value.as_bytes());
        hash.finalize()[..HASH].to_vec()
    }
}
