//! A list of subscriptions as a request body: the list itself, or a multipart form that holds it.

use poem::{Request, RequestBody};
use poem_openapi::registry::{MetaMediaType, MetaRequest, MetaSchema, MetaSchemaRef, Registry};
use poem_openapi::{ApiExtractor, ApiExtractorType, ExtractParamOptions};

use crate::api::body::refuse;
use crate::http::body::{BodyFault, MULTIPART, broken_form, bytes_of, essence, multipart};

/// The largest list.
const MOST_BYTES: usize = 5 * 1024 * 1024;
/// The content types of a list, beside a multipart form.
const CONTENT_TYPES: [&str; 3] = ["text/x-opml", "application/xml", "text/xml"];

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
        let content = CONTENT_TYPES.iter().copied().map(media).collect();
        Some(MetaRequest { description: Some("The list."), content, required: true })
    }

    async fn from_request(
        request: &'a Request,
        body: &mut RequestBody,
        _options: ExtractParamOptions<()>,
    ) -> poem::Result<Self> {
        Ok(Self(read(request, body).await.map_err(refuse)?))
    }
}

async fn read(request: &Request, body: &mut RequestBody) -> Result<Vec<u8>, BodyFault> {
    let kind = essence(request.content_type().unwrap_or(CONTENT_TYPES[0]));
    let is_plain = kind.ends_with("xml") || kind.contains("opml") || kind == "application/octet-stream";
    if !is_plain && kind != MULTIPART && kind != "text/plain" {
        return Err(BodyFault::Malformed(
            "the body must be OPML, or a multipart form that holds it".to_owned(),
        ));
    }
    let bytes = bytes_of(body, MOST_BYTES).await?;
    if kind != MULTIPART {
        return Ok(bytes.to_vec());
    }
    let mut form = multipart(request, bytes).await?;
    match form.next_field().await.map_err(|_| broken_form())? {
        Some(part) => part.bytes().await.map_err(|_| broken_form()),
        None => Err(BodyFault::Malformed("the multipart form is empty".to_owned())),
    }
}
