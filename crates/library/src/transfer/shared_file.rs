//! Shared access of several readers to the file of an import, and the errors of reading it.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::os::unix::fs::FileExt;
use std::sync::Arc;

/// Reason why a file cannot be read to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FileError {
    /// The start of the file matches no known format.
    UnknownFormat,
    /// The file exceeds the size or the number of rows of an import.
    TooLarge,
    /// The archive is corrupt, or contains something other than plain files.
    Malformed,
    /// The file cannot be read from the disk.
    Unreadable,
}

impl FileError {
    /// Stable error code.
    pub(super) fn code(self) -> &'static str {
        match self {
            Self::UnknownFormat => "unknown_format",
            Self::TooLarge => "content_too_large",
            Self::Malformed => "unreadable_file",
            Self::Unreadable => "service_unavailable",
        }
    }
}

/// Treatment of the files of items.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ItemFileMode {
    Unpacked,
    Skipped,
}

/// Reader with its own position in a file that has other readers.
pub(super) struct SharedFileReader {
    file: Arc<File>,
    at: u64,
    size: u64,
}

impl SharedFileReader {
    pub(super) fn of(file: &Arc<File>) -> Result<Self, FileError> {
        let size = file.metadata().map_err(|_| FileError::Unreadable)?.len();
        Ok(Self { file: Arc::clone(file), at: 0, size })
    }
}

impl Read for SharedFileReader {
    fn read(&mut self, bytes: &mut [u8]) -> std::io::Result<usize> {
        let count = self.file.read_at(bytes, self.at)?;
        self.at += count as u64;
        Ok(count)
    }
}

impl Seek for SharedFileReader {
    fn seek(&mut self, to: SeekFrom) -> std::io::Result<u64> {
        let position = match to {
            SeekFrom::Start(at) => Some(at),
            SeekFrom::End(more) => self.size.checked_add_signed(more),
            SeekFrom::Current(more) => self.at.checked_add_signed(more),
        };
        self.at = position.ok_or(std::io::ErrorKind::InvalidInput)?;
        Ok(self.at)
    }
}
