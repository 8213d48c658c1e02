//! Parameter and header types of the reader; each type has its own description and parser.

use articles::Render;
use articles::reader::Lines;
use kernel::Code;
use kernel::bounds::URL_CHARS;
use percent_encoding::{CONTROLS, percent_decode_str, percent_encode};
use poem::http::{HeaderMap, HeaderValue};
use poem_openapi::registry::{MetaSchema, MetaSchemaRef, Registry};
use poem_openapi::types::{ParseError, ParseFromParameter, ParseResult, Type};
use serde_json::Value;

use super::negotiate::ResponseFormat;
use super::schema::{FormatName, RenderName};
use http_kit::http::fault::Fault;
use http_kit::http::openapi_type::{inline, openapi_type};
use http_kit::http::params::{Integer, Text};
use http_kit::http::value::{Nullable, RequestValue, words};
use http_kit::problem::{ErrorGroup, Problem, ProblemEntry};

/// Pattern of an http(s) URL for the API description.
const URL_PATTERN: &str = r"^[Hh][Tt][Tt][Pp][Ss]?://[^\x00-\x20/?#\x7F][^\x00-\x20\x7F]*$";

/// Required URL of a read. A missing parameter is parsed as `None`, because it has its own error code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SourceUrl(pub Option<String>);

/// Range of blocks, which the API calls lines. `None` if the value of the parameter is empty.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct LineRange(pub Option<Lines>);

/// Header text of `MIN` to `MAX` code points: UTF-8, raw or percent-encoded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct HeaderText<const MIN: usize, const MAX: usize>(pub String);

/// Value of `Idempotency-Key`. Used only in the API description; the body extractor parses the header.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct IdempotencyKey;

openapi_type!(
    [] LineRange,
    "LineRange",
    inline(MetaSchema {
        pattern: Some("^([1-9][0-9]{0,8}(-[1-9][0-9]{0,8})?)?$".to_owned()),
        max_length: Some(19),
        example: Some("1-40".into()),
        ..MetaSchema::new("string")
    })
);
openapi_type!(
    [] IdempotencyKey,
    "IdempotencyKey",
    inline(MetaSchema {
        pattern: Some("^(\"[!-~]{1,255}\"|[!#-~][!-~]{0,254})$".to_owned()),
        min_length: Some(1),
        max_length: Some(257),
        ..MetaSchema::new("string")
    })
);
openapi_type!(
    [const MIN: usize, const MAX: usize] HeaderText<MIN, MAX>,
    "HeaderText<MIN, MAX>",
    inline(MetaSchema { min_length: Some(MIN), max_length: Some(MAX), ..MetaSchema::new("string") })
);
openapi_type!([] SourceUrl, "SourceUrl", inline(url_schema()));
openapi_type!(
    [] Scenario,
    "Scenario",
    inline(MetaSchema {
        enum_items: ErrorGroup::Reader.codes().iter().map(|(entry, _)| entry.code.as_str().into()).collect(),
        ..MetaSchema::new("string")
    })
);

impl<const MIN: usize, const MAX: usize> ParseFromParameter for HeaderText<MIN, MAX> {
    fn parse_from_parameter(value: &str) -> ParseResult<Self> {
        let text =
            percent_decode_str(value).decode_utf8().map_err(|_| ParseError::custom("must be UTF-8"))?;
        let text = Text::<MIN, MAX>::parse_from_parameter(&text);
        text.map(|text| Self(text.0)).map_err(ParseError::propagate)
    }
}

fn url_schema() -> MetaSchema {
    MetaSchema {
        format: Some("uri"),
        min_length: Some(1),
        max_length: Some(URL_CHARS),
        pattern: Some(URL_PATTERN.to_owned()),
        example: Some("https://example.com/article".into()),
        ..MetaSchema::new("string")
    }
}

impl ParseFromParameter for SourceUrl {
    fn parse_from_parameter(value: &str) -> ParseResult<Self> {
        Ok(Self(Some(value.to_owned())))
    }

    fn parse_from_parameters<I: IntoIterator<Item = A>, A: AsRef<str>>(values: I) -> ParseResult<Self> {
        Ok(Self(values.into_iter().next().map(|value| value.as_ref().to_owned())))
    }
}

impl RequestValue for SourceUrl {
    fn schema() -> MetaSchemaRef {
        inline(MetaSchema { example: None, ..url_schema() })
    }

    fn parse(value: &Value) -> Result<Self, Fault> {
        match value {
            Value::String(url) if url.is_empty() => Err(Fault::of_url("is empty")),
            Value::String(url) => Ok(Self(Some(url.clone()))),
            _ => Err(Fault::of_url("must be a string")),
        }
    }
}

impl SourceUrl {
    /// Returns the URL. Returns an empty text if the URL was not sent.
    pub(super) fn into_text(self) -> String {
        self.0.unwrap_or_default()
    }
}

impl RequestValue for LineRange {
    /// Returns the schema in bodies, where a single block may also be sent as a number.
    fn schema() -> MetaSchemaRef {
        inline(MetaSchema {
            any_of: vec![<Self as Type>::schema_ref(), <Integer<1, 999_999_999> as Type>::schema_ref()],
            ..MetaSchema::ANY
        })
    }

    fn parse(value: &Value) -> Result<Self, Fault> {
        let text = match value {
            Value::String(text) => text.clone(),
            Value::Number(number) => number.to_string(),
            _ => return Err(Fault::new("must be a string")),
        };
        text.parse().map(|lines| Self(Some(lines))).map_err(|reason: String| Fault::new(reason))
    }
}

words!(FormatName, RenderName);

/// Code of the problem that the sandbox returns. `None` if the text is empty.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Scenario(pub Option<ProblemEntry>);

impl ParseFromParameter for Scenario {
    fn parse_from_parameter(value: &str) -> ParseResult<Self> {
        if value.trim().is_empty() {
            return Ok(Self(None));
        }
        let codes = ErrorGroup::Reader.codes();
        if let Some((entry, _)) = codes.iter().find(|(entry, _)| entry.code.as_str() == value) {
            return Ok(Self(Some(*entry)));
        }
        let known: Vec<&str> = codes.iter().map(|(entry, _)| entry.code.as_str()).collect();
        Err(ParseError::custom(format!("must be one of {}", known.join(", "))))
    }
}

/// Optional value. An omitted, null, or empty value has the same meaning, because many clients send every
/// known field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct OrNull<T>(pub Option<T>);

impl<T: RequestValue> RequestValue for OrNull<T> {
    const IS_REQUIRED: bool = false;

    fn schema() -> MetaSchemaRef {
        Nullable::<T>::schema()
    }

    fn register(registry: &mut Registry) {
        T::register(registry);
    }

    fn parse(value: &Value) -> Result<Self, Fault> {
        if value.as_str() == Some("") {
            return Ok(Self(None));
        }
        Nullable::<T>::parse(value).map(|value| Self(value.0))
    }

    fn absent() -> Option<Self> {
        Some(Self(None))
    }
}

impl ParseFromParameter for LineRange {
    fn parse_from_parameter(value: &str) -> ParseResult<Self> {
        if value.is_empty() {
            return Ok(Self(None));
        }
        value.parse().map(|lines| Self(Some(lines))).map_err(|reason: String| ParseError::custom(reason))
    }
}

impl ParseFromParameter for IdempotencyKey {
    fn parse_from_parameter(_value: &str) -> ParseResult<Self> {
        Ok(Self)
    }
}

/// Returns the query, or `None` if it is empty or blank.
pub(super) fn present(text: Option<String>) -> Option<String> {
    text.filter(|text| !text.trim().is_empty())
}

/// Returns the URL.
///
/// # Errors
/// If the URL is missing or too long.
pub(super) fn required_url(url: Option<String>) -> Result<String, Problem> {
    let url = url.filter(|url| !url.is_empty());
    let url = url.ok_or_else(|| Problem::new(Code::MissingUrl, "The query parameter `url` is missing."))?;
    if url.chars().count() > URL_CHARS {
        return Err(Problem::new(
            Code::InvalidUrl,
            format!("The URL is longer than {URL_CHARS} characters."),
        ));
    }
    Ok(url)
}

impl From<RenderName> for Render {
    fn from(name: RenderName) -> Self {
        match name {
            RenderName::Auto => Self::Auto,
            RenderName::Never => Self::Never,
        }
    }
}

impl From<FormatName> for ResponseFormat {
    fn from(name: FormatName) -> Self {
        match name {
            FormatName::Json => Self::Json,
            FormatName::Text => Self::Text,
            FormatName::Markdown => Self::Markdown,
            FormatName::Html => Self::Html,
        }
    }
}

/// Percent-encodes non-ASCII bytes in the reader's own request headers, because extractors accept only ASCII.
/// [`HeaderText`] decodes them again.
pub(super) fn encode_headers(headers: &mut HeaderMap) {
    for name in ["x-svc-query", "x-svc-lines", "x-svc-passages"] {
        let Some(value) = headers.get(name).filter(|value| value.to_str().is_err()) else { continue };
        let encoded: String = percent_encode(value.as_bytes(), CONTROLS).to_string();
        if let Ok(value) = HeaderValue::from_str(&encoded) {
            headers.insert(name, value);
        }
    }
}
