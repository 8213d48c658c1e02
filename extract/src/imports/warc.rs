//! Reads web archives (WARC), which may consist of gzip members. The pages among the responses are read one
//! by one.

use std::collections::HashSet;
use std::io::{self, Read, Write};
use std::sync::Arc;

use flate2::write::MultiGzDecoder;

use super::row::{ImportRow, InvalidRow, MAX_ROW_BYTES, RowContent, RowResult};
use super::values;
use crate::charset;

/// First bytes of a gzip member.
const GZIP: [u8; 2] = [0x1f, 0x8b];
/// Maximum size of a record or response header, in bytes.
const MAX_HEADER_BYTES: usize = 64 * 1024;
/// Maximum number of unpacked bytes of an archive.
const MAX_UNPACKED_BYTES: u64 = 4 * 1024 * 1024 * 1024;
/// Maximum number of bytes that are unpacked to recognise an archive.
const MAX_PROBE_BYTES: u64 = 16;

/// True for the start of an archive.
pub(super) fn is_archive(head: &[u8]) -> bool {
    if !head.starts_with(&GZIP) {
        return head.starts_with(b"WARC/");
    }
    let mut start = Vec::new();
    // The head may stop within the first member.
    let _ = flate2::read::GzDecoder::new(head).take(MAX_PROBE_BYTES).read_to_end(&mut start);
    start.starts_with(b"WARC/")
}

/// Reader of an archive.
#[derive(Default)]
pub(super) struct WarcReader {
    /// Bytes of an archive whose compression is not known yet.
    start: Vec<u8>,
    input: Option<WarcInput>,
    pages: Option<Arc<HashSet<String>>>,
    /// True if the rest of the archive cannot be unpacked.
    is_corrupt: bool,
    /// True if the rest of the archive is not unpacked, because its records are not read.
    is_stopped: bool,
}

enum WarcInput {
    Plain(Box<WarcRecords>),
    Gzip(Box<MultiGzDecoder<WarcRecords>>),
}

impl WarcReader {
    /// Sets the URLs of the pages. Without them, all responses with HTML are pages.
    pub(super) fn set_pages(&mut self, pages: Arc<HashSet<String>>) {
        self.pages = Some(pages);
    }

    pub(super) fn push(&mut self, piece: &[u8], visit: &mut dyn FnMut(RowResult)) {
        if self.is_corrupt || self.is_stopped {
            return;
        }
        if self.input.is_none() {
            self.start.extend_from_slice(piece);
            if self.start.len() < GZIP.len() {
                return;
            }
            let start = std::mem::take(&mut self.start);
            let records = WarcRecords { pages: self.pages.take(), ..WarcRecords::default() };
            self.input = Some(if start.starts_with(&GZIP) {
                WarcInput::Gzip(Box::new(MultiGzDecoder::new(records)))
            } else {
                WarcInput::Plain(Box::new(records))
            });
            self.write(&start, visit);
        } else {
            self.write(piece, visit);
        }
    }

    fn write(&mut self, bytes: &[u8], visit: &mut dyn FnMut(RowResult)) {
        let (written, records) = match &mut self.input {
            Some(WarcInput::Plain(records)) => (records.write_all(bytes), records.as_mut()),
            Some(WarcInput::Gzip(unpacker)) => (unpacker.write_all(bytes), unpacker.get_mut()),
            None => return,
        };
        self.is_corrupt = written.is_err();
        self.is_stopped = records.is_stopped;
        for row in records.rows.drain(..) {
            visit(row);
        }
    }

    pub(super) fn finish(&mut self, visit: &mut dyn FnMut(RowResult)) {
        let (end, mut records) = match self.input.take() {
            Some(WarcInput::Plain(records)) => (Ok(()), *records),
            Some(WarcInput::Gzip(mut unpacker)) if self.is_corrupt || self.is_stopped => {
                (Ok(()), std::mem::take(unpacker.get_mut()))
            }
            Some(WarcInput::Gzip(mut unpacker)) => {
                (unpacker.try_finish(), std::mem::take(unpacker.get_mut()))
            }
            None => return,
        };
        if end.is_err() {
            records.is_partial = true;
        }
        records.finish(self.is_corrupt);
        for row in records.rows.drain(..) {
            visit(row);
        }
    }
}

/// Record whose content is being read.
struct WarcRecord {
    url: Option<String>,
    saved_at: Option<i64>,
    content: RecordContent,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum RecordContent {
    /// Response of a server with its header.
    Response,
    /// HTML without a header.
    Page,
    /// Request, or description of other records.
    Other,
}

/// Reads the records of an unpacked archive.
#[derive(Default)]
struct WarcRecords {
    header: Vec<u8>,
    record: Option<WarcRecord>,
    content: Vec<u8>,
    is_too_long: bool,
    /// Bytes of the record that have not been read yet.
    left: u64,
    unpacked: u64,
    pages: Option<Arc<HashSet<String>>>,
    rows: Vec<RowResult>,
    /// Number of responses that are not pages.
    other_responses: u32,
    /// True if the archive stops within a record.
    is_partial: bool,
    /// True if the rest of the archive is not read.
    is_stopped: bool,
}

impl Write for WarcRecords {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.unpacked += bytes.len() as u64;
        if self.unpacked > MAX_UNPACKED_BYTES && !self.is_stopped {
            self.stop(InvalidRow::TooLong);
        }
        let mut rest = bytes;
        while !rest.is_empty() && !self.is_stopped {
            rest = if self.record.is_some() { self.read_content(rest) } else { self.read_header(rest) };
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl WarcRecords {
    fn stop(&mut self, reason: InvalidRow) {
        self.rows.push(Err(reason));
        self.is_stopped = true;
        (self.record, self.content) = (None, Vec::new());
    }

    /// Reads a line of a header. Returns the bytes after it.
    fn read_header<'b>(&mut self, bytes: &'b [u8]) -> &'b [u8] {
        let length = memchr::memchr(b'\n', bytes).map_or(bytes.len(), |at| at + 1);
        let (line, rest) = bytes.split_at(length);
        // Blank lines separate the records.
        if self.header.is_empty() && line.trim_ascii().is_empty() {
            return rest;
        }
        if self.header.len() + line.len() > MAX_HEADER_BYTES {
            self.stop(InvalidRow::Malformed);
            return rest;
        }
        self.header.extend_from_slice(line);
        if self.header.ends_with(b"\n\r\n") || self.header.ends_with(b"\n\n") {
            let header = std::mem::take(&mut self.header);
            self.begin_record(&String::from_utf8_lossy(&header));
        }
        rest
    }

    fn begin_record(&mut self, header: &str) {
        let length = field(header, "Content-Length").and_then(|length| length.parse::<u64>().ok());
        let Some(length) = length.filter(|_| header.starts_with("WARC/")) else {
            return self.stop(InvalidRow::Malformed);
        };
        let media_type = field(header, "Content-Type").map(charset::essence).unwrap_or_default();
        let content = match field(header, "WARC-Type") {
            Some("response") if media_type == "application/http" => RecordContent::Response,
            Some("resource") if is_html(&media_type) => RecordContent::Page,
            _ => RecordContent::Other,
        };
        self.record = Some(WarcRecord {
            url: field(header, "WARC-Target-URI").map(|url| url.trim_matches(['<', '>']).to_owned()),
            saved_at: field(header, "WARC-Date").and_then(values::time),
            content,
        });
        self.left = length;
        if length == 0 {
            self.end_record();
        }
    }

    /// Reads a piece of the content of a record. Returns the bytes after it.
    fn read_content<'b>(&mut self, bytes: &'b [u8]) -> &'b [u8] {
        let length = usize::try_from(self.left).map_or(bytes.len(), |left| left.min(bytes.len()));
        let (piece, rest) = bytes.split_at(length);
        self.left -= length as u64;
        let is_read = self.record.as_ref().is_some_and(|record| record.content != RecordContent::Other);
        if is_read && !self.is_too_long {
            self.content.extend_from_slice(piece);
            if self.content.len() > MAX_ROW_BYTES {
                // The header still shows whether the response is a page.
                self.is_too_long = true;
                self.content.truncate(MAX_HEADER_BYTES);
                self.content.shrink_to_fit();
            }
        }
        if self.left == 0 {
            self.end_record();
        }
        rest
    }

    fn end_record(&mut self) {
        let (content, is_too_long) =
            (std::mem::take(&mut self.content), std::mem::take(&mut self.is_too_long));
        let Some(record) = self.record.take() else { return };
        let is_listed = |url: &str| self.pages.as_ref().is_none_or(|pages| pages.contains(url));
        let is_page = record.url.as_deref().is_some_and(is_listed);
        let html = match record.content {
            RecordContent::Other => return,
            RecordContent::Page => Some(Ok(charset::decode(&content, None))),
            RecordContent::Response => html_of(&content),
        };
        match html.filter(|_| is_page) {
            None => self.other_responses = self.other_responses.saturating_add(1),
            Some(_) if is_too_long => self.rows.push(Err(InvalidRow::TooLong)),
            Some(Err(reason)) => self.rows.push(Err(reason)),
            Some(Ok(text)) => self.rows.push(Ok(ImportRow {
                url: record.url,
                saved_at: record.saved_at,
                content: Some(RowContent { text, media_type: "text/html".to_owned() }),
                ..ImportRow::default()
            })),
        }
    }

    fn finish(&mut self, is_corrupt: bool) {
        if is_corrupt && !self.is_stopped {
            self.rows.push(Err(InvalidRow::Malformed));
        } else if !self.is_stopped && (self.is_partial || self.record.is_some() || !self.header.is_empty()) {
            self.rows.push(Err(InvalidRow::Truncated));
        }
        if self.other_responses > 0 {
            self.rows.push(Err(InvalidRow::Responses(self.other_responses)));
        }
    }
}

/// HTML of a successful response, or the reason why it cannot be decoded. `None` if the response is not a
/// page.
fn html_of(response: &[u8]) -> Option<Result<String, InvalidRow>> {
    let at = memchr::memmem::find(response, b"\r\n\r\n")?;
    let header = String::from_utf8_lossy(response.get(..at.min(MAX_HEADER_BYTES))?);
    let is_successful = header.lines().next().is_some_and(|line| line.split(' ').nth(1) == Some("200"));
    let content_type = field(&header, "Content-Type");
    if !is_successful || !content_type.map(charset::essence).is_some_and(|media_type| is_html(&media_type)) {
        return None;
    }
    let body = response.get(at + 4..)?;
    let is_chunked = field(&header, "Transfer-Encoding").is_some_and(|coding| coding.contains("chunked"));
    let joined = if is_chunked { joined_chunks(body) } else { None };
    let body = joined.as_deref().unwrap_or(body);
    let coding = field(&header, "Content-Encoding").unwrap_or_default().to_ascii_lowercase();
    let unpacked = match coding.as_str() {
        "gzip" | "x-gzip" => unpacked(flate2::read::MultiGzDecoder::new(body)),
        "deflate" => unpacked(flate2::read::ZlibDecoder::new(body)),
        "" | "identity" => return Some(Ok(charset::decode(body, content_type))),
        // Programs that store the unpacked page may still store the header of the compressed page.
        _ if body.trim_ascii_start().starts_with(b"<") => {
            return Some(Ok(charset::decode(body, content_type)));
        }
        _ => Err(InvalidRow::Malformed),
    };
    let is_plain = unpacked == Err(InvalidRow::Malformed) && body.trim_ascii_start().starts_with(b"<");
    let unpacked = if is_plain { Ok(body.to_vec()) } else { unpacked };
    Some(unpacked.map(|bytes| charset::decode(&bytes, content_type)))
}

fn unpacked(body: impl Read) -> Result<Vec<u8>, InvalidRow> {
    let mut bytes = Vec::new();
    match body.take(MAX_ROW_BYTES as u64 + 1).read_to_end(&mut bytes) {
        Ok(count) if count > MAX_ROW_BYTES => Err(InvalidRow::TooLong),
        Ok(_) => Ok(bytes),
        // The end of a response may be missing.
        Err(_) if !bytes.is_empty() => Ok(bytes),
        Err(_) => Err(InvalidRow::Malformed),
    }
}

/// Body without the sizes of its chunks. `None` if it has no chunks.
fn joined_chunks(body: &[u8]) -> Option<Vec<u8>> {
    let (mut joined, mut rest) = (Vec::with_capacity(body.len()), body);
    while !rest.is_empty() {
        let at = memchr::memchr(b'\n', rest)?;
        let line = std::str::from_utf8(rest.get(..at)?).ok()?;
        let size = usize::from_str_radix(line.split(';').next()?.trim(), 16).ok()?;
        rest = rest.get(at + 1..)?;
        if size == 0 {
            break;
        }
        joined.extend_from_slice(rest.get(..size.min(rest.len()))?);
        rest = rest.get(size..).unwrap_or_default();
        rest = rest.strip_prefix(b"\r\n").unwrap_or(rest);
    }
    Some(joined)
}

fn is_html(media_type: &str) -> bool {
    matches!(media_type, "text/html" | "application/xhtml+xml")
}

/// Value of a field of a header.
fn field<'h>(header: &'h str, name: &str) -> Option<&'h str> {
    header.lines().skip(1).find_map(|line| {
        let (key, value) = line.split_once(':')?;
        key.trim().eq_ignore_ascii_case(name).then(|| value.trim())
    })
}
