//! Parameters of the single read: equivalent headers, bounds, and mutually exclusive parameters.

use serde_json::{Value, json};

use crate::support::app::read_path;
use crate::support::{TestApp, on_each_world, run};

const JSON: (&str, &str) = ("accept", "application/json");

fn anchors(body: &Value) -> Vec<u64> {
    body["blocks"].as_array().unwrap().iter().map(|block| block["anchor"].as_u64().unwrap()).collect()
}

#[test]
fn query_returns_ranked_blocks() {
    on_each_world(async |app| {
        let url = app.site.article("/town");
        let body = app.read(&url, &[("query", "bread prices market")]).await.expect(200).json();
        assert_eq!(body["query"], "bread prices market");
        let blocks = body["blocks"].as_array().unwrap();
        assert!(!blocks.is_empty() && blocks.len() <= 5, "{body}");
        assert!(body["matched_blocks"].as_u64().unwrap() >= blocks.len() as u64);
        for (index, block) in blocks.iter().enumerate() {
            assert_eq!(block["rank"], index + 1);
            assert!(block["score"].as_f64().unwrap() > 0.0);
            assert!(["Market", "A town by the sea"].contains(&block["section"].as_str().unwrap()), "{block}");
        }
        let scores: Vec<f64> = blocks.iter().map(|block| block["score"].as_f64().unwrap()).collect();
        assert!(scores.is_sorted_by(|left, right| left >= right), "{scores:?}");
        let whole = app.read(&url, &[]).await.expect(200).json();
        assert_eq!((&whole["query"], &whole["matched_blocks"]), (&Value::Null, &Value::Null));
    });
}

#[test]
fn query_without_a_match_returns_no_blocks() {
    run(async {
        let app = TestApp::spawn().await;
        let url = app.site.article("/town");
        let body = app.read(&url, &[("query", "zymurgy")]).await.expect(200).json();
        assert_eq!((&body["matched_blocks"], &body["returned_blocks"]), (&json!(0), &json!(0)));
        assert_eq!(body["has_more"], false);
    });
}

#[test]
fn parameter_takes_precedence_over_its_equivalent_header() {
    run(async {
        let app = TestApp::spawn().await;
        let url = app.site.article("/town");
        let with = async |path: &str, headers: &[(&str, &str)]| {
            let headers: Vec<(&str, &str)> = headers.iter().copied().chain([JSON]).collect();
            app.get_with(path, &headers).await.expect(200).json()
        };
        let plain = read_path(&url, &[]);
        let by_header = with(&plain, &[("x-svc-query", "bread"), ("x-svc-passages", "2")]).await;
        let by_parameter = with(&read_path(&url, &[("query", "bread"), ("passages", "2")]), &[]).await;
        assert_eq!(by_header["blocks"], by_parameter["blocks"]);
        assert_eq!(by_header["returned_blocks"], 2);
        assert_eq!(anchors(&with(&plain, &[("x-svc-lines", "3-4")]).await), [3, 4]);
        let path = read_path(&url, &[("query", "books"), ("passages", "1")]);
        let winner = with(&path, &[("x-svc-query", "bread"), ("x-svc-passages", "3")]).await;
        assert_eq!((&winner["query"], &winner["returned_blocks"]), (&json!("books"), &json!(1)));
        let path = read_path(&url, &[("lines", "2")]);
        assert_eq!(anchors(&with(&path, &[("x-svc-lines", "9")]).await), [2]);
    });
}

#[test]
fn query_returns_five_passages_by_default() {
    run(async {
        let app = TestApp::spawn().await;
        let url = app.site.article("/town");
        let count = async |parameters: &[(&str, &str)]| {
            app.read(&url, parameters).await.expect(200).json()["returned_blocks"].clone()
        };
        assert_eq!(count(&[("query", "paragraph")]).await, 5);
        assert_eq!(count(&[("query", "paragraph"), ("passages", "20")]).await, 9);
    });
}

#[test]
fn line_range_is_clamped_to_the_last_block_and_refused_if_it_starts_beyond() {
    on_each_world(async |app| {
        let url = app.site.article("/town");
        let lines = async |lines: &str| app.read(&url, &[("lines", lines)]).await;
        assert_eq!(anchors(&lines("2").await.expect(200).json()), [2]);
        assert_eq!(anchors(&lines("11-500").await.expect(200).json()), [11, 12, 13]);
        assert_eq!(anchors(&lines("12").await.expect(200).json()), [12]);
        lines("14").await.problem(400, "lines_out_of_range");
        for wrong in ["0", "0-3", "5-4", "a", "1-", "-1", "1-2-3", "1.5", "9999999999"] {
            lines(wrong).await.problem(400, "invalid_parameter");
        }
        assert_eq!(anchors(&lines("1-500").await.expect(200).json()).len(), 13);
        lines("1-501").await.problem(400, "invalid_parameter");
    });
}

#[test]
fn parameters_are_refused_beyond_their_bounds() {
    run(async {
        let app = TestApp::spawn().await;
        let url = app.site.article("/town");
        let long = "x".repeat(501);
        for (name, wrong) in [
            ("query", long.as_str()),
            ("cursor", long.as_str()),
            ("passages", "0"),
            ("passages", "21"),
            ("passages", "five"),
            ("limit", "0"),
            ("limit", "201"),
            ("limit", "1.5"),
            ("limit", ""),
            ("max_tokens", "99"),
            ("max_tokens", "25001"),
            ("max_age", "-1"),
            ("max_age", "86401"),
            ("format", "pdf"),
            ("render", "maybe"),
            ("job_id", "17"),
        ] {
            let body = app.read(&url, &[(name, wrong)]).await.problem(400, "invalid_parameter");
            let detail = body["detail"].as_str().unwrap();
            assert!(detail.contains(name) && detail.ends_with('.') && !detail.ends_with(".."), "{body}");
        }
        for (name, right) in [
            ("query", "x".repeat(500)),
            ("limit", "200".into()),
            ("limit", "1".into()),
            ("max_tokens", "100".into()),
            ("max_tokens", "25000".into()),
            ("max_age", "86400".into()),
            ("unknown", "ignored".into()),
            ("query", String::new()),
            ("cursor", String::new()),
        ] {
            app.read(&url, &[(name, &right)]).await.expect(200);
        }
        for (name, wrong) in [("x-svc-passages", "0"), ("x-svc-lines", "0"), ("x-svc-query", long.as_str())] {
            let body = app.get_with(&read_path(&url, &[]), &[(name, wrong)]).await;
            let body = body.problem(400, "invalid_parameter");
            assert!(body["detail"].as_str().unwrap().to_lowercase().contains(name), "{body}");
        }
    });
}

#[test]
fn url_is_required_bounded_and_checked_by_the_guard() {
    run(async {
        let app = TestApp::spawn().await;
        app.get("/api/v1/read").await.problem(400, "missing_url");
        app.get("/api/v1/read?url=").await.problem(400, "missing_url");
        let at = |length: usize| {
            let start = app.site.url("/");
            format!("{start}{}", "a".repeat(length - start.len()))
        };
        app.read(&at(4097), &[]).await.problem(400, "invalid_url");
        app.read(&at(4096), &[]).await.problem(422, "source_not_found");
        for wrong in
            ["town", "ftp://example.com/", "http://", "http://user:pass@example.com/", "javascript:alert(1)"]
        {
            app.read(wrong, &[]).await.problem(400, "invalid_url");
        }
        for closed in [
            "http://10.0.0.1/",
            "http://169.254.169.254/latest/",
            "http://[::1]/",
            "http://localhost/",
            "http://127.0.0.2/",
        ] {
            app.read(closed, &[]).await.problem(400, "url_not_allowed");
        }
        let own = format!("{}/about", app.origin);
        app.read(&own, &[]).await.problem(400, "url_not_allowed");
    });
}

#[test]
fn block_selections_are_mutually_exclusive() {
    run(async {
        let app = TestApp::spawn().await;
        let url = app.site.article("/town");
        for pair in [
            [("cursor", "x"), ("query", "y")],
            [("cursor", "x"), ("lines", "1")],
            [("limit", "1"), ("query", "y")],
            [("limit", "1"), ("lines", "1")],
            [("query", "y"), ("lines", "1")],
        ] {
            app.read(&url, &pair).await.problem(400, "conflicting_parameters");
        }
        let path = read_path(&url, &[("limit", "2")]);
        app.get_with(&path, &[("x-svc-query", "y")]).await.problem(400, "conflicting_parameters");
        assert_eq!(app.site.hits("/town"), 0);
    });
}

#[test]
fn token_budget_returns_whole_blocks() {
    on_each_world(async |app| {
        let url = app.site.article("/town");
        let whole = app.read(&url, &[]).await.expect(200).json();
        let mut parameters = vec![("max_tokens", "100".to_owned())];
        let mut seen = Vec::new();
        loop {
            let pairs: Vec<(&str, &str)> =
                parameters.iter().map(|(name, value)| (*name, value.as_str())).collect();
            let body = app.read(&url, &pairs).await.expect(200).json();
            assert!(body["returned_tokens"].as_u64().unwrap() <= 100, "{body}");
            seen.extend(body["blocks"].as_array().unwrap().clone());
            let more = body["has_more"] == true;
            assert_eq!(more, body["next_cursor"].is_string());
            let Some(cursor) = body["next_cursor"].as_str() else { break };
            parameters.truncate(1);
            parameters.push(("cursor", cursor.to_owned()));
        }
        assert_eq!(json!(seen), whole["blocks"]);
        let ranked =
            app.read(&url, &[("query", "paragraph"), ("max_tokens", "100")]).await.expect(200).json();
        assert_eq!((&ranked["has_more"], &ranked["next_cursor"]), (&json!(false), &Value::Null));
        assert!(ranked["returned_tokens"].as_u64().unwrap() <= 100);
    });
}

#[test]
fn format_follows_the_parameter_then_the_accept_header() {
    run(async {
        let app = TestApp::spawn().await;
        let url = app.site.article("/town");
        let browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
        for (accept, format, content_type) in [
            ("*/*", "", "text/plain; charset=utf-8"),
            ("", "", "text/plain; charset=utf-8"),
            ("image/png", "", "text/plain; charset=utf-8"),
            ("application/json", "", "application/json"),
            ("text/markdown", "", "text/markdown; charset=utf-8"),
            ("text/plain", "", "text/plain; charset=utf-8"),
            (browser, "", "text/html; charset=utf-8"),
            (browser, "json", "application/json"),
            ("application/json", "text", "text/plain; charset=utf-8"),
            ("application/json", "markdown", "text/markdown; charset=utf-8"),
            ("application/json", "html", "text/html; charset=utf-8"),
        ] {
            let parameters: &[(&str, &str)] = if format.is_empty() { &[] } else { &[("format", format)] };
            let answer = app.get_with(&read_path(&url, parameters), &[("accept", accept)]).await.expect(200);
            assert_eq!(answer.header("content-type"), content_type, "{accept} {format}");
        }
    });
}

#[test]
fn url_length_is_counted_in_code_points() {
    run(async {
        let app = TestApp::spawn().await;
        let start = app.site.url("/");
        let path = "\u{4f60}".repeat(4096 - start.len());
        let encoded: String = url::form_urlencoded::byte_serialize(path.as_bytes()).collect();
        app.site.article(&format!("/{}", encoded.replace('+', "%20")));
        app.read(&format!("{start}{path}"), &[]).await.expect(200);
        app.read(&format!("{start}{path}x"), &[]).await.problem(400, "invalid_url");
    });
}

#[test]
fn parameter_that_is_not_utf_8_is_refused() {
    run(async {
        let app = TestApp::spawn().await;
        let url = app.site.article("/caf%e9");
        let json = [("accept", "application/json")];
        let path = format!("/api/v1/read?url={url}");
        app.get_with(&path, &json).await.problem(400, "invalid_url");
        let path = read_path(&url, &[]);
        app.get_with(&format!("{path}&query=caf%e9"), &json).await.problem(400, "invalid_parameter");
        assert!(app.site.requests().is_empty());
        app.get_with(&path, &json).await.expect(200);
        app.get_with(&format!("/{url}"), &json).await.expect(200);
    });
}

#[test]
fn query_header_may_be_utf_8_or_percent_encoded() {
    run(async {
        let app = TestApp::spawn().await;
        let url = app.site.article("/town");
        let path = crate::support::app::read_path(&url, &[]);
        for sent in ["Bäcker".as_bytes(), b"B%C3%A4cker"] {
            let header = reqwest::header::HeaderValue::from_bytes(sent).unwrap();
            let request = app.request(reqwest::Method::GET, &path).header("accept", "application/json");
            let answer = request.header("x-svc-query", header).send().await.unwrap();
            let body: serde_json::Value = serde_json::from_str(&answer.text().await.unwrap()).unwrap();
            assert_eq!(body["query"], "Bäcker");
        }
        for wrong in [&b"B\xe4cker"[..], b"B%E4cker"] {
            let header = reqwest::header::HeaderValue::from_bytes(wrong).unwrap();
            let request = app.request(reqwest::Method::GET, &path).header("accept", "application/json");
            let answer = request.header("x-svc-query", header).send().await.unwrap();
            assert_eq!(answer.status(), 400);
            assert!(answer.text().await.unwrap().contains("invalid_parameter"));
        }
    });
}
