//! Strict JSON parser for messages of agents. Refuses input that two parsers could read differently:
//! duplicate members, text that is not UTF-8, and excessive nesting.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::error::Category;
use serde_json::{Map, Number, Value};

/// Maximum nesting depth.
const MAX_LEVELS: usize = 64;

/// Reason why a text is refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum JsonFault {
    NotJson(String),
    /// The text is JSON, but ambiguous or nested too deep.
    Ambiguous(String),
}

/// Parses a text that contains one JSON value.
///
/// # Errors
/// The reason why the text is refused.
pub(super) fn parse(text: &[u8]) -> Result<Value, JsonFault> {
    let fault = |error: serde_json::Error| match error.classify() {
        Category::Data => JsonFault::Ambiguous(error.to_string()),
        Category::Io | Category::Syntax | Category::Eof => JsonFault::NotJson(error.to_string()),
    };
    let mut parser = serde_json::Deserializer::from_slice(text);
    let value = StrictValue { levels: MAX_LEVELS }.deserialize(&mut parser).map_err(fault)?;
    parser.end().map_err(fault)?;
    Ok(value)
}

/// Deserializer of a value that may contain `levels` more levels.
#[derive(Clone, Copy)]
struct StrictValue {
    levels: usize,
}

impl StrictValue {
    fn inner<E: Error>(self) -> Result<Self, E> {
        let levels = self.levels.checked_sub(1);
        levels.map(|levels| Self { levels }).ok_or_else(|| E::custom("nested too deep"))
    }
}

impl<'de> DeserializeSeed<'de> for StrictValue {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Value, D::Error> {
        from.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for StrictValue {
    type Value = Value;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a JSON value")
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        Number::from_f64(value).map(Value::Number).ok_or_else(|| E::custom("number out of range"))
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_string<E: Error>(self, value: String) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let inner = self.inner()?;
        let mut list = Vec::new();
        while let Some(item) = items.next_element_seed(inner)? {
            list.push(item);
        }
        Ok(list.into())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Value, A::Error> {
        let inner = self.inner()?;
        let mut object = Map::new();
        while let Some(name) = members.next_key::<String>()? {
            let value = members.next_value_seed(inner)?;
            if object.insert(name, value).is_some() {
                return Err(A::Error::custom("duplicate member"));
            }
        }
        Ok(object.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unambiguous_json_is_parsed_unchanged() {
        let text = r#"{"b":[1,-2,1.5,null,true,"ä\u0041"],"a":{}}"#;
        assert_eq!(parse(text.as_bytes()).unwrap().to_string(), r#"{"b":[1,-2,1.5,null,true,"äA"],"a":{}}"#);
    }

    #[test]
    fn duplicate_members_are_refused_at_every_depth() {
        for text in [r#"{"a":1,"a":2}"#, r#"{"a":1,"\u0061":2}"#, r#"[{"x":{"a":1,"b":2,"a":3}}]"#] {
            assert!(matches!(parse(text.as_bytes()), Err(JsonFault::Ambiguous(_))), "{text}");
        }
    }

    #[test]
    fn excessive_nesting_is_refused() {
        let nested = |levels: usize| format!("{}1{}", "[".repeat(levels), "]".repeat(levels));
        assert!(parse(nested(MAX_LEVELS).as_bytes()).is_ok());
        for levels in [MAX_LEVELS + 1, 127, 200, 100_000] {
            assert!(parse(nested(levels).as_bytes()).is_err(), "{levels}");
        }
    }

    #[test]
    fn invalid_json_and_other_encodings_are_refused() {
        let utf16: Vec<u8> = "{}".encode_utf16().flat_map(u16::to_le_bytes).collect();
        let bom = [b"\xEF\xBB\xBF".as_slice(), b"{}"].concat();
        for text in [&utf16[..], &bom[..], b"\"\xff\"", b"{", b"", b"{} {}", b"nul", b"{\"a\":1e999}"] {
            assert!(parse(text).is_err(), "{text:?}");
        }
    }
}
