//! Decodes content codings of responses.
//!
//! The HTTP client cannot do this, because servers send more than the registered codings: names in upper
//! case, `x-gzip`, raw DEFLATE under the name `deflate`, and gzip with several members or with other bytes
//! after its end. Only one coding is decoded, never a stack: pages do not use stacks, but decompression bombs
//! do. A zstd frame may request a window of at most 8 MiB (RFC 9659); the library would allow 128 MiB.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

use async_compression::tokio::bufread::{
    BrotliDecoder, DeflateDecoder, GzipDecoder, ZlibDecoder, ZstdDecoder,
};
use async_compression::zstd::DParameter;
use futures_util::TryStreamExt;
use reqwest::Response;
use reqwest::header::{CONTENT_ENCODING, HeaderMap, TRANSFER_ENCODING};
use tokio::io::{AsyncBufRead, AsyncBufReadExt, AsyncRead, ReadBuf};
use tokio_util::io::StreamReader;

use crate::body_memory::{BodyShare, WindowPermit};
use crate::error::Error;

/// Value of `Accept-Encoding`: the supported codings.
pub(crate) const ACCEPT_ENCODING: &str = "gzip, deflate, br, zstd";

/// Maximum zstd window, as a power of two: 8 MiB.
const ZSTD_WINDOW_LOG: u32 = 23;

/// First byte of a gzip member (RFC 1952 section 2.3.1).
const GZIP_START: u8 = 0x1f;

/// Memory for the maximum zstd window.
const ZSTD_WINDOW_MIB: u32 = 8;

/// Body that is being received.
pub(crate) struct DecodedBody {
    /// Reader of the decoded body.
    pub(crate) reader: Pin<Box<dyn AsyncRead + Send>>,
    /// Permit for the decompression window. Required while the reader is in use.
    pub(crate) window: Option<WindowPermit>,
}

/// Content coding (RFC 9110 section 8.4.1).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Coding {
    Identity,
    Gzip,
    Deflate,
    Brotli,
    Zstd,
}

/// Content coding of a response.
///
/// # Errors
/// `InvalidResponse` if the coding is not supported, or if there is more than one.
pub(crate) fn coding(headers: &HeaderMap) -> Result<Coding, Error> {
    let unknown = Error::InvalidResponse { reason: "its Content-Encoding is not supported" };
    let mut coding = Coding::Identity;
    for value in headers.get_all(CONTENT_ENCODING) {
        let value = value.to_str().map_err(|_| unknown.clone())?;
        for token in value.split(',') {
            let next = parse_coding(token.trim()).ok_or_else(|| unknown.clone())?;
            match (coding, next) {
                (_, Coding::Identity) => {}
                (Coding::Identity, next) => coding = next,
                _ => return Err(Error::InvalidResponse { reason: "it is encoded more than once" }),
            }
        }
    }
    // hyper has already decoded `chunked`. Any other transfer coding (`gzip, chunked`) would arrive
    // undecoded.
    for value in headers.get_all(TRANSFER_ENCODING) {
        let known =
            |token: &str| ["", "identity", "chunked"].iter().any(|name| token.eq_ignore_ascii_case(name));
        if !value.to_str().is_ok_and(|value| value.split(',').all(|token| known(token.trim()))) {
            return Err(Error::InvalidResponse { reason: "its Transfer-Encoding is not supported" });
        }
    }
    Ok(coding)
}

/// Opens a reader of the decoded body when memory for its window is available. Errors of the HTTP client, and
/// `Busy` if memory is short, are wrapped in the `io::Error`.
pub(crate) async fn open(
    response: Response,
    coding: Coding,
    share: BodyShare<'_>,
) -> io::Result<DecodedBody> {
    let mut packed = StreamReader::new(response.bytes_stream().map_err(io::Error::other));
    let window_mib = match coding {
        Coding::Identity | Coding::Gzip | Coding::Deflate => 0,
        Coding::Brotli => brotli_window_mib(packed.fill_buf().await?.first().copied())?,
        Coding::Zstd => ZSTD_WINDOW_MIB,
    };
    let window = share.window(window_mib).await.map_err(io::Error::other)?;
    let reader: Pin<Box<dyn AsyncRead + Send>> = match coding {
        Coding::Identity => Box::pin(packed),
        Coding::Gzip => Box::pin(GzipMembers::Member(Box::new(GzipDecoder::new(packed)))),
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
    };
    Ok(DecodedBody { reader, window })
}

/// Size of a brotli window in whole mebibytes, from the first bits of the stream (RFC 7932 section 9.1).
/// Returns 0 for windows up to 1 MiB.
///
/// # Errors
/// If the window is larger than the format allows.
pub(crate) fn brotli_window_mib(first: Option<u8>) -> io::Result<u32> {
    let Some(first) = first else { return Ok(0) };
    let (low, high) = ((first >> 1) & 7, (first >> 4) & 7);
    let bits = match (first & 1, low, high) {
        (0, _, _) => 16,
        (_, 1.., _) => 17 + low,
        (_, 0, 0) => 17,
        (_, 0, 1) => {
            return Err(io::Error::new(
                io::ErrorKind::InvalidData,
                "the window exceeds the format's maximum",
            ));
        }
        (_, 0, high) => 8 + high,
    };
    Ok(if bits > 20 { 1 << (bits - 20) } else { 0 })
}

/// Members of a gzip body, decoded in order. Trailing bytes that do not begin another member are ignored, as
/// in browsers.
enum GzipMembers<R> {
    Member(Box<GzipDecoder<R>>),
    /// A member is complete.
    Between(R),
    Done,
}

impl<R: AsyncBufRead + Unpin> AsyncRead for GzipMembers<R> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if buffer.remaining() == 0 {
            return Poll::Ready(Ok(()));
        }
        loop {
            match std::mem::replace(&mut *self, Self::Done) {
                Self::Member(mut decoder) => {
                    let before = buffer.filled().len();
                    let polled = Pin::new(&mut *decoder).poll_read(context, buffer);
                    let is_complete =
                        matches!(polled, Poll::Ready(Ok(()))) && buffer.filled().len() == before;
                    if !is_complete {
                        *self = Self::Member(decoder);
                        return polled;
                    }
                    *self = Self::Between((*decoder).into_inner());
                }
                Self::Between(mut packed) => {
                    let next =
                        Pin::new(&mut packed).poll_fill_buf(context).map_ok(|bytes| bytes.first().copied());
                    match next {
                        Poll::Ready(Ok(Some(GZIP_START))) => {
                            *self = Self::Member(Box::new(GzipDecoder::new(packed)));
                        }
                        Poll::Ready(Ok(_)) => return Poll::Ready(Ok(())),
                        Poll::Ready(Err(error)) => return Poll::Ready(Err(error)),
                        Poll::Pending => {
                            *self = Self::Between(packed);
                            return Poll::Pending;
                        }
                    }
                }
                Self::Done => return Poll::Ready(Ok(())),
            }
        }
    }
}

/// Parses the name of a coding. Names that are not codings, such as `utf-8`, are sent by mistake and mean
/// "none".
fn parse_coding(token: &str) -> Option<Coding> {
    Some(match token.to_ascii_lowercase().as_str() {
        "" | "identity" | "none" | "utf-8" | "binary" | "8bit" => Coding::Identity,
        "gzip" | "x-gzip" => Coding::Gzip,
        "deflate" => Coding::Deflate,
        "br" => Coding::Brotli,
        "zstd" => Coding::Zstd,
        _ => return None,
    })
}

/// True if the stream starts with a zlib header (RFC 1950 section 2.2). The first byte decides: its low half
/// is the method (8), which at the start of raw DEFLATE would mean a stored block, and its high half is the
/// window size (at most 7).
async fn is_zlib(packed: &mut (impl AsyncBufRead + Unpin)) -> io::Result<bool> {
    let first = packed.fill_buf().await?.first().copied();
    Ok(first.is_none_or(|byte| byte & 0x0f == 8 && byte >> 4 <= 7))
}
