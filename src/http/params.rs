//! Types of parameters that say their own bounds, in the API description and in their error texts.

use std::borrow::Cow;

use poem_openapi::registry::{MetaSchema, MetaSchemaRef};
use poem_openapi::types::{ParseError, ParseFromParameter, ParseResult, Type};

use crate::http::fields::parse_integer;

/// A whole number from `MIN` to `MAX`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Integer<const MIN: i64, const MAX: i64>(pub i64);

/// A text of `MIN` to `MAX` code points.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Text<const MIN: usize, const MAX: usize>(pub String);

/// The reason inside an error message of poem-openapi, without its frame.
pub fn bare_reason(message: &str) -> &str {
    let inner = message.split_once("\": ").map_or(message, |(_, inner)| inner);
    inner.split(" (occurred while parsing").next().unwrap_or(inner)
}

impl<const MIN: i64, const MAX: i64> Type for Integer<MIN, MAX> {
    const IS_REQUIRED: bool = true;
    type RawValueType = Self;
    type RawElementValueType = Self;

    fn name() -> Cow<'static, str> {
        format!("integer_{MIN}_{MAX}").into()
    }

    fn schema_ref() -> MetaSchemaRef {
        let mut schema = MetaSchema::new("integer");
        #[expect(clippy::cast_precision_loss, reason = "bounds of parameters are small")]
        {
            schema.minimum = Some(MIN as f64);
            schema.maximum = Some(MAX as f64);
        }
        MetaSchemaRef::Inline(Box::new(schema))
    }

    fn as_raw_value(&self) -> Option<&Self> {
        Some(self)
    }

    fn raw_element_iter<'a>(&'a self) -> Box<dyn Iterator<Item = &'a Self> + 'a> {
        Box::new(std::iter::once(self))
    }
}

impl<const MIN: i64, const MAX: i64> ParseFromParameter for Integer<MIN, MAX> {
    fn parse_from_parameter(value: &str) -> ParseResult<Self> {
        let number = parse_integer(value).ok_or_else(|| ParseError::custom("must be an integer"))?;
        if !(MIN..=MAX).contains(&number) {
            return Err(ParseError::custom(format!("must be between {MIN} and {MAX}")));
        }
        Ok(Self(number))
    }
}

impl<const MIN: usize, const MAX: usize> Type for Text<MIN, MAX> {
    const IS_REQUIRED: bool = true;
    type RawValueType = Self;
    type RawElementValueType = Self;

    fn name() -> Cow<'static, str> {
        format!("string_{MIN}_{MAX}").into()
    }

    fn schema_ref() -> MetaSchemaRef {
        let mut schema = MetaSchema::new("string");
        schema.min_length = Some(MIN);
        schema.max_length = Some(MAX);
        MetaSchemaRef::Inline(Box::new(schema))
    }

    fn as_raw_value(&self) -> Option<&Self> {
        Some(self)
    }

    fn raw_element_iter<'a>(&'a self) -> Box<dyn Iterator<Item = &'a Self> + 'a> {
        Box::new(std::iter::once(self))
    }
}

impl<const MIN: usize, const MAX: usize> ParseFromParameter for Text<MIN, MAX> {
    fn parse_from_parameter(value: &str) -> ParseResult<Self> {
        let length = value.chars().count();
        if length < MIN {
            return Err(ParseError::custom(format!("shorter than {MIN}")));
        }
        if length > MAX {
            return Err(ParseError::custom(format!("longer than {MAX}")));
        }
        Ok(Self(value.to_owned()))
    }
}
