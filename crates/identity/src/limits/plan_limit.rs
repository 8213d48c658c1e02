//! Check of a counted plan limit.

use kernel::{Code, Error, Result, Used};

/// Checks that an account may create another object of a kind that the plan limits. Existing objects are not
/// removed after a downgrade; only new ones are refused.
///
/// # Errors
/// `limit_reached`, or `plan_required` if the plan includes none.
pub fn check_plan_limit(what: &str, limit: u64, used: u64) -> Result<()> {
    if used < limit {
        return Ok(());
    }
    let (code, message) = if limit == 0 {
        (Code::PlanRequired, format!("This account's plan does not include {what}."))
    } else {
        (Code::LimitReached, format!("This account's plan allows {limit} {what}, and all are in use."))
    };
    Err(Error::new(code, message).limit(Used { limit, used, policy: None }))
}
