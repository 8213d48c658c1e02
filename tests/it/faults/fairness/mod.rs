//! Fairness: a greedy account uses one part of the service as much as its limits allow, while nine ordinary
//! accounts send small requests. Both deployment types are tested, in a memory cgroup of 1 GiB if the test
//! may create a cgroup.
//!
//! Latencies are printed as a Markdown table but not asserted. The test asserts the answers to the ordinary
//! accounts and to `/healthz`, the growth of memory, the bytes on disk, and that no process exits.

mod cgroup;
mod greedy;
mod loads;
mod ordinary;
mod report;
mod service;

use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::time::{MissedTickBehavior, interval, timeout};
use tokio_util::sync::CancellationToken;

use self::cgroup::MemoryCgroup;
use self::greedy::Greedy;
use self::loads::Load;
use self::ordinary::OrdinaryAccounts;
use self::report::{Row, print_table};
use self::service::{FileBytes, Service};
use crate::support::deployment::Web;
use crate::support::{World, eventually, run};

/// Number of rounds per ordinary account and measurement.
const ROUNDS: usize = 6;
/// Maximum growth of the processes' memory under a load, in megabytes.
const MAX_GROWTH_MB: u64 = 200;
/// Memory limit of the cgroup, in bytes.
const MEMORY_LIMIT: u64 = 1 << 30;
/// Interval between the requests for `/healthz`.
const HEALTH_INTERVAL: Duration = Duration::from_millis(20);
/// Maximum time after a load until exports are complete, and until deleted exports and aborted uploads are
/// removed from the disk.
const SETTLE_TIME: Duration = Duration::from_secs(58);

#[test]
fn greedy_account_does_not_starve_others_in_one_process() {
    run(measure_all(World::Small));
}

#[test]
fn greedy_account_does_not_starve_others_in_separate_processes() {
    run(measure_all(World::Large));
}

/// True if `CARREL_TEST_LOADS` contains the name of the load. The variable lists names, separated by commas.
/// If it is not set, all loads are selected.
#[expect(clippy::disallowed_methods, reason = "the environment of the test selects the loads")]
fn is_selected(load: &Load) -> bool {
    let names = std::env::var("CARREL_TEST_LOADS").ok();
    names.is_none_or(|names| names.split(',').any(|name| name.trim() == load.name))
}

async fn measure_all(world: World) {
    if let Err(reason) = MemoryCgroup::create(MEMORY_LIMIT) {
        println!(
            "SKIPPED: the limit of 1 GiB of memory is not tested, because no cgroup can be created: {reason}"
        );
    }
    let mut rows = Vec::new();
    for load in loads::all().iter().filter(|load| is_selected(load)) {
        let row = measure(world, load).await;
        println!("{row}\n    {}", row.details());
        rows.push(row);
    }
    print_table(&rows);
    let failures: Vec<&String> = rows.iter().flat_map(|row| &row.failures).collect();
    assert!(failures.is_empty(), "{failures:#?}");
}

/// Measures one load on a new deployment.
async fn measure(world: World, load: &Load) -> Row {
    let mut service = Service::start(world, MemoryCgroup::create(MEMORY_LIMIT).ok()).await;
    let ordinary = OrdinaryAccounts::create(&service).await;
    let traffic = load.prepare(Arc::new(Greedy::create(&service).await)).await;
    let warm = ordinary.run(1).await;
    let alone = ordinary.run(ROUNDS).await;

    let memory_before_mb = service.memory_mb();
    let stop = CancellationToken::new();
    let memory = tokio::spawn(service.watch_memory(stop.clone()));
    let health = tokio::spawn(watch_health(service.web(), stop.clone()));
    let traffic = traffic.start(&ordinary.completed());
    // The first round begins before the load has reached its maximum, so it is measured separately.
    let first = ordinary.run(1).await;
    let loaded = ordinary.run(ROUNDS).await;
    let answers = traffic.stop().await;
    stop.cancel();
    let health = health.await.expect("the requests for /healthz do not panic");

    let mut row = Row {
        load: load.name,
        world,
        alone: alone.p99(),
        loaded: loaded.p99(),
        slowest: loaded.slowest(),
        memory_before_mb,
        memory_peak_mb: memory.await.expect("the memory can be measured"),
        slowest_health: health.slowest,
        files: settled_files(&service).await,
        limited: alone.limited + loaded.limited,
        answers,
        failures: Vec::new(),
    };
    for (when, measurement) in
        [("alone", warm), ("alone", alone), ("under load", first), ("under load", loaded)]
    {
        row.failures.extend(measurement.failures.iter().take(5).map(|failure| format!("{when}: {failure}")));
    }
    if health.failures > 0 {
        row.failures.push(format!("{} requests for /healthz were not answered with 200", health.failures));
    }
    row.failures.extend(service.deaths());
    row.check_bounds();
    service.stop().await;
    row
}

/// Returns the bytes of files when all files are counted, or after [`SETTLE_TIME`] at the latest. The file of
/// an export is counted when it is complete. The file of a deleted export stays on disk until the next
/// clean-up.
async fn settled_files(service: &Service) -> FileBytes {
    let observe = async || service.file_bytes().await;
    let settled = eventually("the files are counted", observe, FileBytes::are_counted);
    match timeout(SETTLE_TIME, settled).await {
        Ok(files) => files,
        Err(_) => service.file_bytes().await,
    }
}

/// Results of the requests for `/healthz`.
struct Health {
    slowest: Duration,
    /// Number of requests without a 200 response.
    failures: usize,
}

/// Requests `/healthz` until `stop` is cancelled, one request at a time.
async fn watch_health(web: Web, stop: CancellationToken) -> Health {
    let mut health = Health { slowest: Duration::ZERO, failures: 0 };
    let mut tick = interval(HEALTH_INTERVAL);
    tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
    while stop.run_until_cancelled(tick.tick()).await.is_some() {
        let begin = Instant::now();
        let answer = web.try_get("/healthz").await;
        health.slowest = health.slowest.max(begin.elapsed());
        if answer.is_none_or(|answer| answer.status != 200) {
            health.failures += 1;
        }
    }
    health
}
