//! Converts the OpenAPI 3.0 documents of poem-openapi to OpenAPI 3.1 and adds what the derive macros cannot
//! express: licence, summaries, 4XX responses, closed request bodies.

use std::collections::BTreeSet;
use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::{Map, Value, json};

/// Type name of a placeholder schema that no value satisfies. poem-openapi cannot express
/// `additionalProperties: false`, so [`convert`] writes that keyword for an object whose additional
/// properties have this type.
pub const NOTHING_ELSE: &str = "nothing else";

/// Parts of a document other than its operations.
#[derive(Debug, Clone, Copy)]
pub struct DocumentOptions<'a> {
    /// Origin of the server.
    pub server: &'a str,
    /// Credential that operations need by default.
    pub credential: DocumentCredential,
    /// For each schema, the response fields that are omitted if they are empty. All other fields are always
    /// present.
    pub skipped: &'a [(&'a str, &'a [&'a str])],
    /// Response schemas with fields that the caller selects. Only `id` is always present.
    pub chosen: &'a [&'a str],
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DocumentCredential {
    /// No operation needs a credential: every operation gets `security: []`.
    None,
    /// Each operation declares its own requirement.
    AsStated,
}

/// Converts a document written by poem-openapi.
///
/// # Errors
/// If `text` is not a JSON object, which would be a bug in poem-openapi.
pub fn convert(text: &str, options: DocumentOptions<'_>) -> Result<Value, serde_json::Error> {
    let mut document: Value = serde_json::from_str(text)?;
    document["paths"] = serde_json::from_str::<RawDocument>(text)?.paths.0.into();
    convert_schemas(&mut document);
    document["openapi"] = "3.1.0".into();
    document["info"]["license"] = json!({"name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0"});
    document["servers"] = json!([{"url": options.server}]);
    close_requests(&mut document);
    require_nullable(&mut document, options);
    if let Some(paths) = document["paths"].as_object_mut() {
        rename_paths(paths);
        for operations in paths.values_mut() {
            for (method, operation) in operations.as_object_mut().into_iter().flatten() {
                finish(operation, options);
                if method == "get" {
                    make_conditional(operation);
                }
            }
        }
    }
    Ok(document)
}

/// Part of the document that is parsed a second time, because paths may be repeated.
#[derive(Deserialize)]
struct RawDocument {
    paths: Paths,
}

/// Paths of the document. A path with operations in several modules occurs once per module; their
/// operations are merged.
struct Paths(Map<String, Value>);

impl<'de> Deserialize<'de> for Paths {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct PathsVisitor;

        impl<'de> Visitor<'de> for PathsVisitor {
            type Value = Paths;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("an object of paths")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Paths, A::Error> {
                let mut paths: Map<String, Value> = Map::new();
                while let Some((path, operations)) = map.next_entry::<String, Map<String, Value>>()? {
                    match paths.get_mut(&path).and_then(Value::as_object_mut) {
                        Some(known) => known.extend(operations),
                        None => drop(paths.insert(path, operations.into())),
                    }
                }
                Ok(Paths(paths))
            }
        }

        from.deserialize_map(PathsVisitor)
    }
}

/// Moves examples of bodies from the named schemas to the requests and responses that use them. The example
/// of a numeric path parameter is its minimum.
pub fn move_examples(document: &mut Value) {
    let mut examples = Map::new();
    for (name, schema) in document["components"]["schemas"].as_object_mut().into_iter().flatten() {
        if let Some(Value::Array(mut schema_examples)) =
            schema.as_object_mut().and_then(|schema| schema.remove("examples"))
        {
            examples.insert(format!("#/components/schemas/{name}"), schema_examples.swap_remove(0));
        }
    }
    for operations in document["paths"].as_object_mut().into_iter().flat_map(Map::values_mut) {
        for operation in operations.as_object_mut().into_iter().flat_map(Map::values_mut) {
            let responses = operation["responses"].as_object_mut().into_iter().flat_map(Map::values_mut);
            let contents = responses.filter_map(|response| response.get_mut("content"));
            let media = contents.filter_map(Value::as_object_mut).flat_map(Map::values_mut);
            media.for_each(|media| show(media, &examples));
            let request = operation.get_mut("requestBody").and_then(|body| body["content"].as_object_mut());
            request.into_iter().flat_map(Map::values_mut).for_each(|media| show(media, &examples));
            let parameters = operation.get_mut("parameters").and_then(Value::as_array_mut);
            for parameter in parameters.into_iter().flatten().filter(|parameter| parameter["in"] == "path") {
                let example =
                    parameter["schema"].as_object_mut().and_then(|schema| schema.remove("examples"));
                let smallest = &parameter["schema"]["minimum"];
                let example =
                    example.map_or_else(|| smallest.clone(), |schema_examples| schema_examples[0].clone());
                if !example.is_null() {
                    parameter["example"] = example;
                }
            }
        }
    }
}

fn show(media: &mut Value, examples: &Map<String, Value>) {
    let own = media["schema"].as_object_mut().and_then(|schema| schema.remove("examples"));
    let named = || media["schema"]["$ref"].as_str().and_then(|schema| examples.get(schema)).cloned();
    if let Some(example) = own.map(|mut own| own[0].take()).or_else(named) {
        media["example"] = example;
    }
}

/// Converts the keywords that JSON Schema 2020-12 spells differently.
fn convert_schemas(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(convert_schemas),
        Value::Object(map) => {
            map.values_mut().for_each(convert_schemas);
            convert_bounds(map);
            if map.get("additionalProperties").is_some_and(|schema| schema["type"] == NOTHING_ELSE) {
                map.insert("additionalProperties".into(), false.into());
            }
            if let Some(example) = map.get("type").is_some().then(|| map.remove("example")).flatten() {
                map.insert("examples".into(), json!([example]));
            }
            if map.get("format").is_some_and(|format| format == "binary") {
                map.remove("format");
                map.insert("contentMediaType".into(), "application/octet-stream".into());
            }
            if map.remove("nullable").is_some_and(|nullable| nullable == true) {
                make_nullable(map);
            }
            if let Some(content) = map.get_mut("content").and_then(Value::as_object_mut) {
                plain_media_types(content);
            }
        }
        _ => {}
    }
}

fn make_nullable(map: &mut Map<String, Value>) {
    if let Some(kind) = map.get("type").and_then(Value::as_str).map(str::to_owned) {
        map.insert("type".into(), json!([kind, "null"]));
        if let Some(Value::Array(words)) = map.get_mut("enum") {
            words.push(Value::Null);
        }
        return;
    }
    if let Some(Value::Array(forms)) = map.get_mut("anyOf") {
        forms.push(json!({"type": "null"}));
        return;
    }
    let inner = Value::Object(std::mem::take(map));
    map.insert("anyOf".into(), json!([inner, {"type": "null"}]));
}

/// Converts `exclusiveMinimum: true` to the number itself and writes whole bounds without `.0`.
fn convert_bounds(map: &mut Map<String, Value>) {
    for (flag, bound) in [("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum")] {
        if map.get(flag).is_some_and(Value::is_boolean) {
            let exclusive = map.remove(flag) == Some(Value::Bool(true));
            if let Some(number) = exclusive.then(|| map.remove(bound)).flatten() {
                map.insert(flag.into(), number);
            }
        }
    }
    for name in ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"] {
        if let Some(number) = map.get(name).and_then(Value::as_f64)
            && number.fract() == 0.0
            && number.abs() < 9e15
        {
            #[expect(clippy::cast_possible_truncation, reason = "the number is whole and small")]
            map.insert(name.into(), (number as i64).into());
        }
    }
}

fn plain_media_types(content: &mut Map<String, Value>) {
    let kinds: Vec<(String, Value)> = std::mem::take(content).into_iter().collect();
    for (kind, schema) in kinds {
        let bare = kind.split(';').next().unwrap_or(&kind).trim().to_owned();
        content.insert(bare, schema);
    }
}

/// Converts the router's `*url`, a parameter that may contain slashes, to `{url}`.
fn rename_paths(paths: &mut Map<String, Value>) {
    let entries: Vec<(String, Value)> = std::mem::take(paths).into_iter().collect();
    for (path, operations) in entries {
        let path = path
            .split('/')
            .map(|part| part.strip_prefix('*').map_or_else(|| part.to_owned(), |name| format!("{{{name}}}")))
            .collect::<Vec<_>>()
            .join("/");
        paths.insert(path, operations);
    }
}

fn finish(operation: &mut Value, options: DocumentOptions<'_>) {
    let Some(operation) = operation.as_object_mut() else { return };
    if options.credential == DocumentCredential::None {
        operation.insert("security".into(), json!([]));
    }
    if !operation.contains_key("summary") {
        let id = operation.get("operationId").and_then(Value::as_str).unwrap_or_default().to_owned();
        operation.insert("summary".into(), id.into());
    }
    for parameter in operation.get_mut("parameters").and_then(Value::as_array_mut).into_iter().flatten() {
        if let Some(parameter) = parameter.as_object_mut() {
            parameter.remove("deprecated");
            parameter.remove("explode");
        }
    }
}

/// Adds `If-None-Match` and 304 to an operation whose response has an `ETag`.
fn make_conditional(operation: &mut Value) {
    let Some(etag) = operation["responses"]["200"]["headers"].get("ETag").cloned() else { return };
    let condition = json!({
        "name": "If-None-Match",
        "in": "header",
        "description": "`ETag` of an earlier response: the answer is 304 while nothing has changed.",
        "required": false,
        "schema": {"type": "string"},
    });
    match operation.get_mut("parameters").and_then(Value::as_array_mut) {
        Some(parameters) => parameters.push(condition),
        None => operation["parameters"] = json!([condition]),
    }
    operation["responses"]["304"] = json!({"description": "Nothing has changed.", "headers": {"ETag": etag}});
}

/// Forbids additional properties in request bodies.
fn close_requests(document: &mut Value) {
    let mut names = BTreeSet::new();
    for operation in
        document["paths"].as_object().into_iter().flat_map(Map::values).filter_map(Value::as_object)
    {
        for request in operation.values().filter_map(|operation| operation.get("requestBody")) {
            references(request, &mut names);
        }
    }
    loop {
        let known = names.len();
        for name in names.clone() {
            references(&document["components"]["schemas"][&name], &mut names);
        }
        if names.len() == known {
            break;
        }
    }
    for name in names {
        let schema = &mut document["components"]["schemas"][&name];
        if schema["type"] == "object" && schema.get("additionalProperties").is_none() {
            schema["additionalProperties"] = false.into();
            optional_nullable(schema);
        }
    }
}

/// Makes optional request fields nullable: null means absent.
fn optional_nullable(schema: &mut Value) {
    let required: BTreeSet<String> = required_of(schema);
    for (name, field) in schema["properties"].as_object_mut().into_iter().flatten() {
        if required.contains(name) {
            continue;
        }
        let Some(map) = field.as_object_mut() else { continue };
        let is_nullable = map.get("type").is_some_and(Value::is_array) || map.contains_key("anyOf");
        if !is_nullable {
            make_nullable(map);
        }
    }
}

/// Marks nullable response fields as required, unless they are omitted when they are empty.
fn require_nullable(document: &mut Value, options: DocumentOptions<'_>) {
    let schemas = document["components"]["schemas"].as_object_mut();
    for (name, schema) in schemas.into_iter().flatten() {
        let skipped =
            options.skipped.iter().find(|(schema, _)| schema == name).map_or(&[][..], |(_, fields)| fields);
        if schema.get("additionalProperties").is_some() || schema["type"] != "object" {
            continue;
        }
        let mut required = required_of(schema);
        let optional: Vec<String> = schema["properties"]
            .as_object()
            .into_iter()
            .flat_map(Map::keys)
            .filter(|name| !required.contains(*name) && !skipped.contains(&name.as_str()))
            .cloned()
            .collect();
        for name in optional {
            if let Some(field) = schema["properties"][&name].as_object_mut()
                && !field.get("type").is_some_and(Value::is_array)
                && !field.contains_key("anyOf")
            {
                make_nullable(field);
            }
            required.insert(name);
        }
        if options.chosen.contains(&name.as_str()) {
            required.retain(|field| field == "id");
        }
        let names: Vec<&String> = required.iter().collect();
        schema["required"] = json!(names);
    }
}

fn required_of(schema: &Value) -> BTreeSet<String> {
    schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
}

fn references(value: &Value, names: &mut BTreeSet<String>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| references(item, names)),
        Value::Object(map) => {
            if let Some(name) =
                map.get("$ref").and_then(Value::as_str).and_then(|path| path.rsplit('/').next())
            {
                names.insert(name.to_owned());
            }
            map.values().for_each(|item| references(item, names));
        }
        _ => {}
    }
}
