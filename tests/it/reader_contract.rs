//! The reader accepts exactly the requests that its API description allows. Each operation is called with its
//! examples, and with each field and parameter omitted, null, at its bounds, and beyond them.

use reqwest::Method;
use serde_json::Value;

use crate::support::operations::{BLOCKED_URL, Operation, parameters};
use crate::support::schema_cases::{cases, kind};
use crate::support::{HttpAnswer, Setup, TestApp, World, run};

/// Error codes of requests that violate the description.
const MALFORMED: [&str; 5] =
    ["invalid_parameter", "missing_url", "invalid_url", "batch_size", "invalid_json"];

async fn app() -> (TestApp, Vec<Operation>, Value) {
    let app = Setup::on(World::Small).set("CARREL_READER_LIMITS", "off").idle().spawn().await;
    let document = app.get("/api/v1/openapi.json").await.expect(200).json();
    let operations = Operation::all(&document);
    assert!(operations.len() > 15, "{} operations", operations.len());
    (app, operations, document)
}

/// True if an answer rejects its request, or one item of a batch, as malformed.
fn is_malformed(answer: &HttpAnswer) -> bool {
    let is_one = |body: &Value| MALFORMED.iter().any(|code| body["code"] == *code);
    if answer.header("content-type").starts_with("text/html") {
        let page = answer.text();
        return MALFORMED.iter().any(|code| page.contains(&format!("/problems/{code}\"")));
    }
    let body: Value = serde_json::from_slice(&answer.body).unwrap_or_default();
    if answer.status >= 400 {
        return is_one(&body);
    }
    body["results"].as_array().into_iter().flatten().any(|item| is_one(&item["output"]))
}

#[track_caller]
fn check(operation: &Operation, answer: &HttpAnswer, sent: &str, is_taken: bool) {
    let excerpt: String = sent.chars().take(300).collect();
    let body = String::from_utf8_lossy(&answer.body);
    let about = format!("{} with {excerpt}: {} {body}", operation.id, answer.status);
    assert_eq!(is_malformed(answer), !is_taken, "{about}");
    let is_described = operation.description["responses"].get(answer.status.to_string()).is_some();
    assert!(is_described, "a status that is not described: {about}");
}

#[test]
fn request_bodies_are_accepted_exactly_as_described() {
    run(async {
        let (app, operations, document) = app().await;
        let mut sent = 0;
        for operation in &operations {
            let Some(media) = operation.media() else { continue };
            for (body, is_taken) in cases(&document, &media["schema"]) {
                check(operation, &app.post(&operation.path, &body).await, &body.to_string(), is_taken);
                sent += 1;
            }
            let mut example = media["example"].clone();
            assert!(example.is_object(), "{} has no example", operation.id);
            if example.get("url").is_some() {
                example["url"] = BLOCKED_URL.into();
            }
            for item in example.get_mut("requests").and_then(Value::as_array_mut).into_iter().flatten() {
                item["url"] = BLOCKED_URL.into();
            }
            check(operation, &app.post(&operation.path, &example).await, &example.to_string(), true);
        }
        assert!(sent > 120, "{sent} bodies");
    });
}

/// Formats a value for a query string or a header. `None` if the type has no such format.
fn as_text(value: Value, schema: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text),
        Value::Number(number) if kind(schema) == "integer" => Some(number.to_string()),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => None,
    }
}

#[test]
fn parameters_are_accepted_exactly_as_described() {
    run(async {
        let (app, operations, document) = app().await;
        let mut sent = 0;
        for operation in operations.iter().filter(|operation| operation.method == Method::GET) {
            let own = |location| parameters(&operation.description, location);
            let needs_url = own("query").any(|parameter| parameter["name"] == "url");
            for parameter in own("query") {
                let name = parameter["name"].as_str().unwrap();
                // A valid scenario returns the requested problem, so only invalid scenarios are tested.
                for (value, is_taken) in cases(&document, &parameter["schema"])
                    .into_iter()
                    .filter(|(_, is_taken)| name != "scenario" || !is_taken)
                {
                    let Some(text) = as_text(value, &parameter["schema"]) else { continue };
                    let mut query = url::form_urlencoded::Serializer::new(String::new());
                    if needs_url && name != "url" {
                        query.append_pair("url", BLOCKED_URL);
                    }
                    let path = format!("{}?{}", operation.path, query.append_pair(name, &text).finish());
                    check(operation, &app.get(&path).await, &format!("{name}={text}"), is_taken);
                    sent += 1;
                }
            }
            for parameter in own("header").filter(|it| it["name"].as_str().unwrap().starts_with("X-")) {
                let name = parameter["name"].as_str().unwrap();
                for (value, is_taken) in cases(&document, &parameter["schema"]) {
                    let text = as_text(value, &parameter["schema"]);
                    let Some(text) = text.filter(|text| !text.trim().is_empty() && !text.contains('\n'))
                    else {
                        continue;
                    };
                    let path = if needs_url {
                        format!("{}?url={BLOCKED_URL}", operation.path)
                    } else {
                        operation.path.clone()
                    };
                    let request = app.request(Method::GET, &path).header(name, text.as_bytes());
                    let answer = HttpAnswer::of(request.send().await.expect("the app answers")).await;
                    check(operation, &answer, &format!("{name}: {text}"), is_taken);
                    sent += 1;
                }
            }
        }
        assert!(sent > 120, "{sent} requests");
    });
}

#[test]
fn head_and_options_are_described_and_supported() {
    run(async {
        let (app, operations, _) = app().await;
        for operation in &operations {
            let answer = app.send(operation.method.clone(), &operation.path, &[], None).await;
            let is_described = operation.description["responses"].get(answer.status.to_string()).is_some();
            match operation.method {
                Method::OPTIONS => {
                    answer.clone().expect(204);
                    assert!(answer.header("allow").contains("OPTIONS"), "{}", operation.id);
                }
                Method::HEAD => assert!(answer.body.is_empty(), "{}", operation.id),
                _ => continue,
            }
            assert!(is_described, "{}: {}", operation.id, answer.status);
        }
    });
}
