//! Texts that a question is about.

use entities::ids::{EntryId, ItemId};
use entities::model_question::{Column, Model};
use sea_orm::{ColumnTrait, Condition};

/// Texts that answer a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QuestionSubject {
    /// Text of an item.
    Item(ItemId),
    /// Text of an entry, as its page displays it.
    Entry(EntryId),
    /// Texts of the items of the library that fit the question best.
    Library,
}

impl QuestionSubject {
    pub(crate) fn of(row: &Model) -> Self {
        match (row.item_id, row.entry_id) {
            (Some(id), _) => Self::Item(id),
            (None, Some(id)) => Self::Entry(id),
            (None, None) => Self::Library,
        }
    }

    pub(crate) fn item_id(self) -> Option<ItemId> {
        match self {
            Self::Item(id) => Some(id),
            Self::Entry(_) | Self::Library => None,
        }
    }

    pub(crate) fn entry_id(self) -> Option<EntryId> {
        match self {
            Self::Entry(id) => Some(id),
            Self::Item(_) | Self::Library => None,
        }
    }

    /// Condition of the questions about this subject.
    pub(crate) fn condition(self) -> Condition {
        let condition = Condition::all();
        match self {
            Self::Item(id) => condition.add(Column::ItemId.eq(id)),
            Self::Entry(id) => condition.add(Column::EntryId.eq(id)),
            Self::Library => condition.add(Column::ItemId.is_null()).add(Column::EntryId.is_null()),
        }
    }
}
