//! A file as a request body: the body itself, or one part of a multipart form. It is never held whole.

use data_encoding::BASE64;
use kernel::{Code, Error};
use library::files::Present;
use poem::http::header;
use poem::web::Multipart;
use poem::{FromRequest, Request, RequestBody};
use poem_openapi::registry::{MetaMediaType, MetaRequest, MetaSchema, MetaSchemaRef, Registry};
use poem_openapi::{ApiExtractor, ApiExtractorType, ExtractParamOptions};
use tokio::io::{AsyncRead, AsyncReadExt};

use crate::body::refuse;
use crate::error::ApiError;
use http_kit::http::body::{BodyFault, MULTIPART, broken_form, essence};
use http_kit::http::fault::Fault;

/// Bytes that are taken from a request at once.
const PIECE_BYTES: usize = 64 * 1024;

/// A file that comes as the body itself. What is wrong with it is told once it is known whose item it is for.
pub(super) struct RawFile(Result<FormPart, ApiError>);

impl RawFile {
    /// The file.
    pub(super) fn part(self) -> Result<FormPart, ApiError> {
        self.0
    }
}

/// A form that holds a file. What is wrong with it is told once it is known whose item it is for.
pub(super) struct FormFile(Result<FormPart, ApiError>);

impl FormFile {
    /// The part `file`.
    pub(super) fn part(self) -> Result<FormPart, ApiError> {
        self.0
    }
}

/// A file that comes as the part `file` of a form.
pub(super) struct FormPart {
    pub(super) about: About,
    /// What the part is called.
    pub(super) name: Option<String>,
    pub(super) bytes: Box<dyn AsyncRead + Send + Unpin>,
}

/// What a request says of its file.
pub(super) struct About {
    pub(super) length: u64,
    pub(super) declared: Option<String>,
    pub(super) digest: Option<[u8; 32]>,
    pub(super) present: Present,
}

/// Gives what is read to `take`, piece by piece.
pub(super) async fn pump(
    mut bytes: Box<dyn AsyncRead + Send + Unpin>,
    file: &mut library::files::FileUpload,
) -> Result<(), ApiError> {
    let mut piece = vec![0; PIECE_BYTES];
    loop {
        match bytes.read(&mut piece).await {
            Ok(0) => return Ok(()),
            Ok(count) => file.push(&piece[..count]).await?,
            Err(_) => return Err(refuse(BodyFault::Broken)),
        }
    }
}

fn inline(schema: MetaSchema) -> MetaSchemaRef {
    MetaSchemaRef::Inline(Box::new(schema))
}

fn binary() -> MetaSchema {
    MetaSchema { format: Some("binary"), ..MetaSchema::new("string") }
}

impl<'a> ApiExtractor<'a> for RawFile {
    const TYPES: &'static [ApiExtractorType] = &[ApiExtractorType::RequestObject];

    type ParamType = ();
    type ParamRawType = ();

    fn register(_registry: &mut Registry) {}

    fn request_meta() -> Option<MetaRequest> {
        let schema = MetaSchema { example: Some("%PDF-1.7 …".into()), ..binary() };
        let content = vec![MetaMediaType { content_type: "*/*", schema: inline(schema) }];
        Some(MetaRequest { description: Some("The bytes of the file."), content, required: true })
    }

    async fn from_request(
        request: &'a Request,
        body: &mut RequestBody,
        _options: ExtractParamOptions<()>,
    ) -> poem::Result<Self> {
        Ok(Self(whole(request, body)))
    }
}

impl<'a> ApiExtractor<'a> for FormFile {
    const TYPES: &'static [ApiExtractorType] = &[ApiExtractorType::RequestObject];

    type ParamType = ();
    type ParamRawType = ();

    fn register(_registry: &mut Registry) {}

    fn request_meta() -> Option<MetaRequest> {
        let file = MetaSchema { description: Some("The file."), ..binary() };
        let form = MetaSchema {
            required: vec!["file"],
            properties: vec![("file", inline(file))],
            example: Some(serde_json::json!({ "file": "%PDF-1.7 …" })),
            ..MetaSchema::new("object")
        };
        let content = vec![MetaMediaType { content_type: MULTIPART, schema: inline(form) }];
        Some(MetaRequest { description: Some("A form with the file."), content, required: true })
    }

    async fn from_request(
        request: &'a Request,
        body: &mut RequestBody,
        _options: ExtractParamOptions<()>,
    ) -> poem::Result<Self> {
        Ok(Self(part(request, body).await))
    }
}

fn whole(request: &Request, body: &mut RequestBody) -> Result<FormPart, ApiError> {
    let about = about(request)?;
    let body = body.take().map_err(|_| refuse(BodyFault::Missing))?;
    Ok(FormPart { about, name: None, bytes: Box::new(body.into_async_read()) })
}

async fn part(request: &Request, body: &mut RequestBody) -> Result<FormPart, ApiError> {
    let mut about = about(request)?;
    if essence(request.content_type().unwrap_or_default()) != MULTIPART {
        return Err(wrong_type("A form with a file is multipart/form-data."));
    }
    let form = <Multipart as FromRequest>::from_request(request, body).await;
    let mut form = form.map_err(|_| refuse(broken_form()))?;
    let part = form.next_field().await.map_err(|_| refuse(broken_form()))?;
    let Some(part) = part.filter(|part| part.name() == Some("file")) else {
        return Err(refuse(BodyFault::Field(Fault::new("is missing").under("file"))));
    };
    about.declared = part.content_type().map(str::to_owned);
    let name = part.file_name().map(str::to_owned);
    Ok(FormPart { about, name, bytes: Box::new(Box::pin(part.into_async_read())) })
}

fn about(request: &Request) -> Result<About, ApiError> {
    let coding = request.header(header::CONTENT_ENCODING).unwrap_or_default();
    if !coding.is_empty() && !coding.eq_ignore_ascii_case("identity") {
        return Err(wrong_type("A file is sent as it is, without a Content-Encoding."));
    }
    let length = request.header(header::CONTENT_LENGTH).and_then(|length| length.parse().ok());
    let length = length.ok_or_else(|| {
        let message = "The length of a file must be sent before it, as Content-Length.";
        ApiError::malformed(Code::InvalidRequest, message, "/: Content-Length is missing")
    })?;
    let is_new = request.header(header::IF_NONE_MATCH).is_some_and(|field| field.trim() == "*");
    Ok(About {
        length,
        declared: request.content_type().map(str::to_owned),
        digest: request.header("content-digest").map(digest).transpose()?.flatten(),
        present: if is_new { Present::Kept } else { Present::Replaced },
    })
}

fn wrong_type(message: &str) -> ApiError {
    Error::new(Code::UnsupportedMediaType, message).into()
}

/// The SHA-256 that a `Content-Digest` field (RFC 9530) names; others are nobody's here.
fn digest(field: &str) -> Result<Option<[u8; 32]>, ApiError> {
    let wrong = || {
        let details = "/: Content-Digest must be as in sha-256=:base64:";
        ApiError::malformed(Code::InvalidRequest, "The digest of the file cannot be read.", details)
    };
    let mut found = None;
    for member in field.split(',') {
        let (name, value) = member.trim().split_once('=').ok_or_else(wrong)?;
        let value = value.strip_prefix(':').and_then(|value| value.strip_suffix(':')).ok_or_else(wrong)?;
        let bytes = BASE64.decode(value.as_bytes()).map_err(|_| wrong())?;
        if name == "sha-256" {
            found = Some(<[u8; 32]>::try_from(bytes).map_err(|_| wrong())?);
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_digest_is_read_and_others_are_left_alone() {
        let zeros = format!("sha-256=:{}:", BASE64.encode(&[0; 32]));
        assert_eq!(digest(&zeros).unwrap(), Some([0; 32]));
        assert_eq!(digest(&format!("sha-512=:AAAA:, {zeros}")).unwrap(), Some([0; 32]));
        assert_eq!(digest("md5=:AAAA:").unwrap(), None);
        for wrong in ["", "sha-256", "sha-256=AAAA", "sha-256=:AAAA:", "sha-256=:!:"] {
            assert!(digest(wrong).is_err(), "{wrong}");
        }
    }
}
