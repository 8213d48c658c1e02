//! Effects of plans and credits on existing monitors, on both databases.

use extract::watch::Target;

use super::*;
use crate::edit::{Edit, update};
use crate::monitor::Monitor;
use crate::rules::soon;
use crate::tests::{create_monitor, create_monitor_as, page};
use crate::{Definition, get};
use identity::accounts::{set_quotas, set_tier};
use identity::credits::{AcceptedCharges, Charge};
use kernel::clock::{DAY, MINUTE};
use kernel::quotas::AccountQuotas;
use kernel::testing::{TestDatabase, person};
use kernel::tiers::Tier;
use kernel::writes::Writes;

fn email(who: AccountId) -> String {
    format!("{who}@example.org")
}

async fn statuses(domain: &Domain, who: AccountId, made: &[Monitor]) -> Vec<(Status, Option<PauseReason>)> {
    let mut statuses = Vec::new();
    for monitor in made {
        let monitor = get(domain, who, monitor.id).await.unwrap();
        statuses.push((monitor.status, monitor.pause_reason));
    }
    statuses
}

async fn row(domain: &Domain, monitor: &Monitor) -> monitor::Model {
    monitor::Entity::of_any_owner(monitor.id).one(domain.db().read()).await.unwrap().unwrap()
}

async fn write(domain: &Domain, changed: monitor::ActiveModel) {
    changed.update(domain.db().write()).await.unwrap();
}

#[tokio::test]
async fn larger_plan_resumes_the_oldest_paused_monitors() {
    for database in TestDatabase::each().await {
        let domain = &database.domain;
        let who = person(domain, Tier::Premium).await;
        let mut made = Vec::new();
        for number in 0..6 {
            database.clock.advance(1_000);
            made.push(create_monitor(domain, who, &format!("https://site{number}.example/page")).await);
        }
        set_tier(&crate::testing::with_owners(domain), &email(who), Tier::Free).await.unwrap();
        let edit = Edit { status: Some(Status::Paused), ..Edit::default() };
        update(domain, who, made[0].id, edit).await.unwrap();
        set_tier(&crate::testing::with_owners(domain), &email(who), Tier::Free).await.unwrap();
        let (going, beyond) = ((Status::Active, None), (Status::Paused, Some(PauseReason::PlanLimit)));
        let current = statuses(domain, who, &made).await;
        assert_eq!(current[1..], [going, going, going, beyond, beyond], "the plan allows one more monitor");
        assert_eq!(current[0].0, Status::Paused);
        assert_ne!(
            current[0].1,
            Some(PauseReason::PlanLimit),
            "a monitor paused by its owner is not paused by the plan"
        );
        let next = row(domain, &made[3]).await.next_run_at.unwrap();
        assert!(next <= domain.now() + MINUTE, "a resumed monitor runs within a minute");
        set_tier(&crate::testing::with_owners(domain), &email(who), Tier::Pro).await.unwrap();
        assert_eq!(statuses(domain, who, &made).await[1..], [going; 5]);
    }
}

#[tokio::test]
async fn quota_pauses_and_resumes_monitors_and_outlasts_a_plan_change() {
    for database in TestDatabase::each().await {
        let domain = &crate::testing::with_owners(&database.domain);
        let who = person(domain, Tier::Premium).await;
        let mut made = Vec::new();
        for number in 0..3 {
            database.clock.advance(1_000);
            made.push(create_monitor(domain, who, &format!("https://site{number}.example/page")).await);
        }
        let quota = |web_monitors| AccountQuotas { web_monitors, ..AccountQuotas::default() };
        let (going, beyond) = ((Status::Active, None), (Status::Paused, Some(PauseReason::PlanLimit)));
        set_quotas(domain, who, quota(Some(1)), "the test").await.unwrap();
        assert_eq!(statuses(domain, who, &made).await, [going, beyond, beyond]);
        set_tier(domain, &email(who), Tier::Pro).await.unwrap();
        assert_eq!(statuses(domain, who, &made).await, [going, beyond, beyond], "the quota still applies");
        set_quotas(domain, who, quota(None), "the test").await.unwrap();
        assert_eq!(statuses(domain, who, &made).await, [going; 3]);
    }
}

#[tokio::test]
async fn credit_quota_defers_monitors_until_it_is_removed() {
    for database in TestDatabase::each().await {
        let domain = &crate::testing::with_owners(&database.domain);
        // In production, every process creates the key when it starts.
        domain.cursor_key().await.unwrap();
        let who = person(domain, Tier::Free).await;
        let monitor = create_monitor(domain, who, "https://one.example/").await;
        let quotas = AccountQuotas { web_monitor_monthly_credits: Some(0), ..AccountQuotas::default() };
        set_quotas(domain, who, quotas, "the test").await.unwrap();
        let waiting = row(domain, &monitor).await;
        assert!(waiting.credits_wait_until.is_some(), "no credits are left");
        set_quotas(domain, who, AccountQuotas::default(), "the test").await.unwrap();
        assert_eq!(row(domain, &monitor).await.credits_wait_until, None);
    }
}

#[tokio::test]
async fn plan_change_applies_its_intervals_immediately() {
    for database in TestDatabase::each().await {
        let domain = &database.domain;
        let who = person(domain, Tier::Pro).await;
        let now = domain.now();
        let (often, new, resumed) = (
            create_monitor(domain, who, "https://one.example/").await,
            create_monitor(domain, who, "https://two.example/").await,
            create_monitor(domain, who, "https://three.example/").await,
        );
        let last = now - 10 * MINUTE;
        for (monitor, next_run_at) in [(&often, last + HOUR), (&resumed, soon(resumed.id, now))] {
            let changed = monitor::ActiveModel {
                id: Set(monitor.id),
                interval_minutes: Set(60),
                last_run_at: Set(Some(last)),
                next_run_at: Set(Some(next_run_at)),
                ..Default::default()
            };
            write(domain, changed).await;
        }
        let first = row(domain, &new).await.next_run_at;
        set_tier(&crate::testing::with_owners(domain), &email(who), Tier::Free).await.unwrap();
        assert_eq!(
            row(domain, &often).await.next_run_at,
            Some(last + DAY),
            "the next run is a day after the last one"
        );
        assert_eq!(row(domain, &new).await.next_run_at, first, "the first run is not delayed");
        assert_eq!(
            row(domain, &resumed).await.next_run_at,
            Some(soon(resumed.id, now)),
            "a resumed monitor is not delayed"
        );
        set_tier(&crate::testing::with_owners(domain), &email(who), Tier::Pro).await.unwrap();
        let next = row(domain, &often).await.next_run_at.unwrap();
        assert!((last + HOUR..=now + HOUR + 10 * MINUTE).contains(&next), "{}", next - now);
    }
}

#[tokio::test]
async fn smaller_plan_does_not_advance_a_backed_off_run() {
    for database in TestDatabase::each().await {
        let domain = &database.domain;
        let who = person(domain, Tier::Pro).await;
        let monitor = create_monitor(domain, who, "https://one.example/").await;
        let last = domain.now() - 10 * MINUTE;
        let late = last + 2 * DAY;
        let changed = monitor::ActiveModel {
            id: Set(monitor.id),
            interval_minutes: Set(60),
            last_run_at: Set(Some(last)),
            next_run_at: Set(Some(late)),
            failures: Set(4),
            ..Default::default()
        };
        write(domain, changed).await;
        set_tier(&crate::testing::with_owners(domain), &email(who), Tier::Free).await.unwrap();
        assert_eq!(row(domain, &monitor).await.next_run_at, Some(late));
    }
}

#[tokio::test]
async fn unaffordable_monitor_waits_and_resumes_with_new_credits() {
    for database in TestDatabase::each().await {
        let domain = &database.domain;
        // In production, every process creates the key when it starts.
        domain.cursor_key().await.unwrap();
        let who = person(domain, Tier::Free).await;
        let sitemap =
            Definition { target: Target::Sitemap { include: Vec::new(), exclude: Vec::new() }, ..page() };
        let cheap = create_monitor(domain, who, "https://one.example/").await;
        let dear = create_monitor_as(domain, who, "https://two.example/sitemap.xml", sitemap).await;
        let allowance = i64::from(domain.policy().tiers.of(Tier::Free).web_monitor_monthly_credits);
        let spend = async |cost: i64| {
            let transaction = domain.db().begin().await.unwrap();
            let (run_id, monitor_id) = (domain.new_id(), cheap.id);
            let charge = Charge { account_id: who, run_id, monitor_id, cost };
            let mut writes = Writes::of(&transaction);
            let mut charges = AcceptedCharges::default();
            charges.charge_run(&transaction, domain.now(), (allowance, None), charge).await.unwrap().unwrap();
            charges.add_to(&mut writes);
            writes.send().await.unwrap();
            let balance = credits::balance(&transaction, domain.now(), who, allowance).await.unwrap();
            credits_changed(&transaction, domain, who, balance).await.unwrap();
            transaction.commit().await.unwrap();
        };
        let waits = async |monitor: &Monitor| row(domain, monitor).await.credits_wait_until;
        let month = credits::next_month(domain.now());
        spend(allowance - 2).await;
        assert_eq!((waits(&cheap).await, waits(&dear).await), (None, None), "both monitors can run");
        spend(1).await;
        assert_eq!((waits(&cheap).await, waits(&dear).await), (None, Some(month)));
        let waiting = row(domain, &dear).await;
        assert_eq!(waiting.last_error_code.as_deref(), Some(EXHAUSTED.as_str()));
        assert!((month..month + HOUR).contains(&waiting.next_run_at.unwrap()));
        spend(1).await;
        assert_eq!((waits(&cheap).await, waits(&dear).await), (Some(month), Some(month)));
        let failed = monitor::ActiveModel {
            id: Set(cheap.id),
            last_error_code: Set(Some("source_error".to_owned())),
            ..Default::default()
        };
        write(domain, failed).await;
        application::credit_grants::grant(domain, &email(who), 1, "").await.unwrap();
        assert_eq!(
            (waits(&cheap).await, waits(&dear).await),
            (None, Some(month)),
            "one credit pays for a page but not for the other monitor"
        );
        let going = row(domain, &cheap).await;
        assert!(going.next_run_at.unwrap() <= domain.now() + MINUTE);
        assert_eq!(going.last_error_code.as_deref(), Some("source_error"), "the last error is retained");
        application::credit_grants::grant(domain, &email(who), 1, "").await.unwrap();
        let going = row(domain, &dear).await;
        assert_eq!((going.credits_wait_until, going.last_error_code), (None, None));
    }
}
