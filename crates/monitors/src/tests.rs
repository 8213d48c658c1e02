//! Claims, feed tokens and definitions, on both databases. Runs are covered by the integration tests.

use std::collections::HashSet;

use entities::ids::{AccountId, JobId, MonitorId};
use sea_orm::{ConnectionTrait, DbBackend, PaginatorTrait};

use extract::watch::{Target, Trigger};

use super::args::RunJobArgs;
use super::*;
use articles::Address;
use jobs::JobKind;
use kernel::clock::{DAY, HOUR, MINUTE};
use kernel::statement::statement;
use kernel::testing::{TestDatabase, person, random_id, series};
use kernel::tiers::Tier;
use kernel::{Backend, Code, Domain};

pub(super) fn page() -> Definition {
    Definition::of(Target::Page { selector: None })
}

pub(super) async fn create_monitor(domain: &Domain, account_id: AccountId, url: &str) -> Monitor {
    create_monitor_as(domain, account_id, url, page()).await
}

/// Creates a monitor of `url` with `definition`.
pub(super) async fn create_monitor_as(
    domain: &Domain,
    account_id: AccountId,
    url: &str,
    definition: Definition,
) -> Monitor {
    let address = Address::parse(domain, url).unwrap();
    let new = NewMonitor {
        name: "Something".into(),
        address,
        definition,
        interval_minutes: None,
        follow: false,
        notify: Vec::new(),
        tags: Vec::new(),
        options: crate::MonitorOptions::default(),
    };
    create(domain, account_id, new).await.unwrap().monitor
}

#[tokio::test]
async fn due_monitors_are_claimed_by_one_worker_and_one_per_host() {
    for database in TestDatabase::each().await {
        let domain = &database.domain;
        let who = person(domain, Tier::Pro).await;
        for number in 0..40 {
            create_monitor(domain, who, &format!("https://site{number}.example/page")).await;
        }
        create_monitor(domain, who, "https://site7.example/other").await;
        database.clock.advance(60_000);
        let other = database.second_handle().await;
        let (one, two) = tokio::join!(claim_due(domain), claim_due(&other));
        let jobs: Vec<_> = one.unwrap().into_iter().chain(two.unwrap()).collect();
        let ids: HashSet<JobId> = jobs.iter().map(|job| job.id).collect();
        let mut runs = Vec::new();
        for id in &ids {
            let claimed = jobs::claim(domain, *id, "worker", DAY).await.unwrap().unwrap();
            let RunJobArgs::Batch(batch) = claimed.arguments().unwrap() else { panic!("{claimed:?}") };
            runs.extend(batch.runs);
        }
        let monitors: HashSet<MonitorId> = runs.iter().map(|run| run.monitor_id).collect();
        assert_eq!(
            (runs.len(), monitors.len()),
            (40, 40),
            "each monitor is claimed once, and the second one of site7 waits"
        );
        assert_eq!(claim_due(domain).await.unwrap(), []);
        database.clock.advance(1_000);
        assert_eq!(claim_due(domain).await.unwrap().len(), 1);
    }
}

#[tokio::test]
async fn monitor_with_unfinished_run_is_due_after_a_minute() {
    for database in TestDatabase::each().await {
        let domain = &database.domain;
        let who = person(domain, Tier::Pro).await;
        let monitor = create_monitor(domain, who, "https://slow.example/page").await;
        database.clock.advance(MINUTE);
        let job = claim_due(domain).await.unwrap().remove(0);
        jobs::claim(domain, job.id, "worker", DAY).await.unwrap().unwrap();
        database.clock.advance(HOUR);
        assert_eq!(claim_due(domain).await.unwrap(), []);
        let next = get(domain, who, monitor.id).await.unwrap().next_run_at;
        assert_eq!(next, Some(domain.now() + MINUTE));
    }
}

#[tokio::test]
async fn only_job_kinds_with_due_rows_are_claimed() {
    for database in TestDatabase::each().await {
        let hooks = jobs::Hooks::default()
            .with(JobKind::MonitorRun, jobs::KindHooks::of::<crate::job_kinds::MonitorRunJob>())
            .with(JobKind::FeedPoll, jobs::KindHooks::of::<feeds::job_kinds::FeedPoll>());
        let domain = &database.domain.clone().install(hooks);
        let is_due = async || {
            let idle = jobs::due::kinds_without_due(domain).await.unwrap();
            [JobKind::MonitorRun, JobKind::FeedPoll].map(|kind| !idle.contains(&kind))
        };
        assert_eq!(is_due().await, [false, false]);
        create_monitor(domain, person(domain, Tier::Pro).await, "https://site.example/page").await;
        database.clock.advance(MINUTE);
        assert_eq!(is_due().await, [true, false]);
    }
}

#[tokio::test]
async fn monitor_of_a_paused_host_is_not_claimed() {
    for database in TestDatabase::each().await {
        let domain = &database.domain;
        let who = person(domain, Tier::Free).await;
        let monitor = create_monitor(domain, who, "https://busy.example/page").await;
        let transaction = domain.db().begin().await.unwrap();
        let until = domain.now() + 240_000;
        let pause =
            jobs::hosts::Pause { url: "https://busy.example/page", length: 240_000, account_id: Some(who) };
        jobs::hosts::pause(&transaction, domain.now(), pause).await.unwrap();
        transaction.commit().await.unwrap();
        database.clock.advance(60_000);
        assert_eq!(claim_due(domain).await.unwrap(), []);
        assert_eq!(get(domain, who, monitor.id).await.unwrap().next_run_at, Some(until));
    }
}

#[tokio::test]
async fn claim_scans_the_index_of_due_times() {
    for database in TestDatabase::each().await {
        let domain = &database.domain;
        let who = person(domain, Tier::Pro).await;
        for number in 0..40 {
            create_monitor(domain, who, &format!("https://site{number}.example/page")).await;
        }
        let transaction = domain.db().begin().await.unwrap();
        let backend = transaction.get_database_backend();
        let explain = match backend {
            DbBackend::Postgres => {
                transaction.execute_unprepared("SET LOCAL enable_seqscan = off").await.unwrap();
                "EXPLAIN "
            }
            _ => "EXPLAIN QUERY PLAN ",
        };
        let text = format!("{explain}{}", due::MONITORS.select(backend, 50));
        let rows =
            transaction.query_all_raw(statement(&transaction, &text, [domain.now().into()])).await.unwrap();
        let column = if backend == DbBackend::Postgres { 0 } else { 3 };
        let plan: Vec<String> = rows.iter().map(|row| row.try_get_by_index(column).unwrap()).collect();
        let plan = plan.join("\n");
        assert!(plan.contains("monitor_due"), "{plan}");
        assert!(!plan.contains("SCAN monitor") && !plan.contains("TEMP B-TREE"), "{plan}");
    }
}

/// In a new installation, the links of a rotated feed may be the first signed values.
#[tokio::test]
async fn feed_token_is_rotated_in_a_new_installation() {
    for database in TestDatabase::each().await {
        let domain = &database.domain;
        let who = person(domain, Tier::Free).await;
        let address = Address::parse(domain, "https://site.example/page").unwrap();
        let (name, definition) = ("Something".into(), page());
        let new = NewMonitor {
            name,
            address,
            definition,
            interval_minutes: None,
            follow: true,
            notify: Vec::new(),
            tags: Vec::new(),
            options: crate::MonitorOptions::default(),
        };
        let monitor = create(domain, who, new).await.unwrap().monitor;
        let rotated = rotate_feed(domain, who, monitor.id).await.unwrap();
        assert_ne!(rotated.feed_token, monitor.feed_token);
    }
}

#[tokio::test]
async fn replaced_feed_token_is_reported_as_gone() {
    for database in TestDatabase::each().await {
        let domain = &database.domain;
        let who = person(domain, Tier::Free).await;
        let monitor = create_monitor(domain, who, "https://site.example/page").await;
        let code = async |token: &str| {
            let result = find_feed(domain, token, FeedFormat::Rss, |_, _| false).await;
            result.map_or_else(|error| Some(error.code), |_| None)
        };
        let old = monitor.feed_token.clone();
        assert!(old.len() == 32 && old.bytes().all(|byte| byte.is_ascii_alphanumeric()));
        assert_eq!(code(&old).await, None);
        let rotated = rotate_feed(domain, who, monitor.id).await.unwrap();
        assert_eq!((code(&old).await, code(&rotated.feed_token).await), (Some(Code::FeedGone), None));
        delete(domain, who, monitor.id).await.unwrap();
        assert_eq!(code(&rotated.feed_token).await, Some(Code::FeedGone));
        assert_eq!(code(&"a".repeat(32)).await, Some(Code::NotFound));
        assert_eq!(code("../../etc").await, Some(Code::NotFound));
    }
}

#[tokio::test]
async fn feed_tokens_use_all_characters() {
    let database = TestDatabase::create(kernel::Backend::Sqlite).await;
    let letters: String = (0..200).map(|_| feed::new_token(&database.domain)).collect();
    let different: HashSet<char> = letters.chars().collect();
    assert_eq!((letters.len(), different.len()), (6_400, 62));
}

#[tokio::test]
async fn smaller_plan_pauses_the_newest_monitors() {
    for database in TestDatabase::each().await {
        let domain = &database.domain;
        let who = person(domain, Tier::Premium).await;
        let mut made = Vec::new();
        for number in 0..5 {
            database.clock.advance(1_000);
            made.push(create_monitor(domain, who, &format!("https://site{number}.example/page")).await.id);
        }
        let email = format!("{who}@example.org");
        identity::accounts::set_tier(&crate::testing::with_owners(domain), &email, Tier::Free).await.unwrap();
        for (index, id) in made.iter().enumerate() {
            let monitor = get(domain, who, *id).await.unwrap();
            let beyond = index >= 3;
            assert_eq!(monitor.status == Status::Paused, beyond);
            assert_eq!(monitor.pause_reason, beyond.then_some(PauseReason::PlanLimit));
            assert_eq!(monitor.next_run_at.is_none(), beyond);
        }
        let set = async |id: MonitorId, status: Status| {
            let edit = Edit { status: Some(status), ..Edit::default() };
            update(domain, who, id, edit)
                .await
                .map(|updated| updated.monitor.status)
                .map_err(|error| error.code)
        };
        assert_eq!(set(made[4], Status::Active).await, Err(Code::LimitReached));
        assert_eq!(set(made[0], Status::Paused).await, Ok(Status::Paused));
        assert_eq!(set(made[4], Status::Active).await, Ok(Status::Active));
    }
}

#[tokio::test]
async fn account_deletion_removes_monitors_and_their_feeds() {
    for database in TestDatabase::each().await {
        let domain = &database.domain;
        let who = person(domain, Tier::Free).await;
        let address = Address::parse(domain, "https://site.example/").unwrap();
        let new = NewMonitor {
            name: "Followed".into(),
            address,
            definition: page(),
            interval_minutes: None,
            follow: true,
            notify: Vec::new(),
            tags: Vec::new(),
            options: crate::MonitorOptions::default(),
        };
        let made = create(domain, who, new).await.unwrap();
        assert!(made.monitor.is_followed);
        identity::accounts::delete_by_email(
            &crate::testing::with_owners(domain),
            &format!("{who}@example.org"),
        )
        .await
        .unwrap();
        for table in ["monitor", "feed", "rss_subscription"] {
            let sql = format!("SELECT count(*) FROM {table}");
            assert_eq!(kernel::statement::scalar(domain.db().write(), &sql, []).await.unwrap(), 0, "{table}");
        }
        let gone = find_feed(domain, &made.monitor.feed_token, FeedFormat::Atom, |_, _| false).await;
        assert_eq!(gone.unwrap_err().code, Code::FeedGone);
    }
}

#[tokio::test]
async fn large_number_of_old_runs_is_deleted() {
    const MANY: u32 = 100_000;
    for database in TestDatabase::each().await {
        let domain = &database.domain;
        let who = person(domain, Tier::Pro).await;
        let monitor = create_monitor(domain, who, "https://example.com/page").await;
        let backend = domain.db().backend();
        let sql = format!(
            "INSERT INTO monitor_run (id, account_id, monitor_id, due_at, started_at, finished_at, outcome, added, \
             removed, modified, credits) SELECT {}, $1, $2, n, 0, $3, 'unchanged', 0, 0, 0, 1 FROM {}",
            random_id(backend),
            series(backend, MANY)
        );
        let values = [who.into(), monitor.id.into(), domain.now().into()];
        let write = domain.db().write();
        write.execute_raw(statement(write, &sql, values)).await.unwrap();
        database.clock.advance(90 * kernel::clock::DAY);
        assert_eq!(delete_old_runs(domain).await.unwrap(), 0);
        database.clock.advance(1);
        assert_eq!(delete_old_runs(domain).await.unwrap(), u64::from(MANY));
    }
}

/// Makes workers crash while they execute the due job, until the job is dead.
async fn crash_until_dead(domain: &Domain) -> jobs::DeadJob {
    let submitted = claim_due(domain).await.unwrap();
    assert_eq!(submitted.len(), 1);
    loop {
        jobs::claim(domain, submitted[0].id, "aborts", 30_000).await.unwrap().unwrap();
        let write = domain.db().write();
        let lapse = "UPDATE job SET lease_until = 1 WHERE state = 'running'";
        write.execute_unprepared(lapse).await.unwrap();
        if let Some(dead) = jobs::expire_leases(domain).await.unwrap().dead.pop() {
            return dead;
        }
        let make_due = "UPDATE job SET run_at = 0 WHERE state = 'ready'";
        write.execute_unprepared(make_due).await.unwrap();
    }
}

#[tokio::test]
async fn source_that_crashes_workers_counts_failures_until_given_up() {
    for database in TestDatabase::each().await {
        let domain = &database.domain;
        let who = person(domain, Tier::Pro).await;
        let id = create_monitor(domain, who, "https://example.com/poison").await.id;
        let mut pauses = Vec::new();
        loop {
            let monitor = get(domain, who, id).await.unwrap();
            let Some(next) = monitor.next_run_at else { break };
            pauses.push(next - domain.now());
            database.clock.advance((next - domain.now()).max(0));
            let dead = crash_until_dead(domain).await;
            give_up_run(domain, &dead).await.unwrap();
            give_up_run(domain, &dead).await.unwrap();
            let after = get(domain, who, id).await.unwrap();
            assert_eq!(after.last_error, Some(Code::UnsupportedContent));
        }
        assert!(pauses.is_sorted() && (5..10).contains(&pauses.len()), "{pauses:?}");
        assert_eq!(get(domain, who, id).await.unwrap().status, Status::Failed);
        let runs = entities::monitor_run::Entity::owned_by(who).count(domain.db().read()).await.unwrap();
        assert_eq!(runs, pauses.len() as u64, "each due time has one run");
        assert_eq!(identity::credits::audit(domain).await.unwrap(), []);
    }
}

#[tokio::test]
async fn monitors_with_shortened_intervals_are_spread_over_ten_minutes() {
    let database = TestDatabase::create(Backend::Sqlite).await;
    let domain = &database.domain;
    let who = person(domain, Tier::Pro).await;
    let now = domain.now();
    let mut instants = HashSet::new();
    for number in 0..40 {
        let monitor = create_monitor(domain, who, &format!("https://harbour.example/{number}")).await;
        let mut row = rows::load(domain.db().read(), who, monitor.id).await.unwrap();
        row.next_run_at = Some(now + DAY);
        let next = rules::reschedule(&row, HOUR, now).unwrap();
        assert!((now + HOUR..=now + HOUR + 10 * MINUTE).contains(&next), "{next}");
        instants.insert((next - now - HOUR) / MINUTE);
        let next = rules::reschedule(&row, 5 * MINUTE, now).unwrap();
        assert!(next <= now + 10 * MINUTE, "the spread is at most the interval");
        row.next_run_at = Some(now + 1);
        assert_eq!(rules::reschedule(&row, HOUR, now), Some(now + 1), "a due monitor is not delayed");
        row.failures = 1;
        row.next_run_at = Some(now + DAY);
        assert_eq!(
            rules::reschedule(&row, HOUR, now),
            row.next_run_at,
            "a waiting monitor is not rescheduled"
        );
    }
    assert!(instants.len() >= 8, "{instants:?}");
}

#[test]
fn comparability_depends_on_target_and_ignored_selectors() {
    use extract::watch::{Ignore, NumberChoice, TriggerKind, WatchedField};
    let sees_the_same = |one: &Definition, other: &Definition| definition::are_comparable(one, other);
    let selector = Definition { target: Target::Page { selector: Some("main".into()) }, ..page() };
    let hidden = Definition { ignore: vec![Ignore::Selector(".ad".into())], ..page() };
    let sitemap = |include: &str| Definition {
        target: Target::Sitemap { include: vec![include.into()], exclude: Vec::new() },
        ..page()
    };
    let extract = |number: NumberChoice| {
        let field = WatchedField { name: "price".into(), selector: "b".into(), key: false, number };
        Definition { target: Target::Extract { items: None, fields: vec![field] }, ..page() }
    };
    assert!(!sees_the_same(&page(), &selector) && !sees_the_same(&page(), &hidden));
    assert!(!sees_the_same(&sitemap("a"), &sitemap("b")));
    assert!(!sees_the_same(&extract(NumberChoice::First), &extract(NumberChoice::Last)));
    let trigger =
        Trigger { kind: TriggerKind::TextAppears, value: Some("storm".into()), ..Trigger::default() };
    for same in [
        Definition { trigger, ..page() },
        Definition { ignore: vec![Ignore::Text("weather".into())], ..page() },
        Definition { ordered: true, allow_empty: true, ..page() },
    ] {
        assert!(sees_the_same(&page(), &same), "the same observation is used: {same:?}");
    }
}
