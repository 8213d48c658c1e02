//! Tests with the same expectations for every store, and a model check of the sliding log.

use std::collections::VecDeque;
use std::process::{Child, Command, Stdio};

use futures_util::future::join_all;
use proptest::prelude::*;
use sea_orm::ConnectionTrait;

use super::*;
use jobs::{JobKind, NewJob};
use kernel::testing::TestDatabase;

const NOON: Millis = 1_795_176_000_000;

/// A private Redis on a Unix socket, stopped on drop.
struct PrivateRedis {
    child: Child,
    folder: tempfile::TempDir,
}

impl PrivateRedis {
    fn start() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let socket = folder.path().join("redis.sock");
        let child = Command::new("redis-server")
            .args(["--port", "0", "--save", "", "--appendonly", "no", "--unixsocket"])
            .arg(&socket)
            .arg("--dir")
            .arg(folder.path())
            .stdout(Stdio::null())
            .spawn()
            .expect("redis-server must be installed (apt-get install redis-server)");
        let redis = Self { child, folder };
        let started = std::time::Instant::now();
        while !socket.exists() || redis.client().get_connection().is_err() {
            assert!(started.elapsed().as_secs() < 60, "redis-server did not start");
            std::thread::yield_now();
        }
        redis
    }

    fn client(&self) -> redis::Client {
        redis::Client::open(format!("unix://{}", self.folder.path().join("redis.sock").display())).unwrap()
    }

    fn windows(&self, prefix: &str, time: ClockSource) -> Windows {
        Windows::redis(&self.client(), prefix, time).unwrap()
    }

    fn stop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for PrivateRedis {
    fn drop(&mut self) {
        self.stop();
    }
}

fn reader(cost: u32) -> [RatePolicy; 2] {
    [RatePolicy::sliding("burst", 5, 10), RatePolicy::sliding("sustained", 60, 60).with_cost(cost)]
}

/// Remaining quota and reset of each policy.
fn view(decision: &LimitDecision) -> Vec<(u32, u32)> {
    decision.states.iter().map(|state| (state.remaining, state.reset_s)).collect()
}

async fn reader_policies_count_as_specified(windows: &Windows) {
    let first = windows.check("a", &reader(1), NOON).await;
    assert!(first.allowed);
    assert_eq!(view(&first), [(4, 10), (59, 60)]);
    assert_eq!(first.tightest().unwrap().name, "burst");
    for step in 1..5 {
        assert!(windows.check("a", &reader(1), NOON + step * 1000).await.allowed);
    }
    let decision = windows.check("a", &reader(1), NOON + 4500).await;
    assert!(!decision.allowed);
    assert_eq!(view(&decision), [(0, 6), (55, 56)]);
    assert_eq!(decision.violated().collect::<Vec<_>>(), ["burst"]);
    assert_eq!(decision.retry_after(), 6);
    assert!(!windows.check("a", &reader(1), NOON + 9999).await.allowed, "one millisecond too early");
    let second = windows.check("a", &reader(1), NOON + 10_000).await;
    assert!(second.allowed, "refused requests are not counted, so the reported retry time is correct");
    assert_eq!(view(&second), [(0, 1), (54, 50)]);
    assert!(windows.check("b", &reader(1), NOON).await.allowed, "the counter of another key is separate");
}

async fn batch_costs_one_burst_unit_and_all_sustained_units(windows: &Windows) {
    for step in 0..5 {
        assert!(windows.check("batch", &reader(10), NOON + step * 20).await.allowed);
    }
    let after_20_s = NOON + 20_000;
    assert_eq!(view(&windows.check("batch", &reader(8), after_20_s).await), [(4, 10), (2, 40)]);
    let decision = windows.check("batch", &reader(10), after_20_s).await;
    assert_eq!(decision.violated().collect::<Vec<_>>(), ["sustained"]);
    assert_eq!(decision.states[0].remaining, 4, "a refusal by one policy charges no other");
    let in_time = after_20_s + i64::from(decision.retry_after()) * 1000;
    assert!(
        windows.check("batch", &reader(10), in_time).await.allowed,
        "the retry time covers the whole cost"
    );
}

async fn day_starts_at_the_initial_usage_and_resets_at_midnight(windows: &Windows) {
    let policy = [RatePolicy::day("day", 10, 7)];
    let first = windows.check("d", &policy, NOON).await;
    assert_eq!(view(&first), [(2, 43_200)]);
    let higher_initial = [RatePolicy::day("day", 10, 20)];
    assert!(
        windows.check("d", &higher_initial, NOON).await.allowed,
        "initial usage applies only to an empty counter"
    );
    assert!(windows.check("d", &policy, NOON).await.allowed);
    let decision = windows.check("d", &policy, NOON + 1).await;
    assert_eq!((decision.allowed, decision.retry_after()), (false, 43_200));
    let fresh = [RatePolicy::day("day", 10, 0)];
    assert_eq!(view(&windows.check("d", &fresh, NOON + 43_200_000).await), [(9, 86_400)]);
}

async fn refund_restores_the_quota_and_zero_quota_refuses(windows: &Windows) {
    let policies = [RatePolicy::sliding("minute", 1, 60), RatePolicy::day("day", 1, 0)];
    let charged = windows.check("r", &policies, NOON).await;
    assert!(charged.allowed);
    assert!(!windows.check("r", &policies, NOON + 5).await.allowed);
    windows.refund("r", &policies, &charged).await;
    let second = windows.check("r", &policies, NOON + 6).await;
    assert!(second.allowed);
    windows.refund("r", &policies, &windows.check("r", &policies, NOON + 7).await).await;
    assert!(!windows.check("r", &policies, NOON + 8).await.allowed, "a refused check has nothing to refund");

    let nothing = [RatePolicy::sliding("minute", 0, 60)];
    let decision = windows.check("zero", &nothing, NOON).await;
    assert_eq!((decision.allowed, decision.retry_after()), (false, 60));
    let free_check = windows.check("look", &[RatePolicy::sliding("minute", 3, 60).with_cost(0)], NOON).await;
    assert_eq!((free_check.allowed, view(&free_check)), (true, vec![(3, 0)]));
}

async fn refund_applies_to_its_own_policy_and_day(windows: &Windows) {
    let policies = [RatePolicy::day("reads", 5, 0), RatePolicy::day("texts", 5, 0)];
    let charged = windows.check("days", &policies, NOON).await;
    assert_eq!(view(&charged), [(4, 43_200), (4, 43_200)]);
    windows.refund("days", &policies[1..], &charged).await;
    assert_eq!(view(&windows.check("days", &policies, NOON).await), [(3, 43_200), (4, 43_200)]);
    let tomorrow = NOON + 43_200_000;
    assert_eq!(view(&windows.check("days", &policies, tomorrow).await), [(4, 86_400), (4, 86_400)]);
    windows.refund("days", &policies, &charged).await;
    let tomorrow_check = windows.check("days", &policies, tomorrow).await;
    assert_eq!(
        view(&tomorrow_check),
        [(3, 86_400), (3, 86_400)],
        "a charge of yesterday is not refunded today"
    );
}

async fn refund_of_a_check_without_cost_changes_nothing(windows: &Windows) {
    let charge = RatePolicy::sliding("minute", 5, 60);
    assert!(windows.check("free", &[charge], NOON).await.allowed);
    let free = [charge.with_cost(0)];
    let free_check = windows.check("free", &free, NOON).await;
    windows.refund("free", &free, &free_check).await;
    assert_eq!(view(&windows.check("free", &free, NOON).await), [(4, 60)]);
}

async fn check_expectations(windows: &Windows) {
    reader_policies_count_as_specified(windows).await;
    batch_costs_one_burst_unit_and_all_sustained_units(windows).await;
    day_starts_at_the_initial_usage_and_resets_at_midnight(windows).await;
    refund_restores_the_quota_and_zero_quota_refuses(windows).await;
    refund_applies_to_its_own_policy_and_day(windows).await;
    refund_of_a_check_without_cost_changes_nothing(windows).await;
}

#[tokio::test]
async fn memory_store_satisfies_the_shared_expectations() {
    check_expectations(&Windows::memory()).await;
}

#[tokio::test]
async fn redis_store_satisfies_the_shared_expectations() {
    let redis = PrivateRedis::start();
    check_expectations(&redis.windows("t:", ClockSource::Caller)).await;
}

#[tokio::test]
async fn postgres_store_satisfies_the_shared_expectations() {
    let test = TestDatabase::create(Backend::Postgres).await;
    check_expectations(&Windows::database(test.domain.db(), ClockSource::Caller)).await;
}

#[tokio::test]
async fn postgres_store_uses_the_server_clock() {
    let test = TestDatabase::create(Backend::Postgres).await;
    let windows = Windows::database(test.domain.db(), ClockSource::Server);
    let charged = windows.check("k", &[RatePolicy::sliding("minute", 5, 60)], 5_000).await;
    assert!(charged.at > 1_700_000_000_000, "{}", charged.at);
}

#[tokio::test]
async fn process_falls_back_to_local_counting_without_the_database() {
    let test = TestDatabase::create(Backend::Postgres).await;
    let windows = Windows::database(test.domain.db(), ClockSource::Caller);
    let policy = [RatePolicy::sliding("minute", 2, 60)];
    test.domain.db().write().execute_unprepared("DROP TABLE rate_count").await.unwrap();
    let mut allowed = 0;
    for _ in 0..10 {
        allowed += u32::from(windows.check("k", &policy, NOON).await.allowed);
    }
    assert_eq!(allowed, 2, "the local limit is applied");
}

#[tokio::test]
async fn locked_counter_table_blocks_neither_requests_nor_claims() {
    let test = TestDatabase::create(Backend::Postgres).await;
    let job = jobs::submit_batched(&test.domain, NewJob::new(JobKind::ReadJob, "a")).await.unwrap();
    let windows = Windows::database(test.domain.db(), ClockSource::Caller);
    let policy = [RatePolicy::sliding("minute", 2, 60)];
    let lock = test.domain.db().begin().await.unwrap();
    lock.execute_unprepared("LOCK TABLE rate_count IN ACCESS EXCLUSIVE MODE").await.unwrap();
    let check = |number: u32| {
        let (windows, policy, key) = (windows.clone(), policy, format!("k{}", number % 2));
        async move { windows.check(&key, &policy, NOON).await.allowed }
    };
    let results = join_all((0..40).map(check)).await;
    assert_eq!(results.iter().filter(|allowed| **allowed).count(), 4, "each key has its own quota");
    assert_eq!(jobs::claim_all(&test.domain, &[job.id], "w", 30_000).await.unwrap().len(), 1);
    drop(lock);
}

#[tokio::test]
async fn redis_store_uses_the_server_clock() {
    let redis = PrivateRedis::start();
    let windows = redis.windows("t:", ClockSource::Server);
    let long_ago = 5_000;
    let charged = windows.check("k", &[RatePolicy::sliding("minute", 5, 60)], long_ago).await;
    assert!(charged.at > 1_700_000_000_000, "{}", charged.at);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn concurrent_checks_never_exceed_the_quota() {
    let redis = PrivateRedis::start();
    let memory = Windows::memory();
    // Four separate handles stand for four processes.
    let shared: Vec<Windows> = (0..4).map(|_| redis.windows("t:", ClockSource::Server)).collect();
    let test = TestDatabase::create(Backend::Postgres).await;
    let mut rows = Vec::new();
    for _ in 0..4 {
        rows.push(Windows::database(test.second_handle().await.db(), ClockSource::Server));
    }
    for stores in [vec![memory], shared, rows] {
        let tasks: Vec<_> = (0..200)
            .map(|number| {
                let windows = stores[number % stores.len()].clone();
                let policies = [RatePolicy::sliding("minute", 60, 60), RatePolicy::day("day", 50, 0)];
                tokio::spawn(async move { windows.check("k", &policies, NOON).await.allowed })
            })
            .collect();
        let mut allowed = 0;
        for task in tasks {
            allowed += u32::from(task.await.unwrap());
        }
        assert_eq!(allowed, 50);
    }
}

#[tokio::test]
async fn process_falls_back_to_local_counting_without_redis() {
    let mut redis = PrivateRedis::start();
    let windows = redis.windows("t:", ClockSource::Caller);
    let policy = [RatePolicy::sliding("minute", 2, 60)];
    assert!(windows.check("k", &policy, NOON).await.allowed);
    redis.stop();
    let mut allowed = 0;
    for _ in 0..10 {
        allowed += u32::from(windows.check("k", &policy, NOON).await.allowed);
    }
    assert_eq!(allowed, 2, "the local limit is applied");
}

#[tokio::test]
async fn memory_store_retains_a_bounded_number_of_keys() {
    let memory = memory::MemoryStore::default();
    for address in 0..200_000_u32 {
        memory.check(&address.to_string(), &reader(1), NOON + i64::from(address) / 100);
    }
    assert!(memory.keys() <= 65_536, "{} keys", memory.keys());
}

proptest! {
    /// Compares the log with a simple model: a list of times.
    #[test]
    fn sliding_log_agrees_with_a_list_model(
        steps in prop::collection::vec((0_i64..4000, 0_u32..4), 1..80),
        quota in 0_u32..8,
        seconds in 1_u32..8,
    ) {
        let memory = memory::MemoryStore::default();
        let mut model: VecDeque<Millis> = VecDeque::new();
        let (mut now, span) = (NOON, i64::from(seconds) * 1000);
        for (pause, cost) in steps {
            now += pause;
            model.retain(|at| at + span > now);
            let policy = [RatePolicy::sliding("p", quota, seconds).with_cost(cost)];
            let expected = cost == 0 || model.len() + cost as usize <= quota as usize;
            let decision = decision(&policy, &memory.check("k", &policy, now), now);
            prop_assert_eq!(decision.allowed, expected);
            if expected {
                model.extend(std::iter::repeat_n(now, cost as usize));
            }
            prop_assert_eq!(decision.states[0].used as usize, model.len());
            if !expected && cost <= quota {
                let then = now + i64::from(decision.retry_after()) * 1000;
                let left = model.iter().filter(|at| *at + span > then).count();
                prop_assert!(left + cost as usize <= quota as usize, "the promised time comes too early");
            }
        }
    }
}
