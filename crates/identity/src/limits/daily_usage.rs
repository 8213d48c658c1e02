//! Daily usage in the database. The windows count exactly. This module stores a mark that is never lower than
//! the count, so that neither a restart nor an emptied Redis resets a daily quota.
//!
//! The mark is raised in steps of a hundredth of the quota, so that one write covers many operations. After a
//! crash, usage continues at the mark: the account loses at most one step of its quota.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use entities::ids::AccountId;
use entities::usage_day;
use sea_orm::sea_query::{Expr, OnConflict};
use sea_orm::{ActiveValue::Set, ColumnTrait, EntityTrait, QueryFilter};

use super::window::RateState;
use kernel::{Database, Result};

/// Maximum number of marks cached in memory. Other marks are read from the database when needed.
const MAX_MARKS: usize = 100_000;

/// The marks cached by this process.
#[derive(Default)]
pub(super) struct DailyUsage {
    marks: Mutex<HashMap<(AccountId, &'static str), UsageMark>>,
}

#[derive(Clone, Copy)]
struct UsageMark {
    day: i64,
    used: u32,
}

impl DailyUsage {
    /// Returns the usage of `quota` on `day`, from the cache or else the database.
    pub(super) async fn used(
        &self,
        db: &Database,
        account_id: AccountId,
        quota: &'static str,
        day: i64,
    ) -> Result<u32> {
        if let Some(used) = self.cached(account_id, quota, day) {
            return Ok(used);
        }
        let row = usage_day::Entity::owned_by(account_id)
            .filter(usage_day::Column::Quota.eq(quota))
            .filter(usage_day::Column::Day.eq(day))
            .one(db.read())
            .await?;
        let used = row.map_or(0, |row| u32::try_from(row.used).unwrap_or(u32::MAX));
        self.cache(account_id, quota, UsageMark { day, used });
        Ok(used)
    }

    /// Raises the mark if the usage has reached it. If the database is unavailable, the request is not
    /// refused, because the windows still count.
    pub(super) async fn reserve(&self, db: &Database, account_id: AccountId, state: &RateState, day: i64) {
        if self.cached(account_id, state.name, day).is_some_and(|mark| state.used <= mark) {
            return;
        }
        let step = (state.quota / 100).max(1);
        let used = state.used.saturating_add(step - 1).min(state.quota).max(state.used);
        match raise(db, account_id, state.name, day, used).await {
            Ok(()) => self.cache(account_id, state.name, UsageMark { day, used }),
            Err(error) => tracing::warn!(%error, "failed to store a daily count"),
        }
    }

    fn cached(&self, account_id: AccountId, quota: &'static str, day: i64) -> Option<u32> {
        let marks = self.marks.lock().unwrap_or_else(PoisonError::into_inner);
        marks.get(&(account_id, quota)).filter(|mark| mark.day == day).map(|mark| mark.used)
    }

    fn cache(&self, account_id: AccountId, quota: &'static str, mark: UsageMark) {
        let mut marks = self.marks.lock().unwrap_or_else(PoisonError::into_inner);
        if marks.len() >= MAX_MARKS {
            marks.retain(|_, cached| cached.day == mark.day);
            if marks.len() >= MAX_MARKS {
                marks.clear();
            }
        }
        let cached = marks.entry((account_id, quota)).or_insert(mark);
        if cached.day != mark.day || cached.used < mark.used {
            *cached = mark;
        }
    }
}

async fn raise(db: &Database, account_id: AccountId, quota: &str, day: i64, used: u32) -> Result<()> {
    let row = usage_day::ActiveModel {
        account_id: Set(account_id),
        quota: Set(quota.to_owned()),
        day: Set(day),
        used: Set(i64::from(used)),
    };
    let higher =
        OnConflict::columns([usage_day::Column::AccountId, usage_day::Column::Quota, usage_day::Column::Day])
            .value(
                usage_day::Column::Used,
                Expr::cust(
                    "CASE WHEN excluded.used > usage_day.used THEN excluded.used ELSE usage_day.used END",
                ),
            )
            .to_owned();
    usage_day::Entity::insert(row).on_conflict(higher).exec_without_returning(db.write()).await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cached(days: &DailyUsage, number: u128, day: i64) -> Option<u32> {
        days.cached(AccountId::from_u128(number), "day", day)
    }

    fn cache(days: &DailyUsage, number: u128, day: i64, used: u32) {
        days.cache(AccountId::from_u128(number), "day", UsageMark { day, used });
    }

    #[test]
    fn cached_mark_never_decreases_within_its_day_and_is_ignored_on_other_days() {
        let days = DailyUsage::default();
        cache(&days, 1, 7, 20);
        cache(&days, 1, 7, 10);
        assert_eq!(cached(&days, 1, 7), Some(20));
        cache(&days, 1, 8, 5);
        assert_eq!((cached(&days, 1, 7), cached(&days, 1, 8)), (None, Some(5)));
    }

    #[test]
    fn full_cache_evicts_marks_of_other_days_first() {
        let days = DailyUsage::default();
        for number in (0..).take(MAX_MARKS) {
            cache(&days, number, if number < 10 { 7 } else { 8 }, 1);
        }
        cache(&days, u128::MAX, 8, 1);
        let marks = [cached(&days, 3, 7), cached(&days, 10, 8), cached(&days, u128::MAX, 8)];
        assert_eq!(marks, [None, Some(1), Some(1)]);
        // Nine more marks of today fill the cache; the tenth exceeds it.
        for number in 0..10 {
            cache(&days, number, 8, 1);
        }
        assert_eq!((cached(&days, 10, 8), cached(&days, 9, 8)), (None, Some(1)), "the cache was cleared");
    }
}
