//! The file of an import as its readers share it, and what may be wrong with it.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::os::unix::fs::FileExt;
use std::sync::Arc;

/// Why the file cannot be read at all, or not to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Broken {
    /// Its beginning is of no known format.
    UnknownFormat,
    /// It is larger, or has more rows, than any import may.
    TooLarge,
    /// The archive is broken, or tries to be more than a folder of files.
    Malformed,
    /// The disk does not answer.
    Unreadable,
}

impl Broken {
    /// The stable word.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::UnknownFormat => "unknown_format",
            Self::TooLarge => "content_too_large",
            Self::Malformed => "unreadable_file",
            Self::Unreadable => "service_unavailable",
        }
    }
}

/// What is done with the files of items.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Files {
    /// They are unpacked.
    Unpacked,
    /// They stay where they are.
    Left,
}

/// A place of its own in a file that others read, too.
pub(super) struct View {
    file: Arc<File>,
    at: u64,
    size: u64,
}

impl View {
    pub(super) fn of(file: &Arc<File>) -> Result<Self, Broken> {
        let size = file.metadata().map_err(|_| Broken::Unreadable)?.len();
        Ok(Self { file: Arc::clone(file), at: 0, size })
    }
}

impl Read for View {
    fn read(&mut self, bytes: &mut [u8]) -> std::io::Result<usize> {
        let count = self.file.read_at(bytes, self.at)?;
        self.at += count as u64;
        Ok(count)
    }
}

impl Seek for View {
    fn seek(&mut self, to: SeekFrom) -> std::io::Result<u64> {
        let place = match to {
            SeekFrom::Start(at) => Some(at),
            SeekFrom::End(more) => self.size.checked_add_signed(more),
            SeekFrom::Current(more) => self.at.checked_add_signed(more),
        };
        self.at = place.ok_or(std::io::ErrorKind::InvalidInput)?;
        Ok(self.at)
    }
}
