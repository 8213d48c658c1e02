//! Whether a plan has room for one more of something that it counts.

use kernel::code::Code;
use kernel::error::{Error, Result, Used};

/// Refuses to make one more of something that the plan counts. Nothing is taken away after a downgrade;
/// only more of it is refused.
///
/// # Errors
/// `limit_reached`, or `plan_required` when the plan has none of it at all.
pub fn require_room(what: &str, limit: u64, used: u64) -> Result<()> {
    if used < limit {
        return Ok(());
    }
    let (code, message) = if limit == 0 {
        (Code::PlanRequired, format!("This account's plan has no {what}."))
    } else {
        (Code::LimitReached, format!("This account's plan has room for {limit} {what}, and all are in use."))
    };
    Err(Error::new(code, message).limit(Used { limit, used, policy: None }))
}
