//! Next runs as determined by interval, schedule and plan.

use chrono::DateTime;
use entities::ids::AccountId;

use super::*;
use crate::calendar::{Day, Hours, Week};
use crate::edit::{Edit, update};
use crate::manage::{MonitorOptions, NewMonitor, create, get};
use articles::Address;
use kernel::clock::{DAY, HOUR};
use kernel::testing::{TestDatabase, person};
use kernel::tiers::Tier;
use kernel::{Code, Domain, Error, rfc3339};

fn at(text: &str) -> Millis {
    DateTime::parse_from_rfc3339(text).unwrap().timestamp_millis()
}

fn daily(times: &[&str]) -> Schedule {
    Schedule { times: times.iter().map(|time| (*time).to_owned()).collect(), ..Schedule::default() }
}

async fn watch(domain: &Domain, owner: AccountId, schedule: Schedule) -> Result<monitor::Model, Error> {
    let url = format!("https://site.example/{}", domain.new_id::<entities::ids::MonitorId>());
    let new = NewMonitor {
        name: "Harbour".into(),
        address: Address::parse(domain, &url).unwrap(),
        definition: crate::tests::page(),
        interval_minutes: None,
        follow: false,
        notify: Vec::new(),
        tags: Vec::new(),
        options: MonitorOptions { schedule, ..MonitorOptions::default() },
    };
    let id = create(domain, owner, new).await?.monitor.id;
    Ok(monitor::Entity::of_any_owner(id).one(domain.db().read()).await.unwrap().unwrap())
}

#[tokio::test]
async fn run_at_times_of_day_follows_the_schedule_and_not_the_interval() {
    for database in TestDatabase::each().await {
        let domain = &database.domain;
        let owner = person(domain, Tier::Free).await;
        let plan = domain.policy().tiers.of(Tier::Free);
        let row = watch(domain, owner, daily(&["09:00"])).await.unwrap();
        let near = |next: Millis, expected: &str| {
            let expected = at(expected);
            assert!((expected..expected + MINUTE).contains(&next), "{} for {expected}", rfc3339(next));
        };
        near(after_success(&row, plan, at("2026-11-20T09:00:30Z")), "2026-11-21T09:00:00Z");
        near(after_success(&row, plan, at("2026-11-20T13:00:00Z")), "2026-11-22T09:00:00Z");
        near(after_pause(&row, at("2026-11-20T09:00:30Z"), DAY), "2026-11-21T09:00:00Z");
        let plain = watch(domain, owner, Schedule::default()).await.unwrap();
        assert_eq!(plain.schedule, None);
        let begun = at("2026-11-20T09:00:30Z");
        assert_eq!(after_success(&plain, plan, begun), rules::next(plain.id, begun, DAY));
    }
}

#[tokio::test]
async fn monitor_lists_its_next_three_runs() {
    for database in TestDatabase::each().await {
        let domain = &database.domain;
        let owner = person(domain, Tier::Pro).await;
        let schedule = Schedule {
            weekdays: vec![Day::Monday],
            week: Some(Week::First),
            jitter_minutes: Some(0),
            time_zone: Some("Europe/Berlin".into()),
            ..daily(&["09:00"])
        };
        let mut row = watch(domain, owner, schedule).await.unwrap();
        let plan = domain.policy().tiers.of(Tier::Pro);
        assert_eq!(preview(&row, plan).len(), 3, "the first run is soon");
        row.next_run_at = Some(at("2026-12-07T08:00:00Z"));
        let runs: Vec<String> = preview(&row, plan).into_iter().map(rfc3339).collect();
        let expected = ["2026-12-07T08:00:00.000Z", "2027-01-04T08:00:00.000Z", "2027-02-01T08:00:00.000Z"];
        assert_eq!(runs, expected);
        row.next_run_at = None;
        assert!(preview(&row, plan).is_empty());
    }
}

#[tokio::test]
async fn changed_schedule_moves_the_next_run() {
    for database in TestDatabase::each().await {
        let domain = &database.domain;
        let owner = person(domain, Tier::Pro).await;
        let row = watch(domain, owner, Schedule::default()).await.unwrap();
        let until = domain.now() + 10 * DAY;
        let paused = Schedule { paused_until: Some(until), ..Schedule::default() };
        let edit = Edit { schedule: Some(paused.clone()), ..Edit::default() };
        let monitor = update(domain, owner, row.id, edit).await.unwrap().monitor;
        assert_eq!((monitor.schedule, monitor.next_run_at), (paused, Some(until)));
        let edit = Edit { schedule: Some(Schedule::default()), ..Edit::default() };
        let monitor = update(domain, owner, row.id, edit).await.unwrap().monitor;
        assert!(monitor.next_run_at.unwrap() <= domain.now() + DAY + 10 * MINUTE);
        assert_eq!(get(domain, owner, row.id).await.unwrap().schedule, Schedule::default());
    }
}

#[tokio::test]
async fn times_are_limited_by_the_plan_and_reduce_the_credits_per_month() {
    for database in TestDatabase::each().await {
        let domain = &database.domain;
        let owner = person(domain, Tier::Free).await;
        let refused = watch(domain, owner, daily(&["09:00", "18:00"])).await.unwrap_err();
        assert_eq!(refused.code, Code::IntervalTooShort);
        let mondays = Schedule { weekdays: vec![Day::Monday], ..daily(&["09:00"]) };
        let row = watch(domain, owner, mondays).await.unwrap();
        let plan = domain.policy().tiers.of(Tier::Free);
        assert_eq!(credits_per_month(&row, 1, plan), 5);
    }
}

#[tokio::test]
async fn random_delay_stays_within_the_hours_and_the_night_is_not_a_gap() {
    for database in TestDatabase::each().await {
        let domain = &database.domain;
        let owner = person(domain, Tier::Pro).await;
        let hours = Some(Hours { from: "08:00".into(), to: "18:00".into() });
        let schedule = Schedule { hours, jitter_minutes: Some(120), ..Schedule::default() };
        let mut row = watch(domain, owner, schedule).await.unwrap();
        row.interval_minutes = 60;
        let plan = domain.policy().tiers.of(Tier::Pro);
        for minute in 0..60 {
            let next = after_success(&row, plan, at("2026-11-20T16:00:00Z") + minute * MINUTE);
            assert!(next < at("2026-11-20T18:00:00Z"), "{}", rfc3339(next));
        }
        let next = after_success(&row, plan, at("2026-11-20T17:30:00Z"));
        assert!((at("2026-11-21T08:00:00Z")..at("2026-11-21T10:00:00Z")).contains(&next));
        let morning = at("2026-11-21T08:00:00Z");
        assert!(!is_gap(&row, plan, morning - 14 * HOUR, morning), "the night is no gap");
        assert!(is_gap(&row, plan, morning - 2 * DAY, morning));
    }
}

#[tokio::test]
async fn every_time_of_day_has_one_run_with_any_random_delay() {
    for database in TestDatabase::each().await {
        let domain = &database.domain;
        let owner = person(domain, Tier::Premium).await;
        let plan = domain.policy().tiers.of(Tier::Premium);
        for jitter in [0, 15, 30, 120] {
            let times = daily(&["09:00", "10:00", "11:00", "12:00", "13:00"]);
            let schedule = Schedule { jitter_minutes: Some(jitter), ..times };
            let row = watch(domain, owner, schedule).await.unwrap();
            let mut started_at = at("2026-11-19T13:00:00Z");
            for day in 0..20 {
                for hour in 9..=13 {
                    let time = at("2026-11-20T00:00:00Z") + day * DAY + hour * HOUR;
                    let next = after_success(&row, plan, started_at);
                    let delays = time..time + Millis::from(jitter.max(1)) * MINUTE;
                    assert!(delays.contains(&next), "{} for {} and {jitter}", rfc3339(next), rfc3339(time));
                    started_at = next + MINUTE;
                }
            }
        }
    }
}

#[tokio::test]
async fn random_delay_does_not_shorten_the_back_off_at_times_of_day() {
    for database in TestDatabase::each().await {
        let domain = &database.domain;
        let owner = person(domain, Tier::Premium).await;
        let times = daily(&["09:00", "10:00", "11:00", "12:00", "13:00"]);
        let schedule = Schedule { jitter_minutes: Some(120), ..times };
        let row = watch(domain, owner, schedule).await.unwrap();
        let started_at = at("2026-11-20T09:30:00Z");
        for (back_off, expected) in [(15, 10), (30, 10), (60, 11), (120, 12)] {
            let next = after_pause(&row, started_at, back_off * MINUTE);
            let time = at("2026-11-20T00:00:00Z") + expected * HOUR;
            assert!((time..time + HOUR).contains(&next), "{} after {back_off} minutes", rfc3339(next));
        }
    }
}
