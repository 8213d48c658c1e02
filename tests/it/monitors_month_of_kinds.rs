//! Month of daily monitors of all kinds of targets, triggers, conditions, filters and schedules. Each monitor has a
//! hidden state that changes at random. The days on which it must report are computed from this state according to
//! `docs/feeds_and_monitors.md`, and compared with the days of its reports.

mod conditions;
mod differences;
mod plan;
mod schedules;

use fastrand::Rng;
use kernel::clock::millis_of_rfc3339;
use kernel::tiers::Tier;
use serde_json::{Value, json};

use self::plan::{DAYS, Plan, Row, with};
use crate::support::clock::{DAY, SECOND};
use crate::support::monitoring::{changes, create_monitor, get_monitor, outcomes, query_number};
use crate::support::person::Person;
use crate::support::{Setup, Site, TestApp, World, run};

/// Number of monitors per account, below the limit of the plan.
const MONITORS_PER_ACCOUNT: usize = 100;
/// Delay in milliseconds after the next due run until due monitors are claimed, so that they run at the same time.
const GATHERING_TIME: i64 = 90 * SECOND;

/// Monitor of the month, with its expected reports.
struct Watched<'p> {
    who: &'p Person,
    row: &'static str,
    seed: u64,
    path: String,
    plan: Plan,
    monitor: Value,
}

fn rows() -> Vec<&'static Row> {
    differences::ROWS.iter().chain(conditions::ROWS).chain(schedules::ROWS).collect()
}

/// Creates the plan of a monitor. Monitors of the same row have different seeds.
fn plan_of(row: &Row, seed: u64) -> Plan {
    (row.plan)(&mut Rng::with_seed(seed))
}

/// Creates monitors of the rows, one row after the other, and their sources, each on its own host.
async fn create_monitors<'p>(
    app: &TestApp,
    site: &Site,
    people: &'p [Person],
    count: usize,
) -> Vec<Watched<'p>> {
    let rows = rows();
    let mut all = Vec::with_capacity(count);
    for (number, seed) in (0..count).zip(0_u64..) {
        let (row, who) = (rows[number % rows.len()], &people[number / MONITORS_PER_ACCOUNT]);
        let (plan, path) = (plan_of(row, seed), format!("/source{number}"));
        let host = u16::try_from(number).expect("there are fewer monitors than hosts");
        site.put(&path, plan.pages[0].clone());
        let usual = json!({"name": row.name, "targetUrl": site.url_at(host, &path), "intervalMinutes": 1440,
            "follow": false});
        let given = plan.body.as_object().expect("a definition is an object");
        let body = given.iter().fold(usual, |body, (name, value)| with(body, name, value.clone()));
        let monitor = create_monitor(app, who, &body).await;
        all.push(Watched { who, row: row.name, seed, path, plan, monitor });
    }
    all
}

/// Runs all monitors that are due before `end`.
async fn run_until(app: &TestApp, end: i64) {
    let domain = &app.app.domain;
    let next = "SELECT CAST(COALESCE(MIN(next_run_at), 0) AS bigint) FROM monitor";
    loop {
        let next = query_number(domain, next).await;
        if next == 0 || next >= end {
            break;
        }
        app.clock.advance((next - domain.now()).max(0) + GATHERING_TIME);
        app.tick().await;
        app.run_jobs().await;
    }
    app.clock.advance((end - domain.now()).max(0));
}

/// Compares the reports of a monitor with the expected reports. Returns a description if they differ.
async fn mismatch(app: &TestApp, start: i64, watched: &Watched<'_>) -> Option<String> {
    let Watched { who, row, seed, plan, monitor, .. } = watched;
    let day_of = |change: &Value| {
        let at = change["detectedAt"].as_str().and_then(millis_of_rfc3339).expect("a change has a time");
        usize::try_from((at - start).div_euclid(DAY)).expect("no change is older than the monitor")
    };
    let mut changes = changes(app, who, monitor).await;
    changes.reverse();
    let reported: Vec<usize> = changes.iter().map(day_of).collect();
    if reported == plan.expected {
        return None;
    }
    let titles: Vec<String> =
        changes.iter().map(|change| format!("{}: {}", day_of(change), change["title"])).collect();
    let now = get_monitor(app, who, monitor).await;
    let outcomes = outcomes(app, who, monitor).await;
    Some(format!(
        "{row} (seed {seed})\n  expected {:?}\n  reported {reported:?}\n  outcomes {outcomes:?}\n  titles {titles:?}\n  \
         status {}, last error {}, masks {}\n  definition {}",
        plan.expected, now["status"], now["lastError"], now["masks"], plan.body
    ))
}

/// Simulates a month with this number of monitors, and asserts that each of them reported on the expected days.
pub(crate) async fn assert_exact_month(world: World, count: usize) {
    eprintln!("{count} monitors on {world:?}");
    let setup = Setup::on(world).set("CARREL_READER_LIMITS", "off").set("CARREL_FETCH_ALLOW", "127.0.0.0/8");
    let app = setup.spawn().await;
    let site = Site::start_on_many_hosts();
    let mut people = Vec::new();
    for _ in 0..count.div_ceil(MONITORS_PER_ACCOUNT) {
        people.push(Person::on(&app, Tier::Pro).await);
    }
    let start = app.app.domain.now();
    let all = create_monitors(&app, &site, &people, count).await;
    let mut end = start;
    for day in 0..DAYS {
        for watched in &all {
            site.put(&watched.path, watched.plan.pages[day].clone());
        }
        end += DAY;
        run_until(&app, end).await;
    }
    let mut mismatches = Vec::new();
    for watched in &all {
        mismatches.extend(mismatch(&app, start, watched).await);
    }
    assert!(
        mismatches.is_empty(),
        "{} of {count} monitors on {world:?} differ:\n{}",
        mismatches.len(),
        mismatches.join("\n")
    );
    assert_eq!(identity::credits::audit(&app.app.domain).await.expect("the credits are read"), []);
}

#[test]
fn month_of_all_kinds_conditions_and_schedules_is_reported_exactly() {
    run(async {
        for world in World::ALL {
            assert_exact_month(world, rows().len()).await;
        }
    });
}

#[test]
fn plan_has_a_page_for_each_day_and_each_row_expects_reports() {
    for row in rows() {
        let plans: Vec<Plan> = (0..20).map(|seed| plan_of(row, seed)).collect();
        for plan in &plans {
            assert_eq!(plan.pages.len(), DAYS, "{}", row.name);
            assert!(plan.expected.is_sorted() && plan.expected.iter().all(|day| (1..DAYS).contains(day)));
        }
        assert!(plans.iter().any(|plan| !plan.expected.is_empty()), "{} expects no report", row.name);
        assert!(plans.iter().any(|plan| plan.expected.len() < DAYS - 1), "{} expects too much", row.name);
    }
}
