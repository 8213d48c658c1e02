//! Fingerprints of the values of an object that a person can change. Undoing an import or a call of an agent
//! and removing a star delete only objects that were not changed since their creation.

use entities::library_words::ClassificationMethod;
use entities::{library_highlight, library_item, library_note};
use sha2::{Digest, Sha256};

use crate::precedence;
use crate::tags::Tag;

/// Computes the fingerprint of an item. A text that is assigned afterwards, and its metadata, do not change
/// the fingerprint.
pub fn of_item(row: &library_item::Model, tags: &[Tag]) -> i64 {
    let is_person = |rank: i16| u8::from(rank == precedence::PERSON).to_string();
    let number = |number: Option<i64>| number.map(|number| number.to_string()).unwrap_or_default();
    let parts = [
        row.status.as_str().to_owned(),
        number(row.read_progress.map(i64::from)),
        number(row.last_read_at),
        number(row.finished_at),
        row.metadata.clone().unwrap_or_default(),
        is_person(row.title_rank),
        is_person(row.author_rank),
        is_person(row.published_rank),
        u8::from(row.kind_method == ClassificationMethod::User).to_string(),
        row.asset_checksum.clone().unwrap_or_default(),
    ];
    hash(parts.iter().map(String::as_str).chain(tags.iter().map(|tag| tag.key.as_str())))
}

pub(super) fn of_note(row: &library_note::Model, tags: &[Tag]) -> i64 {
    let parts = [row.title.as_deref().unwrap_or_default(), &row.text];
    hash(parts.into_iter().chain(tags.iter().map(|tag| tag.key.as_str())))
}

pub(super) fn of_highlight(row: &library_highlight::Model, tags: &[Tag]) -> i64 {
    let parts = [row.quote.as_str(), row.note.as_deref().unwrap_or_default(), row.color.as_str()];
    let parts = parts.into_iter().chain(row.card.as_deref());
    hash(parts.chain(tags.iter().map(|tag| tag.key.as_str())))
}

fn hash<'a>(parts: impl Iterator<Item = &'a str>) -> i64 {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update((part.len() as u64).to_be_bytes());
        hash.update(part.as_bytes());
    }
    let bytes: [u8; 32] = hash.finalize().into();
    i64::from_be_bytes([bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5], bytes[6], bytes[7]])
}
