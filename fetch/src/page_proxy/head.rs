//! Heads of HTTP/1 messages: bounded, and parsed strictly enough that both sides see the same message.

use std::io;

use tokio::io::{AsyncRead, AsyncReadExt};

/// Maximum size of a head, in bytes.
pub(super) const MAX_HEAD_BYTES: usize = 64 * 1024;
/// Maximum number of header lines.
const MAX_LINES: usize = 200;
/// Hop-by-hop headers (RFC 9110 section 7.6.1), which are not forwarded.
const OF_CONNECTION: [&str; 9] = [
    "connection", "keep-alive", "proxy-connection", "proxy-authorization", "proxy-authenticate", "te",
    "trailer", "upgrade", "http2-settings",
];

/// Start line and headers of a message.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Head {
    pub(super) start: String,
    /// Headers with their names as sent.
    headers: Vec<(String, String)>,
}

impl Head {
    /// Parses a head without its empty line. `None` if it is not valid.
    pub(super) fn parse(bytes: &[u8]) -> Option<Self> {
        // Header values may be in any charset; each byte is read as one character and is written back as is.
        let text: String = bytes.iter().map(|byte| char::from(*byte)).collect();
        let mut lines = text.split('\n').map(|line| line.strip_suffix('\r').unwrap_or(line));
        let start = lines.next().filter(|line| is_text(line) && !line.is_empty())?.to_owned();
        let mut headers = Vec::new();
        for line in lines.filter(|line| !line.is_empty()) {
            let (name, value) = line.split_once(':')?;
            if name.is_empty() || !name.bytes().all(is_token) || !is_text(value) || headers.len() >= MAX_LINES
            {
                return None;
            }
            headers.push((name.to_owned(), value.trim_matches([' ', '\t']).to_owned()));
        }
        Some(Self { start, headers })
    }

    /// Returns the value of the first header with this name, which must be in lower case.
    pub(super) fn value(&self, name: &str) -> Option<&str> {
        self.values(name).next()
    }

    /// Returns the values of all headers with this name, which must be in lower case.
    pub(super) fn values(&self, name: &str) -> impl Iterator<Item = &str> {
        self.headers
            .iter()
            .filter(move |(known, _)| known.eq_ignore_ascii_case(name))
            .map(|(_, value)| value.as_str())
    }

    /// Returns the method and the target of a request.
    pub(super) fn request_line(&self) -> Option<(&str, &str)> {
        let mut words = self.start.split(' ');
        let (method, target, version) = (words.next()?, words.next()?, words.next()?);
        let is_valid = words.next().is_none()
            && matches!(version, "HTTP/1.1" | "HTTP/1.0")
            && !method.is_empty()
            && method.bytes().all(|byte| byte.is_ascii_uppercase());
        is_valid.then_some((method, target))
    }

    /// Status of a response.
    pub(super) fn status(&self) -> Option<u16> {
        let rest = self.start.strip_prefix("HTTP/1.")?;
        let status = rest.split(' ').nth(1)?;
        status.parse().ok().filter(|status| (100..1000).contains(status))
    }

    /// Serializes the head with another start line, without hop-by-hop headers and the headers named in
    /// `without`. Adds a header that closes the connection after the message.
    pub(super) fn forwarded(&self, start: &str, without: &[&str]) -> Vec<u8> {
        let mut text = format!("{start}\r\n");
        let is_dropped = |name: &str| {
            OF_CONNECTION.iter().chain(without).any(|dropped| name.eq_ignore_ascii_case(dropped))
        };
        for (name, value) in self.headers.iter().filter(|(name, _)| !is_dropped(name)) {
            text.push_str(name);
            text.push_str(": ");
            text.push_str(value);
            text.push_str("\r\n");
        }
        text.push_str("Connection: close\r\n\r\n");
        // This reverses the conversion in `parse`.
        text.chars().map(|character| u8::try_from(character).unwrap_or(b'?')).collect()
    }
}

fn is_text(line: &str) -> bool {
    !line.chars().any(|character| matches!(character, '\0'..='\x08' | '\n'..='\x1f' | '\x7f'))
}

fn is_token(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte)
}

/// Reads a head, and the bytes that arrived after it. `None` if the stream is closed before the end of the
/// head, or if the head is too large.
pub(super) async fn read_head(
    stream: &mut (impl AsyncRead + Unpin),
) -> io::Result<Option<(Vec<u8>, Vec<u8>)>> {
    read_head_after(Vec::new(), stream).await
}

/// Reads a head like [`read_head`], from a stream from which `bytes` were already read.
pub(super) async fn read_head_after(
    mut bytes: Vec<u8>,
    stream: &mut (impl AsyncRead + Unpin),
) -> io::Result<Option<(Vec<u8>, Vec<u8>)>> {
    let mut scanned = 0;
    loop {
        if let Some(end) = head_end(&bytes, scanned) {
            let rest = bytes.split_off(end);
            return Ok(Some((bytes, rest)));
        }
        // The end may be split between two reads.
        scanned = bytes.len().saturating_sub(3);
        if bytes.len() > MAX_HEAD_BYTES || stream.read_buf(&mut bytes).await? == 0 {
            return Ok(None);
        }
    }
}

/// Finds the position after the empty line. The search starts at the offset `from`.
fn head_end(bytes: &[u8], from: usize) -> Option<usize> {
    let tail = bytes.get(from..)?;
    let lines = memchr::memchr_iter(b'\n', tail);
    let mut lines = lines.map(|at| from + at + 1);
    lines.find_map(|start| match bytes.get(start..) {
        Some([b'\n', ..]) => Some(start + 1),
        Some([b'\r', b'\n', ..]) => Some(start + 2),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn head_with_control_characters_or_folded_lines_is_refused() {
        for text in
            ["GET / HTTP/1.1\r\nA: b\x00c\r\n\r\n", "GET / HTTP/1.1\r\n folded: x\r\n\r\n", "\r\n\r\n"]
        {
            assert_eq!(Head::parse(text.as_bytes()), None, "{text:?}");
        }
        assert!(Head::parse(b"GET / HTTP/1.1\r\nno colon\r\n\r\n").is_none());
    }

    #[test]
    fn forwarded_head_omits_hop_by_hop_headers_and_preserves_all_other_bytes() {
        let head = Head::parse(b"GET http://a/ HTTP/1.1\r\nHost: a\r\nProxy-Authorization: Basic x\r\nX: \xe4\r\nUpgrade: h2c\r\n\r\n");
        let forwarded = head.unwrap().forwarded("GET / HTTP/1.1", &["host"]);
        assert_eq!(forwarded, b"GET / HTTP/1.1\r\nX: \xe4\r\nConnection: close\r\n\r\n");
    }

    #[tokio::test]
    async fn head_is_read_across_packets_and_bounded() {
        let mut split = tokio_test_stream(&[b"A\r\n", b"B: c\r", b"\n\r", b"\nbody"]);
        let (head, rest) = read_head(&mut split).await.unwrap().unwrap();
        assert_eq!((head.as_slice(), rest.as_slice()), (&b"A\r\nB: c\r\n\r\n"[..], &b"body"[..]));
        let endless = vec![b'x'; MAX_HEAD_BYTES * 2];
        assert!(read_head(&mut endless.as_slice()).await.unwrap().is_none());
    }

    /// Creates a reader that returns one part per read.
    fn tokio_test_stream(parts: &[&'static [u8]]) -> impl AsyncRead + Unpin {
        let parts: Vec<io::Result<bytes::Bytes>> =
            parts.iter().map(|part| Ok(bytes::Bytes::from_static(part))).collect();
        tokio_util::io::StreamReader::new(futures_util::stream::iter(parts))
    }
}
