//! Effects of a run on its monitor, field by field, on both databases.

use sea_orm::{ColumnTrait, EntityTrait, PaginatorTrait, QueryFilter};

use super::*;
use articles::{Address, Payer};
use kernel::clock::{DAY, MINUTE};

use crate::args::MonitorRunArgs;
use crate::commit::{Committed, FinishedRun, commit_run};
use crate::due::claim_due;
use crate::fetch::SourceResponse;
use crate::manage::{NewMonitor, create, run_now};
use crate::monitor::Monitor;
use crate::observation::SourceObservation;
use crate::outcome::Outcome;
use crate::result::RunResult;
use crate::tests::{create_monitor, page};
use identity::accounts::set_quotas;
use kernel::quotas::AccountQuotas;
use kernel::testing::{TestDatabase, person};
use kernel::tiers::Tier;

/// Run that has started.
struct StartedRun {
    claimed: jobs::Claimed,
    context: RunContext,
}

async fn claim_run(domain: &Domain, job: jobs::Submitted) -> StartedRun {
    let claimed = jobs::claim(domain, job.id, "test", MINUTE).await.unwrap().unwrap();
    let args: MonitorRunArgs = claimed.arguments().unwrap();
    let context = RunContext::load(domain, args).await.unwrap().unwrap();
    StartedRun { claimed, context }
}

/// Starts the run of a monitor at its due time.
async fn begin(database: &TestDatabase, monitor: &Monitor) -> StartedRun {
    let domain = &database.domain;
    let due = row(domain, monitor).await.next_run_at.unwrap();
    database.clock.advance((due - domain.now()).max(0));
    let job = claim_due(domain).await.unwrap().remove(0);
    claim_run(domain, job).await
}

async fn begin_by_hand(domain: &Domain, monitor: &Monitor, payer: Payer) -> StartedRun {
    let (_, job) = run_now(domain, payer, monitor.id).await.unwrap();
    claim_run(domain, job).await
}

impl StartedRun {
    async fn finish(&self, domain: &Domain, observation: SourceObservation, result: RunResult) {
        let run = FinishedRun {
            claimed: Some(&self.claimed),
            context: &self.context,
            observation: &observation,
            result,
        };
        assert!(matches!(commit_run(domain, run).await.unwrap(), Committed::Written(_)));
    }

    async fn finish_failed(&self, domain: &Domain, failed: RunError, body_hash: Option<i64>) {
        let observation = SourceObservation { body_hash, ..SourceObservation::failed(failed.clone()) };
        self.finish(domain, observation, RunResult::error(failed)).await;
    }

    async fn finish_unchanged(&self, domain: &Domain) {
        self.finish(domain, SourceObservation::default(), unchanged()).await;
    }
}

/// Result of a run whose source is unchanged.
fn unchanged() -> RunResult {
    RunResult {
        outcome: Outcome::Unchanged,
        failed: None,
        evaluation: None,
        evaluated_new_body: false,
        must_reevaluate: false,
        recheck_after: None,
    }
}

async fn row(domain: &Domain, monitor: &Monitor) -> monitor::Model {
    monitor::Entity::of_any_owner(monitor.id).one(domain.db().read()).await.unwrap().unwrap()
}

async fn write(domain: &Domain, changed: monitor::ActiveModel) {
    changed.update(domain.db().write()).await.unwrap();
}

async fn set(domain: &Domain, monitor: &Monitor, status: Status) {
    let changed = monitor::ActiveModel {
        id: Set(monitor.id),
        status: Set(status.as_str().to_owned()),
        next_run_at: Set(None),
        ..Default::default()
    };
    write(domain, changed).await;
}

async fn notices(domain: &Domain, monitor: &Monitor) -> u64 {
    entities::monitor_change::Entity::find()
        .filter(entities::monitor_change::Column::MonitorId.eq(monitor.id))
        .count(domain.db().read())
        .await
        .unwrap()
}

#[tokio::test]
async fn failure_updates_all_fields_of_the_monitor() {
    for database in TestDatabase::each().await {
        let domain = &database.domain;
        let who = person(domain, Tier::Pro).await;
        let monitor = create_monitor(domain, who, "https://site.example/page").await;
        let run = begin(&database, &monitor).await;
        let before = monitor::ActiveModel {
            id: Set(monitor.id),
            absent: Set(2),
            refused_since: Set(Some(1)),
            credits_wait_until: Set(Some(5)),
            seen_body_hash: Set(7),
            ..Default::default()
        };
        write(domain, before).await;
        let began = run.context.started_at;
        database.clock.advance(3_000);
        run.finish_failed(domain, RunError::unusable(Code::SourceTimeout), None).await;
        let after = row(domain, &monitor).await;
        let now = domain.now();
        assert_eq!((after.last_run_at, after.failures, after.failing_since), (Some(now), 1, Some(now)));
        assert_eq!((after.absent, after.refused_since, after.credits_wait_until), (0, None, None));
        assert_eq!(after.seen_body_hash, 7, "a failed download does not change the last body");
        assert_eq!(after.last_error_code.as_deref(), Some(Code::SourceTimeout.as_str()));
        let interval = rules::interval(after.interval_minutes, domain.policy().tiers.of(Tier::Pro));
        let next = |failures: i32| rules::next(monitor.id, began, rules::back_off(interval, failures));
        assert_eq!(after.next_run_at, Some(next(1)));
        let run = begin(&database, &monitor).await;
        run.finish_failed(domain, RunError::unusable(Code::NoReadableText), Some(5)).await;
        let after = row(domain, &monitor).await;
        assert_eq!((after.failures, after.seen_body_hash), (2, 0), "an unusable body is evaluated again");
        let run = begin(&database, &monitor).await;
        let pause = 3 * DAY;
        let pausing = RunError { host_pause: Some(pause), ..RunError::unusable(Code::SourceUnreachable) };
        run.finish_failed(domain, pausing, None).await;
        assert_eq!(row(domain, &monitor).await.next_run_at, Some(domain.now() + pause));
    }
}

#[tokio::test]
async fn monitor_is_not_given_up_while_the_browser_is_missing() {
    for database in TestDatabase::each().await {
        let domain = &database.domain;
        let who = person(domain, Tier::Pro).await;
        let monitor = create_monitor(domain, who, "https://site.example/page").await;
        for failures in 1..=8 {
            let run = begin(&database, &monitor).await;
            run.finish_failed(domain, RunError::without_browser(), None).await;
            let after = row(domain, &monitor).await;
            assert_eq!((after.status.as_str(), after.failures), (Status::Active.as_str(), failures));
            let interval = rules::interval(after.interval_minutes, domain.policy().tiers.of(Tier::Pro));
            let next = rules::next(monitor.id, run.context.started_at, interval);
            assert_eq!(after.next_run_at, Some(next), "the back-off does not grow");
            database.clock.advance(DAY);
        }
        let run = begin(&database, &monitor).await;
        run.finish_failed(domain, RunError::unusable(Code::SourceTimeout), None).await;
        let after = row(domain, &monitor).await;
        assert_eq!((after.status.as_str(), after.failures), (Status::Active.as_str(), 1));
        assert_eq!(after.failing_since, Some(domain.now()), "the failures of the source are counted alone");
    }
}

#[tokio::test]
async fn superseded_run_is_repeated_immediately() {
    for database in TestDatabase::each().await {
        let domain = &database.domain;
        let who = person(domain, Tier::Pro).await;
        let monitor = create_monitor(domain, who, "https://site.example/page").await;
        let run = begin(&database, &monitor).await;
        let due = run.context.args.due_at;
        assert_eq!(due, domain.now());
        run.finish_failed(domain, RunError::superseded(), None).await;
        let after = row(domain, &monitor).await;
        assert_eq!(
            (after.next_run_at, after.failures),
            (Some(due + 1), 0),
            "the next run gets a new due time"
        );
        let run = begin(&database, &monitor).await;
        database.clock.advance(5_000);
        run.finish_failed(domain, RunError::superseded(), None).await;
        assert_eq!(row(domain, &monitor).await.next_run_at, Some(domain.now()));
    }
}

#[tokio::test]
async fn unaffordable_run_waits_for_next_month_with_one_notice() {
    for database in TestDatabase::each().await {
        let domain = &database.domain;
        let who = person(domain, Tier::Pro).await;
        let monitor = create_monitor(domain, who, "https://site.example/page").await;
        let run = begin(&database, &monitor).await;
        run.finish_failed(domain, RunError::exhausted(), None).await;
        let after = row(domain, &monitor).await;
        let until = credits::next_month(domain.now());
        assert_eq!(after.credits_wait_until, Some(until));
        assert_eq!(after.next_run_at, Some(start_in_month(&after, until)));
        assert!(after.next_run_at > Some(until), "the runs are spread over the start of the month");
        assert_eq!(after.last_error_code.as_deref(), Some(EXHAUSTED.as_str()));
        assert_eq!((after.failures, notices(domain, &monitor).await), (0, 1));
        let soon = monitor::ActiveModel {
            id: Set(monitor.id),
            next_run_at: Set(Some(domain.now())),
            ..Default::default()
        };
        write(domain, soon).await;
        let run = begin(&database, &monitor).await;
        run.finish_failed(domain, RunError::exhausted(), None).await;
        assert_eq!(notices(domain, &monitor).await, 1, "the wait is reported once per month");
    }
}

#[tokio::test]
async fn manual_success_resumes_a_failed_monitor_within_the_plan() {
    for database in TestDatabase::each().await {
        let domain = &database.domain;
        let who = person(domain, Tier::Free).await;
        let payer = Payer { account_id: who, tier: Tier::Free };
        let mut made = Vec::new();
        for number in 0..2 {
            made.push(create_monitor(domain, who, &format!("https://site{number}.example/page")).await);
        }
        set(domain, &made[0], Status::Failed).await;
        let run = begin_by_hand(domain, &made[0], payer).await;
        run.finish_unchanged(domain).await;
        let after = row(domain, &made[0]).await;
        assert_eq!(after.status, Status::Active.as_str());
        let interval = rules::interval(after.interval_minutes, domain.policy().tiers.of(Tier::Free));
        assert_eq!(after.next_run_at, Some(rules::next(after.id, run.context.started_at, interval)));

        set(domain, &made[1], Status::Paused).await;
        begin_by_hand(domain, &made[1], payer).await.finish_unchanged(domain).await;
        let paused = row(domain, &made[1]).await;
        assert_eq!((paused.status.as_str(), paused.next_run_at), (Status::Paused.as_str(), None));
    }
}

#[tokio::test]
async fn manual_success_does_not_resume_a_failed_monitor_beyond_the_plan() {
    for database in TestDatabase::each().await {
        let domain = &database.domain;
        let who = person(domain, Tier::Premium).await;
        let mut made = Vec::new();
        for number in 0..4 {
            made.push(create_monitor(domain, who, &format!("https://site{number}.example/page")).await);
        }
        set(domain, &made[0], Status::Failed).await;
        identity::accounts::set_tier(
            &crate::testing::with_owners(domain),
            &format!("{who}@example.org"),
            Tier::Free,
        )
        .await
        .unwrap();
        let payer = Payer { account_id: who, tier: Tier::Free };
        begin_by_hand(domain, &made[0], payer).await.finish_unchanged(domain).await;
        let beyond = row(domain, &made[0]).await;
        assert_eq!(beyond.status, Status::Failed.as_str(), "three other monitors are active");
    }
}

#[tokio::test]
async fn scheduled_success_does_not_resume_a_monitor_given_up_during_the_run() {
    for database in TestDatabase::each().await {
        let domain = &database.domain;
        let who = person(domain, Tier::Pro).await;
        let monitor = create_monitor(domain, who, "https://site.example/page").await;
        let run = begin(&database, &monitor).await;
        let failed = monitor::ActiveModel {
            id: Set(monitor.id),
            status: Set(Status::Failed.as_str().to_owned()),
            ..Default::default()
        };
        write(domain, failed).await;
        run.finish_unchanged(domain).await;
        let after = row(domain, &monitor).await;
        assert_eq!((after.status.as_str(), after.next_run_at), (Status::Failed.as_str(), None));
    }
}

#[tokio::test]
async fn feed_of_a_given_up_monitor_is_marked_as_failing() {
    for database in TestDatabase::each().await {
        let domain = &database.domain;
        let who = person(domain, Tier::Pro).await;
        let new = NewMonitor {
            name: "Something".into(),
            address: Address::parse(domain, "https://site.example/page").unwrap(),
            definition: page(),
            interval_minutes: None,
            follow: true,
            notify: Vec::new(),
            tags: Vec::new(),
            options: crate::MonitorOptions::default(),
        };
        let monitor = create(domain, who, new).await.unwrap().monitor;
        let feed_id = row(domain, &monitor).await.feed_id.unwrap();
        let is_failing = async || {
            let feed = entities::feed::Entity::find_by_id(feed_id).one(domain.db().read()).await;
            feed.unwrap().unwrap().is_failing
        };
        let passing = RunError::unusable(Code::SourceTimeout);
        begin(&database, &monitor).await.finish_failed(domain, passing.clone(), None).await;
        assert!(!is_failing().await, "a single failure does not count");
        let last = RunError { severity: Severity::Final, ..passing };
        begin(&database, &monitor).await.finish_failed(domain, last, None).await;
        assert_eq!(row(domain, &monitor).await.status, Status::Failed.as_str());
        assert!(is_failing().await);
    }
}

#[tokio::test]
async fn monitor_waits_for_a_page_that_does_not_exist_yet_after_any_failure() {
    for database in TestDatabase::each().await {
        let domain = &database.domain;
        let who = person(domain, Tier::Pro).await;
        let monitor = create_monitor(domain, who, "https://site.example/page").await;
        let missing = RunError::unusable(Code::SourceNotFound);
        for _ in 0..8 {
            begin(&database, &monitor).await.finish_failed(domain, missing.clone(), None).await;
        }
        let other = RunError::unusable(Code::SourceTimeout);
        begin(&database, &monitor).await.finish_failed(domain, other, None).await;
        let after = row(domain, &monitor).await;
        assert!(after.failing_since.is_some_and(|since| domain.now() - since > DAY));
        assert_eq!((after.status.as_str(), after.failures), (Status::Active.as_str(), 9));
        assert!(rules::is_awaited(&after), "the page is reported when it appears");
    }
}

#[tokio::test]
async fn run_is_refused_if_the_credit_quota_was_lowered_since_its_start() {
    for database in TestDatabase::each().await {
        let domain = &crate::testing::with_owners(&database.domain);
        // In production, every process creates the key when it starts.
        domain.cursor_key().await.unwrap();
        let who = person(domain, Tier::Pro).await;
        let monitor = create_monitor(domain, who, "https://site.example/page").await;
        let run = begin(&database, &monitor).await;
        let quotas = AccountQuotas { web_monitor_monthly_credits: Some(0), ..AccountQuotas::default() };
        set_quotas(domain, who, quotas, "the test").await.unwrap();
        let at = run.context.started_at;
        let answered =
            SourceResponse { is_free: false, at, fetched: None, body_hash: None, warnings: Vec::new() };
        let observation = SourceObservation { answered: Some(answered), ..SourceObservation::default() };
        let result = RunResult { evaluated_new_body: true, ..unchanged() };
        run.finish(domain, observation, result).await;
        let month = credits::next_month(domain.now());
        assert_eq!(row(domain, &monitor).await.credits_wait_until, Some(month));
        let balance = credits::balance(domain.db().read(), domain.now(), who, 0).await.unwrap();
        assert_eq!((balance.used, balance.total()), (0, 0));
        assert_eq!(credits::audit(domain).await.unwrap(), []);
    }
}
