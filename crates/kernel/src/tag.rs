//! Tags, which are identified by their case-folded name and displayed as the account first spelled them.

use serde::{Deserialize, Serialize};
use unicode_normalization::UnicodeNormalization;

use crate::error::{Error, Result};

/// A tag of a request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tag {
    /// Case-folded name, which identifies the tag.
    pub key: String,
    /// Name for display, unless the account already spells the tag in another way.
    pub name: String,
}

impl Tag {
    /// Parses a tag. `None` if `text` is blank.
    pub fn of(text: &str) -> Option<Self> {
        let plain: String =
            text.nfc().filter(|character| !character.is_control() || *character == '\t').collect();
        let name = plain.split_whitespace().collect::<Vec<_>>().join(" ");
        (!name.is_empty()).then(|| Self { key: key_of(&name), name })
    }

    /// Parses the tag in the field `name` of a request.
    ///
    /// # Errors
    /// `invalid_request` if the tag is blank.
    pub fn of_name(text: &str) -> Result<Self> {
        Self::of(text).ok_or_else(|| Error::invalid_field("name", "must not be blank"))
    }

    /// Parses tags. Blank and repeated tags are dropped.
    ///
    /// # Errors
    /// `invalid_request` if a tag contains U+0000.
    pub fn list(texts: &[String]) -> Result<Vec<Self>> {
        let mut tags: Vec<Self> = Vec::new();
        for (index, text) in texts.iter().enumerate() {
            if text.contains('\0') {
                return Err(Error::invalid_field(
                    crate::field::FieldPath::of_pointer(&format!("/tags/{index}")),
                    "must not hold U+0000",
                ));
            }
            tags.extend(Self::of(text).filter(|tag| tags.iter().all(|known| known.key != tag.key)));
        }
        Ok(tags)
    }

    /// Renames the tag `from` to `to` in a stored JSON list of names, or removes it if `to` is `None`. If the list has
    /// both tags, one of them remains. Returns `None` if the list does not have the tag, or cannot be read.
    ///
    /// # Errors
    /// `internal` if the names cannot be serialized.
    pub fn change_stored(stored: &str, from: &Self, to: Option<&Self>) -> Result<Option<String>> {
        let names: Vec<String> = serde_json::from_str(stored).unwrap_or_default();
        let tags: Vec<Self> = names.iter().filter_map(|name| Self::of(name)).collect();
        if tags.iter().all(|tag| tag.key != from.key) {
            return Ok(None);
        }
        let mut changed: Vec<Self> = Vec::with_capacity(tags.len());
        for tag in tags {
            let tag = if tag.key == from.key { to.cloned() } else { Some(tag) };
            changed.extend(tag.filter(|tag| changed.iter().all(|known| known.key != tag.key)));
        }
        let names: Vec<&str> = changed.iter().map(|tag| tag.name.as_str()).collect();
        serde_json::to_string(&names).map(Some).map_err(Error::internal)
    }
}

/// Case-folds a tag as completely as the standard library supports.
fn key_of(name: &str) -> String {
    name.chars().flat_map(char::to_uppercase).flat_map(char::to_lowercase).nfc().collect()
}
