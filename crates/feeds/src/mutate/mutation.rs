//! What many changes of what an account follows are made of: the operation, what is meant, and what is set.

use serde::{Deserialize, Serialize};

use super::super::query::EntryQuery;
use kernel::code::Code;
use kernel::error::{Error, Result};

/// What is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Op {
    /// Feeds are followed.
    SourcesFollow,
    /// Sources are let go.
    SourcesUnfollow,
    /// Sources are put into a collection.
    SourcesMove,
    /// A source is given a title.
    SourcesRename,
    /// Entries are marked read.
    EntriesMarkRead,
    /// Entries are marked unread.
    EntriesMarkUnread,
    /// Entries are saved to the library.
    EntriesSave,
    /// A collection is made.
    CollectionsCreate,
    /// A collection is given another name.
    CollectionsRename,
    /// A collection is taken away.
    CollectionsDelete,
}

impl Op {
    /// All of them.
    pub const ALL: &'static [Self] = &[
        Self::SourcesFollow,
        Self::SourcesUnfollow,
        Self::SourcesMove,
        Self::SourcesRename,
        Self::EntriesMarkRead,
        Self::EntriesMarkUnread,
        Self::EntriesSave,
        Self::CollectionsCreate,
        Self::CollectionsRename,
        Self::CollectionsDelete,
    ];

    /// The word on the wire and in rows.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::SourcesFollow => "sources.follow",
            Self::SourcesUnfollow => "sources.unfollow",
            Self::SourcesMove => "sources.move",
            Self::SourcesRename => "sources.rename",
            Self::EntriesMarkRead => "entries.markRead",
            Self::EntriesMarkUnread => "entries.markUnread",
            Self::EntriesSave => "entries.save",
            Self::CollectionsCreate => "collections.create",
            Self::CollectionsRename => "collections.rename",
            Self::CollectionsDelete => "collections.delete",
        }
    }

    /// What it is about.
    pub(super) const fn about(self) -> About {
        match self {
            Self::SourcesUnfollow | Self::SourcesMove | Self::SourcesRename => About::Sources,
            Self::EntriesMarkRead | Self::EntriesMarkUnread | Self::EntriesSave => About::Entries,
            Self::CollectionsRename | Self::CollectionsDelete => About::Collections,
            Self::SourcesFollow | Self::CollectionsCreate => About::Nothing,
        }
    }

    /// Whether it is never done without having been tried.
    pub(super) const fn needs_token(self) -> bool {
        matches!(self, Self::SourcesUnfollow | Self::CollectionsDelete)
    }

    /// Whether it is about one thing at a time.
    pub(super) const fn is_about_one(self) -> bool {
        matches!(self, Self::SourcesRename | Self::CollectionsRename | Self::CollectionsDelete)
    }
}

/// What an operation is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum About {
    /// Sources that are followed.
    Sources,
    /// Their entries.
    Entries,
    /// Collections.
    Collections,
    /// What is not there yet.
    Nothing,
}

/// Which of what is there is meant.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Meant {
    /// All of it.
    pub all: bool,
    /// What fulfils this.
    pub query: EntryQuery,
}

/// What is set.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MutationSet {
    /// Addresses to follow.
    pub urls: Vec<String>,
    /// A collection, by id or name.
    pub collection: Option<String>,
    /// A source's title.
    pub title: Option<String>,
    /// A collection's name.
    pub name: Option<String>,
}

/// Many changes at once.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mutation {
    /// What is done.
    pub op: Op,
    /// To what.
    pub meant: Option<Meant>,
    /// What is set.
    pub set: MutationSet,
}

impl Mutation {
    /// Refuses what does not go together.
    pub(super) fn check(&self) -> Result<()> {
        let MutationSet { urls, collection, title, name } = &self.set;
        let wanted: [(&str, bool, Need); 4] = [
            ("set.urls", !urls.is_empty(), self.need(&[Op::SourcesFollow], &[])),
            ("set.collection", collection.is_some(), self.need(&[Op::SourcesMove], &[Op::SourcesFollow])),
            ("set.title", title.is_some(), self.need(&[Op::SourcesRename], &[])),
            ("set.name", name.is_some(), self.need(&[Op::CollectionsCreate, Op::CollectionsRename], &[])),
        ];
        for (field, is_there, need) in wanted {
            match (need, is_there) {
                (Need::Must, false) => return Err(refused("set", format!("`{field}` is needed"))),
                (Need::MustNot, true) => return Err(refused("set", format!("`{field}` is of no use here"))),
                (Need::Must, true) | (Need::MustNot, false) | (Need::May, _) => {}
            }
        }
        let about = self.op.about();
        let Some(meant) = &self.meant else {
            return if about == About::Nothing {
                Ok(())
            } else {
                Err(refused("where", "is needed; `{\"all\": true}` means everything"))
            };
        };
        let EntryQuery { sources, .. } = meant.query.clone();
        let of_sources = EntryQuery { sources: sources.clone(), ..EntryQuery::default() };
        let is_empty = meant.query == EntryQuery::default();
        match about {
            About::Nothing => Err(refused("where", "is of no use here")),
            _ if meant.all != is_empty => {
                Err(refused("where", "must have `all: true` alone, or at least one other field"))
            }
            About::Sources if meant.query != of_sources => {
                Err(refused("where", "takes `collection`, `source` and `kind` of sources"))
            }
            About::Collections if sources.collections.is_empty() || meant.query != of_sources => {
                Err(refused("where", "must name a `collection`"))
            }
            About::Sources | About::Collections | About::Entries => Ok(()),
        }
    }

    fn need(&self, must: &[Op], may: &[Op]) -> Need {
        if must.contains(&self.op) {
            Need::Must
        } else if may.contains(&self.op) {
            Need::May
        } else {
            Need::MustNot
        }
    }
}

/// Whether a field is to be there.
#[derive(Clone, Copy)]
enum Need {
    Must,
    May,
    MustNot,
}

/// A request whose parts do not go together.
pub(super) fn refused(field: &'static str, reason: impl Into<String>) -> Error {
    let reason = reason.into();
    let message = format!("The request cannot be carried out: {field} {reason}.");
    Error::new(Code::ConflictingChanges, message).at(field, reason)
}
