//! `account`: the plan, its limits, the remaining amounts, and the tool calls of the connection.

use http_kit::http::fault::Fault;
use http_kit::http::params::Time;
use identity::agents::{self, ConnectionName};
use kernel::clock::DAY;
use poem_openapi::types::ParseFromParameter;
use serde_json::{Value, json};

use super::arguments::Arguments;
use super::charges::Calls;
use super::page::{TaskResult, clipped, counted, moment};
use crate::session::Refusal;

/// Limits in the text: a name, the member with the limit, and the member with the usage.
const LIMITS: [(&str, &str, &str); 5] = [
    ("followed feeds", "rssSubscriptions", "rssSubscriptionsUsed"),
    ("collections", "rssCollections", "rssCollectionsUsed"),
    ("watched pages", "webMonitors", "webMonitorsUsed"),
    ("monitor credits this month", "webMonitorMonthlyCredits", "webMonitorMonthlyCreditsUsed"),
    ("bytes in the library", "libraryStorageBytes", "libraryStorageUsedBytes"),
];
/// Maximum number of calls of a day that are listed, newest first.
const LISTED_CALLS: usize = 60;
/// Maximum length of the tool and the object of a listed call, in characters.
const CALL_CHARS: usize = 100;

/// Shows the plan and its limits, or the tool calls of a day.
///
/// # Errors
/// A fault if the day is invalid, or the error response of the operation.
pub(super) async fn run(calls: &mut Calls<'_>, arguments: &Arguments) -> Result<TaskResult, Refusal> {
    if let Some(day) = arguments.text("day") {
        return activity(calls, day.trim()).await;
    }
    let answer = calls.get("/v1/me").await?;
    let limits = &answer["limits"];
    let mut page =
        TaskResult::new(format!("Plan: {}.", answer["tier"].as_str().unwrap_or_default()), answer.clone());
    for (name, limit, used) in LIMITS {
        let (limit, used) = (&limits[limit], &limits[used]);
        let left = match (limit.as_u64(), used.as_u64()) {
            (Some(limit), Some(used)) => format!(", {} left", limit.saturating_sub(used)),
            _ => String::new(),
        };
        page.say(format!("- {name}: {used} of {limit} used{left}"));
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

/// Tool calls of the connection on a UTC day.
async fn activity(calls: &mut Calls<'_>, day: &str) -> Result<TaskResult, Refusal> {
    let begin =
        day.get(..10).filter(|text| *text == day).and_then(|day| Time::parse_from_parameter(day).ok());
    let Some(Time(begin)) = begin else {
        return Err(Fault::new("must be a day, such as 2026-05-01").under("day").into());
    };
    calls.charge_alone(kernel::Scope::Read).await?;
    let session = calls.session();
    let (domain, account_id) = (&session.app.domain, session.caller.account_id);
    let mut known = match ConnectionName::of(&session.caller) {
        Some(name) => {
            let limit = u64::try_from(LISTED_CALLS).unwrap_or(u64::MAX).saturating_add(1);
            agents::calls_between(domain, account_id, &name, begin..begin + DAY, limit).await?
        }
        None => Vec::new(),
    };
    let is_cut = known.len() > LISTED_CALLS;
    known.truncate(LISTED_CALLS);
    let most = if is_cut { ", the last ones of the day" } else { "" };
    let first = format!("{} on {day}{most}, newest first.", counted(known.len(), "tool call"));
    let mut page = TaskResult::new(first, json!({}));
    let mut results = Vec::new();
    for call in &known {
        let at = Value::from(kernel::rfc3339(call.called_at));
        let outcome = call.error.as_deref().unwrap_or("done");
        let words = clipped(&format!("{} {}", call.tool, call.target), CALL_CHARS);
        page.quote(format!("- {} {words} ({outcome})", moment(&at)));
        results.push(json!({ "at": at, "tool": call.tool, "on": call.target, "outcome": outcome }));
    }
    page.data["results"] = results.into();
    Ok(page)
}
