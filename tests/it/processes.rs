//! Real executable: separate processes on PostgreSQL and Redis that are killed and stopped during work, and a
//! single process without external services.

use std::time::{Duration, Instant};

use jobs::{JobFilter, JobKind, JobState};
use kernel::Backend;
use kernel::testing::TestDatabase;
use rustix::process::Signal;
use sea_orm::ConnectionTrait;
use serde_json::json;

use crate::support::app::read_path;
use crate::support::deployment::{Deployment, Web};
use crate::support::servers::{PrivateRedis, Process, free_port};
use crate::support::{Site, eventually, run};

#[test]
fn separate_processes_serve_reads_batches_and_jobs() {
    run(async {
        let mut all = Deployment::start(2).await;
        let (town, other) = (all.site.article("/town"), all.site.article("/other"));
        let read = all.web.get(&read_path(&town, &[])).await.expect(200).json();
        assert_eq!((&read["title"], &read["cache_hit"]), (&json!("A town by the sea"), &json!(false)));
        let requests = json!({"requests": [{"url": town}, {"url": other, "format": "text"}, {"url": "x"}]});
        let batch = all.web.post("/api/v1/read/batch", &requests).await.expect(200).json();
        assert_eq!((&batch["succeeded"], &batch["failed"]), (&json!(2), &json!(1)));
        let ids = [
            all.web.create_read_job(&town).await,
            all.web.create_read_job(&all.site.article("/third")).await,
        ];
        for id in &ids {
            all.wait_for_read_job(id).await;
        }
        assert_eq!(all.site.hits("/town"), 1);
        for process in &mut all.processes {
            process.signal(Signal::TERM);
        }
        for process in &mut all.processes {
            assert!(process.wait_for_exit().await.success(), "{}", process.log());
        }
    });
}

#[test]
fn job_of_a_killed_worker_is_completed_by_another() {
    run(async {
        let mut all = Deployment::start(2).await;
        let url = all.site.article("/town");
        let gate = all.site.hold("/town");
        let id = all.web.create_read_job(&url).await;
        gate.wait_for_requests(1).await;
        let domain = all.domain().await;
        let filter = JobFilter {
            kind: Some(JobKind::Extraction),
            state: Some(JobState::Running),
            after: None,
            limit: 1,
        };
        let running = jobs::list(&domain, &filter).await.unwrap().pop().expect("an extraction runs");
        // The worker name has the format `extraction-HOST-PID-RANDOM.CLAIM`.
        let name = running.worker.expect("a worker runs it");
        let pid: u32 = name.rsplit('-').nth(1).unwrap().parse().unwrap();
        let victim = all
            .processes
            .iter_mut()
            .find(|process| process.pid() == pid)
            .expect("the worker is one of these processes");
        victim.signal(Signal::KILL);
        assert!(!victim.wait_for_exit().await.success());
        gate.open();
        all.wait_for_read_job(&id).await;
        assert!(all.site.hits("/town") >= 2, "the second worker fetches again");
    });
}

#[test]
fn job_of_a_dead_local_process_is_retried_before_its_lease_expires() {
    run(async {
        let an_hour = [("CARREL_LEASE_SECONDS", "3600".to_owned())];
        let mut all = Deployment::start_with(1, &an_hour).await;
        let gate = all.site.hold("/held");
        let id = all.web.create_read_job(&all.site.article("/held")).await;
        gate.wait_for_requests(1).await;
        all.processes[2].signal(Signal::KILL);
        gate.open();
        all.start_worker();
        all.wait_for_read_job(&id).await;
    });
}

#[test]
fn killed_redis_loses_no_job() {
    run(async {
        let mut all = Deployment::start(1).await;
        let (slow, cached) = (all.site.article("/held"), all.site.article("/kept"));
        all.web.get(&read_path(&cached, &[])).await.expect(200);
        let gate = all.site.hold("/held");
        let running = all.web.create_read_job(&slow).await;
        gate.wait_for_requests(1).await;
        all.redis().kill();
        let away = all.web.create_read_job(&all.site.article("/away")).await;
        all.web.get(&read_path(&cached, &[])).await.expect(200);
        let refused = all.web.get(&read_path(&all.site.article("/new"), &[])).await;
        refused.problem(503, "service_unavailable");
        gate.open();
        all.redis().restart().await;
        all.wait_for_read_job(&running).await;
        all.wait_for_read_job(&away).await;
        assert!(all.processes.iter_mut().all(|process| process.exit_status().is_none()), "no process exits");
    });
}

#[test]
fn unresponsive_redis_does_not_block_requests_or_lose_jobs() {
    run(async {
        let mut all = Deployment::start(1).await;
        let cached = all.site.article("/kept");
        all.web.get(&read_path(&cached, &[])).await.expect(200);
        // Redis keeps its connections open but does not respond.
        all.redis().signal(Signal::STOP);
        let written = all.web.create_read_job(&all.site.article("/away")).await;
        all.web.get(&read_path(&cached, &[])).await.expect(200);
        let refused = all.web.get(&read_path(&all.site.article("/new"), &[])).await;
        refused.problem(503, "service_unavailable");
        assert!(!refused.header("retry-after").is_empty());
        all.redis().signal(Signal::CONT);
        all.wait_for_read_job(&written).await;
        assert!(all.processes.iter_mut().all(|process| process.exit_status().is_none()), "no process exits");
    });
}

#[test]
fn stopped_worker_releases_its_job_within_the_grace_period() {
    run(async {
        let mut all = Deployment::start(1).await;
        let url = all.site.article("/town");
        let gate = all.site.hold("/town");
        let id = all.web.create_read_job(&url).await;
        gate.wait_for_requests(1).await;
        let begin = Instant::now();
        let worker = all.processes.last_mut().unwrap();
        worker.signal(Signal::TERM);
        assert!(worker.wait_for_exit().await.success(), "{}", worker.log());
        // The grace period of this deployment is 2 s, and the default is 20 s.
        assert!(begin.elapsed() < Duration::from_secs(18), "{:?}", begin.elapsed());
        let job = all.web.get(&format!("/api/v1/read/jobs/{id}")).await.expect(200).json();
        assert_eq!(job["state"], "queued");
        gate.open();
        let web = all.processes.first_mut().unwrap();
        web.signal(Signal::TERM);
        assert!(web.wait_for_exit().await.success(), "{}", web.log());
    });
}

#[test]
fn single_process_needs_no_services_and_stops_on_a_second_signal() {
    run(async {
        let (site, port) = (Site::start(), free_port());
        let settings = [
            ("CARREL_LISTEN", format!("127.0.0.1:{port}")),
            ("CARREL_FETCH_ALLOW", "127.0.0.1".to_owned()),
            ("CARREL_SHUTDOWN_SECONDS", "600".to_owned()),
        ];
        let mut process = Process::start(&[], &settings);
        let web = Web::at(port);
        web.wait_until_ready().await;
        process.wait_for_log("the guard allows").await;
        let read = web.get(&format!("/{}", site.article("/town"))).await.expect(200).json();
        assert_eq!(read["title"], "A town by the sea");
        let slow = site.article("/slow");
        let gate = site.hold("/slow");
        let id = web.create_read_job(&slow).await;
        gate.wait_for_requests(1).await;
        process.signal(Signal::TERM);
        process.wait_for_log("stopping").await;
        assert!(process.exit_status().is_none(), "running work may finish: {id}");
        // The signal is sent immediately after the first signal, and is still received.
        process.signal(Signal::TERM);
        process.wait_for_log("stopping at once").await;
        process.wait_for_exit().await;
    });
}

#[test]
fn log_contains_neither_credentials_nor_read_urls() {
    run(async {
        let (site, port) = (Site::start(), free_port());
        let settings = [
            ("CARREL_LISTEN", format!("127.0.0.1:{port}")),
            ("CARREL_FETCH_ALLOW", "127.0.0.1".to_owned()),
            ("CARREL_LOG", "info,carrel=debug,domain=debug,jobs=debug,fetch=debug".to_owned()),
        ];
        let process = Process::start(&["serve"], &settings);
        let web = Web::at(port);
        web.wait_until_ready().await;
        let page = site.article("/private-reading?token=secret-1");
        let read = format!("{}{}", web.origin, read_path(&page, &[("query", "secret-2")]));
        let key = format!("svc_{}", "b2".repeat(20));
        for url in [read, format!("{}/{page}", web.origin), format!("{}/{page}&k={key}", web.origin)] {
            let request = web.client.get(url).header("authorization", "Bearer secret-3");
            request.header("cookie", "secret-4").header("x-api-key", "secret-5").send().await.unwrap();
        }
        eventually("three lines", async || process.log().matches("answered").count(), |count| *count >= 3)
            .await;
        let log = process.log();
        for word in ["secret-", "private-reading", key.as_str()] {
            assert!(!log.contains(word), "{word} must not occur in {log}");
        }
    });
}

/// A process is suspended if its machine is suspended or has no processor time for it.
#[test]
fn scheduler_ticks_again_after_its_process_was_suspended() {
    run(async {
        let port = free_port();
        let settings = [("CARREL_LISTEN", format!("127.0.0.1:{port}"))];
        let process = Process::start(&["serve"], &settings);
        let web = Web::at(port);
        web.wait_until_ready().await;
        let ticks = async || {
            let metrics = web.get("/metrics").await.expect(200).text();
            let count =
                metrics.lines().find_map(|line| line.strip_prefix("carrel_tick_duration_seconds_count "));
            count.map_or(0, |count| count.parse::<u64>().unwrap())
        };
        let before = eventually("the scheduler ticks", ticks, |count| *count >= 2).await;
        process.signal(Signal::STOP);
        let suspended = Instant::now();
        eventually(
            "several ticks were due",
            async || suspended.elapsed(),
            |time| *time > Duration::from_secs(4),
        )
        .await;
        process.signal(Signal::CONT);
        eventually("the scheduler ticks again", ticks, |count| *count >= before + 4).await;
    });
}

#[test]
fn worker_waits_for_an_embedded_database_and_does_not_create_it() {
    run(async {
        let (folder, redis) = (tempfile::tempdir().unwrap(), PrivateRedis::start().await);
        let data = folder.path().join("data");
        let url = format!("sqlite://{}/carrel.db?mode=rwc", data.display());
        let settings = [("DATABASE_URL", url), ("REDIS_URL", redis.url())];
        let mut early = Process::start(&["worker"], &settings);
        early.wait_for_log("there is no installation here: waiting for `carrel migrate`").await;
        assert!(!data.exists());
        assert!(Process::start(&["migrate"], &settings).wait_for_exit().await.success());
        early.wait_for_log("the workers take work").await;
        early.signal(Signal::TERM);
        assert!(early.wait_for_exit().await.success(), "{}", early.log());
    });
}

#[test]
fn processes_wait_for_pending_migrations() {
    run(async {
        let (database, redis) = (TestDatabase::create(Backend::Postgres).await, PrivateRedis::start().await);
        let settings = [("DATABASE_URL", database.url.clone()), ("REDIS_URL", redis.url())];
        let connection = database.domain.db().write();
        connection.execute_unprepared("DROP SCHEMA public CASCADE; CREATE SCHEMA public").await.unwrap();
        let mut early = Process::start(&["worker"], &settings);
        early.wait_for_log("waiting for `carrel migrate`").await;
        assert!(Process::start(&["migrate"], &settings).wait_for_exit().await.success());
        early.wait_for_log("the workers take work").await;
        early.signal(Signal::TERM);
        assert!(early.wait_for_exit().await.success(), "{}", early.log());
    });
}
