//! Parts of a mutation: operation, selection, and new values.

use serde::{Deserialize, Serialize};

use super::super::query::EntryQuery;
use kernel::{Code, Error, Result};

/// Operation of a mutation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum MutationOp {
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

impl MutationOp {
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

    /// Value in the API and the database.
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

    /// Returns the kind of object that the operation changes.
    pub(super) const fn target(self) -> MutationTarget {
        match self {
            Self::SourcesUnfollow | Self::SourcesMove | Self::SourcesRename => MutationTarget::Sources,
            Self::EntriesMarkRead | Self::EntriesMarkUnread | Self::EntriesSave => MutationTarget::Entries,
            Self::CollectionsRename | Self::CollectionsDelete => MutationTarget::Collections,
            Self::SourcesFollow | Self::CollectionsCreate => MutationTarget::New,
        }
    }

    /// Returns true if the operation always requires a commit token.
    pub(super) const fn needs_token(self) -> bool {
        matches!(self, Self::SourcesUnfollow | Self::CollectionsDelete)
    }

    /// Returns true if the operation changes exactly one object.
    pub(super) const fn has_single_target(self) -> bool {
        matches!(self, Self::SourcesRename | Self::CollectionsRename | Self::CollectionsDelete)
    }
}

/// Kind of object that an operation changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MutationTarget {
    Sources,
    Entries,
    Collections,
    /// Objects that do not exist yet.
    New,
}

/// Selection of existing objects.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MutationSelection {
    /// Selects all objects.
    pub all: bool,
    /// Selects the objects that match this query.
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
    pub op: MutationOp,
    /// Objects to change. `None` for operations that create objects.
    #[serde(rename = "meant")]
    pub selection: Option<MutationSelection>,
    pub set: MutationSet,
}

impl Mutation {
    /// Returns an error if the combination of fields is invalid.
    pub(super) fn check(&self) -> Result<()> {
        let MutationSet { urls, collection, title, name } = &self.set;
        let fields: [(&str, bool, MutationFieldRule); 4] = [
            ("set.urls", !urls.is_empty(), self.field_rule(&[MutationOp::SourcesFollow], &[])),
            (
                "set.collection",
                collection.is_some(),
                self.field_rule(&[MutationOp::SourcesMove], &[MutationOp::SourcesFollow]),
            ),
            ("set.title", title.is_some(), self.field_rule(&[MutationOp::SourcesRename], &[])),
            (
                "set.name",
                name.is_some(),
                self.field_rule(&[MutationOp::CollectionsCreate, MutationOp::CollectionsRename], &[]),
            ),
        ];
        for (field, is_there, field_rule) in fields {
            match (field_rule, is_there) {
                (MutationFieldRule::Required, false) => {
                    return Err(invalid_mutation("set", format!("`{field}` is required")));
                }
                (MutationFieldRule::Forbidden, true) => {
                    return Err(invalid_mutation(
                        "set",
                        format!("`{field}` is not allowed for this operation"),
                    ));
                }
                (MutationFieldRule::Required, true)
                | (MutationFieldRule::Forbidden, false)
                | (MutationFieldRule::Optional, _) => {}
            }
        }
        let target = self.op.target();
        let Some(selection) = &self.selection else {
            return if target == MutationTarget::New {
                Ok(())
            } else {
                Err(invalid_mutation("where", "is required; `{\"all\": true}` selects everything"))
            };
        };
        let EntryQuery { sources, .. } = selection.query.clone();
        let of_sources = EntryQuery { sources: sources.clone(), ..EntryQuery::default() };
        let is_empty = selection.query == EntryQuery::default();
        match target {
            MutationTarget::New => Err(invalid_mutation("where", "is not allowed for this operation")),
            _ if selection.all != is_empty => {
                Err(invalid_mutation("where", "must have `all: true` alone, or at least one other field"))
            }
            MutationTarget::Sources if selection.query != of_sources => {
                Err(invalid_mutation("where", "takes only `collection`, `source` and `kind`"))
            }
            MutationTarget::Collections
                if sources.collections.is_empty() || selection.query != of_sources =>
            {
                Err(invalid_mutation("where", "must name a `collection`"))
            }
            MutationTarget::Sources | MutationTarget::Collections | MutationTarget::Entries => Ok(()),
        }
    }

    fn field_rule(&self, must: &[MutationOp], may: &[MutationOp]) -> MutationFieldRule {
        if must.contains(&self.op) {
            MutationFieldRule::Required
        } else if may.contains(&self.op) {
            MutationFieldRule::Optional
        } else {
            MutationFieldRule::Forbidden
        }
    }
}

/// Rule for a field of a mutation.
#[derive(Clone, Copy)]
enum MutationFieldRule {
    Required,
    Optional,
    Forbidden,
}

/// Creates the error for an invalid combination of fields.
pub(super) fn invalid_mutation(field: &'static str, reason: impl Into<String>) -> Error {
    let reason = reason.into();
    let message = format!("The request cannot be carried out: {field} {reason}.");
    Error::new(Code::ConflictingChanges, message).at(field, reason)
}
