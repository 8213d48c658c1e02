//! Queue with very many rows and workers. The test executes the product's statements for claims, completions,
//! and sweeps, but no work.

use std::collections::HashSet;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use jobs::JobKind;
use kernel::testing::TestDatabase;
use kernel::{Backend, DatabaseSettings, Domain, JobId, RandomIds, SystemClock};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use super::filled_database::{insert_rows, uuid};
use crate::support::monitoring::query_number;
use crate::support::run;

/// Number of due rows, and number of rows that are processed. `CARREL_TEST_ROWS` and `CARREL_TEST_JOBS`
/// override them.
const ROWS: u64 = 1_000_000;
const JOBS: u64 = 100_000;
/// Number of processes, each with its own connections, and number of workers per process.
const PROCESSES: u64 = 10;
const WORKERS: u64 = 20;
const JOBS_PER_CLAIM: usize = 16;
/// One in this number of claims is abandoned, as if its worker had died.
const DIES: u64 = 100;

#[expect(clippy::disallowed_methods, reason = "the environment of the test sets the size")]
fn size(name: &str, usual: u64) -> u64 {
    std::env::var(name).ok().and_then(|size| size.parse().ok()).unwrap_or(usual)
}

/// Formats the median, the 99th percentile, and the maximum of durations.
fn times(mut times: Vec<Duration>) -> String {
    times.sort_unstable();
    let at = |share: usize| times.get(times.len() * share / 100).copied().unwrap_or_default();
    let most = times.last().copied().unwrap_or_default();
    format!(
        "{:.1?} in the middle, {:.1?} at the 99th of 100, {most:.1?} at most, of {}",
        at(50),
        at(99),
        times.len()
    )
}

/// Combined results of all workers.
#[derive(Default)]
struct WorkReport {
    claimed: AtomicU64,
    ended: Mutex<HashSet<JobId>>,
    lost: AtomicU64,
}

#[test]
fn two_hundred_workers_claim_no_row_of_a_million_twice() {
    run(async {
        let (rows, jobs) = (size("CARREL_TEST_ROWS", ROWS), size("CARREL_TEST_JOBS", JOBS));
        let test = TestDatabase::create(Backend::Postgres).await;
        let filler = test.handle_with(&DatabaseSettings::without_timeouts(2)).await;
        fill(&filler, rows).await;
        let scheduler = real(&filler);
        let (done, stop) = (Arc::new(WorkReport::default()), CancellationToken::new());
        let sweeps = tokio::spawn(sweep(scheduler.clone(), stop.clone()));
        let (begin, mut workers) = (Instant::now(), JoinSet::new());
        for process in 0..PROCESSES {
            let settings = DatabaseSettings { max_connections: 2, ..DatabaseSettings::default() };
            let domain = real(&test.handle_with(&settings).await);
            for worker in 0..WORKERS {
                let (domain, done) = (domain.clone(), Arc::clone(&done));
                workers.spawn(async move { work(&domain, (process, worker), jobs, &done).await });
            }
        }
        let mut claims = Vec::new();
        while let Some(times) = workers.join_next().await {
            claims.extend(times.expect("the worker does not panic"));
        }
        let took = begin.elapsed();
        stop.cancel();
        let (surveys, expiries, mut recovered) = sweeps.await.expect("the sweeps do not panic");
        loop {
            let last = jobs::expire_leases(&scheduler).await.expect("the sweep succeeds").requeued;
            recovered += last;
            if last == 0 {
                break;
            }
        }
        let ended = u64::try_from(done.ended.lock().unwrap().len()).unwrap();
        let lost = done.lost.load(Ordering::Relaxed);
        println!(
            "{rows} rows, {} workers of {PROCESSES} processes: {ended} jobs claimed and ended in {took:.1?}, {:.0} a second",
            PROCESSES * WORKERS,
            f64::from(u32::try_from(ended).unwrap_or(u32::MAX)) / took.as_secs_f64(),
        );
        println!("a claim of {JOBS_PER_CLAIM}: {}", times(claims));
        println!("a survey of all rows meanwhile: {}", times(surveys));
        println!("a look for lost workers meanwhile: {}; {lost} jobs were lost and found", times(expiries));
        assert_eq!(recovered, lost, "every job of a lost worker is recovered");
        let left = query_number(&scheduler, "SELECT COUNT(*) FROM job").await;
        assert_eq!(
            u64::try_from(left).unwrap(),
            rows - ended,
            "the rows of completed jobs are deleted, and no others"
        );
        let running = query_number(&scheduler, "SELECT COUNT(*) FROM job WHERE state <> 'ready'").await;
        assert_eq!(running, 0, "all other jobs are ready");
    });
}

fn real(domain: &Domain) -> Domain {
    Domain::with(domain.db().clone(), Arc::new(SystemClock), Arc::new(RandomIds))
}

/// Inserts due jobs of two kinds and of all priorities.
async fn fill(domain: &Domain, rows: u64) {
    let id = uuid("i");
    let job = [
        ("id", id.as_str()),
        ("kind", "CASE WHEN i % 10 = 0 THEN 'mail' ELSE 'feed_hub' END"),
        ("key", "CAST(i AS text)"),
        ("payload", "'[]'"),
        ("priority", "CASE i % 4 WHEN 0 THEN 20 WHEN 1 THEN 10 WHEN 2 THEN 0 ELSE -10 END"),
        ("state", "'ready'"),
        ("run_at", "i"),
    ];
    insert_rows(domain, "job", rows, &job).await;
    let vacuum = sea_orm::ConnectionTrait::execute_unprepared(domain.db().write(), "VACUUM ANALYZE job");
    vacuum.await.expect("the statistics are updated");
}

/// Claims and completes jobs until `jobs` jobs are claimed. Returns the duration of each claim.
async fn work(domain: &Domain, (process, worker): (u64, u64), jobs: u64, done: &WorkReport) -> Vec<Duration> {
    let mut times = Vec::new();
    for round in 0_u64.. {
        if done.claimed.load(Ordering::Relaxed) >= jobs {
            break;
        }
        let kind = if round % 10 == worker % 10 { JobKind::Mail } else { JobKind::FeedHub };
        let dies = (round * WORKERS + worker) % DIES == DIES - 1;
        let name = format!("{kind}-{process}-{worker}.{round}");
        let begin = Instant::now();
        // The lease of an abandoned claim expires immediately.
        let lease = if dies { -1 } else { 30_000 };
        let claims = jobs::claim_next(domain, kind, JOBS_PER_CLAIM, (&name, lease)).await;
        let claims = claims.unwrap_or_else(|error| panic!("claiming failed: {error}"));
        times.push(begin.elapsed());
        let count = u64::try_from(claims.len()).unwrap();
        if dies {
            done.lost.fetch_add(count, Ordering::Relaxed);
            continue;
        }
        done.claimed.fetch_add(count, Ordering::Relaxed);
        let completions = claims.iter().map(|claimed| jobs::complete(domain, claimed));
        for (claimed, end) in claims.iter().zip(futures_util::future::join_all(completions).await) {
            end.expect("the claim is still valid");
            assert!(done.ended.lock().unwrap().insert(claimed.id), "{} completed twice", claimed.id);
        }
        if claims.is_empty() {
            break;
        }
    }
    times
}

/// Runs the scheduler's sweeps every second until `stop` is cancelled. Returns the durations of both kinds of
/// sweeps, and the number of jobs that were recovered from lost workers.
async fn sweep(domain: Domain, stop: CancellationToken) -> (Vec<Duration>, Vec<Duration>, u64) {
    let (mut surveys, mut expiries, mut recovered) = (Vec::new(), Vec::new(), 0);
    let mut tick = tokio::time::interval(Duration::from_secs(1));
    while stop.run_until_cancelled(tick.tick()).await.is_some() {
        let begin = Instant::now();
        let survey = jobs::survey(&domain, 10_000).await.expect("the survey succeeds");
        assert!(survey.iter().any(|kind| kind.waiting > 0), "jobs are waiting");
        surveys.push(begin.elapsed());
        let begin = Instant::now();
        recovered += jobs::expire_leases(&domain).await.expect("the sweep succeeds").requeued;
        expiries.push(begin.elapsed());
    }
    (surveys, expiries, recovered)
}
