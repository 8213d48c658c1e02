//! Test values for a schema: a sample, missing and null values, and values at and beyond the bounds. The flag
//! of a value is true if the schema accepts it.

use serde_json::{Map, Value, json};

use super::operations::{BLOCKED_URL, resolve_schema};

/// Id that belongs to no object.
const UNKNOWN_ID: &str = "0193a0b2-7c00-7000-8000-000000000000";

fn is_nullable(schema: &Value) -> bool {
    let listed = |list: &Value, word: &str| list.as_array().is_some_and(|list| list.contains(&json!(word)));
    let forms = schema["anyOf"].as_array().into_iter().flatten();
    listed(&schema["type"], "null") || forms.into_iter().any(|form| form["type"] == "null")
}

pub(crate) fn kind(schema: &Value) -> &str {
    schema["type"]
        .as_str()
        .or(schema["type"][0].as_str())
        .or(schema["anyOf"][0]["type"].as_str())
        .unwrap_or("")
}

/// Returns the part of a schema that contains its bounds.
fn bounds_of(schema: &Value) -> &Value {
    if schema["anyOf"][0]["type"].is_string() { &schema["anyOf"][0] } else { schema }
}

/// Returns the non-null alternative of a nullable schema.
fn non_null<'a>(document: &'a Value, schema: &'a Value) -> &'a Value {
    let schema = resolve_schema(document, schema);
    match schema["anyOf"].as_array().map(Vec::as_slice) {
        Some([one, null]) if null["type"] == "null" => resolve_schema(document, one),
        _ => schema,
    }
}

/// Returns a value that the schema accepts.
pub(crate) fn sample(document: &Value, schema: &Value) -> Value {
    let schema = non_null(document, schema);
    if let Some(word) = schema["enum"].get(0) {
        return word.clone();
    }
    let bounds = bounds_of(schema);
    match kind(schema) {
        "object" => {
            let mut object = Map::new();
            let required = schema["required"].as_array().into_iter().flatten();
            let required = required.map(|name| name.as_str().unwrap());
            // If at least one of several optional fields is required, the sample contains the first.
            let first = schema["properties"].as_object().and_then(|all| all.keys().next());
            let first = first.filter(|_| schema["minProperties"].as_u64() == Some(1)).map(String::as_str);
            for name in first
                .into_iter()
                .chain(required)
                .chain(choices(schema).iter().filter_map(|names| names.first().copied()))
            {
                object.insert(name.to_owned(), sample(document, &schema["properties"][name]));
            }
            object.into()
        }
        "array" => {
            let most = schema["maxItems"].as_u64().unwrap_or(1);
            let count = schema["minItems"].as_u64().unwrap_or(1).max(1).min(most);
            (0..count).map(|_| sample(document, &schema["items"])).collect()
        }
        "integer" | "number" => bounds["minimum"].as_i64().unwrap_or(1).into(),
        "boolean" => true.into(),
        "string" if schema["format"] == "uri" => BLOCKED_URL.into(),
        "string" if schema["format"] == "uuid" => UNKNOWN_ID.into(),
        "string" if bounds["examples"][0].is_string() => bounds["examples"][0].clone(),
        "string" if schema["anyOf"][0]["format"].is_string() => "2026-11-20T12:00:00Z".into(),
        "string" => "x".repeat(text_bounds(bounds).0.max(1)).into(),
        other => panic!("no sample for {other}: {schema}"),
    }
}

/// Returns the groups of fields of which exactly one must be sent.
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
    (bound("minLength").unwrap_or(0), bound("maxLength").expect("every string has a maximum length"))
}

/// Returns values for a schema. The flag of a value is true if the schema accepts it.
pub(crate) fn cases(document: &Value, outer: &Value) -> Vec<(Value, bool)> {
    let schema = non_null(document, outer);
    let mut cases =
        vec![(sample(document, schema), true), (Value::Null, is_nullable(schema) || is_nullable(outer))];
    if let Some(words) = schema["enum"].as_array() {
        cases.extend(words.iter().filter(|word| !word.is_null()).map(|word| (word.clone(), true)));
        cases.extend([(json!("no such word"), false), (json!(7), false)]);
        return cases;
    }
    match kind(schema) {
        "object" => cases.extend(object_cases(document, schema)),
        "array" => cases.extend(list_cases(document, schema)),
        "integer" => cases.extend(number_cases(bounds_of(schema))),
        "boolean" => cases.extend([(json!(false), true), (json!("perhaps"), false), (json!(1), false)]),
        "string" => cases.extend(text_cases(schema)),
        other => panic!("no cases for {other}: {schema}"),
    }
    cases
}

fn object_cases(document: &Value, schema: &Value) -> Vec<(Value, bool)> {
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
    if schema["properties"].is_null() {
        return vec![(json!({"a": [1, {"b": null}]}), true), (json!([]), false), (json!(1), false)];
    }
    let is_last = |name: &str| {
        let is_alone = base.as_object().is_some_and(|base| base.len() == 1 && base.contains_key(name));
        schema["minProperties"].as_u64() == Some(1) && is_alone
    };
    let mut cases = vec![(with("noSuchField", Some(json!(1))), false), (json!([]), false), (json!(1), false)];
    for (name, field) in schema["properties"].as_object().unwrap() {
        let group = choices.iter().find(|names| names.contains(&name.as_str()));
        let is_chosen = group.is_some_and(|names| names[0] == name);
        cases.push((with(name, None), !is_required(name) && !is_chosen && !is_last(name)));
        for (value, is_taken) in self::cases(document, field) {
            let is_alone = group.is_none() || if is_chosen { !value.is_null() } else { value.is_null() };
            cases.push((with(name, Some(value)), is_taken && is_alone));
        }
    }
    cases
}

fn list_cases(document: &Value, schema: &Value) -> Vec<(Value, bool)> {
    let item = sample(document, &schema["items"]);
    let of = |count: u64| Value::from(vec![item.clone(); usize::try_from(count).unwrap()]);
    let most = schema["maxItems"].as_u64().expect("every list has a maximum length");
    let least = schema["minItems"].as_u64().unwrap_or(0);
    let mut cases = vec![(of(most), true), (of(most + 1), false), (json!({}), false), (json!(1), false)];
    cases.extend((least > 0).then(|| (of(least - 1), false)));
    cases.extend(
        self::cases(document, &schema["items"])
            .into_iter()
            .map(|(item, is_taken)| (json!([item]), is_taken && most > 0)),
    );
    cases
}

fn number_cases(schema: &Value) -> Vec<(Value, bool)> {
    let mut cases = vec![(json!(1.5), false), (json!("1x"), false), (json!([]), false)];
    for (name, step) in [("minimum", -1), ("maximum", 1)] {
        if let Some(bound) = schema[name].as_i64() {
            let beyond = bound + step;
            cases.extend([(json!(bound), true), (json!(beyond), false)]);
            cases.extend([(json!(bound.to_string()), true), (json!(beyond.to_string()), false)]);
        }
    }
    cases
}

fn text_cases(schema: &Value) -> Vec<(Value, bool)> {
    let is_number_too = schema["anyOf"]
        .as_array()
        .into_iter()
        .flatten()
        .any(|form| form["type"] == "number" || form["type"] == "integer");
    let mut cases = vec![(json!({}), false), (json!(7), is_number_too), (json!(true), false)];
    if schema["format"] == "uuid" {
        cases.push((json!("no id"), false));
        return cases;
    }
    let (least, most) = text_bounds(bounds_of(schema));
    cases.push((json!("é".repeat(most + 1)), false));
    if schema["anyOf"][0]["format"].is_string() {
        cases.extend([(json!("2026-11-20"), true), (json!("yesterday"), false)]);
    } else if schema["format"] != "uri" {
        cases.push((json!("é".repeat(most)), bounds_of(schema)["examples"].is_null()));
    }
    // An empty text counts as null.
    cases.extend((least > 0 && !is_nullable(schema)).then(|| (json!("x".repeat(least - 1)), false)));
    if bounds_of(schema)["pattern"].is_string() {
        cases.extend([(json!(" "), false), (json!("a\nb"), false)]);
    }
    cases
}
