//! File download: a complete file or a byte range, streamed, with headers that prevent browsers from
//! executing the content.

use std::ops::Range;

use bytes::Bytes;
use data_encoding::{BASE64, HEXLOWER};
use futures_util::stream::BoxStream;
use kernel::{Code, Domain};
use library::files::File;
use poem::http::{HeaderName, HeaderValue, StatusCode, header};
use poem::{Body, IntoResponse, Request, Response};
use poem_openapi::ApiResponse;
use poem_openapi::registry::{MetaHeader, MetaMediaType, MetaResponse, MetaResponses, MetaSchema, Registry};

use http_kit::content_disposition::disposition;
use http_kit::http::openapi_type::inline;

use super::range::{RangeSelection, select_range};
use crate::error::ApiError;

/// Prevents execution of the content if a browser renders the file.
const CONTENT_SECURITY_POLICY: &str = "sandbox; default-src 'none'";

/// Response with the content of a file.
pub struct Download(Response);

/// Responds with a stored file, or with the byte range that the request selects.
///
/// # Errors
/// `range_not_satisfiable` if the range starts after the end of the file; errors of the file store.
pub(super) async fn download(domain: &Domain, file: &File, request: &Request) -> Result<Download, ApiError> {
    let headers = FileHeaders::of_file(file);
    let range = headers.range(request.header(header::RANGE), request.header(header::IF_RANGE))?;
    let bytes = file.read(domain, range.clone().unwrap_or(0..file.size)).await?;
    Ok(headers.response(range, bytes))
}

/// File metadata that is sent in headers.
pub struct FileHeaders<'a> {
    pub name: &'a str,
    pub media_type: &'a str,
    pub size: u64,
    /// `sha256:` followed by the digest in hex.
    pub checksum: &'a str,
}

impl<'a> FileHeaders<'a> {
    /// Headers of a stored file.
    pub fn of_file(file: &'a File) -> Self {
        Self { name: &file.name, media_type: &file.media_type, size: file.size, checksum: &file.checksum }
    }
}

impl FileHeaders<'_> {
    fn etag(&self) -> String {
        format!("\"{}\"", self.checksum)
    }

    /// Returns the byte range to send, or `None` for the complete file. The range is ignored if `if_range`
    /// does not match the file's `ETag`.
    ///
    /// # Errors
    /// `range_not_satisfiable` if the range starts after the end of the file.
    pub fn range(&self, range: Option<&str>, if_range: Option<&str>) -> Result<Option<Range<u64>>, ApiError> {
        let is_this = if_range.is_none_or(|etag| etag.trim() == self.etag());
        match select_range(range.filter(|_| is_this), self.size) {
            RangeSelection::Whole => Ok(None),
            RangeSelection::Part(range) => Ok(Some(range)),
            RangeSelection::Unsatisfiable => Err(ApiError {
                content_range: Some(format!("bytes */{}", self.size)),
                ..ApiError::new(Code::RangeNotSatisfiable, "The requested range is outside the file.")
            }),
        }
    }

    /// Builds the response with `bytes`, which are `range` or the complete file.
    pub fn response(
        &self,
        range: Option<Range<u64>>,
        bytes: BoxStream<'static, std::io::Result<Bytes>>,
    ) -> Download {
        let mut response = Response::from(Body::from_bytes_stream(bytes));
        let part = range.unwrap_or(0..self.size);
        let length = part.end - part.start;
        let mut fields = vec![
            (header::CONTENT_TYPE, safe_media_type(self.media_type).to_owned()),
            (header::CONTENT_LENGTH, length.to_string()),
            (header::ETAG, self.etag()),
            (header::ACCEPT_RANGES, "bytes".to_owned()),
            (header::CONTENT_DISPOSITION, disposition(self.name)),
            (header::X_CONTENT_TYPE_OPTIONS, "nosniff".to_owned()),
            (header::CONTENT_SECURITY_POLICY, CONTENT_SECURITY_POLICY.to_owned()),
            (header::CACHE_CONTROL, "private, no-store, no-transform".to_owned()),
        ];
        if let Some(digest) = digest_field(self.checksum) {
            fields.push((HeaderName::from_static("repr-digest"), digest));
        }
        if length < self.size {
            response.set_status(StatusCode::PARTIAL_CONTENT);
            let range = format!("bytes {}-{}/{}", part.start, part.end.saturating_sub(1), self.size);
            fields.push((header::CONTENT_RANGE, range));
        }
        for (name, value) in fields {
            if let Ok(value) = HeaderValue::from_str(&value) {
                response.headers_mut().insert(name, value);
            }
        }
        Download(response)
    }
}

/// Returns the media type if browsers do not execute it, otherwise `application/octet-stream`.
fn safe_media_type(media_type: &str) -> &str {
    let is_safe =
        matches!(media_type, "application/pdf" | "application/epub+zip" | "text/plain" | "application/zip")
            || media_type.starts_with("audio/")
            || media_type.starts_with("video/")
            || (media_type.starts_with("image/") && !media_type.contains("svg"));
    if is_safe { media_type } else { "application/octet-stream" }
}

fn digest_field(checksum: &str) -> Option<String> {
    let bytes = HEXLOWER.decode(checksum.strip_prefix("sha256:")?.as_bytes()).ok()?;
    Some(format!("sha-256=:{}:", BASE64.encode(&bytes)))
}

impl IntoResponse for Download {
    fn into_response(self) -> Response {
        self.0
    }
}

impl ApiResponse for Download {
    fn meta() -> MetaResponses {
        let schema = || MetaSchema {
            format: Some("binary"),
            example: Some("%PDF-1.7 …".into()),
            ..MetaSchema::new("string")
        };
        let text = || inline(MetaSchema::new("string"));
        let field = |name: &str, description: &str| MetaHeader {
            name: name.to_owned(),
            description: Some(description.to_owned()),
            required: true,
            deprecated: false,
            schema: text(),
        };
        let fields = || {
            vec![
                field("ETag", "Checksum of the file."),
                field("Accept-Ranges", "`bytes`."),
                field("Content-Disposition", "`attachment` with the file name."),
                field("Repr-Digest", "SHA-256 of the complete file (RFC 9530)."),
            ]
        };
        let response = |status, description, headers| MetaResponse {
            description,
            status: Some(status),
            status_range: None,
            content: vec![MetaMediaType { content_type: "*/*", schema: inline(schema()) }],
            headers,
        };
        let mut part = fields();
        part.push(field("Content-Range", "Range of the returned bytes."));
        MetaResponses {
            responses: vec![
                response(200, "Complete content of the file.", fields()),
                response(206, "Bytes requested by `Range`.", part),
            ],
        }
    }

    fn register(_registry: &mut Registry) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn executable_media_types_are_served_as_octet_stream() {
        for (stored, served) in [
            ("application/pdf", "application/pdf"),
            ("image/png", "image/png"),
            ("image/svg+xml", "application/octet-stream"),
            ("text/html", "application/octet-stream"),
            ("text/javascript", "application/octet-stream"),
            ("audio/mpeg", "audio/mpeg"),
        ] {
            assert_eq!(safe_media_type(stored), served);
        }
    }
}
