//! Reads ZIP archives within limits. The declared sizes of entries are not trusted.

use std::io::{Cursor, Read};

use zip::ZipArchive;

/// Maximum number of entries in an archive.
const MAX_ENTRIES: usize = 10_000;
/// Maximum number of unpacked bytes of one entry.
const MAX_ENTRY_BYTES: u64 = 24 * 1024 * 1024;
/// Maximum number of unpacked bytes of all entries that are read, in total.
const MAX_BYTES: u64 = 96 * 1024 * 1024;

pub(super) struct ArchiveFiles<'b> {
    archive: ZipArchive<Cursor<&'b [u8]>>,
    left: u64,
}

impl<'b> ArchiveFiles<'b> {
    pub(super) fn open(bytes: &'b [u8]) -> Option<Self> {
        let archive = ZipArchive::new(Cursor::new(bytes)).ok()?;
        (archive.len() <= MAX_ENTRIES).then_some(Self { archive, left: MAX_BYTES })
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.archive.index_for_name(name).is_some()
    }

    /// Reads an entry as text; `None` if it is missing, broken or too large.
    pub(super) fn text(&mut self, name: &str) -> Option<String> {
        let limit = MAX_ENTRY_BYTES.min(self.left);
        let mut bytes = Vec::new();
        self.archive.by_name(name).ok()?.take(limit + 1).read_to_end(&mut bytes).ok()?;
        let size = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        self.left = self.left.saturating_sub(size);
        (size <= limit).then(|| crate::charset::decode(&bytes, None))
    }
}
