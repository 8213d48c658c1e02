//! Parts of a mutation: the operation, the selection, and the new values.

use serde::{Deserialize, Serialize};

use super::super::query::EntryQuery;
use kernel::code::Code;
use kernel::error::{Error, Result};

/// Operation of a mutation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Op {
    SourcesFollow,
    SourcesUnfollow,
    /// Moves sources into a collection.
    SourcesMove,
    /// Sets the title of a source.
    SourcesRename,
    EntriesMarkRead,
    EntriesMarkUnread,
    /// Saves entries to the library.
    EntriesSave,
    CollectionsCreate,
    CollectionsRename,
    CollectionsDelete,
}

impl Op {
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

    /// Value in the API and in the table.
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

    /// Kind of object that the operation changes.
    pub(super) const fn about(self) -> About {
        match self {
            Self::SourcesUnfollow | Self::SourcesMove | Self::SourcesRename => About::Sources,
            Self::EntriesMarkRead | Self::EntriesMarkUnread | Self::EntriesSave => About::Entries,
            Self::CollectionsRename | Self::CollectionsDelete => About::Collections,
            Self::SourcesFollow | Self::CollectionsCreate => About::Nothing,
        }
    }

    /// True if the operation always requires a commit token.
    pub(super) const fn needs_token(self) -> bool {
        matches!(self, Self::SourcesUnfollow | Self::CollectionsDelete)
    }

    /// True if the operation changes exactly one object.
    pub(super) const fn is_about_one(self) -> bool {
        matches!(self, Self::SourcesRename | Self::CollectionsRename | Self::CollectionsDelete)
    }
}

/// Kind of object that an operation changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum About {
    Sources,
    Entries,
    Collections,
    /// Objects that do not exist yet.
    Nothing,
}

/// Selection of existing objects.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Meant {
    /// Selects everything.
    pub all: bool,
    /// Selects what matches this query.
    pub query: EntryQuery,
}

/// New values of a mutation.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MutationSet {
    /// Addresses to follow.
    pub urls: Vec<String>,
    /// Collection, by id or name.
    pub collection: Option<String>,
    /// Title of a source.
    pub title: Option<String>,
    /// Name of a collection.
    pub name: Option<String>,
}

/// A bulk change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mutation {
    pub op: Op,
    /// Objects to change; none for operations that create objects.
    pub meant: Option<Meant>,
    pub set: MutationSet,
}

impl Mutation {
    /// Rejects an invalid combination of fields.
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
                (Need::Must, false) => return Err(refused("set", format!("`{field}` is required"))),
                (Need::MustNot, true) => {
                    return Err(refused("set", format!("`{field}` is not allowed for this operation")));
                }
                (Need::Must, true) | (Need::MustNot, false) | (Need::May, _) => {}
            }
        }
        let about = self.op.about();
        let Some(meant) = &self.meant else {
            return if about == About::Nothing {
                Ok(())
            } else {
                Err(refused("where", "is required; `{\"all\": true}` selects everything"))
            };
        };
        let EntryQuery { sources, .. } = meant.query.clone();
        let of_sources = EntryQuery { sources: sources.clone(), ..EntryQuery::default() };
        let is_empty = meant.query == EntryQuery::default();
        match about {
            About::Nothing => Err(refused("where", "is not allowed for this operation")),
            _ if meant.all != is_empty => {
                Err(refused("where", "must have `all: true` alone, or at least one other field"))
            }
            About::Sources if meant.query != of_sources => {
                Err(refused("where", "takes only `collection`, `source` and `kind`"))
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

/// Whether a field is required, optional, or forbidden.
#[derive(Clone, Copy)]
enum Need {
    Must,
    May,
    MustNot,
}

/// Error for a mutation with an invalid combination of fields.
pub(super) fn refused(field: &'static str, reason: impl Into<String>) -> Error {
    let reason = reason.into();
    let message = format!("The request cannot be carried out: {field} {reason}.");
    Error::new(Code::ConflictingChanges, message).at(field, reason)
}
