//! Reads the file of an import row by row, from plain files and archives, within limits on bytes, entries,
//! and rows. An archive may contain archives, but only one level deep. Runs in a child process.

use std::collections::HashSet;
use std::fs::File;
use std::io::{BufRead, BufReader, ErrorKind, Read, Seek, SeekFrom};
use std::sync::Arc;

use extract::charset::{EncodingProbe, PieceDecoder, TextEncoding};
use extract::imports::{
    self, ColumnMap, Format, HEAD_BYTES, ImportContainer, ImportFileReader, ImportRow, InvalidRow, RowResult,
};
use zip::ZipArchive;

use super::archive_entries::{
    MAX_INNER_BYTES, WEB_ARCHIVE_FOLDER, format_of_entry, has_whole_table, is_inner_archive, is_web_archive,
    pages_of, title_of_entry,
};
use super::import_protocol::{ImportPassOptions, MAX_FILE_BYTES, MAX_ROWS, PIECE_BYTES};
use super::line::{ACCOUNT_FOLDER, NativeLine};
use super::omnivore::OmnivoreTexts;
use super::shared_file::{FileError, ItemFileMode, SharedFileReader};

/// Maximum total unpacked size of an archive's entries, in bytes.
const MAX_UNPACKED: u64 = 16 * 1024 * 1024 * 1024;
/// Maximum ratio of the unpacked to the packed size of an entry.
const MAX_RATIO: u64 = 200;
/// Maximum number of entries of an archive.
const MAX_ENTRIES: usize = 200_000;
/// Maximum length of a line of the native format, in bytes.
const MAX_LINE_BYTES: usize = 64 * 1024 * 1024;
/// Maximum unpacked size of a truncated archive, in bytes. Its entries are read into memory.
const MAX_CUT_BYTES: u64 = 128 * 1024 * 1024;
/// Maximum number of databases that are read in an archive. Reading one may take much longer than its size suggests.
pub(super) const MAX_DATABASES: usize = 8;
/// Maximum number of unread archive entries that are reported.
const MAX_UNREAD: usize = 20;
/// Number of bytes that are read from a text at a time.
const READ_BYTES: usize = 64 * 1024;

/// Event that occurs while a file is read.
#[derive(Clone, Copy)]
pub(super) enum FileEvent<'a> {
    /// Row that is skipped because of [`ImportPassOptions::skip`].
    Skipped(Format),
    /// Row of another service.
    Row(Format, &'a ImportRow),
    /// Line of the native format.
    Line(&'a NativeLine),
    Invalid(Format, InvalidRow),
    /// Piece of an item's file. The line of the item follows.
    FilePiece(&'a [u8]),
    /// All pieces of the file were read.
    FileComplete,
    /// The file of the item cannot be read to its end.
    FileCorrupt,
}

/// Function that receives the events. If it returns an error, reading stops.
pub(super) type FileVisitor<'a> = dyn FnMut(FileEvent<'_>) -> Result<(), FileError> + 'a;

/// Passes every row of `file` to `visit`. Returns the number of rows.
pub(super) fn read_rows(
    mut file: File,
    options: &ImportPassOptions,
    visit: &mut FileVisitor<'_>,
) -> Result<u64, FileError> {
    let mut head = Vec::new();
    rewind(&mut file)?;
    (&mut file).take(HEAD_BYTES as u64).read_to_end(&mut head).map_err(|_| FileError::Unreadable)?;
    let (container, guessed) = imports::guess(&head);
    let mut reader =
        RowCounter { visit, skip: options.skip, count: 0, unpacked: 0, databases: 0, is_inner: false };
    match container {
        ImportContainer::Plain => {
            let format = options.format.or(guessed).ok_or(FileError::UnknownFormat)?;
            if format == Format::SvcJsonl {
                rewind(&mut file)?;
                reader.lines(&file, None)?;
            } else {
                rewind(&mut file)?;
                let columns = columns_of(options);
                let mut rows =
                    ImportFileReader::with_columns(format, &columns).ok_or(FileError::UnknownFormat)?;
                let encoding = encoding_of(&rows, &file)?;
                if rows.needs_first_pass() {
                    rewind(&mut file)?;
                    first_pass(&mut rows, &file, encoding)?;
                }
                rewind(&mut file)?;
                reader.rows(rows, &file, (format, encoding), None)?;
            }
            // If the declared format is wrong, the file contains no rows.
            let is_doubtful = guessed != Some(format) || format == Format::Json;
            if reader.count == 0 && is_doubtful && !imports::is_empty_list(&head) {
                return Err(FileError::UnknownFormat);
            }
        }
        ImportContainer::Zip => reader.archive(file, options)?,
    }
    Ok(reader.count)
}

/// Returns the mapping from columns to fields. It was checked when the import was requested.
fn columns_of(options: &ImportPassOptions) -> ColumnMap {
    ColumnMap::parse(&options.columns).unwrap_or_default()
}

fn rewind(file: &mut File) -> Result<(), FileError> {
    file.seek(SeekFrom::Start(0)).map(drop).map_err(|_| FileError::Unreadable)
}

/// Detects the encoding of a text.
fn encoding_of(rows: &ImportFileReader, mut file: impl Read) -> Result<TextEncoding, FileError> {
    if rows.reads_bytes() {
        return Ok(TextEncoding::BYTES);
    }
    let (mut probe, mut piece) = (EncodingProbe::default(), vec![0; READ_BYTES]);
    loop {
        match file.read(&mut piece).map_err(|_| FileError::Malformed)? {
            0 => return Ok(probe.finish()),
            count => probe.push(&piece[..count]),
        }
    }
}

/// Collects data that the rows need from the whole file.
fn first_pass(
    rows: &mut ImportFileReader,
    mut file: impl Read,
    encoding: TextEncoding,
) -> Result<(), FileError> {
    let (mut decoder, mut piece) = (PieceDecoder::new(encoding), vec![0; READ_BYTES]);
    while rows.needs_first_pass() {
        match file.read(&mut piece).map_err(|_| FileError::Malformed)? {
            0 => {
                rows.first_pass(decoder.finish());
                rows.finish_first_pass();
                break;
            }
            count => rows.first_pass(decoder.decode(&piece[..count])),
        }
    }
    Ok(())
}

/// Counts rows and passes them to the visitor.
struct RowCounter<'a, 'b> {
    visit: &'a mut FileVisitor<'b>,
    skip: u64,
    count: u64,
    /// Unpacked size of the archives that were opened, in bytes.
    unpacked: u64,
    /// Number of databases in archives, including those that were not read.
    databases: usize,
    /// True while the entries of a nested archive are read.
    is_inner: bool,
}

impl RowCounter<'_, '_> {
    /// Passes the next row to the visitor, or the event of a skipped row.
    fn add(&mut self, format: Format, row: FileEvent<'_>) -> Result<(), FileError> {
        let event = if self.skips_next() { FileEvent::Skipped(format) } else { row };
        self.count += 1;
        if self.count > MAX_ROWS { Err(FileError::TooLarge) } else { (self.visit)(event) }
    }

    fn skips_next(&self) -> bool {
        self.count < self.skip
    }

    /// Counts an entry of an archive. Returns false if it is a database above the limit.
    fn admits(&mut self, format: Format) -> bool {
        self.databases += usize::from(format == Format::KoboSqlite);
        format != Format::KoboSqlite || self.databases <= MAX_DATABASES
    }

    /// Reads rows of another service. Completes them with `parts`, if they are in an archive.
    fn rows(
        &mut self,
        mut rows: ImportFileReader,
        mut file: impl Read,
        (format, encoding): (Format, TextEncoding),
        mut parts: Option<&mut ArchiveParts>,
    ) -> Result<(), FileError> {
        let (mut decoder, mut piece) = (PieceDecoder::new(encoding), vec![0; READ_BYTES]);
        let mut result = Ok(());
        loop {
            let count = file.read(&mut piece).map_err(|_| FileError::Malformed)?;
            let mut take = |row: RowResult| {
                if result.is_ok() {
                    let is_uncertain =
                        |row: &ImportRow| !encoding.is_known() && row.has_text(|text| encoding.doubts(text));
                    let row = row.map(|row| ImportRow { is_encoding_uncertain: is_uncertain(&row), ..row });
                    result = self.row(format, row, parts.as_deref_mut());
                }
            };
            if count == 0 {
                rows.push(decoder.finish(), &mut take);
                rows.finish(&mut take);
                return result;
            }
            rows.push(decoder.decode(&piece[..count]), &mut take);
            result?;
        }
    }

    fn row(
        &mut self,
        format: Format,
        row: RowResult,
        parts: Option<&mut ArchiveParts>,
    ) -> Result<(), FileError> {
        let mut row = match row {
            Ok(row) => row,
            Err(reason) => return self.add(format, FileEvent::Invalid(format, reason)),
        };
        if let Some(parts) = parts {
            parts.add(&mut row, self)?;
        }
        row.limit_parts();
        self.add(format, FileEvent::Row(format, &row))
    }

    /// Reads lines of the native format. Ignores the manifest.
    fn lines(&mut self, file: impl Read, mut item_files: Option<&mut ItemFiles>) -> Result<(), FileError> {
        let mut reader = BufReader::with_capacity(READ_BYTES, file);
        let mut line = Vec::new();
        loop {
            line.clear();
            let read = (&mut reader).take(MAX_LINE_BYTES as u64).read_until(b'\n', &mut line);
            let read = read.map_err(|_| FileError::Malformed)?;
            if read == 0 {
                return Ok(());
            }
            let is_cut = read == MAX_LINE_BYTES && !line.ends_with(b"\n");
            if is_cut {
                skip_line(&mut reader)?;
            }
            if line.trim_ascii().is_empty() {
                continue;
            }
            let parsed = if is_cut { Err(InvalidRow::TooLong) } else { NativeLine::parse(&line) };
            // Frees the memory of a long line, because sending the parsed line needs as much memory again.
            line.clear();
            line.shrink_to(READ_BYTES);
            match parsed {
                Ok(NativeLine::Manifest(_)) => {}
                Ok(parsed) => {
                    if let (Some(item_files), Some(path)) = (&mut item_files, file_of(&parsed)) {
                        item_files.read(path, self)?;
                    }
                    self.add(Format::SvcJsonl, FileEvent::Line(&parsed))?;
                }
                Err(reason) => self.add(Format::SvcJsonl, FileEvent::Invalid(Format::SvcJsonl, reason))?,
            }
        }
    }

    /// Reads the rows in the entries of an archive.
    fn archive(&mut self, file: File, options: &ImportPassOptions) -> Result<(), FileError> {
        let columns = columns_of(options);
        let ImportPassOptions { format, files, .. } = *options;
        let file = SharedFileReader::of(file)?;
        let mut archive = match file.clone().open_archive() {
            Ok(archive) => archive,
            Err(FileError::Malformed) => return self.cut_archive(file, columns),
            Err(error) => return Err(error),
        };
        let names = self.check_entries(&mut archive)?;
        let is_ours = names.iter().any(|name| name.as_str() == "manifest.json");
        if format == Some(Format::SvcJsonl) || (format.is_none() && is_ours) {
            // A second reader of the same archive unpacks the file of an item while the first reads its line.
            let item_files = (files == ItemFileMode::Unpacked).then(|| ItemFiles::of(archive.clone()));
            return self.native_entries(&mut archive, &names, item_files);
        }
        let mut unread = Vec::new();
        let recognized = self.entries(&mut archive, &names, options, &mut unread)?;
        let format = recognized.ok_or(FileError::UnknownFormat)?;
        self.unread_entries(format, &unread)
    }

    /// Checks the entries of an archive against the limits and returns their names. Refuses entries whose paths
    /// lead outside of the archive.
    fn check_entries(
        &mut self,
        archive: &mut ZipArchive<SharedFileReader>,
    ) -> Result<Vec<String>, FileError> {
        if archive.len() > MAX_ENTRIES {
            return Err(FileError::TooLarge);
        }
        let mut names = Vec::with_capacity(archive.len());
        let mut total = self.unpacked;
        for index in 0..archive.len() {
            let entry = archive.by_index_raw(index).map_err(|_| FileError::Malformed)?;
            if entry.enclosed_name().is_none() || entry.is_symlink() {
                return Err(FileError::Malformed);
            }
            total = total.saturating_add(entry.size());
            let is_bomb =
                entry.size() > entry.compressed_size().saturating_mul(MAX_RATIO).saturating_add(1024 * 1024);
            if total > MAX_UNPACKED || is_bomb {
                return Err(FileError::TooLarge);
            }
            names.push(entry.name().map_err(|_| FileError::Malformed)?.into_owned());
        }
        self.unpacked = total;
        Ok(names)
    }

    /// Reports the entries that were not read.
    fn unread_entries(&mut self, format: Format, unread: &[usize]) -> Result<(), FileError> {
        for index in unread.iter().take(MAX_UNREAD) {
            let number = u32::try_from(index + 1).unwrap_or(u32::MAX);
            self.add(format, FileEvent::Invalid(format, InvalidRow::Entry(number)))?;
        }
        match u32::try_from(unread.len().saturating_sub(MAX_UNREAD)).unwrap_or(u32::MAX) {
            0 => Ok(()),
            more => self.add(format, FileEvent::Invalid(format, InvalidRow::Entries(more))),
        }
    }

    /// Reads the entries of an archive and of the archives in it. Returns the first format, and adds the positions of
    /// the entries that were not read to `unread`.
    fn entries(
        &mut self,
        archive: &mut ZipArchive<SharedFileReader>,
        names: &[String],
        options: &ImportPassOptions,
        unread: &mut Vec<usize>,
    ) -> Result<Option<Format>, FileError> {
        let ImportPassOptions { format, files, .. } = *options;
        let mut recognized = None;
        let item_files = (files == ItemFileMode::Unpacked).then(|| ItemFiles::of(archive.clone()));
        let texts = OmnivoreTexts::of(names, files, archive);
        let (is_web_archive, columns) = (is_web_archive(archive, names), columns_of(options));
        let pages = if is_web_archive { pages_of(archive).map(Arc::new) } else { None };
        let mut parts = ArchiveParts { texts, item_files, entry_title: None, columns, is_web_archive, pages };
        for (index, name) in names.iter().enumerate() {
            let is_other = name.ends_with('/') || name.contains("__MACOSX") || has_whole_table(archive, name);
            if is_other || !parts.may_have_rows(name) {
                continue;
            }
            let mut head = Vec::new();
            let entry = archive.by_index(index).map_err(|_| FileError::Malformed)?;
            let size = entry.size();
            entry.take(HEAD_BYTES as u64).read_to_end(&mut head).map_err(|_| FileError::Malformed)?;
            if is_inner_archive(name, &head) && size <= MAX_INNER_BYTES && !self.is_inner {
                match self.inner_archive(archive, index, options)? {
                    Some(format) => {
                        recognized.get_or_insert(format);
                    }
                    None => unread.push(index),
                }
                continue;
            }
            let guess = format_of_entry(name, &head);
            let guess = guess.filter(|guess| format.is_none_or(|format| format == *guess));
            let Some(entry_format) = guess.filter(|guess| self.admits(*guess)) else {
                unread.push(index);
                continue;
            };
            recognized.get_or_insert(entry_format);
            self.entry(archive, (index, name.as_str()), entry_format, &mut parts)?;
        }
        unread.extend(parts.texts.iter().flat_map(|texts| texts.unread(names)));
        Ok(recognized)
    }

    /// Reads the entries of a nested archive. `None` if they contain no rows or cannot be read.
    fn inner_archive(
        &mut self,
        archive: &mut ZipArchive<SharedFileReader>,
        index: usize,
        options: &ImportPassOptions,
    ) -> Result<Option<Format>, FileError> {
        let mut bytes = Vec::new();
        let entry = archive.by_index(index).map_err(|_| FileError::Malformed)?;
        entry.take(MAX_INNER_BYTES).read_to_end(&mut bytes).map_err(|_| FileError::Malformed)?;
        let Ok(mut inner) = SharedFileReader::of_bytes(bytes).open_archive() else { return Ok(None) };
        let Ok(names) = self.check_entries(&mut inner) else { return Ok(None) };
        let mut unread = Vec::new();
        self.is_inner = true;
        let recognized = self.entries(&mut inner, &names, options, &mut unread);
        self.is_inner = false;
        let recognized = match recognized {
            Err(FileError::Malformed) => None,
            recognized => recognized?,
        };
        let Some(format) = recognized else { return Ok(None) };
        self.unread_entries(format, &unread)?;
        Ok(Some(format))
    }

    /// Reads the entries of an archive that is truncated before its directory.
    fn cut_archive(&mut self, file: SharedFileReader, columns: ColumnMap) -> Result<(), FileError> {
        let mut file = BufReader::with_capacity(READ_BYTES, file);
        let mut parts = ArchiveParts {
            texts: None,
            item_files: None,
            entry_title: None,
            columns,
            is_web_archive: false,
            pages: None,
        };
        let (mut recognized, mut left) = (None, MAX_CUT_BYTES);
        while let Ok(Some(mut entry)) = zip::read::read_zipfile_from_stream(&mut file) {
            let Ok(name) = entry.name().map(std::borrow::Cow::into_owned) else { break };
            let mut bytes = Vec::new();
            // If the last entry is truncated, its existing part is imported.
            let is_whole = (&mut entry).take(left).read_to_end(&mut bytes).is_ok();
            left = left.saturating_sub(bytes.len() as u64);
            drop(entry);
            if left == 0 {
                return Err(FileError::TooLarge);
            }
            if name.starts_with(ACCOUNT_FOLDER) {
                continue;
            }
            let is_native = ["items/", "notes.", "highlights."].iter().any(|front| name.starts_with(front));
            if is_native && name.rsplit('.').next() == Some("jsonl") {
                recognized.get_or_insert(Format::SvcJsonl);
                self.lines(bytes.as_slice(), None)?;
            } else if let Some(format) = format_of_entry(&name, &bytes[..bytes.len().min(HEAD_BYTES)])
                && format != Format::SvcJsonl
            {
                recognized.get_or_insert(format);
                if !self.admits(format) {
                    return Err(FileError::TooLarge);
                }
                let mut rows = parts.rows(format)?;
                let encoding = encoding_of(&rows, bytes.as_slice())?;
                first_pass(&mut rows, bytes.as_slice(), encoding)?;
                parts.entry_title = title_of_entry(&name, format);
                self.rows(rows, bytes.as_slice(), (format, encoding), Some(&mut parts))?;
            }
            if !is_whole {
                break;
            }
        }
        let format = recognized.ok_or(FileError::Malformed)?;
        self.add(format, FileEvent::Invalid(format, InvalidRow::Truncated))
    }

    /// Reads the rows of an entry.
    fn entry(
        &mut self,
        archive: &mut ZipArchive<SharedFileReader>,
        (index, name): (usize, &str),
        format: Format,
        parts: &mut ArchiveParts,
    ) -> Result<(), FileError> {
        let mut rows = parts.rows(format)?;
        let entry = archive.by_index(index).map_err(|_| FileError::Malformed)?;
        let size = entry.size();
        let encoding = encoding_of(&rows, entry.take(size))?;
        if rows.needs_first_pass() {
            let entry = archive.by_index(index).map_err(|_| FileError::Malformed)?;
            first_pass(&mut rows, entry.take(size), encoding)?;
        }
        parts.entry_title = title_of_entry(name, format);
        let entry = archive.by_index(index).map_err(|_| FileError::Malformed)?;
        self.rows(rows, entry.take(size), (format, encoding), Some(parts))
    }

    /// Reads an archive of the native format. Items come first, because notes and highlights refer to them.
    fn native_entries(
        &mut self,
        archive: &mut ZipArchive<SharedFileReader>,
        names: &[String],
        mut item_files: Option<ItemFiles>,
    ) -> Result<(), FileError> {
        #[expect(clippy::case_sensitive_file_extension_comparisons, reason = "the names are ours")]
        let is =
            |name: &&(usize, &String), front: &str| name.1.starts_with(front) && name.1.ends_with(".jsonl");
        let all: Vec<(usize, &String)> = names.iter().enumerate().collect();
        for front in ["items/", "notes", "highlights", "page_copies/"] {
            for (index, _) in all.iter().filter(|name| is(name, front)) {
                let entry = archive.by_index(*index).map_err(|_| FileError::Malformed)?;
                let size = entry.size();
                self.lines(entry.take(size), item_files.as_mut())?;
            }
        }
        Ok(())
    }
}

/// Parts of an archive that complete the rows of other entries.
struct ArchiveParts {
    texts: Option<OmnivoreTexts>,
    /// Files of items. `None` if files are not unpacked.
    item_files: Option<ItemFiles>,
    /// Title of the row, if the entry is a single row.
    entry_title: Option<String>,
    columns: ColumnMap,
    is_web_archive: bool,
    /// URLs of the pages of a web archive. `None` if all responses with HTML are pages.
    pages: Option<Arc<HashSet<String>>>,
}

impl ArchiveParts {
    /// Creates a parser for the rows of an entry.
    fn rows(&self, format: Format) -> Result<ImportFileReader, FileError> {
        let mut rows =
            ImportFileReader::with_columns(format, &self.columns).ok_or(FileError::UnknownFormat)?;
        if let Some(pages) = &self.pages {
            rows.set_pages(Arc::clone(pages));
        }
        Ok(rows)
    }

    /// Returns true if the entry with this name may contain rows. In an Omnivore archive, other entries are
    /// parts of rows. In a web archive, other entries are indexes and lists of pages.
    fn may_have_rows(&self, name: &str) -> bool {
        let is_index = self.is_web_archive && !name.starts_with(WEB_ARCHIVE_FOLDER);
        !is_index && self.texts.as_ref().is_none_or(|texts| texts.has_rows(name))
    }

    /// Completes a row with its parts. The file of the row is passed to the visitor before the row.
    fn add(&mut self, row: &mut ImportRow, reader: &mut RowCounter<'_, '_>) -> Result<(), FileError> {
        row.title = row.title.take().or_else(|| self.entry_title.clone());
        let Some(texts) = &mut self.texts else { return Ok(()) };
        texts.add(row)?;
        if let (Some(item_files), Some(path)) = (&mut self.item_files, texts.file_of(row)) {
            item_files.read(&path, reader)?;
        }
        Ok(())
    }
}

fn skip_line(reader: &mut impl BufRead) -> Result<(), FileError> {
    loop {
        let piece = reader.fill_buf().map_err(|_| FileError::Malformed)?;
        if piece.is_empty() {
            return Ok(());
        }
        let (count, is_over) = match piece.iter().position(|byte| *byte == b'\n') {
            Some(at) => (at + 1, true),
            None => (piece.len(), false),
        };
        reader.consume(count);
        if is_over {
            return Ok(());
        }
    }
}

/// Files of items in an archive. Each entry is used for only one item. Otherwise, an archive could cause the
/// same entry to be unpacked for every line.
struct ItemFiles {
    archive: ZipArchive<SharedFileReader>,
    taken: HashSet<usize>,
}

impl ItemFiles {
    fn of(archive: ZipArchive<SharedFileReader>) -> Self {
        Self { archive, taken: HashSet::new() }
    }

    /// Passes the file of an item to the visitor, unless the row of the item is skipped. Does nothing if the
    /// entry does not exist or was used for another item.
    fn read(&mut self, path: &str, reader: &mut RowCounter<'_, '_>) -> Result<(), FileError> {
        let Some(index) = self.archive.index_for_name(path) else { return Ok(()) };
        if !self.taken.insert(index) || reader.skips_next() {
            return Ok(());
        }
        let Ok(entry) = self.archive.by_index(index) else { return Ok(()) };
        let size = entry.size();
        if size > MAX_FILE_BYTES {
            return Ok(());
        }
        let (mut entry, mut piece) = (entry.take(size), vec![0; PIECE_BYTES]);
        loop {
            match entry.read(&mut piece) {
                Ok(0) => return (reader.visit)(FileEvent::FileComplete),
                Ok(count) => (reader.visit)(FileEvent::FilePiece(&piece[..count]))?,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                // If the file is corrupt, the item is imported without it.
                Err(_) => return (reader.visit)(FileEvent::FileCorrupt),
            }
        }
    }
}

fn file_of(line: &NativeLine) -> Option<&str> {
    match line {
        NativeLine::Item(item) => item.file.as_ref().map(|file| file.path.as_str()),
        NativeLine::PageCopy(copy) => Some(copy.file.path.as_str()),
        NativeLine::Manifest(_) | NativeLine::Note(_) | NativeLine::Highlight(_) => None,
    }
}
