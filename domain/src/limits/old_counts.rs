//! Counters that processes share in the database and that count nothing any more.

use entities::rate_count;
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter, QuerySelect, QueryTrait};

use crate::clock::Millis;
use crate::error::Result;
use crate::handle::Domain;

/// Counters that count nothing are kept for so long all the same: nobody reads them just now.
const OLD_MS: Millis = 600_000;
/// Most rows of one statement.
const STEP: u64 = 2_000;

/// Deletes counters of keys that count nothing any more; returns how many.
///
/// # Errors
/// What the database said.
pub async fn delete_old_counts(domain: &Domain) -> Result<u64> {
    let old = domain.now() - OLD_MS;
    let mut deleted = 0;
    loop {
        let step = rate_count::Entity::find()
            .select_only()
            .column(rate_count::Column::Key)
            .filter(rate_count::Column::DeadFrom.lt(old))
            .limit(STEP);
        let gone = rate_count::Entity::delete_many()
            .filter(rate_count::Column::Key.in_subquery(step.into_query()))
            .exec(domain.db().write())
            .await?
            .rows_affected;
        deleted += gone;
        if gone < STEP {
            return Ok(deleted);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Backend;
    use crate::limits::window::{RatePolicy, Time, Windows};
    use crate::testing::TestDatabase;

    #[tokio::test]
    async fn counts_that_count_nothing_go() {
        let test = TestDatabase::create(Backend::Postgres).await;
        let windows = Windows::database(test.domain.db(), Time::Caller);
        let (policy, now) = ([RatePolicy::sliding("minute", 5, 60)], test.domain.now());
        assert!(windows.check("old", &policy, now - 3_600_000).await.allowed);
        assert!(windows.check("new", &policy, now).await.allowed);
        assert_eq!(delete_old_counts(&test.domain).await.unwrap(), 1);
        assert_eq!(delete_old_counts(&test.domain).await.unwrap(), 0);
    }
}
