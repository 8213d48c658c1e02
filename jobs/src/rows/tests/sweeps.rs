//! Tests of sweeping, counting, listing, and deleting jobs.

use super::*;
use entities::ids::JobId;

#[tokio::test]
async fn job_is_not_claimed_before_its_due_time() {
    for db in TestDatabase::each().await {
        let future_job = submitted(&db.domain, read_job("a").run_at(START + 1_000)).await;
        assert!(!future_job.to_push);
        assert_eq!(claim(&db.domain, future_job.id, "w", LEASE).await.unwrap(), None);
        assert_eq!(due_batch(&db.domain, JobKind::ReadJob, 10).await.unwrap(), vec![]);
        db.clock.advance(1_000);
        assert_eq!(due_batch(&db.domain, JobKind::ReadJob, 10).await.unwrap().len(), 1);
        assert!(claim(&db.domain, future_job.id, "w", LEASE).await.unwrap().is_some());
    }
}

#[tokio::test]
async fn sweep_returns_jobs_by_urgency_and_then_by_due_time() {
    for db in TestDatabase::each().await {
        let mut expected = Vec::new();
        for (priority, run_at) in [
            (Priority::Normal, START - 5),
            (Priority::Urgent, START - 1),
            (Priority::Urgent, START - 9),
            (Priority::Low, START - 99),
            (Priority::High, START - 2),
        ] {
            let job = read_job(&format!("{priority:?}{run_at}")).priority(priority).run_at(run_at);
            expected.push((std::cmp::Reverse(priority), run_at, submitted(&db.domain, job).await.id));
        }
        expected.sort();
        let ids: Vec<JobId> = expected.into_iter().map(|(_, _, id)| id).collect();
        assert_eq!(
            due_batch(&db.domain, JobKind::ReadJob, 10).await.unwrap(),
            vec![],
            "all jobs have been pushed"
        );

        unmark_pushed(&db.domain, &ids).await.unwrap();
        let first: Vec<JobId> =
            due_batch(&db.domain, JobKind::ReadJob, 3).await.unwrap().iter().map(|due| due.id).collect();
        assert_eq!(first, ids[..3]);
        let rest: Vec<JobId> =
            due_batch(&db.domain, JobKind::ReadJob, 10).await.unwrap().iter().map(|due| due.id).collect();
        assert_eq!(rest, ids[3..]);
        assert_eq!(due_batch(&db.domain, JobKind::Extraction, 10).await.unwrap(), vec![]);
    }
}

#[tokio::test]
async fn only_leases_of_the_lost_worker_are_revoked() {
    for db in TestDatabase::each().await {
        let mut ids = Vec::new();
        for (key, worker) in [("a", "gone"), ("b", "here")] {
            let id = submitted(&db.domain, read_job(key)).await.id;
            claim(&db.domain, id, worker, LEASE).await.unwrap().unwrap();
            ids.push(id);
        }
        let mut busy = running_claims(&db.domain).await.unwrap();
        busy.sort();
        assert_eq!(busy, ["gone", "here"]);
        revoke_leases(&db.domain, &["gone".to_owned()]).await.unwrap();
        assert_eq!(expire_leases(&db.domain).await.unwrap().requeued, 1);
        assert_eq!(running_claims(&db.domain).await.unwrap(), ["here"]);
        let claimed = claim(&db.domain, ids[0], "next", LEASE).await.unwrap().unwrap();
        assert_eq!((claimed.attempt, claimed.fence), (2, 2));
    }
}

#[tokio::test]
async fn sweep_skips_rows_locked_by_another_process() {
    let db = TestDatabase::create(Backend::Postgres).await;
    for key in ["a", "b"] {
        submitted(&db.domain, read_job(key)).await;
    }
    let holder = db.domain.db().begin().await.unwrap();
    holder.execute_unprepared("SELECT id FROM job LIMIT 1 FOR UPDATE").await.unwrap();
    let sweep = lost_batch(&db.domain, JobKind::ReadJob, 0, 10);
    let batch = tokio::time::timeout(std::time::Duration::from_mins(1), sweep).await;
    assert_eq!(batch.expect("the sweep does not wait for locked rows").unwrap().len(), 1);
}

#[tokio::test]
async fn sweep_recovers_jobs_lost_by_the_queue() {
    for db in TestDatabase::each().await {
        let lost = submitted(&db.domain, read_job("a")).await.id;
        assert_eq!(lost_batch(&db.domain, JobKind::ReadJob, 10_000, 10).await.unwrap(), vec![]);
        let batch = lost_batch(&db.domain, JobKind::ReadJob, 0, 10).await.unwrap();
        assert_eq!(batch.iter().map(|due| due.id).collect::<Vec<_>>(), [lost]);
    }
}

#[tokio::test]
async fn waiting_jobs_are_counted_with_the_oldest_due_time() {
    for db in TestDatabase::each().await {
        let read = db.domain.db().read();
        assert_eq!(oldest_due(read, &db.domain, JobKind::ReadJob).await.unwrap(), None);
        let job = submitted(&db.domain, read_job("a").run_at(START - 7)).await;
        unmark_pushed(&db.domain, &[job.id]).await.unwrap();
        let _ = submitted(&db.domain, read_job("b").run_at(START - 3)).await;
        let _ = submitted(&db.domain, read_job("later").run_at(START + 3)).await;
        assert_eq!(waiting(read, &db.domain, JobKind::ReadJob, 100).await.unwrap(), 2);
        assert_eq!(waiting(read, &db.domain, JobKind::ReadJob, 1).await.unwrap(), 1);
        assert_eq!(oldest_due(read, &db.domain, JobKind::ReadJob).await.unwrap(), Some(START - 7));
        claim(&db.domain, job.id, "w", LEASE).await.unwrap().unwrap();
        assert_eq!(running(read, &db.domain, JobKind::ReadJob).await.unwrap(), 1);
    }
}

#[tokio::test]
async fn finished_rows_are_deleted_after_their_retention() {
    for db in TestDatabase::each().await {
        let done = claimed(&db.domain, "a").await;
        complete(&db.domain, &done).await.unwrap();
        let _ = submitted(&db.domain, read_job("live")).await;
        db.clock.advance(JobKind::ReadJob.rules().keep_finished_ms - 1);
        assert_eq!(delete_finished(&db.domain).await.unwrap(), 0);
        db.clock.advance(1);
        assert_eq!(delete_finished(&db.domain).await.unwrap(), 1);
        let left = list(&db.domain, &JobFilter::default()).await.unwrap();
        assert_eq!(left.iter().map(|job| job.key.as_str()).collect::<Vec<_>>(), ["live"]);
    }
}

#[tokio::test]
async fn lists_are_filtered_and_paged() {
    for db in TestDatabase::each().await {
        for number in 0..5 {
            db.clock.advance(1);
            let _ = submitted(&db.domain, read_job(&number.to_string())).await;
        }
        let _ = submitted(&db.domain, NewJob::new(JobKind::Extraction, "x")).await;
        let filter =
            JobFilter { kind: Some(JobKind::ReadJob), state: Some(JobState::Ready), limit: 3, after: None };
        let page = list(&db.domain, &filter).await.unwrap();
        assert_eq!(page.iter().map(|job| job.key.as_str()).collect::<Vec<_>>(), ["4", "3", "2"]);
        let next = JobFilter { after: Some(page[2].id), ..filter };
        let page = list(&db.domain, &next).await.unwrap();
        assert_eq!(page.iter().map(|job| job.key.as_str()).collect::<Vec<_>>(), ["1", "0"]);
    }
}

/// Every query that the engine runs regularly must use an index, regardless of the number of stored rows.
#[tokio::test]
async fn engine_queries_use_indexes() {
    let db = TestDatabase::create(Backend::Sqlite).await;
    let questions = [
        "SELECT id FROM job WHERE finished_at IS NULL AND state = 'ready' AND kind = 'a' AND pushed_at IS NULL \
         AND priority = 0 AND run_at <= 5 ORDER BY run_at LIMIT 5",
        "SELECT id FROM job WHERE finished_at IS NULL AND state = 'ready' AND kind = 'a' AND pushed_at <= 5 \
         ORDER BY priority DESC, run_at LIMIT 5",
        "SELECT 1 FROM job WHERE finished_at IS NULL AND state = 'ready' AND kind = 'a' \
         AND priority IN (0, 10) AND run_at <= 5 LIMIT 5",
        "SELECT id FROM job WHERE finished_at IS NULL AND state = 'running' AND lease_until <= 5 AND kind = 'a' LIMIT 5",
        "SELECT id FROM job WHERE kind = 'a' AND finished_at <= 5 LIMIT 5",
        "SELECT * FROM job WHERE kind = 'a' AND key = 'b' AND finished_at IS NULL",
        "UPDATE job SET state = 'running' WHERE id = x'00' AND state = 'ready' AND run_at <= 5",
        "UPDATE job SET state = 'running' WHERE id IN (SELECT unhex(n.value) FROM json_each('[]') AS n) \
         AND state = 'ready'",
        "SELECT job.rowid FROM json_each('[]') AS h CROSS JOIN job ON job.id = unhex(h.value ->> 0) \
         AND job.fence = h.value ->> 1",
    ];
    for question in questions {
        let explain = format!("EXPLAIN QUERY PLAN {question}");
        let read = db.domain.db().write();
        let rows = read.query_all_raw(statement(read, &explain, [])).await.unwrap();
        let plan: Vec<String> = rows.iter().map(|row| row.try_get("", "detail").unwrap()).collect();
        // The plan may scan a table that the statement itself creates.
        let temporary = ["VIRTUAL TABLE", "LIST SUBQUERY", "BLOOM FILTER"];
        let mut lines = plan.iter().filter(|line| !temporary.iter().any(|words| line.contains(words)));
        assert!(lines.all(|line| line.starts_with("SEARCH")), "{question}: {plan:?}");
    }
}
