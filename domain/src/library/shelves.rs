//! How many items stand where.

use entities::ids::AccountId;
use entities::library_words::ItemStatus;

use crate::error::Result;
use crate::handle::Domain;
use crate::statement::statement;
use sea_orm::ConnectionTrait;

/// How many items an account keeps in each place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Shelves {
    /// New ones.
    pub inbox: u64,
    /// Those for later.
    pub later: u64,
    /// Those that are done with.
    pub archive: u64,
}

impl Shelves {
    /// Those that are kept in one place.
    pub const fn of(self, status: ItemStatus) -> u64 {
        match status {
            ItemStatus::Inbox => self.inbox,
            ItemStatus::Later => self.later,
            ItemStatus::Archive => self.archive,
        }
    }

    /// All of them.
    pub const fn total(self) -> u64 {
        self.inbox + self.later + self.archive
    }
}

/// How many items the account keeps in each place.
///
/// # Errors
/// What the database said.
pub async fn shelves(domain: &Domain, account_id: AccountId) -> Result<Shelves> {
    let connection = domain.db().read();
    let sql = "SELECT status, COUNT(*) FROM library_item WHERE account_id = $1 GROUP BY status";
    let mut shelves = Shelves::default();
    for row in connection.query_all_raw(statement(connection, sql, [account_id.into()])).await? {
        let (status, count): (String, i64) = (row.try_get_by_index(0)?, row.try_get_by_index(1)?);
        let count = count.unsigned_abs();
        match ItemStatus::parse(&status) {
            Some(ItemStatus::Inbox) => shelves.inbox = count,
            Some(ItemStatus::Later) => shelves.later = count,
            Some(ItemStatus::Archive) => shelves.archive = count,
            None => {}
        }
    }
    Ok(shelves)
}
