//! Results of tools: one object, once as it is and once as text, which say the same, because clients show a model one of
//! them or both. An error is a text alone: clients check what is structured against the tool's schema even then.

use serde_json::{Value, json};

use crate::session::Refusal;

/// The result that holds `value`.
pub(super) fn done(value: Value) -> Value {
    let mut result = json!({ "content": [{ "type": "text", "text": value.to_string() }], "isError": false });
    result["structuredContent"] = value;
    result
}

/// The result that holds `value` and points to bytes elsewhere.
pub(super) fn linked(value: Value) -> Value {
    let mut link = json!({ "type": "resource_link" });
    for member in ["uri", "name", "mimeType", "size"] {
        link[member] = value[member].clone();
    }
    let mut result = done(value);
    if let Some(content) = result["content"].as_array_mut() {
        content.push(link);
    }
    result
}

/// The result of a tool that was not carried out.
pub(crate) fn failed(refusal: &Refusal) -> Value {
    json!({ "content": [{ "type": "text", "text": refusal.error.to_string() }], "isError": true })
}

/// What a tool answers that has nothing to say but that it was done.
pub(super) fn done_value() -> Value {
    json!({ "done": true })
}

/// The schema of [`done_value`].
pub(super) fn done_schema() -> Value {
    json!({ "type": "object", "properties": { "done": { "type": "boolean" } }, "required": ["done"] })
}

/// What a tool answers whose operation answers a text.
pub(super) fn text_value(text: String, media_type: &str) -> Value {
    let characters = text.chars().count();
    let mut value = json!({
        "text": "",
        "mimeType": media_type,
        "characters": characters,
        "returnedCharacters": characters,
        "truncated": false,
    });
    value["text"] = text.into();
    value
}

/// The schema of [`text_value`].
pub(super) fn text_schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            "text": { "type": "string" },
            "mimeType": { "type": "string" },
            "characters": { "type": "integer" },
            "returnedCharacters": { "type": "integer" },
            "truncated": { "type": "boolean" },
        },
        "required": ["text", "mimeType", "characters", "returnedCharacters", "truncated"],
    })
}

/// The schema of a file: its text where it is one that fits into an answer, else where it is found.
pub(super) fn file_schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            "uri": { "type": "string" },
            "name": { "type": "string" },
            "mimeType": { "type": "string" },
            "size": { "type": "integer" },
            "text": { "type": "string" },
        },
        "required": ["uri", "name", "mimeType", "size"],
    })
}
