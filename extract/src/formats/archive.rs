//! Reads ZIP archives within limits. The declared sizes of entries are not trusted.

use std::{
    collections::HashMap,
    io::{Cursor, Read},
};

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
    /// Indexes of the entries by name in lower case. Built when a name does not match exactly.
    by_folded_name: Option<HashMap<String, usize>>,
}

impl<'b> ArchiveFiles<'b> {
    pub(super) fn open(bytes: &'b [u8]) -> Option<Self> {
        let archive = ZipArchive::new(Cursor::new(bytes)).ok()?;
        (archive.len() <= MAX_ENTRIES).then_some(Self { archive, left: MAX_BYTES, by_folded_name: None })
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.archive.index_for_name(name).is_some()
    }

    /// Index of an entry. Programs and file systems may change the case of a name.
    fn index(&mut self, name: &str) -> Option<usize> {
        let archive = &self.archive;
        archive.index_for_name(name).or_else(|| {
            let folded = |index| Some((archive.name_for_index(index)?.ok()?.to_ascii_lowercase(), index));
            let indexes =
                self.by_folded_name.get_or_insert_with(|| (0..archive.len()).filter_map(folded).collect());
            indexes.get(&name.to_ascii_lowercase()).copied()
        })
    }

    /// Reads an entry as text; `None` if it is missing, broken or too large.
    pub(super) fn text(&mut self, name: &str) -> Option<String> {
        let limit = MAX_ENTRY_BYTES.min(self.left);
        let mut bytes = Vec::new();
        let index = self.index(name)?;
        self.archive.by_index(index).ok()?.take(limit + 1).read_to_end(&mut bytes).ok()?;
        let size = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        self.left = self.left.saturating_sub(size);
        (size <= limit).then(|| crate::charset::decode(&bytes, None))
    }
}
