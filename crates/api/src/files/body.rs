//! File as a request body, either raw or as a part of a multipart form. It is streamed, and never completely
//! in memory. Only an HTML page is read completely, with a limit, because it is rewritten.

use data_encoding::BASE64;
use kernel::{Code, Error};
use library::MAX_SENT_PAGE_BYTES;
use library::files::ExistingFile;
use poem::http::header;
use poem::web::Multipart;
use poem::{FromRequest, Request, RequestBody};
use poem_openapi::registry::{MetaMediaType, MetaRequest, MetaSchema};
use poem_openapi::{ApiExtractor, ExtractParamOptions};
use tokio::io::{AsyncRead, AsyncReadExt};

use crate::body::{body_extractor, file_form, refuse};
use crate::error::ApiError;
use http_kit::http::body::{BodyFault, MULTIPART, broken_form, bytes_of, discard, essence};
use http_kit::http::body_memory::BodyPermit;
use http_kit::http::fault::Fault;
use http_kit::http::openapi_type::inline;

/// Media type of a page.
const HTML: &str = "text/html";
/// Size of a read buffer.
const PIECE_BYTES: usize = 64 * 1024;

/// File that is sent as the raw request body. A parse error is reported after the item lookup, so that an unknown
/// item yields 404.
pub(super) struct RawFile(Result<UploadedFile, ApiError>);

impl RawFile {
    pub(super) fn into_file(self) -> Result<UploadedFile, ApiError> {
        self.0
    }
}

/// Multipart form with a file. A parse error is reported after the item lookup, so that an unknown item yields 404.
pub(super) struct FormFile(Result<UploadedFile, ApiError>);

impl FormFile {
    pub(super) fn into_file(self) -> Result<UploadedFile, ApiError> {
        self.0
    }
}

/// HTML page that is sent as the raw request body. It is received after the item lookup, so that an unknown item
/// yields 404.
pub(super) struct HtmlPage(Option<poem::Body>);

impl HtmlPage {
    /// Receives the page and the permit for the memory that it occupies.
    pub(super) async fn receive(self, request: &Request) -> Result<(bytes::Bytes, BodyPermit), ApiError> {
        require_plain_coding(request)?;
        if essence(request.content_type().unwrap_or_default()) != HTML {
            return Err(wrong_type("Send the page as text/html."));
        }
        let mut body = RequestBody::new(self.0.ok_or_else(|| refuse(BodyFault::Missing))?);
        bytes_of(request, &mut body, MAX_SENT_PAGE_BYTES).await.map_err(refuse_page)
    }

    /// Reads the page of a refused request without storing it. If the connection were closed while the client is still
    /// sending, the client might see a connection error, and send the page again.
    pub(super) async fn discard(self) {
        if let Some(body) = self.0 {
            discard(body.into_async_read(), MAX_SENT_PAGE_BYTES).await;
        }
    }
}

fn refuse_page(fault: BodyFault) -> ApiError {
    match fault {
        BodyFault::TooLarge(most) => {
            let message = format!("A page has at most {most} bytes with its pictures.");
            Error::new(Code::PayloadTooLarge, message).into()
        }
        fault => refuse(fault),
    }
}

/// File of an upload request.
pub(super) struct UploadedFile {
    pub(super) headers: UploadHeaders,
    /// File name that the form part declares.
    pub(super) name: Option<String>,
    pub(super) bytes: Box<dyn AsyncRead + Send + Unpin>,
}

/// Properties of the file that the request headers declare.
pub(super) struct UploadHeaders {
    pub(super) length: u64,
    pub(super) content_type: Option<String>,
    pub(super) digest: Option<[u8; 32]>,
    pub(super) existing_file: ExistingFile,
}

/// Streams `bytes` into an upload.
pub(super) async fn copy_to_upload(
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

fn binary_schema() -> MetaSchema {
    MetaSchema { format: Some("binary"), ..MetaSchema::new("string") }
}

impl<'a> ApiExtractor<'a> for RawFile {
    body_extractor!();

    fn request_meta() -> Option<MetaRequest> {
        let schema = MetaSchema { example: Some("%PDF-1.7 …".into()), ..binary_schema() };
        let content = vec![MetaMediaType { content_type: "*/*", schema: inline(schema) }];
        Some(MetaRequest { description: Some("Content of the file."), content, required: true })
    }

    async fn from_request(
        request: &'a Request,
        body: &mut RequestBody,
        _options: ExtractParamOptions<()>,
    ) -> poem::Result<Self> {
        Ok(Self(raw_file(request, body)))
    }
}

impl<'a> ApiExtractor<'a> for FormFile {
    body_extractor!();

    fn request_meta() -> Option<MetaRequest> {
        let file = MetaSchema { description: Some("Content of the file."), ..binary_schema() };
        Some(MetaRequest {
            description: Some("Multipart form with the part `file`."),
            content: vec![file_form(file, "%PDF-1.7 …")],
            required: true,
        })
    }

    async fn from_request(
        request: &'a Request,
        body: &mut RequestBody,
        _options: ExtractParamOptions<()>,
    ) -> poem::Result<Self> {
        Ok(Self(form_file(request, body).await))
    }
}

impl<'a> ApiExtractor<'a> for HtmlPage {
    body_extractor!();

    fn request_meta() -> Option<MetaRequest> {
        let example = "<!doctype html><title>Harbour</title><h1>The harbour</h1><p>Fourteen boats.</p>";
        let schema = MetaSchema { example: Some(example.into()), ..binary_schema() };
        let content = vec![MetaMediaType { content_type: HTML, schema: inline(schema) }];
        Some(MetaRequest { description: Some("The page in UTF-8."), content, required: true })
    }

    async fn from_request(
        _request: &'a Request,
        body: &mut RequestBody,
        _options: ExtractParamOptions<()>,
    ) -> poem::Result<Self> {
        Ok(Self(body.take().ok()))
    }
}

fn raw_file(request: &Request, body: &mut RequestBody) -> Result<UploadedFile, ApiError> {
    let headers = upload_headers(request)?;
    let body = body.take().map_err(|_| refuse(BodyFault::Missing))?;
    Ok(UploadedFile { headers, name: None, bytes: Box::new(body.into_async_read()) })
}

async fn form_file(request: &Request, body: &mut RequestBody) -> Result<UploadedFile, ApiError> {
    let mut headers = upload_headers(request)?;
    if essence(request.content_type().unwrap_or_default()) != MULTIPART {
        return Err(wrong_type("A form with a file must be multipart/form-data."));
    }
    let form = <Multipart as FromRequest>::from_request(request, body).await;
    let mut form = form.map_err(|_| refuse(broken_form()))?;
    let part = form.next_field().await.map_err(|_| refuse(broken_form()))?;
    let Some(part) = part.filter(|part| part.name() == Some("file")) else {
        return Err(refuse(BodyFault::Field(Fault::new("is missing").under("file"))));
    };
    headers.content_type = part.content_type().map(str::to_owned);
    let name = part.file_name().map(str::to_owned);
    Ok(UploadedFile { headers, name, bytes: Box::new(Box::pin(part.into_async_read())) })
}

fn upload_headers(request: &Request) -> Result<UploadHeaders, ApiError> {
    require_plain_coding(request)?;
    let length = request.header(header::CONTENT_LENGTH).and_then(|length| length.parse().ok());
    let length = length.ok_or_else(|| {
        let message = "A file upload needs a Content-Length header.";
        ApiError::malformed(Code::InvalidRequest, message, "/: Content-Length is missing")
    })?;
    let only_if_absent = request.header(header::IF_NONE_MATCH).is_some_and(|field| field.trim() == "*");
    Ok(UploadHeaders {
        length,
        content_type: request.content_type().map(str::to_owned),
        digest: request.header("content-digest").map(digest).transpose()?.flatten(),
        existing_file: if only_if_absent { ExistingFile::Keep } else { ExistingFile::Replace },
    })
}

/// Refuses compressed bodies, whose size is unknown.
fn require_plain_coding(request: &Request) -> Result<(), ApiError> {
    let coding = request.header(header::CONTENT_ENCODING).unwrap_or_default();
    if !coding.is_empty() && !coding.eq_ignore_ascii_case("identity") {
        return Err(wrong_type("Files must be sent without a Content-Encoding."));
    }
    Ok(())
}

fn wrong_type(message: &str) -> ApiError {
    Error::new(Code::UnsupportedMediaType, message).into()
}

/// Parses the SHA-256 digest of a `Content-Digest` field (RFC 9530). `None` if the field contains only other
/// algorithms.
fn digest(field: &str) -> Result<Option<[u8; 32]>, ApiError> {
    let wrong = || {
        let details = "/: Content-Digest must have the form sha-256=:base64:";
        ApiError::malformed(Code::InvalidRequest, "The Content-Digest header is invalid.", details)
    };
    let mut sha256 = None;
    for member in field.split(',') {
        let (name, value) = member.trim().split_once('=').ok_or_else(wrong)?;
        let value = value.strip_prefix(':').and_then(|value| value.strip_suffix(':')).ok_or_else(wrong)?;
        let bytes = BASE64.decode(value.as_bytes()).map_err(|_| wrong())?;
        if name == "sha-256" {
            sha256 = Some(<[u8; 32]>::try_from(bytes).map_err(|_| wrong())?);
        }
    }
    Ok(sha256)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sha256_digest_is_parsed_and_other_algorithms_are_ignored() {
        let zeros = format!("sha-256=:{}:", BASE64.encode(&[0; 32]));
        assert_eq!(digest(&zeros).unwrap(), Some([0; 32]));
        assert_eq!(digest(&format!("sha-512=:AAAA:, {zeros}")).unwrap(), Some([0; 32]));
        assert_eq!(digest("md5=:AAAA:").unwrap(), None);
        for wrong in ["", "sha-256", "sha-256=AAAA", "sha-256=:AAAA:", "sha-256=:!:"] {
            assert!(digest(wrong).is_err(), "{wrong}");
        }
    }
}
