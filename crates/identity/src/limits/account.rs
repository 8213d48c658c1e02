//! Rate limits of an account: operations and fresh extractions, per sliding minute and per UTC day.

use super::counters::{Limits, Reservation};
use super::window::{LimitDecision, RatePolicy, RateState, Span, day_of};
use async_recursion::async_recursion as boxed;
use entities::ids::{AccountId, KeyId};
use kernel::tiers::Tier;
use kernel::{Code, Domain, Error, Millis, Result, Used};

/// Policy name of operations in 60 seconds.
pub const OPERATIONS_MINUTE: &str = "minute";
/// Policy name of operations in a UTC day.
pub const OPERATIONS_DAY: &str = "day";
/// Policy name of fresh extractions in 60 seconds.
pub const FRESH_MINUTE: &str = "fresh-minute";
/// Policy name of fresh extractions in a UTC day.
pub const FRESH_DAY: &str = "fresh-day";
/// Policy name of feed app requests in 60 seconds.
const APPS_MINUTE: &str = "apps";
/// Requests that a feed app may send in 60 seconds with one key. The value is high because the first synchronization
/// takes many small requests.
const APPS_QUOTA: u32 = 300;
/// Policy name of fresh extractions of background jobs in a UTC day: full texts of feed entries, imported items, and
/// automatic page copies.
const BACKGROUND_DAY: &str = "feed-texts";

/// Fresh extractions that were charged earlier, perhaps by another process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PastCharge {
    pub count: u32,
    pub charged_at: Millis,
    /// True if they were charged as background work.
    pub is_background: bool,
}

/// Limits that the response of an operation reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExposedLimits {
    /// The limits of operations only.
    Operations,
    /// Includes the limits of fresh extractions, because the operation may need one.
    Fresh,
}

impl Limits {
    /// Charges one operation. The decision contains the states of the account's operation limits whether or
    /// not the operation was allowed; with [`ExposedLimits::Fresh`], also the states of the limits of fresh
    /// extractions.
    ///
    /// # Errors
    /// `Unavailable` if the database cannot return the day's usage so far.
    #[boxed]
    pub async fn charge_operation(
        &self,
        domain: &Domain,
        account_id: AccountId,
        tier: Tier,
        exposed: ExposedLimits,
    ) -> Result<LimitDecision> {
        let limits = self.of(tier);
        let minute = (OPERATIONS_MINUTE, limits.operations_per_minute);
        let day = (OPERATIONS_DAY, limits.operations_per_day);
        let mut policies = self.policies(domain, account_id, minute, day).await?.to_vec();
        if exposed == ExposedLimits::Fresh {
            let fresh = self.fresh_policies(domain, account_id, tier).await?;
            policies.extend(fresh.map(|policy| policy.with_cost(0)));
        }
        Ok(self.check(domain, account_id, &policies).await)
    }

    /// Charges one request of a feed app: to the limit of the key per minute and to the account's operations
    /// per day.
    ///
    /// # Errors
    /// `rate_limited`, `daily_limit_reached`, `plan_required`; `Unavailable` if the database cannot return
    /// the day's usage so far.
    #[boxed]
    pub async fn charge_app(
        &self,
        domain: &Domain,
        account_id: AccountId,
        tier: Tier,
        key_id: KeyId,
    ) -> Result<()> {
        let (name, minute) = (format!("apps:{key_id}"), [RatePolicy::sliding(APPS_MINUTE, APPS_QUOTA, 60)]);
        let charged = self.windows.check(&name, &minute, domain.now()).await;
        if let Some(refusal) = refusal(&charged) {
            return Err(refusal);
        }
        let initial = self.days.used(domain.db(), account_id, OPERATIONS_DAY, day_of(domain.now())).await?;
        let day = RatePolicy::day(OPERATIONS_DAY, self.of(tier).operations_per_day, initial);
        let decision = self.check(domain, account_id, &[day]).await;
        if let Some(refusal) = refusal(&decision) {
            self.windows.refund(&name, &minute, &charged).await;
            return Err(refusal);
        }
        Ok(())
    }

    /// Charges one page or form of a signed-in user. It counts towards the operations per minute, but not per
    /// day.
    #[boxed]
    pub async fn charge_page(&self, domain: &Domain, account_id: AccountId, tier: Tier) -> LimitDecision {
        let minute = RatePolicy::sliding(OPERATIONS_MINUTE, self.of(tier).operations_per_minute, 60);
        self.windows.check(&key(account_id), &[minute], domain.now()).await
    }

    /// Returns the states of the account's limits for operations and fresh extractions, without charging
    /// anything.
    ///
    /// # Errors
    /// `Unavailable` if the database cannot return the day's usage so far.
    #[boxed]
    pub async fn states(&self, domain: &Domain, account_id: AccountId, tier: Tier) -> Result<Vec<RateState>> {
        let limits = self.of(tier);
        let minute = (OPERATIONS_MINUTE, limits.operations_per_minute);
        let day = (OPERATIONS_DAY, limits.operations_per_day);
        let mut policies = self.policies(domain, account_id, minute, day).await?.to_vec();
        policies.extend(self.fresh_policies(domain, account_id, tier).await?);
        let policies: Vec<RatePolicy> = policies.into_iter().map(|policy| policy.with_cost(0)).collect();
        Ok(self.check(domain, account_id, &policies).await.states)
    }

    /// Charges one fresh extraction before its download.
    ///
    /// # Errors
    /// `fresh_extraction_limit` if the quota of the minute or day is used up; `plan_required` if the plan
    /// includes no fresh extractions; `Unavailable` if the database cannot return the day's usage so far.
    #[boxed]
    pub async fn reserve_extraction(
        &self,
        domain: &Domain,
        account_id: AccountId,
        tier: Tier,
    ) -> Result<Reservation> {
        self.reserve_extractions(domain, (account_id, tier), 1).await
    }

    /// Charges several fresh extractions at once, for a download that costs more than others.
    ///
    /// # Errors
    /// Same as for [`Limits::reserve_extraction`].
    #[boxed]
    pub async fn reserve_extractions(
        &self,
        domain: &Domain,
        (account_id, tier): (AccountId, Tier),
        count: u32,
    ) -> Result<Reservation> {
        let policies = self.fresh_policies(domain, account_id, tier).await?;
        let policies = policies.map(|policy| policy.with_cost(count));
        let decision = self.check(domain, account_id, &policies).await;
        if let Some(refusal) = refusal(&decision) {
            return Err(refusal);
        }
        Ok(Reservation { key: key(account_id), policies, decision })
    }

    /// Charges one fresh extraction of a background job. Such extractions get at most half of the day's quota
    /// and are not charged to the quota of the minute, which is reserved for interactive requests.
    ///
    /// # Errors
    /// Same as for [`Limits::reserve_extraction`].
    #[boxed]
    pub async fn reserve_background_extraction(
        &self,
        domain: &Domain,
        account_id: AccountId,
        tier: Tier,
    ) -> Result<Reservation> {
        self.reserve_background_extractions(domain, (account_id, tier), 1).await
    }

    /// Charges several fresh extractions of a background job, for a download that costs more than others.
    ///
    /// # Errors
    /// Same as for [`Limits::reserve_extraction`].
    #[boxed]
    pub async fn reserve_background_extractions(
        &self,
        domain: &Domain,
        (account_id, tier): (AccountId, Tier),
        count: u32,
    ) -> Result<Reservation> {
        let policies = self.background_policies(domain, account_id, tier).await?;
        let policies = policies.map(|policy| policy.with_cost(count));
        let decision = self.check(domain, account_id, &policies).await;
        if let Some(refusal) = refusal(&decision) {
            return Err(refusal);
        }
        Ok(Reservation { key: key(account_id), policies, decision })
    }

    /// Returns the number of fresh extractions that background jobs of the account may still use today.
    ///
    /// # Errors
    /// `Unavailable` if the database cannot return the day's usage so far.
    #[boxed]
    pub async fn background_extractions_left(
        &self,
        domain: &Domain,
        account_id: AccountId,
        tier: Tier,
    ) -> Result<u32> {
        let policies = self.background_policies(domain, account_id, tier).await?;
        let policies = policies.map(|policy| policy.with_cost(0));
        let states = self.check(domain, account_id, &policies).await.states;
        Ok(states.iter().map(|state| state.quota.saturating_sub(state.used)).min().unwrap_or(0))
    }

    /// Refunds fresh extractions whose [`Reservation`] no longer exists. Only the quotas of their day are refunded,
    /// because a charge leaves the sliding minute soon anyway.
    #[boxed]
    pub async fn refund_past_charge(&self, account_id: AccountId, charge: PastCharge) {
        let quota = |name| RatePolicy::day(name, 0, 0).with_cost(charge.count);
        let mut quotas = vec![quota(FRESH_DAY)];
        if charge.is_background {
            quotas.push(quota(BACKGROUND_DAY));
        }
        self.windows.refund_day(&key(account_id), &quotas, charge.charged_at).await;
    }

    async fn background_policies(
        &self,
        domain: &Domain,
        account_id: AccountId,
        tier: Tier,
    ) -> Result<[RatePolicy; 2]> {
        let (today, quota) = (day_of(domain.now()), self.of(tier).fresh_extractions_per_day);
        let texts = self.days.used(domain.db(), account_id, BACKGROUND_DAY, today).await?;
        let all = self.days.used(domain.db(), account_id, FRESH_DAY, today).await?;
        Ok([RatePolicy::day(BACKGROUND_DAY, quota / 2, texts), RatePolicy::day(FRESH_DAY, quota, all)])
    }

    async fn fresh_policies(
        &self,
        domain: &Domain,
        account_id: AccountId,
        tier: Tier,
    ) -> Result<[RatePolicy; 2]> {
        let limits = self.of(tier);
        let minute = (FRESH_MINUTE, limits.fresh_extractions_per_minute);
        self.policies(domain, account_id, minute, (FRESH_DAY, limits.fresh_extractions_per_day)).await
    }

    async fn policies(
        &self,
        domain: &Domain,
        account_id: AccountId,
        minute: (&'static str, u32),
        day: (&'static str, u32),
    ) -> Result<[RatePolicy; 2]> {
        let initial = self.days.used(domain.db(), account_id, day.0, day_of(domain.now())).await?;
        Ok([RatePolicy::sliding(minute.0, minute.1, 60), RatePolicy::day(day.0, day.1, initial)])
    }

    async fn check(&self, domain: &Domain, account_id: AccountId, policies: &[RatePolicy]) -> LimitDecision {
        let now = domain.now();
        let decision = self.windows.check(&key(account_id), policies, now).await;
        for (policy, state) in policies.iter().zip(&decision.states) {
            if decision.allowed && policy.cost > 0 && matches!(policy.span, Span::Day { .. }) {
                self.days.reserve(domain.db(), account_id, state, day_of(now)).await;
            }
        }
        decision
    }
}

/// Error for a decision that refused the request; `None` if the decision allowed it.
pub fn refusal(decision: &LimitDecision) -> Option<Error> {
    let worst = decision.states.iter().filter(|state| state.violated).max_by_key(|state| state.reset_s)?;
    let used = Used { limit: worst.quota.into(), used: worst.used.into(), policy: Some(worst.name) };
    if worst.quota == 0 {
        return Some(
            Error::new(Code::PlanRequired, "This account's plan does not include this operation.")
                .limit(used),
        );
    }
    let (code, message) = match worst.name {
        FRESH_MINUTE => {
            (Code::FreshExtractionLimit, "Too many fresh extractions for this account in one minute.")
        }
        FRESH_DAY | BACKGROUND_DAY => {
            (Code::FreshExtractionLimit, "This account's daily limit for fresh extractions is used up.")
        }
        OPERATIONS_DAY => (Code::DailyLimitReached, "This account's daily limit for operations is used up."),
        _ => (Code::RateLimited, "Too many operations in one minute."),
    };
    Some(Error::new(code, message).retry_after(decision.retry_after()).limit(used))
}

/// Counter key of an account. All policies of an account share one key.
fn key(account_id: AccountId) -> String {
    format!("account:{account_id}")
}
