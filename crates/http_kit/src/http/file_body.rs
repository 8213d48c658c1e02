//! File as a request body: raw, or as the first part of a multipart form.

use poem::{Request, RequestBody};

use super::body::{BodyFault, MULTIPART, broken_form, bytes_of, essence, multipart};
use super::body_memory::BodyPermit;

/// Reads the content of a file of at most `max_bytes`, and reserves memory for it.
///
/// # Errors
/// As for [`bytes_of`], or if the form is empty.
pub async fn file_of(
    request: &Request,
    body: &mut RequestBody,
    max_bytes: usize,
) -> Result<(Vec<u8>, BodyPermit), BodyFault> {
    let is_form = essence(request.content_type().unwrap_or_default()) == MULTIPART;
    let (bytes, reservation) = bytes_of(request, body, max_bytes).await?;
    if !is_form {
        return Ok((bytes.to_vec(), reservation));
    }
    let mut form = multipart(request, bytes).await?;
    match form.next_field().await.map_err(|_| broken_form())? {
        Some(part) => Ok((part.bytes().await.map_err(|_| broken_form())?, reservation)),
        None => Err(BodyFault::Malformed("the multipart form is empty".to_owned())),
    }
}
