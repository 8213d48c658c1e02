//! `account`: the plan, its limits, and what is left of them.

use serde_json::Value;

use super::charges::Calls;
use super::page::Page;
use crate::session::Refusal;

/// Limits in the text: a name, the member with the limit, and the member with the usage.
const LIMITS: [(&str, &str, &str); 5] = [
    ("followed feeds", "rssSubscriptions", "rssSubscriptionsUsed"),
    ("collections", "rssCollections", "rssCollectionsUsed"),
    ("watched pages", "webMonitors", "webMonitorsUsed"),
    ("monitor credits this month", "webMonitorMonthlyCredits", "webMonitorMonthlyCreditsUsed"),
    ("bytes in the library", "libraryStorageBytes", "libraryStorageUsedBytes"),
];

/// Shows the plan and its limits.
///
/// # Errors
/// The error response of the operation.
pub(super) async fn run(calls: &mut Calls<'_>) -> Result<Page, Refusal> {
    let answer = calls.get("/v1/me").await?;
    let limits = &answer["limits"];
    let mut page =
        Page::new(format!("Plan: {}.", answer["tier"].as_str().unwrap_or_default()), answer.clone());
    for (name, limit, used) in LIMITS {
        page.say(format!("- {name}: {} of {} used", limits[used], limits[limit]));
    }
    page.say(format!(
        "- calls: {} a minute, {} a day; fresh downloads of sources: {} a minute, {} a day",
        limits["operationsPerMinute"],
        limits["operationsPerDay"],
        limits["freshExtractionsPerMinute"],
        limits["freshExtractionsPerDay"]
    ));
    page.say(format!("- shortest interval of watched pages: {} minutes", minutes(limits)));
    Ok(page)
}

fn minutes(limits: &Value) -> u64 {
    limits["webMonitorMinimumIntervalMinutes"].as_u64().unwrap_or_default()
}
