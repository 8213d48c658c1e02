//! Values of request bodies. Each type provides both its schema and its parser, so that they cannot differ.
//! Forms send all values as text, so a number or a flag is accepted as text everywhere. Forms encode null and
//! a list of one value in ways that JSON bodies do not accept; [`RequestValue::of_form`] converts them.

use poem_openapi::registry::{MetaSchema, MetaSchemaRef, Registry};
use serde_json::Value;

use super::fault::Fault;
use super::openapi_type::inline;

/// Value of a request body.
pub trait RequestValue: Sized + Send + Sync {
    /// True if a body without the value is refused.
    const IS_REQUIRED: bool = true;
    /// True if forms send the value as JSON text.
    const IS_OBJECT: bool = false;
    /// True if an empty text in JSON means null where null is accepted. Forms always send null as an empty
    /// text.
    const IS_NULL_IF_EMPTY: bool = true;

    /// Returns the schema for the API description.
    fn schema() -> MetaSchemaRef;

    /// Registers the schemas that [`Self::schema`] references.
    fn register(_registry: &mut Registry) {}

    /// Parses the value.
    ///
    /// # Errors
    /// If the value is invalid. The pointer of the fault is relative to this value.
    fn parse(value: &Value) -> Result<Self, Fault>;

    /// Converts a form value to its JSON value.
    fn of_form(value: Value) -> Value {
        value
    }

    /// Returns the default for an absent value. `None` if the value is required.
    fn absent() -> Option<Self> {
        None
    }
}

/// Value that may be omitted. JSON null differs from omission: only a [`Nullable`] type accepts null.
impl<T: RequestValue> RequestValue for Option<T> {
    const IS_REQUIRED: bool = false;
    const IS_OBJECT: bool = T::IS_OBJECT;

    fn schema() -> MetaSchemaRef {
        T::schema()
    }

    fn register(registry: &mut Registry) {
        T::register(registry);
    }

    fn parse(value: &Value) -> Result<Self, Fault> {
        T::parse(value).map(Some)
    }

    fn of_form(value: Value) -> Value {
        T::of_form(value)
    }

    fn absent() -> Option<Self> {
        Some(None)
    }
}

/// Value or null. Forms send null as an empty text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Nullable<T>(pub Option<T>);

impl<T: RequestValue> RequestValue for Nullable<T> {
    const IS_OBJECT: bool = T::IS_OBJECT;

    fn schema() -> MetaSchemaRef {
        let schema = match T::schema() {
            MetaSchemaRef::Inline(schema) => *schema,
            named @ MetaSchemaRef::Reference(_) => MetaSchema { all_of: vec![named], ..MetaSchema::ANY },
        };
        inline(MetaSchema { nullable: true, ..schema })
    }

    fn register(registry: &mut Registry) {
        T::register(registry);
    }

    fn parse(value: &Value) -> Result<Self, Fault> {
        match value {
            Value::Null => Ok(Self(None)),
            Value::String(text) if text.is_empty() && T::IS_NULL_IF_EMPTY => Ok(Self(None)),
            value => T::parse(value).map(|value| Self(Some(value))),
        }
    }

    fn of_form(value: Value) -> Value {
        if value.as_str() == Some("") { Value::Null } else { T::of_form(value) }
    }
}

/// List of `MIN` to `MAX` values. A form repeats the name or sends a single value, with objects as JSON text.
/// The JSON text of a whole list of objects is also accepted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct List<T, const MIN: usize, const MAX: usize>(pub Vec<T>);

impl<T: RequestValue, const MIN: usize, const MAX: usize> RequestValue for List<T, MIN, MAX> {
    fn schema() -> MetaSchemaRef {
        let items = Some(Box::new(T::schema()));
        let min_items = (MIN > 0).then_some(MIN);
        inline(MetaSchema { items, min_items, max_items: Some(MAX), ..MetaSchema::new("array") })
    }

    fn register(registry: &mut Registry) {
        T::register(registry);
    }

    fn parse(value: &Value) -> Result<Self, Fault> {
        let of_text;
        let values = match value {
            Value::Array(values) => values.as_slice(),
            Value::String(text) if T::IS_OBJECT => {
                of_text = match serde_json::from_str(text) {
                    Ok(Value::Array(values)) => values,
                    Ok(one @ Value::Object(_)) => vec![one],
                    Ok(_) | Err(_) => return Err(Fault::new("must be the JSON text of a list")),
                };
                of_text.as_slice()
            }
            _ => return Err(Fault::new("must be a list")),
        };
        if values.len() < MIN {
            return Err(Fault::new(format!("has fewer items than {MIN}")));
        }
        if values.len() > MAX {
            return Err(Fault::new(format!("has more than {MAX} items")));
        }
        let item = |(index, value): (usize, &Value)| T::parse(value).map_err(|fault| fault.under(index));
        values.iter().enumerate().map(item).collect::<Result<_, _>>().map(Self)
    }

    fn of_form(value: Value) -> Value {
        if value.is_string() && !T::IS_OBJECT { Value::Array(vec![value]) } else { value }
    }
}

/// Parses a value of an enum `T`.
///
/// # Errors
/// If the value is unknown. The fault lists the allowed values.
pub fn parse_word<T: poem_openapi::types::ParseFromJSON>(value: &Value) -> Result<T, Fault> {
    T::parse_from_json(Some(value.clone())).map_err(|_| {
        let mut registry = Registry::new();
        T::register(&mut registry);
        let schema = registry.schemas.get(T::name().as_ref());
        let words = schema.map_or(&[][..], |schema| schema.enum_items.as_slice());
        let words: Vec<&str> = words.iter().filter_map(Value::as_str).collect();
        Fault::new(match words.split_last() {
            Some((last, others)) if !others.is_empty() => format!("must be {} or {last}", others.join(", ")),
            _ => format!("must be {}", words.concat()),
        })
    })
}

/// Implements [`RequestValue`] for enums that poem-openapi describes.
#[macro_export]
macro_rules! words {
    ($($name:ty),+ $(,)?) => {$(
        impl $crate::http::value::RequestValue for $name {
            fn schema() -> poem_openapi::registry::MetaSchemaRef {
                <Self as poem_openapi::types::Type>::schema_ref()
            }

            fn register(registry: &mut poem_openapi::registry::Registry) {
                <Self as poem_openapi::types::Type>::register(registry);
            }

            fn parse(value: &serde_json::Value) -> Result<Self, $crate::http::fault::Fault> {
                $crate::http::value::parse_word(value)
            }
        }
    )+};
}

pub use crate::words;
