//! What the rows of an import come to before they are written.

use entities::ids::AccountId;
use entities::library_item;
use entities::library_words::{AnchorStatus, HighlightColor};
use sha2::{Digest, Sha256};
use uuid::{Builder, Uuid};

use crate::keys::Key;
use crate::tags::Tag;
use crate::text::{Original, PackedText};

/// A row, ready to be written.
pub(super) struct Prepared {
    /// Counts from 1.
    pub(super) number: u64,
    /// What its item is known by.
    pub(super) keys: Vec<Key>,
    /// The item that is made when there is none.
    pub(super) item: Option<NewItem>,
    /// The item's tags.
    pub(super) tags: Vec<Tag>,
    /// Notes and highlights.
    pub(super) remarks: Vec<Remark>,
    /// What is wrong with it, though it is taken.
    pub(super) trouble: Option<Trouble>,
    /// Where there is no item of its own: the key of the one that the remarks are about.
    pub(super) refers_to: Option<Key>,
}

/// An item that is not there yet.
pub(super) struct NewItem {
    pub(super) row: library_item::Model,
    pub(super) text: Option<PackedText>,
    pub(super) original: Option<Original>,
    /// The key of its file, which is in the store already.
    pub(super) blob: Option<String>,
    /// Whose word counts for what the text says of itself, too.
    pub(super) told: Told,
    /// The key of the item that leads to the same page.
    pub(super) duplicate_of: Option<Key>,
}

/// What is known of an item that comes with a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Told {
    /// What another service knew; the text knows more.
    InPart,
    /// Everything: the text has been in a library.
    Whole,
}

/// A note or a highlight.
pub(super) struct Remark {
    /// The id that a client gave it, or that the row is known by.
    pub(super) external_id: Option<String>,
    /// What it is known by where it comes from.
    pub(super) former: Former,
    pub(super) created_at: Option<i64>,
    pub(super) tags: Vec<Tag>,
    pub(super) mark: Mark,
}

/// What a note or a highlight is known by where it comes from. Its id here follows from that, so that it is made once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Former {
    /// Its name among all that are imported.
    pub(super) name: String,
    /// Its id in the library that it was exported from, which may be this one.
    pub(super) own: Option<Uuid>,
}

impl Former {
    /// Its id in a library.
    pub(super) fn id_in(&self, account_id: AccountId) -> Uuid {
        let mut hash = Sha256::new();
        hash.update(account_id.as_uuid().as_bytes());
        hash.update(self.name.as_bytes());
        let hash: [u8; 32] = hash.finalize().into();
        let mut random = [0; 10];
        random.copy_from_slice(&hash[..10]);
        Builder::from_unix_timestamp_millis(0, &random).into_uuid()
    }
}

/// Which of both.
pub(super) enum Mark {
    /// A note.
    Note { title: Option<String>, text: String },
    /// A highlight.
    Highlight(Marked),
}

/// A marked passage.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Marked {
    pub(super) quote: String,
    pub(super) prefix: String,
    pub(super) suffix: String,
    pub(super) note: Option<String>,
    pub(super) color: Option<HighlightColor>,
    /// The block in which a client saw it.
    pub(super) hint: Option<i32>,
    /// What an item that is gone was called.
    pub(super) item_title: Option<String>,
    /// Where that was.
    pub(super) source_url: Option<String>,
    /// Where it stands in the text that has this hash.
    pub(super) place: Option<Standing>,
    pub(super) text_hash: Option<String>,
}

/// Where a passage stands in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Standing {
    pub(super) status: AnchorStatus,
    pub(super) anchor: Option<i32>,
    pub(super) end_anchor: Option<i32>,
    pub(super) start_offset: Option<i32>,
    pub(super) end_offset: Option<i32>,
    pub(super) page: Option<i32>,
}

/// What is wrong with a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Trouble {
    pub(super) code: String,
    pub(super) reason: String,
    /// The row is left out for it, and not failed.
    pub(super) is_skipped: bool,
}

impl Trouble {
    /// Something that a row is taken in spite of, or fails for.
    pub(super) fn of(code: &str, reason: &str) -> Self {
        Self { code: code.to_owned(), reason: reason.to_owned(), is_skipped: false }
    }

    /// Something for which a row is left out.
    pub(super) fn skipped(code: &str, reason: &str) -> Self {
        Self { is_skipped: true, ..Self::of(code, reason) }
    }
}
