//! What the Developer API describes is what it does: every operation of the document is tried with its own
//! examples, with each field left out, null, at its bounds and beyond them, and by whom it does not know.
//! A new operation is tried as soon as it is described.

use domain::Scopes;
use domain::limits::Tier;
use reqwest::Method;
use serde_json::{Map, Value, json};

use crate::support::clock::MINUTE;
use crate::support::person::Person;
use crate::support::{Setup, TestApp, World, run};

/// A URL that every operation reads and then refuses to fetch.
const INSIDE: &str = "http://10.0.0.1/";
/// The codes of a request that fails its schema.
const MALFORMED: [&str; 2] = ["invalid_request", "invalid_url"];

/// One operation as the document describes it.
struct Operation {
    id: String,
    method: Method,
    /// With the examples of its parameters filled in.
    path: String,
    described: Value,
}

impl Operation {
    fn all(document: &Value) -> Vec<Self> {
        let mut operations = Vec::new();
        for (path, methods) in document["paths"].as_object().unwrap() {
            for (method, described) in methods.as_object().unwrap() {
                let mut path = path.clone();
                for parameter in parameters(described, "path") {
                    let example = &parameter["example"];
                    let text = example.as_str().map_or_else(|| example.to_string(), str::to_owned);
                    path = path.replace(&format!("{{{}}}", parameter["name"].as_str().unwrap()), &text);
                }
                assert!(!path.contains(['{', '}']) && !path.contains("null"), "{path} has no examples");
                operations.push(Self {
                    id: described["operationId"].as_str().unwrap().to_owned(),
                    method: method.to_uppercase().parse().unwrap(),
                    path,
                    described: described.clone(),
                });
            }
        }
        operations
    }

    fn media(&self) -> Option<&Value> {
        self.described.pointer("/requestBody/content/application~1json")
    }

    fn scope(&self) -> &str {
        self.described["security"][0]["OAuth2"][0]
            .as_str()
            .unwrap_or_else(|| panic!("{} has no scope", self.id))
    }
}

fn parameters<'a>(described: &'a Value, place: &str) -> impl Iterator<Item = &'a Value> {
    let all = described["parameters"].as_array().into_iter().flatten();
    all.filter(move |parameter| parameter["in"] == place)
}

/// The schema that a reference names.
fn resolved<'a>(document: &'a Value, schema: &'a Value) -> &'a Value {
    let named = schema["$ref"].as_str().or(schema["allOf"][0]["$ref"].as_str());
    named
        .map_or(schema, |name| document.pointer(name.trim_start_matches('#')).expect("a schema of this name"))
}

fn is_nullable(schema: &Value) -> bool {
    let listed = |list: &Value, word: &str| list.as_array().is_some_and(|list| list.contains(&json!(word)));
    let forms = schema["anyOf"].as_array().into_iter().flatten();
    listed(&schema["type"], "null") || forms.into_iter().any(|form| form["type"] == "null")
}

fn kind(schema: &Value) -> &str {
    schema["type"]
        .as_str()
        .or(schema["type"][0].as_str())
        .or(schema["anyOf"][0]["type"].as_str())
        .unwrap_or("")
}

/// The part of a schema that says its bounds.
fn bounded(schema: &Value) -> &Value {
    if schema["anyOf"][0]["type"].is_string() { &schema["anyOf"][0] } else { schema }
}

/// Something that the schema takes.
fn sample(document: &Value, schema: &Value) -> Value {
    let schema = resolved(document, schema);
    if let Some(word) = schema["enum"].get(0) {
        return word.clone();
    }
    let bounds = bounded(schema);
    match kind(schema) {
        "object" => {
            let mut object = Map::new();
            let required = schema["required"].as_array().into_iter().flatten();
            let required = required.map(|name| name.as_str().unwrap());
            for name in required.chain(choices(schema).iter().filter_map(|names| names.first().copied())) {
                object.insert(name.to_owned(), sample(document, &schema["properties"][name]));
            }
            object.into()
        }
        "array" => {
            let count = schema["minItems"].as_u64().unwrap_or(1).max(1);
            (0..count).map(|_| sample(document, &schema["items"])).collect()
        }
        "integer" | "number" => bounds["minimum"].as_i64().unwrap_or(1).into(),
        "boolean" => true.into(),
        "string" if schema["format"] == "uri" => INSIDE.into(),
        "string" if schema["anyOf"][0]["format"].is_string() => "2026-11-20T12:00:00Z".into(),
        "string" => "x".repeat(text_bounds(bounds).0.max(1)).into(),
        other => panic!("no sample of {other}: {schema}"),
    }
}

/// The groups of fields of which exactly one is sent.
fn choices(schema: &Value) -> Vec<Vec<&str>> {
    let groups = std::iter::once(schema).chain(schema["allOf"].as_array().into_iter().flatten());
    groups
        .filter(|group| group["oneOf"].is_array())
        .map(|group| {
            let fields = group["oneOf"].as_array().into_iter().flatten();
            fields.map(|field| field["required"][0].as_str().unwrap()).collect()
        })
        .collect()
}

fn text_bounds(schema: &Value) -> (usize, usize) {
    let bound = |name: &str| schema[name].as_u64().and_then(|bound| usize::try_from(bound).ok());
    (bound("minLength").unwrap_or(0), bound("maxLength").expect("every text has an end"))
}

/// Values for a schema, each with whether the schema takes it.
fn tries(document: &Value, outer: &Value) -> Vec<(Value, bool)> {
    let schema = resolved(document, outer);
    let mut tries =
        vec![(sample(document, schema), true), (Value::Null, is_nullable(schema) || is_nullable(outer))];
    if let Some(words) = schema["enum"].as_array() {
        tries.extend(words.iter().filter(|word| !word.is_null()).map(|word| (word.clone(), true)));
        tries.extend([(json!("no such word"), false), (json!(7), false)]);
        return tries;
    }
    match kind(schema) {
        "object" => tries.extend(object_tries(document, schema)),
        "array" => tries.extend(list_tries(document, schema)),
        "integer" => {
            tries.extend(number_tries(bounded(schema)));
            // Where null is taken, a text of nothing is null.
            tries.push((json!(""), is_nullable(schema)));
        }
        "boolean" => tries.extend([(json!(false), true), (json!("perhaps"), false), (json!(1), false)]),
        "string" => tries.extend(text_tries(schema)),
        other => panic!("nothing to try of {other}: {schema}"),
    }
    tries
}

fn object_tries(document: &Value, schema: &Value) -> Vec<(Value, bool)> {
    let base = sample(document, schema);
    let with = |name: &str, value: Option<Value>| {
        let mut object = base.as_object().unwrap().clone();
        object.remove(name);
        object.extend(value.map(|value| (name.to_owned(), value)));
        Value::Object(object)
    };
    let choices = choices(schema);
    let is_required =
        |name: &str| schema["required"].as_array().is_some_and(|list| list.contains(&json!(name)));
    let mut tries = vec![(with("noSuchField", Some(json!(1))), false), (json!([]), false), (json!(1), false)];
    for (name, field) in schema["properties"].as_object().unwrap() {
        let group = choices.iter().find(|names| names.contains(&name.as_str()));
        let is_chosen = group.is_some_and(|names| names[0] == name);
        tries.push((with(name, None), !is_required(name) && !is_chosen));
        for (value, is_taken) in self::tries(document, field) {
            let is_alone = group.is_none()
                || if is_chosen { !value.is_null() } else { value.is_null() };
            tries.push((with(name, Some(value)), is_taken && is_alone));
        }
    }
    tries
}

fn list_tries(document: &Value, schema: &Value) -> Vec<(Value, bool)> {
    let item = sample(document, &schema["items"]);
    let of = |count: u64| Value::from(vec![item.clone(); usize::try_from(count).unwrap()]);
    let most = schema["maxItems"].as_u64().expect("every list has an end");
    let least = schema["minItems"].as_u64().unwrap_or(0);
    let mut tries = vec![(of(most), true), (of(most + 1), false), (json!({}), false), (json!(1), false)];
    tries.extend((least > 0).then(|| (of(least - 1), false)));
    tries.extend(
        self::tries(document, &schema["items"]).into_iter().map(|(item, is_taken)| (json!([item]), is_taken)),
    );
    tries
}

fn number_tries(schema: &Value) -> Vec<(Value, bool)> {
    let mut tries = vec![(json!(1.5), false), (json!("1x"), false), (json!([]), false)];
    for (name, step) in [("minimum", -1), ("maximum", 1)] {
        if let Some(bound) = schema[name].as_i64() {
            let beyond = bound + step;
            tries.extend([(json!(bound), true), (json!(beyond), false)]);
            tries.extend([(json!(bound.to_string()), true), (json!(beyond.to_string()), false)]);
        }
    }
    tries
}

fn text_tries(schema: &Value) -> Vec<(Value, bool)> {
    let is_number_too = schema["anyOf"].as_array().into_iter().flatten().any(|form| form["type"] == "number");
    let mut tries = vec![(json!({}), false), (json!(7), is_number_too), (json!(true), false)];
    let (least, most) = text_bounds(bounded(schema));
    tries.push((json!("é".repeat(most + 1)), false));
    if schema["anyOf"][0]["format"].is_string() {
        tries.extend([(json!("2026-11-20"), true), (json!("yesterday"), false)]);
    } else if schema["format"] != "uri" {
        tries.push((json!("é".repeat(most)), true));
    }
    // Where null is taken, a text of nothing is null.
    tries.extend((least > 0 && !is_nullable(schema)).then(|| (json!("x".repeat(least - 1)), false)));
    if schema["pattern"].is_string() {
        tries.extend([(json!(" "), false), (json!("a\nb"), false)]);
    }
    tries
}

/// Sends one body and compares what is done with what is described.
async fn check(app: &TestApp, who: &Person, operation: &Operation, body: &Value, is_taken: bool) {
    let headers = [("x-api-key", who.key.as_str()), ("content-type", "application/json")];
    let answer = app.send(operation.method.clone(), &operation.path, &headers, Some(body.to_string())).await;
    let shown: String = body.to_string().chars().take(300).collect();
    let about =
        format!("{} with {shown}: {} {}", operation.id, answer.status, String::from_utf8_lossy(&answer.body));
    let is_malformed = answer.status >= 400 && MALFORMED.iter().any(|code| answer.json()["code"] == *code);
    assert_eq!(is_malformed, !is_taken, "{about}");
    let is_described = operation.described["responses"].get(answer.status.to_string()).is_some();
    assert!(is_described, "a status that is not described: {about}");
}

async fn app() -> (TestApp, Person, Vec<Operation>, Value) {
    let app = Setup::on(World::Small).idle().spawn().await;
    let who = Person::on(&app, Tier::Pro).await;
    let document = app.get("/v1/openapi.json").await.expect(200).json();
    let operations = Operation::all(&document);
    assert!(operations.len() > 30, "{} operations", operations.len());
    (app, who, operations, document)
}

#[test]
fn bodies_are_taken_exactly_as_described() {
    run(async {
        let (app, who, operations, document) = app().await;
        let mut sent = 0;
        for operation in &operations {
            let Some(media) = operation.media() else { continue };
            app.clock.advance(MINUTE);
            for (body, is_taken) in tries(&document, &media["schema"]) {
                check(&app, &who, operation, &body, is_taken).await;
                sent += 1;
            }
        }
        assert!(sent > 400, "{sent} bodies");
    });
}

#[test]
fn every_body_has_an_example_that_is_taken_in_each_form() {
    run(async {
        let (app, who, operations, _) = app().await;
        for operation in &operations {
            let Some(media) = operation.media() else { continue };
            app.clock.advance(MINUTE);
            let mut body = media["example"].clone();
            assert!(body.is_object(), "{} has no example", operation.id);
            for name in ["url", "targetUrl"] {
                if body.get(name).is_some() {
                    body[name] = INSIDE.into();
                }
            }
            check(&app, &who, operation, &body, true).await;
            let mut form = url::form_urlencoded::Serializer::new(String::new());
            for (name, value) in body.as_object().unwrap() {
                match value {
                    Value::String(text) => drop(form.append_pair(name, text)),
                    Value::Null => drop(form.append_pair(name, "")),
                    Value::Array(items) if items.iter().all(|item| !item.is_object()) => {
                        for item in items {
                            let text = item.as_str().map_or_else(|| item.to_string(), str::to_owned);
                            form.append_pair(name, &text);
                        }
                    }
                    other => drop(form.append_pair(name, &other.to_string())),
                }
            }
            let headers =
                [("x-api-key", who.key.as_str()), ("content-type", "application/x-www-form-urlencoded")];
            let answer =
                app.send(operation.method.clone(), &operation.path, &headers, Some(form.finish())).await;
            let is_malformed =
                answer.status >= 400 && MALFORMED.iter().any(|code| answer.json()["code"] == *code);
            assert!(!is_malformed, "{}: {}", operation.id, answer.text());
        }
    });
}

#[test]
fn parameters_are_taken_exactly_as_described() {
    run(async {
        let (app, who, operations, document) = app().await;
        for operation in operations.iter().filter(|operation| operation.method == Method::GET) {
            app.clock.advance(MINUTE);
            for parameter in parameters(&operation.described, "query") {
                let name = parameter["name"].as_str().unwrap();
                for (value, is_taken) in tries(&document, &parameter["schema"]) {
                    // In a query every value is a text, and some texts are as good as none.
                    let text = match value {
                        Value::String(text) => text,
                        Value::Number(number) if kind(&parameter["schema"]) == "integer" => {
                            number.to_string()
                        }
                        Value::Null
                        | Value::Bool(_)
                        | Value::Number(_)
                        | Value::Array(_)
                        | Value::Object(_) => {
                            continue;
                        }
                    };
                    let query: String = url::form_urlencoded::byte_serialize(text.as_bytes()).collect();
                    let answer = who.get(&app, &format!("{}?{name}={query}", operation.path)).await;
                    let is_malformed = answer.status >= 400 && answer.json()["code"] == "invalid_request";
                    let shown: String = text.chars().take(60).collect();
                    assert_eq!(
                        is_malformed,
                        !is_taken,
                        "{}: {name}={shown}: {}",
                        operation.id,
                        answer.text()
                    );
                }
            }
        }
    });
}

#[test]
fn every_operation_refuses_strangers_and_keys_without_its_scope() {
    run(async {
        let (app, who, operations, _) = app().await;
        for operation in &operations {
            // One of the operations revokes the key that it is called with.
            let (reader, _) = who.key(&app, Scopes::READ, None).await;
            let send = async |headers: &[(&str, &str)]| {
                app.send(operation.method.clone(), &operation.path, headers, None).await
            };
            send(&[]).await.api_error(401, "missing_credential");
            let answer = send(&[("x-api-key", reader.as_str())]).await;
            let is_refused = answer.status == 403 && answer.json()["code"] == "insufficient_scope";
            assert_eq!(is_refused, operation.scope() == "svc:write", "{}: {}", operation.id, answer.status);
            let responses = &operation.described["responses"];
            assert!(["401", "403", "429", "503"].iter().all(|status| responses.get(*status).is_some()));
        }
    });
}
