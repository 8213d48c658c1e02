//! Operations in an API description, and validation of values against its schemas.

use reqwest::Method;
use serde_json::Value;

/// URL that every operation accepts as valid and the guard refuses to fetch.
pub(crate) const BLOCKED_URL: &str = "http://10.0.0.1/";

/// Operation in an API description.
pub(crate) struct Operation {
    pub(crate) id: String,
    pub(crate) method: Method,
    /// Path with example values of its parameters.
    pub(crate) path: String,
    /// Path template in the document.
    pub(crate) template: String,
    pub(crate) description: Value,
}

impl Operation {
    /// Returns all operations in a document.
    pub(crate) fn all(document: &Value) -> Vec<Self> {
        let mut operations = Vec::new();
        for (path, methods) in document["paths"].as_object().unwrap() {
            for (method, description) in methods.as_object().unwrap() {
                let (template, mut path) = (path.clone(), path.clone());
                for parameter in parameters(description, "path") {
                    let example = &parameter["example"];
                    let text = example.as_str().map_or_else(|| example.to_string(), str::to_owned);
                    let text = if text.starts_with("https:") { BLOCKED_URL.to_owned() } else { text };
                    path = path.replace(&format!("{{{}}}", parameter["name"].as_str().unwrap()), &text);
                }
                assert!(
                    !path.contains(['{', '}']) && !path.contains("null"),
                    "{path} has a parameter without an example"
                );
                operations.push(Self {
                    id: description["operationId"].as_str().unwrap().to_owned(),
                    method: method.to_uppercase().parse().unwrap(),
                    path,
                    template,
                    description: description.clone(),
                });
            }
        }
        operations
    }

    /// Returns the JSON media type of the request body. `None` if the operation accepts no JSON.
    pub(crate) fn media(&self) -> Option<&Value> {
        self.description.pointer("/requestBody/content/application~1json")
    }

    /// Returns the OAuth scope that the operation requires.
    pub(crate) fn scope(&self) -> &str {
        self.description["security"][0]["OAuth2"][0]
            .as_str()
            .unwrap_or_else(|| panic!("{} has no scope", self.id))
    }
}

/// Returns the parameters in one location: `path`, `query`, or `header`.
pub(crate) fn parameters<'a>(description: &'a Value, location: &str) -> impl Iterator<Item = &'a Value> {
    let all = description["parameters"].as_array().into_iter().flatten();
    all.filter(move |parameter| parameter["in"] == location)
}

/// Resolves a reference to a schema, which may be inside `allOf`.
pub(crate) fn resolve_schema<'a>(document: &'a Value, schema: &'a Value) -> &'a Value {
    let reference = schema["$ref"].as_str().or(schema["allOf"][0]["$ref"].as_str());
    reference
        .map_or(schema, |name| document.pointer(name.trim_start_matches('#')).expect("the schema exists"))
}

/// Resolves a reference of any kind.
pub(crate) fn resolve_reference<'a>(document: &'a Value, value: &'a Value) -> &'a Value {
    match value["$ref"].as_str() {
        Some(name) => document.pointer(name.trim_start_matches('#')).expect("the reference can be resolved"),
        None => value,
    }
}

/// Returns the first mismatch between a value and a schema. `None` if the value matches.
pub(crate) fn schema_error(document: &Value, schema: &Value, value: &Value) -> Option<String> {
    let schema = resolve_reference(document, schema);
    let wrong = |why: &str| Some(format!("{why}: {value} is not {schema}"));
    let forms = |name: &str| schema[name].as_array().filter(|forms| !forms.is_empty());
    if let Some(forms) = forms("anyOf").or(forms("oneOf"))
        && !forms.iter().any(|form| schema_error(document, form, value).is_none())
    {
        return wrong("none of several");
    }
    if let Some(mismatch) =
        forms("allOf").into_iter().flatten().find_map(|part| schema_error(document, part, value))
    {
        return Some(mismatch);
    }
    if schema["enum"].as_array().is_some_and(|words| !words.contains(value)) {
        return wrong("no such word");
    }
    let kind = match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_f64() => "number",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    };
    let is_kind = |known: &Value| known == kind || (known == "number" && kind == "integer");
    match &schema["type"] {
        Value::Null => {}
        Value::Array(kinds) if kinds.iter().any(is_kind) => {}
        known if is_kind(known) => {}
        _ => return wrong("another type"),
    }
    if let Value::Array(items) = value {
        return items.iter().find_map(|item| schema_error(document, &schema["items"], item));
    }
    let (Value::Object(fields), Some(known)) = (value, schema["properties"].as_object()) else { return None };
    for name in schema["required"].as_array().into_iter().flatten() {
        if !fields.contains_key(name.as_str().unwrap()) {
            return wrong(&format!("{name} is missing"));
        }
    }
    fields.iter().find_map(|(name, value)| match known.get(name) {
        Some(schema) => schema_error(document, schema, value),
        None => Some(format!("{name} is not described")),
    })
}
