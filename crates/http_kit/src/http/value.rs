//! Values of request bodies. Each type describes itself in the API description and parses itself, so that
//! the two cannot differ. Forms send every value as a text: what a type takes as a text it takes anywhere.

use poem_openapi::registry::{MetaSchema, MetaSchemaRef, Registry};
use serde_json::Value;

use super::fault::Fault;

/// A value of a request body.
pub trait RequestValue: Sized + Send + Sync {
    /// Whether a body without it is refused.
    const IS_REQUIRED: bool = true;
    /// Whether a form sends it as JSON text.
    const IS_OBJECT: bool = false;

    /// What the API description says of it.
    fn schema() -> MetaSchemaRef;

    /// Adds the schemas that [`Self::schema`] names.
    fn register(_registry: &mut Registry) {}

    /// The value that was sent.
    ///
    /// # Errors
    /// What is wrong with it, with the pointer from this value on.
    fn parse(value: &Value) -> Result<Self, Fault>;

    /// The value when none was sent; `None` when there must be one.
    fn absent() -> Option<Self> {
        None
    }
}

/// May be left out. JSON null is not the same as leaving it out: where null is taken, the type is
/// [`Nullable`].
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

    fn absent() -> Option<Self> {
        Some(None)
    }
}

/// A value or null; in a form null is an empty text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Nullable<T>(pub Option<T>);

impl<T: RequestValue> RequestValue for Nullable<T> {
    const IS_OBJECT: bool = T::IS_OBJECT;

    fn schema() -> MetaSchemaRef {
        let schema = match T::schema() {
            MetaSchemaRef::Inline(schema) => *schema,
            named @ MetaSchemaRef::Reference(_) => MetaSchema { all_of: vec![named], ..MetaSchema::ANY },
        };
        MetaSchemaRef::Inline(Box::new(MetaSchema { nullable: true, ..schema }))
    }

    fn register(registry: &mut Registry) {
        T::register(registry);
    }

    fn parse(value: &Value) -> Result<Self, Fault> {
        match value {
            Value::Null => Ok(Self(None)),
            Value::String(text) if text.is_empty() => Ok(Self(None)),
            value => T::parse(value).map(|value| Self(Some(value))),
        }
    }
}

/// A list of `MIN` to `MAX` values. A form repeats the name or sends a single value alone, objects as JSON text; the
/// JSON text of a whole list of objects is taken, too.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct List<T, const MIN: usize, const MAX: usize>(pub Vec<T>);

impl<T: RequestValue, const MIN: usize, const MAX: usize> RequestValue for List<T, MIN, MAX> {
    fn schema() -> MetaSchemaRef {
        let items = Some(Box::new(T::schema()));
        let min_items = (MIN > 0).then_some(MIN);
        let list = MetaSchema { items, min_items, max_items: Some(MAX), ..MetaSchema::new("array") };
        MetaSchemaRef::Inline(Box::new(list))
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
            Value::String(_) => std::slice::from_ref(value),
            _ => return Err(Fault::new("must be a list")),
        };
        if values.len() < MIN {
            return Err(Fault::new(format!("has fewer items than {MIN}")));
        }
        if values.len() > MAX {
            return Err(Fault::new(format!("has more items than {MAX}")));
        }
        let item = |(index, value): (usize, &Value)| T::parse(value).map_err(|fault| fault.under(index));
        values.iter().enumerate().map(item).collect::<Result<_, _>>().map(Self)
    }
}

/// One word of an enum, where `T` says which there are.
///
/// # Errors
/// When it is no such word; the reason names those that are.
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

/// Lets enums that poem-openapi describes be values of bodies.
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
