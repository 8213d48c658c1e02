//! Rate limits of the reader: the headers agree with the answers to subsequent requests.

use serde_json::json;

use crate::support::clock::SECOND;
use crate::support::{HttpAnswer, Setup, TestApp, World, run};

async fn app_with_limits(world: World) -> (TestApp, String) {
    let app = Setup::on(world).set("CARREL_TRUSTED_PROXIES", "127.0.0.0/8").spawn().await;
    let url = app.site.article("/town");
    (app, url)
}

async fn from(app: &TestApp, url: &str, address: &str) -> HttpAnswer {
    let path = crate::support::app::read_path(url, &[]);
    app.get_with(&path, &[("x-forwarded-for", address)]).await
}

#[test]
fn all_rate_limit_header_families_agree() {
    run(async {
        for world in World::ALL {
            let (app, url) = app_with_limits(world).await;
            let answer = app.read(&url, &[]).await.expect(200);
            for (name, value) in [
                ("ratelimit-policy", "\"burst\";q=5;w=10, \"sustained\";q=60;w=60"),
                ("ratelimit", "\"burst\";r=4;t=10, \"sustained\";r=59;t=60"),
                ("ratelimit-limit", "5"),
                ("ratelimit-remaining", "4"),
                ("ratelimit-reset", "10"),
                ("x-ratelimit-limit", "5"),
                ("x-ratelimit-remaining", "4"),
                ("x-ratelimit-reset", "10"),
            ] {
                assert_eq!(answer.header(name), value, "header {name} on {world:?}");
            }
        }
    });
}

#[test]
fn sixth_read_of_a_burst_is_refused_and_not_counted() {
    run(async {
        for world in World::ALL {
            let (app, url) = app_with_limits(world).await;
            for left in (0..5).rev() {
                let answer = app.read(&url, &[]).await.expect(200);
                assert_eq!(answer.header("ratelimit-remaining"), left.to_string());
                app.clock.advance(SECOND);
            }
            for _ in 0..50 {
                let refused = app.read(&url, &[]).await;
                let problem = refused.problem(429, "rate_limited");
                assert_eq!(problem["violated-policies"], json!(["burst"]));
                assert_eq!(refused.header("retry-after"), "5");
                assert_eq!(refused.header("ratelimit"), "\"burst\";r=0;t=5, \"sustained\";r=55;t=55");
            }
            app.clock.advance(5 * SECOND - 1);
            assert_eq!(app.read(&url, &[]).await.expect(429).header("retry-after"), "1");
            app.clock.advance(1);
            let answer = app.read(&url, &[]).await.expect(200);
            assert_eq!(answer.header("ratelimit"), "\"burst\";r=0;t=1, \"sustained\";r=54;t=50");
        }
    });
}

#[test]
fn client_that_obeys_retry_after_is_not_refused_again() {
    run(async {
        for world in World::ALL {
            let (app, url) = app_with_limits(world).await;
            let (mut served, mut waited) = (0, 0);
            while served < 130 {
                let answer = app.read(&url, &[]).await;
                if answer.status == 200 {
                    served += 1;
                    continue;
                }
                let seconds: i64 = answer.header("retry-after").parse().unwrap();
                assert!((1..=60).contains(&seconds));
                waited += seconds;
                app.clock.advance(seconds * SECOND);
                assert_eq!(app.read(&url, &[]).await.status, 200, "{world:?}");
                served += 1;
            }
            // 130 reads at 60 per minute take at least two minutes. Obeying `Retry-After` does not waste
            // capacity.
            assert!((120..=260).contains(&waited), "{waited} seconds on {world:?}");
        }
    });
}

#[test]
fn sustained_limit_applies_to_requests_below_the_burst_limit() {
    run(async {
        let (app, url) = app_with_limits(World::Small).await;
        let app2 = Setup::on(World::Small).set("CARREL_READER_LIMITS", "5/10,7/60").spawn().await;
        let url2 = app2.site.article("/town");
        for _ in 0..7 {
            app2.read(&url2, &[]).await.expect(200);
            app2.clock.advance(3 * SECOND);
        }
        let refused = app2.read(&url2, &[]).await;
        assert_eq!(refused.problem(429, "rate_limited")["violated-policies"], json!(["sustained"]));
        assert_eq!(refused.header("retry-after"), "39");
        assert_eq!(refused.header("x-ratelimit-limit"), "7");
        assert_eq!(refused.header("x-ratelimit-reset"), "39");
        app.read(&url, &[]).await.expect(200);
    });
}

#[test]
fn invalid_request_costs_as_much_as_a_valid_request() {
    run(async {
        let (app, _) = app_with_limits(World::Small).await;
        for path in ["/api/v1/read", "/api/v1/read?url=x", "/api/v1/read?url=x&limit=0"] {
            app.get(path).await.expect(400);
        }
        app.post("/api/v1/read", &json!({})).await.expect(400);
        let answer = app.post("/api/v1/read/batch", &json!({})).await.expect(400);
        assert_eq!(answer.header("ratelimit-remaining"), "0");
        app.get("/api/v1/read").await.problem(429, "rate_limited");
    });
}

#[test]
fn limits_are_per_ipv4_address_and_per_ipv6_network() {
    run(async {
        for world in World::ALL {
            let (app, url) = app_with_limits(world).await;
            let left = async |address: &str| {
                from(&app, &url, address).await.header("ratelimit-remaining").to_owned()
            };
            assert_eq!(left("198.51.100.1").await, "4");
            assert_eq!(left("198.51.100.2").await, "4");
            assert_eq!(left("198.51.100.1").await, "3");
            assert_eq!(left("2001:db8:0:1::1").await, "4");
            assert_eq!(left("2001:db8:0:1:ffff::9").await, "3");
            assert_eq!(left("[2001:db8:0:1::1]:443").await, "2");
            assert_eq!(left("2001:db8:0:2::1").await, "4");
            assert_eq!(left("::ffff:198.51.100.1").await, "2");
            assert_eq!(left("203.0.113.9, 198.51.100.2").await, "3");
            assert_eq!(left("198.51.100.2, 127.0.0.1").await, "2");
        }
    });
}

#[test]
fn forwarding_headers_are_ignored_without_a_trusted_proxy() {
    run(async {
        let app = Setup::on(World::Small).spawn().await;
        let url = app.site.article("/town");
        for (left, address) in [("4", "198.51.100.1"), ("3", "198.51.100.2"), ("2", "2001:db8::1")] {
            assert_eq!(from(&app, &url, address).await.header("ratelimit-remaining"), left);
        }
        let path = crate::support::app::read_path(&url, &[]);
        let answer = app.get_with(&path, &[("forwarded", "for=198.51.100.9")]).await;
        assert_eq!(answer.header("ratelimit-remaining"), "1");
        let others = ["x-real-ip", "cf-connecting-ip", "true-client-ip", "x-client-ip"];
        let answer = app.get_with(&path, &others.map(|name| (name, "198.51.100.9"))).await;
        assert_eq!(answer.header("ratelimit-remaining"), "0");
    });
}

#[test]
fn two_web_processes_share_counters() {
    run(async {
        let (app, url) = app_with_limits(World::Large).await;
        let other = app.second_front().await;
        for (front, left) in [(&app, "4"), (&other, "3"), (&app, "2"), (&other, "1"), (&app, "0")] {
            assert_eq!(front.read(&url, &[]).await.expect(200).header("ratelimit-remaining"), left);
        }
        other.read(&url, &[]).await.problem(429, "rate_limited");
    });
}

#[test]
fn reader_responses_have_limit_headers_and_documents_do_not() {
    run(async {
        let (app, url) = app_with_limits(World::Small).await;
        app.read(&url, &[]).await.expect(200);
        for path in ["/api/v1/sandbox/read", "/api/v1/nothing", "/api/v1/read/batch"] {
            assert_eq!(app.get(path).await.header("ratelimit-remaining"), "4", "{path}");
            let preflight = app.send(reqwest::Method::OPTIONS, path, &[], None).await;
            assert_eq!(preflight.header("ratelimit-remaining"), "4", "{path}");
        }
        for path in ["/", "/docs", "/openapi.json", "/llms.txt", "/healthz", "/readyz", "/problems"] {
            assert_eq!(app.get(path).await.header("ratelimit"), "", "{path}");
        }
        let off = TestApp::spawn().await;
        assert_eq!(off.get("/api/v1/sandbox/read").await.header("ratelimit"), "");
    });
}
