//! Subjects of questions and of requests about passages: an item, an entry, or the library.

use entities::ids::{AccountId, EntryId, ItemId};
use entities::library_item;
use kernel::Result;
use kernel::error::not_found;
use kernel::statement::execute;
use sea_orm::{ColumnTrait, Condition, DatabaseTransaction, QueryFilter};

/// Maximum number of rows about entries per account and table. The oldest rows are deleted, because no quota limits the
/// number of entries.
const MAX_ENTRY_ROWS: usize = 1_000;

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
    /// Returns the subject of a row with these ids.
    pub(crate) fn of(item_id: Option<ItemId>, entry_id: Option<EntryId>) -> Self {
        match (item_id, entry_id) {
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

    /// Returns the condition that selects the rows about this subject in a table with these columns.
    pub(crate) fn condition<C: ColumnTrait>(self, item_id: C, entry_id: C) -> Condition {
        let condition = Condition::all();
        match self {
            Self::Item(id) => condition.add(item_id.eq(id)),
            Self::Entry(id) => condition.add(entry_id.eq(id)),
            Self::Library => condition.add(item_id.is_null()).add(entry_id.is_null()),
        }
    }
}

/// Table with rows about entries.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EntryTable {
    name: &'static str,
    key: &'static str,
}

impl EntryTable {
    pub(crate) const QUESTIONS: Self = Self { name: "model_question", key: "question_id" };
    pub(crate) const PASSAGES: Self = Self { name: "model_passage", key: "passage_id" };
}

/// Deletes the oldest rows about entries above the maximum number.
pub(crate) async fn delete_surplus(
    transaction: &DatabaseTransaction,
    table: EntryTable,
    account_id: AccountId,
) -> Result<()> {
    let EntryTable { name, key } = table;
    let sql = format!(
        "DELETE FROM {name} WHERE account_id = $1 AND entry_id IS NOT NULL AND {key} NOT IN \
         (SELECT newer.{key} FROM {name} newer WHERE newer.account_id = $1 AND newer.entry_id IS NOT NULL \
         ORDER BY newer.requested_at DESC, newer.{key} DESC LIMIT {MAX_ENTRY_ROWS})"
    );
    execute(transaction, &sql, [account_id.into()]).await?;
    Ok(())
}

/// Checks that the account has the item of a subject.
///
/// # Errors
/// `not_found`.
pub(crate) async fn require_item(
    transaction: &DatabaseTransaction,
    account_id: AccountId,
    subject: QuestionSubject,
) -> Result<()> {
    let QuestionSubject::Item(id) = subject else { return Ok(()) };
    let item = library_item::Entity::owned_by(account_id).filter(library_item::Column::Id.eq(id));
    item.one(transaction).await?.map(drop).ok_or_else(|| not_found("item"))
}
