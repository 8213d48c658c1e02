//! Counts the items of an account by status.

use async_recursion::async_recursion as boxed;
use entities::ids::AccountId;
use entities::library_words::ItemStatus;
use sea_orm::ConnectionTrait;

use kernel::statement::statement;
use kernel::{Domain, Result};

/// Number up to which items are counted.
const COUNTED: u64 = 10_000;

/// Number of items, counted up to 10,000.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BoundedCount {
    /// At most 10,000.
    pub count: u64,
    /// True if more than `count` items exist.
    pub partial: bool,
}

/// Number of an account's items by status.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StatusCounts {
    pub inbox: BoundedCount,
    pub deferred: BoundedCount,
    pub archive: BoundedCount,
}

impl StatusCounts {
    pub const fn of(self, status: ItemStatus) -> BoundedCount {
        match status {
            ItemStatus::Inbox => self.inbox,
            ItemStatus::Later => self.deferred,
            ItemStatus::Archive => self.archive,
        }
    }

    pub fn total(self) -> BoundedCount {
        let count = self.inbox.count + self.deferred.count + self.archive.count;
        let partial = self.inbox.partial || self.deferred.partial || self.archive.partial;
        BoundedCount { count: count.min(COUNTED), partial: partial || count > COUNTED }
    }
}

/// Counts the account's items by status. Each count stops at 10,000, so that the cost does not grow with the
/// library.
#[boxed]
pub async fn count_by_status(domain: &Domain, account_id: AccountId) -> Result<StatusCounts> {
    let connection = domain.db().read();
    let one = |status: ItemStatus| {
        format!(
            "(SELECT COUNT(*) FROM (SELECT 1 AS one FROM library_item WHERE account_id = $1 AND status = '{}' \
             LIMIT {}) c)",
            status.as_str(),
            COUNTED + 1
        )
    };
    let each = [ItemStatus::Inbox, ItemStatus::Later, ItemStatus::Archive].map(one);
    let sql = format!("SELECT {}", each.join(", "));
    let row = connection.query_one_raw(statement(connection, &sql, [account_id.into()])).await?;
    let Some(row) = row else { return Ok(StatusCounts::default()) };
    let amount = |at: usize| -> Result<BoundedCount> {
        let count = row.try_get_by_index::<i64>(at)?.unsigned_abs();
        Ok(BoundedCount { count: count.min(COUNTED), partial: count > COUNTED })
    };
    Ok(StatusCounts { inbox: amount(0)?, deferred: amount(1)?, archive: amount(2)? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn total_is_partial_if_one_count_or_the_sum_exceeds_the_limit() {
        let amount = |count, partial| BoundedCount { count, partial };
        let total =
            |inbox, deferred| StatusCounts { inbox, deferred, archive: BoundedCount::default() }.total();
        assert_eq!(total(amount(2, false), amount(3, false)), amount(5, false));
        assert_eq!(total(amount(COUNTED, true), amount(0, false)), amount(COUNTED, true));
        assert_eq!(total(amount(6_000, false), amount(4_001, false)), amount(COUNTED, true));
    }
}
