//! Check of a limit on the number of objects, which the plan or a quota of the account sets.

use kernel::{Code, Error, Result, Used};

/// Checks that an account may create another object of a limited kind. If the limit is lowered, existing objects remain
/// and only new ones are refused.
///
/// # Errors
/// `limit_reached`, or `plan_required` if the limit is 0.
pub fn check_plan_limit(what: &str, limit: u64, used: u64) -> Result<()> {
    if used < limit {
        return Ok(());
    }
    let (code, message) = if limit == 0 {
        (Code::PlanRequired, format!("This account may have no {what}."))
    } else {
        (Code::LimitReached, format!("This account may have at most {limit} {what}, and all are in use."))
    };
    Err(Error::new(code, message).limit(Used { limit, used, policy: None }))
}
