//! Tool results. A result contains the same object as structured content and as text, because clients pass a
//! model one or both. An error contains text only, because clients validate structured content against the
//! tool's output schema.

use application::agent_undo::Undo;
use serde_json::{Value, json};

use crate::session::Refusal;

/// Completed call.
pub(super) struct Completed {
    /// Result for the client.
    pub result: Value,
    /// Action that undoes the call; `None` if it cannot be undone.
    pub undo: Option<Undo>,
}

impl From<Value> for Completed {
    fn from(result: Value) -> Self {
        Self { result, undo: None }
    }
}

/// Successful result with `value`.
pub(crate) fn done(value: Value) -> Value {
    let mut result = json!({ "content": [{ "type": "text", "text": value.to_string() }], "isError": false });
    result["structuredContent"] = value;
    result
}

/// Successful result with text only.
pub(super) fn text(text: String) -> Value {
    let mut result = json!({ "content": [{ "type": "text" }], "isError": false });
    result["content"][0]["text"] = text.into();
    result
}

/// Successful result with `value` and a link to a file.
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

/// Result of a refused call.
pub(super) fn failed(refusal: &Refusal) -> Value {
    json!({ "content": [{ "type": "text", "text": refusal.error.to_string() }], "isError": true })
}

/// Result value of an operation without content.
pub(super) fn done_value() -> Value {
    json!({ "done": true })
}

/// Schema of [`done_value`].
pub(super) fn done_schema() -> Value {
    json!({ "type": "object", "properties": { "done": { "type": "boolean" } }, "required": ["done"] })
}

/// Result value of an operation that returns text.
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

/// Schema of [`text_value`].
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

/// Schema of a file: its text if it is a text file that fits the size limit, otherwise only its URI.
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
