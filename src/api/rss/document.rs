//! What the derived description of the RSS operations cannot say about their bodies.

use serde_json::{Map, Value, json};

/// A name on one line, with something in it.
const NAME: &str = "^[^\\u0000-\\u001F\\u007F-\\u009F]*[^\\s\\u0000-\\u001F\\u007F-\\u009F][^\\u0000-\\u001F\\u007F-\\u009F]*$";

/// Makes the schemas of bodies as exact as what is taken.
pub(in crate::api) fn exact(schemas: &mut Map<String, Value>) {
    let id = json!({"anyOf": [
        {"type": "integer", "minimum": 1, "maximum": 999_999_999_999_999_i64},
        {"type": "string", "pattern": "^[1-9][0-9]{0,14}$"},
    ]});
    for (schema, field) in
        [("RssEntriesUpdate", "ids"), ("RssCollectionRequest", "feedIds"), ("RssCollectionUpdate", "feedIds")]
    {
        set(schemas, schema, field, "items", id.clone());
    }
    for schema in ["RssCollectionRequest", "RssCollectionUpdate"] {
        set(schemas, schema, "name", "pattern", NAME.into());
    }
    let time = json!([{"format": "date-time"}, {"format": "date"}]);
    set(schemas, "RssMarkReadRequest", "discoveredBefore", "anyOf", time);
    set(schemas, "RssMarkReadRequest", "all", "const", true.into());
    if let Some(schema) = schemas.get_mut("RssMarkReadRequest") {
        let only = |field: &str| json!({ "required": [field] });
        schema["oneOf"] = json!([only("feedId"), only("collectionId"), only("all")]);
    }
}

fn set(schemas: &mut Map<String, Value>, schema: &str, field: &str, word: &str, value: Value) {
    if let Some(field) = schemas.get_mut(schema).and_then(|schema| schema["properties"].get_mut(field)) {
        field[word] = value;
    }
}
