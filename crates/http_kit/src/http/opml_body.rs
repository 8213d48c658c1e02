//! OPML list as a request body: raw, or in a multipart form.

use poem::{Request, RequestBody};

use super::body::{BodyFault, MULTIPART, essence};
use super::body_memory::BodyPermit;
use super::file_body::file_of;

/// Size limit of an OPML list, in bytes.
const MAX_BYTES: usize = 5 * 1024 * 1024;
/// Content types of a raw OPML list.
pub const CONTENT_TYPES: [&str; 5] =
    ["text/x-opml", "application/xml", "text/xml", "text/plain", "application/octet-stream"];

/// Reads the content of an OPML list, and reserves memory for it.
///
/// # Errors
/// As for [`file_of`], or if the content type is not a content type of OPML.
pub async fn opml_of(request: &Request, body: &mut RequestBody) -> Result<(Vec<u8>, BodyPermit), BodyFault> {
    let kind = essence(request.content_type().unwrap_or(CONTENT_TYPES[0]));
    let is_plain = CONTENT_TYPES.contains(&kind.as_str()) || kind.ends_with("xml") || kind.contains("opml");
    if !is_plain && kind != MULTIPART {
        return Err(BodyFault::Malformed(
            "the body must be OPML, or a multipart form that contains it".to_owned(),
        ));
    }
    file_of(request, body, MAX_BYTES).await
}
