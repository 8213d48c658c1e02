//! Values of a watch of changedetection.io, read within limits.

use serde_json::{Map, Value};

use super::list::cut;

/// Maximum number of tags, texts, and steps of a watch that are read.
pub(super) const MAX_LISTED: usize = 100;

pub(super) type JsonFields = Map<String, Value>;

pub(super) fn text<'a>(fields: &'a JsonFields, name: &str) -> &'a str {
    fields.get(name).and_then(Value::as_str).unwrap_or_default()
}

pub(super) fn texts(fields: &JsonFields, name: &str) -> Vec<String> {
    let list = fields.get(name).and_then(Value::as_array).into_iter().flatten();
    list.filter_map(Value::as_str).map(cut).filter(|text| !text.is_empty()).take(MAX_LISTED).collect()
}

pub(super) fn flag(fields: &JsonFields, name: &str) -> bool {
    fields.get(name).and_then(Value::as_bool).unwrap_or(false)
}

/// True if the value of a setting differs from its default.
pub(super) fn is_set(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Bool(flag) => *flag,
        Value::Number(_) => true,
        Value::String(text) => !text.trim().is_empty(),
        Value::Array(list) => list.iter().any(is_set),
        Value::Object(fields) => !fields.is_empty(),
    }
}
