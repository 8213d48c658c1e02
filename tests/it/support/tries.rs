//! Test values for a schema: a sample, missing and null values, and values at and beyond the bounds, each
//! with whether the schema accepts it.

use serde_json::{Map, Value, json};

use super::described::{INSIDE, resolved};

/// Id that no object has.
const UNKNOWN: &str = "0193a0b2-7c00-7000-8000-000000000000";

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

/// The part of a schema that contains its bounds.
fn bounded(schema: &Value) -> &Value {
    if schema["anyOf"][0]["type"].is_string() { &schema["anyOf"][0] } else { schema }
}

/// The non-null form of a nullable schema.
fn unwrapped<'a>(document: &'a Value, schema: &'a Value) -> &'a Value {
    let schema = resolved(document, schema);
    match schema["anyOf"].as_array().map(Vec::as_slice) {
        Some([one, null]) if null["type"] == "null" => resolved(document, one),
        _ => schema,
    }
}

/// A value that the schema accepts.
pub(crate) fn sample(document: &Value, schema: &Value) -> Value {
    let schema = unwrapped(document, schema);
    if let Some(word) = schema["enum"].get(0) {
        return word.clone();
    }
    let bounds = bounded(schema);
    match kind(schema) {
        "object" => {
            let mut object = Map::new();
            let required = schema["required"].as_array().into_iter().flatten();
            let required = required.map(|name| name.as_str().unwrap());
            // If at least one of several optional fields is required, the first is used.
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
        "string" if schema["format"] == "uri" => INSIDE.into(),
        "string" if schema["format"] == "uuid" => UNKNOWN.into(),
        "string" if bounds["examples"][0].is_string() => bounds["examples"][0].clone(),
        "string" if schema["anyOf"][0]["format"].is_string() => "2026-11-20T12:00:00Z".into(),
        "string" => "x".repeat(text_bounds(bounds).0.max(1)).into(),
        other => panic!("no sample of {other}: {schema}"),
    }
}

/// Groups of fields of which exactly one must be sent.
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

/// Values for a schema, each with whether the schema accepts it.
pub(crate) fn tries(document: &Value, outer: &Value) -> Vec<(Value, bool)> {
    let schema = unwrapped(document, outer);
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
            // An empty text counts as null.
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
    if schema["properties"].is_null() {
        return vec![(json!({"a": [1, {"b": null}]}), true), (json!([]), false), (json!(1), false)];
    }
    let is_last = |name: &str| {
        let is_alone = base.as_object().is_some_and(|base| base.len() == 1 && base.contains_key(name));
        schema["minProperties"].as_u64() == Some(1) && is_alone
    };
    let mut tries = vec![(with("noSuchField", Some(json!(1))), false), (json!([]), false), (json!(1), false)];
    for (name, field) in schema["properties"].as_object().unwrap() {
        let group = choices.iter().find(|names| names.contains(&name.as_str()));
        let is_chosen = group.is_some_and(|names| names[0] == name);
        tries.push((with(name, None), !is_required(name) && !is_chosen && !is_last(name)));
        for (value, is_taken) in self::tries(document, field) {
            let is_alone = group.is_none() || if is_chosen { !value.is_null() } else { value.is_null() };
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
        self::tries(document, &schema["items"])
            .into_iter()
            .map(|(item, is_taken)| (json!([item]), is_taken && most > 0)),
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
    let is_number_too = schema["anyOf"]
        .as_array()
        .into_iter()
        .flatten()
        .any(|form| form["type"] == "number" || form["type"] == "integer");
    let mut tries = vec![(json!({}), false), (json!(7), is_number_too), (json!(true), false)];
    if schema["format"] == "uuid" {
        tries.push((json!("no id"), false));
        return tries;
    }
    let (least, most) = text_bounds(bounded(schema));
    tries.push((json!("é".repeat(most + 1)), false));
    if schema["anyOf"][0]["format"].is_string() {
        tries.extend([(json!("2026-11-20"), true), (json!("yesterday"), false)]);
    } else if schema["format"] != "uri" {
        tries.push((json!("é".repeat(most)), bounded(schema)["examples"].is_null()));
    }
    // An empty text counts as null.
    tries.extend((least > 0 && !is_nullable(schema)).then(|| (json!("x".repeat(least - 1)), false)));
    if bounded(schema)["pattern"].is_string() {
        tries.extend([(json!(" "), false), (json!("a\nb"), false)]);
    }
    tries
}
