//! The rates of an account: operations and fresh extractions, in a sliding minute and in a UTC day.

use super::counters::{Limits, Reservation};
use super::window::{Decision, RatePolicy, RateState, Span, day_of};
use entities::ids::{AccountId, KeyId};
use kernel::code::Code;
use kernel::error::{Error, Result, Used};
use kernel::handle::Domain;
use kernel::tiers::Tier;

/// Policy name of operations in 60 seconds.
pub const OPERATIONS_MINUTE: &str = "minute";
/// Policy name of operations in a UTC day.
pub const OPERATIONS_DAY: &str = "day";
/// Policy name of downloads in 60 seconds.
pub const FRESH_MINUTE: &str = "fresh-minute";
/// Policy name of downloads in a UTC day.
pub const FRESH_DAY: &str = "fresh-day";
/// Policy name of what a feed app asks in 60 seconds.
const APPS_MINUTE: &str = "apps";
/// What a feed app may ask in 60 seconds with one key: its first synchronization is many small questions.
const APPS_QUOTA: u32 = 300;
/// Policy name of the texts behind entries of feeds in a UTC day, which are downloads too.
const FEED_TEXTS_DAY: &str = "feed-texts";

/// Which limits an operation shows beside its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    /// None.
    Operations,
    /// Those of fresh extractions: the operation may need one.
    Fresh,
}

impl Limits {
    /// Charges one operation. The decision says where the account stands, whether it was allowed or not;
    /// with [`Shown::Fresh`] also where it stands with fresh extractions.
    ///
    /// # Errors
    /// `Unavailable` when the database cannot tell what the day has used so far.
    pub async fn charge_operation(
        &self,
        domain: &Domain,
        account_id: AccountId,
        tier: Tier,
        shown: Shown,
    ) -> Result<Decision> {
        let limits = self.of(tier);
        let minute = (OPERATIONS_MINUTE, limits.operations_per_minute);
        let day = (OPERATIONS_DAY, limits.operations_per_day);
        let mut policies = self.policies(domain, account_id, minute, day).await?.to_vec();
        if shown == Shown::Fresh {
            let fresh = self.fresh_policies(domain, account_id, tier).await?;
            policies.extend(fresh.map(|policy| policy.costing(0)));
        }
        Ok(self.check(domain, account_id, &policies).await)
    }

    /// Charges one request of a feed app: it counts for the key in the minute, and among the account's operations of the day.
    ///
    /// # Errors
    /// `rate_limited`, `daily_limit_reached`, `plan_required`; `Unavailable` when the database cannot tell what the day has
    /// used so far.
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
        let known = self.days.known(domain.db(), account_id, OPERATIONS_DAY, day_of(domain.now())).await?;
        let day = RatePolicy::day(OPERATIONS_DAY, self.of(tier).operations_per_day, known);
        let decision = self.check(domain, account_id, &[day]).await;
        if let Some(refusal) = refusal(&decision) {
            self.windows.refund(&name, &minute, &charged).await;
            return Err(refusal);
        }
        Ok(())
    }

    /// Charges one page or form of a signed-in person: it counts among the operations of the minute, and not among
    /// those of the day.
    pub async fn charge_page(&self, domain: &Domain, account_id: AccountId, tier: Tier) -> Decision {
        let minute = RatePolicy::sliding(OPERATIONS_MINUTE, self.of(tier).operations_per_minute, 60);
        self.windows.check(&key(account_id), &[minute], domain.now()).await
    }

    /// Where the account stands with operations and fresh extractions, without charging anything.
    ///
    /// # Errors
    /// `Unavailable` when the database cannot tell what the day has used so far.
    pub async fn states(&self, domain: &Domain, account_id: AccountId, tier: Tier) -> Result<Vec<RateState>> {
        let limits = self.of(tier);
        let minute = (OPERATIONS_MINUTE, limits.operations_per_minute);
        let day = (OPERATIONS_DAY, limits.operations_per_day);
        let mut policies = self.policies(domain, account_id, minute, day).await?.to_vec();
        policies.extend(self.fresh_policies(domain, account_id, tier).await?);
        let policies: Vec<RatePolicy> = policies.into_iter().map(|policy| policy.costing(0)).collect();
        Ok(self.check(domain, account_id, &policies).await.states)
    }

    /// Charges one fresh extraction ahead of its download.
    ///
    /// # Errors
    /// `fresh_extraction_limit` when the minute's or the day's quota is used up, `plan_required` when
    /// the plan has none; `Unavailable` when the database cannot tell what the day has used so far.
    pub async fn reserve_extraction(
        &self,
        domain: &Domain,
        account_id: AccountId,
        tier: Tier,
    ) -> Result<Reservation> {
        let policies = self.fresh_policies(domain, account_id, tier).await?;
        let decision = self.check(domain, account_id, &policies).await;
        if let Some(refusal) = refusal(&decision) {
            return Err(refusal);
        }
        Ok(Reservation { key: key(account_id), policies, decision })
    }

    /// Charges one fresh extraction that nobody waits for: half of the day's are free for those at most, and the
    /// minute's are left to whoever asks.
    ///
    /// # Errors
    /// As for [`Limits::reserve_extraction`].
    pub async fn reserve_feed_text(
        &self,
        domain: &Domain,
        account_id: AccountId,
        tier: Tier,
    ) -> Result<Reservation> {
        let policies = self.feed_text_policies(domain, account_id, tier).await?;
        let decision = self.check(domain, account_id, &policies).await;
        if let Some(refusal) = refusal(&decision) {
            return Err(refusal);
        }
        Ok(Reservation { key: key(account_id), policies, decision })
    }

    /// How many texts behind entries an account may still have today.
    ///
    /// # Errors
    /// `Unavailable` when the database cannot tell what the day has used so far.
    pub async fn feed_texts_left(&self, domain: &Domain, account_id: AccountId, tier: Tier) -> Result<u32> {
        let policies = self.feed_text_policies(domain, account_id, tier).await?;
        let policies = policies.map(|policy| policy.costing(0));
        let states = self.check(domain, account_id, &policies).await.states;
        Ok(states.iter().map(|state| state.quota.saturating_sub(state.used)).min().unwrap_or(0))
    }

    async fn feed_text_policies(
        &self,
        domain: &Domain,
        account_id: AccountId,
        tier: Tier,
    ) -> Result<[RatePolicy; 2]> {
        let (today, quota) = (day_of(domain.now()), self.of(tier).fresh_extractions_per_day);
        let texts = self.days.known(domain.db(), account_id, FEED_TEXTS_DAY, today).await?;
        let all = self.days.known(domain.db(), account_id, FRESH_DAY, today).await?;
        Ok([RatePolicy::day(FEED_TEXTS_DAY, quota / 2, texts), RatePolicy::day(FRESH_DAY, quota, all)])
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
        let known = self.days.known(domain.db(), account_id, day.0, day_of(domain.now())).await?;
        Ok([RatePolicy::sliding(minute.0, minute.1, 60), RatePolicy::day(day.0, day.1, known)])
    }

    async fn check(&self, domain: &Domain, account_id: AccountId, policies: &[RatePolicy]) -> Decision {
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

/// The error of a decision that refused; `None` when it allowed.
pub fn refusal(decision: &Decision) -> Option<Error> {
    let worst = decision.states.iter().filter(|state| state.violated).max_by_key(|state| state.reset_s)?;
    let used = Used { limit: worst.quota.into(), used: worst.used.into(), policy: Some(worst.name) };
    if worst.quota == 0 {
        return Some(
            Error::new(Code::PlanRequired, "This account's plan does not include this operation.")
                .limit(used),
        );
    }
    let (code, message) = match worst.name {
        FRESH_MINUTE => (
            Code::FreshExtractionLimit,
            "Too many new sources were downloaded for this account in one minute.",
        ),
        FRESH_DAY | FEED_TEXTS_DAY => (
            Code::FreshExtractionLimit,
            "The new sources that this account's plan has for one day are used up.",
        ),
        OPERATIONS_DAY => {
            (Code::DailyLimitReached, "The operations that this account's plan has for one day are used up.")
        }
        _ => (Code::RateLimited, "Too many operations in one minute."),
    };
    Some(Error::new(code, message).retry_after(decision.retry_after()).limit(used))
}

/// The counters of an account. All policies of one account stand under one key.
fn key(account_id: AccountId) -> String {
    format!("account:{account_id}")
}
