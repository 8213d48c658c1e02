//! Rows in the text format of PostgreSQL's `COPY`.

use std::fmt::Display;
use std::io::Write;

use anyhow::{anyhow, bail};
use data_encoding::HEXLOWER;
use sea_orm::sqlx::sqlite::SqliteValueRef;
use sea_orm::sqlx::{Decode, TypeInfo, ValueRef};

/// Encoded rows that were not sent yet.
#[derive(Debug, Default)]
pub(super) struct CopyText {
    bytes: Vec<u8>,
    /// Number of removed U+0000 characters, which PostgreSQL cannot store in texts.
    pub removed_characters: u64,
}

impl CopyText {
    pub(super) fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Returns the encoded rows and leaves the buffer empty.
    pub(super) fn take(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.bytes)
    }

    /// Appends a value of an embedded database for a column of this PostgreSQL type.
    ///
    /// # Errors
    /// If the type cannot store the value.
    pub(super) fn push_value(&mut self, value: SqliteValueRef<'_>, data_type: &str) -> anyhow::Result<()> {
        if value.is_null() {
            self.push_null();
            return Ok(());
        }
        let stored = value.type_info().into_owned();
        match (stored.name(), data_type) {
            ("INTEGER", "boolean") => self.push(if decode::<i64>(value)? == 0 { 'f' } else { 't' }),
            ("INTEGER", _) => self.push(decode::<i64>(value)?),
            ("REAL", _) => self.push(decode::<f64>(value)?),
            ("BLOB" | "TEXT", "bytea") => self.push_bytes(decode(value)?),
            ("BLOB", "uuid") => self.push(HEXLOWER.encode(decode(value)?)),
            ("BLOB" | "TEXT", _) => self.push_text(decode(value)?),
            (other, _) => bail!("{other} is not a known storage class"),
        }
        Ok(())
    }

    /// Appends a value whose text needs no escapes.
    pub(super) fn push(&mut self, value: impl Display) {
        // Writing to memory does not fail.
        let _ = write!(self.bytes, "{value}\t");
    }

    fn push_null(&mut self) {
        self.bytes.extend(b"\\N\t");
    }

    pub(super) fn push_bytes(&mut self, bytes: &[u8]) {
        self.bytes.extend(b"\\\\x");
        self.bytes.extend(HEXLOWER.encode(bytes).as_bytes());
        self.bytes.push(b'\t');
    }

    pub(super) fn push_text(&mut self, text: &[u8]) {
        for byte in text {
            match byte {
                b'\\' => self.bytes.extend(b"\\\\"),
                b'\t' => self.bytes.extend(b"\\t"),
                b'\n' => self.bytes.extend(b"\\n"),
                b'\r' => self.bytes.extend(b"\\r"),
                0 => self.removed_characters += 1,
                _ => self.bytes.push(*byte),
            }
        }
        self.bytes.push(b'\t');
    }

    /// Completes a row, which has at least one value.
    pub(super) fn end_row(&mut self) {
        if let Some(separator) = self.bytes.last_mut() {
            *separator = b'\n';
        }
    }
}

fn decode<'r, T: Decode<'r, sea_orm::sqlx::Sqlite>>(value: SqliteValueRef<'r>) -> anyhow::Result<T> {
    T::decode(value).map_err(|error| anyhow!(error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn special_characters_are_escaped_and_nul_is_counted() {
        let mut text = CopyText::default();
        text.push_text("a\\b\tc\nd\r\u{0}é".as_bytes());
        text.push_bytes(&[0, 255]);
        text.push_null();
        text.push(-7);
        text.end_row();
        assert_eq!(text.removed_characters, 1);
        let row = String::from_utf8(text.take()).unwrap();
        assert_eq!(row, "a\\\\b\\tc\\nd\\ré\t\\\\x00ff\t\\N\t-7\n");
        assert_eq!(text.len(), 0);
    }
}
