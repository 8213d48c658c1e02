//! An entry as an item. Its `guidHash` contains its id, because feeds' own identifiers are not stored.

use data_encoding::HEXLOWER;
use feeds::AppEntry;
use kernel::EntryId;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

/// Number of hexadecimal digits of a hash, as in MD5.
const HASH_DIGITS: usize = 32;

/// Returns the `guidHash` of an entry.
pub(super) fn guid_hash(id: EntryId) -> String {
    format!("{:032x}", id.as_i64())
}

/// Returns the entry with this `guidHash`. `None` if the text is not a `guidHash` of this service.
pub(super) fn entry_of_guid_hash(text: &str) -> Option<EntryId> {
    let is_hash = text.len() == HASH_DIGITS && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    let number = u128::from_str_radix(text, 16).ok().filter(|_| is_hash)?;
    i64::try_from(number).ok().map(EntryId::new)
}

/// Returns the JSON of an item. `last_modified` is the second of its last known change.
pub(super) fn item_json(app_entry: AppEntry, last_modified: i64) -> Value {
    let AppEntry { entry, html, .. } = app_entry;
    let file = entry.enclosures.first();
    let (link, media_type) = (file.map(|file| file.url.as_str()), file.map(|file| file.media_type.as_str()));
    let content_hash = hash(&[&html]);
    let fingerprint = hash(&[&entry.title, &entry.url, &html, link.unwrap_or_default()]);
    json!({
        "id": entry.id.as_i64(),
        "guid": format!("carrel:entry:{}", entry.id),
        "guidHash": guid_hash(entry.id),
        "url": entry.url,
        "title": entry.title,
        "author": entry.author.unwrap_or_default(),
        "pubDate": entry.published_at.unwrap_or(entry.discovered_at) / 1000,
        "updatedDate": null,
        "body": html,
        "enclosureMime": media_type,
        "enclosureLink": link,
        "mediaThumbnail": entry.image_url,
        "mediaDescription": null,
        "feedId": entry.feed_id.as_i64(),
        "unread": entry.unread,
        "starred": entry.starred,
        "rtl": false,
        "lastModified": last_modified,
        "fingerprint": fingerprint,
        "contentHash": content_hash,
    })
}

/// Returns a hash of texts. Equal lists of texts have the same hash.
fn hash(texts: &[&str]) -> String {
    let mut digest = Sha256::new();
    for text in texts {
        digest.update(text.as_bytes());
        // Separates the texts, none of which contains this character.
        digest.update([0]);
    }
    let mut digits = HEXLOWER.encode(&digest.finalize());
    digits.truncate(HASH_DIGITS);
    digits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn guid_hash_identifies_its_entry() {
        let id = EntryId::new(123_456);
        assert_eq!(guid_hash(id), "0000000000000000000000000001e240");
        assert_eq!(entry_of_guid_hash(&guid_hash(id)), Some(id));
        assert_eq!(entry_of_guid_hash(&guid_hash(EntryId::new(i64::MAX))), Some(EntryId::new(i64::MAX)));
        for text in ["", "1e240", "3059047a572cd9cd5d0bf645faffd077", "+000000000000000000000000001e240"] {
            assert_eq!(entry_of_guid_hash(text), None, "{text}");
        }
    }

    #[test]
    fn hash_depends_on_the_boundaries_of_texts() {
        assert_eq!(hash(&["a", "b"]).len(), HASH_DIGITS);
        assert_ne!(hash(&["a", "b"]), hash(&["ab", ""]));
    }
}
