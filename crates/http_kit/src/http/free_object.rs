//! Objects with arbitrary members, stored and returned as they were sent.

use std::borrow::Cow;

use poem_openapi::registry::{MetaSchema, MetaSchemaRef};
use poem_openapi::types::{ParseError, ParseFromJSON, ParseResult, ToJSON, Type};
use serde_json::{Map, Value};

use super::fault::Fault;
use super::value::RequestValue;

/// Object with arbitrary members.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FreeObject(pub Map<String, Value>);

impl FreeObject {
    /// Parses a JSON text. Anything but an object becomes an empty object.
    pub fn of_text(text: &str) -> Self {
        Self(serde_json::from_str(text).unwrap_or_default())
    }

    /// JSON text of the object.
    pub fn to_text(&self) -> String {
        Value::Object(self.0.clone()).to_string()
    }

    fn schema() -> MetaSchemaRef {
        let anything = MetaSchemaRef::Inline(Box::new(MetaSchema::ANY));
        let schema =
            MetaSchema { additional_properties: Some(Box::new(anything)), ..MetaSchema::new("object") };
        MetaSchemaRef::Inline(Box::new(schema))
    }
}

impl RequestValue for FreeObject {
    const IS_OBJECT: bool = true;

    fn schema() -> MetaSchemaRef {
        Self::schema()
    }

    fn parse(value: &Value) -> Result<Self, Fault> {
        match value {
            Value::Object(object) => Ok(Self(object.clone())),
            Value::String(text) => {
                let object = serde_json::from_str(text);
                object.map(Self).map_err(|_| Fault::new("must be the JSON text of an object"))
            }
            _ => Err(Fault::new("must be an object")),
        }
    }
}

impl Type for FreeObject {
    const IS_REQUIRED: bool = true;
    type RawValueType = Self;
    type RawElementValueType = Self;

    fn name() -> Cow<'static, str> {
        "object".into()
    }

    fn schema_ref() -> MetaSchemaRef {
        Self::schema()
    }

    fn as_raw_value(&self) -> Option<&Self> {
        Some(self)
    }

    fn raw_element_iter<'a>(&'a self) -> Box<dyn Iterator<Item = &'a Self> + 'a> {
        Box::new(std::iter::once(self))
    }
}

impl ToJSON for FreeObject {
    fn to_json(&self) -> Option<Value> {
        Some(Value::Object(self.0.clone()))
    }
}

/// Required by poem-openapi for response types. Never called.
impl ParseFromJSON for FreeObject {
    fn parse_from_json(_value: Option<Value>) -> ParseResult<Self> {
        Err(ParseError::custom("FreeObject is parsed only from request bodies"))
    }
}
