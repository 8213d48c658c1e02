//! Declarations of request bodies. Bounds, descriptions, examples, and defaults of the fields are in one
//! place.

use std::borrow::Cow;
use std::collections::BTreeSet;

use poem_openapi::registry::{MetaSchema, MetaSchemaRef, Registry};
use serde_json::{Map, Value};

use super::fault::Fault;
use super::openapi_type::inline;
use super::openapi31::NOTHING_ELSE;
use super::value::RequestValue;

/// Declares a request object: a struct, its description, and its parser.
///
/// Fields have the form `field: Type = example => default`; example and default are optional. A field may be
/// omitted if its type is an `Option` or it has a default. Unknown fields are refused. `with exactly one of`
/// requires exactly one field of each group; `with at least 1 field` refuses an empty object.
#[macro_export]
macro_rules! request {
    (
        $(#[doc = $about:literal])+
        $vis:vis struct $name:ident in $case:ident {
            $($(#[doc = $field_about:literal])+ $field:ident: $kind:ty $(= $example:expr)? $(=> $default:expr)?,)+
        }
        $(with exactly one of [$($choice:ident),+])*
        $(with at least $least:literal field)?
    ) => {
        $(#[doc = $about])+
        #[derive(Debug, Clone, PartialEq, Eq)]
        $vis struct $name {
            $($(#[doc = $field_about])+ pub $field: $kind,)+
        }

        impl $crate::http::value::RequestValue for $name {
            const IS_OBJECT: bool = true;

            fn schema() -> poem_openapi::registry::MetaSchemaRef {
                poem_openapi::registry::MetaSchemaRef::Reference(stringify!($name).to_owned())
            }

            fn register(registry: &mut poem_openapi::registry::Registry) {
                registry.create_schema::<Self, _>(stringify!($name).to_owned(), |registry| {
                    let about = concat!($($about),+).trim_ascii();
                    let mut object = $crate::http::request::Description::new(stringify!($name), about);
                    $(
                        let field = $crate::http::request::wire_name!($case $field);
                        let about = concat!($($field_about),+).trim_ascii();
                        object.field::<$kind>(registry, field, about);
                        $(object.example(field, serde_json::json!($example));)?
                        $(
                            let _: fn() -> $kind = || ($default).into();
                            object.is_optional(field);
                        )?
                    )+
                    $(object.exactly_one(&[$($crate::http::request::wire_name!($case $choice)),+]);)*
                    $(object.at_least($least);)?
                    object.finish()
                });
            }

            fn parse(value: &serde_json::Value) -> Result<Self, $crate::http::fault::Fault> {
                let mut object = $crate::http::request::ObjectFields::of(value)?;
                let parsed = Self {
                    $($field: {
                        let absent: Option<fn() -> $kind> = None;
                        $(let absent: Option<fn() -> $kind> = absent.or(Some(|| ($default).into()));)?
                        object.field($crate::http::request::wire_name!($case $field), absent)?
                    },)+
                };
                $(object.exactly_one(&[$($crate::http::request::wire_name!($case $choice)),+])?;)*
                $(object.at_least($least)?;)?
                object.finish()?;
                Ok(parsed)
            }

            fn of_form(value: serde_json::Value) -> serde_json::Value {
                let serde_json::Value::Object(mut fields) = value else { return value };
                $($crate::http::request::field_of_form::<$kind>(
                    &mut fields,
                    $crate::http::request::wire_name!($case $field),
                );)+
                fields.into()
            }
        }
    };
}

/// Wire name of a field.
#[macro_export]
macro_rules! wire_name {
    (snake_case $field:ident) => {
        stringify!($field)
    };
    (camelCase $field:ident) => {{
        const LENGTH: usize = $crate::http::request::camel_length(stringify!($field));
        const BYTES: [u8; LENGTH] = $crate::http::request::camel(stringify!($field));
        const NAME: &str = match std::str::from_utf8(&BYTES) {
            Ok(name) => name,
            Err(_) => stringify!($field),
        };
        NAME
    }};
}

pub use crate::{request, wire_name};

/// Converts a name to camel case, as used in JSON bodies and forms: `intervalMinutes`.
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

/// Returns the offset of the name after the raw identifier prefix `r#`, if it has the prefix; otherwise 0.
const fn raw_prefix_length(bytes: &[u8]) -> usize {
    if bytes.len() > 2 && bytes[0] == b'r' && bytes[1] == b'#' { 2 } else { 0 }
}

/// Returns the length of a field's name in camel case.
pub const fn camel_length(name: &str) -> usize {
    let (bytes, mut length) = (name.as_bytes(), 0);
    let mut at = raw_prefix_length(bytes);
    while at < bytes.len() {
        if bytes[at] != b'_' {
            length += 1;
        }
        at += 1;
    }
    length
}

/// Converts a field's name to camel case at compile time. Returns its bytes.
pub const fn camel<const LENGTH: usize>(name: &str) -> [u8; LENGTH] {
    let (bytes, mut written, mut camel) = (name.as_bytes(), 0, [0; LENGTH]);
    let mut at = raw_prefix_length(bytes);
    while at < bytes.len() {
        if bytes[at] != b'_' {
            let is_first = at > 0 && bytes[at - 1] == b'_';
            camel[written] = if is_first { bytes[at].to_ascii_uppercase() } else { bytes[at] };
            written += 1;
        }
        at += 1;
    }
    camel
}

/// Builder of an object's schema.
pub struct Description {
    schema: MetaSchema,
    example: Map<String, Value>,
}

impl Description {
    /// Creates the schema of an object without fields.
    pub fn new(name: &'static str, about: &'static str) -> Self {
        let nothing = inline(MetaSchema::new(NOTHING_ELSE));
        let schema = MetaSchema {
            title: Some(name.to_owned()),
            description: Some(about),
            additional_properties: Some(Box::new(nothing)),
            ..MetaSchema::new("object")
        };
        Self { schema, example: Map::new() }
    }

    pub fn field<T: RequestValue>(
        &mut self,
        registry: &mut Registry,
        name: &'static str,
        about: &'static str,
    ) {
        T::register(registry);
        let schema = match T::schema() {
            MetaSchemaRef::Inline(schema) => *schema,
            named @ MetaSchemaRef::Reference(_) => MetaSchema { all_of: vec![named], ..MetaSchema::ANY },
        };
        let schema = MetaSchema { description: Some(about), ..schema };
        self.schema.properties.push((name, inline(schema)));
        if T::IS_REQUIRED {
            self.schema.required.push(name);
        }
    }

    /// Marks a field with a default as optional.
    pub fn is_optional(&mut self, name: &str) {
        self.schema.required.retain(|required| *required != name);
    }

    /// Sets the value of a field in the example.
    pub fn example(&mut self, name: &str, value: Value) {
        self.example.insert(name.to_owned(), value);
    }

    /// Requires that exactly one of these fields is sent and not null.
    pub fn exactly_one(&mut self, names: &[&'static str]) {
        let alone = |name: &&'static str| {
            let field = self.schema.properties.iter().find(|(field, _)| field == name);
            let kind = match field {
                Some((_, MetaSchemaRef::Inline(schema))) if schema.nullable => Some(schema.ty),
                Some(_) | None => None,
            };
            let kind = kind.map(|kind| (*name, inline(MetaSchema::new(kind))));
            let properties = kind.into_iter().collect();
            inline(MetaSchema { required: vec![*name], properties, ..MetaSchema::ANY })
        };
        let choices = names.iter().map(alone).collect();
        if self.schema.one_of.is_empty() {
            self.schema.one_of = choices;
        } else {
            let also = MetaSchema { one_of: choices, ..MetaSchema::ANY };
            self.schema.all_of.push(inline(also));
        }
    }

    /// Requires at least `count` fields.
    pub fn at_least(&mut self, count: usize) {
        self.schema.min_properties = Some(count);
    }

    pub fn finish(self) -> MetaSchema {
        let example = (!self.example.is_empty()).then_some(self.example.into());
        MetaSchema { example, ..self.schema }
    }
}

/// Object that is being parsed field by field.
pub struct ObjectFields<'a> {
    fields: Cow<'a, Map<String, Value>>,
    known: BTreeSet<&'static str>,
}

impl<'a> ObjectFields<'a> {
    /// Reads an object from a JSON object, or from a string that contains a JSON object.
    pub fn of(value: &'a Value) -> Result<Self, Fault> {
        let fields = match value {
            Value::Object(fields) => Cow::Borrowed(fields),
            Value::String(text) => {
                let fields = serde_json::from_str(text);
                Cow::Owned(fields.map_err(|_| Fault::new("must be the JSON text of an object"))?)
            }
            _ => return Err(Fault::new("must be an object")),
        };
        Ok(Self { fields, known: BTreeSet::new() })
    }

    /// Parses a field. `absent` supplies the value if the field was not sent.
    pub fn field<T: RequestValue>(
        &mut self,
        name: &'static str,
        absent: Option<fn() -> T>,
    ) -> Result<T, Fault> {
        self.known.insert(name);
        let missing = || Fault::new("is missing").under(name);
        let absent = || absent.map(|absent| absent()).or_else(T::absent);
        match self.fields.get(name) {
            None => absent().ok_or_else(missing),
            Some(value) => T::parse(value).map_err(|fault| match (value, absent()) {
                // Null in a required field is reported like a missing field.
                (Value::Null, None) => missing(),
                (_, None | Some(_)) => fault.under(name),
            }),
        }
    }

    /// Requires that exactly one of these fields was sent and is not null.
    pub fn exactly_one(&self, names: &[&str]) -> Result<(), Fault> {
        let sent = names.iter().filter(|name| self.fields.get(**name).is_some_and(|value| !value.is_null()));
        if sent.count() == 1 {
            return Ok(());
        }
        Err(Fault::new(format!("must have exactly one of {}", names.join(", "))))
    }

    /// Requires at least `count` fields.
    pub fn at_least(&self, count: usize) -> Result<(), Fault> {
        if self.fields.len() >= count { Ok(()) } else { Err(Fault::new("must have at least one property")) }
    }

    /// Refuses unknown fields.
    pub fn finish(self) -> Result<(), Fault> {
        match self.fields.keys().find(|name| !self.known.contains(name.as_str())) {
            None => Ok(()),
            Some(name) => Err(Fault::new("there is no such property").under(escaped(name))),
        }
    }
}

/// Converts a form field to its JSON value.
pub fn field_of_form<T: RequestValue>(fields: &mut Map<String, Value>, name: &str) {
    if let Some(value) = fields.get_mut(name) {
        *value = T::of_form(value.take());
    }
}

/// Escapes a name for a JSON pointer and truncates it to 64 characters.
pub fn escaped(name: &str) -> String {
    name.chars().take(64).collect::<String>().replace('~', "~0").replace('/', "~1")
}

#[cfg(test)]
mod tests;
