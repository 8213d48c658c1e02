//! Bodies of the Developer API's requests: JSON or a form, in each operation alike.

use articles::Address;
use kernel::{Code, Error, looks_like_a_secret};

use super::error::ApiError;
use http_kit::app::App;
use http_kit::http::body::{self, BodyFault, BodyRules, FORM, JSON, MULTIPART};
use http_kit::http::params::Url;

/// The largest body of most operations, in bytes.
const MOST_BYTES: usize = 256 * 1024;

/// When a large body is worth another try.
const NO_ROOM_RETRY_SECONDS: u32 = 5;

/// A body that is parsed and described as `T`.
pub(super) type Body<T> = body::Body<T, Rules>;

/// What the Developer API takes as a body.
#[derive(Debug)]
pub(super) struct Rules;

impl BodyRules for Rules {
    const CONTENT_TYPES: &'static [&'static str] = &[JSON, FORM, MULTIPART];
    const MOST_BYTES: usize = MOST_BYTES;
    type Error = ApiError;

    fn refuse(fault: BodyFault) -> ApiError {
        refuse(fault)
    }
}

/// A body that may be as large as what is saved.
pub(super) type SaveBody<T> = body::Body<T, Large<{ 25 * 1024 * 1024 }>>;

/// A body that holds a note or metadata.
pub(super) type NoteBody<T> = body::Body<T, Large<{ 1024 * 1024 }>>;

/// The same, up to so many bytes.
#[derive(Debug)]
pub(super) struct Large<const MOST: usize>;

impl<const MOST: usize> BodyRules for Large<MOST> {
    const CONTENT_TYPES: &'static [&'static str] = Rules::CONTENT_TYPES;
    const MOST_BYTES: usize = MOST;
    type Error = ApiError;

    fn refuse(fault: BodyFault) -> ApiError {
        refuse(fault)
    }
}

/// The error for a body that is not taken.
pub(super) fn refuse(fault: BodyFault) -> ApiError {
    let reason = match fault {
        BodyFault::Field(fault) => return fault.into(),
        BodyFault::ContentType(kind) => format!("a body of type `{kind}` is not taken here"),
        BodyFault::Missing => "the body is missing".to_owned(),
        BodyFault::TooLarge(most) => format!("the body is larger than {most} bytes"),
        BodyFault::NoRoom => {
            let message = "Too many large bodies are being read at the moment.";
            return Error::new(Code::CapacityExhausted, message).retry_after(NO_ROOM_RETRY_SECONDS).into();
        }
        BodyFault::Broken => "the body could not be read to its end".to_owned(),
        BodyFault::Malformed(reason) => reason,
    };
    ApiError::malformed(Code::InvalidRequest, "The request body cannot be used.", format!("/: {reason}"))
}

/// The address that the URL in `field` names.
pub(super) fn address(app: &App, field: &'static str, url: &Url) -> Result<Address, ApiError> {
    if looks_like_a_secret(&url.0) {
        let message = "The URL holds an API key or token. Revoke it: it may have been seen by others.";
        return Err(Error::new(Code::InvalidUrl, message).at(field, "holds a credential").into());
    }
    Address::parse(&app.domain, &url.0).map_err(|error| {
        let reason = error.message.clone();
        error.at(field, reason).into()
    })
}
