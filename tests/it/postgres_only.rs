//! Web, worker, and scheduler as separate processes that share only PostgreSQL.

use rustix::process::Signal;
use sea_orm::ConnectionTrait;
use serde_json::json;

use crate::support::app::read_path;
use crate::support::deployment::Deployment;
use crate::support::monitoring::query_number;
use crate::support::{eventually, run};

#[test]
fn processes_on_postgres_alone_survive_a_killed_worker() {
    run(async {
        let mut all = Deployment::start_without_redis(1).await;
        let (person, domain) = (all.person().await, all.domain().await);
        let town = all.site.article("/town");
        let read = all.web.get(&read_path(&town, &[])).await.expect(200).json();
        assert_eq!((&read["title"], &read["cache_hit"]), (&json!("A town by the sea"), &json!(false)));

        all.web
            .post_as(&person, "/v1/monitors", &json!({"name": "Town", "targetUrl": town}))
            .await
            .expect(201);
        let due = format!("UPDATE monitor SET next_run_at = {}", domain.now());
        domain.db().write().execute_unprepared(&due).await.unwrap();
        let runs =
            async || query_number(&domain, "SELECT count(*) FROM monitor_run WHERE outcome <> 'error'").await;
        eventually("the monitor runs", runs, |count| *count >= 1).await;

        let blocked = all.site.article("/held");
        let gate = all.site.hold("/held");
        let id = all.web.create_read_job(&blocked).await;
        gate.wait_for_requests(1).await;
        let mut worker = all.processes.pop().expect("there is a worker");
        worker.signal(Signal::KILL);
        assert!(!worker.wait_for_exit().await.success());
        let waiting = all.web.create_read_job(&all.site.article("/waiting")).await;
        all.start_worker();
        gate.open();
        for job in [&id, &waiting] {
            all.wait_for_read_job(job).await;
        }
        assert!(all.site.hits("/held") >= 2, "the second worker fetches again");
        for process in &mut all.processes {
            process.signal(Signal::TERM);
        }
        for process in &mut all.processes {
            process.wait_for_exit().await;
        }
    });
}

#[test]
fn two_web_processes_on_postgres_alone_share_limits() {
    run(async {
        let mut all = Deployment::start_without_redis(1).await;
        let second = all.second_web().await;
        let (person, body) = (all.person().await, json!({"url": all.site.article("/town")}));
        let mut left = Vec::new();
        for call in 0..6 {
            let front = [&all.web, &second][call % 2];
            let answer = front.post_as(&person, "/v1/articles/read", &body).await.expect(200);
            left.push(1200 - answer.rate_limit("minute").0);
        }
        assert_eq!(left, [1, 2, 3, 4, 5, 6], "the front ends share the counter");
    });
}
