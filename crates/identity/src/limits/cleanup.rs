//! Clean-up of expired counters in the database.

use async_recursion::async_recursion as boxed;
use entities::rate_count;
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect};

use kernel::{Domain, Millis, Result};

/// Retention of expired counters, in milliseconds, so that no counter is deleted while a process still reads it.
const OLD_MS: Millis = 600_000;
/// Maximum number of rows that one statement reads.
const STEP: u64 = 2_000;

/// Deletes the expired counters and returns their number. The table is read in key order, so that each
/// statement covers a bounded number of rows even if few of them are expired.
#[boxed]
pub async fn delete_expired_counters(domain: &Domain) -> Result<u64> {
    delete_in_steps_of(domain, STEP).await
}

async fn delete_in_steps_of(domain: &Domain, step: u64) -> Result<u64> {
    let old = domain.now() - OLD_MS;
    let (mut deleted, mut from) = (0, String::new());
    loop {
        let to: Option<String> = rate_count::Entity::find()
            .select_only()
            .column(rate_count::Column::Key)
            .filter(rate_count::Column::Key.gt(from.as_str()))
            .order_by_asc(rate_count::Column::Key)
            .offset(step - 1)
            .limit(1)
            .into_tuple()
            .one(domain.db().read())
            .await?;
        let expired = rate_count::Entity::delete_many()
            .filter(rate_count::Column::Key.gt(from.as_str()))
            .filter(rate_count::Column::DeadFrom.lt(old));
        let expired = match &to {
            Some(to) => expired.filter(rate_count::Column::Key.lte(to.as_str())),
            None => expired,
        };
        deleted += expired.exec(domain.db().write()).await?.rows_affected;
        match to {
            Some(to) => from = to,
            None => return Ok(deleted),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::window::{ClockSource, RatePolicy, Windows};
    use kernel::Backend;
    use kernel::testing::TestDatabase;

    #[tokio::test]
    async fn expired_counters_are_deleted() {
        let test = TestDatabase::create(Backend::Postgres).await;
        let windows = Windows::database(test.domain.db(), ClockSource::Caller);
        let (policy, now) = ([RatePolicy::sliding("minute", 5, 60)], test.domain.now());
        assert!(windows.check("old", &policy, now - 3_600_000).await.allowed);
        assert!(windows.check("new", &policy, now).await.allowed);
        assert_eq!(delete_expired_counters(&test.domain).await.unwrap(), 1);
        assert_eq!(delete_expired_counters(&test.domain).await.unwrap(), 0);
    }

    #[tokio::test]
    async fn clean_up_in_steps_deletes_only_expired_counters() {
        let test = TestDatabase::create(Backend::Postgres).await;
        let windows = Windows::database(test.domain.db(), ClockSource::Caller);
        let (policy, now) = ([RatePolicy::sliding("minute", 5, 60)], test.domain.now());
        for number in 0..23 {
            let at = if number % 4 == 0 { now } else { now - 3_600_000 };
            assert!(windows.check(&format!("k{number:02}"), &policy, at).await.allowed);
        }
        assert_eq!(delete_in_steps_of(&test.domain, 3).await.unwrap(), 17);
        assert_eq!(rate_count::Entity::find().all(test.domain.db().read()).await.unwrap().len(), 6);
    }
}
