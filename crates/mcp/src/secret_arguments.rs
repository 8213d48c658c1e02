//! Arguments of calls, as displayed to the person who approves the calls. Secrets in them are masked: they
//! are neither displayed nor stored.

use kernel::{address, looks_like_a_secret};
use serde_json::{Map, Value};

/// Text that replaces a secret.
const MASK: &str = "•••";
/// Names of arguments whose values are secrets, at any depth.
const SECRETS: [&str; 5] = ["credentials", "password", "token", "clientSecret", "bearer"];

/// Returns the arguments with their secrets masked.
pub(super) fn displayed(arguments: &Map<String, Value>) -> Map<String, Value> {
    let has_secret_text = arguments.get("secret") == Some(&Value::Bool(true));
    let masked = |(name, value): (&String, &Value)| {
        let is_secret = SECRETS.contains(&name.as_str()) || has_secret_text && name == "text";
        let value = match value {
            value if is_secret => mask(value),
            // Values of request headers may be secrets.
            Value::Array(headers) if name == "headers" => headers.iter().map(header).collect(),
            value => without_secrets(value),
        };
        (name.clone(), value)
    };
    arguments.iter().map(masked).collect()
}

fn without_secrets(value: &Value) -> Value {
    match value {
        Value::String(text) if looks_like_a_secret(text) => mask(value),
        Value::String(text) => address::without_user_info(text).into(),
        Value::Array(items) => items.iter().map(without_secrets).collect(),
        Value::Object(members) => Value::Object(displayed(members)),
        Value::Null | Value::Bool(_) | Value::Number(_) => value.clone(),
    }
}

fn header(header: &Value) -> Value {
    let mut masked = without_secrets(header);
    if let Some(value) = masked.get_mut("value") {
        *value = mask(value);
    }
    masked
}

/// Masks all texts and numbers in a value.
fn mask(value: &Value) -> Value {
    match value {
        Value::String(_) | Value::Number(_) => MASK.into(),
        Value::Array(items) => items.iter().map(mask).collect(),
        Value::Object(members) => {
            Value::Object(members.iter().map(|(name, value)| (name.clone(), mask(value))).collect())
        }
        Value::Null | Value::Bool(_) => value.clone(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn secrets_in_arguments_are_masked_and_other_values_are_unchanged() {
        let arguments = json!({
            "name": "Shop", "intervalMinutes": 60, "targetUrl": "https://ada:opened@shop.example/in",
            "credentials": {"basic": {"username": "ada", "password": "opened"}},
            "steps": [
                {"kind": "type", "selector": "#code", "text": "opened", "secret": true},
                {"kind": "type", "selector": "#query", "text": "boats", "secret": false},
            ],
            "headers": [{"name": "X-Feed-Key", "value": "opened"}],
            "token": "opened",
        });
        let expected = json!({
            "name": "Shop", "intervalMinutes": 60, "targetUrl": "https://shop.example/in",
            "credentials": {"basic": {"username": "•••", "password": "•••"}},
            "steps": [
                {"kind": "type", "selector": "#code", "text": "•••", "secret": true},
                {"kind": "type", "selector": "#query", "text": "boats", "secret": false},
            ],
            "headers": [{"name": "X-Feed-Key", "value": "•••"}],
            "token": "•••",
        });
        assert_eq!(Value::Object(displayed(arguments.as_object().unwrap())), expected);
        let removed = json!({"credentials": {"remove": true}});
        assert_eq!(Value::Object(displayed(removed.as_object().unwrap())), removed);
    }
}
