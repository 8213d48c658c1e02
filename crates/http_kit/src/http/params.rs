//! Parameter and body values that have their own bounds. The API description, the parser, and the error
//! messages use the same bounds.

use chrono::{DateTime, NaiveDate, NaiveTime};
use kernel::Millis;
use kernel::bounds::URL_CHARS;
use poem_openapi::registry::{MetaSchema, MetaSchemaRef};
use poem_openapi::types::{ParseError, ParseFromParameter, ParseResult};
use serde_json::Value;

use super::fault::Fault;
use super::number::{LONGEST_TEXT, parse_integer, pattern_of, whole};
use super::openapi_type::{inline, openapi_type};
use super::value::RequestValue;

/// Integer from `MIN` to `MAX`. Bodies may send it as text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Integer<const MIN: i64, const MAX: i64>(pub i64);

/// Numeric id of a feed, subscription, collection, or entry.
pub type NumericId = Integer<1, LONGEST_TEXT>;

/// Text of `MIN` to `MAX` code points.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Text<const MIN: usize, const MAX: usize>(pub String);

/// Name: one non-blank line of at most `MAX` code points.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Name<const MAX: usize>(pub String);

/// URL as the client sent it. The domain decides whether it may be fetched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Url(pub String);

/// Boolean. Query strings and forms may also send `1` and `0`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Flag(pub bool);

/// The value `true` only.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct True;

/// RFC 3339 time, or a date.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Time(pub Millis);

/// UUID in any letter case.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UuidText(pub u128);

/// Text of at most `MAX` code points, or a number, which is converted to text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextOrNumber<const MAX: usize>(pub String);

/// Maximum length of a time, in code points.
const MAX_TIME_CHARS: usize = 80;
/// Pattern of a single line that contains no control characters and is not blank.
const LINE: &str = "^[^\\u0000-\\u001F\\u007F-\\u009F]*[^\\s\\u0000-\\u001F\\u007F-\\u009F][^\\u0000-\\u001F\\u007F-\\u009F]*$";

impl<const MIN: i64, const MAX: i64> Integer<MIN, MAX> {
    /// Returns the number as `u32`, saturating at both bounds.
    pub fn get(self) -> u32 {
        u32::try_from(self.0.max(0)).unwrap_or(u32::MAX)
    }

    fn of(number: Option<i64>) -> Result<Self, String> {
        let number = number.ok_or("must be an integer")?;
        if !(MIN..=MAX).contains(&number) {
            return Err(format!("must be between {MIN} and {MAX}"));
        }
        Ok(Self(number))
    }

    fn number_schema() -> MetaSchema {
        let bound = |number: i64| {
            #[expect(clippy::cast_precision_loss, reason = "bounds are below 2^53, or there is none")]
            (number != i64::MIN && number != i64::MAX).then_some(number as f64)
        };
        MetaSchema { minimum: bound(MIN), maximum: bound(MAX), ..MetaSchema::new("integer") }
    }
}

impl<const MIN: i64, const MAX: i64> From<u32> for Integer<MIN, MAX> {
    fn from(number: u32) -> Self {
        Self(number.into())
    }
}

impl From<bool> for Flag {
    fn from(value: bool) -> Self {
        Self(value)
    }
}

/// Returns the text if it has `min` to `max` code points.
fn text_of_length(text: &str, min: usize, max: usize) -> Result<String, String> {
    let length = text.chars().count();
    match length {
        0 if min == 1 => Err("must not be empty".to_owned()),
        _ if length < min => Err(format!("shorter than {min}")),
        _ if length > max => Err(format!("longer than {max}")),
        _ => Ok(text.to_owned()),
    }
}

fn text_schema(min: usize, max: usize) -> MetaSchema {
    let min_length = (min > 0).then_some(min);
    MetaSchema { min_length, max_length: Some(max), ..MetaSchema::new("string") }
}

fn line_of(text: &str, max: usize) -> Result<String, String> {
    let text = text_of_length(text, 1, max)?;
    if text.chars().any(char::is_control) || text.trim().is_empty() {
        return Err(format!("must have 1 to {max} characters on one line"));
    }
    Ok(text)
}

fn flag_of(text: &str) -> Result<bool, String> {
    match text {
        "true" | "1" => Ok(true),
        "false" | "0" => Ok(false),
        _ => Err("must be true or false".to_owned()),
    }
}

fn time_of(text: &str) -> Result<Millis, String> {
    let text = text_of_length(text, 1, MAX_TIME_CHARS)?;
    let text = text.trim();
    if let Ok(time) = DateTime::parse_from_rfc3339(text) {
        return Ok(time.timestamp_millis());
    }
    let day = NaiveDate::parse_from_str(text, "%Y-%m-%d");
    let day = day.map_err(|_| "must be an RFC 3339 time or a date such as 2026-11-25".to_owned())?;
    Ok(day.and_time(NaiveTime::MIN).and_utc().timestamp_millis())
}

fn time_schema() -> MetaSchema {
    let format = |format| inline(MetaSchema { format: Some(format), ..MetaSchema::ANY });
    MetaSchema { any_of: vec![format("date-time"), format("date")], ..text_schema(1, MAX_TIME_CHARS) }
}

fn uuid_of(text: &str) -> Result<UuidText, String> {
    let uuid = (text.len() == 36).then(|| uuid::Uuid::parse_str(text).ok()).flatten();
    uuid.map(|uuid| UuidText(uuid.as_u128())).ok_or_else(|| "must be a UUID".to_owned())
}

fn uuid_schema() -> MetaSchema {
    MetaSchema {
        format: Some("uuid"),
        min_length: Some(36),
        max_length: Some(36),
        ..MetaSchema::new("string")
    }
}

fn text_in(value: &Value) -> Result<&str, String> {
    value.as_str().ok_or_else(|| "must be a string".to_owned())
}

fn flag_in(value: &Value) -> Result<bool, String> {
    match value {
        Value::Bool(value) => Ok(*value),
        Value::String(text) => flag_of(text),
        _ => Err("must be true or false".to_owned()),
    }
}

fn integer_in(value: &Value) -> Option<i64> {
    match value {
        Value::Number(number) => whole(number),
        Value::String(text) => parse_integer(text),
        _ => None,
    }
}

fn text_or_number(value: &Value, max: usize) -> Result<String, String> {
    match value {
        Value::String(text) => text_of_length(text, 0, max),
        Value::Number(number) => Ok(number.to_string()),
        _ => Err("must be a text or a number".to_owned()),
    }
}

/// Returns the schema of an integer that is a number or text.
fn integer_or_text(number: MetaSchema, min: i64, max: i64) -> MetaSchema {
    let text = MetaSchema { pattern: Some(pattern_of(min, max)), ..MetaSchema::new("string") };
    let any_of = [number, text].map(inline).into();
    MetaSchema { any_of, ..MetaSchema::ANY }
}

fn true_of(is_true: bool) -> Result<True, String> {
    if is_true { Ok(True) } else { Err("must be true".to_owned()) }
}

/// Implements the traits of parameters and bodies for a type, from its name, its schema and parser in a query
/// string, and its schema and parser in a body.
macro_rules! scalar {
    (
        [$($generics:tt)*] $kind:ty, $name:expr, $param:expr, $of_text:expr, $body:expr, $of_value:expr
        $(, $($constant:tt)*)?
    ) => {
        openapi_type!([$($generics)*] $kind, $name, inline($param));

        impl<$($generics)*> ParseFromParameter for $kind {
            fn parse_from_parameter(text: &str) -> ParseResult<Self> {
                $of_text(text).map_err(ParseError::custom)
            }
        }

        impl<$($generics)*> RequestValue for $kind {
            $($($constant)*)?

            fn schema() -> MetaSchemaRef {
                inline($body)
            }

            fn parse(value: &Value) -> Result<Self, Fault> {
                $of_value(value).map_err(Fault::new)
            }
        }
    };
}

scalar!(
    [const MIN: i64, const MAX: i64] Integer<MIN, MAX>,
    format!("integer_{MIN}_{MAX}"),
    Self::number_schema(),
    |text| Self::of(parse_integer(text)),
    integer_or_text(Self::number_schema(), MIN, MAX),
    |value| Self::of(integer_in(value)),
    const IS_NULL_IF_EMPTY: bool = false;
);
scalar!(
    [const MIN: usize, const MAX: usize] Text<MIN, MAX>,
    format!("string_{MIN}_{MAX}"),
    text_schema(MIN, MAX),
    |text| text_of_length(text, MIN, MAX).map(Self),
    text_schema(MIN, MAX),
    |value| text_in(value).and_then(|text| text_of_length(text, MIN, MAX)).map(Self)
);
scalar!(
    [const MAX: usize] Name<MAX>,
    format!("name_{MAX}"),
    MetaSchema { pattern: Some(LINE.into()), ..text_schema(1, MAX) },
    |text| line_of(text, MAX).map(Self),
    MetaSchema { pattern: Some(LINE.into()), ..text_schema(1, MAX) },
    |value| text_in(value).and_then(|text| line_of(text, MAX)).map(Self)
);
scalar!(
    [] Flag,
    "flag",
    MetaSchema::new("boolean"),
    |text| flag_of(text).map(Self),
    MetaSchema::new("boolean"),
    |value| flag_in(value).map(Self)
);
scalar!(
    [] True,
    "true",
    MetaSchema { enum_items: vec![true.into()], ..MetaSchema::new("boolean") },
    |text| flag_of(text).and_then(true_of),
    MetaSchema { enum_items: vec![true.into()], ..MetaSchema::new("boolean") },
    |value| flag_in(value).and_then(true_of)
);
scalar!(
    [] Time,
    "time",
    time_schema(),
    |text| time_of(text).map(Self),
    time_schema(),
    |value| text_in(value).and_then(time_of).map(Self)
);
scalar!(
    [] UuidText,
    "uuid",
    uuid_schema(),
    uuid_of,
    uuid_schema(),
    |value| text_in(value).and_then(uuid_of)
);
scalar!(
    [const MAX: usize] TextOrNumber<MAX>,
    format!("text_or_number_{MAX}"),
    text_schema(0, MAX),
    |text| text_of_length(text, 0, MAX).map(Self),
    {
        let any_of = [text_schema(0, MAX), MetaSchema::new("number")];
        MetaSchema { any_of: any_of.map(inline).into(), ..MetaSchema::ANY }
    },
    |value| text_or_number(value, MAX).map(Self)
);

impl RequestValue for Url {
    fn schema() -> MetaSchemaRef {
        inline(MetaSchema { format: Some("uri"), ..text_schema(1, URL_CHARS) })
    }

    fn parse(value: &Value) -> Result<Self, Fault> {
        let text = text_in(value).map_err(Fault::new)?;
        if text.chars().count() > URL_CHARS {
            return Err(Fault::of_url(format!("longer than {URL_CHARS}")));
        }
        text_of_length(text, 1, URL_CHARS).map(Self).map_err(Fault::new)
    }
}

/// Extracts the reason from an error message of poem-openapi, without a full stop.
pub fn bare_reason(message: &str) -> &str {
    let inner = message.split_once("\": ").map_or(message, |(_, inner)| inner);
    let reason = inner.split(" (occurred while parsing").next().unwrap_or(inner).trim_end_matches('.');
    match reason {
        "Expect a valid enumeration value" => "must be one of the values listed in the API description",
        reason => reason,
    }
}
