//! OPML list as a request body: raw, or in a multipart form.

use poem::{Request, RequestBody};
use poem_openapi::registry::{MetaMediaType, MetaRequest, MetaSchema, Registry};
use poem_openapi::{ApiExtractor, ApiExtractorType, ExtractParamOptions};

use super::examples::OPML;
use crate::body::refuse;
use http_kit::http::body::{BodyFault, MULTIPART, broken_form, bytes_of, essence, multipart};
use http_kit::http::body_memory::BodyPermit;
use http_kit::http::openapi_type::inline;

/// Size limit of an OPML list, in bytes.
const MAX_BYTES: usize = 5 * 1024 * 1024;
/// Content types of a raw OPML list.
const CONTENT_TYPES: [&str; 5] =
    ["text/x-opml", "application/xml", "text/xml", "text/plain", "application/octet-stream"];

/// Content of an OPML list. Dropping it releases the memory reserved for a large one.
pub(super) struct OpmlBody(
    pub(super) Vec<u8>,
    #[expect(dead_code, reason = "the reservation is released on drop")] BodyPermit,
);

impl<'a> ApiExtractor<'a> for OpmlBody {
    const TYPES: &'static [ApiExtractorType] = &[ApiExtractorType::RequestObject];

    type ParamType = ();
    type ParamRawType = ();

    fn register(_registry: &mut Registry) {}

    fn request_meta() -> Option<MetaRequest> {
        let list = || MetaSchema { example: Some(OPML.into()), ..MetaSchema::new("string") };
        let file = MetaSchema { format: Some("binary"), ..MetaSchema::new("string") };
        let form = MetaSchema {
            required: vec!["file"],
            properties: vec![(
                "file",
                inline(MetaSchema { description: Some("OPML list as a file."), ..file }),
            )],
            example: Some(serde_json::json!({ "file": OPML })),
            ..MetaSchema::new("object")
        };
        let media = |content_type| MetaMediaType { content_type, schema: inline(list()) };
        let form = MetaMediaType { content_type: MULTIPART, schema: inline(form) };
        let content = CONTENT_TYPES.into_iter().map(media).chain([form]).collect();
        Some(MetaRequest {
            description: Some("OPML, or a multipart form with an OPML file."),
            content,
            required: true,
        })
    }

    async fn from_request(
        request: &'a Request,
        body: &mut RequestBody,
        _options: ExtractParamOptions<()>,
    ) -> poem::Result<Self> {
        let (list, reservation) = read(request, body).await.map_err(refuse)?;
        Ok(Self(list, reservation))
    }
}

async fn read(request: &Request, body: &mut RequestBody) -> Result<(Vec<u8>, BodyPermit), BodyFault> {
    let kind = essence(request.content_type().unwrap_or(CONTENT_TYPES[0]));
    let is_plain = CONTENT_TYPES.contains(&kind.as_str()) || kind.ends_with("xml") || kind.contains("opml");
    if !is_plain && kind != MULTIPART {
        return Err(BodyFault::Malformed(
            "the body must be OPML, or a multipart form that contains it".to_owned(),
        ));
    }
    let (bytes, reservation) = bytes_of(request, body, MAX_BYTES).await?;
    if kind != MULTIPART {
        return Ok((bytes.to_vec(), reservation));
    }
    let mut form = multipart(request, bytes).await?;
    match form.next_field().await.map_err(|_| broken_form())? {
        Some(part) => Ok((part.bytes().await.map_err(|_| broken_form())?, reservation)),
        None => Err(BodyFault::Malformed("the multipart form is empty".to_owned())),
    }
}
