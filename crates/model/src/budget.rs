//! Daily budget of requests to the language model, which the plan sets.

use entities::ids::AccountId;
use identity::accounts;
use identity::limits::AccountLimits;
use identity::limits::window::{Charges, Counter, RatePolicy};
use jobs::Submitted;
use kernel::{Code, Domain, Error, Result};

/// Counts a request to the model against the plan of an account.
///
/// # Errors
/// `plan_required` if the plan includes no requests; `rate_limited` if the requests of the day are used up.
pub(crate) async fn charge(domain: &Domain, account_id: AccountId) -> Result<Charges> {
    charge_counter(domain, account_id, "model-requests").await
}

/// Counts a request that indexes items in the background. It has a separate counter with the same quota, so that
/// requests remain for the person.
///
/// # Errors
/// Returns the errors of [`charge`].
pub(crate) async fn charge_index(domain: &Domain, account_id: AccountId) -> Result<Charges> {
    charge_counter(domain, account_id, "model-index").await
}

async fn charge_counter(domain: &Domain, account_id: AccountId, name: &'static str) -> Result<Charges> {
    let account = accounts::get(domain, account_id).await?;
    let quota = domain.policy().tiers.of(account.tier).model_requests_per_day;
    if quota == 0 {
        let message = "This account's plan does not include the language model.";
        return Err(Error::new(Code::PlanRequired, message));
    }
    let policies = vec![RatePolicy::day(name, quota, 0)];
    let counter = Counter { key: format!("{name}:{account_id}"), policies };
    let charges = domain.limits().windows().check_each(vec![counter], domain.now()).await;
    let Some(refusal) = charges.refusal() else { return Ok(charges) };
    let message = "This account has used the requests to the language model that its plan allows in a day.";
    Err(Error::new(Code::RateLimited, message).retry_after(refusal.retry_after()))
}

/// Counts the request of a job that `submission` submits. If no job is submitted, the count is reverted.
///
/// # Errors
/// Returns the errors of [`charge`] and of the submission.
pub(crate) async fn charge_submission<T>(
    domain: &Domain,
    account_id: AccountId,
    submission: impl Future<Output = Result<(T, Option<Submitted>)>>,
) -> Result<(T, Option<Submitted>)> {
    let charges = charge(domain, account_id).await?;
    let submitted = submission.await;
    let has_job = submitted.as_ref().is_ok_and(|(_, job)| job.is_some());
    if !has_job {
        domain.limits().windows().refund_each(&charges).await;
    }
    submitted
}
