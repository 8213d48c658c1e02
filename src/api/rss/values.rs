//! Values that several RSS operations take: ids, times, yes and no.

use std::borrow::Cow;

use chrono::{DateTime, NaiveDate, NaiveTime};
use domain::Millis;
use poem_openapi::registry::{MetaSchema, MetaSchemaRef};
use poem_openapi::types::{ParseError, ParseFromParameter, ParseResult, Type};
use serde_json::Value;

use crate::http::fields::{Fault, Fields};
use crate::http::params::Integer;

/// An id in a path or a query.
pub(super) type Id = Integer<1, 999_999_999_999_999>;

/// Yes or no: `true`, `false`, `1`, `0`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Flag(pub(super) bool);

/// A time: RFC 3339, or a day.
#[derive(Debug, Clone, Copy)]
pub(super) struct Time(pub(super) Millis);

macro_rules! parameter {
    ($name:ident, $schema:expr, $parse:expr, $reason:literal) => {
        impl Type for $name {
            const IS_REQUIRED: bool = true;
            type RawValueType = Self;
            type RawElementValueType = Self;

            fn name() -> Cow<'static, str> {
                stringify!($name).to_lowercase().into()
            }

            fn schema_ref() -> MetaSchemaRef {
                MetaSchemaRef::Inline(Box::new($schema))
            }

            fn as_raw_value(&self) -> Option<&Self> {
                Some(self)
            }

            fn raw_element_iter<'a>(&'a self) -> Box<dyn Iterator<Item = &'a Self> + 'a> {
                Box::new(std::iter::once(self))
            }
        }

        impl ParseFromParameter for $name {
            fn parse_from_parameter(value: &str) -> ParseResult<Self> {
                $parse(value).map(Self).ok_or_else(|| ParseError::custom($reason))
            }
        }
    };
}

parameter!(Flag, MetaSchema::new("boolean"), flag_of, "must be true or false");
parameter!(
    Time,
    MetaSchema::new_with_format("string", "date-time"),
    time_of,
    "must be a time as in RFC 3339"
);

fn flag_of(text: &str) -> Option<bool> {
    match text {
        "true" | "1" => Some(true),
        "false" | "0" => Some(false),
        _ => None,
    }
}

fn time_of(text: &str) -> Option<Millis> {
    let text = text.trim();
    if let Ok(time) = DateTime::parse_from_rfc3339(text) {
        return Some(time.timestamp_millis());
    }
    let day = NaiveDate::parse_from_str(text, "%Y-%m-%d").ok()?;
    Some(day.and_time(NaiveTime::MIN).and_utc().timestamp_millis())
}

/// A boolean field of a body.
pub(super) fn flag(fields: &mut Fields<'_>, name: &'static str) -> Result<Option<bool>, Fault> {
    match fields.value(name) {
        None => Ok(None),
        Some(Value::Bool(value)) => Ok(Some(*value)),
        Some(Value::String(text)) => {
            flag_of(text).map(Some).ok_or_else(|| fields.fault(name, "must be true or false"))
        }
        Some(_) => Err(fields.fault(name, "must be true or false")),
    }
}

/// A time of a body, required.
pub(super) fn time(fields: &mut Fields<'_>, name: &'static str) -> Result<Millis, Fault> {
    let text = fields.text(name, 1, 80)?.ok_or_else(|| fields.fault(name, "is required"))?;
    time_of(text).ok_or_else(|| fields.fault(name, "must be a time as in RFC 3339"))
}

/// An id of a body.
pub(super) fn id<Id: From<i64>>(fields: &mut Fields<'_>, name: &'static str) -> Result<Option<Id>, Fault> {
    Ok(fields.integer(name, 1, 999_999_999_999_999)?.map(Id::from))
}

/// A list of ids of a body: integers, or texts that hold one; a form may send a single one.
pub(super) fn ids<Id: From<i64>>(
    fields: &mut Fields<'_>,
    name: &'static str,
    most: usize,
) -> Result<Option<Vec<Id>>, Fault> {
    let values = match fields.value(name) {
        None => return Ok(None),
        Some(Value::Array(values)) => values.as_slice(),
        Some(single) => std::slice::from_ref(single),
    };
    if values.len() > most {
        return Err(fields.fault(name, format!("has more than {most} items")));
    }
    let number = |value: &Value| match value {
        Value::Number(number) => number.as_i64(),
        Value::String(text) => crate::http::fields::parse_integer(text),
        _ => None,
    };
    let ids: Option<Vec<Id>> =
        values.iter().map(|value| number(value).filter(|id| *id >= 1).map(Id::from)).collect();
    ids.map(Some).ok_or_else(|| fields.fault(name, "must be a list of ids"))
}
