//! Request bodies of the Developer API: JSON or form data, accepted by every operation.

use articles::Address;
use kernel::{Code, Error, looks_like_a_secret};
use poem_openapi::registry::{MetaMediaType, MetaSchema};
use serde_json::json;

use super::error::ApiError;
use http_kit::app::App;
use http_kit::http::body::{self, BodyFault, BodyRules, FORM, JSON, MULTIPART};
use http_kit::http::openapi_type::inline;
use http_kit::http::params::Url;

/// Size limit of most request bodies, in bytes.
const DEFAULT_MAX_BYTES: usize = 256 * 1024;

/// `Retry-After` if no memory is left for large bodies, in seconds.
const CAPACITY_RETRY_SECONDS: u32 = 5;

/// Request body that is parsed and described as `T`.
pub(super) type Body<T> = body::DescribedBody<T, DefaultRules>;

/// Content types and size limit of most request bodies.
#[derive(Debug)]
pub(super) struct DefaultRules;

impl BodyRules for DefaultRules {
    const CONTENT_TYPES: &'static [&'static str] = &[JSON, FORM, MULTIPART];
    const MAX_BYTES: usize = DEFAULT_MAX_BYTES;
    type Error = ApiError;

    fn refuse(fault: BodyFault) -> ApiError {
        refuse(fault)
    }
}

/// Body of a save request, up to 25 MiB.
pub(super) type SaveBody<T> = body::DescribedBody<T, LargeBodyRules<{ 25 * 1024 * 1024 }>>;

/// Body with a note or metadata, up to 1 MiB.
pub(super) type NoteBody<T> = body::DescribedBody<T, LargeBodyRules<{ 1024 * 1024 }>>;

/// Body rules with a size limit of `MAX_BYTES` bytes.
#[derive(Debug)]
pub(super) struct LargeBodyRules<const MAX_BYTES: usize>;

impl<const MAX_BYTES: usize> BodyRules for LargeBodyRules<MAX_BYTES> {
    const CONTENT_TYPES: &'static [&'static str] = DefaultRules::CONTENT_TYPES;
    const MAX_BYTES: usize = MAX_BYTES;
    type Error = ApiError;

    fn refuse(fault: BodyFault) -> ApiError {
        refuse(fault)
    }
}

/// Associated items shared by the `ApiExtractor` implementations of request bodies that register no schemas.
macro_rules! body_extractor {
    () => {
        const TYPES: &'static [poem_openapi::ApiExtractorType] =
            &[poem_openapi::ApiExtractorType::RequestObject];

        type ParamType = ();
        type ParamRawType = ();

        fn register(_registry: &mut poem_openapi::registry::Registry) {}
    };
}

pub(super) use body_extractor;

/// Describes a multipart form with a file.
pub(super) fn file_form(file: MetaSchema, example: &str) -> MetaMediaType {
    let form = MetaSchema {
        required: vec!["file"],
        properties: vec![("file", inline(file))],
        example: Some(json!({ "file": example })),
        ..MetaSchema::new("object")
    };
    MetaMediaType { content_type: MULTIPART, schema: inline(form) }
}

/// Converts the fault of a rejected body to an API error.
pub(super) fn refuse(fault: BodyFault) -> ApiError {
    let reason = match fault {
        BodyFault::Field(fault) => return fault.into(),
        BodyFault::ContentType(kind) => format!("the content type `{kind}` is not supported"),
        BodyFault::Missing => "the body is missing".to_owned(),
        BodyFault::TooLarge(max) => format!("the body is larger than {max} bytes"),
        BodyFault::MemoryExhausted => {
            let message = "Too many large request bodies are being processed.";
            return Error::new(Code::CapacityExhausted, message).retry_after(CAPACITY_RETRY_SECONDS).into();
        }
        BodyFault::Broken => "the body was not received completely".to_owned(),
        BodyFault::Malformed(reason) => reason,
    };
    ApiError::malformed(Code::InvalidRequest, "The request body cannot be used.", format!("/: {reason}"))
}

/// Parses the URL in `field`; refuses URLs that contain an API key or token.
pub(super) fn address(app: &App, field: &'static str, url: &Url) -> Result<Address, ApiError> {
    if looks_like_a_secret(&url.0) {
        let message = "The URL contains an API key or token. Revoke it, because others may have seen it.";
        return Err(Error::new(Code::InvalidUrl, message).at(field, "contains a credential").into());
    }
    Address::parse(&app.domain, &url.0).map_err(|error| {
        let reason = error.message.clone();
        error.at(field, reason).into()
    })
}
