//! Daily budget of requests to the language model, which the plan sets.

use entities::ids::AccountId;
use identity::accounts;
use identity::limits::AccountLimits;
use identity::limits::window::RatePolicy;
use kernel::{Code, Domain, Error, Result};

/// Counts a request to the model against the plan of an account.
///
/// # Errors
/// `plan_required` if the plan includes no requests; `rate_limited` if those of the day are used up.
pub(crate) async fn charge(domain: &Domain, account_id: AccountId) -> Result<()> {
    let account = accounts::get(domain, account_id).await?;
    let quota = domain.policy().tiers.of(account.tier).model_requests_per_day;
    if quota == 0 {
        let message = "This account's plan does not include the language model.";
        return Err(Error::new(Code::PlanRequired, message));
    }
    let policies = [RatePolicy::day("model-requests", quota, 0)];
    let key = format!("model-requests:{account_id}");
    let decision = domain.limits().windows().check(&key, &policies, domain.now()).await;
    if decision.allowed {
        return Ok(());
    }
    let message = "This account has used the requests to the language model that its plan allows in a day.";
    Err(Error::new(Code::RateLimited, message).retry_after(decision.retry_after()))
}
