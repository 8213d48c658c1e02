//! Creates a smaller version of a cached picture in a worker. The bytes are decoded and encoded in a child process.

use entities::picture::Model;
use extract::picture::{self, PictureInfo};
use extract::sandbox::SandboxError;
use extract::smaller_picture::PictureInput;

use super::PictureFailure;
use super::choice::read_small;
use super::request::{cached, find, hash_of};
use super::width::PictureWidth;
use crate::worker_tools::Tools;
use kernel::{Domain, Millis, Result};

/// Maximum size, in bytes, of a picture that is reduced. Fetched pictures are smaller.
const MAX_BYTES: u64 = 16 << 20;

/// Caller name of all reductions in the pool of child processes. Reductions are free, and the pictures may come from
/// any number of sites. Because they share one caller, they always leave a child process free for pages, and a page
/// waits for at most one picture.
const CALLER: &str = "pictures";

/// Bytes of a smaller version, or the reason why there is none.
type ReductionResult = std::result::Result<(PictureInfo, Vec<u8>), PictureFailure>;

/// Result of the attempt to create a smaller version, and the time until which it is valid.
pub(super) struct Reduction {
    pub(super) result: ReductionResult,
    pub(super) holds_until: Millis,
}

/// Creates the smaller version that `row` describes. It remains valid as long as the picture.
pub(super) async fn reduce(
    domain: &Domain,
    tools: &Tools,
    row: &Model,
    width: PictureWidth,
) -> Result<Reduction> {
    let now = domain.now();
    let original = find(domain, &hash_of(&row.url)).await?;
    let original = original.and_then(|original| Some((cached(&original, now)?.ok()?, original.holds_until)));
    let (result, holds_until) = match original {
        Some((picture, holds_until)) => match read_small(domain, &picture, MAX_BYTES).await {
            Some(bytes) => (smaller(tools, bytes, &row.url, width).await, holds_until),
            None => (Err(PictureFailure::Busy), holds_until),
        },
        // The picture was evicted or has expired in the meantime.
        None => (Err(PictureFailure::Busy), now),
    };
    let is_temporary = matches!(result, Err(PictureFailure::Busy));
    let holds_until = if is_temporary { now + PictureFailure::Busy.cache_duration() } else { holds_until };
    Ok(Reduction { result, holds_until })
}

async fn smaller(tools: &Tools, bytes: Vec<u8>, url: &str, width: PictureWidth) -> ReductionResult {
    let max_bytes = bytes.len();
    let input = PictureInput { bytes, url: url.to_owned(), max_width: width.pixels() };
    let sandbox = tools.sandbox.for_caller(Some(CALLER.to_owned()));
    match sandbox.reduce_picture(input).await {
        Ok(smaller) => {
            let bytes = smaller.and_then(|smaller| smaller.bytes());
            // The child has read hostile bytes, so its result is identified like a fetched picture, and may not be
            // larger than the picture.
            let bytes = bytes.filter(|bytes| bytes.len() <= max_bytes);
            let identified = bytes.and_then(|bytes| Some((picture::identify(&bytes).ok()?, bytes)));
            identified.ok_or(PictureFailure::NoSmallerVersion)
        }
        Err(SandboxError::Spawn(reason)) => {
            tracing::warn!(reason, "picture not reduced");
            Err(PictureFailure::Busy)
        }
        Err(error) => {
            tracing::debug!(%error, "picture not reduced");
            Err(PictureFailure::NoSmallerVersion)
        }
    }
}
