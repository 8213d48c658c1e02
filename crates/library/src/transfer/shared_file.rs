//! Access to the file of an import for several readers, and the errors of reading the file.
//!
//! The directory of an archive stays in memory while the archive is open, so the number of bytes that opening
//! an archive reads is bounded.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::os::unix::fs::FileExt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use extract::sandbox::FileChildError;
use serde::{Deserialize, Serialize};
use zip::ZipArchive;

/// Maximum number of bytes that are read to open an archive. The directory has about 100 bytes per entry.
const MAX_DIRECTORY_BYTES: u64 = 32 * 1024 * 1024;

/// Reason why a file cannot be read to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum FileError {
    /// The start of the file matches no known format.
    UnknownFormat,
    /// The file exceeds the maximum size or the maximum number of rows, or parsing it exceeds the limits on
    /// memory or time.
    TooLarge,
    /// The file is corrupt, is an archive that contains entries other than plain files, or crashes the
    /// process that parses it.
    Malformed,
    /// The file cannot be read from the disk.
    Unreadable,
    /// The process that parses the file was killed from outside. Another attempt may succeed.
    Killed,
}

impl FileError {
    /// Returns the stable error code.
    pub(super) fn code(self) -> &'static str {
        match self {
            Self::UnknownFormat => "unknown_format",
            Self::TooLarge => "content_too_large",
            Self::Malformed => "unreadable_file",
            Self::Unreadable | Self::Killed => "service_unavailable",
        }
    }
}

impl From<FileChildError> for FileError {
    fn from(error: FileChildError) -> Self {
        match error {
            FileChildError::MemoryLimit | FileChildError::TimedOut => Self::TooLarge,
            FileChildError::Crashed => Self::Malformed,
            FileChildError::Killed => Self::Killed,
            FileChildError::Start(_) => Self::Unreadable,
        }
    }
}

/// Treatment of item files in an archive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum ItemFileMode {
    Unpacked,
    Skipped,
}

/// Bytes that readers share.
enum SharedBytes {
    File(File),
    /// Nested archive.
    Memory(Vec<u8>),
}

impl SharedBytes {
    fn read_at(&self, bytes: &mut [u8], at: u64) -> std::io::Result<usize> {
        match self {
            Self::File(file) => file.read_at(bytes, at),
            Self::Memory(content) => {
                let start = usize::try_from(at).unwrap_or(usize::MAX).min(content.len());
                (&content[start..]).read(bytes)
            }
        }
    }
}

/// Reader that has its own position in a file with several readers.
#[derive(Clone)]
pub(super) struct SharedFileReader {
    source: Arc<SharedBytes>,
    at: u64,
    size: u64,
    /// Bytes that may still be read.
    budget: Arc<AtomicU64>,
}

/// Opens a file as an archive. Clones of the archive share its directory.
///
/// # Errors
/// `TooLarge` if the directory is too large; `Malformed` if the file is not an archive.
pub(super) fn open_archive(file: File) -> Result<ZipArchive<SharedFileReader>, FileError> {
    SharedFileReader::of(file)?.open_archive()
}

impl SharedFileReader {
    /// Creates a reader at the start of a file.
    pub(super) fn of(file: File) -> Result<Self, FileError> {
        // Seeks to the end, because the sandbox does not allow reading the metadata of a file.
        let size = (&file).seek(SeekFrom::End(0)).map_err(|_| FileError::Unreadable)?;
        Ok(Self::new(SharedBytes::File(file), size))
    }

    /// Creates a reader at the start of bytes in memory.
    pub(super) fn of_bytes(bytes: Vec<u8>) -> Self {
        let size = bytes.len() as u64;
        Self::new(SharedBytes::Memory(bytes), size)
    }

    fn new(source: SharedBytes, size: u64) -> Self {
        Self { source: Arc::new(source), at: 0, size, budget: Arc::new(AtomicU64::new(u64::MAX)) }
    }

    /// Opens the file as an archive.
    ///
    /// # Errors
    /// `TooLarge` if the directory is too large; `Malformed` if the file is not an archive.
    pub(super) fn open_archive(self) -> Result<ZipArchive<Self>, FileError> {
        let budget = Arc::new(AtomicU64::new(MAX_DIRECTORY_BYTES));
        let archive = ZipArchive::new(Self { budget: Arc::clone(&budget), ..self });
        if budget.swap(u64::MAX, Ordering::Relaxed) == 0 {
            return Err(FileError::TooLarge);
        }
        archive.map_err(|_| FileError::Malformed)
    }
}

impl Read for SharedFileReader {
    fn read(&mut self, bytes: &mut [u8]) -> std::io::Result<usize> {
        let left = self.budget.load(Ordering::Relaxed);
        if left == 0 {
            return Err(std::io::Error::other("the directory of the archive is too large"));
        }
        let most = bytes.len().min(usize::try_from(left).unwrap_or(usize::MAX));
        let count = self.source.read_at(&mut bytes[..most], self.at)?;
        self.at += count as u64;
        if left != u64::MAX {
            self.budget.store(left - count as u64, Ordering::Relaxed);
        }
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
