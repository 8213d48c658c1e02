//! Objects with arbitrary members, stored and returned unchanged.

use poem_openapi::registry::{MetaSchema, MetaSchemaRef};
use poem_openapi::types::ToJSON;
use serde_json::{Map, Value};

use super::fault::Fault;
use super::openapi_type::{inline, openapi_type, response_only};
use super::value::RequestValue;

/// Object with arbitrary members.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FreeObject(pub Map<String, Value>);

impl FreeObject {
    /// Converts a typed object to JSON. A value that is not an object becomes an empty object.
    pub fn of(object: &impl ToJSON) -> Self {
        match object.to_json() {
            Some(Value::Object(object)) => Self(object),
            _ => Self::default(),
        }
    }

    /// Parses a JSON text. A text that is not a JSON object becomes an empty object.
    pub fn of_text(text: &str) -> Self {
        Self(serde_json::from_str(text).unwrap_or_default())
    }

    /// Returns the JSON text of the object.
    pub fn to_text(&self) -> String {
        Value::Object(self.0.clone()).to_string()
    }

    fn schema() -> MetaSchemaRef {
        let additional_properties = Some(Box::new(inline(MetaSchema::ANY)));
        inline(MetaSchema { additional_properties, ..MetaSchema::new("object") })
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

openapi_type!([] FreeObject, "object", Self::schema());
response_only!([] FreeObject);

impl ToJSON for FreeObject {
    fn to_json(&self) -> Option<Value> {
        Some(Value::Object(self.0.clone()))
    }
}
