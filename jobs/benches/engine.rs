//! Benchmark of the engine: no-op jobs per second, time from submit to start, the bare queues compared with
//! apalis-redis, and the queries of the sweep with a million stored rows.
//!
//! `bin/with-servers cargo bench -p carrel-jobs --features testing` prints a table. Two CPU-bound servers
//! share the machine with the benchmark, so ratios are meaningful and absolute numbers are not. `--
//! only=NAME` measures the engine of that row of the table alone (`only="PostgreSQL + Redis"`), `jobs=100000`
//! sets the number of jobs, `callers=16` the number of callers, and `row=stays` uses jobs whose rows are
//! retained on completion (by default rows are deleted, and any number of jobs may wait).

#![expect(clippy::print_stdout, reason = "a benchmark prints its table")]
#![expect(clippy::unwrap_used, reason = "a benchmark stops at the first error")]

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use ::jobs::{Engine, EngineSettings, Handler, Handlers, WorkerSettings, Workers};
use apalis::layers::WorkerBuilderExt;
use apalis_core::backend::TaskSink;
use apalis_core::backend::ext::BackendExt;
use apalis_core::error::BoxDynError;
use apalis_core::worker::builder::WorkerBuilder;
use apalis_core::worker::context::WorkerContext;
use apalis_core::worker::ext::parallelize::ParallelizeExt;
use apalis_redis::{Config, RedisStorage};
use jobs::{JobKind, NewJob};
use kernel::testing::{TestDatabase, redis_url};
use kernel::{Backend, Domain, Ids, RandomIds, SystemClock};
use sea_orm::ConnectionTrait;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

const JOBS: usize = 10_000;
const CALLERS: usize = 16;
const MANY_CALLERS: usize = 64;
const PINGS: usize = 1_000;
const ROWS: usize = 1_000_000;

#[tokio::main]
async fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let option = |name: &str| words.iter().find_map(|word| word.strip_prefix(name)?.strip_prefix('='));
    let only = option("only");
    let jobs = option("jobs").map_or(JOBS, |jobs| jobs.parse().unwrap());
    let kind = if option("row") == Some("stays") { JobKind::ReadJob } else { JobKind::LibraryText };
    let callers = option("callers").map(|callers| callers.parse::<usize>().unwrap());
    for callers in callers.map_or_else(|| vec![CALLERS, MANY_CALLERS], |callers| vec![callers]) {
        println!("whole engine, no-op jobs, {callers} submitting, {callers} running concurrently");
        println!("{:<22} {:>10} {:>12} {:>12}", "", "jobs/s", "start p50", "start p99");
        for (name, backend, redis) in [
            ("SQLite + memory", Backend::Sqlite, false),
            ("SQLite + Redis", Backend::Sqlite, true),
            ("PostgreSQL alone", Backend::Postgres, false),
            ("PostgreSQL + Redis", Backend::Postgres, true),
        ] {
            if only.is_none_or(|only| only == name) {
                whole_engine(name, (backend, redis), callers, (kind, jobs)).await;
            }
        }
    }
    if only.is_some() {
        return;
    }
    println!("\nids only, no database, {CALLERS} pushing, {CALLERS} running concurrently");
    println!("{:<22} {:>10} {:>12} {:>12}", "", "jobs/s", "start p50", "start p99");
    for (name, redis) in [("queue in memory", false), ("queue in Redis", true)] {
        let (database, engine) = engine(Backend::Sqlite, redis).await;
        let (rate, starts) = ::jobs::testing::measure_queue(&engine, JOBS, PINGS, CALLERS).await;
        print_row(name, rate, starts);
        drop(database);
    }
    apalis_redis(Duration::from_millis(2), "apalis-redis, 2 ms").await;
    apalis_redis(Duration::from_millis(100), "apalis-redis, 100 ms").await;

    println!("\nwith {ROWS} ready rows stored");
    println!("{:<22} {:>12} {:>12} {:>12}", "", "due 500", "claim one", "count 1000");
    million_rows("SQLite", Backend::Sqlite).await;
    million_rows("PostgreSQL", Backend::Postgres).await;
}

async fn engine(backend: Backend, redis: bool) -> (TestDatabase, Engine) {
    let database = TestDatabase::create(backend).await;
    let mut word = [0_u8; 8];
    RandomIds.fill(&mut word);
    let settings = EngineSettings {
        redis_url: redis.then(redis_url),
        redis_prefix: format!("bench{:x}", u64::from_le_bytes(word)),
        ..EngineSettings::default()
    };
    let domain = Domain::with(database.domain.db().clone(), Arc::new(SystemClock), Arc::new(RandomIds));
    (database, Engine::new(domain, settings).unwrap())
}

async fn whole_engine(
    name: &str,
    (backend, redis): (Backend, bool),
    callers: usize,
    (kind, jobs): (JobKind, usize),
) {
    let (_database, engine) = engine(backend, redis).await;
    let (sender, mut started) = mpsc::unbounded_channel();
    let handler = Handler::without_effect(kind, move |_, _| {
        let _ = sender.send(Instant::now());
        async { Ok(()) }
    });
    let settings = WorkerSettings { concurrency: [(kind, callers)].into(), ..WorkerSettings::default() };
    let handlers = Handlers::new().with(handler);
    let shutdown = CancellationToken::new();
    let workers = Workers::start(&engine, &handlers, &settings, shutdown.clone()).await;
    let scheduler = tokio::spawn(::jobs::scheduler::run(engine.clone(), shutdown.clone()));

    let mut starts = Vec::new();
    for number in 0..PINGS {
        let begin = Instant::now();
        let _ = engine.submit(new_job(kind, format!("ping{number}"))).await.unwrap();
        starts.push(started.recv().await.unwrap() - begin);
    }
    let begin = Instant::now();
    let next = Arc::new(AtomicUsize::new(0));
    for _ in 0..callers {
        let (engine, next) = (engine.clone(), next.clone());
        tokio::spawn(async move {
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= jobs {
                    return;
                }
                // Full queues refuse jobs; the benchmark waits for capacity like a well-behaved caller.
                while engine.submit(new_job(kind, number.to_string())).await.is_err() {
                    tokio::task::yield_now().await;
                }
            }
        });
    }
    for _ in 0..jobs {
        started.recv().await.unwrap();
    }
    engine.idle().await;
    print_row(name, rate(jobs, begin), starts);
    // Stops this engine completely before the next one is measured.
    shutdown.cancel();
    workers.stop().await;
    let _ = scheduler.await;
}

/// Creates a job with a payload of 200 bytes.
fn new_job(kind: JobKind, key: String) -> NewJob {
    NewJob::new(kind, key).payload(&"x".repeat(198)).unwrap()
}

async fn apalis_redis(interval: Duration, name: &str) {
    let connection = apalis_redis::connect(redis_url()).await.unwrap();
    let config = Config::default()
        .queue(name)
        .batch_size(1)
        .emit_events(false)
        .persist_results(false)
        .lock_tasks(false);
    let storage = RedisStorage::<String>::new(connection).with_config(config);
    let (sender, mut started) = mpsc::unbounded_channel();
    let context = WorkerContext::new(&format!("{name}-{}", std::process::id()));
    let worker = WorkerBuilder::new(context.clone())
        .backend(storage.clone().poll_with_interval(interval))
        .concurrency(CALLERS)
        .parallelize(tokio::spawn)
        .build(move |_: String| {
            let _ = sender.send(Instant::now());
            async { Ok::<(), BoxDynError>(()) }
        });
    let running = tokio::spawn(worker.run());
    let mut starts = Vec::new();
    for number in 0..PINGS.min(200) {
        let begin = Instant::now();
        storage.clone().push(format!("ping{number}")).await.unwrap();
        starts.push(started.recv().await.unwrap() - begin);
    }
    let begin = Instant::now();
    for caller in 0..CALLERS {
        let mut storage = storage.clone();
        tokio::spawn(async move {
            for number in 0..JOBS / CALLERS {
                storage.push(format!("{caller}-{number}")).await.unwrap();
            }
        });
    }
    let mut ran = 0;
    while ran < JOBS / CALLERS * CALLERS {
        match tokio::time::timeout(Duration::from_secs(20), started.recv()).await {
            Ok(_) => ran += 1,
            Err(_) => break,
        }
    }
    if ran < JOBS / CALLERS * CALLERS {
        println!("{name:<22} stalled after {ran} of {JOBS} jobs");
    } else {
        print_row(name, rate(JOBS, begin), starts);
    }
    context.stop().unwrap();
    running.abort();
}

async fn million_rows(name: &str, backend: Backend) {
    let (database, engine) = engine(backend, false).await;
    let domain = engine.domain();
    let (source, id) = match backend {
        Backend::Postgres => (format!("generate_series(1, {ROWS}) AS n"), "gen_random_uuid()"),
        Backend::Sqlite => (
            format!(
                "(WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < {ROWS}) SELECT n FROM c)"
            ),
            "randomblob(16)",
        ),
    };
    let insert = format!(
        "INSERT INTO job (id, kind, key, payload, priority, run_at, state, attempts, fence, created_at) \
         SELECT {id}, 'read_job', CAST(n AS TEXT), '{{}}', 0, n, 'ready', 0, 0, 0 FROM {source}"
    );
    domain.db().write().execute_unprepared(&insert).await.unwrap();
    domain.db().write().execute_unprepared("ANALYZE").await.unwrap();

    let mut batches = Vec::new();
    let mut claims = Vec::new();
    let mut counts = Vec::new();
    for _ in 0..20 {
        let begin = Instant::now();
        let due = jobs::due_batch(domain, JobKind::ReadJob, 500).await.unwrap();
        batches.push(begin.elapsed());
        for job in due.iter().take(50) {
            let begin = Instant::now();
            jobs::claim(domain, job.id, "bench", 30_000).await.unwrap().unwrap();
            claims.push(begin.elapsed());
        }
        let begin = Instant::now();
        jobs::waiting(domain.db().read(), domain, JobKind::ReadJob, 1_000).await.unwrap();
        counts.push(begin.elapsed());
    }
    let [batch, claim, count] =
        [batches, claims, counts].map(|mut times| format_ms(percentile(&mut times, 50)));
    println!("{name:<22} {batch:>12} {claim:>12} {count:>12}");
    drop(database);
}

#[expect(clippy::cast_precision_loss, reason = "a rate for display")]
fn rate(jobs: usize, since: Instant) -> f64 {
    jobs as f64 / since.elapsed().as_secs_f64()
}

fn print_row(name: &str, rate: f64, mut starts: Vec<Duration>) {
    let (p50, p99) = (percentile(&mut starts, 50), percentile(&mut starts, 99));
    println!("{name:<22} {rate:>10.0} {:>12} {:>12}", format_ms(p50), format_ms(p99));
}

fn percentile(times: &mut [Duration], percent: usize) -> Duration {
    times.sort();
    times[(times.len() - 1) * percent / 100]
}

fn format_ms(time: Duration) -> String {
    format!("{:.2} ms", time.as_secs_f64() * 1_000.0)
}
