//! Reads delimited text (CSV) in pieces. A record is passed to the caller as soon as it is complete, and its
//! size is limited.

use std::borrow::Cow;

use csv_core::{ReadRecordResult, Reader, ReaderBuilder};

/// Maximum number of bytes of a record, not counting its quotes.
pub const MAX_RECORD_BYTES: usize = 4 * 1024 * 1024;
/// Maximum number of fields in a record.
pub const MAX_FIELDS: usize = 1024;
/// Number of leading bytes that are searched for the delimiter.
const GUESS_BYTES: usize = 16 * 1024;

/// Error for a record that exceeds a limit. The next record can still be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Oversized;

/// A complete record.
#[derive(Debug, Clone, Copy)]
pub struct DelimitedRecord<'r> {
    bytes: &'r [u8],
    end_offsets: &'r [usize],
}

impl<'r> DelimitedRecord<'r> {
    /// Fields of the record, in order.
    pub fn fields(self) -> impl Iterator<Item = Cow<'r, str>> {
        let starts = std::iter::once(0).chain(self.end_offsets.iter().copied());
        starts
            .zip(self.end_offsets)
            .map(move |(start, &end)| String::from_utf8_lossy(self.bytes.get(start..end).unwrap_or_default()))
    }
}

/// Splits a text, which is passed in pieces, into records.
#[derive(Debug)]
pub struct Records {
    core: Reader,
    bytes: Vec<u8>,
    end_offsets: Vec<usize>,
    written: usize,
    fields: usize,
    oversized: bool,
}

impl Records {
    /// Creates a reader for records with this field delimiter.
    pub fn new(delimiter: u8) -> Self {
        Self {
            core: ReaderBuilder::new().delimiter(delimiter).build(),
            bytes: vec![0; 4096],
            end_offsets: vec![0; MAX_FIELDS],
            written: 0,
            fields: 0,
            oversized: false,
        }
    }

    /// Reads the next piece and calls `visit` with each complete record.
    pub fn push(&mut self, mut piece: &[u8], mut visit: impl FnMut(Result<DelimitedRecord<'_>, Oversized>)) {
        while !piece.is_empty() {
            let read = self.step(piece, &mut visit);
            piece = &piece[read..];
        }
    }

    /// Finishes the input. The last record may have no line break.
    pub fn finish(&mut self, mut visit: impl FnMut(Result<DelimitedRecord<'_>, Oversized>)) {
        while !self.ended(&mut visit) {}
    }

    fn ended(&mut self, visit: &mut impl FnMut(Result<DelimitedRecord<'_>, Oversized>)) -> bool {
        let (result, _, written, fields) =
            self.core.read_record(&[], &mut self.bytes[self.written..], &mut self.end_offsets[self.fields..]);
        let is_over = matches!(result, ReadRecordResult::End);
        self.take(&result, written, fields, visit);
        is_over
    }

    fn step(
        &mut self,
        piece: &[u8],
        visit: &mut impl FnMut(Result<DelimitedRecord<'_>, Oversized>),
    ) -> usize {
        let (result, read, written, fields) = self.core.read_record(
            piece,
            &mut self.bytes[self.written..],
            &mut self.end_offsets[self.fields..],
        );
        self.take(&result, written, fields, visit);
        read
    }

    fn take(
        &mut self,
        result: &ReadRecordResult,
        written: usize,
        fields: usize,
        visit: &mut impl FnMut(Result<DelimitedRecord<'_>, Oversized>),
    ) {
        self.written += written;
        self.fields += fields;
        match result {
            ReadRecordResult::InputEmpty | ReadRecordResult::End => {}
            ReadRecordResult::OutputFull if self.bytes.len() < MAX_RECORD_BYTES => {
                let longer = (self.bytes.len() * 2).min(MAX_RECORD_BYTES);
                self.bytes.resize(longer, 0);
            }
            ReadRecordResult::OutputFull => {
                self.oversized = true;
                self.written = 0;
            }
            ReadRecordResult::OutputEndsFull => {
                self.oversized = true;
                self.fields = 0;
            }
            ReadRecordResult::Record => {
                if self.oversized {
                    visit(Err(Oversized));
                } else {
                    let bytes = &self.bytes[..self.written];
                    visit(Ok(DelimitedRecord { bytes, end_offsets: &self.end_offsets[..self.fields] }));
                }
                (self.written, self.fields, self.oversized) = (0, 0, false);
            }
        }
    }
}

/// Guesses the delimiter: the most frequent character in the first line among comma, semicolon, tab and
/// vertical bar.
pub fn guess(text: &str) -> u8 {
    let mut end = text.len().min(GUESS_BYTES);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let head = &text[..end];
    let line = head.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    let mut quoted = false;
    let mut counts = [(b',', 0_usize), (b';', 0), (b'\t', 0), (b'|', 0)];
    for byte in line.bytes() {
        quoted ^= byte == b'"';
        if !quoted && let Some((_, count)) = counts.iter_mut().find(|(delimiter, _)| *delimiter == byte) {
            *count += 1;
        }
    }
    counts
        .iter()
        .rev()
        .max_by_key(|(_, count)| *count)
        .filter(|(_, count)| *count > 0)
        .map_or(b',', |(byte, _)| *byte)
}

#[cfg(test)]
mod tests;
