//! Undoes a response's content coding.
//!
//! Done here and not by the HTTP client, because servers send more than the names of the registry: upper case,
//! `x-gzip`, raw DEFLATE under the name `deflate`, gzip in several members. One coding is undone, never a
//! stack of them: pages are not sent so, bombs are. A zstd frame may ask for 8 MiB of window and no more (RFC
//! 9659), where the library would give it 128.

use std::io;
use std::pin::Pin;

use async_compression::tokio::bufread::{
    BrotliDecoder, DeflateDecoder, GzipDecoder, ZlibDecoder, ZstdDecoder,
};
use async_compression::zstd::DParameter;
use futures_util::TryStreamExt;
use reqwest::Response;
use reqwest::header::{CONTENT_ENCODING, HeaderMap, TRANSFER_ENCODING};
use tokio::io::{AsyncBufRead, AsyncBufReadExt, AsyncRead};
use tokio_util::io::StreamReader;

use crate::error::Error;

/// What we can undo, for `Accept-Encoding`.
pub(crate) const ACCEPT_ENCODING: &str = "gzip, deflate, br, zstd";

/// The largest zstd window, as a power of two: 8 MiB.
const ZSTD_WINDOW_LOG: u32 = 23;

/// A body on its way in.
pub(crate) type Plain = Pin<Box<dyn AsyncRead + Send>>;

/// One content coding (RFC 9110 section 8.4.1).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Coding {
    Identity,
    Gzip,
    Deflate,
    Brotli,
    Zstd,
}

/// The coding of a response.
///
/// # Errors
/// `InvalidResponse` when it is one we did not ask for, or more than one.
pub(crate) fn coding(headers: &HeaderMap) -> Result<Coding, Error> {
    let unknown = Error::InvalidResponse { reason: "its Content-Encoding cannot be undone" };
    let mut found = Coding::Identity;
    for value in headers.get_all(CONTENT_ENCODING) {
        let value = value.to_str().map_err(|_| unknown.clone())?;
        for token in value.split(',') {
            let next = named(token.trim()).ok_or_else(|| unknown.clone())?;
            match (found, next) {
                (_, Coding::Identity) => {}
                (Coding::Identity, next) => found = next,
                _ => return Err(Error::InvalidResponse { reason: "it is encoded more than once" }),
            }
        }
    }
    // hyper has undone `chunked`; a coding below it (`gzip, chunked`) would reach us as noise.
    for value in headers.get_all(TRANSFER_ENCODING) {
        let known =
            |token: &str| ["", "identity", "chunked"].iter().any(|name| token.eq_ignore_ascii_case(name));
        if !value.to_str().is_ok_and(|value| value.split(',').all(|token| known(token.trim()))) {
            return Err(Error::InvalidResponse { reason: "its Transfer-Encoding cannot be undone" });
        }
    }
    Ok(found)
}

/// The body with its coding undone. An error of the HTTP client is wrapped as it is in the `io::Error`.
pub(crate) async fn open(response: Response, coding: Coding) -> io::Result<Plain> {
    let mut packed = StreamReader::new(response.bytes_stream().map_err(io::Error::other));
    Ok(match coding {
        Coding::Identity => Box::pin(packed),
        Coding::Gzip => {
            let mut decoder = GzipDecoder::new(packed);
            decoder.multiple_members(true);
            Box::pin(decoder)
        }
        Coding::Deflate => {
            if is_zlib(&mut packed).await? {
                Box::pin(ZlibDecoder::new(packed))
            } else {
                Box::pin(DeflateDecoder::new(packed))
            }
        }
        Coding::Brotli => Box::pin(BrotliDecoder::new(packed)),
        Coding::Zstd => {
            let limit = [DParameter::window_log_max(ZSTD_WINDOW_LOG)];
            let mut decoder = ZstdDecoder::with_params(packed, &limit);
            decoder.multiple_members(true);
            Box::pin(decoder)
        }
    })
}

/// Names that are no coding at all are sent by mistake for "none".
fn named(token: &str) -> Option<Coding> {
    Some(match token.to_ascii_lowercase().as_str() {
        "" | "identity" | "none" | "utf-8" | "binary" | "8bit" => Coding::Identity,
        "gzip" | "x-gzip" => Coding::Gzip,
        "deflate" => Coding::Deflate,
        "br" => Coding::Brotli,
        "zstd" => Coding::Zstd,
        _ => return None,
    })
}

/// Whether the zlib header stands first (RFC 1950 section 2.2). Its first byte decides: the low half names the
/// method, 8, which as the start of raw DEFLATE would be a stored block, with a window size of at most 7.
async fn is_zlib(packed: &mut (impl AsyncBufRead + Unpin)) -> io::Result<bool> {
    let first = packed.fill_buf().await?.first().copied();
    Ok(first.is_none_or(|byte| byte & 0x0f == 8 && byte >> 4 <= 7))
}
