//! Tests that every transport must pass. The depth limit applies to ids in memory and in Redis; rows have no
//! such limit.

use std::sync::Arc;

use kernel::testing::{TestDatabase, redis_url};
use kernel::{Backend, Ids, JobId, Millis, RandomIds};

use crate::rows::Priority;
use sea_orm::{ConnectionTrait, DbBackend, Statement};

use super::*;
use crate::completion::CompletionWaiters;

const LIMIT: usize = 5;

/// Transport under test. For the rows, pushed items are inserted first, and drained items are claimed.
struct TestQueue {
    transport: Arc<Transport>,
    rows: Option<TestDatabase>,
}

impl TestQueue {
    async fn each() -> Vec<Self> {
        let ids = bounded().map(|transport| Self { transport: Arc::new(transport), rows: None });
        let database = TestDatabase::create(Backend::Postgres).await;
        database.clock.advance(1_000);
        let rows = RowTransport::open(database.domain.clone(), Arc::new(CompletionWaiters::default()));
        let rows = Self { transport: Arc::new(Transport::Rows(Box::new(rows))), rows: Some(database) };
        ids.into_iter().chain([rows]).collect()
    }

    async fn push(&self, kind: JobKind, items: &[QueueItem]) -> Vec<JobId> {
        let sql = "INSERT INTO job (id, kind, key, payload, priority, run_at, state, attempts, fence, created_at) \
             VALUES ($1, $2, $3, '{}', $4, $5, 'ready', 0, 0, 0) \
             ON CONFLICT (id) DO UPDATE SET priority = GREATEST(job.priority, excluded.priority)";
        if let Some(database) = &self.rows {
            for item in items {
                let priority = Priority::Urgent.as_i16() - i16::try_from(item.level()).unwrap();
                let run_at = item.score & ((1 << 42) - 1);
                let key = item.id.to_string();
                let values =
                    [item.id.into(), kind.as_str().into(), key.into(), priority.into(), run_at.into()];
                let query = Statement::from_sql_and_values(DbBackend::Postgres, sql, values);
                database.domain.db().write().execute_raw(query).await.unwrap();
            }
        }
        self.transport.push(kind, items).await.unwrap()
    }

    async fn take(&self, kind: JobKind, most: usize) -> Vec<u128> {
        let Some(database) = &self.rows else {
            let items = self.transport.pop(kind, most).await.unwrap();
            return items.iter().map(|item| item.id.as_u128()).collect();
        };
        let name = format!("worker{}", u64::from_le_bytes(database.domain.random::<8>()));
        let claims = crate::rows::claim_next(&database.domain, kind, most, (&name, 60_000)).await.unwrap();
        claims.iter().map(|claimed| claimed.id.as_u128()).collect()
    }

    async fn drain(&self, kind: JobKind) -> Vec<u128> {
        let mut ids = Vec::new();
        loop {
            let taken = self.take(kind, 2).await;
            if taken.is_empty() {
                return ids;
            }
            ids.extend(taken);
        }
    }
}

fn bounded() -> [Transport; 2] {
    let mut bytes = [0_u8; 8];
    RandomIds.fill(&mut bytes);
    let prefix = format!("test{:016x}", u64::from_le_bytes(bytes));
    let redis = Redis::open(&redis_url(), &prefix, LIMIT, Arc::new(CompletionWaiters::default())).unwrap();
    [Transport::Memory(MemoryTransport::new(LIMIT)), Transport::Redis(redis)]
}

fn item(number: u128, priority: Priority, run_at: Millis) -> QueueItem {
    QueueItem::new(JobId::from_u128(number), priority, run_at)
}

async fn drain(transport: &Transport, kind: JobKind) -> Vec<u128> {
    let mut ids = Vec::new();
    loop {
        let items = transport.pop(kind, 2).await.unwrap();
        if items.is_empty() {
            break;
        }
        ids.extend(items.iter().map(|item| item.id.as_u128()));
    }
    ids
}

#[tokio::test]
async fn ids_are_popped_by_priority_and_then_by_due_time() {
    for queue in TestQueue::each().await {
        let now = kernel::testing::START;
        let items = [
            item(1, Priority::Normal, now),
            item(2, Priority::Urgent, now + 5),
            item(3, Priority::Low, 0),
            item(4, Priority::Urgent, now),
            item(5, Priority::High, now),
        ];
        assert!(queue.push(JobKind::ReadJob, &items).await.is_empty());
        assert_eq!(queue.transport.depth(JobKind::ReadJob).await.unwrap(), 5);
        assert_eq!(queue.drain(JobKind::Extraction).await, [0_u128; 0]);
        assert_eq!(queue.drain(JobKind::ReadJob).await, [4, 2, 5, 1, 3]);
        assert_eq!(queue.transport.depth(JobKind::ReadJob).await.unwrap(), 0);
    }
}

#[tokio::test]
async fn id_is_unique_and_can_only_become_more_urgent() {
    for queue in TestQueue::each().await {
        let kind = JobKind::ReadJob;
        queue.push(kind, &[item(1, Priority::Normal, 7), item(2, Priority::High, 7)]).await;
        queue.push(kind, &[item(1, Priority::Urgent, 7), item(2, Priority::Low, 7)]).await;
        assert_eq!(queue.transport.depth(kind).await.unwrap(), 2);
        assert_eq!(queue.drain(kind).await, [1, 2]);
    }
}

#[tokio::test]
async fn full_queue_refuses_ids_or_evicts_less_urgent_ids() {
    for transport in bounded() {
        let kind = JobKind::ReadJob;
        let first: Vec<QueueItem> = (1..=7).map(|number| item(number, Priority::Normal, 100)).collect();
        let rejected_ids = transport.push(kind, &first).await.unwrap();
        assert_eq!(rejected_ids, [JobId::from_u128(6), JobId::from_u128(7)]);
        // The item is as urgent as the others and due after them, so it does not evict another id.
        let rejected_ids = transport.push(kind, &[item(8, Priority::Normal, 101)]).await.unwrap();
        assert_eq!(rejected_ids, [JobId::from_u128(8)]);
        let evicted = transport.push(kind, &[item(9, Priority::Urgent, 100)]).await.unwrap();
        assert_eq!(evicted, [JobId::from_u128(5)]);
        assert_eq!(drain(&transport, kind).await, [9, 1, 2, 3, 4]);
    }
}

#[tokio::test]
async fn push_wakes_the_workers_of_its_kind() {
    for queue in TestQueue::each().await {
        let mut wakeup = queue.transport.wakeup(JobKind::ReadJob);
        let woken = async { wakeup.changed().await.unwrap() };
        let push = async {
            // Redis notifies only subscribers, so the test pushes until the wake-up arrives.
            for number in 1.. {
                queue.push(JobKind::ReadJob, &[item(number, Priority::Normal, 0)]).await;
                queue.take(JobKind::ReadJob, 1).await;
                tokio::task::yield_now().await;
            }
        };
        tokio::select! {
            () = woken => {}
            () = push => {}
            () = async { tokio::time::timeout(std::time::Duration::from_mins(1), std::future::pending::<()>()).await.unwrap_err(); } =>
                panic!("no wake-up arrived"),
        }
    }
}

#[tokio::test]
async fn cancelled_pop_pushes_its_ids_back() {
    for transport in bounded() {
        let kind = JobKind::ReadJob;
        for _ in 0..50 {
            let pushed = [item(1, Priority::Normal, 3), item(2, Priority::Normal, 3)];
            transport.push(kind, &pushed).await.unwrap();
            {
                let mut pop = std::pin::pin!(transport.pop(kind, 2));
                // The pop has started, and is dropped before or after the response.
                let _ = futures_util::poll!(&mut pop);
                tokio::task::yield_now().await;
            }
            let mut popped = Vec::new();
            for _ in 0..1_000 {
                popped.extend(transport.pop(kind, 2).await.unwrap());
                if popped.len() == 2 {
                    break;
                }
                tokio::task::yield_now().await;
            }
            match (&transport, popped) {
                // In memory the first poll completes the pop, and the ids are dropped with the future.
                (Transport::Memory(_), popped) if popped.is_empty() => {}
                (_, popped) => assert_eq!(popped, pushed),
            }
        }
    }
}

#[test]
fn scores_are_exact_in_redis_and_preserve_the_order() {
    let far = item(1, Priority::Low, Millis::MAX);
    assert!(far.score < 1 << 53);
    assert!(item(1, Priority::Urgent, Millis::MAX) < item(0, Priority::High, Millis::MIN));
    assert!(item(9, Priority::Normal, 1) < item(1, Priority::Normal, 2));
}

#[tokio::test]
async fn concurrent_pushes_queue_each_id_and_return_the_refused_ids() {
    for transport in bounded() {
        let transport = Arc::new(transport);
        let mut pushes = tokio::task::JoinSet::new();
        for number in 1..=12 {
            let transport = transport.clone();
            pushes.spawn(async move {
                transport.push(JobKind::ReadJob, &[item(number, Priority::Normal, 0)]).await.unwrap()
            });
        }
        let rejected_ids: Vec<u128> =
            pushes.join_all().await.concat().into_iter().map(JobId::as_u128).collect();
        let mut all = drain(&transport, JobKind::ReadJob).await;
        assert_eq!((all.len(), rejected_ids.len()), (LIMIT, 12 - LIMIT));
        all.extend(rejected_ids);
        all.sort_unstable();
        assert_eq!(all, (1..=12).collect::<Vec<u128>>());
    }
}

#[tokio::test]
async fn concurrent_claims_get_disjoint_rows() {
    let queues = TestQueue::each().await;
    let rows = Arc::new(queues.into_iter().last().unwrap());
    let items: Vec<QueueItem> = (1..=60).map(|number| item(number, Priority::Normal, 0)).collect();
    assert!(rows.push(JobKind::ReadJob, &items).await.is_empty(), "pushes to rows are never refused");
    let mut draws = tokio::task::JoinSet::new();
    for _ in 0..6 {
        let rows = rows.clone();
        draws.spawn(async move { rows.drain(JobKind::ReadJob).await });
    }
    let mut all = draws.join_all().await.concat();
    all.extend(rows.drain(JobKind::ReadJob).await);
    all.sort_unstable();
    assert_eq!(all, (1..=60).collect::<Vec<u128>>());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn push_through_rows_wakes_workers_of_another_process() {
    let database = TestDatabase::create(Backend::Postgres).await;
    let other = RowTransport::open(database.second_handle().await, Arc::new(CompletionWaiters::default()));
    other.ping().await.unwrap();
    let mut wakeup = other.wakeups.subscribe(JobKind::Mail);
    wakeup.mark_unchanged();
    RowTransport::open(database.domain.clone(), Arc::new(CompletionWaiters::default())).push(JobKind::Mail);
    tokio::time::timeout(std::time::Duration::from_mins(1), wakeup.changed()).await.unwrap().unwrap();
}
