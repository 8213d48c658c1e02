//! Paging of reads: `limit`, `cursor`, and `Link`.

use serde_json::{Value, json};

use crate::support::clock::{DAY, SECOND};
use crate::support::{Reply, TestApp, on_each_world, run};

/// Follows `Link: rel="next"` from `path` to the last page. Returns all blocks and the number of pages.
async fn follow(app: &TestApp, path: &str) -> (Vec<Value>, usize) {
    let (mut blocks, mut pages, mut next) = (Vec::new(), 0, Some(path.to_owned()));
    while let Some(path) = next {
        let answer = app.get_with(&path, &[("accept", "application/json")]).await.expect(200);
        let body = answer.json();
        next = answer.link("next");
        assert_eq!(body["has_more"], next.is_some());
        assert_eq!(body["next_cursor"].is_string(), next.is_some());
        assert_eq!(answer.link("canonical"), body["source_url"].as_str().map(str::to_owned));
        blocks.extend(body["blocks"].as_array().unwrap().clone());
        pages += 1;
    }
    (blocks, pages)
}

#[test]
fn pages_concatenate_to_the_whole_text() {
    on_each_world(async |app| {
        let url = app.site.article("/town");
        let whole = app.read(&url, &[]).await.expect(200).json();
        for (limit, pages) in [("5", 3), ("1", 13), ("13", 1), ("200", 1)] {
            let path = crate::support::app::read_path(&url, &[("limit", limit)]);
            let (blocks, seen) = follow(&app, &path).await;
            assert_eq!(json!(blocks), whole["blocks"]);
            assert_eq!(seen, pages, "limit {limit}");
        }
        assert_eq!(whole["has_more"], false);
    });
}

#[test]
fn cursor_retains_its_limit_unless_another_is_sent() {
    run(async {
        let app = TestApp::spawn().await;
        let url = app.site.article("/town");
        let first = app.read(&url, &[("limit", "4")]).await.expect(200).json();
        let cursor = first["next_cursor"].as_str().unwrap();
        assert!(cursor.len() <= 500);
        let same = app.read(&url, &[("cursor", cursor)]).await.expect(200).json();
        assert_eq!((&same["returned_blocks"], &same["blocks"][0]["anchor"]), (&json!(4), &json!(5)));
        let more = app.read(&url, &[("cursor", cursor), ("limit", "7")]).await.expect(200).json();
        assert_eq!(more["returned_blocks"], 7);
    });
}

#[test]
fn cursor_stays_on_its_snapshot_if_the_page_changes() {
    on_each_world(async |app| {
        let url = app.site.article("/town");
        let first = app.read(&url, &[("limit", "4")]).await.expect(200).json();
        app.site
            .put("/town", Reply::html("<h1>Moved</h1><p>All of this town has moved to the hills now.</p>"));
        app.read(&url, &[("max_age", "0")]).await.expect(200);
        let cursor = first["next_cursor"].as_str().unwrap();
        let second = app.read(&url, &[("cursor", cursor)]).await.expect(200).json();
        assert_eq!(second["content_hash"], first["content_hash"]);
        assert_eq!(second["blocks"][0]["anchor"], 5);
    });
}

#[test]
fn invalid_or_foreign_cursor_is_refused() {
    on_each_world(async |app| {
        let (url, other) = (app.site.article("/town"), app.site.article("/other"));
        let first = app.read(&url, &[("limit", "4")]).await.expect(200).json();
        let cursor = first["next_cursor"].as_str().unwrap();
        app.read(&other, &[("cursor", cursor)]).await.problem(400, "invalid_cursor");
        let mut broken = cursor.to_owned();
        let last = broken.pop().unwrap();
        broken.push(if last == 'A' { 'B' } else { 'A' });
        for wrong in [broken.as_str(), "x", "====", &cursor[1..]] {
            app.read(&url, &[("cursor", wrong)]).await.problem(400, "invalid_cursor");
        }
    });
}

#[test]
fn cursor_of_a_deleted_snapshot_is_a_conflict() {
    on_each_world(async |app| {
        let url = app.site.article("/town");
        let first = app.read(&url, &[("limit", "4")]).await.expect(200).json();
        let cursor = first["next_cursor"].as_str().unwrap();
        app.clock.advance(400 * DAY);
        app.clean_up().await;
        let fresh = app.second_front().await;
        fresh.read(&url, &[("cursor", cursor)]).await.problem(409, "content_changed");
    });
}

#[test]
fn cursor_is_valid_on_another_web_process() {
    on_each_world(async |app| {
        let url = app.site.article("/town");
        let first = app.read(&url, &[("limit", "4")]).await.expect(200).json();
        app.clock.advance(10 * SECOND);
        let cursor = first["next_cursor"].as_str().unwrap();
        let other = app.second_front().await;
        let second = other.read(&url, &[("cursor", cursor)]).await.expect(200).json();
        assert_eq!(second["blocks"][0]["anchor"], 5);
    });
}

#[test]
fn next_link_is_self_contained_and_retains_the_format() {
    run(async {
        let app = TestApp::spawn().await;
        let url = app.site.article("/town");
        let answer = app.read(&url, &[("limit", "11"), ("format", "text")]).await.expect(200);
        assert!(answer.text().contains("[p11]") && !answer.text().contains("[p12]"));
        let next = answer.link("next").unwrap();
        assert!(app.replace_ports(&next).starts_with(
            "http://reader.test/api/v1/read?url=http%3A%2F%2Fsite.test%2Ftown&limit=11&cursor="
        ));
        let last = app.get(&next).await.expect(200);
        assert_eq!(last.header("content-type"), "text/plain; charset=utf-8");
        assert!(last.text().contains("[p12]") && !last.text().contains("[p11]"));
    });
}

#[test]
fn next_link_of_a_range_with_token_budget_is_valid() {
    run(async {
        let app = TestApp::spawn().await;
        let url = app.site.article("/town");
        let first = app.read(&url, &[("lines", "1-5"), ("max_tokens", "100")]).await.expect(200);
        assert_eq!(first.json()["has_more"], true);
        let links = first.header_lines("link");
        let next = links.iter().find(|link| link.contains("rel=\"next\"")).unwrap();
        let next = next.trim_start_matches('<').split('>').next().unwrap();
        assert!(!next.contains("lines="), "{next}");
        let path = next.strip_prefix(app.origin.as_str()).unwrap_or(next);
        app.get_with(path, &[("accept", "application/json")]).await.expect(200);
    });
}
