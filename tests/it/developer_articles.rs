//! Article operations: every field, limit, and status, in each content type.

use reqwest::Method;
use serde_json::{Value, json};

use crate::support::person::Person;
use crate::support::{HttpAnswer, Reply, Site, TestApp, on_each_world};

const ENVELOPE: [&str; 13] = [
    "sourceUrl", "readerUrl", "title", "author", "publisher", "publishedAt", "language", "extractionSource",
    "contentQuality", "cacheHit", "respondedAt", "totalBlocks", "totalTokens",
];

fn require(body: &Value, names: &[&str]) {
    for name in names {
        assert!(body.get(name).is_some(), "{name} is missing in {body}");
    }
}

#[test]
fn extraction_returns_every_field() {
    on_each_world(async |app| {
        let person = Person::free(&app).await;
        let url = app.site.article("/town");
        let body = person.post(&app, "/v1/articles/extract", &json!({"url": url})).await.expect(200).json();
        let article = &body["article"];
        let content = article["content"].as_str().unwrap();
        assert!(content.contains("Paragraph 1 of Harbour") && !content.contains('['));
        let characters = content.chars().count();
        assert_eq!(article["contentCharacters"], characters);
        assert_eq!(article["returnedCharacters"], characters);
        for (name, value) in [
            ("sourceUrl", json!(url)),
            ("readerUrl", json!(format!("{}/{url}", app.origin))),
            ("title", json!("A town by the sea")),
            ("author", json!("Ada Quill")),
            ("siteName", json!("The Gazette")),
            ("publishedAt", json!("2026-10-01T08:00:00.000Z")),
            ("language", json!("en")),
            ("truncated", json!(false)),
            ("source", json!("html")),
            ("cacheHit", json!(false)),
            ("qualityStatus", json!("complete")),
            ("respondedAt", json!("2026-11-20T12:00:00.000Z")),
        ] {
            assert_eq!(article[name], value, "{name}");
        }
        let headings = article["headings"].as_array().unwrap();
        assert!(headings.contains(&json!("Harbour")) && headings.contains(&json!("Library")));
        let again = person.post(&app, "/v1/articles/extract", &json!({"url": url})).await.expect(200).json();
        assert_eq!(again["article"]["cacheHit"], true);
        assert_eq!(app.site.hits("/town"), 1);
    });
}

#[test]
fn joined_windows_equal_the_whole_text() {
    on_each_world(async |app| {
        let person = Person::free(&app).await;
        let url = app.site.article("/town");
        let whole = person.post(&app, "/v1/articles/read", &json!({"url": url})).await.expect(200).json();
        require(&whole, &ENVELOPE);
        assert_eq!(whole["tokensReturned"], whole["totalTokens"]);
        assert_eq!((&whole["fromAnchor"], &whole["toAnchor"]), (&json!(1), &whole["totalBlocks"]));
        assert_eq!(whole["nextCursor"], Value::Null);
        assert_eq!(whole["outline"][0]["anchor"], 1);
        let (mut texts, mut cursor) = (Vec::new(), Value::Null);
        loop {
            let mut body = json!({"url": url, "maxTokens": "100"});
            if !cursor.is_null() {
                body["cursor"] = cursor;
            }
            let page = person.post(&app, "/v1/articles/read", &body).await.expect(200).json();
            assert!(page["tokensReturned"].as_u64().unwrap() <= 100);
            assert_eq!(page["outline"], whole["outline"]);
            texts.push(page["text"].as_str().unwrap().to_owned());
            cursor = page["nextCursor"].clone();
            if cursor.is_null() {
                break;
            }
        }
        assert!(texts.len() > 2);
        assert_eq!(json!(texts.join("\n\n")), whole["text"]);
        let beyond = json!({"url": url, "cursor": 1000});
        person.post(&app, "/v1/articles/read", &beyond).await.api_error(422, "cursor_out_of_range");
        assert_eq!(app.site.hits("/town"), 1);
    });
}

#[test]
fn query_returns_ranked_passages() {
    on_each_world(async |app| {
        let person = Person::free(&app).await;
        let url = app.site.article("/town");
        let body = json!({"url": url, "query": "\"bread and prices\"", "maxPassages": "2"});
        let result = person.post(&app, "/v1/articles/search", &body).await.expect(200).json();
        require(&result, &ENVELOPE);
        assert_eq!((&result["matchedBlocks"], &result["nextCursor"]), (&json!(3), &json!(2)));
        let passages = result["passages"].as_array().unwrap();
        assert_eq!(passages.len(), 2);
        assert_eq!((&passages[0]["rank"], &passages[0]["score"]), (&json!(1), &json!(1.0)));
        assert_eq!(passages[0]["section"], "Market");
        let rest = json!({"url": url, "query": "\"bread and prices\"", "cursor": 2});
        let rest = person.post(&app, "/v1/articles/search", &rest).await.expect(200).json();
        assert_eq!((&rest["passages"][0]["rank"], &rest["nextCursor"]), (&json!(3), &Value::Null));
        let nothing = json!({"url": url, "query": "submarine"});
        let nothing = person.post(&app, "/v1/articles/search", &nothing).await.expect(200).json();
        assert_eq!((&nothing["passages"], &nothing["matchedBlocks"]), (&json!([]), &json!(0)));
    });
}

async fn send(app: &TestApp, person: &Person, path: &str, kind: &str, body: String) -> HttpAnswer {
    let headers = [("x-api-key", person.key.as_str()), ("content-type", kind)];
    app.send(Method::POST, path, &headers, Some(body)).await
}

#[test]
fn all_content_types_give_the_same_result() {
    on_each_world(async |app| {
        let person = Person::free(&app).await;
        let url = app.site.article("/town");
        let json = json!({"url": url, "query": "bread", "maxTokens": 200, "maxPassages": "2"}).to_string();
        let form = url::form_urlencoded::Serializer::new(String::new())
            .extend_pairs([
                ("url", url.as_str()),
                ("query", "bread"),
                ("maxTokens", "200"),
                ("maxPassages", "2"),
            ])
            .finish();
        let part = |name: &str, value: &str| {
            format!("--x\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n")
        };
        let multipart = part("url", &url)
            + &part("query", "bread")
            + &part("maxTokens", "200")
            + &part("maxPassages", "2")
            + "--x--\r\n";
        let path = "/v1/articles/search";
        let first = send(&app, &person, path, "application/json", json).await.expect(200).json();
        let second =
            send(&app, &person, path, "application/x-www-form-urlencoded", form).await.expect(200).json();
        let third =
            send(&app, &person, path, "multipart/form-data; boundary=x", multipart).await.expect(200).json();
        assert_eq!(first["passages"], second["passages"]);
        assert_eq!(first["passages"], third["passages"]);
        assert_eq!(first["passages"].as_array().unwrap().len(), 2);
    });
}

#[test]
#[expect(clippy::too_many_lines, reason = "one table of what is wrong and what is said")]
fn schema_violation_is_a_bad_request_with_its_path() {
    on_each_world(async |app| {
        let person = Person::on(&app, kernel::tiers::Tier::Pro).await;
        let url = app.site.article("/town");
        let long = format!("https://example.org/{}", "a".repeat(4096));
        let cases = [
            ("read", json!({}), "invalid_request", "/url: is missing"),
            ("read", json!({"url": 7}), "invalid_request", "/url: must be a string"),
            ("read", json!({"url": ""}), "invalid_request", "/url: must not be empty"),
            ("read", json!({"url": null}), "invalid_request", "/url: is missing"),
            ("read", json!({"url": long}), "invalid_url", "/url: longer than 4096"),
            (
                "read",
                json!({"url": url, "maxTokens": 99}),
                "invalid_request",
                "/maxTokens: must be between 100 and 25000",
            ),
            (
                "read",
                json!({"url": url, "maxTokens": 25001}),
                "invalid_request",
                "/maxTokens: must be between 100 and 25000",
            ),
            (
                "read",
                json!({"url": url, "maxTokens": 100.5}),
                "invalid_request",
                "/maxTokens: must be an integer",
            ),
            (
                "read",
                json!({"url": url, "maxTokens": null}),
                "invalid_request",
                "/maxTokens: must be an integer",
            ),
            ("read", json!({"url": url, "cursor": 0}), "invalid_request", "/cursor:"),
            ("read", json!({"url": url, "extra": 1}), "invalid_request", "/extra: there is no such property"),
            (
                "extract",
                json!({"url": url, "maxTokens": 100}),
                "invalid_request",
                "/maxTokens: there is no such property",
            ),
            ("search", json!({"url": url}), "invalid_request", "/query: is missing"),
            ("search", json!({"url": url, "query": ""}), "invalid_request", "/query: must not be empty"),
            (
                "search",
                json!({"url": url, "query": "ü".repeat(501)}),
                "invalid_request",
                "/query: longer than 500",
            ),
            (
                "search",
                json!({"url": url, "query": "a", "maxPassages": 26}),
                "invalid_request",
                "/maxPassages: must be between 1 and 25",
            ),
            ("search", json!({"url": url, "query": "a", "cursor": -1}), "invalid_request", "/cursor:"),
            ("search", json!([1]), "invalid_request", "/: must be an object"),
            ("extract", json!({"url": "ftp://example.org/"}), "invalid_url", "/url"),
            ("extract", json!({"url": "no url"}), "invalid_url", "/url"),
            ("extract", json!({"url": "https://user:word@example.org/"}), "invalid_url", "/url"),
            ("extract", json!({"url": "http://10.0.0.1/"}), "url_not_allowed", "/url"),
            ("extract", json!({"url": "http://169.254.169.254/latest"}), "url_not_allowed", "/url"),
            ("extract", json!({"url": app.origin}), "url_not_allowed", "/url"),
        ];
        for (path, body, code, details) in cases {
            let answer = person.post(&app, &format!("/v1/articles/{path}"), &body).await;
            let error = answer.api_error(400, code);
            assert!(error["details"].as_str().unwrap_or_default().starts_with(details), "{body}: {error}");
        }
        let raw = [
            ("application/json", "{", "/: the body is not JSON"),
            ("text/plain", "url=x", "/: the content type `text/plain` is not supported"),
            ("multipart/form-data", "url=x", "/: the multipart form cannot be read"),
            ("application/x-www-form-urlencoded", "url=a&url=b", "/url: must be a string"),
        ];
        for (kind, body, details) in raw {
            let error = send(&app, &person, "/v1/articles/read", kind, body.into())
                .await
                .api_error(400, "invalid_request");
            assert!(error["details"].as_str().unwrap().starts_with(details), "{kind}: {error}");
        }
        let huge = json!({"url": url, "x": "a".repeat(300_000)}).to_string();
        send(&app, &person, "/v1/articles/read", "application/json", huge)
            .await
            .api_error(400, "invalid_request");
        assert_eq!(app.site.hits("/town"), 0, "nothing was fetched for a bad request");
    });
}

#[test]
fn failed_source_returns_its_code_and_is_cached_for_a_minute() {
    on_each_world(async |app| {
        let person = Person::on(&app, kernel::tiers::Tier::Pro).await;
        let (broken, _task) = Site::start_raw(b"nonsense\r\n\r\n").await;
        let cases = [
            (app.site.url("/missing"), 422, "source_not_found"),
            (app.site.put("/forbidden", Reply::status(403)), 422, "source_forbidden"),
            (app.site.put("/login", Reply::status(401)), 422, "login_required"),
            (
                app.site.put("/image", Reply::bytes("image/png", vec![0x89, b'P', b'N', b'G'])),
                422,
                "unsupported_content",
            ),
            (app.site.put("/empty", Reply::html("<html><body></body></html>")), 422, "no_readable_text"),
            (app.site.put("/error", Reply::status(500)), 502, "source_error"),
            (app.site.put("/busy", Reply::status(429)), 502, "source_rate_limited"),
            (format!("http://{broken}/"), 502, "source_invalid_response"),
            (
                format!("http://127.0.0.1:{}/", crate::support::servers::free_port()),
                502,
                "source_unreachable",
            ),
        ];
        for (url, status, code) in cases {
            for _ in 0..2 {
                let answer = person.post(&app, "/v1/articles/read", &json!({"url": url})).await;
                let text = String::from_utf8_lossy(&answer.body).into_owned();
                assert_eq!(
                    (answer.status, answer.json()["code"].as_str()),
                    (status, Some(code)),
                    "{url}: {text}"
                );
            }
        }
        assert_eq!(app.site.hits("/error"), 1, "a failure is cached for a minute");
    });
}

#[test]
fn openapi_document_lists_operations_and_credentials() {
    on_each_world(async |app| {
        let answer = app.get("/v1/openapi.json").await.expect(200);
        let document = answer.json();
        assert_eq!(document["openapi"], "3.1.0");
        let id = |path: &str, method: &str| document["paths"][path][method]["operationId"].clone();
        assert_eq!(id("/v1/me", "get"), "getAccountCapabilities");
        assert_eq!(id("/v1/articles/extract", "post"), "extractArticle");
        assert_eq!(id("/v1/articles/read", "post"), "readArticle");
        assert_eq!(id("/v1/articles/search", "post"), "searchArticle");
        let read = &document["paths"]["/v1/articles/read"]["post"];
        let expected = json!([{"OAuth2": ["svc:read"]}, {"ApiKeyBearer": []}, {"ApiKeyHeader": []}]);
        assert_eq!(read["security"], expected);
        let statuses: Vec<&String> = read["responses"].as_object().unwrap().keys().collect();
        assert_eq!(statuses, ["200", "400", "401", "403", "422", "429", "502", "503"]);
        let me = document["paths"]["/v1/me"]["get"]["responses"].as_object().unwrap();
        assert_eq!(me.keys().collect::<Vec<_>>(), ["200", "401", "403", "429", "503"]);
        assert_eq!(document["components"]["schemas"]["ArticleReadRequest"]["additionalProperties"], false);
        let schemes: Vec<&String> =
            document["components"]["securitySchemes"].as_object().unwrap().keys().collect();
        assert_eq!(schemes, ["ApiKeyBearer", "ApiKeyHeader", "OAuth2"]);
    });
}
