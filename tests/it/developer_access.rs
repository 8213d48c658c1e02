//! Access to the Developer API: credentials, scopes, and headers of every answer.

use http_kit::problem::ErrorGroup;
use kernel::Scopes;
use reqwest::Method;
use serde_json::json;

use crate::support::clock::DAY;
use crate::support::person::Person;
use crate::support::{Setup, TestApp, World, on_each_world, run};

/// An operation without a request body, and an operation with one. `developer_contract` tests all operations.
const OPERATIONS: [(&str, &str); 2] = [("GET", "/v1/me"), ("POST", "/v1/articles/read")];

fn challenge(origin: &str, error: &str) -> String {
    format!(
        "Bearer realm=\"carrel\", {error}resource_metadata=\"{origin}/.well-known/oauth-protected-resource\", \
         scope=\"svc:read\""
    )
}

#[test]
fn unknown_callers_are_refused_with_a_reason() {
    on_each_world(async |app| {
        let person = Person::free(&app).await;
        let (expired, _) = person.create_key(&app, Scopes::ALL, Some(1)).await;
        app.clock.advance(DAY);
        let other = Person::free(&app).await;
        let (revoked, revoked_id) = other.create_key(&app, Scopes::ALL, None).await;
        identity::keys::revoke(&app.app.domain, other.id, revoked_id).await.unwrap();
        let mut wrong = person.key.clone();
        wrong.replace_range(10..11, if wrong.as_bytes()[10] == b'a' { "b" } else { "a" });
        let bearer = |key: &str| format!("Bearer {key}");
        let cases: Vec<(Vec<(&str, String)>, &str)> = vec![
            (vec![], "missing_credential"),
            (vec![("authorization", bearer(&wrong))], "invalid_credential"),
            (vec![("authorization", "Basic YTpi".into())], "invalid_credential"),
            (vec![("authorization", "Bearer".into())], "invalid_credential"),
            (vec![("x-api-key", "svc_short".into())], "invalid_credential"),
            (vec![("x-api-key", expired)], "expired_credential"),
            (vec![("authorization", bearer(&revoked))], "revoked_credential"),
            (
                vec![("authorization", bearer(&person.key)), ("x-api-key", other.key.clone())],
                "conflicting_credentials",
            ),
        ];
        for (method, path) in OPERATIONS {
            for (headers, code) in &cases {
                let headers: Vec<(&str, &str)> =
                    headers.iter().map(|(name, value)| (*name, value.as_str())).collect();
                let answer = app.send(method.parse().unwrap(), path, &headers, None).await;
                answer.api_error(401, code);
                let error = if *code == "missing_credential" { "" } else { "error=\"invalid_token\", " };
                assert_eq!(answer.header("www-authenticate"), challenge(&app.origin, error));
                assert_eq!(answer.header("cache-control"), "private, no-store");
                assert_eq!(
                    answer.header("ratelimit"),
                    "",
                    "unauthenticated requests have no limits of an account"
                );
            }
        }
    });
}

#[test]
fn both_key_headers_are_equivalent() {
    on_each_world(async |app| {
        let person = Person::free(&app).await;
        let by_bearer = format!("bearer  {}", person.key);
        for headers in [
            vec![("authorization", by_bearer.as_str())],
            vec![("x-api-key", person.key.as_str())],
            vec![("authorization", by_bearer.as_str()), ("x-api-key", person.key.as_str())],
        ] {
            let body = app.get_with("/v1/me", &headers).await.expect(200).json();
            assert_eq!(body["userId"], person.id.to_string());
        }
    });
}

#[test]
fn read_and_write_keys_can_both_read() {
    on_each_world(async |app| {
        let person = Person::free(&app).await;
        let url = app.site.article("/town");
        for scopes in [Scopes::READ, Scopes::WRITE] {
            let (key, id) = person.create_key(&app, scopes, None).await;
            let headers = [("x-api-key", key.as_str())];
            app.get_with("/v1/me", &headers).await.expect(200);
            app.post_with("/v1/articles/read", &headers, &json!({"url": url})).await.expect(200);
            identity::keys::revoke(&app.app.domain, person.id, id).await.unwrap();
        }
    });
}

#[test]
fn key_cannot_create_other_keys() {
    on_each_world(async |app| {
        let person = Person::free(&app).await;
        let answer = person.post(&app, "/v1/keys", &json!({"name": "another"})).await;
        answer.api_error(403, "owner_required");
        let listed = person.get(&app, "/v1/keys").await.expect(200).json();
        let keys = listed["keys"].as_array().unwrap();
        assert_eq!(keys.len(), 1);
        assert_eq!(keys[0]["id"], person.key_id.to_string());
        assert_eq!(keys[0]["prefix"], person.key[..12]);
        assert_eq!(keys[0]["scopes"], json!(["svc:read", "svc:write"]));
        assert!(!listed.to_string().contains(&person.key[12..]), "the secret of a key is not listed");
    });
}

#[test]
fn key_can_revoke_only_itself() {
    on_each_world(async |app| {
        let (person, stranger) = (Person::free(&app).await, Person::free(&app).await);
        let (second, second_id) = person.create_key(&app, Scopes::READ, None).await;
        let path = |id: &dyn std::fmt::Display| format!("/v1/keys/{id}");
        person.send(&app, Method::DELETE, &path(&second_id)).await.api_error(403, "owner_required");
        stranger.send(&app, Method::DELETE, &path(&person.key_id)).await.api_error(403, "owner_required");
        person.send(&app, Method::DELETE, "/v1/keys/nonsense").await.api_error(404, "not_found");
        let headers = [("x-api-key", second.as_str())];
        let gone = app.send(Method::DELETE, &path(&second_id), &headers, None).await.expect(204);
        assert!(gone.body.is_empty());
        app.get_with("/v1/me", &headers).await.api_error(401, "revoked_credential");
        person.send(&app, Method::DELETE, "/v1/keys/self").await.expect(204);
        person.get(&app, "/v1/me").await.api_error(401, "revoked_credential");
    });
}

#[test]
fn account_operation_returns_all_limits_of_each_plan() {
    use kernel::tiers::Tier;
    on_each_world(async |app| {
        for (tier, keys, minute) in [(Tier::Free, 2, 60), (Tier::Premium, 10, 300), (Tier::Pro, 50, 1200)] {
            let person = Person::on(&app, tier).await;
            let answer = person.get(&app, "/v1/me").await.expect(200);
            let body = answer.json();
            assert_eq!(
                (&body["userId"], &body["tier"]),
                (&json!(person.id.to_string()), &json!(tier.as_str()))
            );
            let limits = body["limits"].as_object().unwrap();
            assert_eq!(limits.len(), 25);
            assert!(limits.values().all(serde_json::Value::is_u64));
            assert_eq!(
                (&limits["activeApiKeys"], &limits["operationsPerMinute"]),
                (&json!(keys), &json!(minute))
            );
            assert_eq!(answer.header("content-type"), "application/json");
            assert_eq!(answer.header("x-content-type-options"), "nosniff");
            assert!(!answer.header("x-request-id").is_empty());
            let policy =
                format!("\"minute\";q={minute};w=60, \"day\";q={};w=86400", limits["operationsPerDay"]);
            assert_eq!(answer.header("ratelimit-policy"), policy);
        }
    });
}

#[test]
fn unknown_paths_and_methods_are_api_errors() {
    on_each_world(async |app| {
        for path in ["/v1", "/v1/", "/v1/nothing", "/v1/articles", "/v1/keys/a/b"] {
            app.get(path).await.api_error(404, "not_found");
        }
        let answer = app.send(Method::PUT, "/v1/articles/read", &[], None).await;
        answer.api_error(405, "method_not_allowed");
        assert_eq!(answer.header("allow"), "POST");
        let answer = app.send(Method::PATCH, "/v1/keys", &[], None).await;
        assert_eq!(answer.header("allow"), "GET, HEAD, POST");
    });
}

#[test]
fn unknown_query_parameters_are_ignored() {
    on_each_world(async |app| {
        let person = Person::free(&app).await;
        person.get(&app, "/v1/me?limit=x&unknown=1").await.expect(200);
        let listed = person.get(&app, "/v1/rss/entries?limit=5&unknown=1").await.expect(200).json();
        assert_eq!(listed["entries"], json!([]));
        person.get(&app, "/v1/rss/entries?limit=0").await.api_error(422, "invalid_request");
    });
}

#[test]
fn errors_are_problem_details_if_requested() {
    on_each_world(async |app| {
        let answer = app.get_with("/v1/me", &[("accept", "application/problem+json")]).await;
        let body = answer.problem(401, "missing_credential");
        assert_eq!(body["type"], format!("{}/docs/developer#missing_credential", app.origin));
        assert!(body["resolution"].as_str().unwrap().contains("X-API-Key"));
    });
}

#[test]
fn type_of_every_error_code_links_to_its_documentation() {
    run(async {
        let app = TestApp::spawn().await;
        let page = app.get("/docs/developer").await.expect(200).text();
        for group in [ErrorGroup::Developer, ErrorGroup::Articles] {
            for (entry, status) in group.codes() {
                assert!(page.contains(&format!("id=\"{}\"", entry.code)), "{} has no row", entry.code);
                assert!(page.contains(&status.to_string()));
            }
        }
    });
}

#[test]
fn cross_origin_scripts_are_allowed_only_if_configured() {
    run(async {
        let closed = Setup::on(World::Small).spawn().await;
        let headers = [("origin", "https://app.example.org"), ("access-control-request-method", "GET")];
        let answer = closed.send(Method::OPTIONS, "/v1/me", &headers, None).await;
        assert_eq!(answer.header("access-control-allow-origin"), "");
        let open =
            Setup::on(World::Small).set("CARREL_CORS_ORIGINS", "https://app.example.org").spawn().await;
        let answer = open.send(Method::OPTIONS, "/v1/me", &headers, None).await.expect(204);
        assert_eq!(answer.header("access-control-allow-origin"), "https://app.example.org");
        assert!(answer.header("access-control-allow-headers").contains("Authorization"));
        assert_eq!(answer.header("access-control-allow-credentials"), "", "cookies are not allowed");
        let answer = open.get_with("/v1/me", &[("origin", "https://app.example.org")]).await;
        assert!(answer.header("access-control-expose-headers").contains("RateLimit"));
        let answer = open.get_with("/v1/me", &[("origin", "https://evil.example")]).await;
        assert_eq!(answer.header("access-control-allow-origin"), "");
    });
}

#[test]
fn key_is_ignored_by_the_reader_and_refused_in_a_url() {
    on_each_world(async |app| {
        let person = Person::free(&app).await;
        let inside = format!("https://example.com/?k={}", person.key);
        app.read(&inside, &[]).await.problem(400, "credential_in_url");
        for path in ["extract", "read"] {
            let answer = person.post(&app, &format!("/v1/articles/{path}"), &json!({"url": inside})).await;
            let body = answer.api_error(400, "invalid_url");
            assert!(!body.to_string().contains(&person.key));
        }
    });
}
