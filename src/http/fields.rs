//! Taking a JSON object apart: every field asked for once, with its bounds; every fault with a pointer
//! (RFC 6901) and a reason; and whatever nobody asked for refused.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

pub use super::fault::Fault;
use super::number::{parse_integer, whole};
use super::request::escaped;

/// A JSON object that is being taken apart.
#[derive(Debug)]
pub struct Fields<'a> {
    pointer: String,
    map: &'a Map<String, Value>,
    asked: BTreeSet<&'static str>,
}

impl<'a> Fields<'a> {
    /// The object `value` at `pointer` (empty for the whole body).
    pub fn of(value: &'a Value, pointer: impl Into<String>) -> Result<Self, Fault> {
        let pointer = pointer.into();
        match value {
            Value::Object(map) => Ok(Self { pointer, map, asked: BTreeSet::new() }),
            _ => Err(Fault { pointer, ..Fault::new("must be an object") }),
        }
    }

    /// A fault of the named field.
    pub fn fault(&self, name: &str, reason: impl Into<String>) -> Fault {
        Fault { pointer: self.pointer(name), ..Fault::new(reason) }
    }

    /// The pointer of the named field.
    pub fn pointer(&self, name: &str) -> String {
        format!("{}/{name}", self.pointer)
    }

    /// The value of a field as it stands; JSON null counts as absent.
    pub fn value(&mut self, name: &'static str) -> Option<&'a Value> {
        self.asked.insert(name);
        self.map.get(name).filter(|value| !value.is_null())
    }

    /// Whether a field is there and null.
    pub fn is_null(&self, name: &str) -> bool {
        self.map.get(name).is_some_and(Value::is_null)
    }

    /// A text of `least` to `most` code points.
    pub fn text(&mut self, name: &'static str, least: usize, most: usize) -> Result<Option<&'a str>, Fault> {
        let Some(value) = self.value(name) else { return Ok(None) };
        let Value::String(text) = value else { return Err(self.fault(name, "must be a string")) };
        let length = text.chars().count();
        if length < least {
            let reason =
                if least == 1 { "must not be empty".to_owned() } else { format!("shorter than {least}") };
            return Err(self.fault(name, reason));
        }
        if length > most {
            return Err(self.fault(name, format!("longer than {most}")));
        }
        Ok(Some(text))
    }

    /// A whole number, as JSON integer or as a text that holds one.
    pub fn integer(&mut self, name: &'static str, least: i64, most: i64) -> Result<Option<i64>, Fault> {
        let Some(value) = self.value(name) else { return Ok(None) };
        let number = match value {
            Value::Number(number) => whole(number),
            Value::String(text) => parse_integer(text),
            _ => None,
        };
        let Some(number) = number else { return Err(self.fault(name, "must be an integer")) };
        if number < least || number > most {
            return Err(self.fault(name, format!("must be between {least} and {most}")));
        }
        Ok(Some(number))
    }

    /// Ends the taking apart: a key that nobody asked for is a fault.
    pub fn finish(self) -> Result<(), Fault> {
        match self.map.keys().find(|key| !self.asked.contains(key.as_str())) {
            None => Ok(()),
            Some(key) => Err(self.fault(&escaped(key), "there is no such property")),
        }
    }
}

/// A name of the domain as JSON bodies and forms write it: `intervalMinutes`.
pub fn camel_case(name: &str) -> String {
    let mut words = name.split('_');
    let mut camel = words.next().unwrap_or_default().to_owned();
    for word in words {
        let mut characters = word.chars();
        camel.extend(characters.next().map(|first| first.to_ascii_uppercase()));
        camel.push_str(characters.as_str());
    }
    camel
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_unknown_property_is_named() {
        let value = json!({"url": "x", "colour/x": 1});
        let mut fields = Fields::of(&value, "").unwrap();
        fields.text("url", 1, 10).unwrap();
        assert_eq!(fields.finish().unwrap_err().to_string(), "/colour~1x: there is no such property");
    }

    #[test]
    fn lengths_are_counted_in_code_points() {
        let value = json!({"text": "äöü"});
        let mut fields = Fields::of(&value, "").unwrap();
        assert_eq!(fields.text("text", 1, 3), Ok(Some("äöü")));
        assert_eq!(fields.text("text", 1, 2).unwrap_err().reason, "longer than 2");
        assert_eq!(fields.text("text", 4, 9).unwrap_err().reason, "shorter than 4");
    }

    #[test]
    fn an_integer_may_come_as_text() {
        let value =
            json!({"a": 7, "b": "-7", "c": 7.5, "d": "7x", "e": "", "f": "1234567890123456", "g": 3.0});
        let mut fields = Fields::of(&value, "").unwrap();
        assert_eq!(fields.integer("a", 0, 9), Ok(Some(7)));
        assert_eq!(fields.integer("b", -9, 9), Ok(Some(-7)));
        assert_eq!(fields.integer("g", 0, 9), Ok(Some(3)));
        for wrong in ["c", "d", "e", "f"] {
            assert_eq!(fields.integer(wrong, -9, 9).unwrap_err().reason, "must be an integer");
        }
        assert_eq!(fields.integer("a", 0, 6).unwrap_err().reason, "must be between 0 and 6");
    }
}
