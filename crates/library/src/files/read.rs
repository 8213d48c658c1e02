//! Input for the text extraction of an item's file, which runs in a sandbox.

use async_recursion::async_recursion as boxed;
use entities::library_item;
use extract::Input;
use extract::formats::SourceFormat;
use extract::sniff::{self, EDGE_BYTES};

use kernel::{Code, Domain, Error, Result};

/// Maximum size of a file whose text is extracted.
const MAX_READ_BYTES: i64 = 128 * 1024 * 1024;

/// Reads the file of an item as input for an extraction process. `None` if the item has no file, or if files of its
/// format contain no text.
///
/// # Errors
/// `content_too_large` if the file is too large for an extraction; `service_unavailable` if the blob store
/// does not respond.
#[boxed]
pub async fn file_input(domain: &Domain, item: &library_item::Model) -> Result<Option<Input>> {
    let Some(blob) = &item.asset_blob else { return Ok(None) };
    if item.asset_size.unwrap_or(0) > MAX_READ_BYTES {
        return Err(Error::new(Code::ContentTooLarge, "The file is too large for text extraction."));
    }
    let bytes = domain.blobs().read_all(blob).await?;
    let (head, tail) =
        (&bytes[..bytes.len().min(EDGE_BYTES)], &bytes[bytes.len().saturating_sub(EDGE_BYTES)..]);
    let declared = item.asset_mime.as_deref().unwrap_or_default();
    let kind = sniff::sniff(head, tail, declared, item.asset_name.as_deref().unwrap_or_default());
    let Some(format) = kind.ok().and_then(|kind| kind.format).and_then(SourceFormat::named) else {
        return Ok(None);
    };
    // Binary formats are recognized by their bytes, so the declared type is not passed on.
    let content_type = (!format.is_binary()).then(|| format.media_type().to_owned());
    let url = (!item.url.starts_with("urn:")).then(|| item.url.clone());
    Ok(Some(Input { bytes: bytes.into(), content_type, url }))
}
