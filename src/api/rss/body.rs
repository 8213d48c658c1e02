//! A list of subscriptions as a request body: the list itself, or a multipart form that holds it.

use domain::Code;
use poem::error::ReadBodyError;
use poem::web::Multipart;
use poem::{Body, FromRequest, Request, RequestBody};
use poem_openapi::registry::{MetaMediaType, MetaRequest, MetaSchema, MetaSchemaRef, Registry};
use poem_openapi::{ApiExtractor, ApiExtractorType, ExtractParamOptions};

use crate::api::error::ApiError;

/// The largest list.
const MOST_BYTES: usize = 5 * 1024 * 1024;
/// The content types of a list.
const CONTENT_TYPES: [&str; 4] = ["text/x-opml", "application/xml", "text/xml", "multipart/form-data"];

/// The bytes of a list.
pub(super) struct List(pub(super) Vec<u8>);

impl<'a> ApiExtractor<'a> for List {
    const TYPES: &'static [ApiExtractorType] = &[ApiExtractorType::RequestObject];

    type ParamType = ();
    type ParamRawType = ();

    fn register(_registry: &mut Registry) {}

    fn request_meta() -> Option<MetaRequest> {
        let media = |content_type| MetaMediaType {
            content_type,
            schema: MetaSchemaRef::Inline(Box::new(MetaSchema::new("string"))),
        };
        let content = CONTENT_TYPES[..3].iter().copied().map(media).collect();
        Some(MetaRequest { description: Some("The list."), content, required: true })
    }

    async fn from_request(
        request: &'a Request,
        body: &mut RequestBody,
        _options: ExtractParamOptions<()>,
    ) -> poem::Result<Self> {
        Ok(Self(read(request, body).await?))
    }
}

async fn read(request: &Request, body: &mut RequestBody) -> Result<Vec<u8>, ApiError> {
    let kind = request.content_type().unwrap_or(CONTENT_TYPES[0]);
    let essence = kind.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    let is_plain =
        essence.ends_with("xml") || essence.contains("opml") || essence == "application/octet-stream";
    if !is_plain && essence != CONTENT_TYPES[3] && essence != "text/plain" {
        return Err(wrong("the body must be OPML, or a multipart form that holds it"));
    }
    let bytes = body.take().map_err(|_| wrong("the body is missing"))?;
    let bytes = bytes.into_bytes_limit(MOST_BYTES).await.map_err(|error| match error {
        ReadBodyError::PayloadTooLarge => wrong("the body is larger than 5 MiB"),
        _ => wrong("the body could not be read to its end"),
    })?;
    if essence != CONTENT_TYPES[3] {
        return Ok(bytes.to_vec());
    }
    let broken = "the multipart form cannot be read";
    let mut body = RequestBody::new(Body::from_bytes(bytes));
    let mut form =
        <Multipart as FromRequest>::from_request(request, &mut body).await.map_err(|_| wrong(broken))?;
    match form.next_field().await.map_err(|_| wrong(broken))? {
        Some(part) => part.bytes().await.map_err(|_| wrong(broken)),
        None => Err(wrong("the multipart form is empty")),
    }
}

fn wrong(reason: &str) -> ApiError {
    ApiError::malformed(Code::InvalidRequest, "The request body cannot be used.", format!("/: {reason}"))
}
