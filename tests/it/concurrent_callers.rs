//! Many concurrent callers: they share one download, or are refused immediately if the queue is full.

use std::time::{Duration, Instant};

use futures_util::future::join_all;
use sea_orm::ConnectionTrait;
use serde_json::json;

use crate::support::deployment::Deployment;
use crate::support::monitoring::query_number;
use crate::support::{Setup, World, eventually, on_each_world, run};

#[test]
fn fifty_callers_of_two_web_instances_share_one_download() {
    on_each_world(async |app| {
        let url = app.site.article("/town");
        let gate = app.site.hold("/town");
        // Without Redis a front end can only wake workers of its own process, so the second front end is not
        // used.
        let other = app.second_front().await;
        let fronts = if app.world() == World::Large { [&app, &other] } else { [&app, &app] };
        let callers = join_all((0..50).map(|number| fronts[number % 2].read(&url, &[])));
        let open = async {
            gate.wait_for_requests(1).await;
            gate.open();
        };
        let (answers, ()) = tokio::join!(callers, open);
        for answer in answers {
            assert_eq!(answer.expect(200).json()["title"], "A town by the sea");
        }
        assert_eq!(app.site.hits("/town"), 1);
    });
}

#[test]
fn fifty_callers_of_two_processes_share_one_download_and_charge() {
    run(async {
        let mut all = Deployment::start(2).await;
        let second = all.second_web().await;
        let fronts = [&all.web, &second];
        let people = [all.person().await, all.person().await];
        let (url, gate) = (all.site.article("/town"), all.site.hold("/town"));
        let body = json!({"url": url});
        let calls = join_all((0..50).map(|call| {
            let (front, person) = (fronts[call % 2], &people[call / 2 % 2]);
            front.post_as(person, "/v1/articles/read", &body)
        }));
        let (answers, ()) = tokio::join!(calls, async {
            gate.wait_for_requests(1).await;
            gate.open();
        });
        for answer in answers {
            answer.expect(200);
        }
        assert_eq!(all.site.hits("/town"), 1);
        let (mut fresh, mut operations) = (0, 0);
        for person in &people {
            let answer = second.post_as(person, "/v1/articles/read", &json!({})).await;
            fresh += 10_000 - answer.rate_limit("fresh-day").0;
            operations += 1200 - answer.rate_limit("minute").0;
        }
        assert_eq!(fresh, 1, "one download is charged once");
        assert_eq!(operations, 50 + 2, "each read and each lookup is one operation");
    });
}

#[test]
fn full_queue_refuses_new_pages_and_serves_cached_pages() {
    run(async {
        for world in World::ALL {
            let app = Setup::on(world)
                .set("CARREL_READER_LIMITS", "off")
                .set("CARREL_QUEUE_DEPTH", "3")
                .set("CARREL_READ_SECONDS", "5")
                .spawn()
                .await;
            let cached = app.site.article("/kept");
            app.read(&cached, &[]).await.expect(200);
            let idle = app.second_front().await;
            app.stop().await;
            let waiting = |number: usize| {
                let url = idle.site.article(&format!("/{number}"));
                let idle = &idle;
                async move { idle.read(&url, &[]).await }
            };
            let queued = join_all((0..3).map(waiting));
            let refused = async {
                let queue_length = async || {
                    let connection = idle.app.domain.db().read();
                    let domain = &idle.app.domain;
                    jobs::waiting(connection, domain, jobs::JobKind::Extraction, 9).await.unwrap()
                };
                crate::support::eventually("three wait", queue_length, |count| *count == 3).await;
                let mut fastest = Duration::MAX;
                // On a busy machine, a single answer may be late.
                for _ in 0..5 {
                    let begin = Instant::now();
                    let answer = waiting(3).await;
                    assert_eq!(answer.problem(503, "capacity_exhausted")["retry_after"], 5);
                    fastest = fastest.min(begin.elapsed());
                    if fastest < Duration::from_millis(800) {
                        break;
                    }
                }
                assert!(fastest < Duration::from_secs(4), "{fastest:?} on {world:?}");
                idle.read(&cached, &[]).await.expect(200);
                idle.post("/api/v1/read/jobs", &json!({"url": cached})).await.expect(202);
            };
            let (queued, ()) = tokio::join!(queued, refused);
            for answer in queued {
                answer.problem(504, "read_timeout");
            }
        }
    });
}

#[test]
fn text_beyond_the_storage_limit_evicts_unused_texts() {
    run(async {
        for world in World::ALL {
            let app = Setup::on(world).set("CARREL_STORED_TEXTS_MB", "16").spawn().await;
            app.read(&app.site.article("/first"), &[]).await.expect(200);
            // Makes the first text fill the storage and seem unused for a long time.
            let write = app.app.domain.db().write();
            let first = "UPDATE snapshot SET stored_bytes = 16777216, fetched_at = 0";
            write.execute_unprepared(first).await.unwrap();
            write.execute_unprepared("UPDATE source SET used_at = 0, checked_at = 0").await.unwrap();
            // A new process does not know the stored size until it stores a text.
            let app = app.restart().await;
            app.read(&app.site.article("/second"), &[]).await.expect(200);
            app.run_jobs().await;
            // The caller receives its answer before the eviction.
            let domain = &app.app.domain;
            let count = "SELECT CAST(COUNT(*) AS bigint) FROM source WHERE url LIKE '%/first'";
            eventually("the first goes", async || query_number(domain, count).await, |count| *count == 0)
                .await;
        }
    });
}
