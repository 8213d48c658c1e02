//! OPML list as a request body: raw, or in a multipart form.

use poem::{Request, RequestBody};
use poem_openapi::registry::{MetaMediaType, MetaRequest, MetaSchema};
use poem_openapi::{ApiExtractor, ExtractParamOptions};

use super::examples::OPML;
use crate::body::{body_extractor, file_form, refuse};
use http_kit::http::body_memory::BodyPermit;
use http_kit::http::openapi_type::inline;
use http_kit::http::opml_body::{CONTENT_TYPES, opml_of};

/// Content of an OPML list. Dropping it releases the memory reserved for a large one.
pub(super) struct OpmlBody(
    pub(super) Vec<u8>,
    #[expect(dead_code, reason = "the reservation is released on drop")] BodyPermit,
);

impl<'a> ApiExtractor<'a> for OpmlBody {
    body_extractor!();

    fn request_meta() -> Option<MetaRequest> {
        let list = || MetaSchema { example: Some(OPML.into()), ..MetaSchema::new("string") };
        let file = MetaSchema { format: Some("binary"), ..MetaSchema::new("string") };
        let described = MetaSchema { description: Some("OPML list as a file."), ..file };
        let media = |content_type| MetaMediaType { content_type, schema: inline(list()) };
        let form = file_form(described, OPML);
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
        let (list, reservation) = opml_of(request, body).await.map_err(refuse)?;
        Ok(Self(list, reservation))
    }
}
