//! Crash loop: the processes that run jobs are killed and started again every half second while they work. The
//! losses are not the fault of their jobs, so no job is given up, and all work completes soon after the last kill.

use std::sync::Arc;
use std::time::{Duration, Instant};

use kernel::testing::TestDatabase;
use kernel::tiers::Tier;
use kernel::{Backend, Domain, RandomIds, SystemClock};
use rustix::process::Signal;
use serde_json::json;
use tokio_util::sync::CancellationToken;

use crate::support::deployment::Web;
use crate::support::form::{Field, with_form};
use crate::support::monitoring::query_number;
use crate::support::person::Person;
use crate::support::servers::{PrivateRedis, Process, free_port};
use crate::support::site::article;
use crate::support::{HttpAnswer, Reply, Site, World, eventually, run};

const KILLS: usize = 8;
const KILL_INTERVAL: Duration = Duration::from_millis(500);
/// Interval between new read jobs.
const POST_INTERVAL: Duration = Duration::from_millis(50);
/// Maximum time from the last kill until all work is complete.
const MAX_RECOVERY: Duration = Duration::from_mins(1);
/// Number of pages whose site does not answer during the kills, so that their jobs run at each kill.
const SLOW_PAGES: u16 = 10;
/// Number of rows of the import that runs during the kills.
const ROWS: i64 = 500;

const LOST_STARTS: &str = "SELECT CAST(COALESCE(SUM(lost_starts), 0) AS bigint) FROM job";
const INCOMPLETE: &str = "SELECT (SELECT COUNT(*) FROM read_job WHERE state <> 'complete') \
     + (SELECT COUNT(*) FROM library_import WHERE state <> 'complete')";
const DEAD_OR_FAILED: &str = "SELECT (SELECT COUNT(*) FROM job WHERE state = 'dead') \
     + (SELECT COUNT(*) FROM read_job WHERE state = 'failed') \
     + (SELECT COUNT(*) FROM library_import WHERE state = 'failed')";

/// Processes of a deployment. Killed on drop.
struct Service {
    /// Processes that run jobs and are killed: both workers, or the single process.
    workers: Vec<Process>,
    worker_role: &'static str,
    others: Vec<Process>,
    port: u16,
    settings: Vec<(&'static str, String)>,
    /// Access to the database with the system clock.
    domain: Domain,
    _redis: Option<PrivateRedis>,
    _database: TestDatabase,
    _files: tempfile::TempDir,
}

impl Service {
    async fn start(world: World) -> Self {
        let (backend, workers, worker_role, redis) = match world {
            World::Small => (Backend::Sqlite, 1, "serve", None),
            World::Large => (Backend::Postgres, 2, "worker", Some(PrivateRedis::start().await)),
        };
        let database = TestDatabase::create(backend).await;
        let (port, files) = (free_port(), tempfile::tempdir().expect("create a temporary folder"));
        let mut settings = vec![
            ("DATABASE_URL", database.url.clone()),
            ("CARREL_FILES", files.path().display().to_string()),
            ("DATABASE_CONNECTIONS", "6".to_owned()),
            ("CARREL_LISTEN", format!("127.0.0.1:{port}")),
            ("CARREL_FETCH_ALLOW", "127.0.0.0/8".to_owned()),
            ("CARREL_READER_LIMITS", "off".to_owned()),
            ("CARREL_LEASE_SECONDS", "2".to_owned()),
            ("CARREL_EXTRACT_PROCESSES", "1".to_owned()),
            ("CARREL_SHUTDOWN_SECONDS", "1".to_owned()),
        ];
        settings.extend(redis.as_ref().map(|redis| ("REDIS_URL", redis.url())));
        let start = |role| Process::start(&[role], &settings);
        let others = match world {
            World::Small => Vec::new(),
            World::Large => vec![start("web"), start("scheduler")],
        };
        let workers = std::iter::repeat_n(worker_role, workers).map(start).collect();
        let handle = database.second_handle().await.db().clone();
        let domain = Domain::with(handle, Arc::new(SystemClock), Arc::new(RandomIds));
        let all = Self {
            workers,
            worker_role,
            others,
            port,
            settings,
            domain,
            _redis: redis,
            _database: database,
            _files: files,
        };
        all.web().wait_until_ready().await;
        all
    }

    fn web(&self) -> Web {
        Web::at(self.port)
    }

    /// Kills the workers, one after the other, and starts each again immediately.
    async fn kill_workers(&mut self) {
        let mut ticks = tokio::time::interval(KILL_INTERVAL);
        for number in 0..KILLS {
            ticks.tick().await;
            let index = number % self.workers.len();
            let worker = &mut self.workers[index];
            worker.signal(Signal::KILL);
            worker.wait_for_exit().await;
            *worker = Process::start(&[self.worker_role], &self.settings);
        }
    }
}

impl Drop for Service {
    /// Prints the logs of the processes if the test fails.
    fn drop(&mut self) {
        if std::thread::panicking() {
            for process in self.workers.iter().chain(&self.others) {
                eprintln!("{}\n---", process.log());
            }
        }
    }
}

/// Posts a read job. Returns false if the service is down or does not accept the job.
async fn post_job(web: &Web, url: &str) -> bool {
    let request = web.client.post(format!("{}/api/v1/read/jobs", web.origin));
    let body = json!({ "url": url }).to_string();
    let answer = request.header("content-type", "application/json").body(body).send().await;
    answer.is_ok_and(|answer| answer.status().as_u16() == 202)
}

/// Posts read jobs for new pages, each at another host, until `stop`. Returns the number of accepted jobs.
async fn post_jobs(web: &Web, site: &Site, stop: &CancellationToken) -> i64 {
    let (mut accepted, mut page, mut ticks) = (0, 0, tokio::time::interval(POST_INTERVAL));
    while stop.run_until_cancelled(ticks.tick()).await.is_some() {
        page += 1;
        accepted +=
            i64::from(post_job(web, &site.url_at(SLOW_PAGES + 1 + page, &format!("/page/{page}"))).await);
    }
    accepted
}

async fn import_links(web: &Web, person: &Person) {
    let row = |row| format!("Link {row},http://10.0.0.1/{row},1704067200,t,unread\n");
    let rows: String = (0..ROWS).map(row).collect();
    let text = format!("title,url,time_added,tags,status\n{rows}");
    let fields = [
        Field { name: "dryRun", file: None, body: b"false" },
        Field { name: "file", file: Some(("links.csv", "text/csv")), body: text.as_bytes() },
    ];
    let request = web.client.post(format!("{}/v1/library/imports", web.origin));
    let request = with_form(request.header("x-api-key", &person.key), &fields);
    HttpAnswer::of(request.send().await.expect("the service responds")).await.expect(202);
}

async fn assert_crash_loop_gives_up_no_job(world: World) {
    let mut service = Service::start(world).await;
    let (web, site, stop) = (service.web(), Site::start_on_many_hosts(), CancellationToken::new());
    site.put_prefix("/page/", |_| Reply::html(article()));
    let mut gates = Vec::new();
    for page in 0..SLOW_PAGES {
        let path = format!("/page/slow-{page}");
        gates.push(site.hold(&path));
        assert!(post_job(&web, &site.url_at(page + 1, &path)).await, "the service accepts jobs");
    }
    import_links(&web, &Person::in_domain(&service.domain, Tier::Pro).await).await;
    gates[0].wait_for_requests(1).await;
    let kills = async {
        service.kill_workers().await;
        stop.cancel();
    };
    let ((), accepted) = tokio::join!(kills, post_jobs(&web, &site, &stop));
    let last_kill = Instant::now();
    let lost_starts = async || query_number(&service.domain, LOST_STARTS).await;
    let lost = eventually("running jobs were lost", lost_starts, |lost| *lost > 0).await;
    for gate in &gates {
        gate.open();
    }
    let counts = async || {
        let incomplete = query_number(&service.domain, INCOMPLETE).await;
        (incomplete, query_number(&service.domain, DEAD_OR_FAILED).await)
    };
    let is_over = |(incomplete, given_up): &(i64, i64)| *incomplete == 0 || *given_up > 0;
    assert_eq!(eventually("the work ends", counts, is_over).await, (0, 0), "incomplete, given up");
    let recovery = last_kill.elapsed();
    println!("{accepted} read jobs during {KILLS} kills, {lost} lost starts, complete after {recovery:?}");
    assert!(recovery <= MAX_RECOVERY, "{recovery:?}");
    let complete = query_number(&service.domain, "SELECT COUNT(*) FROM read_job").await;
    assert!(
        complete >= accepted + i64::from(SLOW_PAGES),
        "{complete} of {accepted} accepted jobs are stored"
    );
    assert_eq!(query_number(&service.domain, "SELECT COUNT(*) FROM library_item").await, ROWS);
}

#[test]
fn crash_loop_of_both_workers_does_not_give_up_jobs() {
    run(assert_crash_loop_gives_up_no_job(World::Large));
}

#[test]
fn crash_loop_of_the_single_process_does_not_give_up_jobs() {
    run(assert_crash_loop_gives_up_no_job(World::Small));
}
