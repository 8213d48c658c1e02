//! Arguments of a default tool, checked against its input schema. Models that must fill in every argument
//! send null, an empty text, or an empty list for an argument that they do not need: these count as omitted.

use serde_json::{Map, Value};

use http_kit::http::fault::Fault;
use http_kit::http::request::escaped;

/// Checked arguments.
#[derive(Debug)]
pub(super) struct Arguments(Map<String, Value>);

impl Arguments {
    /// Checks arguments against `schema`.
    ///
    /// # Errors
    /// The first fault, with the pointer to its argument.
    pub(super) fn of(schema: &Value, sent: Map<String, Value>) -> Result<Self, Fault> {
        let mut arguments = Map::new();
        for (name, value) in sent {
            let Some(field) = schema["properties"].get(&name) else {
                return Err(Fault::new("there is no such argument").under(escaped(&name)));
            };
            let value = converted(field, value).map_err(|fault| fault.under(&name))?;
            arguments.extend(value.map(|value| (name, value)));
        }
        let required = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
        for name in required {
            if !arguments.contains_key(name) {
                return Err(Fault::new("is missing").under(name));
            }
        }
        Ok(Self(arguments))
    }

    pub(super) fn text(&self, name: &str) -> Option<&str> {
        self.0.get(name).and_then(Value::as_str)
    }

    /// Text of a required argument.
    pub(super) fn required(&self, name: &str) -> &str {
        self.text(name).unwrap_or_default()
    }

    pub(super) fn number(&self, name: &str) -> Option<u32> {
        self.0.get(name).and_then(Value::as_u64).and_then(|number| u32::try_from(number).ok())
    }

    /// Replaces the value of an argument.
    pub(super) fn set(&mut self, name: &str, number: u32) {
        self.0.insert(name.to_owned(), number.into());
    }

    pub(super) fn flag(&self, name: &str) -> bool {
        self.0.get(name) == Some(&Value::Bool(true))
    }

    pub(super) fn list(&self, name: &str) -> Vec<&str> {
        let values = self.0.get(name).and_then(Value::as_array).into_iter().flatten();
        values.filter_map(Value::as_str).collect()
    }
}

/// True if unchecked arguments ask for a dry run, in one of the notations that are converted.
pub(crate) fn asks_dry_run(sent: &Map<String, Value>) -> bool {
    sent.get("dryRun").is_some_and(|value| *value == true || *value == "true")
}

/// Value in the type of its schema; `None` if it counts as omitted.
fn converted(field: &Value, value: Value) -> Result<Option<Value>, Fault> {
    let kind = field["type"].as_str().unwrap_or_default();
    let value = match (kind, value) {
        (_, Value::Null) => return Ok(None),
        ("string", Value::Number(number)) => Value::String(number.to_string()),
        ("string", Value::String(text)) => {
            if text.trim().is_empty() {
                return Ok(None);
            }
            Value::String(text)
        }
        ("integer", Value::Number(number)) if number.is_u64() => Value::Number(number),
        ("integer" | "boolean", Value::String(text)) if text.trim().is_empty() => return Ok(None),
        ("integer", Value::String(text)) => {
            let number: u64 = text.trim().parse().map_err(|_| Fault::new("must be a whole number"))?;
            number.into()
        }
        ("integer", _) => return Err(Fault::new("must be a whole number")),
        ("boolean", Value::Bool(flag)) => Value::Bool(flag),
        ("boolean", Value::String(text)) if matches!(text.as_str(), "true" | "false") => {
            Value::Bool(text == "true")
        }
        ("boolean", _) => return Err(Fault::new("must be true or false")),
        ("array", Value::String(text)) => match serde_json::from_str(&text) {
            Ok(Value::Array(items)) => items.into(),
            Ok(_) | Err(_) if text.trim().is_empty() => return Ok(None),
            Ok(_) | Err(_) => vec![Value::String(text)].into(),
        },
        ("array", Value::Array(items)) => items.into(),
        ("array", _) => return Err(Fault::new("must be a list")),
        _ => return Err(Fault::new("must be a text")),
    };
    if value.as_array().is_some_and(Vec::is_empty) {
        return Ok(None);
    }
    check(field, &value)?;
    Ok(Some(value))
}

/// Checks the keywords and bounds of a schema.
fn check(field: &Value, value: &Value) -> Result<(), Fault> {
    if let Some(words) = field["enum"].as_array()
        && !words.contains(value)
    {
        let words: Vec<&str> = words.iter().filter_map(Value::as_str).collect();
        return Err(Fault::new(format!("must be one of {}", words.join(", "))));
    }
    if let Some(number) = value.as_u64() {
        let (least, most) = (field["minimum"].as_u64(), field["maximum"].as_u64());
        if least.is_some_and(|least| number < least) || most.is_some_and(|most| number > most) {
            let (least, most) = (least.unwrap_or_default(), most.unwrap_or(u64::MAX));
            return Err(Fault::new(format!("must be from {least} to {most}")));
        }
    }
    if let Some(items) = value.as_array() {
        let most = field["maxItems"].as_u64().and_then(|most| usize::try_from(most).ok());
        if let Some(most) = most.filter(|most| items.len() > *most) {
            return Err(Fault::new(format!("must have at most {most} entries")));
        }
        if items.iter().any(|item| item.as_str().is_none_or(|text| text.trim().is_empty())) {
            return Err(Fault::new("must have texts only, none of them empty"));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn of(sent: Value) -> Result<Arguments, String> {
        let schema = json!({
            "type": "object",
            "properties": {
                "query": {"type": "string"},
                "in": {"type": "string", "enum": ["all", "library"]},
                "limit": {"type": "integer", "minimum": 1, "maximum": 20},
                "tags": {"type": "array", "items": {"type": "string"}, "maxItems": 2},
                "dryRun": {"type": "boolean"},
            },
            "required": ["query"],
        });
        let Value::Object(sent) = sent else { panic!("{sent}") };
        Arguments::of(&schema, sent).map_err(|fault| fault.to_string())
    }

    #[test]
    fn dry_run_is_recognized_before_and_after_the_check() {
        for value in [json!(true), json!("true"), json!(false), json!("false"), json!(""), Value::Null] {
            let sent = json!({"query": "x", "dryRun": value});
            let is_dry = asks_dry_run(sent.as_object().unwrap());
            assert_eq!(of(sent).unwrap().flag("dryRun"), is_dry, "{value}");
        }
    }

    #[test]
    fn neutral_values_count_as_omitted() {
        let arguments = of(json!({"query": "x", "in": "", "limit": null, "tags": [], "dryRun": ""})).unwrap();
        assert_eq!((arguments.text("in"), arguments.number("limit")), (None, None));
        assert!(arguments.list("tags").is_empty() && !arguments.flag("dryRun"));
        assert_eq!(of(json!({"query": " "})).unwrap_err(), "/query: is missing");
    }

    #[test]
    fn values_are_converted_to_the_type_of_the_schema() {
        let arguments = of(json!({"query": 7, "limit": "5", "tags": "[\"a\"]", "dryRun": "true"})).unwrap();
        assert_eq!((arguments.required("query"), arguments.number("limit")), ("7", Some(5)));
        assert_eq!((arguments.list("tags"), arguments.flag("dryRun")), (vec!["a"], true));
        assert_eq!(of(json!({"query": "x", "tags": "one tag"})).unwrap().list("tags"), ["one tag"]);
    }

    #[test]
    fn invalid_values_are_refused_with_their_pointer() {
        for (sent, fault) in [
            (json!({}), "/query: is missing"),
            (json!({"query": "x", "more": 1}), "/more: there is no such argument"),
            (json!({"query": "x", "in": "feeds"}), "/in: must be one of all, library"),
            (json!({"query": "x", "limit": 21}), "/limit: must be from 1 to 20"),
            (json!({"query": "x", "limit": 1.5}), "/limit: must be a whole number"),
            (json!({"query": "x", "tags": ["a", "b", "c"]}), "/tags: must have at most 2 entries"),
            (json!({"query": "x", "tags": [1]}), "/tags: must have texts only, none of them empty"),
            (json!({"query": ["x"]}), "/query: must be a text"),
        ] {
            assert_eq!(of(sent.clone()).unwrap_err(), fault, "{sent}");
        }
    }
}
