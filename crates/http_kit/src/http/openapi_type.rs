//! Types with a hand-written OpenAPI schema: poem-openapi cannot derive the schema, the parser, or the JSON
//! of their values.

use poem_openapi::registry::{MetaSchema, MetaSchemaRef};

/// Wraps a schema that is written where it is used, without a name.
pub fn inline(schema: MetaSchema) -> MetaSchemaRef {
    MetaSchemaRef::Inline(Box::new(schema))
}

/// Implements `Type` for a type: its name, its schema, and a function that registers the schemas that it
/// references.
#[macro_export]
macro_rules! openapi_type {
    ([$($generics:tt)*] $kind:ty, $name:expr, $schema:expr $(, $register:expr)?) => {
        impl<$($generics)*> poem_openapi::types::Type for $kind {
            const IS_REQUIRED: bool = true;
            type RawValueType = Self;
            type RawElementValueType = Self;

            fn name() -> std::borrow::Cow<'static, str> {
                $name.into()
            }

            fn schema_ref() -> poem_openapi::registry::MetaSchemaRef {
                $schema
            }

            $(fn register(registry: &mut poem_openapi::registry::Registry) {
                let register: fn(&mut poem_openapi::registry::Registry) = $register;
                register(registry);
            })?

            fn as_raw_value(&self) -> Option<&Self> {
                Some(self)
            }

            fn raw_element_iter<'a>(&'a self) -> Box<dyn Iterator<Item = &'a Self> + 'a> {
                Box::new(std::iter::once(self))
            }
        }
    };
}

/// Implements the parser that poem-openapi requires of response types. It is never called.
#[macro_export]
macro_rules! response_only {
    ([$($generics:tt)*] $kind:ty) => {
        impl<$($generics)*> poem_openapi::types::ParseFromJSON for $kind {
            fn parse_from_json(_value: Option<serde_json::Value>) -> poem_openapi::types::ParseResult<Self> {
                Err(poem_openapi::types::ParseError::custom("responses are never parsed"))
            }
        }
    };
}

pub use crate::{openapi_type, response_only};
