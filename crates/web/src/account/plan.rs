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

use crate::language::formats;
use crate::language::text::Text;
use crate::page::form::FormToken;
use crate::page::parts::{settings_tabs, settings_title, success, time, with_thousands_separators};
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
        h1 { (Text("settings-plan")) }
        @if is_first { (success(&Text("plan-first"))) p { a.button href="/welcome" { (Text("plan-begin")) } } }
        p { (Text("plan-yours").markup(&[("plan", html! { strong { (tier) } }), ("path", html! { code { "GET /v1/me" } })])) }
        (own_quotas(&user.account, app.domain.policy().tiers.of(tier)))
        h2 { (Text("plan-requests")) }
        @for (name, label) in RATES { (rate(&states, name, label, now)) }
        h2 { (Text("plan-quotas")) }
        (counts(&capabilities.limits, active, now))
        h2 #plans { (Text("plan-plans")) }
        (plans(app, tier))
        p.soft { (Text("plan-differ").markup(&[("command", html! { code { "carrel account set-tier " (user.account.email) " premium" } })])) }
    };
    Ok(request.respond(StatusCode::OK, &settings_title(&[Text("settings-plan")]), &content))
}

const RATES: [(&str, Text); 4] = [
    (OPERATIONS_MINUTE, Text("plan-operations-last-minute")),
    (OPERATIONS_DAY, Text("plan-operations-today")),
    (FRESH_MINUTE, Text("plan-fresh-last-minute")),
    (FRESH_DAY, Text("plan-fresh-today")),
];

fn rate(states: &[RateState], name: &str, label: Text, now: Millis) -> Markup {
    let Some(state) = states.iter().find(|state| state.name == name) else { return html! {} };
    let until = now + Millis::from(state.reset_s) * 1000;
    let note = Text("plan-resets").markup(&[("time", time(until, now))]);
    bar(label, state.used.into(), state.quota.into(), &note)
}

/// Renders the quotas that the operator set for the account, with the limits of the plan that they replace.
fn own_quotas(account: &Account, plan: &TierLimits) -> Markup {
    let quotas = &account.quotas;
    let count = |label, own: Option<u32>, of_plan: u32| {
        let number = |limit: u32| with_thousands_separators(limit.into());
        own.map(|own| (label, number(own), number(of_plan)))
    };
    let storage =
        |own: u64| (Text("nav-library"), storage_text(own), storage_text(plan.library_storage_bytes));
    let rows = [
        count(Text("plan-feeds"), quotas.rss_subscriptions, plan.rss_subscriptions),
        count(Text("nav-monitors"), quotas.web_monitors, plan.web_monitors),
        count(
            Text("plan-credits-per-month"),
            quotas.web_monitor_monthly_credits,
            plan.web_monitor_monthly_credits,
        ),
        quotas.library_storage_bytes.map(storage),
    ];
    html! {
        @if !quotas.is_empty() {
            p { (Text("plan-own-quotas")) }
            ul { @for (label, own, of_plan) in rows.into_iter().flatten() {
                li { (label) ": " strong { (own) } span.soft { ", " (Text("plan-in-plan").with("limit", of_plan)) } }
            } }
        }
    }
}

fn counts(limits: &CapabilityLimits, keys: u64, now: Millis) -> Markup {
    let stays = html! { (Text("plan-until-deleted")) };
    let month = identity::credits::next_month(now);
    let interval = limits.web_monitor_minimum_interval_minutes;
    html! {
        (bar(Text("keys"), keys, limits.active_api_keys, &stays))
        (bar(Text("plan-feeds"), limits.rss_subscriptions_used, limits.rss_subscriptions, &stays))
        (bar(Text("plan-collections"), limits.rss_collections_used, limits.rss_collections, &stays))
        (bar(Text("plan-consumers"), limits.feed_consumers_used, limits.feed_consumers, &stays))
        (bar(Text("nav-monitors"), limits.web_monitors_used, limits.web_monitors, &stays))
        (bar(Text("plan-credits-this-month"), limits.web_monitor_monthly_credits_used, limits.web_monitor_monthly_credits,
            &Text("plan-credits-reset").markup(&[("time", time(month, now))])))
        (library(limits, &stays))
        p.soft { (Text("plan-clock").with("often", every(interval)).markup(&[("now", html! { time datetime=(rfc3339(now)) title=(rfc3339(now)) { (clock(now)) } })])) }
    }
}

fn library(limits: &CapabilityLimits, note: &Markup) -> Markup {
    let (used, limit) = (limits.library_storage_used_bytes, limits.library_storage_bytes);
    let words = Text("plan-storage-used")
        .with("used", with_thousands_separators(used / 1_048_576))
        .with("most", storage_text(limit))
        .get();
    meter(Text("nav-library"), &words, (used, limit), note)
}

/// Renders the limits of all plans, side by side.
fn plans(app: &App, current: Tier) -> Markup {
    let limits = app.domain.limits();
    html! {
        div.scroll tabindex="0" role="region" aria-label=(Text("plan-plans")) {
            table {
                thead { tr {
                    th scope="col" { (Text("plan-limit")) }
                    @for tier in Tier::ALL { th scope="col" { (tier) @if tier == current { " " (Text("plan-own")) } } }
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
type PlanRow = (Text, fn(&TierLimits) -> String);

const PLAN_ROWS: [PlanRow; 12] = [
    (Text("keys"), |plan| with_thousands_separators(plan.active_api_keys.into())),
    (Text("plan-feeds"), |plan| with_thousands_separators(plan.rss_subscriptions.into())),
    (Text("plan-collections"), |plan| with_thousands_separators(plan.rss_collections.into())),
    (Text("plan-consumers"), |plan| with_thousands_separators(plan.feed_consumers.into())),
    (Text("nav-monitors"), |plan| with_thousands_separators(plan.web_monitors.into())),
    (Text("plan-monitor-interval"), |plan| every(plan.web_monitor_minimum_interval_minutes.into())),
    (Text("plan-credits-per-month"), |plan| {
        with_thousands_separators(plan.web_monitor_monthly_credits.into())
    }),
    (Text("nav-library"), |plan| storage_text(plan.library_storage_bytes)),
    (Text("plan-operations-per-minute"), |plan| with_thousands_separators(plan.operations_per_minute.into())),
    (Text("plan-operations-per-day"), |plan| with_thousands_separators(plan.operations_per_day.into())),
    (Text("plan-fresh-per-minute"), |plan| {
        with_thousands_separators(plan.fresh_extractions_per_minute.into())
    }),
    (Text("plan-fresh-per-day"), |plan| with_thousands_separators(plan.fresh_extractions_per_day.into())),
];

/// Renders the usage of a limit as a bar and as text.
fn bar(label: Text, used: u64, limit: u64, note: &Markup) -> Markup {
    let words = Text("plan-used")
        .with("count", with_thousands_separators(used))
        .with("most", with_thousands_separators(limit))
        .get();
    meter(label, &words, (used, limit), note)
}

/// Renders the usage of a limit as a bar with its text.
fn meter(label: Text, words: &str, (used, limit): (u64, u64), note: &Markup) -> Markup {
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
        1440 => Text("plan-daily").get(),
        60 => Text("plan-hourly").get(),
        minutes => Text("plan-every").with("count", minutes).get(),
    }
}

/// Formats a date and time.
fn clock(now: Millis) -> String {
    let time = chrono::DateTime::<chrono::Utc>::from_timestamp_millis(now).unwrap_or_default();
    format!("{}, {}", formats::day(time.date_naive()), time.format("%H:%M"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn meter_of_the_largest_limit_is_rendered() {
        for (limit, max, high) in
            [(0, "1", "0"), (3, "3", "2"), (u64::MAX, "18446744073709551615", "16602069666338596453")]
        {
            let meter = meter(Text("nav-library"), "", (u64::MAX, limit), &html! {}).into_string();
            assert!(meter.contains(&format!("max=\"{max}\" value=\"{max}\" high=\"{high}\"")), "{meter}");
        }
    }
}
