//! Tests of the plan table, and of accounts' rate limits across restarts and days.

use super::daily_usage::DailyUsage;
use super::window::{RateState, Windows};
use super::*;
use kernel::clock::DAY;
use kernel::testing::{TestDatabase, person};
use kernel::{Backend, Code};
use sea_orm::EntityTrait;

#[test]
fn built_in_plan_limits_match_the_specification() {
    let tiers = Tiers::default();
    let view = |tier| {
        let of: &TierLimits = tiers.of(tier);
        (of.active_api_keys, of.rss_subscriptions, of.rss_collections, of.web_monitors, of.operations_per_day)
    };
    assert_eq!(view(Tier::Free), (2, 50, 5, 3, 2000));
    assert_eq!(view(Tier::Premium), (10, 500, 50, 25, 20_000));
    assert_eq!(view(Tier::Pro), (50, 2500, 250, 150, 150_000));
    assert_eq!(tiers.of(Tier::Pro).library_storage_bytes, 107_374_182_400);
    assert_eq!(tiers.of(Tier::Free).fresh_extractions_per_minute, 10);
}

#[test]
fn tiers_file_overrides_only_the_limits_it_lists() {
    let tiers = Tiers::parse("[free]\nactive_api_keys = 7\n[pro]\nlibrary_storage_bytes = 5\n").unwrap();
    let expected = TierLimits { active_api_keys: 7, ..*Tiers::default().of(Tier::Free) };
    assert_eq!(tiers.of(Tier::Free), &expected);
    assert_eq!(tiers.of(Tier::Pro).library_storage_bytes, 5);
    assert_eq!(tiers.of(Tier::Premium), Tiers::default().of(Tier::Premium));
    assert_eq!(Tiers::parse("").unwrap(), Tiers::default());
}

#[test]
fn all_faults_of_a_tiers_file_are_reported() {
    let faults = Tiers::parse(
        "gold = 1\nfree = 2\n[pro]\nactive_api_keys = -1\nweb_monitors = \"many\"\ncolour = 3\n\
         web_monitor_minimum_interval_minutes = 0\noperations_per_day = 5000000000\n",
    )
    .unwrap_err();
    let names: Vec<&str> = faults.iter().filter_map(|fault| fault.split(':').next()).collect();
    assert_eq!(
        names,
        [
            "free",
            "gold",
            "pro.active_api_keys",
            "pro.colour",
            "pro.operations_per_day",
            "pro.web_monitor_minimum_interval_minutes",
            "pro.web_monitors"
        ]
    );
    assert_eq!(Tiers::parse("[free").unwrap_err().len(), 1);
}

#[test]
fn new_object_is_refused_if_the_plan_limit_is_reached_or_zero() {
    assert!(check_plan_limit("API keys", 2, 1).is_ok());
    assert_eq!(check_plan_limit("API keys", 2, 2).unwrap_err().code, Code::LimitReached);
    assert_eq!(check_plan_limit("API keys", 2, 9).unwrap_err().code, Code::LimitReached);
    assert_eq!(check_plan_limit("API keys", 0, 0).unwrap_err().code, Code::PlanRequired);
}

fn small() -> Tiers {
    Tiers::parse(
        "[free]\noperations_per_minute = 5\noperations_per_day = 8\n\
         fresh_extractions_per_minute = 1\nfresh_extractions_per_day = 2\n[premium]\noperations_per_day = 0\n",
    )
    .unwrap()
}

async fn minute_slides_and_day_resets_at_midnight(backend: Backend) {
    let test = TestDatabase::create(backend).await;
    let (domain, account_id) = (&test.domain, person(&test.domain, Tier::Free).await);
    let limits = Limits::new(std::sync::Arc::new(small()), Windows::memory());
    for left in (0..5).rev() {
        let decision =
            limits.charge_operation(domain, account_id, Tier::Free, ExposedLimits::Operations).await.unwrap();
        assert_eq!((decision.allowed, decision.states[0].remaining), (true, left));
    }
    let decision =
        limits.charge_operation(domain, account_id, Tier::Free, ExposedLimits::Operations).await.unwrap();
    let error = refusal(&decision).unwrap();
    assert_eq!((error.code, error.retry_after), (Code::RateLimited, Some(60)));
    test.clock.advance(60_000);
    for _ in 0..3 {
        assert!(
            limits
                .charge_operation(domain, account_id, Tier::Free, ExposedLimits::Operations)
                .await
                .unwrap()
                .allowed
        );
    }
    let decision =
        limits.charge_operation(domain, account_id, Tier::Free, ExposedLimits::Operations).await.unwrap();
    assert_eq!(refusal(&decision).unwrap().code, Code::DailyLimitReached);

    let restarted = Limits::new(std::sync::Arc::new(small()), Windows::memory());
    let after =
        restarted.charge_operation(domain, account_id, Tier::Free, ExposedLimits::Operations).await.unwrap();
    assert!(!after.allowed, "a restart does not reset the usage");
    test.clock.advance(DAY / 2);
    assert!(
        restarted
            .charge_operation(domain, account_id, Tier::Free, ExposedLimits::Operations)
            .await
            .unwrap()
            .allowed
    );
    let none = restarted
        .charge_operation(domain, account_id, Tier::Premium, ExposedLimits::Operations)
        .await
        .unwrap();
    assert_eq!(refusal(&none).unwrap().code, Code::PlanRequired);
}

async fn refunded_extraction_costs_nothing(backend: Backend) {
    let test = TestDatabase::create(backend).await;
    let (domain, account_id) = (&test.domain, person(&test.domain, Tier::Free).await);
    let limits = Limits::new(std::sync::Arc::new(small()), Windows::memory());
    for _ in 0..5 {
        let reservation = limits.reserve_extraction(domain, account_id, Tier::Free).await.unwrap();
        assert_eq!(reservation.states()[0].remaining, 0);
        let second = limits.reserve_extraction(domain, account_id, Tier::Free).await.unwrap_err();
        assert_eq!(second.code, Code::FreshExtractionLimit);
        limits.refund(reservation).await;
    }
    let states = limits.states(domain, account_id, Tier::Free).await.unwrap();
    assert_eq!(states.iter().map(|state| state.used).collect::<Vec<_>>(), [0; 4]);
}

#[tokio::test]
async fn background_extractions_get_half_of_the_daily_quota() {
    for test in TestDatabase::each().await {
        let (domain, account_id) = (&test.domain, person(&test.domain, Tier::Free).await);
        let limits = Limits::new(std::sync::Arc::new(Tiers::default()), Windows::memory());
        for left in [50, 49, 48] {
            assert_eq!(
                limits.background_extractions_left(domain, account_id, Tier::Free).await.unwrap(),
                left
            );
            let taken = limits.reserve_background_extraction(domain, account_id, Tier::Free).await.unwrap();
            assert_eq!(taken.states()[0].remaining, left - 1);
        }
    }
}

#[tokio::test]
async fn operations_that_may_download_report_the_extraction_limits() {
    let test = TestDatabase::create(Backend::Sqlite).await;
    let (domain, account_id) = (&test.domain, person(&test.domain, Tier::Free).await);
    let limits = Limits::new(std::sync::Arc::new(small()), Windows::memory());
    for (exposed, count) in [(ExposedLimits::Operations, 2), (ExposedLimits::Fresh, 4)] {
        let decision = limits.charge_operation(domain, account_id, Tier::Free, exposed).await.unwrap();
        assert_eq!(decision.states.len(), count);
    }
}

#[tokio::test]
async fn refused_operation_does_not_count_for_the_day() {
    for test in TestDatabase::each().await {
        let (domain, account_id) = (&test.domain, person(&test.domain, Tier::Free).await);
        let limits = Limits::new(std::sync::Arc::new(small()), Windows::memory());
        let operation = async || {
            limits
                .charge_operation(domain, account_id, Tier::Free, ExposedLimits::Operations)
                .await
                .unwrap()
                .allowed
        };
        for _ in 0..9 {
            operation().await;
        }
        test.clock.advance(60_000);
        let allowed = [operation().await, operation().await, operation().await, operation().await];
        assert_eq!(allowed, [true, true, true, false], "five of the eight operations were used before");
    }
}

#[tokio::test]
async fn daily_mark_advances_by_a_hundredth_of_the_quota_when_reached() {
    for test in TestDatabase::each().await {
        let (domain, db) = (&test.domain, test.domain.db());
        let (account, other) = (person(domain, Tier::Free).await, person(domain, Tier::Free).await);
        let of = |used: u32| RateState {
            name: "day",
            quota: 1000,
            window_s: 86_400,
            used,
            remaining: 1000 - used,
            reset_s: 0,
            violated: false,
        };
        let stored = async |day| DailyUsage::default().used(db, account, "day", day).await.unwrap();
        let days = DailyUsage::default();
        assert_eq!(days.used(db, account, "day", 7).await.unwrap(), 0);
        for (used, mark) in [(1, 10), (10, 10), (11, 20), (500, 509), (11, 509), (995, 1000), (1000, 1000)] {
            days.reserve(db, account, &of(used), 7).await;
            let usage = days.used(db, account, "day", 7).await.unwrap();
            assert_eq!((stored(7).await, usage), (mark, mark), "{used}");
        }
        // If the mark is cached, no statement is executed.
        days.reserve(db, other, &of(1), 7).await;
        entities::usage_day::Entity::delete_many().exec(db.write()).await.unwrap();
        days.reserve(db, account, &of(1000), 7).await;
        assert_eq!((stored(7).await, days.used(db, account, "day", 7).await.unwrap()), (0, 1000));
        days.reserve(db, account, &of(1), 8).await;
        assert_eq!((stored(8).await, days.used(db, account, "day", 8).await.unwrap()), (10, 10));
    }
}

#[tokio::test]
async fn minute_slides_and_day_resets_at_midnight_on_sqlite() {
    minute_slides_and_day_resets_at_midnight(Backend::Sqlite).await;
}

#[tokio::test]
async fn minute_slides_and_day_resets_at_midnight_on_postgres() {
    minute_slides_and_day_resets_at_midnight(Backend::Postgres).await;
}

#[tokio::test]
async fn refunded_extraction_costs_nothing_on_sqlite() {
    refunded_extraction_costs_nothing(Backend::Sqlite).await;
}

#[tokio::test]
async fn refunded_extraction_costs_nothing_on_postgres() {
    refunded_extraction_costs_nothing(Backend::Postgres).await;
}

#[test]
fn plan_name_round_trips() {
    for tier in Tier::ALL {
        assert_eq!(tier.to_string().parse(), Ok(tier));
    }
    assert_eq!(Tier::Pro.to_string(), "pro");
    assert!("gold".parse::<Tier>().is_err_and(|error| error.contains("gold")));
}

#[tokio::test]
async fn exhausted_daily_extractions_are_refused_until_midnight() {
    let test = TestDatabase::create(Backend::Sqlite).await;
    let (domain, account_id) = (&test.domain, person(&test.domain, Tier::Free).await);
    let limits = Limits::new(std::sync::Arc::new(small()), Windows::memory());
    for _ in 0..2 {
        let _download = limits.reserve_extraction(domain, account_id, Tier::Free).await.unwrap();
        test.clock.advance(60_000);
    }
    let error = limits.reserve_extraction(domain, account_id, Tier::Free).await.unwrap_err();
    assert_eq!((error.code, error.retry_after), (Code::FreshExtractionLimit, Some(43_080)));
    let reader = person(domain, Tier::Free).await;
    let _text = limits.reserve_background_extraction(domain, reader, Tier::Free).await.unwrap();
    let error = limits.reserve_background_extraction(domain, reader, Tier::Free).await.unwrap_err();
    assert_eq!((error.code, error.retry_after), (Code::FreshExtractionLimit, Some(43_080)));
}

#[tokio::test]
async fn only_charged_policies_raise_the_daily_mark() {
    for test in TestDatabase::each().await {
        let (domain, account_id) = (&test.domain, person(&test.domain, Tier::Free).await);
        let tiers = "[free]\noperations_per_minute = 1000\noperations_per_day = 1000\n";
        let tiers = std::sync::Arc::new(Tiers::parse(tiers).unwrap());
        // Two processes with shared windows, each with its own marks.
        let windows = Windows::memory();
        let (first, second) = (Limits::new(tiers.clone(), windows.clone()), Limits::new(tiers, windows));
        let charge = async || {
            first.charge_operation(domain, account_id, Tier::Free, ExposedLimits::Fresh).await.unwrap();
        };
        charge().await;
        second.states(domain, account_id, Tier::Free).await.unwrap();
        for _ in 0..14 {
            charge().await;
        }
        let states = second.states(domain, account_id, Tier::Free).await.unwrap();
        assert_eq!(states.iter().map(|state| state.used).collect::<Vec<_>>(), [15, 15, 0, 0]);
        let stored = entities::usage_day::Entity::find().all(domain.db().read()).await.unwrap();
        let stored: Vec<_> = stored.into_iter().map(|row| (row.quota, row.used)).collect();
        assert_eq!(stored, [("day".to_owned(), 20)], "15 operations are stored as 20, the next step");
    }
}
