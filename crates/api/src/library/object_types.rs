//! Query parameter that lists object types.

use std::borrow::Cow;

use library::ObjectKind;
use poem_openapi::registry::{MetaSchema, MetaSchemaRef};
use poem_openapi::types::{ParseError, ParseFromParameter, ParseResult, Type};

/// Maximum length of the list, in code points.
const MOST: usize = 80;

/// Object types, separated by commas; an empty list means all types.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ObjectTypes(pub Vec<ObjectKind>);

impl Default for ObjectTypes {
    fn default() -> Self {
        Self(ObjectKind::ALL.to_vec())
    }
}

impl Type for ObjectTypes {
    const IS_REQUIRED: bool = true;
    type RawValueType = Self;
    type RawElementValueType = Self;

    fn name() -> Cow<'static, str> {
        "object_types".into()
    }

    fn schema_ref() -> MetaSchemaRef {
        let example = Some("item,note".into());
        let schema = MetaSchema { max_length: Some(MOST), example, ..MetaSchema::new("string") };
        MetaSchemaRef::Inline(Box::new(schema))
    }

    fn as_raw_value(&self) -> Option<&Self> {
        Some(self)
    }

    fn raw_element_iter<'a>(&'a self) -> Box<dyn Iterator<Item = &'a Self> + 'a> {
        Box::new(std::iter::once(self))
    }
}

impl ParseFromParameter for ObjectTypes {
    fn parse_from_parameter(text: &str) -> ParseResult<Self> {
        if text.chars().count() > MOST {
            return Err(ParseError::custom(format!("longer than {MOST} characters")));
        }
        let words = text.split(',').map(str::trim).filter(|word| !word.is_empty());
        let named: Option<Vec<ObjectKind>> = words.map(ObjectKind::parse).collect();
        let named = named
            .ok_or_else(|| ParseError::custom("must be item, note or highlight, separated by commas"))?;
        if named.is_empty() {
            return Ok(Self::default());
        }
        Ok(Self(ObjectKind::ALL.iter().copied().filter(|kind| named.contains(kind)).collect()))
    }
}
