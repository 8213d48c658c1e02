//! Many callers at once: one download for all, and a refusal at once when too much waits.

use std::time::{Duration, Instant};

use futures_util::future::join_all;
use serde_json::json;

use crate::support::{Setup, World, on_each_world, run};

#[test]
fn fifty_callers_of_two_front_ends_cost_one_request() {
    on_each_world(async |app| {
        let url = app.site.article("/town");
        let gate = app.site.hold("/town");
        let other = app.second_front().await;
        let callers = join_all((0..50).map(|number| {
            let front = if number % 2 == 0 { &app } else { &other };
            front.read(&url, &[])
        }));
        let open = async {
            gate.arrived(1).await;
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
fn a_full_queue_refuses_at_once_and_serves_what_is_kept() {
    run(async {
        for world in World::ALL {
            let app = Setup::on(world)
                .set("CARREL_READER_LIMITS", "off")
                .set("CARREL_QUEUE_DEPTH", "3")
                .set("CARREL_READ_SECONDS", "5")
                .spawn()
                .await;
            let kept = app.site.article("/kept");
            app.read(&kept, &[]).await.expect(200);
            let idle = app.second_front().await;
            app.stop().await;
            let waiting = |number: usize| {
                let url = idle.site.article(&format!("/{number}"));
                let idle = &idle;
                async move { idle.read(&url, &[]).await }
            };
            let late = join_all((0..3).map(waiting));
            let refused = async {
                let held = async || {
                    let connection = idle.app.domain.db().read();
                    domain::work::waiting(
                        connection,
                        domain::work::Kind::Extraction,
                        idle.app.domain.now(),
                        9,
                    )
                    .await
                    .unwrap()
                };
                crate::support::eventually("three wait", held, |count| *count == 3).await;
                let begin = Instant::now();
                let answer = waiting(3).await;
                assert_eq!(answer.problem(503, "capacity_exhausted")["retry_after"], 5);
                assert!(begin.elapsed() < Duration::from_millis(800), "{:?} on {world:?}", begin.elapsed());
                idle.read(&kept, &[]).await.expect(200);
                idle.post("/api/v1/read/jobs", &json!({"url": kept})).await.expect(202);
            };
            let (late, ()) = tokio::join!(late, refused);
            for answer in late {
                answer.problem(504, "read_timeout");
            }
        }
    });
}
