//! Position at which a browser reads a text aloud, so that listening can continue from it on another device.

use std::fmt;

use async_recursion::async_recursion as boxed;
use entities::ids::{AccountId, EntryId, ItemId};

use kernel::{Domain, Error, Millis, Result};
use library::{LISTENED, ReadingPosition};

/// Name of the device in stored positions.
const DEVICE: &str = "Browser";

/// Text that is read aloud.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListenedText {
    Entry(EntryId),
    Item(ItemId),
}

/// Position in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ListeningPosition {
    /// Number of blocks of the text. If it has changed, so has the text, and the position is not used.
    pub blocks: u32,
    /// Index of the block that is read.
    pub block: u32,
    /// Index of the first character of the sentence in the block.
    pub offset: u32,
}

impl ListenedText {
    /// Parses the name of a text: `entries/5` or `library/` with an id.
    pub fn parse(name: &str) -> Option<Self> {
        let (kind, id) = name.split_once('/')?;
        match kind {
            "entries" => id.parse().ok().map(|id| Self::Entry(EntryId::new(id))),
            "library" => id.parse().ok().map(Self::Item),
            _ => None,
        }
    }

    /// Checks that the account has the text.
    async fn require(self, domain: &Domain, account_id: AccountId) -> Result<()> {
        match self {
            Self::Entry(id) => feeds::get_entry(domain, account_id, id, 0).await.map(drop),
            Self::Item(id) => library::get(domain, account_id, id).await.map(drop),
        }
    }

    fn document(self) -> String {
        format!("{LISTENED}{self}")
    }
}

impl fmt::Display for ListenedText {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Entry(id) => write!(formatter, "entries/{id}"),
            Self::Item(id) => write!(formatter, "library/{id}"),
        }
    }
}

impl ListeningPosition {
    fn parse(text: &str) -> Option<Self> {
        let mut numbers = text.splitn(3, '/').map(|number| number.parse::<u32>().ok());
        let mut next = || numbers.next().flatten();
        Some(Self { blocks: next()?, block: next()?, offset: next()? })
    }
}

/// Stores the position in a text. `None` deletes it, because the text was read to its end.
///
/// # Errors
/// `not_found` if the account does not have the text; `invalid_request` if the position is not in the text.
#[boxed]
pub async fn save_position(
    domain: &Domain,
    account_id: AccountId,
    text: ListenedText,
    position: Option<ListeningPosition>,
) -> Result<()> {
    text.require(domain, account_id).await?;
    let document = text.document();
    let Some(ListeningPosition { blocks, block, offset }) = position else {
        return library::delete_reading_position(domain, account_id, &document).await;
    };
    if block >= blocks {
        return Err(Error::invalid_field("block", "must be less than the number of blocks"));
    }
    let position = ReadingPosition {
        document,
        progress: format!("{blocks}/{block}/{offset}"),
        fraction: f64::from(block) / f64::from(blocks),
        device: DEVICE.to_owned(),
        device_id: String::new(),
    };
    library::put_listened_position(domain, account_id, position).await
}

/// Returns the position in a text, and the time at which it was stored. `None` if there is none.
#[boxed]
pub async fn position(
    domain: &Domain,
    account_id: AccountId,
    text: ListenedText,
) -> Result<Option<(ListeningPosition, Millis)>> {
    let stored = library::get_reading_position(domain, account_id, &text.document()).await?;
    Ok(stored
        .and_then(|(stored, at)| ListeningPosition::parse(&stored.progress).map(|position| (position, at))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_names_round_trip() {
        for name in ["entries/5", "library/0198c2a0-0000-7000-8000-000000000001"] {
            assert_eq!(ListenedText::parse(name).map(|text| text.to_string()).as_deref(), Some(name));
        }
        for name in ["", "entries", "entries/x", "library/5", "monitors/5", "entries/5/6"] {
            assert_eq!(ListenedText::parse(name), None, "{name}");
        }
    }

    #[test]
    fn stored_position_has_three_numbers() {
        let position = ListeningPosition { blocks: 9, block: 3, offset: 40 };
        assert_eq!(ListeningPosition::parse("9/3/40"), Some(position));
        for text in ["", "9/3", "9/x/40", "9/3/40/1"] {
            assert_eq!(ListeningPosition::parse(text), None, "{text}");
        }
    }
}
