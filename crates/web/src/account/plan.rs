//! Plan and usage: each limit of the account as a bar with its reset time.

use application::capabilities::CapabilityLimits;
use identity::accounts::Account;
use identity::limits::AccountLimits;
use identity::limits::window::RateState;
use identity::limits::{FRESH_DAY, FRESH_MINUTE, OPERATIONS_DAY, OPERATIONS_MINUTE};
use kernel::quotas::storage_text;
use kernel::tiers::{Tier, TierLimits};
use kernel::{Millis, rfc3339};
use maud::{Markup, html};
use poem::handler;
use poem::http::StatusCode;

use crate::page::form::FormToken;
use crate::page::parts::{settings_tabs, success, time, with_thousands_separators};
use crate::page::request::{PageRequest, PageResult, User};
use http_kit::app::App;

#[handler]
pub(super) async fn show(request: PageRequest, user: User) -> PageResult {
    let app = &request.app;
    let (id, tier) = (user.account.id, user.account.tier);
    let capabilities = application::capabilities::capabilities(&app.domain, id, tier).await?;
    let states = app.domain.limits().states(&app.domain, id, tier).await?;
    let keys = identity::keys::list(&app.domain, id).await?;
    let now = app.domain.now();
    let active = keys.iter().filter(|key| key.expires_at.is_none_or(|at| at > now)).count() as u64;
    let is_first = request.uri.query() == Some("first");
    let token = FormToken::of(&request);
    let content = html! {
        (settings_tabs("/settings/plan", &token))
        h1 { "Plan and usage" }
        @if is_first { (success("Yours is the first account of this installation, so it has the largest plan: pro.")) p { a.button href="/welcome" { "Get started" } } }
        p { "Your plan is " strong { (tier) } ". These numbers are also in " code { "GET /v1/me" } " and in the headers of every response." }
        (own_quotas(&user.account, app.domain.policy().tiers.of(tier)))
        h2 { "Requests" }
        @for (name, label) in RATES { (rate(&states, name, label, now)) }
        h2 { "Quotas" }
        (counts(&capabilities.limits, active, now))
        h2 #plans { "Plans" }
        (plans(app, tier))
        p.soft { "Plans differ only in these limits. The operator of this service can change your plan with "
            code { "carrel account set-tier " (user.account.email) " premium" } "." }
    };
    Ok(request.respond(StatusCode::OK, "Plan and usage · Settings", &content))
}

const RATES: [(&str, &str); 4] = [
    (OPERATIONS_MINUTE, "Operations in the last minute"),
    (OPERATIONS_DAY, "Operations today"),
    (FRESH_MINUTE, "Fresh extractions in the last minute"),
    (FRESH_DAY, "Fresh extractions today"),
];

fn rate(states: &[RateState], name: &str, label: &str, now: Millis) -> Markup {
    let Some(state) = states.iter().find(|state| state.name == name) else { return html! {} };
    let until = now + Millis::from(state.reset_s) * 1000;
    let note = html! { "more " (time(until, now)) };
    bar(label, state.used.into(), state.quota.into(), &note)
}

/// Renders the quotas that the operator set for the account, with the limits of the plan that they replace.
fn own_quotas(account: &Account, plan: &TierLimits) -> Markup {
    let quotas = &account.quotas;
    let count = |label, own: Option<u32>, of_plan: u32| {
        let number = |limit: u32| with_thousands_separators(limit.into());
        own.map(|own| (label, number(own), number(of_plan)))
    };
    let storage = |own: u64| ("Library", storage_text(own), storage_text(plan.library_storage_bytes));
    let rows = [
        count("Feeds", quotas.rss_subscriptions, plan.rss_subscriptions),
        count("Monitors", quotas.web_monitors, plan.web_monitors),
        count(
            "Monitor credits per month",
            quotas.web_monitor_monthly_credits,
            plan.web_monitor_monthly_credits,
        ),
        quotas.library_storage_bytes.map(storage),
    ];
    html! {
        @if !quotas.is_empty() {
            p { "The operator of this service set these limits for your account instead of those of your plan:" }
            ul { @for (label, own, of_plan) in rows.into_iter().flatten() {
                li { (label) ": " strong { (own) } span.soft { ", in the plan " (of_plan) } }
            } }
        }
    }
}

fn counts(limits: &CapabilityLimits, keys: u64, now: Millis) -> Markup {
    let stays = html! { "until you delete some" };
    let month = identity::credits::next_month(now);
    let interval = limits.web_monitor_minimum_interval_minutes;
    html! {
        (bar("API keys", keys, limits.active_api_keys, &stays))
        (bar("Feeds", limits.rss_subscriptions_used, limits.rss_subscriptions, &stays))
        (bar("Feed collections", limits.rss_collections_used, limits.rss_collections, &stays))
        (bar("Feed consumers", limits.feed_consumers_used, limits.feed_consumers, &stays))
        (bar("Monitors", limits.web_monitors_used, limits.web_monitors, &stays))
        (bar("Monitor credits this month", limits.web_monitor_monthly_credits_used, limits.web_monitor_monthly_credits,
            &html! { "reset " (time(month, now)) }))
        (library(limits, &stays))
        p.soft { "A monitor runs at most " (every(interval)) ". Days and months are in UTC, where it is now " time datetime=(rfc3339(now)) title=(rfc3339(now)) { (clock(now)) } "." }
    }
}

fn library(limits: &CapabilityLimits, note: &Markup) -> Markup {
    let (used, limit) = (limits.library_storage_used_bytes, limits.library_storage_bytes);
    let words = format!("{} MiB of {}", with_thousands_separators(used / 1_048_576), storage_text(limit));
    meter("Library", &words, (used, limit), note)
}

/// Renders the limits of all plans, side by side.
fn plans(app: &App, current: Tier) -> Markup {
    let limits = app.domain.limits();
    html! {
        div.scroll tabindex="0" role="region" aria-label="Plans" {
            table {
                thead { tr {
                    th scope="col" { "Limit" }
                    @for tier in Tier::ALL { th scope="col" { (tier) @if tier == current { " (yours)" } } }
                } }
                tbody { @for (label, of) in PLAN_ROWS {
                    tr {
                        th scope="row" { (label) }
                        @for tier in Tier::ALL { td { (of(limits.of(tier))) } }
                    }
                } }
            }
        }
    }
}

/// Name of a limit, and the format of its value.
type PlanRow = (&'static str, fn(&TierLimits) -> String);

const PLAN_ROWS: [PlanRow; 12] = [
    ("API keys", |plan| with_thousands_separators(plan.active_api_keys.into())),
    ("Feeds", |plan| with_thousands_separators(plan.rss_subscriptions.into())),
    ("Feed collections", |plan| with_thousands_separators(plan.rss_collections.into())),
    ("Feed consumers", |plan| with_thousands_separators(plan.feed_consumers.into())),
    ("Monitors", |plan| with_thousands_separators(plan.web_monitors.into())),
    ("A monitor runs at most", |plan| every(plan.web_monitor_minimum_interval_minutes.into())),
    ("Monitor credits per month", |plan| with_thousands_separators(plan.web_monitor_monthly_credits.into())),
    ("Library", |plan| storage_text(plan.library_storage_bytes)),
    ("Operations per minute", |plan| with_thousands_separators(plan.operations_per_minute.into())),
    ("Operations per day", |plan| with_thousands_separators(plan.operations_per_day.into())),
    ("Fresh extractions per minute", |plan| {
        with_thousands_separators(plan.fresh_extractions_per_minute.into())
    }),
    ("Fresh extractions per day", |plan| with_thousands_separators(plan.fresh_extractions_per_day.into())),
];

/// Renders the usage of a limit as a bar and as text.
fn bar(label: &str, used: u64, limit: u64, note: &Markup) -> Markup {
    let words = format!("{} of {}", with_thousands_separators(used), with_thousands_separators(limit));
    meter(label, &words, (used, limit), note)
}

/// Renders the usage of a limit as a bar with its text.
fn meter(label: &str, words: &str, (used, limit): (u64, u64), note: &Markup) -> Markup {
    let most = limit.max(1);
    let note = if used == 0 {
        html! {}
    } else {
        html! { ", " (note) }
    };
    html! {
        div.meter {
            span { strong { (label) } " " span.soft { (words) (note) } }
            meter min="0" max=(most) value=(used.min(most)) high=(most - most.div_ceil(10)) aria-label=(label) { (words) }
        }
    }
}

/// Formats an interval: `every 15 minutes`.
fn every(minutes: u64) -> String {
    match minutes {
        1440 => "once a day".to_owned(),
        60 => "once an hour".to_owned(),
        minutes => format!("every {minutes} minutes"),
    }
}

/// Formats a date and time.
fn clock(now: Millis) -> String {
    let time = chrono::DateTime::<chrono::Utc>::from_timestamp_millis(now).unwrap_or_default();
    time.format("%-d %B %Y, %H:%M").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn meter_of_the_largest_limit_is_rendered() {
        for (limit, max, high) in
            [(0, "1", "0"), (3, "3", "2"), (u64::MAX, "18446744073709551615", "16602069666338596453")]
        {
            let meter = meter("Library", "", (u64::MAX, limit), &html! {}).into_string();
            assert!(meter.contains(&format!("max=\"{max}\" value=\"{max}\" high=\"{high}\"")), "{meter}");
        }
    }
}
