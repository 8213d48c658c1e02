//! Delimited text (CSV), piece by piece: a record is handed on as soon as it is whole, and never held beyond a bound.

use std::borrow::Cow;

use csv_core::{ReadRecordResult, Reader, ReaderBuilder};

/// The longest record, in bytes without its quotes.
pub const MAX_RECORD_BYTES: usize = 4 * 1024 * 1024;
/// Fields of one record.
pub const MAX_FIELDS: usize = 1024;
/// How much of a text is looked at to find what parts its fields.
const GUESS_BYTES: usize = 16 * 1024;

/// A record that is longer than the bound; the next one can be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Oversized;

/// One record.
#[derive(Debug, Clone, Copy)]
pub struct Record<'r> {
    bytes: &'r [u8],
    ends: &'r [usize],
}

impl<'r> Record<'r> {
    /// The fields in their order.
    pub fn fields(self) -> impl Iterator<Item = Cow<'r, str>> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts
            .zip(self.ends)
            .map(move |(start, &end)| String::from_utf8_lossy(self.bytes.get(start..end).unwrap_or_default()))
    }
}

/// Cuts what is pushed into records.
#[derive(Debug)]
pub struct Records {
    core: Reader,
    bytes: Vec<u8>,
    ends: Vec<usize>,
    written: usize,
    fields: usize,
    oversized: bool,
}

impl Records {
    /// Records whose fields are parted by `delimiter`.
    pub fn new(delimiter: u8) -> Self {
        Self {
            core: ReaderBuilder::new().delimiter(delimiter).build(),
            bytes: vec![0; 4096],
            ends: vec![0; MAX_FIELDS],
            written: 0,
            fields: 0,
            oversized: false,
        }
    }

    /// Takes the next piece; `visit` gets each record that is whole now.
    pub fn push(&mut self, mut piece: &[u8], mut visit: impl FnMut(Result<Record<'_>, Oversized>)) {
        while !piece.is_empty() {
            let read = self.step(piece, &mut visit);
            piece = &piece[read..];
        }
    }

    /// There is no further piece: the last record may lack the end of its line.
    pub fn finish(&mut self, mut visit: impl FnMut(Result<Record<'_>, Oversized>)) {
        while !self.ended(&mut visit) {}
    }

    fn ended(&mut self, visit: &mut impl FnMut(Result<Record<'_>, Oversized>)) -> bool {
        let (result, _, written, fields) =
            self.core.read_record(&[], &mut self.bytes[self.written..], &mut self.ends[self.fields..]);
        let is_over = matches!(result, ReadRecordResult::End);
        self.take(&result, written, fields, visit);
        is_over
    }

    fn step(&mut self, piece: &[u8], visit: &mut impl FnMut(Result<Record<'_>, Oversized>)) -> usize {
        let (result, read, written, fields) =
            self.core.read_record(piece, &mut self.bytes[self.written..], &mut self.ends[self.fields..]);
        self.take(&result, written, fields, visit);
        read
    }

    fn take(
        &mut self,
        result: &ReadRecordResult,
        written: usize,
        fields: usize,
        visit: &mut impl FnMut(Result<Record<'_>, Oversized>),
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
                    visit(Ok(Record { bytes, ends: &self.ends[..self.fields] }));
                }
                (self.written, self.fields, self.oversized) = (0, 0, false);
            }
        }
    }
}

/// What parts the fields of a text: of the usual four the one that parts most in its first line.
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
