//! Query parameter that lists object types.

use library::ObjectKind;
use poem_openapi::registry::MetaSchema;
use poem_openapi::types::{ParseError, ParseFromParameter, ParseResult};

use http_kit::http::openapi_type::{inline, openapi_type};

/// Maximum length of the list, in code points.
const MAX_CHARS: usize = 80;

/// Object types, separated by commas; an empty list means all types.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ObjectTypes(pub Vec<ObjectKind>);

impl Default for ObjectTypes {
    fn default() -> Self {
        Self(ObjectKind::ALL.to_vec())
    }
}

openapi_type!(
    [] ObjectTypes,
    "object_types",
    inline(MetaSchema {
        max_length: Some(MAX_CHARS),
        example: Some("item,note".into()),
        ..MetaSchema::new("string")
    })
);

impl ParseFromParameter for ObjectTypes {
    fn parse_from_parameter(text: &str) -> ParseResult<Self> {
        if text.chars().count() > MAX_CHARS {
            return Err(ParseError::custom(format!("longer than {MAX_CHARS} characters")));
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
