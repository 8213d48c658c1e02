//! Measures the number of feeds that one worker process polls per second.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use articles::worker_tools::{self, Tools};
use extract::sandbox::{Pool, PoolSettings};
use identity::limits::window::Windows;
use jobs::{Engine, EngineSettings, WorkerSettings, Workers};
use kernel::testing::TestDatabase;
use kernel::{Backend, Domain, Policy, RandomIds, SystemClock};
use tokio_util::sync::CancellationToken;

use super::BACKENDS;
use super::rows::{count, execute, fill};

const SAME: usize = 20_000;
const NEW: usize = 4_000;
/// One in this many feeds is on a server that never responds.
const SILENT: usize = 50;

pub(crate) async fn measure() {
    println!("\nfeeds polled by one worker, one feed per host, on two cores shared with the site");
    println!(
        "{:<12} {:<34} {:>8} {:>9} {:>16} {:>8}",
        "", "", "feeds", "a second", "CPU us per feed", "failed"
    );
    let site = PolledSite::start();
    for (name, backend) in BACKENDS {
        let world = BenchWorker::open(backend, &site).await;
        let same = world.poll_all("same", SAME, SAME).await;
        same.print(name, "304");
        world.assert_not_modified().await;
        world.clear().await;
        let first = world.poll_all("new", NEW, NEW).await;
        first.print(name, "30 KB, first poll, 30 entries new");
        let entries = count(&world.domain, "SELECT COUNT(*) FROM feed_entry").await;
        assert_eq!(entries, 30 * (i64::try_from(NEW).unwrap() - first.failed));
        let again = world.poll_again(NEW).await;
        again.print(name, "30 KB, one new entry each, stored");
        let stored = count(&world.domain, "SELECT COUNT(*) FROM feed_entry").await - entries;
        let late = first.failed * 29;
        assert_eq!(stored, i64::try_from(NEW).unwrap() - again.failed + late);
        world.close().await;
    }
}

/// Measures how much the other feeds are delayed if one of fifty servers does not respond until the deadline.
pub(crate) async fn measure_with_unresponsive_servers() {
    println!(
        "\nthe same with one of {SILENT} servers silent: feeds of the others, 304, until all of them are polled"
    );
    let site = PolledSite::start();
    for (name, backend) in BACKENDS {
        let world = BenchWorker::open(backend, &site).await;
        let talking = SAME - SAME / SILENT;
        world.insert_feeds("same", SAME).await;
        let text = "UPDATE feed SET url = REPLACE(url, '/same/', '/silent/') WHERE id % $1 = 0";
        execute(world.domain.db().write(), text, vec![i64::try_from(SILENT).unwrap().into()]).await;
        let rate = world.until_polled(talking).await;
        rate.print(name, "304, one of fifty silent");
        world.close().await;
    }
}

struct Rate {
    feeds: usize,
    /// Number of unreachable feeds. Feeds are unreachable if the benchmark overloads the machine.
    failed: i64,
    wall: Duration,
    cpu_time: Duration,
}

impl Rate {
    fn print(&self, name: &str, what: &str) {
        let each = self.cpu_time.as_secs_f64() * 1e6 / self.feeds as f64;
        let rate = self.feeds as f64 / self.wall.as_secs_f64();
        let failed = self.failed;
        println!("{name:<12} {what:<34} {:>8} {rate:>9.0} {each:>16.0} {failed:>8}", self.feeds);
    }
}

/// Site that serves the polled feeds from a separate process.
struct PolledSite {
    process: Child,
    port: u16,
}

impl PolledSite {
    fn start() -> Self {
        let mut process = Command::new(std::env::current_exe().unwrap())
            .arg("site")
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut line).unwrap();
        Self { process, port: line.trim().parse().unwrap() }
    }
}

impl Drop for PolledSite {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// One worker process with its database.
struct BenchWorker {
    database: TestDatabase,
    domain: Domain,
    port: u16,
    workers: Workers,
    shutdown: CancellationToken,
}

impl BenchWorker {
    async fn open(backend: Backend, site: &PolledSite) -> Self {
        let database = TestDatabase::create(backend).await;
        let domain = Domain::with(database.domain.db().clone(), Arc::new(SystemClock), Arc::new(RandomIds));
        let guard = fetch::FetcherSettings {
            allow: vec![format!("127.0.0.0/8:{}", site.port).parse().unwrap()],
            ..fetch::FetcherSettings::default()
        };
        let program = std::env::current_exe().unwrap();
        let policy = Policy { fetch: guard, ..Policy::default() };
        let pool = Pool::new(PoolSettings::new(program, vec!["extract-child".into()]));
        let tools = Tools::new(&policy, pool, worker_tools::ToolSettings::default()).unwrap();
        let domain = identity::limits::install(domain.with_policy(policy), Windows::memory());
        let domain = application::compose(domain);
        let engine = Engine::new(domain.clone(), EngineSettings::default()).unwrap();
        let shutdown = CancellationToken::new();
        let handlers = application::job_kinds::handlers(&tools);
        let workers = Workers::start(&engine, &handlers, &WorkerSettings::default(), shutdown.clone()).await;
        tokio::spawn(jobs::scheduler::run(engine, shutdown.clone()));
        Self { database, domain, port: site.port, workers, shutdown }
    }

    async fn close(self) {
        self.shutdown.cancel();
        self.workers.stop().await;
        drop(self.database);
    }

    async fn clear(&self) {
        for table in ["rss_subscription", "rss_collection", "account", "feed"] {
            execute(self.domain.db().write(), &format!("DELETE FROM {table}"), Vec::new()).await;
        }
    }

    async fn poll_all(&self, kind: &str, feeds: usize, expected: usize) -> Rate {
        self.insert_feeds(kind, feeds).await;
        self.until_polled(expected).await
    }

    /// Asserts that the polls of `same` feeds received status 304. A few feeds may be due for a full fetch.
    async fn assert_not_modified(&self) {
        let entries = count(&self.domain, "SELECT COUNT(*) FROM feed_entry").await;
        let all = 30 * i64::try_from(SAME).unwrap();
        assert!(entries < all / 100, "{entries} entries of feeds that should answer 304 were stored");
    }

    /// Inserts feeds that have subscriptions and are not due. Feeds of the kind `same` count as fetched
    /// before, because the first request for a feed sends no validators.
    async fn insert_feeds(&self, kind: &str, feeds: usize) {
        let (domain, port, now) = (&self.domain, self.port, self.domain.now());
        let write = domain.db().write();
        let id: kernel::AccountId = domain.new_id();
        let text = "INSERT INTO account (id, email, password_hash, tier, created_at, password_changed_at) \
                    VALUES ($1, $2, '', 'pro', $3, $3)";
        execute(write, text, vec![id.into(), format!("{id}@example.org").into(), now.into()]).await;
        let text = "INSERT INTO rss_collection (account_id, name, name_key, kind, created_at) \
                    VALUES ($1, 'Unsorted', '', 'unsorted', $2)";
        execute(write, text, vec![id.into(), now.into()]).await;
        let host = "'127.' || (n / 62500 + 1) || '.' || (n / 250 % 250) || '.' || (n % 250 + 1)";
        let (etag, hash, fetched_at) = match kind {
            "same" => ("'\"same\"'", "1", now.to_string()),
            _ => ("NULL", "0", "NULL".to_owned()),
        };
        let row = format!(
            "'http://' || {host} || ':{port}/{kind}/' || n, {host} || ':{port}', {etag}, {hash}, TRUE, FALSE, NULL, \
             {fetched_at}, FALSE, {now}"
        );
        let insert = "feed (url, host, etag, body_hash, trust_guid, trust_url, next_poll_at, \
                      last_fetched_at, gone, created_at)";
        fill(domain, feeds, insert, &row, Vec::new()).await;
        let text = "INSERT INTO rss_subscription \
                    (account_id, feed_id, collection_id, full_text, read_through, created_at) \
                    SELECT $1, f.id, c.id, FALSE, 0, $2 FROM feed f JOIN rss_collection c ON c.account_id = $1";
        execute(write, text, vec![id.into(), now.into()]).await;
    }

    async fn poll_again(&self, feeds: usize) -> Rate {
        let text = "UPDATE feed SET next_poll_at = NULL, failures = 0";
        execute(self.domain.db().write(), text, Vec::new()).await;
        self.until_polled(feeds).await
    }

    /// Makes every feed due, and waits until at least `expected` of them are polled.
    async fn until_polled(&self, expected: usize) -> Rate {
        let (begin, cpu_before) = (Instant::now(), process_cpu_time());
        let due_at = self.domain.now();
        let text = "UPDATE feed SET next_poll_at = $1";
        execute(self.domain.db().write(), text, vec![due_at.into()]).await;
        let limit = Duration::from_mins(5);
        let text = format!("SELECT COUNT(*) FROM feed WHERE last_fetched_at > {due_at} OR failures > 0");
        loop {
            let polled = usize::try_from(count(&self.domain, &text).await).unwrap();
            if polled >= expected {
                break;
            }
            assert!(
                begin.elapsed() < limit,
                "only {polled} of {expected} feeds were polled within {limit:?}"
            );
            let _ = tokio::time::timeout(Duration::from_millis(100), std::future::pending::<()>()).await;
        }
        let (wall, cpu_time) = (begin.elapsed(), process_cpu_time().saturating_sub(cpu_before));
        let failed = count(&self.domain, "SELECT COUNT(*) FROM feed WHERE failures > 0").await;
        Rate { feeds: expected, failed, wall, cpu_time }
    }
}

/// Returns the CPU time of this process, without the site and the extraction processes.
fn process_cpu_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), u32::try_from(time.tv_nsec).unwrap())
}
